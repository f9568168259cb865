"""PH-MR-001: a pipelined loop has not enough memory for its stages."""

from __future__ import annotations

from collections.abc import Iterable

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.passes.memory import ShallowPipeline, shallow_pipelines
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.verifiers.kernel_rule import KernelRule
from pypto_lsp.verifiers.rule import RuleContext, related

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(
        self, x: pl.Tensor[[512, 512], pl.FP32], o: pl.Out[pl.Tensor[[512, 512], pl.FP32]]
    ) -> pl.Tensor[[512, 512], pl.FP32]:
        {loop}
            t = pl.load(x, [i * 64, 0], [{rows}, 512])
            o = pl.store(t, [i * 64, 0], o)
        return o
"""


class PipelineDepth(KernelRule):
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
    VALID = (_FRAME.format(loop="for i in pl.pipeline(8, stage=2):", rows=32),)
    INVALID = (_FRAME.format(loop="⟦for i in pl.pipeline(8, stage=2):⟧", rows=64),)

    def kernel(self, kernel: TileKernel, context: RuleContext) -> Iterable[Diagnostic]:
        for shallow in _worst(shallow_pipelines(kernel, context.backend)):
            yield from self._hint(shallow, kernel, context)

    def _hint(self, shallow: ShallowPipeline, kernel: TileKernel, context: RuleContext) -> Iterable[Diagnostic]:
        buffer = shallow.buffer
        limit = context.backend.memory[buffer.space]
        return self.finding(
            0,
            shallow.loop.span,
            f"the loop asks for {shallow.requested} stages and {shallow.achieved} fit: one of its tiles takes {buffer.size} "
            f"of {limit} bytes of {buffer.space}",
            function=kernel.function,
            related=related(buffer.span, f"{buffer.size} bytes of {buffer.space}"),
            subject=shallow,
            requested=shallow.requested,
            achieved=shallow.achieved,
            space=buffer.space,
            bytes=buffer.size,
            limit=limit,
        )


def _worst(pipelines: Iterable[ShallowPipeline]) -> list[ShallowPipeline]:
    """Of each loop the tile that leaves the fewest stages."""
    worst: dict[int, ShallowPipeline] = {}
    for shallow in pipelines:
        known = worst.setdefault(id(shallow.loop), shallow)
        if shallow.achieved < known.achieved:
            worst[id(shallow.loop)] = shallow
    return list(worst.values())
