"""When open documents are analysed: in slices on the event loop, the newest edit first.

No threads. A slice ends after :data:`SLICE` seconds or at the next step behind it; between slices the loop handles messages.
Work on a text that has changed since is dropped. The front end begins at every key; what follows waits for a pause in the
typing that grows with its cost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from pypto_lsp.analysis.files import UnreadableFile
from pypto_lsp.analysis.report import FileReport

if TYPE_CHECKING:
    from pypto_lsp.analysis.workspace import Workspace

_LOG = logging.getLogger(__name__)
_T = TypeVar("_T")

#: longest time without a look at incoming messages (seconds)
SLICE = 0.008
#: bounds of the pause in the typing that whole-kernel work waits for (seconds), and its ratio to the work's last cost
_MIN_DELAY, _MAX_DELAY, _DELAY_RATIO = 0.03, 0.1, 2.0


def delay_for(cost: float) -> float:
    """How long to wait for a pause before work of a given cost (both in seconds)."""
    return min(_MAX_DELAY, max(_MIN_DELAY, _DELAY_RATIO * cost))


@dataclass(slots=True)
class _Job:
    """The state of one document's analysis. ``due`` is when its next slice may run; None: nothing to do."""

    path: str
    due: float | None = None
    edited: float = 0.0
    inputs: tuple[object, ...] | None = None
    steps: Iterator[FileReport | None] | None = None
    stage: str = ""
    #: the last report for the text as it is now
    last: FileReport | None = None
    waiting: list[tuple[bool, asyncio.Future[FileReport]]] = field(default_factory=list)


