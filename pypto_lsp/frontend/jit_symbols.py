"""The dimensions that a jit kernel declares dynamic: in its annotations, or with ``x.bind_dynamic(axis, M)``."""

from __future__ import annotations

from pypto_lsp.frontend.annotation_scope import last_name, symbol
from pypto_lsp.frontend.names import walk
from pypto_lsp.frontend.signatures import Parameters
from pypto_lsp.frontend.values import KernelRef
from pypto_lsp.ir.nodes import Var
from pypto_lsp.ir.types import TENSORS
from pypto_lsp.syntax import nodes as syntax


def dynamic_dimensions(ref: KernelRef, params: Parameters) -> dict[str, dict[int, Var]]:
    """Parameter -> axis -> symbol. A binding in the body wins over the annotation."""
    found = _bound(ref.node, {var.name for var in params.vars})
    for var in params.vars:
        if not isinstance(var.type, TENSORS):
            continue
        for axis, extent in enumerate(var.type.shape or ()):
            if isinstance(extent, Var) and extent.symbol:
                found.setdefault(var.name, {}).setdefault(axis, extent)
    return found


def _bound(node: syntax.FunctionDef, names: set[str]) -> dict[str, dict[int, Var]]:
    literals = _literals(node)
    found: dict[str, dict[int, Var]] = {}
    for part in walk(node):
        call = part.value if isinstance(part, syntax.ExprStmt) else None
        if not (isinstance(call, syntax.Call) and last_name(call.func) == "bind_dynamic" and len(call.args) >= 2):
            continue
        owner = call.func.value if isinstance(call.func, syntax.Attribute) else None
        axis, name = call.args[0], call.args[1]
        if not (isinstance(owner, syntax.Name) and owner.id in names and isinstance(name, syntax.Name)):
            continue
        if isinstance(axis, syntax.Constant) and isinstance(axis.value, int):
            found.setdefault(owner.id, {})[axis.value] = symbol(literals.get(name.id, name.id))
    return found


def _literals(node: syntax.FunctionDef) -> dict[str, str]:
    """Variables of the body that ``pl.dynamic`` makes, with the names they are given."""
    found: dict[str, str] = {}
    for part in walk(node):
        value = part.value if isinstance(part, syntax.Assign) else None
        if not (isinstance(part, syntax.Assign) and isinstance(value, syntax.Call)):
            continue
        if last_name(value.func) != "dynamic":
            continue
        literal = value.args[0].value if value.args and isinstance(value.args[0], syntax.Constant) else None
        for target in part.targets:
            if isinstance(target, syntax.Name):
                found[target.id] = literal if isinstance(literal, str) else target.id
    return found
