"""Regions that split their work over the two vector cores of a core-group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.types import SHAPED, TENSORS
from pypto_lsp.ir.visit import bodies, header_exprs, walk, walk_expr
from pypto_lsp.passes.core_affinity import Affinity, family
from pypto_lsp.passes.outline_incore_scopes import kernel_bodies
from pypto_lsp.passes.variables import bound_by
from pypto_lsp.text import Span
from pypto_lsp.verifiers.expanded_rule import ExpandedRule
from pypto_lsp.verifiers.rule import RuleContext

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(
        self,
        a: pl.Tensor[[64, 128], pl.FP32],
        b: pl.Tensor[[128, 128], pl.FP32],
        o: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
    ) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            c = pl.matmul(a, b, out_dtype=pl.FP32)
            for av in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
"""
_BOUNDARY = frozenset({"aiv_shard", "aic_gather"})
_ROW_REDUCE = frozenset(f"row_{n}" for n in ("sum", "max", "min", "prod", "argmax", "argmin"))
_COL_REDUCE = frozenset(f"col_{n}" for n in ("sum", "max", "min", "prod", "argmax", "argmin"))
_STATED = frozenset({"get_subblock_idx", "syncall", "sync_set", "sync_wait"})


@dataclass
class _Facts:
    """Of one kernel: what defines each variable, and whether that stands in a split region."""

    affinity: Affinity
    definitions: dict[ir.Var, ir.Expr] = field(default_factory=dict)
    in_region: set[ir.Var] = field(default_factory=set)
    manual: bool = False

    #: variables of loops and branches and those bound twice, whose values come from several places
    merged: set[ir.Var] = field(default_factory=set)

    def origin(self, var: ir.Var) -> ir.Call | None:
        """The call that made a variable's value, looked for through aliases."""
        expr = self.definitions.get(self._source(var))
        return expr if isinstance(expr, ir.Call) else None

    def _source(self, var: ir.Var) -> ir.Var:
        """The variable that a variable is another name of."""
        seen: set[ir.Var] = set()
        while isinstance(expr := self.definitions.get(var), ir.Read) and not {var, expr.var} & (seen | self.merged):
            seen.add(expr.var)
            var = expr.var
        return var

    def in_global_memory(self, expr: ir.Expr) -> bool:
        """Whether a value certainly is a tensor that was there before the kernel, a tensor made for it, or a window of one."""
        if not isinstance(expr.type, TENSORS) or (isinstance(expr, ir.Read) and self._source(expr.var) in self.merged):
            return False
        made = _maker(expr, self)
        if made is not None:
            windowed = made.op == "tensor.slice" and bool(made.args) and self.in_global_memory(made.args[0])
            return windowed or made.op == "tensor.create"
        return isinstance(expr, ir.Read) and self._source(expr.var) not in self.definitions


def _is_transfer(call: ir.Call) -> bool:
    """Loads and stores, which conversion moves out of regions itself."""
    if call.op in ("tile.load", "tile.store"):
        return True
    return call.op in ("tensor.slice", "tensor.assemble") and bool(call.args) and isinstance(call.args[0].type, TENSORS)


