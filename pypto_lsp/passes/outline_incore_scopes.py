"""OutlineIncoreScopes: the kernels of a function, with what they take from and give to the code around them.

A kernel is a declared kernel function or a core-group region. A region takes every variable that it reads and does not
define, and gives what it defines and the code after it reads. A tensor that a region writes in place is given back as the
tensor that came in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.types import TENSORS
from pypto_lsp.ir.visit import bodies, header_exprs, reads, walk
from pypto_lsp.passes.convert_to_ssa import SsaFunction
from pypto_lsp.passes.ranges import Ranges
from pypto_lsp.text import Span

KERNEL_TYPES = ("InCore", "AIC", "AIV")
#: operators that write one operand in place and give it back -> the operand's position
WRITTEN_OPERAND = {
    "tensor.assemble": 0, "tensor.set_validshape": 0, "tile.store": 2, "tile.mscatter": 2, "tile.fillpad_inplace": 0,
    "tile.scatter_update": 0, "tile.scatter": 0, "tile.scatter_mask": 0, "tile.matmul_acc": 0, "tile.gemv_acc": 0,
    "tile.batch_matmul_acc": 0, "tile.matmul_mx_acc": 0, "tile.gather_row": 0,
}  # fmt: skip


@dataclass(frozen=True)
class Kernel:
    """``function`` is the function it lies in, ``scope`` its region (None for a declared kernel function). ``returns`` are the
    values given back, ``return_span`` where their stores are shown. ``complete`` is false when a part of it is not known."""

    name: str
    function: ir.Function
    func_type: str
    params: tuple[ir.Var, ...]
    body: ir.Body
    returns: tuple[ir.Expr, ...]
    return_span: Span | None
    scope: ir.InCoreScope | None = None
    split: str | None = None
    complete: bool = True
    ranges: Ranges = field(default_factory=Ranges)

    @property
    def span(self) -> Span | None:
        """Where the kernel begins: its region, or its function."""
        return self.scope.span if self.scope is not None else self.function.span


def kernels(source: SsaFunction) -> Iterator[Kernel]:
    """The kernels of a function in SSA form; an Inline function has none of its own."""
    function = source.function
    if function.body is None or function.func_type == "Inline":
        return
    if function.func_type in KERNEL_TYPES:
        yield _declared(function, source.ranges)
        return
    yield from _Outliner(function, source.ranges).outlined()


def _declared(function: ir.Function, ranges: Ranges) -> Kernel:
    body = function.body or ()
    last = body[-1] if body else None
    returned = isinstance(last, ir.Return)
    split = function.attrs.get("split")
    return Kernel(
        name=function.name,
        function=function,
        func_type=function.func_type,
        params=function.params,
        body=body[:-1] if returned else body,
        returns=last.values if isinstance(last, ir.Return) else (),
        return_span=last.span if last is not None else None,
        split=split.name if isinstance(split, EnumMember) else split if isinstance(split, str) else None,
        complete=_complete(body) and not any(isinstance(s, ir.InCoreScope) for s in walk(body)),
        ranges=ranges,
    )


def _complete(body: ir.Body) -> bool:
    """Whether everything in a body could be lowered."""
    return not any(isinstance(s, ir.ErrorStmt) or any(_has_error(e) for e in header_exprs(s)) for s in walk(body))


def _has_error(expr: ir.Expr) -> bool:
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, ir.ErrorExpr):
            return True
        match node:
            case ir.Call() | ir.Submit():
                stack.extend(node.args)
            case ir.Binary():
                stack += (node.left, node.right)
            case ir.Unary():
                stack.append(node.operand)
            case ir.MakeTuple():
                stack.extend(node.elements)
            case ir.TupleGetItem():
                stack.append(node.tuple)
    return False


def defined(body: Iterable[ir.Stmt]) -> dict[ir.Var, None]:
    """The variables that a body defines, in order."""
    found: dict[ir.Var, None] = {}
    for stmt in walk(body):
        match stmt:
            case ir.Assign():
                found.setdefault(stmt.var)
            case ir.For():
                found.setdefault(stmt.var)
                found.update(dict.fromkeys(arg.var for arg in stmt.iter_args))
                found.update(dict.fromkeys(stmt.return_vars))
            case ir.While():
                found.update(dict.fromkeys(arg.var for arg in stmt.iter_args))
                found.update(dict.fromkeys(stmt.return_vars))
            case ir.If():
                found.update(dict.fromkeys(stmt.return_vars))
            case ir.SpmdScope() | ir.SplitAivScope():
                if stmt.index_var is not None:
                    found.setdefault(stmt.index_var)
    return found


def read_variables(body: Iterable[ir.Stmt]) -> dict[ir.Var, None]:
    """The variables that a body reads, in order."""
    found: dict[ir.Var, None] = {}
    for stmt in walk(body):
        for expr in header_exprs(stmt):
            for var, _ in reads(expr):
                found.setdefault(var)
    return found


class Lineage:
    """Which tensor that came in a value is written into."""

    def __init__(self, body: ir.Body) -> None:
        self.values: dict[ir.Var, ir.Expr] = {}
        self.inits: dict[ir.Var, ir.Expr] = {}
        for stmt in walk(body):
            if isinstance(stmt, ir.Assign):
                self.values.setdefault(stmt.var, stmt.value)
            elif isinstance(stmt, (ir.For, ir.While)):
                for arg in stmt.iter_args:
                    self.inits[arg.var] = arg.init
                for var, arg in zip(stmt.return_vars, stmt.iter_args):
                    if isinstance(var.type, TENSORS):
                        self.inits[var] = arg.init

    def origin(self, var: ir.Var, params: set[ir.Var]) -> ir.Var | None:
        """The parameter that a tensor is, after writes in place and through loops; None when it is a value of its own."""
        seen: set[ir.Var] = set()
        while var not in params:
            if var in seen:
                return None
            seen.add(var)
            source = self.inits.get(var) or _written(self.values.get(var))
            if not isinstance(source, ir.Read):
                return None
            var = source.var
        return var


def _written(value: ir.Expr | None) -> ir.Expr | None:
    """What an expression gives back unchanged or written in place."""
    if isinstance(value, ir.Call) and isinstance(value.op, str):
        position = WRITTEN_OPERAND.get(value.op)
        return value.args[position] if position is not None and position < len(value.args) else None
    return value if isinstance(value, ir.Read) else None


@dataclass
class _Outliner:
    function: ir.Function
    ranges: Ranges
    found: list[Kernel] = field(default_factory=list)

    def outlined(self) -> list[Kernel]:
        self._sequence(self.function.body or (), frozenset(), inside_scope=False)
        self.found.reverse()
        return self.found

    def _sequence(self, body: ir.Body, required: frozenset[ir.Var], *, inside_scope: bool) -> None:
        """Outline the regions of a body, the last first; ``required`` are variables that the code after the body reads."""
        after: set[ir.Var] = set()
        for stmt in reversed(body):
            if isinstance(stmt, ir.InCoreScope):
                self._region(stmt, after | required, inside_scope=inside_scope)
            elif isinstance(stmt, ir.HierarchyScope):
                # a function of its own: what it gives back is read at its end
                given = frozenset(v for v in defined(stmt.body) if v in after or v in required)
                self._sequence(stmt.body, given, inside_scope=False)
            else:
                scope = inside_scope or not isinstance(stmt, (ir.For, ir.While, ir.If))
                for nested in bodies(stmt):
                    self._sequence(nested, required | after, inside_scope=scope)
            after.update(defined((stmt,)))
            after.update(read_variables((stmt,)))

    def _region(self, scope: ir.InCoreScope, used_after: set[ir.Var], *, inside_scope: bool) -> None:
        own = defined(scope.body)
        params = tuple(v for v in read_variables(scope.body) if v not in own)
        if used_after:
            given = [v for v in own if v in used_after]
        else:
            # nothing tells what is needed: everything is, unless another scope hides it
            given = [] if inside_scope or _defers(scope.body) else list(own)
        lineage, known = Lineage(scope.body), set(params)
        returns = tuple(
            ir.Read(lineage.origin(v, known) or v, scope.span) for v in given if isinstance(v.type, TENSORS)
        )
        nested = [s for s in walk(scope.body) if isinstance(s, ir.InCoreScope)]
        self.found.append(
            Kernel(
                name=scope.name_hint or f"{self.function.name}_incore",
                function=self.function,
                func_type="InCore",
                params=params,
                body=scope.body,
                returns=returns,
                return_span=scope.span,
                scope=scope,
                split=scope.split,
                complete=_complete(scope.body) and not nested,
                ranges=self.ranges,
            )
        )
        for inner in nested:
            self._region(inner, set(given), inside_scope=True)


def _defers(body: ir.Body) -> bool:
    """Whether a region only registers what a later task waits for."""
    return any(
        isinstance(stmt, ir.Eval) and isinstance(stmt.expr, ir.Call) and stmt.expr.op == "pld.system.defer_wait"
        for stmt in walk(body)
    )
