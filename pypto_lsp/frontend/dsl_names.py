"""The public names of the language's modules, beside its operators."""

from __future__ import annotations

from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.enums import ENUM_ALIASES, ENUMS

#: names of ``pl`` that are neither operators nor element types nor enums
_LANGUAGE = """
    jit JITFunction function inline program InlineFunction parse parser loads parse_program loads_program Tensor Tile Scalar
    Array Tuple DynVar InOut IntLike Out RUNTIME RuntimeScalarMarker BoolLike dynamic const range parallel unroll pipeline
    while_ yield_ cond static_print static_assert func_attr at cluster spmd split_aiv optimizations split cross_core_slot adir
    array prefetch tile system tensor scope manual_scope submit spmd_submit no_dep dump_tag MemRef MemRefType Ptr PtrType
    PrefetchAsyncContext AsyncEvent AsyncSession TensorView TileView DataType ND DN NZ MX_A_ZZ MX_B_NN TaskId ForKind
    incore auto_chunk distributed op typing AUTO arg_direction dsl_api
"""
LANGUAGE = frozenset(_LANGUAGE.split())
#: names of ``pl.jit``
JIT = ("host", "incore", "inline", "opaque", "extern")
#: names of ``pl`` that its modules of operators do not have
_DECORATORS = ("jit", "function", "program", "inline")
#: enums that ``pl`` itself exports
PL_ENUMS = frozenset(ENUMS) - {"NotifyOp", "WaitCmp", "ReduceOp"}


def has_attribute(path: str, name: str) -> bool | None:
    """Whether a name of the language (``pl``, ``pl.Mem``, ``pl.DataType``) has an attribute; None when that is not known."""
    if name.startswith("__"):
        return True
    if path == "pl":
        return _pl_has(name)
    if path == "pl.jit":
        return name in JIT
    if path in ("pl.tile", "pl.tensor", "pl.system") and name in _DECORATORS:
        return False
    head, _, tail = path.rpartition(".")
    if path == "pl.DataType":
        return name in DTYPES or name.startswith(("from_", "is_", "get_", "to_", "DEFAULT_"))
    enum = ENUM_ALIASES.get(tail, tail)
    if head in ("pl", "pld") and enum in ENUMS and enum != "adir":
        return name in ENUMS[enum] or name in ("name", "value", "mro")
    return None


def _pl_has(name: str) -> bool:
    from pypto_lsp.ops import REGISTRY

    if name in LANGUAGE or name in DTYPES or name in PL_ENUMS or name in ENUM_ALIASES:
        return True
    return REGISTRY.get(f"pl.{name}") is not None
