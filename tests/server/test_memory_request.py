"""``pypto/memory``: bytes, limits and live ranges for an editor's view."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from raw_client import RawClient

URI = "file:///workspace/kernel.py"
KERNEL = """\
import pypto.language as pl


@pl.jit
def kernel(x: pl.Tensor[[128, 256], pl.FP32], o: pl.Out[pl.Tensor[[128, 256], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        y = pl.exp(x)
        o[:] = pl.add(y, x)
    return o
"""


@pytest.fixture
def client() -> Iterator[RawClient]:
    client = RawClient()
    client.initialize({})
    yield client
    client.kill()


def test_it_has_the_bytes_and_the_places(client: RawClient) -> None:
    document = {"uri": URI, "languageId": "python", "version": 1, "text": KERNEL}
    client.notify("textDocument/didOpen", {"textDocument": document})
    answer = client.request("pypto/memory", {"textDocument": {"uri": URI}})["result"]
    (kernel,) = answer["kernels"]
    assert (answer["target"], kernel["unit"], kernel["lane"], kernel["complete"]) == (
        "ascend910b",
        "kernel",
        "vector",
        True,
    )
    assert kernel["location"]["uri"] == URI
    assert kernel["location"]["range"]["start"] == {"line": 5, "character": 4}
    (vec,) = kernel["spaces"]
    assert (vec["space"], vec["needed"], vec["limit"], vec["ring"]) == ("Vec", 2 * 131072, 188416, 0)
    lines = [(t["location"]["range"]["start"]["line"], t["lastUse"]["range"]["start"]["line"]) for t in vec["buffers"]]
    assert lines == [(6, 7), (6, 7), (7, 7)]
    assert client.close() == 0


@pytest.mark.parametrize("params", [{"textDocument": {"uri": "file:///nowhere.py"}}, {"textDocument": None}, {}])
def test_a_document_that_is_not_open_has_none(client: RawClient, params: object) -> None:
    assert client.request("pypto/memory", params)["result"] is None
    assert client.close() == 0
