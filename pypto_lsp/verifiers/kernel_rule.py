"""Rules that look at kernels on tiles one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir.nodes import Function, Program
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


_Around = TypeVar("_Around")


class SurroundedKernelRule(Rule, Generic[_Around]):
    """Base of rules for which a kernel stands for itself, but for a few things that the function around it has; what they find in
    it is found again only when those are others."""

    def steps(self, program: Program, context: RuleContext) -> Iterator[None]:
        for _ in self._each(program, context):
            yield

    def verify(self, program: Program, context: RuleContext) -> list[Diagnostic]:
        return [found for kernel in self._each(program, context) for found in kernel]

    def _each(self, program: Program, context: RuleContext) -> Iterator[tuple[Diagnostic, ...]]:
        functions = context.pipeline.expanded(program).functions
        surroundings: dict[str, _Around] = {}
        key = (self, context.backend.name)
        for kernel in context.kernels(program):
            name = kernel.function.name
            if name not in functions or kernel.kernel.uncertain or not self.may_find(kernel, context):
                continue
            if name not in surroundings:
                surroundings[name] = self.around(functions[name], context)
            known = kernel.facts.get(key)
            if known is None or known[0] != surroundings[name]:
                found = tuple(self.kernel(kernel, surroundings[name], context))
                known = kernel.facts[key] = (surroundings[name], found)
            yield known[1]

    def may_find(self, kernel: TileKernel, context: RuleContext) -> bool:
        """Whether a kernel holds anything to look into: a quick look that spares most of them the rest."""
        return True

    def around(self, function: Function, context: RuleContext) -> _Around:
        """What the rule asks of a function; two answers that mean the same are equal."""
        raise NotImplementedError(type(self).__name__)

    def kernel(self, kernel: TileKernel, around: _Around, context: RuleContext) -> Iterable[Diagnostic]:
        """The findings in one kernel, which is wholly known."""
        raise NotImplementedError(type(self).__name__)


__all__ = ["KernelRule", "SurroundedKernelRule"]
