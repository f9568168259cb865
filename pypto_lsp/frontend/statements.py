"""Statements: assignments, conditions, returns and expression statements."""

from __future__ import annotations

import re
from typing import Any

from pypto_lsp.diagnostics import faults_expressions, faults_submit
from pypto_lsp.diagnostics import faults_statements as faults
from pypto_lsp.diagnostics.older_spellings import older_spelling
from pypto_lsp.frontend import binding, directives, submit, subscripts, window
from pypto_lsp.frontend.annotation_agreement import disagreement
from pypto_lsp.frontend.annotation_scope import AnnotationScope
from pypto_lsp.frontend.annotations import resolve
from pypto_lsp.frontend.expressions import extent_expr, shaped_param
from pypto_lsp.frontend.lowering import Lowering, Yields, statement
from pypto_lsp.frontend.names import bound_by, target_names
from pypto_lsp.frontend.paths import called_name, dotted, is_call
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import BOOL, INDEX
from pypto_lsp.ir.types import (
    SHAPED,
    UNDETERMINED,
    UNKNOWN,
    ScalarType,
    TensorType,
    TileType,
    TupleType,
    Type,
    kind_name,
)
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span
from pypto_lsp.text.stepwise import Steps

# --- statements that the language does not have --------------------------------------------------------------------

_WORDS: dict[type[syntax.Stmt], str] = {
    syntax.AugAssign: "an augmented assignment",
    syntax.FunctionDef: "a nested function",
    syntax.ClassDef: "a class",
    syntax.Try: "try",
    syntax.Assert: "assert",
    syntax.Raise: "raise",
    syntax.Delete: "del",
    syntax.Import: "an import",
    syntax.ImportFrom: "an import",
    syntax.Global: "a global or nonlocal declaration",
    syntax.Opaque: "this statement",
}
_ADVICE: dict[type[syntax.Stmt], str] = {
    syntax.Assert: ": use pl.static_assert for what is known at compile time",
}


@statement(*_WORDS)
def lower_unsupported(low: Lowering, node: syntax.Stmt) -> None:
    advice = _ADVICE.get(type(node), "")
    suggestion = None
    if isinstance(node, syntax.AugAssign):
        suggestion = _spelt_out(node)
        advice = f": write {suggestion}"
    elif isinstance(node, syntax.Assert) and directives.is_static(low, node.test):
        message = f", {node.msg.text}" if node.msg is not None else ""
        suggestion = f"pl.static_assert({node.test.text}{message})"
    low.report(
        faults.UNSUPPORTED_STATEMENT,
        _head(node),
        subject=node,
        what=_WORDS[type(node)],
        advice=advice,
        suggestion=suggestion,
    )
    if isinstance(node, syntax.AugAssign):
        give_up(low, node, [n for n in bound_by(node) if low.names.lookup(n) is None])
    else:
        give_up(low, node)


def _spelt_out(node: syntax.AugAssign) -> str:
    """``n = n + 1`` for ``n += 1``."""
    value = node.value.text
    simple = (syntax.Name, syntax.Constant, syntax.Call, syntax.Attribute, syntax.Subscript)
    if not isinstance(node.value, simple) and not (node.op == "+" and isinstance(node.value, syntax.BinOp)):
        value = f"({value})"
    return f"{node.target.text} = {node.target.text} {node.op} {value}"


def _head(node: syntax.Stmt) -> Span:
    """The statement, or the first line of one that has a body inside its range."""
    first, newline, _ = node.text.partition("\n")
    if not isinstance(node, syntax.Opaque) or not newline:
        return node.span
    end = first.rfind(":", 0, first.find("#") if "#" in first else len(first)) + 1
    return Span(node.anchor, node.start, node.start + (end or len(first)))


def give_up(low: Lowering, node: syntax.Stmt, names: list[str] | None = None) -> None:
    """A statement at fault: the names it should have bound get variables of which nothing is known."""
    bound = bound_by(node) if names is None else names
    reads = low.read_vars(node)
    binds = tuple(low.poison(name, node.span) for name in bound)
    low.out.append(ir.ErrorStmt(binds, reads, node.span))


_ASSIGNED = re.compile(r"(?<![.\w])([A-Za-z_]\w*)\s*(?:,|:[^=\n]*)?\s*=(?!=)")
_WORD = re.compile(r"(?<![.\w])[A-Za-z_]\w*")


