"""A client that writes and reads bare messages, to say what no proper client would say."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from typing import Any

#: generous: only a server that hangs takes that long (seconds)
TIMEOUT = 60.0


class RawClient:
    """Runs a server in a subprocess. ``stderr`` is collected for a look at the end."""

    def __init__(self, *arguments: str, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pypto_lsp", "serve", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
        self.messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.stderr = b""
        self._last_id = 0
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while True:
            length = 0
            while (line := out.readline()).strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not line:
                self.messages.put(None)
                return
            self.messages.put(json.loads(out.read(length)))

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.stderr += line

    # --- sending -----------------------------------------------------------------------------------------------

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages: dict[str, Any], header: str = "Content-Length: {}\r\n\r\n") -> None:
        """All messages in one write, as a busy client's pipe would hold them."""
        data = b""
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            data += header.format(len(body)).encode() + body
        self.send_bytes(data)

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method, **({} if params is None else {"params": params})})

    def request(self, method: str, params: Any = None) -> dict[str, Any]:
        self._last_id += 1
        mine = self._last_id
        self.send({"id": mine, "method": method, **({} if params is None else {"params": params})})
        return self.answer(mine)

    # --- receiving ---------------------------------------------------------------------------------------------

    def next_message(self) -> dict[str, Any]:
        message = self.messages.get(timeout=TIMEOUT)
        assert message is not None, "the server closed its output"
        return message

    def answer(self, request: int | str | None) -> dict[str, Any]:
        """The answer to a request; what else comes on the way is dropped."""
        while True:
            message = self.next_message()
            if "method" not in message and message.get("id") == request:
                return message

    def answers(self, *requests: int | str) -> list[dict[str, Any]]:
        """The answers to some requests, in whatever order they come."""
        found: dict[int | str, dict[str, Any]] = {}
        while len(found) < len(requests):
            message = self.next_message()
            if "method" not in message and message.get("id") in requests:
                found[message["id"]] = message
        return [found[request] for request in requests]

    def notification(self, method: str) -> dict[str, Any]:
        """The parameters of the next notification or request of a kind."""
        while True:
            message = self.next_message()
            if message.get("method") == method:
                return message["params"]

    # --- the usual -----------------------------------------------------------------------------------------------

    def initialize(self, capabilities: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        params = {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **more}
        result = self.request("initialize", params)["result"]
        self.notify("initialized", {})
        return result

    def wait(self) -> int:
        return self.process.wait(timeout=TIMEOUT)

    def close(self) -> int:
        """Shut down in order; gives the exit code."""
        self.request("shutdown")
        self.notify("exit")
        return self.wait()

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
