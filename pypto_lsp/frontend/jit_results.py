"""The result type of a jit kernel, as the specialiser infers it from its first return statement.

Only parameters have types at that point. A returned parameter gives its own type; a scalar result keeps its annotation; a tuple
needs every element to be a parameter or annotated. What cannot be told this way is declared by no annotation, and callers see
the types of the lowered return. Source: the project's reference docs on specialisation.
"""

from __future__ import annotations

from pypto_lsp.frontend.annotation_scope import AnnotationScope, last_name
from pypto_lsp.frontend.annotations import resolve
from pypto_lsp.frontend.jit_graph import scan
from pypto_lsp.frontend.signatures import Parameters, definition_env
from pypto_lsp.frontend.values import KernelRef
from pypto_lsp.ir.types import TENSORS, TupleType, Type, Undetermined
from pypto_lsp.syntax import nodes as syntax


def specialised_result(ref: KernelRef, params: Parameters, outputs: tuple[str, ...]) -> Type | None:
    """The declared result of a specialisation; None where it declares none."""
    types: dict[str, Type] = {v.name: v.type for v in params.vars if isinstance(v.type, (*TENSORS, Undetermined))}
    value = scan(ref.node).returned
    returns = ref.node.returns
    if isinstance(value, syntax.Tuple):
        return _tuple_result(ref, value, types)
    if value is not None and isinstance(returns, syntax.Subscript) and last_name(returns.value) == "Scalar":
        return _annotated(ref, returns)
    if isinstance(value, syntax.Call):
        return None
    if isinstance(value, syntax.Name) and value.id in types:
        return types[value.id]
    return types.get(outputs[0]) if outputs else None


def _annotated(ref: KernelRef, expr: syntax.Expr) -> Type:
    scope = AnnotationScope(definition_env(ref.node, ref.env), "result", jit=True)
    return resolve(expr, scope).type


def _tuple_result(ref: KernelRef, value: syntax.Tuple, types: dict[str, Type]) -> Type | None:
    explicit = _explicit_elements(ref.node.returns, len(value.elts))
    found: list[Type] = []
    bare = required = False
    for index, element in enumerate(value.elts):
        if isinstance(element, syntax.Name) and element.id in types:
            found.append(types[element.id])
        elif explicit is None:
            return None
        else:
            part = explicit[index]
            complete = isinstance(part, syntax.Subscript)
            bare, required = bare or not complete, required or complete
            found.append(_annotated(ref, part))
    if bare and not required:
        return None
    return TupleType(tuple(found))


def _explicit_elements(returns: syntax.Expr | None, count: int) -> tuple[syntax.Expr, ...] | None:
    """The elements of an explicit tuple annotation with the right number of them."""
    if not (isinstance(returns, syntax.Subscript) and last_name(returns.value) in ("tuple", "Tuple")):
        return None
    return returns.index if len(returns.index) == count else None