def _with_body(node: syntax.Stmt) -> str:
    """The text of a statement with that of the statements below a header that cannot be read."""
    last = node
    while isinstance(last, syntax.Broken) and last.body:
        last = last.body[-1]
    return node.anchor.source.text[node.span.begin : last.span.end_offset]


@statement(syntax.Broken)
def lower_broken(low: Lowering, node: syntax.Broken) -> None:
    """A piece that is no Python; its own fault is reported elsewhere."""
    low.complete = False
    text = _with_body(node)
    bound = set(_ASSIGNED.findall(text))
    reads: dict[ir.Var, None] = {}
    for word in set(_WORD.findall(text)):
        value = low.names.lookup(word)
        if isinstance(value, ir.Var):
            reads[value] = None
        elif value is None and low.around.value(word) is MISSING:
            bound.add(word)
    binds = tuple(low.poison(name, node.span) for name in sorted(bound))
    low.out.append(ir.ErrorStmt(binds, tuple(reads), node.span))


@statement(syntax.Pass)
def lower_pass(low: Lowering, node: syntax.Pass) -> None:
    """Nothing."""


# --- assignments ---------------------------------------------------------------------------------------------------


@statement(syntax.Assign)
def lower_assign(low: Lowering, node: syntax.Assign) -> None:
    if len(node.targets) != 1:
        low.report(faults.ASSIGNMENT_FORM, node.span, subject=node, what="a chain of targets")
        give_up(low, node)
        return
    target = node.targets[0]
    if window.is_allocation(node.value):
        window.allocate(low, node, target)
        return
    match target:
        case syntax.Name():
            _assign_name(low, node, target)
        case syntax.Tuple():
            _assign_tuple(low, node, target)
        case syntax.Subscript():
            subscripts.store(low, node, target)
        case _:
            low.report(faults.ASSIGNMENT_FORM, node.span, subject=node, what=f"'{target.text} = ...'")
            give_up(low, node)


def _assign_name(low: Lowering, node: syntax.Assign, target: syntax.Name) -> None:
    value = node.value
    if isinstance(value, syntax.Call):
        path = dotted(value.func)
        if low.jit and path in ("pl.dynamic", "dynamic"):
            _declare_dynamic(low, target, value)
            return
        if path in submit.FORMS:
            submit.assign_whole(low, node, target, value)
            return
        if called_name(value) == "yield_" and isinstance(value.func, syntax.Attribute):
            bind_yield(low, [(target, None)], value)
            return
    elif low.jit and _shape_constant(low, target, value):
        return
    lowered = low.expr(value)
    binding.assign(low, target, lowered, node.span)
    if isinstance(value, syntax.Call):
        directives.track_buffer(low, target.id, value)


def _declare_dynamic(low: Lowering, target: syntax.Name, value: syntax.Call) -> None:
    """``M = pl.dynamic("M")`` in a jit body declares a dimension and leaves no statement."""
    argument = value.args[0] if value.args else None
    literal = argument.value if isinstance(argument, syntax.Constant) and isinstance(argument.value, str) else target.id
    low.names.define(target.id, low.symbol(literal))


def _shape_constant(low: Lowering, target: syntax.Name, value: syntax.Expr) -> bool:
    """``K = x.shape[1]`` of a jit parameter: a constant extent is written in wherever the name is read."""
    if not (
        isinstance(value, syntax.Subscript)
        and isinstance(value.value, syntax.Attribute)
        and value.value.attr == "shape"
        and len(value.index) == 1
        and isinstance(value.index[0], syntax.Constant)
        and type(value.index[0].value) is int
    ):
        return False
    param = shaped_param(low, value.value.value)
    if param is None:
        return False
    extent = extent_expr(low, param, _axis(param, value.index[0].value), value.span)
    if not isinstance(extent, (ir.ConstInt, ir.OpaqueInt)):
        return False
    _inline_extent(low, target, extent)
    return True


def _axis(param: ir.Var, index: int) -> int:
    shape = param.type.shape if isinstance(param.type, SHAPED) else None
    return index + len(shape) if shape is not None and index < 0 else index


def _inline_extent(low: Lowering, target: syntax.Name, extent: ir.Expr) -> None:
    assert low.names.renamer is not None
    low.names.renamer.first(target.id)
    low.names.define(target.id, extent)
    low.bind(target.id, extent.type, target.span, value=binding.constant_of(extent))


