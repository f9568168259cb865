"""PH-MR-001: a pipelined loop has not enough memory for its stages."""

from __future__ import annotations

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir.nodes import Program
from pypto_lsp.passes.memory import ShallowPipeline, shallow_pipelines
from pypto_lsp.passes.tile_kernels import TileKernel, tile_kernels
from pypto_lsp.verifiers.rule import Rule, RuleContext, related

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(
        self, x: pl.Tensor[[512, 512], pl.FP32], o: pl.Out[pl.Tensor[[512, 512], pl.FP32]]
    ) -> pl.Tensor[[512, 512], pl.FP32]:
        for i in pl.pipeline(8, stage=2):
            t = {load}
            o = pl.store(t, [i * 64, 0], o)
        return o
"""


class PipelineDepth(Rule):
    """
    ## What it does
    Reports a pipelined loop with a tile that does not fit its memory space once per stage.

    ## Why is this bad
    Stages that share a buffer wait for each other: the loop runs with fewer stages than it asks for.

    ## Fix
    Make the tile smaller, or ask for as many stages as fit.
    """

    rule_name = "MemoryReuse"
    codes = {0: "a pipelined loop has not enough memory for its stages"}
    severity = Severity.PERF_HINT
    hint_code = "PH-MR-001"
    stage = "MemoryReuse"
    VALID = (_FRAME.format(load="pl.load(x, [i * 64, 0], [32, 512])"),)
    INVALID = (_FRAME.format(load="⟦pl.load(x, [i * 64, 0], [64, 512])⟧"),)

    def verify(self, program: Program, context: RuleContext) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        for kernel in tile_kernels(program, context.backend):
            if not kernel.kernel.uncertain:
                for shallow in shallow_pipelines(kernel, context.backend):
                    found.extend(self._hint(shallow, kernel, context))
        return found

    def _hint(self, shallow: ShallowPipeline, kernel: TileKernel, context: RuleContext) -> list[Diagnostic]:
        buffer = shallow.buffer
        limit = context.backend.memory[buffer.space]
        message = (
            f"the loop asks for {shallow.requested} stages and {shallow.achieved} fit: this tile takes {buffer.size} of "
            f"{limit} bytes of {buffer.space}"
        )
        return list(
            self.finding(
                0,
                buffer.span,
                message,
                function=kernel.function,
                related=related(shallow.loop.span, "the pipelined loop"),
                subject=buffer,
                requested=shallow.requested,
                achieved=shallow.achieved,
                space=buffer.space,
                bytes=buffer.size,
                limit=limit,
            )
        )
