"""The passes that are modelled, by the compiler's names and in its order, and programs after them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pypto_lsp.backends import DEFAULT_BACKEND, Backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.mutator import each_function
from pypto_lsp.passes.pass_properties import DEFAULT_PIPELINE, FRONTEND
from pypto_lsp.passes.pipeline.auto_tile_matmul_l0 import auto_tile_matmul_l0
from pypto_lsp.passes.pipeline.canonicalize_io_order import canonicalize_io_order
from pypto_lsp.passes.pipeline.control_flow import ctrl_flow_transform
from pypto_lsp.passes.pipeline.convert_tensor_to_tile_ops import convert_tensor_to_tile_ops
from pypto_lsp.passes.pipeline.convert_to_ssa import convert_to_ssa
from pypto_lsp.passes.pipeline.expand_mixed_kernel import expand_mixed_kernel
from pypto_lsp.passes.pipeline.flatten_call_expr import flatten_call_expr
from pypto_lsp.passes.pipeline.flatten_tile_nd_to_2d import flatten_tile_nd_to_2d
from pypto_lsp.passes.pipeline.front_end import as_built
from pypto_lsp.passes.pipeline.infer_tile_memory_space import infer_tile_memory_space
from pypto_lsp.passes.pipeline.init_mem_ref import allocate_memory_addr, init_mem_ref
from pypto_lsp.passes.pipeline.inlined_results import inline_whole_program
from pypto_lsp.passes.pipeline.lower_auto_vector_split import lower_auto_vector_split
from pypto_lsp.passes.pipeline.lower_pipeline_loops import lower_pipeline_loops
from pypto_lsp.passes.pipeline.normalize_return_order import normalize_return_order
from pypto_lsp.passes.pipeline.outlining import (
    outline_cluster_scopes,
    outline_hierarchy_scopes,
    outline_incore_scopes,
)
from pypto_lsp.passes.pipeline.simplify import simplify
from pypto_lsp.passes.pipeline.unroll_loops import unroll_loops

Step = Callable[[ir.Program, Backend], ir.Program]


def _whole(function: Callable[[ir.Program], ir.Program]) -> Step:
    return lambda program, backend: function(program)


def _each(function: Callable[[ir.Function], ir.Function]) -> Step:
    """A pass that looks at one function at a time."""
    return lambda program, backend: each_function(program, function)


def _each_for(function: Callable[[ir.Function, Backend], ir.Function]) -> Step:
    """A pass that looks at one function at a time, for a target."""
    return lambda program, backend: each_function(program, lambda own: function(own, backend))


#: pass -> what it does to a program
STEPS: dict[str, Step] = {
    "InlineFunctions": _whole(inline_whole_program),
    "UnrollLoops": _each(unroll_loops),
    "CtrlFlowTransform": _each(ctrl_flow_transform),
    "ConvertToSSA": _each(convert_to_ssa),
    "Simplify": _each(simplify),
    # bodies are flat lists of statements: there is nothing to normalise
    "NormalizeStmtStructure": _whole(lambda program: program),
    "FlattenCallExpr": _each(flatten_call_expr),
    "OutlineHierarchyScopes": _whole(outline_hierarchy_scopes),
    "OutlineIncoreScopes": _whole(outline_incore_scopes),
    "OutlineClusterScopes": _whole(outline_cluster_scopes),
    "ConvertTensorToTileOps": _whole(convert_tensor_to_tile_ops),
    "FlattenTileNdTo2D": _each(flatten_tile_nd_to_2d),
    "AutoTileMatmulL0": _each_for(auto_tile_matmul_l0),
    "InferTileMemorySpace": _each(infer_tile_memory_space),
    "LowerAutoVectorSplit": _each(lower_auto_vector_split),
    "ExpandMixedKernel": expand_mixed_kernel,
    "NormalizeReturnOrder": _whole(normalize_return_order),
    "LowerPipelineLoops": _each(lower_pipeline_loops),
    "CanonicalizeIOOrder": _each(canonicalize_io_order),
    "InitMemRef": _each_for(init_mem_ref),
    "AllocateMemoryAddr": _each(allocate_memory_addr),
}

#: the modelled passes in order, up to the last one that is modelled
ORDER: tuple[str, ...] = tuple(dict.fromkeys(name for name in DEFAULT_PIPELINE if name in STEPS))


def stages(program: ir.Program, backend: Backend = DEFAULT_BACKEND) -> Iterator[tuple[str, ir.Program]]:
    """The program as the front end makes it, then after each modelled pass in turn."""
    program = as_built(program)
    yield FRONTEND.name, program
    for name in ORDER:
        program = STEPS[name](program, backend)
        yield name, program


def program_after(name: str, program: ir.Program, backend: Backend = DEFAULT_BACKEND) -> ir.Program:
    """A program as it is after a pass. Raises KeyError for a pass that is not modelled."""
    if name not in STEPS and name != FRONTEND.name:
        raise KeyError(name)
    return next(made for stage, made in stages(program, backend) if stage == name)


__all__ = ["ORDER", "STEPS", "program_after", "stages"]
