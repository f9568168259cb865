"""The modelled passes as objects, each from a function that has the compiler's name, and the default strategy of them."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import Path

from pypto_lsp.backends import DEFAULT_BACKEND, Backend
from pypto_lsp.ir.nodes import Program
from pypto_lsp.ir.printer import print_program
from pypto_lsp.passes.pass_manager import CallbackInstrument, Pass, PassContext, PassPipeline
from pypto_lsp.passes.pass_properties import DEFAULT_PIPELINE, FRONTEND
from pypto_lsp.passes.pipeline.steps import ORDER, STEPS


def _backend() -> Backend:
    context = PassContext.current()
    return DEFAULT_BACKEND if context is None else context.backend


def _constructor(name: str) -> Callable[[], Pass]:
    def make() -> Pass:
        return Pass(name, lambda program: STEPS[name](program, _backend()))

    make.__doc__ = f"The pass {name}."
    return make


#: pass -> the function that makes it
CONSTRUCTORS: dict[str, Callable[[], Pass]] = {name: _constructor(name) for name in STEPS}

inline_functions = CONSTRUCTORS["InlineFunctions"]
unroll_loops = CONSTRUCTORS["UnrollLoops"]
ctrl_flow_transform = CONSTRUCTORS["CtrlFlowTransform"]
convert_to_ssa = CONSTRUCTORS["ConvertToSSA"]
simplify = CONSTRUCTORS["Simplify"]
normalize_stmt_structure = CONSTRUCTORS["NormalizeStmtStructure"]
flatten_call_expr = CONSTRUCTORS["FlattenCallExpr"]
outline_hierarchy_scopes = CONSTRUCTORS["OutlineHierarchyScopes"]
outline_incore_scopes = CONSTRUCTORS["OutlineIncoreScopes"]
outline_cluster_scopes = CONSTRUCTORS["OutlineClusterScopes"]
convert_tensor_to_tile_ops = CONSTRUCTORS["ConvertTensorToTileOps"]
flatten_tile_nd_to_2d = CONSTRUCTORS["FlattenTileNdTo2D"]
auto_tile_matmul_l0 = CONSTRUCTORS["AutoTileMatmulL0"]
infer_tile_memory_space = CONSTRUCTORS["InferTileMemorySpace"]
lower_auto_vector_split = CONSTRUCTORS["LowerAutoVectorSplit"]
expand_mixed_kernel = CONSTRUCTORS["ExpandMixedKernel"]
normalize_return_order = CONSTRUCTORS["NormalizeReturnOrder"]
lower_pipeline_loops = CONSTRUCTORS["LowerPipelineLoops"]
canonicalize_io_order = CONSTRUCTORS["CanonicalizeIOOrder"]
init_mem_ref = CONSTRUCTORS["InitMemRef"]
allocate_memory_addr = CONSTRUCTORS["AllocateMemoryAddr"]


class OptimizationStrategy(Enum):
    """Which passes a :class:`PassManager` runs."""

    Default = "Default"


class PassManager:
    """The passes of a strategy in order, as far as they are modelled."""

    def __init__(self, strategy: OptimizationStrategy = OptimizationStrategy.Default) -> None:
        self.strategy = strategy
        self._pipeline = PassPipeline(CONSTRUCTORS[name]() for name in ORDER)

    @staticmethod
    def get_strategy(strategy: OptimizationStrategy = OptimizationStrategy.Default) -> PassManager:
        return PassManager(strategy)

    @property
    def passes(self) -> tuple[Pass, ...]:
        return tuple(self._pipeline.get_passes())

    @property
    def pass_names(self) -> list[str]:
        return self._pipeline.get_pass_names()

    def run_passes(self, input_ir: Program, dump_ir: bool = False, output_dir: str | None = None) -> Program:
        """The program after all passes. With ``dump_ir`` the IR before the first and after each is written to
        ``output_dir``, in files that have the compiler's names. Raises ValueError when there is no folder to write to."""
        if not dump_ir:
            return self._pipeline.run(input_ir)
        if output_dir is None:
            raise ValueError("dump_ir needs an output_dir")
        folder = Path(output_dir)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"00_{FRONTEND.name}.py").write_text(print_program(input_ir), encoding="utf-8")

        def write(pass_: Pass, program: Program) -> None:
            number = DEFAULT_PIPELINE.index(pass_.get_name()) + 1
            path = folder / f"{number:02d}_after_{pass_.get_name()}.py"
            path.write_text(print_program(program), encoding="utf-8")

        outer = PassContext.current()
        instruments = [*(outer.get_instruments() if outer is not None else ()), CallbackInstrument(after_pass=write)]
        context = outer.with_instruments(instruments) if outer is not None else PassContext(instruments)
        with context:
            return self._pipeline.run(input_ir)


__all__ = [
    "CONSTRUCTORS",
    "OptimizationStrategy",
    "PassManager",
    "allocate_memory_addr",
    "auto_tile_matmul_l0",
    "canonicalize_io_order",
    "convert_tensor_to_tile_ops",
    "convert_to_ssa",
    "ctrl_flow_transform",
    "expand_mixed_kernel",
    "flatten_call_expr",
    "flatten_tile_nd_to_2d",
    "infer_tile_memory_space",
    "init_mem_ref",
    "inline_functions",
    "lower_auto_vector_split",
    "lower_pipeline_loops",
    "normalize_return_order",
    "normalize_stmt_structure",
    "outline_cluster_scopes",
    "outline_hierarchy_scopes",
    "outline_incore_scopes",
    "simplify",
    "unroll_loops",
]
