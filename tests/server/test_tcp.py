"""The server over a TCP connection, for debugging."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from typing import Any

from pypto_lsp.server.transport import read_message


def test_one_client_is_served_over_tcp() -> None:
    command = [sys.executable, "-m", "pypto_lsp", "serve", "--tcp", "127.0.0.1:0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = process.stderr.readline().decode()
    match = re.search(r"listening on 127\.0\.0\.1:(\d+)", said)
    assert match, said
    with socket.create_connection(("127.0.0.1", int(match[1])), timeout=60) as connection:
        stream = connection.makefile("rwb")

        def send(message: dict[str, Any]) -> None:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            stream.flush()

        def answer(request: int) -> dict[str, Any]:
            while (body := read_message(stream)) is not None:
                message = json.loads(body)
                if message.get("id") == request and "method" not in message:
                    return message
            raise AssertionError("the server closed the connection")

        send({"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}})
        assert answer(1)["result"]["serverInfo"]["name"] == "pypto-lsp"
        send({"method": "initialized", "params": {}})
        send({"id": 2, "method": "shutdown"})
        assert answer(2)["result"] is None
        send({"method": "exit"})
        assert process.wait(60) == 0
    process.stderr.close()
