"""A package of the user's own rules beside the server: its findings are seen in the editor, its defects are not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from raw_client import RawClient

#: the package as docs/extending.md has it, and a rule with a defect
RULES = '''
from pypto_lsp.diagnostics import Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.rule import Rule


class NoUnrolledLoops(Rule):
    """
    ## What it does
    Finds unrolled loops.

    ## Why is this bad
    They are not done in this house.

    ## Fix
    Use `pl.range`.
    """

    rule_name = "NoUnrolledLoops"
    codes = {3901: "an unrolled loop"}
    severity = Severity.WARNING

    def verify_function(self, function, program, context):
        for stmt in walk(function.body or ()):
            if isinstance(stmt, ir.For) and stmt.kind.value == "unroll":
                yield from self.finding(3901, stmt.span, "loops are not unrolled in this house", function=function)


class Broken(Rule):
    """
    ## What it does
    ## Why is this bad
    ## Fix
    """

    rule_name = "Broken"
    codes = {3902: "nothing"}

    def verify_function(self, function, program, context):
        raise ZeroDivisionError("a defect")
        yield
'''
KERNEL = """import pypto.language as pl


@pl.jit
def scale(x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):
    for i in pl.unroll(2):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = pl.exp(x)
    return out
"""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[RawClient]:
    (tmp_path / "house_rules.py").write_text(RULES, encoding="utf-8")
    info = tmp_path / "house_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: house-rules\nVersion: 1.0\n", encoding="utf-8")
    entries = "no-unroll = house_rules:NoUnrolledLoops\nbroken = house_rules:Broken\n"
    (info / "entry_points.txt").write_text(f"[pypto_lsp.rules]\n{entries}", encoding="utf-8")
    root = str(Path(__file__).parents[2])
    made = RawClient(environment={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), root])})
    yield made
    made.kill()


def test_own_rules_in_the_editor(client: RawClient) -> None:
    client.initialize()
    item = {"uri": "file:///house/kernel.py", "languageId": "python", "version": 1, "text": KERNEL}
    client.notify("textDocument/didOpen", {"textDocument": item})
    log: list[dict[str, Any]] = []
    found: list[dict[str, Any]] = []
    while not any(d["code"] == "NoUnrolledLoops/3901" for d in found):
        message = client.next_message()
        if message.get("method") == "window/logMessage":
            log.append(message["params"])
        if message.get("method") == "textDocument/publishDiagnostics":
            found = message["params"]["diagnostics"]
    (own,) = [d for d in found if d["code"] == "NoUnrolledLoops/3901"]
    assert (own["severity"], own["range"]["start"]) == (2, {"line": 5, "character": 4})
    hover = client.request("textDocument/hover", {"textDocument": item, "position": own["range"]["start"]})["result"]
    assert "Use pl.range." in str(hover["contents"])

    # the defect of the other rule: no finding, one line in the log however often it happens
    assert not any("Broken" in str(d) or "defect" in str(d) for d in found)
    document = {"uri": item["uri"], "version": 2}
    changes = [{"text": KERNEL.replace("@pl.jit", "\n@pl.jit").replace("exp", "abs")}]
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
    while not _shows_it_again(message := client.next_message()):
        if message.get("method") == "window/logMessage":
            log.append(message["params"])
    reported = [entry["message"] for entry in log if "internal error, please report" in entry["message"]]
    assert len(reported) == 1
    assert "Broken" in reported[0] and "ZeroDivisionError" in reported[0]
    assert client.close() == 0
    assert b"ZeroDivisionError: a defect" in client.stderr


def _shows_it_again(message: dict[str, Any]) -> bool:
    params = message.get("params")
    if message.get("method") != "textDocument/publishDiagnostics" or params is None:
        return False
    own = (d for d in params["diagnostics"] if d["code"] == "NoUnrolledLoops/3901")
    return any(d["range"]["start"]["line"] == 6 for d in own)
