"""Arithmetic over extents: an extent (:data:`Dim`) is an int or a scalar IR expression.

Two services. :func:`add` and its kin build and :func:`simplify` expressions so that what comes out has the form the compiler
prints (``n2 - n``, ``pl.min(pl.max(64 - n, 0), 16)``). :func:`prove_equal`, :func:`prove_le` and :func:`prove_ge` decide
relations over a canonical form: a sum of integer multiples of atoms, where an atom is a variable, a call, a quotient, a
remainder, a minimum or a maximum. Their answer is True, False or None (not decided).

An INDEX variable is never negative, as in the compiler; nothing is assumed of other scalars. Only integer scalars of equal
signedness compare; whatever else is asked gives None. An :class:`~pypto_lsp.ir.nodes.OpaqueInt` is a constant that we cannot
compute: :func:`is_exact` tells whether an extent is free of them, and a rule that faults what is *not provable* must ask it
first (:func:`may_equal` does).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pypto_lsp.ir.dtypes import INDEX, INT64, DType
from pypto_lsp.ir.nodes import (
    Binary,
    Call,
    ConstBool,
    ConstFloat,
    ConstInt,
    ErrorExpr,
    Expr,
    OpaqueInt,
    Read,
    TupleGetItem,
    Unary,
    Var,
)
from pypto_lsp.ir.types import UNDETERMINED, ScalarType, Type
from pypto_lsp.text.span import Span

Dim = int | Expr
Key = tuple[Any, ...]

_INDEX_SCALAR = ScalarType(INDEX)


# --- extents and their parts ---------------------------------------------------------------------------------------


def dim_of(expr: Dim) -> Dim:
    """An expression as an extent: integer constants become ints, a read becomes its variable."""
    match expr:
        case ConstInt(value=value):
            return value
        case Read(var=var):
            return var
        case _:
            return expr


def expr_of(dim: Dim, span: Span | None = None) -> Expr:
    """An extent as an expression: an int becomes an INDEX constant."""
    return dim if isinstance(dim, Expr) else ConstInt(dim, INDEX, span)


def const_value(dim: Dim | None) -> int | None:
    """The value of a constant extent, None for any other."""
    if isinstance(dim, int):
        return dim
    return dim.value if isinstance(dim, ConstInt) else None


def dtype_of(dim: Dim) -> DType | None:
    """The scalar dtype of an extent; None where it is not known or no scalar."""
    if not isinstance(dim, Expr):
        return INDEX
    return dim.type.dtype if isinstance(dim.type, ScalarType) else None


def _children(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Binary(left=left, right=right):
            return (left, right)
        case Unary(operand=operand):
            return (operand,)
        case Call(args=args):
            return args
        case TupleGetItem(tuple=source):
            return (source,)
        case _:
            return ()


def is_exact(dim: Dim | None) -> bool:
    """Whether an extent is fully known: it is there and holds no opaque constant, no faulty part and none of unknown type."""
    if dim is None:
        return False
    if not isinstance(dim, Expr):
        return True
    if isinstance(dim, OpaqueInt | ErrorExpr) or _is_open(dim.type):
        return False
    return all(is_exact(child) for child in _children(dim))


def _is_open(type_: Type) -> bool:
    """Whether it is not known of what dtype a part is, or whether it is a scalar at all."""
    return type_ == UNDETERMINED or (isinstance(type_, ScalarType) and type_.dtype is None)


def is_static(dim: Dim | None) -> bool | None:
    """Whether the compiler sees a constant here: None where an opaque constant leaves it open."""
    if const_value(dim) is not None:
        return True
    return False if is_exact(dim) else None


# --- structural identity -------------------------------------------------------------------------------------------


def unknown_extent(span: Span | None = None) -> OpaqueInt:
    """An extent of which nothing is known; equal only to itself."""
    return OpaqueInt("", _INDEX_SCALAR, span)


def key(dim: Dim) -> Key:
    """A hashable key: equal for expressions of equal structure over the same variables."""
    if not isinstance(dim, Expr):
        return ("int", int(dim))
    match dim:
        case Var():
            return ("var", id(dim))
        case Read(var=var):
            return ("var", id(var))
        case ConstInt(value=value):
            return ("int", int(value))
        case ConstFloat(value=value, dtype=dtype):
            return ("float", value, dtype.name)
        case ConstBool(value=value):
            return ("bool", value)
        case OpaqueInt(name=name) if name:
            return ("opaque", name)
        case Binary(op=op, left=left, right=right):
            return (op, key(left), key(right))
        case Unary(op=op, operand=operand, type=type_):
            return (op, type_.dtype.name if isinstance(type_, ScalarType) and type_.dtype else "", key(operand))
        case Call(op=op, args=args):
            return ("call", op if isinstance(op, str) else op.name, *(key(a) for a in args))
        case TupleGetItem(tuple=source, index=index):
            return ("item", index, key(source))
        case _:
            return ("node", id(dim))


def same_structure(left: Dim, right: Dim) -> bool:
    """Equal without any arithmetic: the compiler's test of whether a valid region is the whole shape."""
    return left is right or key(left) == key(right)


