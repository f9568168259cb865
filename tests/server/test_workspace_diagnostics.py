"""Diagnostics of a whole workspace, by request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient

UNUSED = "UnusedVariableCheck/1001"
KERNEL = """\
import pypto.language as pl


@pl.jit
def scale(x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        dead = pl.exp(x)
        out[:] = pl.neg(x)
    return out
"""
CLEAN = KERNEL.replace("        dead = pl.exp(x)\n", "")
CAPABILITIES = {
    "textDocument": {"diagnostic": {"relatedDocumentSupport": True}, "synchronization": {}},
    "workspace": {"diagnostics": {"refreshSupport": False}},
}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[RawClient]:
    (tmp_path / "one.py").write_text(KERNEL, encoding="utf-8")
    (tmp_path / "two.py").write_text(CLEAN, encoding="utf-8")
    (tmp_path / "broken.py").write_bytes(b"\0")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "three.py").write_text(KERNEL, encoding="utf-8")
    client = RawClient()
    client.initialize(CAPABILITIES, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    yield client
    client.kill()


def codes(items: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        Path(item["uri"]).name: [d["code"] for d in item["items"]] if item["kind"] == "full" else item["kind"]
        for item in items
    }


def ids(items: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{"uri": item["uri"], "value": item["resultId"]} for item in items]


def test_files_that_are_not_open_are_analysed(client: RawClient) -> None:
    items = client.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
    assert codes(items) == {"broken.py": [], "one.py": [UNUSED], "two.py": []}
    assert all(item["version"] is None for item in items)
    assert client.close() == 0


def test_an_answer_has_the_id_of_its_question(client: RawClient) -> None:
    for number in ('é "1"', 77):
        client.send({"id": number, "method": "workspace/diagnostic", "params": {"previousResultIds": []}})
        assert codes(client.answer(number)["result"]["items"])["one.py"] == [UNUSED]
    assert client.close() == 0


def test_partial_results_come_file_by_file(client: RawClient) -> None:
    client.send(
        {"id": 50, "method": "workspace/diagnostic", "params": {"previousResultIds": [], "partialResultToken": "t"}}
    )
    partial: list[dict[str, Any]] = []
    while True:
        message = client.next_message()
        if message.get("method") == "$/progress":
            assert message["params"]["token"] == "t"
            partial += message["params"]["value"]["items"]
        elif message.get("id") == 50:
            break
    assert message["result"]["items"] == []
    assert codes(partial)["one.py"] == [UNUSED]
    assert client.close() == 0


def test_an_answer_without_news_waits_for_some(client: RawClient, tmp_path: Path) -> None:
    items = client.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
    client.send({"id": 51, "method": "workspace/diagnostic", "params": {"previousResultIds": ids(items)}})
    assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": (tmp_path / "two.py").as_uri()}})
    (tmp_path / "two.py").write_text(KERNEL, encoding="utf-8")
    change = {"changes": [{"uri": (tmp_path / "two.py").as_uri(), "type": 2}]}
    client.notify("workspace/didChangeWatchedFiles", change)
    items = client.answer(51)["result"]["items"]
    assert codes(items) == {"broken.py": "unchanged", "one.py": "unchanged", "two.py": [UNUSED]}
    assert client.close() == 0


def test_a_waiting_request_can_be_cancelled(client: RawClient) -> None:
    items = client.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
    client.send({"id": 52, "method": "workspace/diagnostic", "params": {"previousResultIds": ids(items)}})
    client.request("textDocument/documentSymbol", {"textDocument": {"uri": "file:///nowhere.py"}})
    client.notify("$/cancelRequest", {"id": 52})
    assert client.answer(52)["error"]["code"] == -32800
    assert client.close() == 0


def test_an_open_document_counts_as_it_is_in_the_editor(client: RawClient, tmp_path: Path) -> None:
    uri = (tmp_path / "one.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 7, "text": CLEAN}
    client.notify("textDocument/didOpen", {"textDocument": document})
    answer = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["result"]
    assert (answer["kind"], answer["items"]) == ("full", [])
    items = client.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
    assert codes(items)["one.py"] == []
    assert next(item["version"] for item in items if item["uri"] == uri) == 7
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    items = client.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
    assert codes(items)["one.py"] == [UNUSED]
    assert client.close() == 0


def test_related_documents_hold_the_findings_of_imported_kernels(client: RawClient, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(KERNEL.replace("@pl.jit\n", "@pl.jit.inline\n"), encoding="utf-8")
    text = (
        "import pypto.language as pl\nfrom helper import scale\n\n\n@pl.jit\n"
        "def entry(x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):\n"
        "    out = scale(x, out)\n    return out\n"
    )
    uri = (tmp_path / "entry.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})
    answer = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["result"]
    assert answer["items"] == []
    related = answer["relatedDocuments"][(tmp_path / "helper.py").as_uri()]
    assert [d["code"] for d in related["items"]] == [UNUSED]
    assert client.close() == 0


HELPER = KERNEL.replace("@pl.jit\n", "@pl.jit.inline\n")
IMPORTER = (
    "import pypto.language as pl\nfrom helper import scale\n\n\n@pl.jit\n"
    "def entry(x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):\n"
    "    out = scale(x, out)\n    return out\n"
)


def opened(client: RawClient, uri: str, text: str) -> None:
    client.notify(
        "textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}}
    )
    client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})


def test_what_importers_said_of_a_document_goes_with_its_text(client: RawClient, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER, encoding="utf-8")
    (tmp_path / "user.py").write_text(IMPORTER, encoding="utf-8")
    uri = (tmp_path / "helper.py").as_uri()
    items = client.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
    assert codes(items)["helper.py"] == [UNUSED]
    opened(client, uri, HELPER)
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "\n\n" + CLEAN}]}
    client.notify("textDocument/didChange", change)
    answer = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["result"]
    assert answer["items"] == []
    assert client.close() == 0


def test_a_waiting_request_hears_of_importers_of_what_is_edited(client: RawClient, tmp_path: Path) -> None:
    (tmp_path / "sizes.py").write_text("ROWS = 64\n", encoding="utf-8")
    (tmp_path / "two.py").write_text(
        CLEAN.replace("\n\n\n", "\nfrom sizes import ROWS\n\n\n", 1).replace(
            "out: pl.Out[pl.Tensor[[64", "out: pl.Out[pl.Tensor[[ROWS"
        ),
        encoding="utf-8",
    )
    uri = (tmp_path / "sizes.py").as_uri()
    opened(client, uri, "ROWS = 64\n")
    items = client.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
    assert codes(items)["two.py"] == []
    client.send({"id": 53, "method": "workspace/diagnostic", "params": {"previousResultIds": ids(items)}})
    assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "ROWS = 32\n"}]}
    client.notify("textDocument/didChange", change)
    items = client.answer(53)["result"]["items"]
    assert codes(items)["two.py"] not in ("unchanged", [])
    assert client.close() == 0


def test_what_importers_say_of_a_file_is_in_the_same_answer(tmp_path: Path) -> None:
    """The helper is looked at before the kernel that finds fault with it."""
    (tmp_path / "sizes.py").write_text("COLS = 128\n", encoding="utf-8")
    (tmp_path / "helper.py").write_text(
        "import pypto.language as pl\nfrom sizes import COLS\n\n\n@pl.jit.inline\n"
        "def half(x: pl.Tensor[[64, 128], pl.FP32]):\n    y = pl.slice(x, [64, COLS], [0, 0])\n    return y\n",
        encoding="utf-8",
    )
    (tmp_path / "kernel.py").write_text(
        "import pypto.language as pl\nfrom helper import half\n\n\n@pl.jit\n"
        "def kernel(x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):\n"
        "    with pl.at(level=pl.Level.CORE_GROUP):\n        y = half(x)\n        o[:, :] = pl.exp(y)\n    return o\n",
        encoding="utf-8",
    )
    client = RawClient()
    client.initialize(CAPABILITIES, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])

    def asked() -> list[str]:
        items = client.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
        return codes(items)["helper.py"]

    assert asked() == []
    for text, wanted in (("COLS = 0.5\n", True), ("COLS = 128\n", False)):
        (tmp_path / "sizes.py").write_text(text, encoding="utf-8")
        change = {"uri": (tmp_path / "sizes.py").as_uri(), "type": 2}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        assert bool(asked()) is wanted
    assert client.close() == 0
