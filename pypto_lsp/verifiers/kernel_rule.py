"""Rules that look at kernels on tiles one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir.nodes import Program
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.verifiers.rule import Rule, RuleContext


class KernelRule(Rule):
    """Base of rules for which each kernel stands for itself; what they find in it is found once."""

    def steps(self, program: Program, context: RuleContext) -> Iterator[None]:
        for kernel in context.kernels(program):
            if not kernel.kernel.uncertain:
                self._found(kernel, context)
                yield

    def verify(self, program: Program, context: RuleContext) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        for kernel in context.kernels(program):
            if not kernel.kernel.uncertain:
                found += self._found(kernel, context)
        return found

    def _found(self, kernel: TileKernel, context: RuleContext) -> tuple[Diagnostic, ...]:
        key = (self, context.backend.name)
        if key not in kernel.facts:
            kernel.facts[key] = tuple(self.kernel(kernel, context))
        return kernel.facts[key]

    def kernel(self, kernel: TileKernel, context: RuleContext) -> Iterable[Diagnostic]:
        """The findings in one kernel, which is wholly known."""
        raise NotImplementedError(type(self).__name__)


__all__ = ["KernelRule"]