def same_dims(left: Sequence[Dim], right: Sequence[Dim]) -> bool:
    """:func:`same_structure` over two extent lists of one rank."""
    return len(left) == len(right) and all(same_structure(a, b) for a, b in zip(left, right, strict=True))


# --- canonical sums ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Sum:
    """``base`` plus the sum of ``factor * atom``."""

    base: int = 0
    terms: dict[Key, tuple[int, _Atom]] = field(default_factory=dict)

    def plus(self, other: _Sum, factor: int = 1) -> _Sum:
        terms = dict(self.terms)
        for name, (scale, atom) in other.terms.items():
            total = terms[name][0] + factor * scale if name in terms else factor * scale
            if total:
                terms[name] = (total, atom)
            else:
                terms.pop(name, None)
        return _Sum(self.base + factor * other.base, terms)

    def times(self, factor: int) -> _Sum:
        return _Sum().plus(self, factor) if factor else _Sum()

    def replaced(self, name: Key, value: _Sum) -> _Sum:
        """This sum with one atom replaced by a sum."""
        scale, _ = self.terms[name]
        rest = _Sum(self.base, {k: v for k, v in self.terms.items() if k != name})
        return rest.plus(value, scale)

    def key(self) -> Key:
        return (self.base, *sorted(((k, s) for k, (s, _) in self.terms.items()), key=repr))

    @property
    def constant(self) -> int | None:
        return None if self.terms else self.base


@dataclass(slots=True)
class _Atom:
    """An indivisible part. ``op`` is ``//``, ``%``, ``min`` or ``max`` over ``parts``, empty for a leaf; a leaf that is
    ``natural`` is not negative."""

    op: str = ""
    parts: tuple[_Sum, ...] = ()
    natural: bool = False
    #: its bounds, once they were asked for
    bounds: _Range | None = None


def _leaf(dim: Expr) -> _Sum:
    natural = isinstance(dim, Var | Read) and dtype_of(dim) is INDEX
    return _Sum(0, {key(dim): (1, _Atom(natural=natural))})


def _compound(op: str, *parts: _Sum) -> _Sum:
    name = (op, *(p.key() for p in parts))
    return _Sum(0, {name: (1, _Atom(op, parts))})


def _sum(dim: Dim) -> _Sum:
    value = const_value(dim)
    if value is not None:
        return _Sum(int(value))
    if isinstance(dim, Binary) and dim.op in _SUMS and dtype_of(dim) is not None and dtype_of(dim).is_int:  # type: ignore[union-attr]
        return _SUMS[dim.op](_sum(dim.left), _sum(dim.right), dim)
    if isinstance(dim, Unary) and dim.op == "-":
        return _sum(dim.operand).times(-1)
    if isinstance(dim, Unary) and dim.op == "~":
        return _Sum(-1).plus(_sum(dim.operand), -1)
    assert isinstance(dim, Expr)
    return _leaf(dim)