class AivSplitValid(ExpandedRule):
    """
    ## What it does
    Checks kernels with `pl.split_aiv` regions, in which both vector cores of a core-group run: no cube work inside a region;
    no reduction along the axis that is split; values cross the border through `pl.aiv_shard` and `pl.aic_gather` only; no
    vector work outside the regions; regions only in `pl.at` scopes, not in declared InCore functions.

    ## Why is this bad
    A value that crosses unsharded is whole on a core that has half of the rows, and the compiler refuses the kernel late,
    with names that its passes made.

    ## Fix
    Shard a cube result at the start of the region (`c = pl.aiv_shard(c)`), gather a vector result at its end
    (`y = pl.aic_gather(y)`), and move work to the side it belongs to.
    """

    rule_name = "AivSplitValid"
    ir_property = "AivSplitValid"
    codes = {0: "work or values on the wrong side of a split region"}
    stage = "OutlineIncoreScopes"
    VALID = (
        _FRAME
        + "                h = pl.aiv_shard(c)\n                o = pl.assemble(o, pl.exp(h), [av * 32, 0])\n        return o\n",
    )
    INVALID = (
        _FRAME + "                o = pl.assemble(o, ⟦pl.exp(c)⟧, [av * 32, 0])\n        return o\n",
        _FRAME
        + "                t = pl.load(a, [0, 0], [64, 128])\n                h = ⟦pl.aiv_shard(t)⟧\n"
        + "                o = pl.store(h, [av * 32, 0], o)\n        return o\n",
        _FRAME
        + "                h = ⟦pl.aiv_shard(a)⟧\n                o = pl.assemble(o, pl.exp(h), [av * 32, 0])\n        return o\n",
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.body is None or not function.complete:
            return
        if not context.pipeline.collected(_split_region, function.body):
            return
        if function.func_type == "InCore" and not function.attrs.get("split_aiv"):
            for stmt in walk(function.body):
                if isinstance(stmt, ir.SplitAivScope):
                    yield from self._say(
                        stmt.span, "a split region in a declared InCore function; use @pl.function with pl.at instead",
                        "h", function, stmt,
                    )  # fmt: skip
                    return
        for body in kernel_bodies(function):
            yield from self._kernel(body, function)

    def _kernel(self, body: ir.Body, function: ir.Function) -> Iterator[Diagnostic]:
        facts = _Facts(Affinity.of(walk(body)))
        _gather(body, facts, None)
        if facts.manual:
            yield from self._body(body, facts, function, None)

    def _body(
        self, body: ir.Body, facts: _Facts, function: ir.Function, region: ir.SplitAivScope | None
    ) -> Iterator[Diagnostic]:
        for stmt in body:
            for expr in header_exprs(stmt):
                for node in walk_expr(expr, attrs=False):
                    if isinstance(node, ir.Call) and isinstance(node.op, str):
                        yield from self._call(node, facts, function, region)
            inner = stmt if isinstance(stmt, ir.SplitAivScope) else region
            for nested in bodies(stmt):
                yield from self._body(nested, facts, function, inner)

    def _call(
        self, call: ir.Call, facts: _Facts, function: ir.Function, region: ir.SplitAivScope | None
    ) -> Iterable[Diagnostic]:
        assert isinstance(call.op, str)
        name = family(call.op)[1]
        if region is not None:
            return self._inside(call, name, facts, function, region)
        return self._outside(call, name, facts, function)

    def _inside(
        self, call: ir.Call, name: str, facts: _Facts, function: ir.Function, region: ir.SplitAivScope
    ) -> Iterator[Diagnostic]:
        if name in _BOUNDARY:
            yield from self._boundary(call, name, facts, function)
            return
        if _is_transfer(call):
            value = _stored_value(call)
            made = _maker(value, facts)
            if made is not None and facts.affinity.call(made) is Lane.CUBE and not _bound_inside(value, facts):
                yield from self._say(
                    call.span, "a cube result is stored inside a split region; store it outside, or shard it first",
                    "a", function, call,
                )  # fmt: skip
            return
        lane = facts.affinity.call(call)
        if lane is Lane.CUBE:
            yield from self._say(
                call.span, f"'{call.path or name}' runs on the cube core and cannot be split over the vector cores; move it out",
                "a", function, call,
            )  # fmt: skip
        elif _reduces_split_axis(call, name, region.split):
            yield from self._say(
                call.span, f"'{call.path or name}' reduces along the axis that {region.split} splits, so each core sees half of it",
                "b", function, call,
            )  # fmt: skip
        elif lane is Lane.VECTOR:
            for arg in call.args:
                made = _maker(arg, facts)
                if made is None or _bound_inside(arg, facts) or _is_transfer(made):
                    continue
                if facts.affinity.call(made) is Lane.CUBE and family(str(made.op))[1] not in _BOUNDARY:
                    yield from self._say(
                        call.span, f"'{_name(arg)}' comes whole from the cube core; shard it first: pl.aiv_shard({_name(arg)})",
                        "g", function, (call, arg, region),
                    )  # fmt: skip
                    return

    def _boundary(self, call: ir.Call, name: str, facts: _Facts, function: ir.Function) -> Iterator[Diagnostic]:
        if not call.args:
            return
        made, lane = _maker(call.args[0], facts), facts.affinity.value(call.args[0])
        if name == "aiv_shard" and facts.in_global_memory(call.args[0]):
            yield from self._say(
                call.span, "only a cube result can be sharded; this value lies in global memory", "d", function, call
            )
        elif made is None:
            return
        elif name == "aiv_shard" and made.op == "tile.load":
            yield from self._say(
                call.span,
                "only a cube result can be sharded; this value is loaded from global memory",
                "d",
                function,
                call,
            )
        elif name == "aiv_shard" and lane is Lane.VECTOR and not _is_transfer(made):
            yield from self._say(
                call.span, "only a cube result can be sharded; this value is a vector one already", "d", function, call
            )
        elif name == "aic_gather" and lane is Lane.CUBE and not _is_transfer(made):
            yield from self._say(
                call.span, "only a vector value can be gathered; this is a cube result", "d", function, call
            )

    def _outside(self, call: ir.Call, name: str, facts: _Facts, function: ir.Function) -> Iterator[Diagnostic]:
        if name in _BOUNDARY or _is_transfer(call):
            return
        lane = facts.affinity.call(call)
        if lane is Lane.VECTOR and name not in _STATED:
            yield from self._say(
                call.span,
                f"'{call.path or name}' is vector work outside the split regions of this kernel; put it into one "
                "(mode=pl.SplitMode.NONE when both cores should do all of it)",
                "e", function, call,
            )  # fmt: skip
        elif lane is Lane.CUBE:
            for arg in call.args:
                made = _maker(arg, facts)
                if made is None or not _bound_inside(arg, facts) or _is_transfer(made):
                    continue
                if family(str(made.op))[1] != "aic_gather":
                    yield from self._say(
                        call.span, f"'{_name(arg)}' lies in halves on the vector cores; gather it at the region's end: "
                        f"{_name(arg)} = pl.aic_gather({_name(arg)})",
                        "f", function, (call, arg),
                    )  # fmt: skip
                    return

    def _say(
        self, span: Span | None, message: str, check: str, function: ir.Function, subject: object
    ) -> Iterable[Diagnostic]:
        return self.finding(0, span, message, function=function, subject=subject, check=check)


def _split_region(stmt: ir.Stmt) -> tuple[ir.Stmt, ...]:
    return (stmt,) if isinstance(stmt, ir.SplitAivScope) else ()


def _gather(body: ir.Body, facts: _Facts, region: ir.SplitAivScope | None) -> None:
    for stmt in body:
        if isinstance(stmt, ir.Assign):
            if facts.definitions.setdefault(stmt.var, stmt.value) is not stmt.value:
                facts.merged.add(stmt.var)
            if region is not None:
                facts.in_region.add(stmt.var)
        else:
            facts.merged.update(bound_by(stmt))
        inner = region
        if isinstance(stmt, ir.SplitAivScope):
            facts.manual, inner = True, stmt
        for nested in bodies(stmt):
            _gather(nested, facts, inner)


def _maker(expr: ir.Expr | None, facts: _Facts) -> ir.Call | None:
    if isinstance(expr, ir.Call):
        return expr
    return facts.origin(expr.var) if isinstance(expr, ir.Read) else None


def _bound_inside(expr: ir.Expr | None, facts: _Facts) -> bool:
    return (isinstance(expr, ir.Read) and expr.var in facts.in_region) or isinstance(expr, ir.Call)


def _stored_value(call: ir.Call) -> ir.Expr | None:
    if call.op == "tensor.assemble" and len(call.args) > 1:
        return call.args[1]
    return call.args[0] if call.op == "tile.store" and call.args else None


def _name(expr: ir.Expr) -> str:
    return expr.var.name if isinstance(expr, ir.Read) else "the value"


def _reduces_split_axis(call: ir.Call, name: str, split: str) -> bool:
    if not call.args or not isinstance(call.args[0].type, SHAPED):
        return False
    rank = len(call.args[0].type.shape or ())
    if split == "LEFT_RIGHT":
        return name in _ROW_REDUCE and rank == 2
    return split == "UP_DOWN" and name in _COL_REDUCE
