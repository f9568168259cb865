"""Random typing and random requests: every request is answered, none with a defect of ours, and nothing is logged."""

from __future__ import annotations

import random
from typing import Any

import pytest
from raw_client import RawClient

TEXT = """\
import pypto.language as pl

ROWS = 64


@pl.jit
def scale(x: pl.Tensor[[ROWS, 256], pl.FP32], out: pl.Out[pl.Tensor[[ROWS, 256], pl.FP32]]):
    for i in pl.range(4):
        with pl.at(level=pl.Level.CORE_GROUP):
            part = pl.slice(x, [16, 256], [i * 16, 0])
            out[i * 16 : i * 16 + 16, :] = pl.cast(pl.exp(part), target_type=pl.FP32)
    return out
"""
PIECES = (
    "", " ", "\n", "\r\n", "\r", "x", "7", "(", ")", "[", "]", "{", '"', "'", '"""', ":", ",", "#", "    ", "\t", "\\", ".",
    "pl.", "pl.exp(x)", "é", "数", "🜁", "\u2028", "\x0c", "\x00", "\ufeff", "return out\n", "import ", "lambda: ", "@pl.jit\n",
    "# pypto: ignore\n", "match x:\n", "async ",
)  # fmt: skip
POSITION_REQUESTS = ("hover", "completion", "signatureHelp", "definition")


def random_request(rng: random.Random, uri: str, text: str, diagnostics: list[Any]) -> tuple[str, dict[str, Any]]:
    document = {"textDocument": {"uri": uri}}
    position = {"line": rng.randrange(text.count("\n") + 3), "character": rng.randrange(60)}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    kind = rng.randrange(5)
    if kind == 0:
        return f"textDocument/{rng.choice(POSITION_REQUESTS)}", {**document, "position": position}
    if kind == 1:
        return "textDocument/inlayHint", {**document, "range": whole}
    if kind == 2:
        return "textDocument/documentSymbol", document
    if kind == 3:
        return "textDocument/codeAction", {**document, "range": whole, "context": {"diagnostics": diagnostics}}
    return "textDocument/diagnostic", document


@pytest.mark.parametrize("seed", range(4))
def test_random_typing(seed: int) -> None:
    rng = random.Random(seed)
    client = RawClient()
    encoding = rng.choice(["utf-8", "utf-16", "utf-32"])
    client.initialize(
        {
            "general": {"positionEncodings": [encoding]},
            "textDocument": {"diagnostic": {}, "codeAction": {"dataSupport": True}},
            "workspace": {"diagnostics": {"refreshSupport": bool(seed % 2)}},
        }
    )
    uri = "untitled:fuzz" if seed % 2 else "file:///nowhere/fuzz.py"
    item = {"uri": uri, "languageId": "python", "version": 0, "text": TEXT}
    client.notify("textDocument/didOpen", {"textDocument": item})
    text, diagnostics = TEXT, []
    for version in range(1, 60):
        changes: list[dict[str, Any]] = []
        if rng.random() < 0.1:
            text = TEXT
            changes.append({"text": TEXT})
        for _ in range(rng.choice((1, 1, 1, 3))):
            start = {"line": rng.randrange(16), "character": rng.randrange(50)}
            end = (
                start
                if rng.random() < 0.7
                else {"line": start["line"] + rng.randrange(2), "character": rng.randrange(50)}
            )
            changes.append({"range": {"start": start, "end": end}, "text": rng.choice(PIECES)})
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}
        client.notify("textDocument/didChange", params)
        for _ in range(rng.randrange(3)):
            method, params = random_request(rng, uri, text, diagnostics)
            answer = client.request(method, params)
            assert "error" not in answer, (method, params, answer["error"])
            if method == "textDocument/diagnostic":
                diagnostics = (answer["result"].get("items") or [])[:20]
    assert client.close() == 0
    assert client.stderr == b""
