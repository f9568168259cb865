"""Whether the annotation of a local agrees with what its expression gives."""

from __future__ import annotations

from collections.abc import Sequence

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.diagnostics import faults_annotations as faults
from pypto_lsp.frontend.annotation_scope import last_name
from pypto_lsp.ir.arith import Dim, const_value
from pypto_lsp.ir.dtypes import INDEX, DType
from pypto_lsp.ir.types import (
    SHAPED,
    ArrayType,
    ScalarType,
    Type,
    Undetermined,
    UnknownType,
    kind_name,
)
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span


def disagreement(annotation: syntax.Expr, annotated: Type, inferred: Type, name: str) -> Diagnostic | None:
    """The fault of an annotation that says other than its expression; None where they agree or something is not known.

    Compared are the kind, the element type (INDEX stands for every integer type), the rank, and extents that are constant on
    both sides. Views, memory spaces and symbolic extents are not compared.
    """
    if isinstance(annotated, Undetermined | UnknownType) or isinstance(inferred, Undetermined | UnknownType):
        return None
    if type(annotated) is not type(inferred):
        return faults.ANNOTATION_KIND.at(
            annotation.span,
            subject=annotation,
            name=name,
            annotated=_article(kind_name(annotated)),
            inferred=_article(kind_name(inferred)),
        )
    return _dtype_disagreement(annotation, annotated, inferred, name) or _shape_disagreement(
        annotation, annotated, inferred, name
    )


def _article(word: str) -> str:
    return f"an {word}" if word[0] in "AEIOU" else f"a {word}"


def compatible(annotated: DType, inferred: DType) -> bool:
    """Whether an annotated element type may stand for the inferred one."""
    if annotated is inferred:
        return True
    return (annotated is INDEX and inferred.is_int) or (inferred is INDEX and annotated.is_int)


def _dtype_disagreement(annotation: syntax.Expr, annotated: Type, inferred: Type, name: str) -> Diagnostic | None:
    left, right = getattr(annotated, "dtype", None), getattr(inferred, "dtype", None)
    if left is None or right is None or compatible(left, right):
        return None
    return faults.ANNOTATION_DTYPE.at(
        _dtype_span(annotation), subject=annotation, name=name, annotated=str(left), inferred=str(right)
    )


def _dtype_span(annotation: syntax.Expr) -> Span:
    """The element type within an annotation."""
    if isinstance(annotation, syntax.Subscript):
        if last_name(annotation.value) == "Scalar":
            return annotation.index[0].span
        if len(annotation.index) >= 2:
            return annotation.index[1].span
    return annotation.span


def _shape_disagreement(annotation: syntax.Expr, annotated: Type, inferred: Type, name: str) -> Diagnostic | None:
    if isinstance(annotated, ArrayType) and isinstance(inferred, ArrayType):
        return _extent_disagreement(annotation, annotated, inferred, name)
    if isinstance(annotated, ScalarType | ArrayType):
        return None
    if not (isinstance(annotated, SHAPED) and isinstance(inferred, SHAPED)):
        return None
    if annotated.shape is None or inferred.shape is None:
        return None
    if len(annotated.shape) != len(inferred.shape):
        return faults.ANNOTATION_RANK.at(
            annotation.span,
            subject=annotation,
            name=name,
            annotated=len(annotated.shape),
            inferred=len(inferred.shape),
            shape=_written(inferred.shape),
        )
    wrong = [
        (index, left, right)
        for index, (left, right) in enumerate(zip(map(const_value, annotated.shape), map(const_value, inferred.shape)))
        if left is not None and right is not None and left != right
    ]
    if not wrong:
        return None
    index, left, right = wrong[0]
    span = annotation.span
    if len(wrong) > 1 and isinstance(annotation, syntax.Subscript):
        span = annotation.index[0].span
    return faults.ANNOTATION_DIM.at(
        span,
        subject=annotation,
        name=name,
        dimension=index,
        annotated=left,
        inferred=right,
        extents={index: int(right) for index, _, right in wrong},
    )


def _extent_disagreement(
    annotation: syntax.Expr, annotated: ArrayType, inferred: ArrayType, name: str
) -> Diagnostic | None:
    left, right = const_value(annotated.extent), const_value(inferred.extent)
    if left is None or right is None or left == right:
        return None
    return faults.ANNOTATION_DIM.at(
        annotation.span,
        subject=annotation,
        name=name,
        dimension=0,
        annotated=left,
        inferred=right,
        extents={0: int(right)},
    )


def _written(shape: Sequence[Dim]) -> str | None:
    """A shape of constants as text."""
    extents = [const_value(dim) for dim in shape]
    return None if None in extents else f"[{', '.join(str(extent) for extent in extents)}]"
