"""Documents that are not in work keep their findings alone; files on disk that nobody needs are dropped. Neither shows."""

from __future__ import annotations

import gc
import random
from pathlib import Path

import pytest
from generated_kernels import SIZES, generated
from test_workspace import KERNELS, edit, fresh, told

from pypto_lsp.analysis import workspace as workspace_module
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.syntax import SyntaxTree
from pypto_lsp.text.stepwise import finished


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """One document is awake, no spare file is kept."""
    monkeypatch.setattr(workspace_module, "_AWAKE_CHARACTERS", 0)
    monkeypatch.setattr(workspace_module, "_SPARE_CHARACTERS", 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sizes.py").write_text("COLS = 128\n", encoding="utf-8")
    return tmp_path


def opened(folder: Path, **texts: str) -> tuple[Workspace, list[str]]:
    workspace = Workspace((str(folder),), Settings())
    paths = [str(folder / f"{name}.py") for name in texts]
    for path, text in zip(paths, texts.values()):
        workspace.open(path, text)
    return workspace, paths


def test_what_rests_keeps_its_findings(folder: Path) -> None:
    workspace, (kernels, other) = opened(folder, kernels=KERNELS, other=KERNELS)
    before = workspace.check(kernels)
    workspace.check(other)
    asleep = workspace.check(kernels)
    assert (asleep.units, before.units != ()) == ((), True)
    assert [d.key() for d in asleep.diagnostics] == [d.key() for d in before.diagnostics]
    assert [report.path for report in workspace.slept()] == [kernels]
    assert workspace.slept() == []
    assert workspace.is_current(kernels)


def test_it_wakes_when_more_is_wanted(folder: Path) -> None:
    workspace, (kernels, other) = opened(folder, kernels=KERNELS, other=KERNELS)
    workspace.check(kernels)
    workspace.check(other)
    assert workspace.wake(kernels)
    assert told(workspace.check(kernels)) == fresh(folder, KERNELS)
    assert not workspace.wake(kernels)
    assert workspace.wake(other)  # which fell asleep for it


def test_it_wakes_when_it_is_edited(folder: Path) -> None:
    workspace, (kernels, other) = opened(folder, kernels=KERNELS, other=KERNELS)
    workspace.check(kernels)
    workspace.check(other)
    text = KERNELS.replace("[16, COLS]", "[32, COLS]")
    place = KERNELS.index("[16, COLS]") + 1
    edit(workspace, kernels, place, place + 2, "32")
    assert told(workspace.check(kernels)) == fresh(folder, text)


def test_looking_at_others_does_not_send_the_edited_one_to_sleep(folder: Path) -> None:
    workspace, (kernels, other, third) = opened(folder, kernels=KERNELS, other=KERNELS, third=KERNELS)
    for path in (kernels, other, third):
        workspace.check(path)
    edit(workspace, kernels, 0, 0, "# ")
    workspace.check(kernels)
    for path in (other, third):
        assert workspace.wake(path)
        workspace.check(path)
    assert not workspace.wake(kernels)
    assert workspace.wake(other)


def test_a_change_elsewhere_reaches_it_in_its_sleep(folder: Path) -> None:
    workspace, (kernels, other) = opened(folder, kernels=KERNELS, other=KERNELS)
    workspace.check(kernels)
    workspace.check(other)
    sizes = str(folder / "sizes.py")
    workspace.open(sizes, "COLS = 32\n")
    assert not workspace.is_current(kernels)
    changed = [d.key() for d in workspace.check(kernels).diagnostics]
    (folder / "sizes.py").write_text("COLS = 32\n", encoding="utf-8")
    alone, (path,) = opened(folder, kernels=KERNELS)
    assert changed == [d.key() for d in alone.check(path).diagnostics]


NARROW = """\
import pypto.language as pl

COLS = 64


@pl.program
class Copy:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[64, 512], pl.FP32], out: pl.Out[pl.Tensor[[64, 512], pl.FP32]]
    ) -> pl.Tensor[[64, 512], pl.FP32]:
        tile = pl.load(x, [0, 0], [64, COLS])
        out = pl.store(tile, [0, 0], out)
        return out
"""


def test_fixes_of_a_sleeper_can_be_sought(folder: Path) -> None:
    workspace, (kernels, other) = opened(folder, kernels=NARROW, other=KERNELS)
    workspace.check(kernels)
    workspace.check(other)
    asleep = workspace.check(kernels).diagnostics[0]
    assert (asleep.code, asleep.fixes) == ("PH001", ())
    workspace.wake(kernels)
    workspace.check(kernels)
    fixed = finished(workspace.all_fixes(kernels, asleep))
    assert [fix.title for fix in fixed.fixes] == ["COLS 64 -> 128: rows of 512 B"]


@pytest.mark.parametrize("seed", range(6))
def test_random_work_in_several_documents(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    texts = {"one": generated(seed), "two": generated(seed + 50), "sizes": SIZES}
    workspace, paths = opened(tmp_path, **texts)
    current = list(texts.values())
    for _ in range(30):
        which = rng.randrange(3)
        digits = [at for at, character in enumerate(current[which]) if character.isdigit()]
        at, new = rng.choice(digits), rng.choice("123468")
        edit(workspace, paths[which], at, at + 1, new)
        current[which] = current[which][:at] + new + current[which][at + 1 :]
        looked_at = rng.randrange(2)
        list(zip(range(rng.randrange(40)), workspace.steps(paths[which])))
        workspace.wake(paths[looked_at])
        alone, _ = opened(tmp_path, **dict(zip(texts, current)))
        assert told(workspace.check(paths[looked_at])) == told(alone.check(paths[looked_at]))


def test_passes_are_kept_for_edits_alone_where_not_all_can_be_awake(folder: Path) -> None:
    workspace, (kernels, other) = opened(folder, kernels=KERNELS, other=KERNELS)
    workspace.check(kernels)
    workspace.check(other)
    assert workspace._pipelines[other].size == 0
    edit(workspace, other, 0, 0, "\n")
    workspace.check(other)
    kept = workspace._pipelines[other].size
    assert kept > 0
    workspace.wake(kernels)
    workspace.check(kernels)
    assert workspace._pipelines[other].size == kept


# --- files on disk ---------------------------------------------------------------------------------------------------


def trees() -> set[str]:
    """The files of which there is a tree anywhere."""
    gc.collect()
    return {Path(tree.source.path).name for tree in gc.get_objects() if isinstance(tree, SyntaxTree)}


def test_files_that_nobody_needs_are_dropped(folder: Path) -> None:
    (folder / "kernels.py").write_text(KERNELS, encoding="utf-8")
    (folder / "others.py").write_text("ROWS = 8\n", encoding="utf-8")
    (folder / "more.py").write_text(
        KERNELS.replace("from sizes import COLS", "from others import ROWS as COLS"), encoding="utf-8"
    )
    workspace = Workspace((str(folder),), Settings())
    for name in ("kernels.py", "more.py"):
        list(workspace.findings(str(folder / name)))
        workspace.release(str(folder / name))
    assert trees() & {"kernels.py", "sizes.py", "more.py", "others.py"} == {"more.py", "others.py"}


def test_what_an_open_document_needs_stays(folder: Path) -> None:
    (folder / "more.py").write_text("import pypto.language as pl\nimport other\n", encoding="utf-8")
    (folder / "other.py").write_text("X = 1\n", encoding="utf-8")
    workspace, (kernels,) = opened(folder, kernels=KERNELS)
    report = workspace.check(kernels)
    for _ in range(2):
        list(workspace.findings(str(folder / "more.py")))
        workspace.release(str(folder / "more.py"))
    assert "sizes.py" in trees()
    place = KERNELS.index("0.5")
    edit(workspace, kernels, place, place + 3, "0.25")
    again = workspace.check(kernels)
    kept = {unit.name for unit in report.units} & {unit.name for unit in again.units}
    untouched = [u for u in report.units if u.name == "P"]
    assert kept and untouched
    assert next(u for u in again.units if u.name == "P").program.functions["k"] is untouched[0].program.functions["k"]


def test_findings_share_the_text_of_a_file_that_is_read_again(folder: Path) -> None:
    (folder / "kernels.py").write_text(KERNELS, encoding="utf-8")
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    *_, first = workspace.findings(path)
    assert first is not None
    first = first.without_units()
    workspace.release(path)
    workspace.sources.forget(path)
    *_, second = workspace.findings(path)
    assert second is not None
    assert first.diagnostics[0].span.source is second.diagnostics[0].span.source


def test_the_text_of_a_file_that_is_dropped_rests(folder: Path) -> None:
    (folder / "kernels.py").write_text(KERNELS, encoding="utf-8")
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    *_, report = workspace.findings(path)
    assert report is not None
    found = report.without_units().diagnostics[0]
    before = found.span.text
    workspace.release(path)
    workspace.sources.forget(path)
    assert found.span.source.lines.content._text is None
    assert found.span.text == before
