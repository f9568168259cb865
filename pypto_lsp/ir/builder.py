"""Building IR by hand: nested ``with`` statements for functions, loops, branches and scopes, under the names of PyPTO's builder.

What is built gets the span of the line that built it, unless it is given one. Misuse raises RuntimeError with the place of the
call; operands are expressions, variables, ints, floats or bools.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim, dim_of
from pypto_lsp.ir.dtypes import FP32, INDEX, DType
from pypto_lsp.ir.enums import Direction, ForKind
from pypto_lsp.ir.tile_views import tile_type
from pypto_lsp.ir.types import MemRef, TensorType, TensorView, TileType, TileView, TupleType, Type
from pypto_lsp.text import Source, Span
from pypto_lsp.text.span import Anchor

Operand = ir.Expr | int | float | bool


@lru_cache(maxsize=64)
def _anchor(path: str) -> Anchor:
    return Anchor(Source(path, "".join(linecache.getlines(path))), 0)


def _caller() -> Span:
    """The line outside of this module that is calling."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename in (__file__, _CONTEXTLIB):
        frame = frame.f_back
    assert frame is not None
    anchor = _anchor(frame.f_code.co_filename)
    lines = anchor.source.lines
    begin = lines.offset(frame.f_lineno, 1)
    text = anchor.source.text[begin : lines.offset(frame.f_lineno + 1, 1)]
    return Span(anchor, begin + len(text) - len(text.lstrip()), begin + len(text.rstrip()))


_CONTEXTLIB = contextmanager.__code__.co_filename


def _expr(value: Operand, span: Span | None) -> ir.Expr:
    if isinstance(value, ir.Var):
        return ir.Read(value, span)
    if isinstance(value, ir.Expr):
        return value
    if isinstance(value, bool):
        return ir.ConstBool(value, span)
    return ir.ConstInt(value, INDEX, span) if isinstance(value, int) else ir.ConstFloat(value, FP32, span)


def _dims(values: Iterable[int | ir.Expr]) -> tuple[Dim, ...]:
    return tuple(value if isinstance(value, int) else dim_of(value) for value in values)


@dataclass
class _Frame:
    """A statement or function in the making."""

    kind: str
    name: str
    #: the builder of a function
    function: FunctionBuilder | None = None
    body: list[ir.Stmt] = field(default_factory=list)


class _Built:
    """What a ``with`` statement of the builder gives; the result is there when the statement has ended."""

    def __init__(self, builder: IRBuilder, span: Span) -> None:
        self._builder, self._span = builder, span
        self._result: Any = None

    def get_result(self) -> Any:
        """What was built. Raises RuntimeError before the end of the ``with`` statement."""
        if self._result is None:
            raise RuntimeError("nothing is built before the with statement ends")
        return self._result


class FunctionBuilder(_Built):
    """A function in the making."""

    def __init__(self, builder: IRBuilder, span: Span) -> None:
        super().__init__(builder, span)
        self.params: list[ir.Var] = []
        self.directions: list[Direction] = []
        self.return_types: list[Type] = []
        self.attrs: dict[str, Any] = {}

    def param(self, name: str, type: Type, span: Span | None = None, direction: Direction = Direction.IN) -> ir.Var:
        """The next parameter."""
        var = ir.Var(name, type, span or _caller())
        self.params.append(var)
        self.directions.append(direction)
        return var

    def return_type(self, type: Type) -> None:
        """The type of the next result."""
        self.return_types.append(type)


class _WithResults(_Built):
    def __init__(self, builder: IRBuilder, span: Span) -> None:
        super().__init__(builder, span)
        self.results: list[ir.Var] = []

    def output(self, index: int = 0) -> ir.Var:
        """One result of the statement, by its number from 0. Raises IndexError for one that it does not have."""
        return self.results[index]

    def outputs(self) -> list[ir.Var]:
        """All results of the statement."""
        return list(self.results)


class _LoopBuilder(_WithResults):
    def __init__(self, builder: IRBuilder, span: Span) -> None:
        super().__init__(builder, span)
        self.carried: list[ir.IterArg] = []

    def iter_arg(self, name: str, init_value: Operand, type: Type | None = None, span: Span | None = None) -> ir.Var:
        """A variable that the loop carries; its type is that of its first value. Raises RuntimeError for another ``type``."""
        place = span or _caller()
        init = _expr(init_value, place)
        if type is not None and type != init.type:
            raise RuntimeError(_at(f"{name} is declared {type} and begins as {init.type}", place))
        var = ir.Var(name, init.type, place)
        self.carried.append(ir.IterArg(var, init))
        return var

    def return_var(self, name: str, type: Type | None = None, span: Span | None = None) -> ir.Var:
        """The result that belongs to the next carried variable without one, of its type. Raises RuntimeError when there is
        none, and for another ``type``."""
        place = span or _caller()
        number = len(self.results)
        if number >= len(self.carried):
            raise RuntimeError(_at(f"{name} belongs to no carried variable", place))
        own = self.carried[number].var.type
        if type is not None and type != own:
            raise RuntimeError(_at(f"{name} is declared {type} and carried as {own}", place))
        var = ir.Var(name, own, place)
        self.results.append(var)
        return var

    def check(self) -> None:
        """Raises RuntimeError unless there is a result for each carried variable."""
        if len(self.carried) != len(self.results):
            counts = f"{len(self.carried)} carried variables and {len(self.results)} results"
            raise RuntimeError(_at(f"a loop has {counts}", self._span))