def _assign_tuple(low: Lowering, node: syntax.Assign, target: syntax.Tuple) -> None:
    value = node.value
    if isinstance(value, syntax.Call):
        if called_name(value) == "yield_" and isinstance(value.func, syntax.Attribute):
            bind_yield(low, [(elt, None) for elt in target.elts], value)
            return
        if dotted(value.func) in submit.FORMS:
            submit.assign_parts(low, node, target, value)
            return
    elif low.jit and _unpack_shape(low, node, target):
        return
    starred = next((elt for elt in target.elts if isinstance(elt, syntax.Starred)), None)
    if starred is not None:
        low.report(faults.ASSIGNMENT_FORM, node.span, subject=node, what="an unpacking with a star")
        give_up(low, node)
        return
    _unpack(low, node, target, low.expr(value))


def _unpack(low: Lowering, node: syntax.Assign, target: syntax.Tuple, value: ir.Expr) -> None:
    """``a, b = value``: a hidden variable holds the tuple, each name takes a part."""
    types = _part_types(low, node, value, len(target.elts))
    hidden = low.var("_tuple_tmp", value.type, node.span)
    low.out.append(ir.Assign(hidden, value, node.span))
    for i, elt in enumerate(target.elts):
        if not isinstance(elt, syntax.Name):
            low.report(faults.UNPACK_TARGET, elt.span, subject=elt, target=elt.text)
            for name in target_names(elt):
                low.poison(name, elt.span)
            continue
        part = ir.TupleGetItem(ir.Read(hidden, node.span), i, types[i], node.span)
        binding.assign(low, elt, part, node.span, renamed=False)


def _part_types(low: Lowering, node: syntax.Assign, value: ir.Expr, count: int) -> list[Type]:
    type_ = value.type
    if isinstance(type_, TupleType):
        if count <= len(type_.types):
            return list(type_.types[:count])
        found = f"a tuple of {len(type_.types)}"
    elif type_ in (UNDETERMINED, UNKNOWN):
        return [UNDETERMINED] * count
    else:
        found = f"one {kind_name(type_)}"
    first = node.targets[0].elts[0].text if isinstance(node.targets[0], syntax.Tuple) else ""
    suggestion = None if isinstance(type_, TupleType) else f"{first} = {node.value.text}"
    low.report(faults.UNPACK_VALUE, node.span, subject=node, count=count, found=found, suggestion=suggestion)
    return [UNDETERMINED] * count


def _unpack_shape(low: Lowering, node: syntax.Assign, target: syntax.Tuple) -> bool:
    """``a, b = x.shape`` of a jit parameter."""
    value = node.value
    if not (isinstance(value, syntax.Attribute) and value.attr == "shape"):
        return False
    param = shaped_param(low, value.value)
    if param is None:
        return False
    shape = param.type.shape if isinstance(param.type, SHAPED) else None
    if shape is not None and len(shape) != len(target.elts):
        return False
    assert low.names.renamer is not None
    for axis, elt in enumerate(target.elts):
        if not isinstance(elt, syntax.Name):
            continue
        extent = extent_expr(low, param, axis, value.span)
        if isinstance(extent, (ir.ConstInt, ir.OpaqueInt)):
            _inline_extent(low, elt, extent)
        else:
            binding.write(low, elt.id, low.names.renamer.unpacked(elt.id), elt.span, extent, node.span)
    return True


@statement(syntax.AnnAssign)
def lower_annotated(low: Lowering, node: syntax.AnnAssign) -> None:
    target = node.target
    if not isinstance(target, syntax.Name):
        if node.value is not None and any(is_call(node.value, form) for form in submit.FORMS):
            low.report(faults_submit.ANNOTATED_TARGET, node.span, subject=node)
        else:
            low.report(faults.ANNOTATED_TARGET, target.span, subject=node)
        give_up(low, node)
        return
    if node.value is None:
        low.report(faults.ANNOTATION_WITHOUT_VALUE, node.span, subject=node, name=target.id)
        give_up(low, node)
        return
    if called_name(node.value) == "yield_" and isinstance(node.value, syntax.Call):
        bind_yield(low, [(target, node.annotation)], node.value)
        return
    if window.is_allocation(node.value):
        window.allocate(low, node, target)
        return
    if isinstance(node.value, syntax.Call) and dotted(node.value.func) in submit.FORMS:
        value = submit.whole(low, node.value)
    else:
        value = low.expr(node.value)
    _bind_annotated(low, node, target, value)
    if isinstance(node.value, syntax.Call):
        directives.track_buffer(low, target.id, node.value)


