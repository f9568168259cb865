"""Programs in the compiler's printed form (reference: project docs, printed IR).

Each statement is one line, each variable carries its type, operators are written by their IR names with operands by position
and attributes by keyword. What is not known has no printed form of its own: a type is left out, an expression becomes ``...``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value
from pypto_lsp.ir.dtypes import FP32, INDEX
from pypto_lsp.ir.enums import Direction, EnumMember, ForKind
from pypto_lsp.ir.printer_types import binary_text, print_type, unary_text
from pypto_lsp.ir.types import SHAPED, HandleType, MemRef, TupleType, Type
from pypto_lsp.ir.visit import walk, walk_expr
from pypto_lsp.text import Span

INDENT = "    "
UNKNOWN = "..."
#: stands for a memory reference while its type is printed
_PLACE = "\0"
_DIRECTIONS = {Direction.OUT: "pl.Out", Direction.INOUT: "pl.InOut"}
#: attributes that are printed by position, before the operands
_LEADING = {"tile.alloc": ("memory_space",), "tensor.alloc": ("memory_space",)}
#: operators that take their operands by keyword only
_BY_KEYWORD = frozenset({"system.syncall"})
#: operators whose attributes the compiler lists in another order than their parameters
_ATTRIBUTE_ORDER = {"tensor.matmul": ("a_trans", "b_trans", "c_matrix_nz", "out_dtype")}
#: attributes of calls that are keywords of their own
_OWN_KEYWORDS = ("deps", "device")
#: what other parts of the print say already
_IMPLIED = frozenset({"dummy_task", "task_id_var", "auto_scope", "pipeline_stages"})


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the print; ``span`` is the source it stands for, None for lines that stand for none."""

    text: str
    span: Span | None = None


def print_program(program: ir.Program) -> str:
    """A program as text, with a line break at its end."""
    return "".join(f"{line.text}\n" for line in program_lines(program))


def program_lines(program: ir.Program) -> Iterator[Line]:
    """The lines of a program's print. As in the compiler's, names of ``pld`` are not imported."""
    functions = list(program.functions.values())
    yield Line(f"# pypto.program: {program.name}")
    yield Line("import pypto.language as pl")
    yield Line("")
    symbols = sorted({name for function in functions for name in _symbols(function)})
    for name in symbols:
        yield Line(f'{name} = pl.dynamic("{name}")')
    if symbols:
        yield Line("")
    yield Line("@pl.program")
    yield Line(f"class {program.name}:")
    for function in functions:
        for line in function_lines(function):
            yield Line(INDENT + line.text, line.span)


def function_lines(function: ir.Function) -> Iterator[Line]:
    """The lines of a function's print, its decorator first."""
    printer = _Function(function)
    yield Line(_decorator(function), function.decorator_span)
    yield Line(printer.header(), function.span)
    attrs = {key: value for key, value in function.attrs.items() if key not in _IMPLIED}
    if attrs:
        yield Line(f"{INDENT}pl.func_attr({printer.mapping(attrs)})")
    yield from printer.body(function.body or (), 1, ())


def _decorator(function: ir.Function) -> str:
    parts = []
    if function.func_type != "Opaque":
        parts.append(f"type=pl.FunctionType.{function.func_type}")
    if function.level is not None:
        parts.append(f"level=pl.Level.{function.level}")
    if function.role is not None:
        parts.append(f"role=pl.Role.{function.role}")
    if function.attrs.get("auto_scope") is False:
        parts.append("auto_scope=False")
    return f"@pl.function({', '.join(parts)})" if parts else "@pl.function"


def _symbols(function: ir.Function) -> Iterator[str]:
    """The dynamic dimensions that a function's types name."""
    types = [var.type for var in function.params] + list(function.return_types)
    for stmt in walk(function.body or ()):
        if isinstance(stmt, ir.Assign):
            types.append(stmt.var.type)
    for type_ in types:
        for dim in getattr(type_, "shape", None) or ():
            for node in walk_expr(dim) if isinstance(dim, ir.Expr) else ():
                var = node.var if isinstance(node, ir.Read) else node
                if isinstance(var, ir.Var) and var.symbol:
                    yield var.name


