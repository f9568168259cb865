"""Who types without a pause, so that no analysis comes to its end, does not fill the memory."""

from __future__ import annotations

import gc
from functools import partial
from pathlib import Path

from test_workspace import KERNELS, edit

from pypto_lsp.analysis.again import Again
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.frontend.imports import Outcome
from pypto_lsp.passes.reuse import MOST_GIVEN_UP, Table


def outcomes() -> int:
    gc.collect()
    return sum(isinstance(each, Outcome) for each in gc.get_objects())


def test_what_earlier_texts_were_evaluated_to_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "sizes.py").write_text("COLS = 128\n", encoding="utf-8")
    workspace, path = Workspace((str(tmp_path),), Settings()), str(tmp_path / "kernels.py")
    workspace.open(path, KERNELS)
    workspace.check(path)
    place = KERNELS.index("0.5") + 3
    before = outcomes()
    for digit in range(40):
        edit(workspace, path, place, place + (digit > 0), str(digit % 10))
        workspace.front_end(path)
    assert outcomes() <= before + 4


def test_a_table_keeps_what_a_few_runs_found_that_were_given_up() -> None:
    table: Table[int] = Table()
    table.begin_run()
    table.keep("whole", 0)
    table.end_run()
    sizes = []
    for number in range(3 * MOST_GIVEN_UP):
        table.begin_run()
        assert table.find("whole") == 0
        assert number == 0 or table.find(number - 1) == number - 1
        table.keep(number, number)
        sizes.append(len(table))
    assert max(sizes) <= MOST_GIVEN_UP + 1
    table.end_run(whole=False)
    table.begin_run()
    assert table.find("whole") == 0 and table.find(3 * MOST_GIVEN_UP - 1) is not None


def test_results_of_the_last_run_that_was_given_up_count() -> None:
    again: Again[str] = Again()
    held = object()

    def never() -> str:
        raise AssertionError

    again.find("whole", held, lambda: "w")
    again.end_run()
    for number in range(3):
        again.begin_run()
        assert again.find("whole", held, never) == "w"
        assert number == 0 or again.find(number - 1, held, never) == str(number - 1)
        again.find(number, held, partial(str, number))
    again.begin_run()
    again.end_run()
    assert again.find("whole", held, lambda: "made anew") == "made anew"
