"""A hard barrier in a launch that cannot bring all cores to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.visit import own_exprs, walk
from pypto_lsp.passes.core_affinity import kernel_lane
from pypto_lsp.passes.dead_code import without_dead_code
from pypto_lsp.passes.launches import (
    AIV_COUNT,
    CLUSTER_COUNT,
    Kernel,
    Launch,
    Width,
    assigned_in,
    barriers_of,
    hard_barriers,
    launches,
    width_of,
)
from pypto_lsp.verifiers.rule import Rule, RuleContext, related

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self, x: pl.Tensor[[576, 256], pl.FP32], o: pl.Out[pl.Tensor[[576, 256], pl.FP32]]
    ) -> pl.Tensor[[576, 256], pl.FP32]:
        b = pl.tile.get_block_idx()
        t = pl.load(x, [b * 8, 0], [8, 256])
        pl.system.syncall(core_type="aiv_only")
        o = pl.store(pl.exp(t), [b * 8, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self, x: pl.Tensor[[576, 256], pl.FP32], o: pl.Out[pl.Tensor[[576, 256], pl.FP32]]
    ) -> pl.Tensor[[576, 256], pl.FP32]:
"""
_MARKED = _FRAME.replace('pl.system.syncall(core_type="aiv_only")', '⟦pl.system.syncall(core_type="aiv_only")⟧')
_TAIL = "            o = self.stage(x, o)\n        return o\n"