class Scheduler:
    """Analyses the documents it was told of. ``on_report`` gets every report as soon as there is one."""

    def __init__(self, workspace: Workspace, on_report: Callable[[FileReport], None]) -> None:
        self._workspace = workspace
        self._on_report = on_report
        self._jobs: dict[str, _Job] = {}
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # --- orders ------------------------------------------------------------------------------------------------

    def edited(self, path: str) -> None:
        """A document's text changed: analyse it first, and look at those that may depend on it after."""
        now = monotonic()
        job = self._job(path)
        job.edited = job.due = now
        job.last = None
        self.review(except_for=path)

    def review(self, except_for: str = "") -> None:
        """Something changed that any document may depend on: see which reports no longer hold."""
        for job in self._jobs.values():
            if job.path != except_for and (job.due is None or job.stage == "complete"):
                job.due = monotonic() + _MIN_DELAY
        self._start()

    def flush(self, path: str) -> None:
        """Do not wait any longer for a pause (the document was saved)."""
        job = self._jobs.get(path)
        if job is not None and job.due is not None:
            job.due = monotonic()
            self._start()

    def add(self, path: str) -> None:
        """Analyse a document from now on, once the client has had an answer to what it asks first."""
        self._job(path).due = monotonic() + _MIN_DELAY
        self._start()

    def remove(self, path: str) -> None:
        """Analyse a document no longer."""
        job = self._jobs.pop(path, None)
        for _, future in job.waiting if job else ():
            future.cancel()

    async def report(self, path: str, *, complete: bool, findings_alone: bool = False) -> FileReport:
        """The next report of a document for the text as it is now; with ``complete`` the last stage. With ``findings_alone`` it may
        lack what the document was lowered to."""
        job = self._job(path)
        if not findings_alone:
            self._workspace.wake(path)
        if not complete and job.last is not None and job.due is not None and job.steps is not None:
            return job.last  # the front end was faster than the question; what follows waits for a pause
        future: asyncio.Future[FileReport] = asyncio.get_running_loop().create_future()
        job.waiting.append((complete, future))
        if job.due is None:
            job.due = monotonic()
        self._start()
        return await future

    async def in_the_background(self, path: str, steps: Iterator[FileReport | None]) -> AsyncIterator[FileReport]:
        """Run an analysis of a file that is not open in slices, giving way to those of open documents. It ends early, without a
        complete report, when something that it depends on has changed meanwhile.

        Raises :class:`~pypto_lsp.analysis.files.UnreadableFile`."""
        end = monotonic() + SLICE
        for step in steps:
            if monotonic() >= end:
                inputs = self._workspace.inputs(path)
                await self._give_way()
                if inputs != self._workspace.inputs(path):
                    return
                end = monotonic() + SLICE
            if step is not None:
                yield step

    async def result(self, steps: Generator[None, None, _T]) -> _T:
        """What a computation gives that is run in slices, giving way to the analysis of open documents."""
        end = monotonic() + SLICE
        while True:
            try:
                next(steps)
            except StopIteration as done:
                return done.value
            if monotonic() >= end:
                await self._give_way()
                end = monotonic() + SLICE

    async def _give_way(self) -> None:
        """Let messages be handled, and the open documents that wait be analysed."""
        while self._pending():
            await asyncio.sleep(SLICE)
        await asyncio.sleep(0)

    def is_busy(self) -> bool:
        """Whether the analysis of some document is not complete."""
        return bool(self._pending())

    def _pending(self) -> list[_Job]:
        return [job for job in self._jobs.values() if job.due is not None]

    def _job(self, path: str) -> _Job:
        return self._jobs.setdefault(path, _Job(path))

    def _start(self) -> None:
        self._wake.set()
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._run())

    # --- work --------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            pending = self._pending()
            if not pending:
                return
            now = monotonic()
            ready = [job for job in pending if job.due is not None and job.due <= now]
            if not ready:
                self._wake.clear()
                await _wait(self._wake, min(job.due for job in pending if job.due is not None) - now)
                continue
            self._slice(min(ready, key=self._urgency))
            await asyncio.sleep(0)

    def _urgency(self, job: _Job) -> tuple[bool, float, float]:
        """Sorts jobs: the newest edit first. A document that rests is made anew as a whole, so it comes last unless somebody waits
        for it."""
        return (not job.waiting and self._workspace.rests(job.path), -job.edited, job.due or 0.0)

    def _slice(self, job: _Job) -> None:
        end = monotonic() + SLICE
        try:
            inputs = self._workspace.inputs(job.path)
            if job.steps is None or job.inputs != inputs:
                job.inputs, job.steps, job.stage = inputs, self._workspace.steps(job.path), ""
                job.last = None
            while monotonic() < end and not self._advance(job):
                pass
            # what the text depends on is known better after each step
            job.inputs = self._workspace.inputs(job.path)
        except UnreadableFile:
            self._deliver(job, FileReport(job.path, "complete"))
            self._finish(job)
        except Exception:  # a defect of ours: the document shows nothing until it changes, the server lives on
            _LOG.exception("internal error while analysing %s", job.path)
            self._deliver(job, FileReport(job.path, "complete"))
            self._finish(job)

    def _advance(self, job: _Job) -> bool:
        """Run one step; true when the slice should end."""
        assert job.steps is not None
        step = next(job.steps)
        if step is None:
            return False
        job.stage, job.last = step.stage, step
        self._deliver(job, step)
        if step.complete:
            self._finish(job)
            return True
        if step.stage == "front_end":
            # the pause counts from here: the next key often comes right after the answer, and a step of what follows is long
            job.due = monotonic() + delay_for(self._workspace.seconds(job.path))
            return True
        return False

    def _finish(self, job: _Job) -> None:
        """An analysis is through; who has come to wait since the last report is answered by the next one."""
        job.steps, job.last = None, None
        job.due = monotonic() if job.waiting else None

    def _deliver(self, job: _Job, report: FileReport) -> None:
        try:
            self._on_report(report)
        except Exception:  # a defect of ours in showing a report must not keep others waiting for theirs
            _LOG.exception("internal error while reporting on %s", report.path)
        waiting, job.waiting = job.waiting, []
        for complete, future in waiting:
            if complete and not report.complete:
                job.waiting.append((complete, future))
            elif not future.done():
                future.set_result(report)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except asyncio.TimeoutError:
        return
