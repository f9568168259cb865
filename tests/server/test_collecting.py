"""When the garbage collector looks at what lives long."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable

import pytest

from pypto_lsp.server import collecting
from pypto_lsp.server.collecting import Collecting


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the collector."""
    found: list[str] = []
    monkeypatch.setattr(
        gc, "collect", lambda generation=2: found.append("collect" if generation == 2 else "collect new")
    )
    monkeypatch.setattr(gc, "freeze", lambda: found.append("freeze"))
    monkeypatch.setattr(collecting, "relax_collector", lambda: None)
    monkeypatch.setattr(collecting, "_QUIET", 0.0)
    return found


def told(steps: Callable[[Collecting], None], busy: Callable[[], bool] = lambda: False) -> None:
    """Tell of some events, then let the loop come to rest."""

    async def run() -> None:
        steps(Collecting(busy))
        for _ in range(20):
            await asyncio.sleep(0)

    asyncio.run(run())


def test_an_opened_document_is_looked_through_once(looked: list[str]) -> None:
    def steps(one: Collecting) -> None:
        one.opened("a.py")
        one.analysed("a.py")
        one.analysed("a.py")  # after an edit

    told(steps)
    assert looked == ["collect", "freeze"]


def test_edits_alone_are_no_reason(looked: list[str]) -> None:
    def steps(one: Collecting) -> None:
        one.edited()
        one.analysed("a.py")

    told(steps)
    assert looked == []


def test_nothing_is_looked_through_while_somebody_waits(looked: list[str]) -> None:
    answers = iter([True, True, False])

    def steps(one: Collecting) -> None:
        one.opened("a.py")
        one.analysed("a.py")

    told(steps, lambda: next(answers))
    assert looked == ["collect", "freeze"]
    assert next(answers, None) is None


def test_a_document_that_is_still_analysed_is_waited_for_unless_it_is_closed(looked: list[str]) -> None:
    def waiting(one: Collecting) -> None:
        one.opened("a.py")
        one.opened("b.py")
        one.analysed("a.py")

    told(waiting)
    assert looked == []

    def closed(one: Collecting) -> None:
        waiting(one)
        one.closed("b.py")

    told(closed)
    assert looked == ["collect", "freeze"]


def test_what_a_document_drops_that_falls_asleep_is_cleared_away_at_once(looked: list[str]) -> None:
    told(lambda one: one.fell_asleep(), lambda: True)
    assert looked == ["collect", "freeze"]


def test_what_checked_files_leave_behind_is_cleared_away(looked: list[str]) -> None:
    def steps(one: Collecting) -> None:
        one.checking()
        one.checked(dropped=collecting._MUCH)
        one.checked(dropped=1)
        one.checked(dropped=collecting._MUCH)
        one.postpone()

    told(steps)
    assert looked == ["freeze", "collect new", "collect", "collect new", "collect", "freeze"]