def _bind_annotated(low: Lowering, node: syntax.AnnAssign, target: syntax.Name, value: ir.Expr) -> None:
    resolved = resolve(node.annotation, annotation_scope(low))
    low.diagnostics.extend(resolved.diagnostics)
    override: Type | None = None
    if not all(older_spelling(finding) for finding in resolved.diagnostics):
        override = UNDETERMINED
    elif _flattened(resolved.type, value):
        override = resolved.type
    elif not resolved.uncompared:
        finding = disagreement(node.annotation, resolved.type, value.type, target.id)
        if finding is not None:
            if not resolved.diagnostics:
                low.diagnostics.append(finding)
            override = UNDETERMINED
        else:
            override = annotated_type(resolved.type, value.type)
    elif value.type in (UNDETERMINED, UNKNOWN) and resolved.type is not UNDETERMINED:
        override = resolved.type
    binding.assign(low, target, binding.restamped(value, override), node.span, type_=override, annotated=True)


def _flattened(annotated: Type, value: ir.Expr) -> bool:
    """Whether an annotation gives a tile of more than two dimensions two: the compiler takes it for loads and new tiles, whose
    window keeps the tensor's dimensions, since its own pass that flattens tiles says so nowhere else."""
    if not (isinstance(value, ir.Call) and value.op in ("tile.load", "tile.create")):
        return False
    given = value.type
    if not isinstance(annotated, TileType) or not isinstance(given, TileType):
        return False
    if annotated.shape is None or given.shape is None or annotated.dtype is not given.dtype:
        return False
    return len(annotated.shape) <= 2 < len(given.shape)


def annotation_scope(low: Lowering) -> AnnotationScope:
    """What an annotation of a local can see."""
    return AnnotationScope(
        env=low.around.env,
        place="local",
        jit=low.jit,
        printed=low.context.printed,
        symbols=low.context.symbols,
        allocations=low.context.allocations,
        lookup=low.names.lookup,
        lower=low.expr,
    )


def annotated_type(annotated: Type, inferred: Type) -> Type | None:
    """The type that an annotation gives a variable; None where the expression's own stays.

    The annotation wins for what it states of memory, view and reference; a scalar annotation retypes an INDEX expression.
    """
    if annotated is UNDETERMINED or isinstance(annotated, TupleType):
        return None
    if inferred is UNDETERMINED or inferred is UNKNOWN:
        return annotated
    match annotated, inferred:
        case TileType(), TileType():
            return TileType(
                annotated.dtype if annotated.dtype is not None else inferred.dtype,
                annotated.shape if annotated.shape is not None else inferred.shape,
                annotated.memory or inferred.memory,
                annotated.view if annotated.view is not None else inferred.view,
                annotated.memref,
            )
        case (TensorType(), TensorType()) if annotated.view is not None or annotated.memref is not None:
            return annotated
        case (ScalarType(), ScalarType()) if inferred.dtype is INDEX and annotated.dtype is not None:
            return annotated
        case _ if isinstance(annotated, SHAPED) and annotated.memref is not None:
            return annotated
        case _:
            return None


# --- yields --------------------------------------------------------------------------------------------------------


def bind_yield(low: Lowering, targets: list[tuple[syntax.Expr, Any]], call: syntax.Call) -> None:
    """``a, b = pl.yield_(x, y)``: the names come to be when the loop or branch is closed.

    The compiler reads a name's first annotation in an `if`, and none in a loop that carries values. In its own output all of them
    tell what the values are.
    """
    yielded = tuple(low.expr(arg) for arg in call.args)
    low.out.append(ir.Yield(yielded, call.span))
    if low.yields is None:
        for target, _ in targets:
            for name in target_names(target):
                low.poison(name, target.span)
        return
    for i, (target, annotation) in enumerate(targets):
        if not isinstance(target, syntax.Name) or (low.yields.carries and i >= len(yielded)):
            continue
        type_ = yielded[i].type if i < len(yielded) else UNDETERMINED
        read = low.context.printed or not (low.yields.carries or target.id in low.yields.types)
        if annotation is not None and read:
            resolved = resolve(annotation, annotation_scope(low))
            low.diagnostics.extend(resolved.diagnostics)
            type_ = type_ if resolved.uncompared else resolved.type
        low.yields.bind(target.id, type_, target.span)


