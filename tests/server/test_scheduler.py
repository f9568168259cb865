"""When documents are analysed, with a workspace that only pretends to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import sleep
from typing import cast

from pypto_lsp.analysis.files import UnreadableFile
from pypto_lsp.analysis.report import FileReport
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.server.scheduler import SLICE, Scheduler, delay_for


@dataclass
class Pretence:
    """A workspace whose documents are version numbers; an analysis gives a first and a complete report."""

    versions: dict[str, int] = field(default_factory=dict)
    started: list[tuple[str, int]] = field(default_factory=list)
    steps_between: int = 3
    #: what happens in some step of a document's analysis
    at_step: dict[tuple[str, int], Callable[[], None]] = field(default_factory=dict)

    def inputs(self, path: str) -> tuple[object, ...]:
        return (self.versions[path],)

    def seconds(self, path: str) -> float:
        return 0.0

    def wake(self, path: str) -> bool:
        return False

    def rests(self, path: str) -> bool:
        return path.startswith("resting")

    def steps(self, path: str) -> Iterator[FileReport | None]:
        self.started.append((path, self.versions[path]))
        if path == "unreadable":
            raise UnreadableFile(path, "said")
        if path == "broken":
            raise RuntimeError("a defect")
        yield FileReport(path, "front_end")
        for number in range(self.steps_between):
            self.at_step.get((path, number), lambda: None)()
            yield None
        yield FileReport(path, "complete")


def scheduled(workspace: Pretence) -> tuple[Scheduler, list[tuple[str, str, int]]]:
    reports: list[tuple[str, str, int]] = []

    def on_report(report: FileReport) -> None:
        reports.append((report.path, report.stage, workspace.versions[report.path]))

    return Scheduler(cast(Workspace, workspace), on_report), reports


async def test_a_document_is_reported_first_and_completely() -> None:
    workspace = Pretence({"a": 1})
    scheduler, reports = scheduled(workspace)
    scheduler.add("a")
    report = await scheduler.report("a", complete=True)
    assert report.complete
    assert reports == [("a", "front_end", 1), ("a", "complete", 1)]


async def test_the_first_report_can_be_had_alone() -> None:
    scheduler, reports = scheduled(Pretence({"a": 1}))
    scheduler.add("a")
    assert (await scheduler.report("a", complete=False)).stage == "front_end"
    assert [stage for _, stage, _ in reports] == ["front_end"]


async def test_a_newer_edit_ends_an_older_ones_work() -> None:
    workspace = Pretence({"a": 1})
    scheduler, reports = scheduled(workspace)
    scheduler.add("a")
    await scheduler.report("a", complete=False)
    for version in range(2, 6):
        workspace.versions["a"] = version
        scheduler.edited("a")
    await scheduler.report("a", complete=True)
    assert ("a", "complete", 5) in reports
    assert not any(stage == "complete" and version < 5 for _, stage, version in reports)


async def test_the_edited_document_comes_before_the_others() -> None:
    workspace = Pretence({"a": 1, "b": 1, "c": 1})
    scheduler, _ = scheduled(workspace)
    for path in "abc":
        scheduler.add(path)
    for path in "abc":
        await scheduler.report(path, complete=True)
    workspace.started.clear()
    for path in "abc":
        workspace.versions[path] = 2
    scheduler.edited("c")
    await asyncio.gather(*(scheduler.report(path, complete=True) for path in "abc"))
    assert workspace.started[0] == ("c", 2)
    assert set(workspace.started) == {("a", 2), ("b", 2), ("c", 2)}


async def test_many_requests_share_one_analysis() -> None:
    workspace = Pretence({"a": 1})
    scheduler, _ = scheduled(workspace)
    await asyncio.gather(*(scheduler.report("a", complete=True) for _ in range(5)))
    assert workspace.started == [("a", 1)]


async def test_faults_are_answered_with_nothing_to_say() -> None:
    scheduler, reports = scheduled(Pretence({"broken": 1, "unreadable": 1, "a": 1}))
    for path in ("broken", "unreadable", "a"):
        assert (await scheduler.report(path, complete=True)).diagnostics == ()
    assert [path for path, stage, _ in reports if stage == "complete"] == ["broken", "unreadable", "a"]


async def test_a_closed_document_cancels_who_waits_for_it() -> None:
    scheduler, reports = scheduled(Pretence({"a": 1}))
    waiting = asyncio.ensure_future(scheduler.report("a", complete=True))
    await asyncio.sleep(0)
    scheduler.remove("a")
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    assert not any(stage == "complete" for _, stage, _ in reports)


async def test_messages_are_handled_between_the_slices() -> None:
    workspace = Pretence({"a": 1}, steps_between=0)
    beats = 0

    def slow_steps(path: str) -> Iterator[FileReport | None]:
        yield FileReport(path, "front_end")
        for _ in range(200):
            sum(range(40_000))
            yield None
        yield FileReport(path, "complete")

    workspace.steps = slow_steps  # type: ignore[method-assign]
    scheduler, _ = scheduled(workspace)

    async def heart() -> None:
        nonlocal beats
        while True:
            beats += 1
            await asyncio.sleep(0)

    beating = asyncio.ensure_future(heart())
    await scheduler.report("a", complete=True)
    beating.cancel()
    assert beats > 3


def test_the_pause_grows_with_the_cost_within_bounds() -> None:
    assert delay_for(0.0) == 0.03
    assert delay_for(0.04) == 0.08
    assert delay_for(5.0) == 0.1


async def test_documents_that_rest_come_last() -> None:
    workspace = Pretence({"resting": 1, "a": 1, "b": 1})
    scheduler, reports = scheduled(workspace)
    for path in workspace.versions:
        scheduler.add(path)
    await scheduler.report("b", complete=True)
    while scheduler.is_busy():
        await asyncio.sleep(0.01)
    assert [path for path, stage, _ in reports if stage == "complete"][-1] == "resting"


async def test_a_resting_document_that_is_waited_for_does_not_come_last() -> None:
    workspace = Pretence({"resting": 1, "a": 1}, steps_between=50)
    scheduler, reports = scheduled(workspace)
    scheduler.add("a")
    await scheduler.report("resting", complete=True)
    assert reports[-1] == ("resting", "complete", 1)


async def test_an_edit_overtakes_what_has_waited_longer() -> None:
    workspace = Pretence({"a": 1, "b": 1}, steps_between=100)
    scheduler, reports = scheduled(workspace)

    def edit() -> None:
        workspace.versions["b"] = 2
        scheduler.edited("b")
        sleep(2 * SLICE)  # the end of a slice

    workspace.at_step[("a", 50)] = edit
    for path in ("a", "b"):
        scheduler.add(path)
    await scheduler.report("a", complete=True)
    assert reports.index(("b", "front_end", 2)) < reports.index(("a", "complete", 1))


async def test_work_in_the_background_ends_when_it_no_longer_holds() -> None:
    workspace = Pretence({"a": 1}, steps_between=10)
    scheduler, _ = scheduled(workspace)

    async def stages(version_after: int) -> list[str]:
        found = []
        async for report in scheduler.in_the_background("a", workspace.steps("a")):
            found.append(report.stage)
            asyncio.get_running_loop().call_soon(workspace.versions.update, {"a": version_after})
        return found

    workspace.at_step[("a", 5)] = lambda: sleep(2 * SLICE)  # the end of a slice
    assert await stages(1) == ["front_end", "complete"]
    assert await stages(2) == ["front_end"]


async def test_who_asks_right_after_the_last_report_is_answered() -> None:
    """Taking the report lasts so long that the slice ends with it; the next message comes before the next slice."""
    workspace = Pretence({"a": 1})
    asked: list[asyncio.Future[FileReport]] = []

    def on_report(report: FileReport) -> None:
        if report.complete and not asked:
            asked.append(asyncio.ensure_future(scheduler.report("a", complete=True)))
            sleep(2 * SLICE)

    scheduler = Scheduler(cast(Workspace, workspace), on_report)
    scheduler.add("a")
    assert (await scheduler.report("a", complete=True)).complete
    assert (await asyncio.wait_for(asked[0], 5)).complete
    assert not scheduler.is_busy()