class ForLoopBuilder(_LoopBuilder):
    """A ``for`` loop in the making."""


class WhileLoopBuilder(_LoopBuilder):
    """A ``while`` loop in the making."""

    condition: ir.Expr | None = None

    def set_condition(self, condition: Operand) -> None:
        """The condition, which may read what the loop carries."""
        self.condition = _expr(condition, self._span)


class IfStmtBuilder(_WithResults):
    """A branch in the making: what is emitted goes into the first branch, after :meth:`else_` into the other."""

    then: list[ir.Stmt] | None = None

    def else_(self, span: Span | None = None) -> None:
        """Begin the other branch. Raises RuntimeError inside of another statement, and the second time."""
        frame = self._builder.frame("if", "else_", span)
        if self.then is not None:
            raise RuntimeError(_at("a branch has one else", span or _caller()))
        self.then, frame.body = frame.body, []

    def return_var(self, name: str, type: Type, span: Span | None = None) -> None:
        """The next result, for which both branches have to yield a value."""
        self.results.append(ir.Var(name, type, span or _caller()))


class ScopeBuilder(_Built):
    """A scope in the making."""


class ProgramBuilder(_Built):
    """A program in the making."""

    def __init__(self, builder: IRBuilder, span: Span) -> None:
        super().__init__(builder, span)
        self.functions: dict[str, ir.Function] = {}
        self.declared: dict[str, ir.FunctionRef] = {}

    def declare_function(self, name: str) -> ir.FunctionRef:
        """What calls of a function that comes later refer to."""
        return self.declared.setdefault(name, ir.FunctionRef(name))

    def get_global_var(self, name: str) -> ir.FunctionRef:
        """What calls of a declared function refer to. Raises RuntimeError for another name."""
        if name not in self.declared:
            raise RuntimeError(_at(f"{name} is not declared", _caller()))
        return self.declared[name]

    def add_function(self, func: ir.Function) -> None:
        """Add a function; one of the same name goes."""
        self.declare_function(func.name)
        self.functions[func.name] = func


def _at(message: str, span: Span) -> str:
    return f"{message} [{span.path}:{span.line}:{span.column}]"


_SCOPES: dict[str, Callable[..., ir.Stmt]] = {
    "InCore": ir.InCoreScope,
    "Cluster": ir.ClusterScope,
    "Hierarchy": ir.HierarchyScope,
    "Spmd": ir.SpmdScope,
    "SplitAiv": ir.SplitAivScope,
    "Runtime": ir.RuntimeScope,
}