def _float(value: float) -> str:
    """A float with the digits that the compiler gives it."""
    text = f"{float(value):.17g}"
    return text if any(mark in text for mark in ".en") else f"{text}.0"


class _Function:
    """Prints one function; knows which variables are allocations, whose names stand unquoted in memory references."""

    def __init__(self, function: ir.Function) -> None:
        self.function = function
        self.pointers = {
            stmt.var.name
            for stmt in walk(function.body or ())
            if isinstance(stmt, ir.Assign) and isinstance(stmt.var.type, HandleType) and stmt.var.type.name == "pl.Ptr"
        }
        self.names: dict[ir.Var, str] = {}
        self.taken: set[str] = set()

    def name(self, var: ir.Var) -> str:
        """A name of the variable's own: other variables of its name come after it with a number."""
        known = self.names.get(var)
        if known is not None:
            return known
        name, number = var.name, 0
        while name in self.taken and not var.symbol:
            number += 1
            name = f"{var.name}_{number}"
        self.names[var] = name
        self.taken.add(name)
        return name

    def header(self) -> str:
        params = [] if self.function.role == "SubWorker" else ["self"]
        for var, direction in zip(self.function.params, self.function.directions):
            text = self.type(var.type) or UNKNOWN
            wrapper = _DIRECTIONS.get(direction)
            params.append(f"{self.name(var)}: {wrapper}[{text}]" if wrapper else f"{self.name(var)}: {text}")
        results = [self.type(type_) or UNKNOWN for type_ in self.function.return_types]
        arrow = f" -> {results[0] if len(results) == 1 else 'tuple[' + ', '.join(results) + ']'}" if results else ""
        return f"def {self.function.name}({', '.join(params)}){arrow}:"

    # --- types -------------------------------------------------------------------------------------------------

    def type(self, type_: Type) -> str | None:
        """A type with its memory references; None where it is not known."""
        if isinstance(type_, TupleType):
            parts = [self.type(part) for part in type_.types]
            return None if None in parts or not parts else f"pl.Tuple[{', '.join(str(part) for part in parts)}]"
        if not isinstance(type_, SHAPED) or type_.memref is None:
            return print_type(type_)
        text = print_type(replace(type_, memref=MemRef(base=_PLACE)))
        return None if text is None else text.replace(f'pl.MemRef("{_PLACE}")', self.memref(type_.memref))

    def memref(self, ref: MemRef) -> str:
        base = ref.base or ""
        parts = [base if base in self.pointers else f'"{base}"']
        if ref.size is not None:
            offset = const_value(ref.byte_offset) if ref.byte_offset is not None else None
            known = self.expr(ref.byte_offset) if isinstance(ref.byte_offset, ir.Expr) else UNKNOWN
            parts.append(known if offset is None else f"pl.const({offset}, pl.INT64)")
            parts.append(str(ref.size))
        if ref.slots is not None and ref.slots > 1:
            parts.append(f"slots={ref.slots}")
        slot = "" if ref.slot_index is None else f"[{self.value(ref.slot_index)}]"
        return f"pl.MemRef({', '.join(parts)}){slot}"

    def binding(self, var: ir.Var) -> str:
        text = self.type(var.type)
        return f"{self.name(var)}: {text}" if text is not None else self.name(var)

    # --- expressions -------------------------------------------------------------------------------------------

    def expr(self, expr: ir.Expr) -> str:
        match expr:
            case ir.Var():
                return self.name(expr)
            case ir.Read():
                return self.name(expr.var)
            case ir.ConstInt():
                return str(int(expr.value)) if expr.dtype is INDEX else f"pl.const({int(expr.value)}, {expr.dtype})"
            case ir.ConstFloat():
                value = _float(expr.value)
                return value if expr.dtype is FP32 else f"pl.const({value}, {expr.dtype})"
            case ir.ConstBool():
                return str(expr.value)
            case ir.OpaqueInt():
                return expr.name or UNKNOWN
            case ir.Binary(left=ir.ConstInt() as left, right=ir.ConstInt()):
                # a typed constant keeps the reader from computing the result
                return binary_text(
                    expr, lambda e: f"pl.const({int(left.value)}, {left.dtype})" if e is left else self.expr(e)
                )
            case ir.Binary():
                return binary_text(expr, self.expr)
            case ir.Unary():
                return unary_text(expr, self.expr)
            case ir.MakeTuple():
                return self.items(expr.elements)
            case ir.TupleGetItem():
                return f"{self.expr(expr.tuple)}[{expr.index}]"
            case ir.StaticValue():
                return self.value(expr.value)
            case ir.Call():
                return self.call(expr)
            case ir.Submit():
                return self.submit(expr)
            case _:
                return UNKNOWN

    def items(self, values: Iterable[Any]) -> str:
        return f"[{', '.join(self.value(value) for value in values)}]"

    def value(self, value: Any) -> str:
        """An attribute's value, an expression among them."""
        if isinstance(value, ir.Expr):
            return self.expr(value)
        if isinstance(value, EnumMember):
            return f"pl.Mem.{value.name}" if value.enum == "MemorySpace" else f"pl.{value.enum}.{value.name}"
        if isinstance(value, (tuple, list)):
            return self.items(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(int(value))
        return repr(value) if isinstance(value, (str, float, bool, type(None))) else str(value)

    def mapping(self, attrs: Mapping[str, Any]) -> str:
        return "{" + ", ".join(f'"{key}": {self.attribute(key, value)}' for key, value in attrs.items()) + "}"

    def attribute(self, key: str, value: Any) -> str:
        if key == "arg_directions" and isinstance(value, (tuple, list)):
            names = [item.name if isinstance(item, EnumMember) else item for item in value]
            return f"[{', '.join(f'pl.adir.{name}' for name in names)}]"
        if isinstance(value, str):
            return f"pl.SplitMode.{value}" if key == "split" else f'"{value}"'
        return self.value(value)

    def call(self, call: ir.Call) -> str:
        leading = _LEADING.get(str(call.op), ())
        parts = [self.value(call.kwargs[name]) for name in leading if name in call.kwargs]
        words = [f"{name}=" if call.op in _BY_KEYWORD else "" for name in call.names] or [""] * len(call.args)
        parts += [word + self.expr(arg) for word, arg in zip(words, call.args)]
        named = [name for name in call.kwargs if name not in leading]
        order = _ATTRIBUTE_ORDER.get(str(call.op), ())
        named.sort(key=lambda name: order.index(name) if name in order else len(order))
        parts += [f"{name}={self.value(call.kwargs[name])}" for name in named]
        if isinstance(call.op, ir.FunctionRef):
            return f"self.{call.op.name}({', '.join(parts + self.call_attrs(call.attrs))})"
        head = call.op if call.op.startswith("pld.") else f"pl.{call.op}"
        return f"{head}({', '.join(parts + self.call_attrs(call.attrs))})"

    def submit(self, submit: ir.Submit) -> str:
        parts = [f"self.{submit.op.name}", *(self.expr(arg) for arg in submit.args)]
        if submit.deps:
            parts.append(f"deps={self.items(submit.deps)}")
        if submit.core_num is not None:
            parts.append(f"core_num={self.expr(submit.core_num)}")
        if submit.sync_start:
            parts.append("sync_start=True")
        if submit.allow_early_resolve:
            parts.append("allow_early_resolve=True")
        if submit.predicate is not None:
            parts.append(f"predicate={self.expr(submit.predicate)}")
        if "dump_vars" in submit.attrs:
            parts.append(f"dumps={self.value(submit.attrs['dump_vars'])}")
        rest = {key: value for key, value in submit.attrs.items() if key != "dump_vars"}
        name = "submit" if submit.core_num is None else "spmd_submit"
        return f"pl.{name}({', '.join(parts + self.call_attrs(rest))})"

    def call_attrs(self, attrs: Mapping[str, Any]) -> list[str]:
        """The attributes of a call as keywords, the last of them ``attrs=``."""
        parts = [f"{key}={self.value(attrs[key])}" for key in _OWN_KEYWORDS if key in attrs]
        rest = {k: v for k, v in attrs.items() if k not in _OWN_KEYWORDS and k not in _IMPLIED}
        return [*parts, f"attrs={self.mapping(rest)}"] if rest else parts

    # --- statements --------------------------------------------------------------------------------------------

    def body(self, body: ir.Body, depth: int, results: tuple[ir.Var, ...]) -> Iterator[Line]:
        """The lines of a body; its last yield binds the results of the statement around it."""
        if not body:
            yield Line(f"{INDENT * depth}pass")
        for stmt in body:
            yield from self.stmt(stmt, depth, results if isinstance(stmt, ir.Yield) else results_through(stmt, results))

    def stmt(self, stmt: ir.Stmt, depth: int, results: tuple[ir.Var, ...]) -> Iterator[Line]:
        match stmt:
            case ir.If():
                yield Line(f"{INDENT * depth}if {self.expr(stmt.condition)}:", stmt.span)
                yield from self.body(stmt.then, depth + 1, stmt.return_vars)
                if stmt.orelse is not None:
                    yield Line(f"{INDENT * depth}else:")
                    yield from self.body(stmt.orelse, depth + 1, stmt.return_vars)
            case ir.For() | ir.While():
                yield Line(INDENT * depth + self.loop(stmt), stmt.span)
                if isinstance(stmt, ir.While) and stmt.iter_args:
                    yield Line(f"{INDENT * (depth + 1)}pl.cond({self.expr(stmt.condition)})", stmt.span)
                yield from self.body(stmt.body, depth + 1, stmt.return_vars)
            case ir.SpmdScope(index_var=ir.Var(), body=(ir.InCoreScope(implicit=True) as inner,)):
                yield Line(INDENT * depth + self.scope(stmt), stmt.span)
                yield from self.body(inner.body, depth + 1, results)
            case ir.CommDomainScope():
                yield from self.body(stmt.body, depth, results)
            case (
                ir.InCoreScope()
                | ir.ClusterScope()
                | ir.HierarchyScope()
                | ir.SpmdScope()
                | ir.SplitAivScope()
                | ir.RuntimeScope()
            ):
                yield Line(INDENT * depth + self.scope(stmt), stmt.span)
                yield from self.body(stmt.body, depth + 1, results)
            case _:
                yield Line(INDENT * depth + self.plain(stmt, results), stmt.span)

    def plain(self, stmt: ir.Stmt, results: tuple[ir.Var, ...]) -> str:
        match stmt:
            case ir.Assign():
                return f"{self.binding(stmt.var)} = {self.expr(stmt.value)}"
            case ir.Eval():
                return self.expr(stmt.expr)
            case ir.Yield():
                text = f"pl.yield_({', '.join(self.expr(value) for value in stmt.values)})"
                if len(results) == 1:
                    return f"{self.binding(results[0])} = {text}"
                return f"{', '.join(self.name(var) for var in results)} = {text}" if results else text
            case ir.Return():
                return f"return {', '.join(self.expr(value) for value in stmt.values)}".rstrip()
            case ir.Break():
                return "break"
            case ir.Continue():
                return "continue"
            case _:
                return UNKNOWN

    def loop(self, loop: ir.For | ir.While) -> str:
        carried = ", ".join(self.name(arg.var) for arg in loop.iter_args) + ("," if len(loop.iter_args) == 1 else "")
        inits = ", ".join(self.expr(arg.init) for arg in loop.iter_args) + ("," if len(loop.iter_args) == 1 else "")
        values = [f"init_values=({inits})"] if loop.iter_args else []
        if isinstance(loop, ir.While):
            if not loop.iter_args:
                return f"while {self.expr(loop.condition)}:"
            return f"for ({carried}) in pl.while_({values[0]}):"
        target = f"{self.name(loop.var)}, ({carried})" if loop.iter_args else self.name(loop.var)
        parts = self.bounds(loop)
        if loop.kind is ForKind.PIPELINE and "pipeline_stages" in loop.attrs:
            parts.append(f"stage={self.value(loop.attrs['pipeline_stages'])}")
        rest = {k: v for k, v in loop.attrs.items() if loop.kind is not ForKind.PIPELINE or k != "pipeline_stages"}
        attrs = [f"attrs={self.mapping(rest)}"] if rest else []
        return f"for {target} in pl.{loop.kind.value}({', '.join([*parts, *values, *attrs])}):"

    def bounds(self, loop: ir.For) -> list[str]:
        """The bounds that have to be written: the stop alone, without the step when it is 1."""
        plain_step = isinstance(loop.step, ir.ConstInt) and loop.step.value == 1
        plain_start = isinstance(loop.start, ir.ConstInt) and loop.start.value == 0
        if plain_step and plain_start:
            return [self.expr(loop.stop)]
        bounds = [self.expr(loop.start), self.expr(loop.stop)]
        return bounds if plain_step else [*bounds, self.expr(loop.step)]

    def scope(self, stmt: ir.Stmt) -> str:
        match stmt:
            case ir.InCoreScope():
                parts = ["level=pl.Level.CORE_GROUP"]
                if stmt.split is not None:
                    parts.append(f"optimizations=[pl.split(pl.SplitMode.{stmt.split})]")
                return self.opened("pl.at", parts, stmt.name_hint, stmt.attrs)
            case ir.HierarchyScope():
                parts = [f"level=pl.Level.{stmt.level}"]
                if stmt.role is not None:
                    parts.append(f"role=pl.Role.{stmt.role}")
                return self.opened("pl.at", parts, stmt.name_hint, stmt.attrs)
            case ir.ClusterScope():
                return self.opened("pl.cluster", [], stmt.name_hint, stmt.attrs)
            case ir.RuntimeScope():
                return self.opened("pl.scope", ["mode=pl.ScopeMode.MANUAL"] if stmt.manual else [], "", {})
            case ir.SplitAivScope():
                name = self.name(stmt.index_var) if stmt.index_var is not None else "_"
                return f"for {name} in pl.split_aiv(2, mode=pl.SplitMode.{stmt.split}):"
            case ir.SpmdScope():
                parts = [self.expr(stmt.core_num), *(["sync_start=True"] if stmt.sync_start else [])]
                text = self.opened("pl.spmd", parts, stmt.name_hint, stmt.attrs)
                if stmt.index_var is None:
                    return text
                return f"for {self.name(stmt.index_var)} in {text.removeprefix('with ')}"
            case _:
                return UNKNOWN

    def opened(self, path: str, parts: list[str], hint: str, attrs: Mapping[str, Any]) -> str:
        """A ``with`` statement's first line."""
        named = [f'name_hint="{hint}"'] if hint else []
        own = [f"{key}={self.value(value)}" for key, value in attrs.items() if key not in _IMPLIED]
        task = attrs.get("task_id_var")
        suffix = f" as {self.name(task)}" if isinstance(task, ir.Var) else ""
        return f"with {path}({', '.join([*parts, *named, *own])}){suffix}:"


def results_through(stmt: ir.Stmt, results: tuple[ir.Var, ...]) -> tuple[ir.Var, ...]:
    """The results that a yield inside a statement binds: those from outside where the statement is transparent to yields."""
    return results if isinstance(stmt, (ir.RuntimeScope, ir.SplitAivScope)) else ()


__all__ = ["Line", "function_lines", "print_program", "program_lines"]
