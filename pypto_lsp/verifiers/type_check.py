"""Types that must agree: loop carries, branch results, valid regions, conditions and bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import is_exact, prove_equal, prove_le, prove_not_negative
from pypto_lsp.ir.dtypes import BOOL
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.ir.types import (
    SHAPED,
    TENSORS,
    UNDETERMINED,
    UNKNOWN,
    ScalarType,
    TileType,
    TupleType,
    Type,
    kind_name,
)
from pypto_lsp.ir.visit import last_yield, walk
from pypto_lsp.verifiers.rule import Rule, RuleContext, related
from pypto_lsp.verifiers.typed_values import parts, typed_values

#: the code of differing paddings; no value is at fault there, but what made it
PADDING = 109
TILE_PADDING = 111

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(
        self, x: pl.Tensor[[64, 128], pl.FP32], y: pl.Tensor[[32, 128], pl.FP32]
    ) -> pl.Tensor[[64, 128], pl.FP32]:
"""
_PADDED = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(
        self, x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        t = pl.load(x, [0, 0], [64, 64])
        {header}
            r = pl.yield_(pl.fillpad(t, pad_value=pl.PadValue.zero))
        else:
            r = pl.yield_(pl.fillpad(t, pad_value=pl.PadValue.{other}))
        o = pl.store(r, [0, 0], o)
        return o
"""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why two types differ: the code and a few words."""

    code: int
    reason: str


def _dims(left: Sequence[object], right: Sequence[object], what: str) -> Mismatch | None:
    if len(left) != len(right):
        return Mismatch(103, f"the {what} has {len(left)} against {len(right)} dimensions")
    for index, (a, b) in enumerate(zip(left, right)):
        if not (is_exact(a) and is_exact(b)):  # type: ignore[arg-type]
            continue
        equal = prove_equal(a, b)  # type: ignore[arg-type]
        if equal is not True:
            word = "differ" if equal is False else "cannot be proven equal"
            return Mismatch(104, f"dimension {index} of the {what}: {a} and {b} {word}")
    return None


def _shaped(left: Type, right: Type) -> Mismatch | None:
    assert isinstance(left, SHAPED) and isinstance(right, SHAPED)
    if left.dtype is not None and right.dtype is not None and left.dtype is not right.dtype:
        return Mismatch(102, f"element type {left.dtype.name} against {right.dtype.name}")
    if left.shape is None or right.shape is None:
        return None
    found = _dims(left.shape, right.shape, "shape")
    if found is not None:
        return found
    left_valid = (left.view.valid_shape if left.view else ()) or left.shape
    right_valid = (right.view.valid_shape if right.view else ()) or right.shape
    found = _dims(left_valid, right_valid, "valid region")
    if found is not None:
        return found
    if isinstance(left, TENSORS) and isinstance(right, TENSORS):
        left_pad, right_pad = (left.view.pad if left.view else "null"), (right.view.pad if right.view else "null")
        if left_pad != right_pad:
            return Mismatch(PADDING, f"padding {left_pad} against {right_pad}")
    if isinstance(left, TileType) and isinstance(right, TileType) and _own_view(left) and _own_view(right):
        left_pad, right_pad = (tile.view.pad if tile.view else "null" for tile in (left, right))
        if left_pad != right_pad:
            return Mismatch(TILE_PADDING, f"padding {left_pad} against {right_pad}")
    return None


def _own_view(tile: TileType) -> bool:
    """Whether a tile surely has a view of its own. One without may still get the view of the memory it is put into, so that
    the compiler compares nothing."""
    if tile.view is None:
        return False
    return tile.view.pad != "null" or tuple(tile.view.valid_shape or tile.shape or ()) != tuple(tile.shape or ())


def mismatch(left: Type, right: Type) -> Mismatch | None:
    """The first difference of two types; None when they are equal or not known well enough to tell."""
    if any(t in (UNDETERMINED, UNKNOWN) for t in (left, right)):
        return None
    if type(left) is not type(right):
        return Mismatch(101, f"{kind_name(left)} against {kind_name(right)}")
    if isinstance(left, ScalarType) and isinstance(right, ScalarType):
        if left.dtype is not None and right.dtype is not None and left.dtype is not right.dtype:
            return Mismatch(102, f"{left.dtype.name} against {right.dtype.name}")
        return None
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        if len(left.types) != len(right.types):
            return Mismatch(105, f"{len(left.types)} against {len(right.types)} elements")
        return next((m for a, b in zip(left.types, right.types) if (m := mismatch(a, b)) is not None), None)
    return _shaped(left, right) if isinstance(left, SHAPED) else None


def region_fault(type_: Type) -> Mismatch | None:
    """Why the valid region of a type does not lie in its shape."""
    if not isinstance(type_, SHAPED) or type_.view is None or not type_.view.valid_shape or type_.shape is None:
        return None
    valid = type_.view.valid_shape
    if len(valid) != len(type_.shape):
        return Mismatch(103, f"it has {len(valid)} dimensions, the shape {len(type_.shape)}")
    for index, (part, whole) in enumerate(zip(valid, type_.shape)):
        if prove_not_negative(part) is False or prove_le(part, whole) is False:
            return Mismatch(104, f"dimension {index} is {part}, outside of 0 to {whole}")
    return None


def _carried_pairs(stmt: ir.For | ir.While) -> Iterator[tuple[Type, Type] | Mismatch]:
    """The pairs of types that must agree on the way into a loop, around it and out of it."""
    last = last_yield(stmt.body)
    if not stmt.iter_args or last is None:
        return
    if len(last.values) != len(stmt.iter_args):
        yield Mismatch(105, f"{len(stmt.iter_args)} carried value(s), {len(last.values)} yielded")
        return
    for index, (arg, value) in enumerate(zip(stmt.iter_args, last.values)):
        yield arg.init.type, arg.var.type
        yield arg.var.type, value.type
        if index < len(stmt.return_vars):
            yield value.type, stmt.return_vars[index].type


def _branch_pairs(stmt: ir.If) -> Iterator[tuple[Type, Type] | Mismatch]:
    """The pairs of types that must agree where two branches meet."""
    then, other = last_yield(stmt.then), last_yield(stmt.orelse or ())
    if not stmt.return_vars or then is None or other is None:
        return
    if len(then.values) != len(other.values):
        yield Mismatch(105, f"one branch yields {len(then.values)} value(s), the other {len(other.values)}")
        return
    for first, second in zip(then.values, other.values):
        yield first.type, second.type
    for var, value in zip(stmt.return_vars, then.values):
        yield value.type, var.type


class TypeCheck(Rule):
    """
    ## What it does
    Compares the types that a loop carries (initial value, yielded value), the values that the two branches of an `if` yield,
    the valid region of an annotated tensor or tile with its shape, and asks that conditions and bounds are scalars.

    ## Why is this bad
    A carried variable has one type for all iterations, and a branch result one type whichever branch runs. The compiler
    refuses the program before its first pass, at the loop or the `if`, not at the value.

    ## Fix
    Cast the yielded value (`pl.cast(value, target_type=...)`) or give it the shape of the initial one; make the valid region
    no larger than the shape.
    """

    rule_name = "TypeCheck"
    ir_property = "TypeChecked"
    codes = {
        101: "kinds of types differ",
        102: "element types differ",
        103: "numbers of dimensions differ",
        104: "extents differ, or a valid region exceeds the shape",
        105: "numbers of values differ",
        106: "a condition is no scalar",
        107: "a loop bound is no scalar",
        108: "a condition is no BOOL",
        109: "paddings differ",
        110: "windows differ",
        111: "tile views differ",
    }
    VALID = (
        _FRAME
        + "        for i, (s,) in pl.range(0, 4, 1, init_values=(x,)):\n            r = pl.yield_(s)\n        return r\n",
        _PADDED.format(header="if n > 0:", other="zero"),
    )
    INVALID = (
        _FRAME
        + "        for i, (s,) in pl.range(0, 4, 1, init_values=(x,)):\n            r = pl.yield_(⟦y⟧)\n        return r\n",
        _FRAME
        + "        for i, (s,) in pl.range(0, 4, 1, init_values=(x,)):\n            r = ⟦pl.yield_(s, s)⟧\n        return r\n",
        _PADDED.format(header="⟦if n > 0:⟧", other="min"),
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if context.as_is:
            yield from self._as_it_stands(function)
            return
        for var in function.params:
            yield from self._valid_region(function, var)
        for stmt in walk(function.body or ()):
            if isinstance(stmt, (ir.For, ir.While)):
                yield from self._carries(function, stmt)
            elif isinstance(stmt, ir.If) and stmt.return_vars:
                yield from self._branches(function, stmt)
            if isinstance(stmt, ir.For):
                yield from self._bounds(function, stmt)

    def _as_it_stands(self, function: ir.Function) -> Iterator[Diagnostic]:
        """In IR every variable states its type, so the loop or branch as a whole is at fault; each is reported once."""
        for name, type_, span in typed_values(function):
            for part in parts(type_):
                found = region_fault(part)
                if found is not None:
                    yield from self.finding(
                        found.code, span, f"the valid region of {name}: {found.reason}", function=function
                    )
                    break
        for stmt in walk(function.body or ()):
            if isinstance(stmt, (ir.For, ir.While)):
                yield from self._joined(function, stmt, _carried_pairs(stmt), "carries")
            elif isinstance(stmt, ir.If):
                yield from self._joined(function, stmt, _branch_pairs(stmt), "yields")
            if isinstance(stmt, ir.For):
                yield from self._bounds(function, stmt)
            elif isinstance(stmt, (ir.If, ir.While)):
                yield from self._condition(function, stmt)

    def _joined(
        self, function: ir.Function, stmt: ir.Stmt, pairs: Iterator[tuple[Type, Type] | Mismatch], word: str
    ) -> Iterator[Diagnostic]:
        for pair in pairs:
            found = pair if isinstance(pair, Mismatch) else mismatch(*pair)
            if found is not None:
                yield from self.finding(
                    found.code, stmt.span, f"what this statement {word} does not agree: {found.reason}", function=function,
                    subject=stmt,
                )  # fmt: skip
                return

    def _condition(self, function: ir.Function, stmt: ir.If | ir.While) -> Iterator[Diagnostic]:
        type_ = stmt.condition.type
        if type_ in (UNDETERMINED, UNKNOWN):
            return
        if not isinstance(type_, ScalarType):
            yield from self.finding(
                106,
                stmt.span,
                f"a condition must be a scalar, this is a {kind_name(type_)}",
                function=function,
                subject=stmt,
            )
        elif type_.dtype is not None and type_.dtype is not BOOL:
            yield from self.finding(
                108, stmt.span, f"a condition must be BOOL, this is {type_.dtype.name}", function=function, subject=stmt
            )

    def _valid_region(self, function: ir.Function, var: ir.Var) -> Iterator[Diagnostic]:
        type_ = var.type
        if not isinstance(type_, SHAPED) or type_.view is None or not type_.view.valid_shape or type_.shape is None:
            return
        valid = type_.view.valid_shape
        if len(valid) != len(type_.shape):
            yield from self.finding(
                103, var.span, f"the valid region of '{var.name}' has {len(valid)} dimensions, its shape {len(type_.shape)}",
                function=function, variable=var.name,
            )  # fmt: skip
            return
        for index, (part, whole) in enumerate(zip(valid, type_.shape)):
            if prove_not_negative(part) is False or prove_le(part, whole) is False:
                yield from self.finding(
                    104, var.span,
                    f"dimension {index} of the valid region of '{var.name}' is {part}, outside of 0 to {whole}",
                    function=function, variable=var.name, dimension=index,
                )  # fmt: skip
                return

    def _bounds(self, function: ir.Function, stmt: ir.For) -> Iterator[Diagnostic]:
        for bound in (stmt.start, stmt.stop, stmt.step):
            if not isinstance(bound.type, ScalarType) and bound.type not in (UNDETERMINED, UNKNOWN):
                yield from self.finding(
                    107, bound.span or stmt.span, f"a loop bound must be a scalar, this is a {kind_name(bound.type)}",
                    function=function, subject=stmt,
                )  # fmt: skip

    def _carries(self, function: ir.Function, stmt: ir.For | ir.While) -> Iterator[Diagnostic]:
        last = last_yield(stmt.body)
        if not stmt.iter_args or last is None:
            return
        if len(last.values) != len(stmt.iter_args):
            if function.complete:
                yield from self.finding(
                    105, last.span, f"the loop carries {len(stmt.iter_args)} value(s), and {len(last.values)} are yielded",
                    function=function, subject=stmt,
                )  # fmt: skip
            return
        for arg, value in zip(stmt.iter_args, last.values):
            found = mismatch(arg.init.type, value.type)
            if found is not None:
                yield from self.finding(
                    found.code, value.span or last.span,
                    f"'{arg.var.name}' starts as {_show(arg.init.type)} and is carried on as {_show(value.type)}: {found.reason}",
                    function=function, related=related(arg.init.span, "the initial value"), subject=(stmt, value),
                    variable=arg.var.name, wanted=print_type(arg.init.type), given=print_type(value.type),
                )  # fmt: skip

    def _branches(self, function: ir.Function, stmt: ir.If) -> Iterator[Diagnostic]:
        then, other = last_yield(stmt.then), last_yield(stmt.orelse or ())
        if then is None or other is None:
            return
        count = len(stmt.return_vars)
        wrong = next((branch for branch in (then, other) if len(branch.values) != count), None)
        if wrong is not None and (function.complete or len(then.values) != len(other.values)):
            yield from self.finding(
                105, wrong.span, f"the branches have {count} result(s), and {len(wrong.values)} value(s) are yielded here",
                function=function, related=related((other if wrong is then else then).span, "the other branch"),
                subject=stmt,
            )  # fmt: skip
        if wrong is not None:
            return
        for first, second in zip(then.values, other.values):
            found = mismatch(first.type, second.type)
            if found is not None:
                yield from self.finding(
                    found.code, stmt.span if found.code in (PADDING, TILE_PADDING) else second.span or other.span,
                    f"the branches yield {_show(first.type)} and {_show(second.type)}: {found.reason}",
                    function=function, related=related(first.span, "the value of the other branch"),
                    subject=(stmt, second), wanted=print_type(first.type), given=print_type(second.type),
                )  # fmt: skip


def _show(type_: Type) -> str:
    if isinstance(type_, SHAPED) and type_.shape is not None and type_.dtype is not None:
        inner = ", ".join(str(e) for e in type_.shape) if all(isinstance(e, int) for e in type_.shape) else "..."
        return f"{type_.dtype.name}[{inner}]"
    return print_type(type_) or kind_name(type_)


__all__ = ["Mismatch", "TypeCheck", "mismatch"]
