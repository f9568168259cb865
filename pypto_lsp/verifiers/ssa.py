"""Single assignment form: names that no value reaches on some path, yields that do not fit."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.visit import bodies, bound_vars, dynamic_dimensions, stmt_reads, walk
from pypto_lsp.text import Span
from pypto_lsp.verifiers.rule import Rule, RuleContext, related
from pypto_lsp.verifiers.ssa_form import broken, last_statement
from pypto_lsp.verifiers.type_sharing import TypeSharing

_FRAME = """import pypto.language as pl


@pl.jit
def count(x: pl.Tensor[[64, 256], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):
"""
_TAIL = """    for i in pl.range(y):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = pl.exp(x)
    return out
"""
_DYNAMIC = """import pypto.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(
        self, x: pl.Tensor[[M, 64], pl.FP32], o: pl.Out[pl.Tensor[[M, 64], pl.FP32]]
    ) -> pl.Tensor[[M, 64], pl.FP32]:
        for i in pl.range({used}):
            t = pl.load(x, [i, 0], [1, 64])
            o = pl.store(t, [i, 0], o)
        return o
"""


class SSAVerify(Rule):
    """
    ## What it does
    Follows every name through branches and loops. A name that is bound only in one branch of an `if`, or only inside a loop,
    and read afterwards has no value on the other path (code 6). A loop or branch that yields must end in a yield (code 3)
    with as many values as it carries (code 5).

    ## Why is this bad
    The compiler turns the function into single assignment form and refuses it; the place that it names is often useless.

    ## Fix
    Give the name a value before the `if` or loop, or in the other branch too.
    """

    rule_name = "SSAVerify"
    ir_property = "SSAForm"
    codes = {
        1: "a variable is assigned twice",
        2: "a name is shadowed",
        3: "a yield is missing",
        4: "carried values and results differ in number",
        5: "a yield has the wrong number of values",
        6: "a name has no value on some path",
        7: "a yield stands in the middle of a body",
    }
    stage = "ConvertToSSA"
    VALID = (_FRAME + "    y = n + 0\n    if n > 3:\n        y = n + 1\n" + _TAIL, _DYNAMIC.format(used="M"))
    INVALID = (
        _FRAME + "    if n > 3:\n        ⟦y = n + 1⟧\n" + _TAIL,
        _FRAME + "    q = n + 2\n    ⟦for i in pl.range(n):⟧\n        y = n + 1\n        q = y\n" + _TAIL,
        _FRAME
        + "    if n > 3:\n        with pl.at(level=pl.Level.CORE_GROUP):\n            t = pl.exp(x)\n"
        + "    with pl.at(level=pl.Level.CORE_GROUP):\n        out[:] = ⟦t⟧\n    return out\n",
        _DYNAMIC.format(used="⟦K⟧"),
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if context.as_is:
            yield from self._as_it_stands(function)
            return
        yield from self._unreached(function, program)
        yield from self._undeclared(function)
        yield from self._yields(function, function.body or (), set(function.params))

    def _as_it_stands(self, function: ir.Function) -> Iterator[Diagnostic]:
        for found in broken(function) if function.complete else ():
            yield from self.finding(
                found.code, found.span, found.message, function=function,
                related=related(found.other, found.other_message), subject=found.subject,
            )  # fmt: skip

    def _unreached(self, function: ir.Function, program: ir.Program) -> Iterator[Diagnostic]:
        flow = _Reaching(function, program)
        flow.body(function.body or ())
        for var, (reading, partial) in flow.missing.items():
            container, binding = partial.container, partial.binding
            where = (
                "in a branch that may not be taken" if isinstance(container, ir.If) else "in a loop that may not run"
            )
            bound, read = partial.place or container.span, getattr(reading, "span", None)
            place, other, word = bound, read, "read"
            if read is not None and _made_by_a_region(container, var):
                place, other, word = read, bound, "bound"  # what a kernel makes, nobody else can: the read has to go
            yield from self.finding(
                6,
                place,
                f"'{var.name}' is bound only {where}, and read after it",
                function=function,
                related=related(other, f"'{var.name}' is {word} here"),
                subject=(var, container, binding),
                variable=var.name,
            )

    def _undeclared(self, function: ir.Function) -> Iterator[Diagnostic]:
        """Dynamic dimensions that the body reads though no parameter or result has them."""
        if function.func_type == "Inline" or function.jit:
            return  # spliced into a caller that may have them; a jit kernel's are a matter of its front end
        types = [*(var.type for var in function.params), *function.return_types]
        known = {symbol for type_ in types for symbol in dynamic_dimensions(type_)}
        for stmt in walk(function.body or ()):
            for var, reading in stmt_reads(stmt):
                if var.symbol and var not in known:
                    known.add(var)
                    yield from self.finding(
                        6,
                        getattr(reading, "span", None) or stmt.span,
                        f"no parameter has the dynamic dimension '{var.name}', so it has no value here",
                        function=function,
                        subject=(var, stmt, None),
                        variable=var.name,
                    )

    def _yields(self, function: ir.Function, body: ir.Body, bound: set[ir.Var]) -> Iterator[Diagnostic]:
        for stmt in body:
            if isinstance(stmt, (ir.For, ir.While)) and stmt.iter_args:
                yield from self._tail(function, stmt, stmt.body, len(stmt.iter_args), "loop")
            elif isinstance(stmt, ir.If) and stmt.return_vars:
                yield from self._branches(function, stmt, bound)
            for nested in bodies(stmt):
                yield from self._yields(function, nested, bound)
            bound.update(bound_vars(stmt))

    def _branches(self, function: ir.Function, stmt: ir.If, bound: set[ir.Var]) -> Iterator[Diagnostic]:
        if stmt.orelse is None:
            yield from self.finding(
                3, stmt.span, "this branch yields a value, so it needs an else that yields one too",
                function=function, subject=stmt,
            )  # fmt: skip
            return
        whole = isinstance(last_statement(stmt.then), ir.Yield) and isinstance(last_statement(stmt.orelse), ir.Yield)
        rebinding = _rebinds_outer(stmt, bound) if whole else None
        if rebinding is not None:
            yield from self.finding(
                5, rebinding.span, f"'{rebinding.var.name}' is bound outside this branch and yielded by neither; yield it too",
                function=function, related=related(stmt.span, "the branch that yields"), subject=stmt,
                variable=rebinding.var.name,
            )  # fmt: skip
            return
        for branch in (stmt.then, stmt.orelse):
            found = list(self._tail(function, stmt, branch, len(stmt.return_vars), "branch"))
            if found:
                yield from found
                return

    def _tail(self, function: ir.Function, stmt: ir.Stmt, body: ir.Body, count: int, word: str) -> Iterator[Diagnostic]:
        if any(isinstance(s, ir.ErrorStmt) for s in body) or not function.complete:
            return
        last = last_statement(body)
        if not isinstance(last, ir.Yield):
            if any(isinstance(s, ir.Yield) for s in body):
                return  # a yield in the middle is NoRedundantBlocks' finding
            yield from self.finding(
                3,
                stmt.span,
                f"this {word} must end in a pl.yield_ of {count} value(s)",
                function=function,
                subject=stmt,
            )


def _rebinds_outer(stmt: ir.If, bound: set[ir.Var]) -> ir.Assign | None:
    """An assignment in a branch to a variable from before it: merging it changes what the branch yields."""
    for branch in (stmt.then, stmt.orelse or ()):
        for inner in walk(branch):
            if isinstance(inner, ir.Assign) and inner.var in bound:
                return inner
    return None


@dataclass(frozen=True, slots=True)
class _Partial:
    """A variable that has a value on some paths only: the branch or loop that binds it, the binding, and where the compiler
    sees the fault; of a loop also what had a value before it."""

    container: ir.If | ir.For | ir.While
    binding: ir.Stmt | None
    place: Span | None
    before: Set[ir.Var] = frozenset()


_BOUNDARIES = (ir.InCoreScope, ir.HierarchyScope, ir.ClusterScope, ir.SpmdScope)


class _Reaching:
    """Which variables have a value on every path; what is read without one."""

    def __init__(self, function: ir.Function, program: ir.Program) -> None:
        self.function = function
        self.program = program
        self.sharing: TypeSharing | None = None
        self.defined: set[ir.Var] = set(function.params)
        self.partial: dict[ir.Var, _Partial] = {}
        self.missing: dict[ir.Var, tuple[ir.Expr | None, _Partial]] = {}

    def body(self, body: ir.Body) -> None:
        for stmt in body:
            self.stmt(stmt)

    def stmt(self, stmt: ir.Stmt) -> None:
        if not isinstance(stmt, ir.ErrorStmt):
            for var, reading in stmt_reads(stmt):
                if var in self.partial and var not in self.defined:
                    if self._has_a_first_value(var, self.partial[var]):
                        self.defined.add(var)
                        continue
                    known = self.missing.get(var)
                    if known is None or isinstance(self.partial[var].container, (ir.For, ir.While)):
                        self.missing[var] = (reading if known is None else known[0], self.partial[var])
        match stmt:
            case ir.Assign():
                self.defined.add(stmt.var)
            case ir.If():
                self.branch(stmt)
            case ir.For() | ir.While():
                self.loop(stmt)
            case _:
                self.scope(stmt)

    def scope(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, (ir.SpmdScope, ir.SplitAivScope)) and stmt.index_var is not None:
            self.defined.add(stmt.index_var)
        boundary = isinstance(stmt, _BOUNDARIES)
        before = set(self.partial) if boundary else set()
        for nested in bodies(stmt):
            self.body(nested)
        if boundary:
            for var in self.partial.keys() - before:
                known = self.partial[var]
                if known.binding is not None:
                    self.partial[var] = replace(known, place=known.binding.span)
        self.defined.update(bound_vars(stmt))

    def branch(self, stmt: ir.If) -> None:
        before = set(self.defined)
        self.body(stmt.then)
        after_then = self.defined
        self.defined = set(before)
        self.body(stmt.orelse or ())
        both = after_then & self.defined
        one_sided = (after_then | self.defined) - both
        if one_sided and not self.function.complete:  # what could not be read may bind them on the other side
            loose = {var.name for each in walk((stmt,)) if isinstance(each, ir.ErrorStmt) for var in each.binds}
            both |= {var for var in one_sided if var.name in loose}
            one_sided -= both
        bindings = _bindings(stmt) if one_sided else {}
        for var in one_sided:
            binding = bindings.get(var)
            self.partial.setdefault(var, _Partial(stmt, binding, binding.span if binding is not None else stmt.span))
        self.defined = both | set(stmt.return_vars)

    def loop(self, stmt: ir.For | ir.While) -> None:
        before, partly = set(self.defined), set(self.partial)
        if isinstance(stmt, ir.For):
            self.defined.add(stmt.var)
        self.defined.update(arg.var for arg in stmt.iter_args)
        self.body(stmt.body)
        if isinstance(stmt, ir.For) and stmt.kind is ForKind.UNROLL:
            return  # unrolled before the form is made: its names are bound in straight line code
        inner = (self.defined - before) | (self.partial.keys() - partly)
        self.defined = before | set(stmt.return_vars)
        bindings = _bindings(stmt) if inner or partly else {}
        inner.update(var for var in bindings if var in partly and var not in before)
        for var in inner:
            self.partial[var] = _Partial(stmt, bindings.get(var), stmt.span, before)

    def _has_a_first_value(self, var: ir.Var, partial: _Partial) -> bool:
        """Whether a name bound in a loop may share its type with a variable from before it: the compiler then takes the
        variable's value for the case that the loop does not run."""
        if isinstance(partial.container, ir.If):
            return False
        if self.sharing is None:
            self.sharing = TypeSharing(self.function, self.program)
        return self.sharing.may_share(var, partial.container, partial.before)


def _made_by_a_region(container: ir.Stmt, var: ir.Var) -> bool:
    """Whether a region inside of a branch or loop binds a variable."""
    regions = (stmt for nested in bodies(container) for stmt in walk(nested) if isinstance(stmt, _BOUNDARIES))
    return any(var in bound_vars(inner) for region in regions for body in bodies(region) for inner in walk(body))


def _bindings(container: ir.Stmt) -> dict[ir.Var, ir.Stmt]:
    """The first statement inside a loop or branch that binds each variable."""
    found: dict[ir.Var, ir.Stmt] = {}
    for nested in bodies(container):
        for stmt in walk(nested):
            for var in bound_vars(stmt):
                found.setdefault(var, stmt)
    return found