def _sum_product(left: _Sum, right: _Sum, dim: Expr) -> _Sum:
    if left.constant is not None:
        return right.times(left.constant)
    if right.constant is not None:
        return left.times(right.constant)
    first, second = sorted((left, right), key=lambda s: repr(s.key()))
    return _compound("*", first, second)


def _divided(total: _Sum, divisor: int) -> tuple[_Sum, _Sum]:
    """Split ``total`` into ``divisor * quotient + rest``, the quotient taking every whole multiple."""
    quotient, rest = _Sum(), _Sum()
    quotient.base, rest.base = divmod(total.base, divisor)
    for name, (scale, atom) in total.terms.items():
        if scale % divisor == 0:
            quotient.terms[name] = (scale // divisor, atom)
        else:
            rest.terms[name] = (scale, atom)
    return quotient, rest


def _is_remainder(rest: _Sum, divisor: int) -> bool:
    """Whether ``rest`` is known to lie in ``[0, divisor)``."""
    low, high = _bounds(rest)
    return low >= 0 and high < divisor


def _sum_quotient(left: _Sum, right: _Sum, dim: Expr) -> _Sum:
    divisor = right.constant
    if divisor is None or divisor <= 0:
        return _compound("//", left, right) if divisor != 0 else _leaf(dim)
    quotient, rest = _divided(left, divisor)
    return quotient if _is_remainder(rest, divisor) else quotient.plus(_compound("//", rest, right))


def _sum_remainder(left: _Sum, right: _Sum, dim: Expr) -> _Sum:
    divisor = right.constant
    if divisor is None or divisor <= 0:
        return _compound("%", left, right) if divisor != 0 else _leaf(dim)
    _, rest = _divided(left, divisor)
    return rest if _is_remainder(rest, divisor) else _compound("%", rest, right)


def _sum_extreme(op: str) -> Callable[[_Sum, _Sum, Expr], _Sum]:
    def build(left: _Sum, right: _Sum, dim: Expr) -> _Sum:
        low, high = _bounds(left.plus(right, -1))
        if low >= 0:
            return right if op == "min" else left
        if high <= 0:
            return left if op == "min" else right
        first, second = sorted((left, right), key=lambda s: repr(s.key()))
        return _compound(op, first, second)

    return build


_SUMS: dict[str, Callable[[_Sum, _Sum, Expr], _Sum]] = {
    "+": lambda left, right, dim: left.plus(right),
    "-": lambda left, right, dim: left.plus(right, -1),
    "*": _sum_product,
    "//": _sum_quotient,
    "%": _sum_remainder,
    "min": _sum_extreme("min"),
    "max": _sum_extreme("max"),
}


# --- bounds and proofs ---------------------------------------------------------------------------------------------

_INF = math.inf
_Range = tuple[float, float]


def _product_range(a: _Range, b: _Range) -> _Range:
    corners = [0.0 if 0 in (x, y) else x * y for x in a for y in b]
    return min(corners), max(corners)


def _quotient_range(a: _Range, b: _Range) -> _Range:
    if not (b[0] == b[1] and b[0] > 0):
        return (0, max(a[1], 0)) if a[0] >= 0 and b[0] > 0 else (-_INF, _INF)
    low, high = (x if math.isinf(x) else x // b[0] for x in a)
    return low, high


def _atom_bounds(atom: _Atom) -> _Range:
    if atom.bounds is None:
        atom.bounds = _found_bounds(atom)
    return atom.bounds


def _found_bounds(atom: _Atom) -> _Range:
    if not atom.op:
        return (0, _INF) if atom.natural else (-_INF, _INF)
    ranges = [_bounds(part) for part in atom.parts]
    match atom.op:
        case "*":
            return _product_range(ranges[0], ranges[1])
        case "//":
            return _quotient_range(ranges[0], ranges[1])
        case "%":
            return (0, ranges[1][1] - 1) if ranges[1][0] > 0 else (-_INF, _INF)
        case "min":
            return min(ranges[0][0], ranges[1][0]), min(ranges[0][1], ranges[1][1])
        case _:
            return max(ranges[0][0], ranges[1][0]), max(ranges[0][1], ranges[1][1])


def _bounds(total: _Sum) -> _Range:
    low: float = total.base
    high: float = total.base
    for scale, atom in total.terms.values():
        below, above = _product_range(_atom_bounds(atom), (scale, scale))
        low, high = low + below, high + above
    return low, high


#: minima and maxima that are taken apart one inside of the other, and terms that are looked at for one answer
_CASES_DEEP = 6
_MOST_TERMS = 2_000


def _never_negative(total: _Sum) -> bool:
    """Whether a sum is provably >= 0: by its bounds, or by cases over its minima and maxima."""
    return _by_cases(total, _CASES_DEEP, [_MOST_TERMS])


def _by_cases(total: _Sum, depth: int, budget: list[int]) -> bool:
    """The same; ``budget`` holds how many terms may still be looked at."""
    if _bounds(total)[0] >= 0:
        return True
    budget[0] -= len(total.terms)
    if not depth or budget[0] < 0:
        return False
    for name, (scale, atom) in total.terms.items():
        if atom.op in ("min", "max"):
            cases = (_by_cases(total.replaced(name, part), depth - 1, budget) for part in atom.parts)
            if all(cases) if (atom.op == "min") == (scale > 0) else any(cases):
                return True
    return False


def _without_remainders(total: _Sum) -> _Sum:
    """``x % c`` as ``x - x // c * c``, so that the two cancel where a program writes both."""
    for name, (_, atom) in list(total.terms.items()):
        divisor = atom.parts[1].constant if atom.op == "%" else None
        if divisor is not None:
            whole = _compound("//", *atom.parts)
            total = total.replaced(name, atom.parts[0].plus(whole, -divisor))
    return total


def comparable(left: Dim, right: Dim) -> bool:
    """Whether the compiler compares two extents at all: integer scalars of equal signedness."""
    a, b = dtype_of(left), dtype_of(right)
    return a is not None and b is not None and a.is_int and b.is_int and a.is_signed == b.is_signed


def _difference(left: Dim, right: Dim) -> _Sum:
    """``left - right`` in canonical form, the narrower of the two converted as the compiler would."""
    wide = _common_dtype(dtype_of(left) or INDEX, dtype_of(right) or INDEX)
    return _sum(cast(left, wide)).plus(_sum(cast(right, wide)), -1)


def prove_le(left: Dim, right: Dim) -> bool | None:
    """Whether ``left <= right``: True, False or None (not decided)."""
    if not comparable(left, right):
        return None
    difference = _difference(right, left)
    if _never_negative(difference):
        return True
    return False if _never_negative(difference.times(-1).plus(_Sum(-1))) else None


def prove_ge(left: Dim, right: Dim) -> bool | None:
    """Whether ``left >= right``."""
    return prove_le(right, left)


def prove_equal(left: Dim, right: Dim) -> bool | None:
    """Whether two extents are equal."""
    if same_structure(left, right):
        return True
    if not comparable(left, right):
        return None
    difference = _difference(left, right)
    exact = _without_remainders(difference)
    if exact.constant is not None:
        return exact.constant == 0
    below = _never_negative(difference.plus(_Sum(-1)))
    return False if below or _never_negative(difference.times(-1).plus(_Sum(-1))) else None


def prove_not_negative(dim: Dim) -> bool | None:
    """Whether an extent is at least 0."""
    return prove_le(0, dim)


def may_equal(left: Dim | None, right: Dim | None) -> bool:
    """False only where the compiler cannot prove two extents equal *and* we see all that it sees.

    For rules that ask for provable equality (broadcasting, matching operands).
    """
    if left is None or right is None:
        return True
    answer = prove_equal(left, right)
    return answer is True or (answer is None and not (is_exact(left) and is_exact(right)))


def differ(left: Dim | None, right: Dim | None) -> bool:
    """True only where both extents are constants and differ, for rules that let symbols pass."""
    a, b = const_value(left), const_value(right)
    return a is not None and b is not None and a != b


# --- building expressions in the compiler's form --------------------------------------------------------------------


def _common_dtype(left: DType, right: DType) -> DType:
    return right if right.bits > left.bits else left


def cast(dim: Dim, dtype: DType, span: Span | None = None) -> Dim:
    """An extent converted to a dtype; INDEX and INT64 are one representation and need no conversion."""
    own = dtype_of(dim)
    if own is dtype or own is None or {own, dtype} == {INDEX, INT64} or const_value(dim) is not None:
        return dim
    return Unary("cast", expr_of(dim, span), ScalarType(dtype), span)


def make(op: str, left: Dim, right: Dim, span: Span | None = None) -> Expr:
    """The node ``left op right`` as the compiler builds it: the narrower operand is converted, nothing is folded."""
    a, b = dtype_of(left) or INDEX, dtype_of(right) or INDEX
    wide = _common_dtype(a, b)
    first, second = (expr_of(cast(operand, wide, span), span) for operand in (left, right))
    return Binary(op, first, second, ScalarType(wide), span)


def _parts(dim: Dim, op: str) -> tuple[Dim, Dim] | None:
    """The operands of a node of the given operator."""
    return (dim_of(dim.left), dim_of(dim.right)) if isinstance(dim, Binary) and dim.op == op else None


def _is_const(dim: Dim) -> bool:
    return const_value(dim) is not None


def _same(left: Dim, right: Dim) -> bool:
    return same_structure(left, right)


def _add(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    a, b = const_value(left), const_value(right)
    if a is not None and b is not None:
        return a + b
    if a == 0:
        return right
    if b == 0:
        return left
    if a is not None:
        return _add(right, left, span)
    if (found := _collected(left, right, 1, span)) is not None:
        return found
    for one, other in ((left, right), (right, left)):
        if (minus := _parts(one, "-")) and _same(minus[1], other):
            return minus[0]
    if (plus := _parts(left, "+")) and _is_const(plus[1]):
        return _add(plus[0], _add(plus[1], right), span) if b is not None else _add(_add(plus[0], right), plus[1], span)
    for one, other in ((left, right), (right, left)):
        if (minus := _parts(one, "-")) and _is_const(minus[0]):
            return _add(_sub(other, minus[1]), minus[0], span)
    return make("+", left, right, span)


def _scaled(dim: Dim) -> tuple[Dim, Dim]:
    """An extent as (factor, rest) for collecting like terms: ``n * 4`` is (4, n)."""
    product = _parts(dim, "*")
    if product and _is_const(product[1]):
        return product[1], product[0]
    return 1, dim


def _collected(left: Dim, right: Dim, sign: int, span: Span | None) -> Dim | None:
    """``left + sign * right`` where both are multiples of one thing, else None."""
    (a, x), (b, y) = _scaled(left), _scaled(right)
    if _is_const(x) or not _same(x, y):
        return None
    factor = (const_value(a) or 0) + sign * (const_value(b) or 0)
    return 0 if factor == 0 else _mul(x, factor, span)


def _sub(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    a, b = const_value(left), const_value(right)
    if a is not None and b is not None:
        return left if b == 0 and isinstance(left, int) else a - b
    if b == 0:
        return left
    if (found := _collected(left, right, -1, span)) is not None:
        return found
    for rule in (_sub_cancel_left, _sub_cancel_right, _sub_constants, _sub_extreme, _sub_regroup):
        if (found := rule(left, right, span)) is not None:
            return found
    return make("-", left, right, span)


def _sub_cancel_left(left: Dim, right: Dim, span: Span | None) -> Dim | None:
    plus = _parts(left, "+")
    if plus:
        if _same(plus[1], right):
            return plus[0]
        if _same(plus[0], right):
            return plus[1]
    minus, other = _parts(left, "-"), _parts(right, "-")
    if minus and other and _same(minus[0], other[0]):
        return _sub(other[1], minus[1], span)
    second = _parts(right, "+")
    if plus and second:
        for i in (0, 1):
            for j in (0, 1):
                if _same(plus[i], second[j]):
                    return _sub(plus[1 - i], second[1 - j], span)
    return None


def _sub_cancel_right(left: Dim, right: Dim, span: Span | None) -> Dim | None:
    plus = _parts(right, "+")
    if plus:
        for i in (0, 1):
            if _same(plus[i], left):
                return _negate(plus[1 - i], span)
    return None


def _sub_constants(left: Dim, right: Dim, span: Span | None) -> Dim | None:
    if (plus := _parts(left, "+")) and _is_const(plus[1]) and _is_const(right):
        return _add(plus[0], _sub(plus[1], right), span)
    if _is_const(left):
        if (minus := _parts(right, "-")) and _is_const(minus[0]):
            return _add(minus[1], _sub(left, minus[0]), span)
        if (plus := _parts(right, "+")) and _is_const(plus[1]):
            return _sub(_sub(left, plus[1]), plus[0], span)
    return None


def _sub_extreme(left: Dim, right: Dim, span: Span | None) -> Dim | None:
    for op, build in (("min", _minimum), ("max", _maximum)):
        if both := _parts(left, op):
            if _same(both[0], right):
                rest = _sub(both[1], right)
                return build(_zero_of(rest), rest, span)
            if _same(both[1], right):
                rest = _sub(both[0], right)
                return build(rest, _zero_of(rest), span)
    return None


def _zero_of(dim: Dim) -> Dim:
    """A zero of the dtype of another extent."""
    dtype = dtype_of(dim)
    return 0 if dtype is None or dtype is INDEX else ConstInt(0, dtype)


def _sub_regroup(left: Dim, right: Dim, span: Span | None) -> Dim | None:
    if (plus := _parts(right, "+")) and _is_const(plus[1]):
        return _add(_sub(left, plus[0]), _sub(0, plus[1]), span)
    if (plus := _parts(left, "+")) and _is_const(plus[1]):
        return _add(_sub(plus[0], right), plus[1], span)
    if minus := _parts(right, "-"):
        return _sub(_add(left, minus[1]), minus[0], span)
    return None


def _negate(dim: Dim, span: Span | None = None) -> Dim:
    value = const_value(dim)
    if value is not None:
        return -value
    if isinstance(dim, Unary) and dim.op == "-":
        return dim_of(dim.operand)
    if minus := _parts(dim, "-"):
        return _sub(minus[1], minus[0], span)
    return Unary("-", expr_of(dim), expr_of(dim).type, span)


def _mul(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    a, b = const_value(left), const_value(right)
    if a is not None and b is not None:
        return a * b
    if 0 in (a, b):
        return 0
    if a == 1:
        return right
    if b == 1:
        return left
    if a is not None:
        return _mul(right, left, span)
    if b is not None:
        if (product := _parts(left, "*")) and _is_const(product[1]):
            return _mul(product[0], _mul(product[1], right), span)
        if (plus := _parts(left, "+")) and _is_const(plus[1]):
            return _add(_mul(plus[0], right), _mul(plus[1], right), span)
    return make("*", left, right, span)


def _multiple_parts(dim: Dim, divisor: int) -> tuple[Dim, Dim] | None:
    """``dim`` as (multiple of divisor, rest) where one summand is a whole multiple."""
    plus = _parts(dim, "+")
    if not plus:
        return None
    for whole, rest in (plus, plus[::-1]):
        factor, _ = (const_value(whole), None) if _is_const(whole) else (const_value(_scaled(whole)[0]), None)
        if factor is not None and factor % divisor == 0:
            return whole, rest
    return None


def _floordiv(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    a, b = const_value(left), const_value(right)
    if a is not None and b:
        return a // b
    if b == 1:
        return left
    if b is not None and b > 1:
        factor, rest = _scaled(left)
        value = const_value(factor) or 1
        if value % b == 0:
            return _mul(rest, value // b, span)
        if value > 1 and b % value == 0:
            return _floordiv(rest, b // value, span)
        if split := _multiple_parts(left, b):
            return _add(_floordiv(split[0], b), _floordiv(split[1], b), span)
        if (inner := _parts(left, "//")) and (const_value(inner[1]) or 0) > 0:
            return _floordiv(inner[0], _mul(inner[1], b), span)
    folded = _sum(make("//", left, right)).constant
    return make("//", left, right, span) if folded is None else folded


def _mod(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    a, b = const_value(left), const_value(right)
    if a is not None and b:
        return a % b
    if b is not None and b > 0:
        factor, _ = _scaled(left)
        if b == 1 or (const_value(factor) or 1) % b == 0:
            return 0
        if split := _multiple_parts(left, b):
            return _mod(split[1], b, span)
    folded = _sum(make("%", left, right)).constant
    return make("%", left, right, span) if folded is None else folded


def _minimum(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    return _extreme("min", left, right, span)


def _maximum(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    return _extreme("max", left, right, span)


def _extreme(op: str, left: Dim, right: Dim, span: Span | None) -> Dim:
    a, b = const_value(left), const_value(right)
    fold = min if op == "min" else max
    if a is not None and b is not None:
        return fold(a, b)
    order = prove_le(left, right)
    if order is True:
        return left if op == "min" else right
    if prove_le(right, left) is True:
        return right if op == "min" else left
    if a is not None:
        return _extreme(op, right, left, span)
    if b is not None and (inner := _parts(left, op)) and (value := const_value(inner[1])) is not None:
        return _extreme(op, inner[0], fold(value, b), span)
    return make(op, left, right, span)


_BUILDERS: dict[str, Callable[[Dim, Dim, Span | None], Dim]] = {
    "+": _add, "-": _sub, "*": _mul, "//": _floordiv, "%": _mod, "min": _minimum, "max": _maximum,
}  # fmt: skip


def simplify(dim: Dim) -> Dim:
    """The compiler's simplified form of an extent; an expression it does not look into comes back as it is."""
    if not isinstance(dim, Expr):
        return dim
    match dim:
        case ConstInt() | Read():
            return dim_of(dim)
        case Binary(op=op, left=left, right=right, span=span) if op in _BUILDERS and _integer(dim):
            rebuilt = _BUILDERS[op](simplify(left), simplify(right), span)
            return dim if _same(rebuilt, dim) else rebuilt
        case Unary(op="-", operand=operand, span=span) if _integer(dim):
            return _negate(simplify(operand), span)
        case _:
            return dim


def _integer(dim: Expr) -> bool:
    dtype = dtype_of(dim)
    return dtype is not None and dtype.is_int


def _promoted(left: Dim, right: Dim, span: Span | None) -> tuple[Dim, Dim]:
    """Both extents simplified, the narrower one converted to the dtype of the wider."""
    wide = _common_dtype(dtype_of(left) or INDEX, dtype_of(right) or INDEX)
    return cast(simplify(left), wide, span), cast(simplify(right), wide, span)


def add(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    """``left + right``, simplified."""
    return _add(*_promoted(left, right, span), span)


def sub(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    """``left - right``, simplified."""
    return _sub(*_promoted(left, right, span), span)


def mul(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    """``left * right``, simplified."""
    return _mul(*_promoted(left, right, span), span)


def floordiv(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    """``left // right``, simplified."""
    return _floordiv(*_promoted(left, right, span), span)


def mod(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    """``left % right``, simplified."""
    return _mod(*_promoted(left, right, span), span)


def negate(dim: Dim, span: Span | None = None) -> Dim:
    """``-dim``, simplified."""
    return _negate(simplify(dim), span)


def minimum(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    """``min(left, right)``, simplified: one of the two where it is provably the smaller."""
    return _minimum(*_promoted(left, right, span), span)


def maximum(left: Dim, right: Dim, span: Span | None = None) -> Dim:
    """``max(left, right)``, simplified."""
    return _maximum(*_promoted(left, right, span), span)