class HardSyncallOccupancy(Rule):
    """
    ## What it does
    Looks at every launch (`pl.spmd`, `pl.spmd_submit`) of a kernel that holds a hard `pl.system.syncall`. The barrier waits
    for every physical core of its kind, so the launch must put exactly one block on each of them, all started together:
    48 vector cores or 24 core-groups on Ascend910B, 72 or 36 on Ascend950. The kind follows from what the kernel does: only
    vector work, only cube work, or both.

    ## Why is this bad
    A core that gets no block never arrives. All others spin until the device gives up with error 507018.

    ## Fix
    Size the launch with the matching query, `pl.system.available_aiv_count()` or `pl.system.available_cluster_count()`; add
    `sync_start=True`; let `core_type` name the cores that the kernel runs on. A part of the cores can only meet in soft mode.
    """

    rule_name = "HardSyncallOccupancy"
    ir_property = "HardSyncallOccupancyValid"
    codes = {0: "a hard barrier that not every core reaches"}
    stage = "ExpandMixedKernel"
    VALID = (_FRAME + "        with pl.spmd(pl.system.available_aiv_count(), sync_start=True):\n" + _TAIL,)
    INVALID = (
        _MARKED + "        with pl.spmd(24, sync_start=True):\n" + _TAIL,
        _MARKED + "        with pl.spmd(48):\n" + _TAIL,
    )

    def verify(self, program: ir.Program, context: RuleContext) -> list[Diagnostic]:
        """A launch in one function, a barrier in a kernel that a second one calls: the findings are the whole program's."""
        functions = (function for function in program.functions.values() if function.body is not None)
        if not any(context.pipeline.of_function(_waits, function) for function in functions):
            return []
        found = super().verify(program, context)
        if context.as_is or not found:
            return found
        return self._reached(super().verify(without_dead_code(program), context), program, context)

    def _reached(self, found: list[Diagnostic], program: ir.Program, context: RuleContext) -> list[Diagnostic]:
        """The findings at barriers that are still there when calls of helpers are expanded and what never runs is dropped."""
        live = without_dead_code(context.pipeline.expanded(program))
        stmts = (stmt for function in live.functions.values() for stmt in walk(function.body or ()))
        places = {node.span.key() for stmt in stmts for node in own_exprs(stmt) if node.span is not None}
        return [finding for finding in found if finding.span.key() in places]

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        found: dict[tuple[object, ...], Diagnostic] = {}
        assigned = assigned_in(program)
        for launch in launches(function, program):
            width = width_of(launch.width, assigned)
            if width.literal is None and width.query is None:
                continue
            for kernel in launch.kernels:
                for finding in self._kernel(kernel, launch, width, program, context):
                    known = found.get(finding.key())
                    found[finding.key()] = finding if known is None else _of_both_launches(known, finding)
        yield from found.values()

    def _kernel(
        self, kernel: Kernel, launch: Launch, width: Width, program: ir.Program, context: RuleContext
    ) -> Iterator[Diagnostic]:
        barriers = hard_barriers(kernel, program)
        if not barriers:
            return
        lanes = self._lanes(kernel, launch, program)
        for lane in lanes:
            if lane is Lane.MIXED:
                yield from self._gate(lane, barriers[0], kernel, launch, width, context)
                continue
            wanted = "aiv_only" if lane is Lane.VECTOR else "aic_only"
            for barrier in barriers:
                core_type = str(barrier.kwargs.get("core_type", "mix"))
                if len(lanes) > 1 and core_type not in ("mix", wanted):
                    continue  # the barrier belongs to the other half
                if core_type != wanted:
                    yield from self._unsatisfiable(lane, wanted, core_type, barrier, kernel, launch, width, context)
                else:
                    yield from self._gate(lane, barrier, kernel, launch, width, context)

    @staticmethod
    def _lanes(kernel: Kernel, launch: Launch, program: ir.Program) -> tuple[Lane, ...]:
        if kernel.func_type == "AIV":
            return () if kernel.dual_aiv else (Lane.VECTOR,)
        if kernel.func_type == "AIC":
            return (Lane.CUBE,)
        lane = kernel_lane(kernel.body, program)
        if lane is Lane.MIXED:
            return (Lane.CUBE, Lane.VECTOR) if launch.clustered else (Lane.MIXED,)
        return (Lane.CUBE,) if lane is Lane.CUBE else (Lane.VECTOR,)

    def _unsatisfiable(
        self,
        lane: Lane,
        wanted: str,
        core_type: str,
        barrier: ir.Call,
        kernel: Kernel,
        launch: Launch,
        width: Width,
        context: RuleContext,
    ) -> Iterator[Diagnostic]:
        required, query = _all_cores(lane, context)
        kind, missing = ("vector", "cube") if lane is Lane.VECTOR else ("cube", "vector")
        yield from self.finding(
            0,
            barrier.span,
            f"this barrier waits for {missing} cores too (core_type=\"{core_type}\"), but kernel '{kernel.name}' runs on "
            f'{kind} cores only, so it never opens; use core_type="{wanted}"',
            function=launch.function,
            related=related(launch.span, "launched here"),
            subject=(barrier, (launch,)),
            reason="unsatisfiable",
            core_type=core_type,
            wanted_core_type=wanted,
            kernel=kernel.name,
            required=required,
            query=query,
            fills=width in (Width(literal=required), Width(query=query)),
        )

    def _gate(
        self,
        lane: Lane,
        barrier: ir.Call,
        kernel: Kernel,
        launch: Launch,
        width: Width,
        context: RuleContext,
    ) -> Iterator[Diagnostic]:
        required, query = _all_cores(lane, context)
        cores = {Lane.VECTOR: "vector cores", Lane.CUBE: "cube cores", Lane.MIXED: "core-groups"}[lane]
        facts: dict[str, Any] = {
            "required": required,
            "query": query,
            "kernel": kernel.name,
            "core_type": str(barrier.kwargs.get("core_type", "mix")),
            "target": context.backend.name,
        }
        note = related(launch.width_span or launch.span, "launched here")
        if width.literal is not None and width.literal != required:
            yield from self.finding(
                0,
                barrier.span,
                f"kernel '{kernel.name}' has a hard barrier for all {required} {cores} of {context.backend.title}, but "
                f"{width.literal} blocks are launched; use pl.system.{query}()",
                function=launch.function,
                related=note,
                subject=(barrier, (launch,)),
                reason="occupancy",
                launched=width.literal,
                **facts,
            )
        elif width.query is not None and width.query != query:
            yield from self.finding(
                0,
                barrier.span,
                f"kernel '{kernel.name}' has a hard barrier for all {cores}, which pl.system.{query}() counts, not "
                f"pl.system.{width.query}()",
                function=launch.function,
                related=note,
                subject=(barrier, (launch,)),
                reason="query",
                used=width.query,
                **facts,
            )
        elif not launch.sync_start:
            yield from self.finding(
                0,
                barrier.span,
                f"kernel '{kernel.name}' has a hard barrier, so its blocks must start together: add sync_start=True "
                "(else the device may hang with error 507018)",
                function=launch.function,
                related=note,
                subject=(barrier, (launch,)),
                reason="sync_start",
                **facts,
            )


def _all_cores(lane: Lane, context: RuleContext) -> tuple[int, str]:
    """How many blocks a launch needs for all cores of a lane, and the query that counts them."""
    if lane is Lane.VECTOR:
        return context.backend.vector_cores, AIV_COUNT
    return context.backend.cube_cores, CLUSTER_COUNT


def _of_both_launches(one: Diagnostic, other: Diagnostic) -> Diagnostic:
    """One finding of a barrier that two launches reach; ``subject`` is the barrier and all launches."""
    barrier, sites = one.subject
    return replace(one, related=(*one.related, *other.related), subject=(barrier, (*sites, *other.subject[1])))


def _waits(function: ir.Function) -> bool:
    """Whether a function has a hard barrier."""
    return any(barriers_of(stmt) for stmt in walk(function.body or ()))