# --- conditions ----------------------------------------------------------------------------------------------------


def check_condition(low: Lowering, condition: ir.Expr, node: syntax.Expr, word: str) -> None:
    """A condition must be a BOOL scalar."""
    type_ = condition.type
    if type_ is UNDETERMINED or (isinstance(type_, ScalarType) and type_.dtype in (BOOL, None)):
        return
    low.report(
        faults_expressions.CONDITION_KIND,
        node.span,
        subject=node,
        statement=word,
        found=binding.type_text(type_),
        suggestion=_comparison(node, type_, word),
    )


def _comparison(node: syntax.Expr, type_: Type, word: str) -> str | None:
    """The comparison with zero that a number in a condition stands for."""
    if not isinstance(type_, ScalarType) or type_.dtype is None or not type_.dtype.is_int:
        return None
    return f"{node.text} {'!=' if word == 'if' else '>'} 0"


@statement(syntax.If)
def lower_if(low: Lowering, node: syntax.If) -> Steps[None]:
    condition = low.expr(node.test)
    check_condition(low, condition, node.test, "if")
    with low.yielding() as yields, low.deeper():
        names = yield_names(node.body)
        names += [name for name in yield_names(node.orelse) if name not in names]
        renamer = low.names.renamer
        before = renamer.known() if renamer is not None else set()
        then = yield from _branch(low, node.body, leak=not names)
        orelse = None
        if node.orelse:
            if renamer is not None and low.inline is None:
                for name in renamer.known() - before:
                    renamer.forget(name)
            orelse = yield from _branch(low, node.orelse, leak=not names)
    results = tuple(yields.result(low, name, node.span) for name in names)
    low.out.append(ir.If(condition, then, orelse, results, node.span))
    for var in results:
        define_result(low, var, yields)


def _branch(low: Lowering, body: tuple[syntax.Stmt, ...], *, leak: bool) -> Steps[ir.Body]:
    with low.block() as out:
        low.names.enter()
        yield from low.statements(body)
        low.names.leave(leak=leak)
    return tuple(out)


def define_result(low: Lowering, var: ir.Var, yields: Yields) -> None:
    """A name bound by yields, visible after its loop or if."""
    low.names.define(var.name, var)
    for place in yields.places.get(var.name, ()):
        low.bind(var.name, var.type, place, kind="result")


def yield_names(body: tuple[syntax.Stmt, ...]) -> list[str]:
    """The names that the yields of a branch bind; nested ifs and loops have their own."""
    found: list[str] = []
    for stmt in body:
        if isinstance(stmt, syntax.With) and _runtime_scope(stmt):
            found.extend(yield_names(stmt.body))
        elif isinstance(stmt, (syntax.Assign, syntax.AnnAssign)) and called_name(stmt.value) == "yield_":
            targets = stmt.targets if isinstance(stmt, syntax.Assign) else (stmt.target,)
            if len(targets) == 1:
                found.extend(target_names(targets[0]))
    return found


def _runtime_scope(stmt: syntax.With) -> bool:
    return any(called_name(item.context_expr) in ("scope", "manual_scope") for item in stmt.items)


# --- returns and expression statements -----------------------------------------------------------------------------


@statement(syntax.Return)
def lower_return(low: Lowering, node: syntax.Return) -> None:
    if low.inline is not None:
        low.inline.value = low.expr(node.value) if node.value is not None else low.inline.value
        return
    if node.value is None:
        returned: tuple[ir.Expr, ...] = ()
    elif isinstance(node.value, syntax.Tuple):
        returned = tuple(low.expr(elt) for elt in node.value.elts)
    else:
        returned = (low.expr(node.value),)
    if low.returns is None and node.value is not None:
        low.returns = tuple(value.type for value in returned)
    low.out.append(ir.Return(returned, node.span))


@statement(syntax.ExprStmt)
def lower_expression(low: Lowering, node: syntax.ExprStmt) -> None:
    value = node.value
    if isinstance(value, syntax.Constant) and isinstance(value.value, str):
        return
    if isinstance(value, syntax.Call) and directives.lower_directive(low, node, value):
        return
    lowered = low.expr(value)
    low.out.append(ir.Eval(lowered, node.span))


__all__ = ["annotation_scope", "bind_yield", "check_condition", "define_result", "give_up", "yield_names"]
