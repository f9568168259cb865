"""The life cycle and the envelope, with a client that misbehaves."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator

import pytest
from raw_client import RawClient

URI = "file:///nowhere/kernel.py"
POSITION = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


@pytest.fixture
def client() -> Iterator[RawClient]:
    client = RawClient()
    yield client
    client.kill()


def test_a_conversation_in_order_ends_with_0(client: RawClient) -> None:
    assert client.initialize()["serverInfo"]["name"] == "pypto-lsp"
    assert client.close() == 0
    assert client.stderr == b""


def test_exit_without_shutdown_ends_with_1(client: RawClient) -> None:
    client.initialize()
    client.notify("exit")
    assert client.wait() == 1


def test_a_closed_stream_ends_the_server(client: RawClient) -> None:
    client.initialize()
    client.process.stdin.close()
    assert client.wait() == 1


def test_exit_before_initialize_ends_the_server(client: RawClient) -> None:
    client.notify("exit")
    assert client.wait() == 1


def test_requests_before_initialize_are_refused(client: RawClient) -> None:
    assert client.request("textDocument/hover", POSITION)["error"]["code"] == -32002
    client.notify("textDocument/didOpen", {"nonsense": True})
    assert "result" in client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})


def test_initialize_is_taken_once(client: RawClient) -> None:
    client.initialize()
    answer = client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert answer["error"]["code"] == -32600
    assert client.close() == 0


def test_requests_after_shutdown_are_refused(client: RawClient) -> None:
    client.initialize()
    assert client.request("shutdown")["result"] is None
    assert client.request("textDocument/hover", POSITION)["error"]["code"] == -32600
    client.notify("exit")
    assert client.wait() == 0


@pytest.mark.parametrize("params", [{"textDocument": 3}, {}, [1, 2], {"position": {"line": "x"}}])
def test_malformed_parameters_are_answered(client: RawClient, params: object) -> None:
    client.initialize()
    assert client.request("textDocument/hover", params)["error"]["code"] == -32602
    assert client.close() == 0


def test_a_malformed_initialize_may_be_repeated(client: RawClient) -> None:
    assert client.request("initialize", {"capabilities": 5})["error"]["code"] == -32602
    client.initialize()
    assert client.close() == 0


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b"3", b'{"jsonrpc": "1.0", "id": 1, "method": "x"}', b'"text"', b"\xff\xfe"]
)
def test_what_is_no_message_is_refused_and_passed_over(client: RawClient, body: bytes) -> None:
    client.initialize()
    client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert client.answer(None)["error"]["code"] in (-32700, -32600)
    assert client.close() == 0


@pytest.mark.parametrize(
    "header",
    [
        "content-length: {}\r\n\r\n",
        "CONTENT-LENGTH:{}\r\n\r\n",
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
        "Content-Length: {}\r\nX-Other: 1\r\n\r\n",
        "Content-Length: {}\n\n",
    ],
)
def test_headers_are_read_as_the_protocol_has_them(client: RawClient, header: str) -> None:
    client.initialize()
    client.send({"id": 77, "method": "textDocument/hover", "params": POSITION}, header=header)
    assert client.answer(77)["result"] is None
    assert client.close() == 0


def test_a_message_in_pieces_is_put_together(client: RawClient) -> None:
    client.initialize()
    body = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "textDocument/hover", "params": POSITION}).encode()
    data = b"Content-Length: %d\r\n\r\n" % len(body) + body
    for start in range(0, len(data), 7):
        client.send_bytes(data[start : start + 7])
    assert client.answer(5)["result"] is None


def test_an_unknown_method_is_said_to_be_unknown(client: RawClient) -> None:
    client.initialize()
    assert client.request("textDocument/doSomething", {})["error"]["code"] == -32601
    client.notify("$/whatever", {})
    assert client.close() == 0


def test_user_data_may_hold_any_key(client: RawClient) -> None:
    client.initialize()
    settings = {"pypto": {"jsonrpc": "2.0", "method": "exit", "id": 3}}
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert client.close() == 0


def test_a_cancelled_request_that_waits_is_not_executed(client: RawClient) -> None:
    client.initialize()
    hover = {"method": "textDocument/hover", "params": POSITION}
    client.send(
        {"id": 10, **hover},
        {"id": 11, **hover},
        {"method": "$/cancelRequest", "params": {"id": 11}},
        {"id": "twelve", **hover},
    )
    first, cancelled, last = client.answers(10, 11, "twelve")
    assert first["result"] is None
    assert cancelled["error"]["code"] == -32800
    assert last["result"] is None
    client.notify("$/cancelRequest", {"id": 999})
    assert client.close() == 0


def test_what_a_handler_prints_stays_out_of_the_stream() -> None:
    program = textwrap.dedent("""
        import sys
        from pypto_lsp.server import run
        original = run.Server.introduce
        def introduce(self, params):
            print("a careless word")
            original(self, params)
        run.Server.introduce = introduce
        sys.exit(run.serve_stdio())
    """)
    initialize = {"processId": None, "rootUri": None, "capabilities": {}}
    messages = [{"id": 1, "method": "initialize", "params": initialize}, {"id": 2, "method": "shutdown"}]
    data = b""
    for message in [*messages, {"method": "exit"}]:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        data += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    done = subprocess.run([sys.executable, "-c", program], input=data, capture_output=True, timeout=60)
    assert done.returncode == 0
    assert b"a careless word" in done.stderr
    assert b"careless" not in done.stdout
    assert done.stdout.startswith(b"Content-Length: ")


def test_the_server_starts_without_the_engine() -> None:
    """``initialize`` is answered before the parser and the rules are loaded."""
    program = textwrap.dedent("""
        import sys
        from pypto_lsp.server.server import Server
        Server()
        heavy = ("libcst", "pypto_lsp.analysis.workspace", "pypto_lsp.frontend", "pypto_lsp.ops", "pypto_lsp.verifiers")
        print([name for name in heavy if name in sys.modules])
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