class IRBuilder:
    """Builds functions and programs; see the module's docstring."""

    def __init__(self) -> None:
        self._frames: list[_Frame] = []

    # --- contexts ------------------------------------------------------------------------------------------------------

    def in_function(self) -> bool:
        """Whether a function is in the making."""
        return self._inside("function")

    def in_loop(self) -> bool:
        """Whether a loop is in the making."""
        return self._inside("loop")

    def in_if(self) -> bool:
        """Whether a branch is in the making."""
        return self._inside("if")

    def _inside(self, kind: str) -> bool:
        return any(frame.kind == kind for frame in self._frames)

    def frame(self, kind: str, what: str, span: Span | None = None) -> _Frame:
        """The innermost statement in the making, which has to be of a kind. Raises RuntimeError."""
        if not self._frames or self._frames[-1].kind != kind:
            raise RuntimeError(_at(f"{what} stands outside of its {kind}", span or _caller()))
        return self._frames[-1]

    @contextmanager
    def _open(self, kind: str, name: str, span: Span, built: FunctionBuilder | None = None) -> Iterator[_Frame]:
        if kind not in ("function", "program") and not self.in_function():
            raise RuntimeError(_at(f"a {kind} stands outside of a function", span))
        frame = _Frame(kind, name, built)
        self._frames.append(frame)
        try:
            yield frame
        finally:
            self._frames.pop()

    @contextmanager
    def function(
        self,
        name: str,
        span: Span | None = None,
        type: str = "Opaque",
        level: str | None = None,
        role: str | None = None,
        attrs: Mapping[str, Any] | None = None,
    ) -> Iterator[FunctionBuilder]:
        """A function; ``type``, ``level`` and ``role`` are member names of the enums. Raises RuntimeError inside of another."""
        place = span or _caller()
        outer = next((frame for frame in self._frames if frame.kind == "function"), None)
        if outer is not None:
            raise RuntimeError(_at(f"function {name} begins inside of function {outer.name}", place))
        built = FunctionBuilder(self, place)
        built.attrs.update(attrs or {})
        with self._open("function", name, place, built) as frame:
            yield built
        built._result = ir.Function(
            name=name,
            func_type=type,
            params=tuple(built.params),
            directions=tuple(built.directions),
            return_types=tuple(built.return_types),
            body=tuple(frame.body),
            span=place,
            level=level,
            role=role,
            attrs=built.attrs,
        )

    @contextmanager
    def for_loop(
        self,
        loop_var: ir.Var,
        start: Operand,
        stop: Operand,
        step: Operand,
        span: Span | None = None,
        kind: ForKind = ForKind.SEQUENTIAL,
        attrs: Mapping[str, Any] | None = None,
    ) -> Iterator[ForLoopBuilder]:
        """A counted loop. Raises RuntimeError outside of a function, and where what it carries lacks results."""
        place = span or _caller()
        built = ForLoopBuilder(self, place)
        with self._open("loop", loop_var.name, place) as frame:
            yield built
        built.check()
        first, last, by = (_expr(value, place) for value in (start, stop, step))
        loop = ir.For(
            loop_var,
            first,
            last,
            by,
            kind,
            tuple(frame.body),
            tuple(built.carried),
            tuple(built.results),
            dict(attrs or {}),
            place,
        )
        built._result = self.emit(loop)

    @contextmanager
    def while_loop(self, condition: Operand, span: Span | None = None) -> Iterator[WhileLoopBuilder]:
        """A loop while a condition holds, which :meth:`WhileLoopBuilder.set_condition` may replace by one of what the loop
        carries. Raises RuntimeError outside of a function, and where what it carries lacks results."""
        place = span or _caller()
        built = WhileLoopBuilder(self, place)
        built.set_condition(condition)
        with self._open("loop", "while", place) as frame:
            yield built
        built.check()
        assert built.condition is not None
        loop = ir.While(built.condition, tuple(frame.body), tuple(built.carried), tuple(built.results), place)
        built._result = self.emit(loop)

    @contextmanager
    def if_stmt(self, condition: Operand, span: Span | None = None) -> Iterator[IfStmtBuilder]:
        """A branch. Raises RuntimeError outside of a function."""
        place = span or _caller()
        built = IfStmtBuilder(self, place)
        with self._open("if", "if", place) as frame:
            yield built
        then = frame.body if built.then is None else built.then
        orelse = None if built.then is None else tuple(frame.body)
        branch = ir.If(_expr(condition, place), tuple(then), orelse, tuple(built.results), place)
        built._result = self.emit(branch)

    @contextmanager
    def scope(self, scope_kind: str, span: Span | None = None, **fields: Any) -> Iterator[ScopeBuilder]:
        """A scope by the name of its kind; ``fields`` are those of its node (``name_hint``, ``level``, ``split``, ...). Raises
        RuntimeError for another kind, and outside of a function."""
        place = span or _caller()
        if scope_kind not in _SCOPES:
            raise RuntimeError(_at(f"{scope_kind} is no kind of scope; there are {', '.join(_SCOPES)}", place))
        built = ScopeBuilder(self, place)
        with self._open("scope", scope_kind, place) as frame:
            yield built
        if "core_num" in fields:
            fields["core_num"] = _expr(fields["core_num"], place)
        built._result = self.emit(_SCOPES[scope_kind](body=tuple(frame.body), span=place, **fields))

    @contextmanager
    def program(self, name: str, span: Span | None = None) -> Iterator[ProgramBuilder]:
        """A program of the functions that are added to it."""
        place = span or _caller()
        built = ProgramBuilder(self, place)
        with self._open("program", name, place):
            yield built
        built._result = ir.Program(name, built.functions, place)

    # --- statements ----------------------------------------------------------------------------------------------------

    def emit(self, stmt: ir.Stmt) -> ir.Stmt:
        """Add a statement to what is in the making. Raises RuntimeError outside of a function, and so do the methods that
        make statements."""
        if not self._frames or self._frames[-1].kind == "program":
            raise RuntimeError(_at("a statement stands outside of a function", _caller()))
        self._frames[-1].body.append(stmt)
        return stmt

    def var(self, name: str, type: Type, span: Span | None = None) -> ir.Var:
        """A variable that nothing is assigned to yet."""
        return ir.Var(name, type, span or _caller())

    def assign(self, var: ir.Var, value: Operand, span: Span | None = None) -> ir.Stmt:
        """An assignment to a variable."""
        place = span or _caller()
        return self.emit(ir.Assign(var, _expr(value, place), place, place))

    def let(self, name: str, value: Operand, type: Type | None = None, span: Span | None = None) -> ir.Var:
        """A new variable with a value; its type is the value's unless another is given."""
        place = span or _caller()
        expr = _expr(value, place)
        var = ir.Var(name, expr.type if type is None else type, place)
        self.emit(ir.Assign(var, expr, place, place))
        return var

    def make_tuple(self, elements: Sequence[Operand], span: Span | None = None) -> ir.MakeTuple:
        """A tuple of values, of the tuple of their types."""
        place = span or _caller()
        parts = tuple(_expr(element, place) for element in elements)
        return ir.MakeTuple(parts, TupleType(tuple(part.type for part in parts)), place)

    def yield_stmt(self, values: Operand | Sequence[Operand], span: Span | None = None) -> ir.Stmt:
        """What a loop or branch hands on: one value or several."""
        place = span or _caller()
        return self.emit(ir.Yield(_many(values, place), place))

    def return_stmt(self, values: Operand | Sequence[Operand] | None = None, span: Span | None = None) -> ir.Stmt:
        """A return of nothing, one value or several."""
        place = span or _caller()
        return self.emit(ir.Return(() if values is None else _many(values, place), place))

    def eval_stmt(self, expr: ir.Expr, span: Span | None = None) -> ir.Stmt:
        """A call whose value is not kept."""
        return self.emit(ir.Eval(expr, span or _caller()))

    def break_stmt(self, span: Span | None = None) -> ir.Stmt:
        """A ``break``."""
        return self.emit(ir.Break(span or _caller()))

    def continue_stmt(self, span: Span | None = None) -> ir.Stmt:
        """A ``continue``."""
        return self.emit(ir.Continue(span or _caller()))

    def add_function_attrs(self, attrs: Mapping[str, Any]) -> None:
        """Attributes for the function in the making. Raises RuntimeError outside of one."""
        function = next((frame.function for frame in self._frames if frame.function is not None), None)
        if function is None:
            raise RuntimeError(_at("attributes stand outside of a function", _caller()))
        function.attrs.update(attrs)

    # --- types ---------------------------------------------------------------------------------------------------------

    def memref(self, base: str, byte_offset: int | ir.Expr, size: int) -> MemRef:
        """A memory reference: the name of its allocation, an offset and a size in bytes."""
        return MemRef(base, byte_offset, size)

    def tensor_type(
        self,
        shape: Sequence[int | ir.Expr],
        dtype: DType,
        memref: MemRef | None = None,
        tensor_view: TensorView | None = None,
    ) -> TensorType:
        """A tensor type; ``shape`` in elements."""
        return TensorType(dtype, _dims(shape), tensor_view, memref)

    def tensor_view(self, stride: Sequence[int | ir.Expr], layout: str = "ND") -> TensorView:
        """A view of a tensor; ``stride`` in elements, ``layout`` a member name of TensorLayout."""
        return TensorView(stride=_dims(stride), layout=layout)

    def tile_view(
        self, valid_shape: Sequence[int | ir.Expr], stride: Sequence[int | ir.Expr] = (), start_offset: Any = None
    ) -> TileView:
        """A view of a tile; ``valid_shape`` and ``stride`` in elements."""
        return TileView(_dims(valid_shape), _dims(stride), start_offset)

    def tile_type(
        self,
        shape: Sequence[int | ir.Expr],
        dtype: DType,
        memref: MemRef | None = None,
        tile_view: TileView | None = None,
        memory_space: str | None = None,
    ) -> TileType:
        """A tile type; ``shape`` in elements. A view that only repeats what the memory space implies is left out."""
        view = tile_view or TileView()
        return tile_type(
            dtype, _dims(shape), memory_space, valid=view.valid_shape or None, stride=view.stride,
            start_offset=view.start_offset, pad=view.pad, compact=view.compact, memref=memref,
        )  # fmt: skip


def _many(values: Operand | Sequence[Operand], span: Span) -> tuple[ir.Expr, ...]:
    if isinstance(values, (ir.Expr, int, float)):
        return (_expr(values, span),)
    return tuple(_expr(value, span) for value in values)


__all__ = [
    "ForLoopBuilder",
    "FunctionBuilder",
    "IRBuilder",
    "IfStmtBuilder",
    "ProgramBuilder",
    "ScopeBuilder",
    "WhileLoopBuilder",
]
