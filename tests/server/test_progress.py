"""The progress bar of the workspace check, and what a warm start shows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient
from test_workspace_diagnostics import KERNEL, UNUSED, codes

from pypto_lsp.analysis.report_cache import VARIABLE

BAR = {"textDocument": {"diagnostic": {}}, "window": {"workDoneProgress": True}}
FILES = 40


def folder_of(tmp_path: Path, count: int = FILES) -> Path:
    root = tmp_path / "work"
    root.mkdir()
    for number in range(count):
        (root / f"k{number:02}.py").write_text(KERNEL.replace("scale", f"scale{number}"), encoding="utf-8")
    return root


def start(root: Path, capabilities: dict[str, Any]) -> RawClient:
    client = RawClient()
    client.initialize(capabilities, workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    return client


def check(client: RawClient, stop_at: int | None = None, **params: Any) -> tuple[list[dict[str, Any]], list[Any]]:
    """What was said of the progress, and the items of the answer. The bar is granted; with ``stop_at`` the work is stopped at
    the report of that number."""
    client.send({"id": 70, "method": "workspace/diagnostic", "params": {"previousResultIds": [], **params}})
    said: list[dict[str, Any]] = []
    while True:
        message = client.next_message()
        if message.get("method") == "window/workDoneProgress/create":
            client.send({"id": message["id"], "result": None})
        elif message.get("method") == "$/progress":
            said.append(message["params"])
            if len(said) == stop_at:
                client.notify("window/workDoneProgress/cancel", {"token": message["params"]["token"]})
        elif message.get("id") == 70 and "method" not in message:
            return said, message["result"]["items"]


def kinds(said: list[dict[str, Any]]) -> list[str]:
    return [params["value"]["kind"] for params in said]


def test_the_server_shows_a_bar_where_the_client_can(tmp_path: Path) -> None:
    client = start(folder_of(tmp_path), BAR)
    said, items = check(client)
    assert kinds(said)[0] == "begin" and kinds(said)[-1] == "end" and len({params["token"] for params in said}) == 1
    percentages = [params["value"]["percentage"] for params in said if "percentage" in params["value"]]
    assert percentages == sorted(percentages)
    assert len(items) == FILES
    assert client.close() == 0
    client.kill()


@pytest.mark.parametrize(("capabilities", "count"), [({"textDocument": {"diagnostic": {}}}, FILES), (BAR, 3)])
def test_no_bar_for_clients_without_one_nor_for_a_few_files(
    tmp_path: Path, capabilities: dict[str, Any], count: int
) -> None:
    client = start(folder_of(tmp_path, count), capabilities)
    said, items = check(client)
    assert said == [] and len(items) == count
    assert client.close() == 0
    client.kill()


def test_the_client_s_own_token_is_used(tmp_path: Path) -> None:
    client = start(folder_of(tmp_path, 3), {"textDocument": {"diagnostic": {}}})
    said, _ = check(client, workDoneToken="mine")
    assert kinds(said)[0] == "begin" and kinds(said)[-1] == "end" and {params["token"] for params in said} == {"mine"}
    assert client.close() == 0
    client.kill()


def test_the_check_can_be_stopped(tmp_path: Path) -> None:
    client = start(folder_of(tmp_path, 400), BAR)
    said, items = check(client, stop_at=1)
    assert kinds(said)[-1] == "end"
    assert len(items) < 400
    # what was stopped stays stopped; an open document is analysed all the same
    said, again = check(client)
    assert said == [] and len(again) == len(items)
    path = tmp_path / "work" / "k99.py"
    item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text()}
    client.notify("textDocument/didOpen", {"textDocument": item})
    answer = client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})
    assert [d["code"] for d in answer["result"]["items"]] == [UNUSED]
    assert client.close() == 0
    client.kill()


# --- warm start --------------------------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def entries(cache: Path) -> int:
    return sum(1 for _ in cache.rglob("*") if _.is_file())


def test_a_second_server_begins_with_what_the_first_one_found(tmp_path: Path, cache: Path) -> None:
    root = folder_of(tmp_path, 5)
    client = start(root, BAR)
    _, first = check(client)
    assert client.close() == 0
    client.kill()
    assert entries(cache) == 5
    client = start(root, BAR)
    _, second = check(client)
    assert codes(second) == codes(first) == {f"k{number:02}.py": [UNUSED] for number in range(5)}
    path = root / "k03.py"
    item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text()}
    client.notify("textDocument/didOpen", {"textDocument": item})
    answer = client.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})
    assert [d["code"] for d in answer["result"]["items"]] == [UNUSED]
    assert client.close() == 0
    client.kill()


def test_the_first_list_of_a_document_is_the_kept_one(tmp_path: Path, cache: Path) -> None:
    root = folder_of(tmp_path, 1)
    path = root / "k00.py"
    item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text()}
    for expected in ([], [UNUSED]):  # at the first start nothing but Python's own faults is known at once
        client = start(root, {})
        client.notify("textDocument/didOpen", {"textDocument": item})
        lists = [client.notification("textDocument/publishDiagnostics")["diagnostics"]]
        assert [d["code"] for d in lists[0]] == expected
        while [d["code"] for d in lists[-1]] != [UNUSED]:
            lists.append(client.notification("textDocument/publishDiagnostics")["diagnostics"])
        while not entries(cache):  # the last report of the first start is on its way
            assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})["result"]
        assert client.close() == 0
        client.kill()


@pytest.mark.parametrize("off", [["--no-cache"], {"cache": False}])
def test_the_cache_can_be_switched_off(tmp_path: Path, cache: Path, off: Any) -> None:
    root = folder_of(tmp_path, 2)
    client = RawClient(*(off if isinstance(off, list) else ()))
    options = {"settings": off} if isinstance(off, dict) else {}
    folders = [{"uri": root.as_uri(), "name": "w"}]
    client.initialize(BAR, workspaceFolders=folders, initializationOptions=options)
    assert codes(check(client)[1]) == {"k00.py": [UNUSED], "k01.py": [UNUSED]}
    assert client.close() == 0
    client.kill()
    assert entries(cache) == 0 and os.environ[VARIABLE]
