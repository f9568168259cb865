"""The dimensions that a jit kernel declares dynamic: in its annotations, or with ``x.bind_dynamic(axis, M)``."""

from __future__ import annotations

from pypto_lsp.frontend.annotation_scope import symbol
from pypto_lsp.frontend.jit_graph import BodyScan, scan
from pypto_lsp.frontend.signatures import Parameters
from pypto_lsp.ir.arith import dim_of
from pypto_lsp.ir.nodes import Var
from pypto_lsp.ir.types import TENSORS
from pypto_lsp.syntax import nodes as syntax


def dynamic_dimensions(params: Parameters, bound: dict[str, dict[int, Var]]) -> dict[str, dict[int, Var]]:
    """Parameter -> axis -> symbol. What the body binds wins over the annotation."""
    names = {var.name for var in params.vars}
    found = {name: dict(axes) for name, axes in bound.items() if name in names}
    for var in params.vars:
        if not isinstance(var.type, TENSORS):
            continue
        for axis, extent in enumerate(map(dim_of, var.type.shape or ())):
            if isinstance(extent, Var) and extent.symbol:
                found.setdefault(var.name, {}).setdefault(axis, extent)
    return found


def bound_dimensions(node: syntax.FunctionDef) -> dict[str, dict[int, Var]]:
    """What a body binds: name -> axis -> symbol."""
    body = scan(node)
    literals = _literals(body)
    found: dict[str, dict[int, Var]] = {}
    for call in body.binds:
        owner = call.func.value if isinstance(call.func, syntax.Attribute) else None
        if len(call.args) < 2 or not isinstance(owner, syntax.Name):
            continue
        axis, name = call.args[0], call.args[1]
        if isinstance(name, syntax.Name) and isinstance(axis, syntax.Constant) and isinstance(axis.value, int):
            found.setdefault(owner.id, {})[axis.value] = symbol(literals.get(name.id, name.id))
    return found


def _literals(body: BodyScan) -> dict[str, str]:
    """Variables of the body that ``pl.dynamic`` makes, with the names they are given."""
    found: dict[str, str] = {}
    for assign in body.dynamics:
        args = assign.value.args if isinstance(assign.value, syntax.Call) else ()
        literal = args[0].value if args and isinstance(args[0], syntax.Constant) else None
        for target in assign.targets:
            if isinstance(target, syntax.Name):
                found[target.id] = literal if isinstance(literal, str) else target.id
    return found
