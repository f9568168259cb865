"""What every declared operator keeps: it is silent about what is not known, and its declaration is whole."""

from __future__ import annotations

import pytest
from operator_calls import CALL

from pypto_lsp.ir.nodes import ErrorExpr, Read, Var
from pypto_lsp.ir.types import UNDETERMINED, DistributedTensorType, ScalarType, TensorType, TileType, Type
from pypto_lsp.ops import REGISTRY, dispatch
from pypto_lsp.ops.registry import Arg, OpContext, Operator, Param

PATHS = REGISTRY.paths()
OPERATORS = {id(REGISTRY.get(path)): path for path in reversed(PATHS)}.values()
#: taken apart as they are written, or not for kernels to call
BY_TEXT = {
    "pl.const",
    "pl.system.task_dummy",
    "pl.tensor.mrgsort_format2",
    "pl.tile.mrgsort_format2",
    "pl.tile.resolve_gather_compare_cmp_mode",
    "pl.tile.tget_scale_addr",
}
#: parameters that one form of an operator, or the tile operator behind it, cannot do without
NEEDED = {
    "gather": ("dim", "index"),
    "mrgsort": ("block_len",),
    "scatter": ("dim", "index", "src"),
    "scatter_update": ("dim", "index", "src"),
    "view": ("shape",),
}
SCRATCH = ("tmp", "tmp_tile")
HOST = OpContext(level="HOST", split_region=None)


def operator(path: str) -> Operator:
    found = REGISTRY.get(path)
    assert found is not None
    return found


def arguments(declared: Operator, kind: dict[str, Type]) -> tuple[list[Arg], list[tuple[str, Arg, object]]]:
    """One argument for each parameter that must be given, of which nothing but perhaps the kind is known."""
    positional: list[Arg] = []
    keywords: list[tuple[str, Arg, object]] = []
    needed = NEEDED.get(declared.name.rpartition(".")[2], SCRATCH if kind is KIND_ONLY else ())
    for param in declared.params:
        if (not param.required and param.name not in needed) or param.kind == "var_positional":
            continue
        arg = Arg(Read(Var("v", _of_kind(param, kind)), CALL), span=CALL)
        if param.attribute:
            arg = Arg(ErrorExpr(CALL), by_keyword=True, span=CALL)
        if param.kind == "keyword_only" or not param.required or keywords:
            arg.by_keyword = True
            keywords.append((param.name, arg, CALL))
        else:
            positional.append(arg)
    return positional, keywords


def _of_kind(param: Param, kind: dict[str, Type]) -> Type:
    return next((type_ for word, type_ in kind.items() if word in param.type), UNDETERMINED)


NOTHING: dict[str, Type] = {}
KIND_ONLY: dict[str, Type] = {
    "DistributedTensor": DistributedTensorType(None, None),
    "Sequence": UNDETERMINED,
    "Tile": TileType(None, None),
    "Tensor": TensorType(None, None),
    "Scalar": ScalarType(None),
}


@pytest.mark.parametrize("kind", [NOTHING, KIND_ONLY], ids=["nothing known", "only the kind known"])
@pytest.mark.parametrize("path", sorted(set(OPERATORS) - BY_TEXT))
def test_nothing_is_said_of_what_is_not_known(path, kind):
    declared = operator(path)
    context = OpContext(level="HOST", split_region="UP_DOWN") if declared.refusal else HOST
    positional, keywords = arguments(declared, kind)
    _, findings = dispatch.call(declared, path, positional, keywords, CALL, context)
    assert findings == []


@pytest.mark.parametrize("path", PATHS)
def test_a_declaration_names_its_own_parameters(path):
    declared = operator(path)
    names = {param.name for param in declared.params}
    assert declared.doc.endswith(".") and "\n" not in declared.doc
    assert {*declared.reads, *declared.writes} <= names
    assert all(param.default for param in declared.params if not param.required and param.kind != "var_positional")
    required_last = [p.required for p in declared.params if p.kind == "positional_or_keyword"]
    assert required_last == sorted(required_last, reverse=True)
    assert declared.signature(path).startswith(f"{path}(")
