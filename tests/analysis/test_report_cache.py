"""Findings kept on disk: equal to fresh ones, gone when anything they were made from changes, harmless when damaged."""

from __future__ import annotations

import json
import multiprocessing
import os
import zlib
from pathlib import Path

import pytest

from pypto_lsp.analysis import report_cache
from pypto_lsp.analysis.digests import digest
from pypto_lsp.analysis.portable import BadForm, from_plain, packed, to_plain
from pypto_lsp.analysis.report import FileReport
from pypto_lsp.analysis.report_cache import VARIABLE, ReportCache, default_cache
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace

KERNEL = """\
import pypto.language as pl
from config import ROWS


@pl.function
def scale(x: pl.Tensor[[ROWS, 256], pl.FP32]) -> pl.Tensor[[ROWS, 256], pl.FP32]:
    dead = pl.exp(x)
    y: pl.Tensor[[64, 256], pl.FP32] = pl.neg(x)
    return y
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "kernel.py").write_text(KERNEL)
    (tmp_path / "work" / "config.py").write_text("ROWS = 64\n")
    return tmp_path


def workspace(folder: Path, **settings: object) -> Workspace:
    cache = ReportCache(folder / "cache")
    return Workspace([str(folder / "work")], Settings(**settings), cache=cache)  # type: ignore[arg-type]


def kernel(folder: Path) -> str:
    return str(folder / "work" / "kernel.py")


def findings(asked: Workspace, path: str) -> FileReport:
    *_, report = (step for step in asked.findings(path) if step is not None)
    return report


def shown(report: FileReport) -> list[object]:
    return [packed(diagnostic) for diagnostic in report.diagnostics]


def filled(folder: Path) -> list[object]:
    """The findings of the kernel, which are in the cache then."""
    report = findings(workspace(folder), kernel(folder))
    assert report.diagnostics and workspace(folder).kept(kernel(folder)) is not None
    return shown(report)


def entry(folder: Path) -> Path:
    (only,) = (folder / "cache").glob("??/*")
    return only


def test_kept_findings_equal_fresh_ones(folder: Path) -> None:
    fresh = filled(folder)
    kept = workspace(folder).kept(kernel(folder))
    assert kept is not None and kept.complete
    assert shown(kept) == fresh


def test_kept_findings_take_the_place_of_an_analysis(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = filled(folder)
    monkeypatch.setattr(Workspace, "steps", lambda *_: pytest.fail("analysed again"))
    assert shown(findings(workspace(folder), kernel(folder))) == fresh


@pytest.mark.parametrize(
    "change",
    [
        lambda work: (work / "kernel.py").write_text(KERNEL + "\n"),
        lambda work: (work / "config.py").write_text("ROWS = 32\n"),
        lambda work: (work / "config.py").unlink(),
        # a package beside the module: looked for in vain before, and found first now
        lambda work: [(work / "pypto").mkdir(), (work / "config.py").rename(work / "other.py")],
    ],
)
def test_a_change_of_anything_that_was_read_makes_them_void(folder: Path, change: object) -> None:
    filled(folder)
    change(folder / "work")  # type: ignore[operator]
    assert workspace(folder).kept(kernel(folder)) is None


def test_a_file_that_was_looked_for_in_vain_counts(folder: Path) -> None:
    (folder / "work" / "config.py").unlink()
    findings(workspace(folder), kernel(folder))
    assert workspace(folder).kept(kernel(folder)) is not None
    (folder / "work" / "config.py").write_text("ROWS = 64\n")
    assert workspace(folder).kept(kernel(folder)) is None


def test_texts_of_open_documents_count_not_those_on_disk(folder: Path) -> None:
    filled(folder)
    other = workspace(folder)
    other.open(str(folder / "work" / "config.py"), "ROWS = 32\n")
    assert other.kept(kernel(folder)) is None
    other = workspace(folder)
    (folder / "work" / "config.py").write_text("ROWS = 32\n")
    other.open(str(folder / "work" / "config.py"), "ROWS = 64\n")
    filled(folder)
    assert other.kept(kernel(folder)) is None  # the entry is of ROWS = 32 now


def test_settings_and_roots_are_part_of_the_question(folder: Path) -> None:
    filled(folder)
    assert workspace(folder, warning_level="none").kept(kernel(folder)) is None
    assert workspace(folder, disabled=("UnusedVariableCheck",)).kept(kernel(folder)) is None
    assert workspace(folder, hint_severity="information").kept(kernel(folder)) is not None
    assert Workspace([], cache=ReportCache(folder / "cache")).kept(kernel(folder)) is None


def test_another_program_does_not_see_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(folder)
    monkeypatch.setattr(report_cache, "_program", lambda: "another version")
    assert workspace(folder).kept(kernel(folder)) is None


# --- damage ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\0" * 5000])
def test_a_damaged_entry_is_a_miss_and_goes(folder: Path, damage: bytes) -> None:
    filled(folder)
    path = entry(folder)
    path.write_bytes(damage)
    assert workspace(folder).kept(kernel(folder)) is None
    assert not path.exists()


def test_every_flipped_byte_is_noticed(folder: Path) -> None:
    filled(folder)
    path = entry(folder)
    whole = path.read_bytes()
    for at in range(0, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert workspace(folder).kept(kernel(folder)) is None
    for end in range(0, len(whole), 50):
        path.write_bytes(whole[:end])
        assert workspace(folder).kept(kernel(folder)) is None


def forged(path: Path, change: object) -> None:
    """Change the content of an entry and give it the checksum that belongs to it."""
    data = path.read_bytes()
    magic, _, packed_content = data.split(b"\n", 2)
    content = json.loads(zlib.decompress(packed_content))
    content = change(content) or content  # type: ignore[operator]
    packed_content = zlib.compress(json.dumps(content).encode())
    path.write_bytes(magic + b"\n" + digest(packed_content).encode() + b"\n" + packed_content)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: [1],
        lambda c: c.update(key="0" * 40),
        lambda c: c.update(read=[]),
        lambda c: c.update(read={"/etc/hosts": 1}),
        lambda c: c["findings"].append(3),
        lambda c: c["findings"][0].pop(),
        lambda c: c["findings"][0].__setitem__(0, "fatal"),
        lambda c: c["findings"][0].__setitem__(4, {"message": 1}),
        lambda c: c["findings"][0].__setitem__(5, ["kernel.py", 0]),
        lambda c: c["findings"][0][5].__setitem__(2, 10**6),
        lambda c: c["findings"][0][5].__setitem__(1, -1),
        lambda c: c["findings"][0][5].__setitem__(0, "/etc/hosts"),
        lambda c: c["findings"][0].__setitem__(7, [["Fix it", True, [[["/etc/hosts", 0, 0], "x"]]]]),
    ],
)
def test_well_formed_nonsense_is_a_miss(folder: Path, change: object) -> None:
    filled(folder)
    path = entry(folder)
    forged(path, change)
    assert workspace(folder).kept(kernel(folder)) is None


def test_an_entry_that_unpacks_to_too_much_is_a_miss(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(folder)
    monkeypatch.setattr(report_cache, "_ENTRY_LIMIT", 100)
    assert workspace(folder).kept(kernel(folder)) is None


def test_findings_survive_the_way_through_json(folder: Path) -> None:
    report = findings(Workspace([str(folder / "work")]), kernel(folder))
    for diagnostic in report.diagnostics:
        assert from_plain(json.loads(json.dumps(to_plain(packed(diagnostic))))) == packed(diagnostic)
    with pytest.raises(BadForm):
        from_plain(["error", True])


# --- the folder --------------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written_is_no_fault(folder: Path) -> None:
    (folder / "cache").write_text("a file where the folder should be")
    report = findings(workspace(folder), kernel(folder))
    assert report.diagnostics and workspace(folder).kept(kernel(folder)) is None


def test_the_oldest_entries_go_when_there_are_too_many(tmp_path: Path) -> None:
    cache = ReportCache(tmp_path / "cache")
    keys = [digest(str(number).encode()) for number in range(40)]
    for age, key in enumerate(keys):
        cache.put(key, {f"/{n}": digest(os.urandom(8)) for n in range(30)}, [])
        os.utime(cache.folder / key[:2] / key[2:], (1e9 + age, 1e9 + age))
    cache.touch(keys[0])
    ReportCache(tmp_path / "cache", limit=20_000).trim()
    left = {path.parent.name + path.name for _, _, path in cache.entries()}
    assert sum(size for _, size, _ in cache.entries()) <= 20_000
    assert keys[0] in left and keys[1] not in left and keys[-1] in left
    assert cache.clear() == len(left) and not cache.entries()


def write_many(folder: str) -> None:
    cache = ReportCache(Path(folder), limit=50_000)
    for number in range(60):
        key = digest(str(number % 7).encode())
        cache.put(key, {str(number % 7): digest(b"") for _ in range(50)}, [])
        found = cache.get(key)
        assert found is None or list(found.read) == [str(number % 7)]


def test_several_processes_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=write_many, args=(str(tmp_path / "cache"),)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    assert not list((tmp_path / "cache").glob("??/new-*"))


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, "off")
    assert default_cache() is None
    monkeypatch.setenv(VARIABLE, str(tmp_path / "mine"))
    mine = default_cache()
    assert mine is not None and mine.folder == tmp_path / "mine" / "reports"
    mine.put("ab" * 20, {}, [])
    assert default_cache() is not None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of POSIX")
def test_a_folder_that_others_may_write_to_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports").chmod(0o777)
    assert default_cache() is None
    (tmp_path / "reports").chmod(0o755)
    assert default_cache() is not None
