"""An edit in a file of constants: kernels that read the changed value are shown anew, others are not, open or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient

CONFIG = "ROWS = 64\nCOLS = 128\nUNUSED = 1\n"
KERNEL = """\
import pypto.language as pl
from config import {name}


@pl.function
def {kernel}(x: pl.Tensor[[{name}, 256], pl.FP32]) -> pl.Tensor[[{name}, 256], pl.FP32]:
    y: pl.Tensor[[{value}, 256], pl.FP32] = pl.neg(x)
    return y
"""
#: file -> the constant that its kernel reads, and the value it is written for
READS = {
    "rows": ("ROWS", 64), "cols": ("COLS", 128), "rows_closed": ("ROWS", 64), "cols_closed": ("COLS", 128),
}  # fmt: skip
PULL = {
    "textDocument": {"diagnostic": {}, "synchronization": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}


class Folder:
    """A workspace whose constants and two of whose kernels are open."""

    def __init__(self, root: Path, capabilities: dict[str, Any]) -> None:
        self.root = root
        (root / "config.py").write_text(CONFIG, encoding="utf-8")
        for name, (constant, value) in READS.items():
            (root / f"{name}.py").write_text(KERNEL.format(name=constant, kernel=name, value=value), encoding="utf-8")
        self.client = RawClient()
        self.client.initialize(capabilities, workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
        self.version = 1
        for name in ("config", "rows", "cols"):
            text = (root / f"{name}.py").read_text()
            item = {"uri": self.uri(name), "languageId": "python", "version": 1, "text": text}
            self.client.notify("textDocument/didOpen", {"textDocument": item})

    def uri(self, name: str) -> str:
        return (self.root / f"{name}.py").as_uri()

    def set_config(self, text: str) -> None:
        self.version += 1
        identifier = {"uri": self.uri("config"), "version": self.version}
        self.client.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": text}]})

    def published(self, until: str, count: int) -> dict[str, int]:
        """The number of findings last published of each file, up to a list of one with that many."""
        last: dict[str, int] = {}
        while last.get(until) != count:
            params = self.client.notification("textDocument/publishDiagnostics")
            last[Path(params["uri"]).stem] = len(params["diagnostics"])
        return last

    def pulled(self, known: dict[str, str]) -> tuple[dict[str, int | None], dict[str, str]]:
        """The findings of each file of the workspace, None where they are as they were known, and the new result ids."""
        previous = [{"uri": self.uri(name), "value": value} for name, value in known.items()]
        answer = self.client.request("workspace/diagnostic", {"previousResultIds": previous})
        items = {Path(item["uri"]).stem: item for item in answer["result"]["items"]}
        ids = {name: item["resultId"] for name, item in items.items()}
        return {name: len(item["items"]) if item["kind"] == "full" else None for name, item in items.items()}, ids

    def changed(self, known: dict[str, str], *until: str) -> dict[str, int]:
        """The files with other findings than known, with their number, when these files are among them."""
        changed: dict[str, int] = {}
        while not set(until) <= changed.keys():
            found, known = self.pulled(known)
            changed.update((name, count) for name, count in found.items() if count is not None)
        return changed


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Folder]:
    folder = Folder(tmp_path, getattr(request, "param", {}))
    yield folder
    folder.client.kill()


def test_push(folder: Folder) -> None:
    folder.set_config(CONFIG.replace("ROWS = 64", "ROWS = 32"))
    assert set(folder.published("rows", 1)) <= {"rows", "config", "cols"}
    folder.set_config(CONFIG.replace("COLS = 128", "COLS = 64"))
    last = folder.published("cols", 1)
    assert last["rows"] == 0
    folder.set_config(CONFIG.replace("ROWS = 64", "ROWS = 32").replace("COLS = 128", "COLS = 64"))
    assert set(folder.published("rows", 1)) == {"rows"}  # the value that the other reads is as it was
    folder.set_config(CONFIG.replace("COLS = 128", "COLS = 64").replace("UNUSED = 1", "UNUSED = 2"))
    assert set(folder.published("rows", 0)) == {"rows"}
    assert folder.client.close() == 0


@pytest.mark.parametrize("folder", [PULL], indirect=True)
def test_pull(folder: Folder) -> None:
    found, ids = folder.pulled({})
    assert found == dict.fromkeys(["config", *READS], 0)
    folder.set_config(CONFIG.replace("ROWS = 64", "ROWS = 32"))
    assert folder.changed(ids, "rows", "rows_closed") == {"rows": 1, "rows_closed": 1}
    assert folder.client.close() == 0


@pytest.mark.parametrize("folder", [PULL], indirect=True)
def test_a_value_that_nobody_reads_changes_nothing(folder: Folder) -> None:
    _, ids = folder.pulled({})
    folder.set_config(CONFIG.replace("UNUSED = 1", "UNUSED = 2"))
    # a request with nothing to tell would wait; one more change gives it something
    folder.set_config(CONFIG.replace("UNUSED = 1", "UNUSED = 2").replace("COLS = 128", "COLS = 64"))
    assert folder.changed(ids, "cols", "cols_closed") == {"cols": 1, "cols_closed": 1}
    assert folder.client.close() == 0


@pytest.mark.parametrize("folder", [PULL], indirect=True)
def test_the_file_of_constants_changes_on_disk(folder: Folder) -> None:
    folder.client.notify("textDocument/didClose", {"textDocument": {"uri": folder.uri("config")}})
    _, ids = folder.pulled({})
    (folder.root / "config.py").write_text(CONFIG.replace("ROWS = 64", "ROWS = 32"), encoding="utf-8")
    change = {"changes": [{"uri": folder.uri("config"), "type": 2}]}
    folder.client.notify("workspace/didChangeWatchedFiles", change)
    assert folder.changed(ids, "rows", "rows_closed") == {"rows": 1, "rows_closed": 1}
    assert folder.client.close() == 0


def test_a_pull_is_answered_for_the_text_as_it_is(tmp_path: Path) -> None:
    """Also where the analysis takes longer than the loop is left alone for."""
    count = 400
    body = "".join(f"    t{n} = pl.add(x, {n}.0)\n" for n in range(count))
    head = "import pypto.language as pl\n\n\n@pl.jit.incore\ndef k(x: pl.Tensor[[16, 16], pl.FP32]):\n"
    text = f"{head}{body}    return pl.nothing_such(x)\n"
    client, uri = RawClient(), (tmp_path / "kernels.py").as_uri()
    client.initialize(PULL, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})

    def pulled() -> str:
        answer = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        return " ".join(found["message"] for found in answer["result"]["items"])

    while "nothing_such" not in pulled():
        pass
    for version, name in enumerate(("none_a", "none_b", "none_c", "none_d"), start=2):
        changed = f"{head}{body}    return pl.{name}(x)\n"
        identifier = {"uri": uri, "version": version}
        client.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": changed}]})
        assert name in pulled()
    client.close()


def test_the_severity_of_hints_follows_its_setting_in_closed_files_too(tmp_path: Path) -> None:
    helper = """import pypto.language as pl


@pl.jit.inline
def narrow(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.exp(x)
    return out
"""
    (tmp_path / "helper.py").write_text(helper, encoding="utf-8")
    text = (
        helper.replace("pl.jit.inline", "pl.jit")
        .replace("narrow", "entry")
        .replace("pl\n\n", "pl\nfrom helper import narrow\n\n")
    )
    text = text[: text.index("    with")] + "    out = narrow(x, out)\n    return out\n"
    client = RawClient()
    client.initialize(
        {"textDocument": {"synchronization": {}}}, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}]
    )
    item = {"uri": (tmp_path / "entry.py").as_uri(), "languageId": "python", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})

    def severities() -> set[int]:
        while True:
            params = client.notification("textDocument/publishDiagnostics")
            if params["uri"].endswith("helper.py") and params["diagnostics"]:
                return {found["severity"] for found in params["diagnostics"]}

    assert severities() == {4}
    client.notify("workspace/didChangeConfiguration", {"settings": {"pypto": {"hintSeverity": "information"}}})
    assert severities() == {3}
    client.close()
