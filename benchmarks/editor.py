"""An editor over stdio that measures a language server from outside: wall milliseconds and MiB."""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

_PATIENCE = 120.0
#: a server that says nothing for so long after an edit has nothing new to say (seconds)
_SILENCE = 2.0


@dataclass(frozen=True, slots=True)
class Latency:
    """The milliseconds of several runs."""

    values: tuple[float, ...]

    def at(self, share: float) -> float | None:
        """The value below which a share of the runs lies, None where nothing was timed."""
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else None


class Editor:
    """A server in a subprocess with one workspace. Findings are pulled where the server offers that, else awaited."""

    def __init__(self, command: list[str], root: Path, environ: dict[str, str] | None = None) -> None:
        started = perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(environ or {})},
        )
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._published: queue.Queue[dict[str, Any]] = queue.Queue()
        self._last_id = 0
        self._version = 1
        threading.Thread(target=self._read, daemon=True).start()
        capabilities = {
            "general": {"positionEncodings": ["utf-16"]},
            "workspace": {"configuration": True, "diagnostics": {"refreshSupport": True}},
            "textDocument": {"publishDiagnostics": {"versionSupport": True}, "diagnostic": {}},
        }
        folders = [{"uri": root.as_uri(), "name": "workspace"}]
        params = {
            "processId": None,
            "rootUri": root.as_uri(),
            "capabilities": capabilities,
            "workspaceFolders": folders,
        }
        offered = self.request("initialize", params)["result"]["capabilities"]
        #: milliseconds from the start of the process to the answer to ``initialize``
        self.start = 1000 * (perf_counter() - started)
        self._pulls = bool(offered.get("diagnosticProvider"))
        self.notify("initialized", {})

    # --- messages ------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        out = self._process.stdout
        assert out is not None
        while True:
            length = 0
            while (line := out.readline()).strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not line:
                return
            self._take(json.loads(out.read(length)))

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            self._answers.put(message)
        elif "id" in message:
            items = (message.get("params") or {}).get("items", ())
            result = [None] * len(items) if message["method"] == "workspace/configuration" else None
            self._send({"id": message["id"], "result": result})
        elif message["method"] == "textDocument/publishDiagnostics":
            self._published.put(message["params"])

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> dict[str, Any]:
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        end = monotonic() + _PATIENCE
        while True:
            answer = self._answers.get(timeout=max(0.01, end - monotonic()))
            if answer["id"] == self._last_id:
                return answer

    # --- documents -----------------------------------------------------------------------------------------------

    def open(self, path: Path) -> float:
        """Milliseconds from opening a file to its first findings."""
        start = perf_counter()
        self._version = 1
        item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text(encoding="utf-8")}
        self.notify("textDocument/didOpen", {"textDocument": item})
        self._findings(path)
        return 1000 * (perf_counter() - start)

    def replace(self, path: Path, line: int, start: int, end: int, text: str) -> float | None:
        """Milliseconds from an edit in one line to the findings for it; None where the server has nothing new to say."""
        began = perf_counter()
        self._version += 1
        place = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        document = {"uri": path.as_uri(), "version": self._version}
        self.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [{"range": place, "text": text}]}
        )
        return 1000 * (perf_counter() - began) if self._findings(path, _SILENCE) else None

    def hover(self, path: Path, line: int, character: int) -> float:
        """Milliseconds to the answer to a hover."""
        began = perf_counter()
        place = {"line": line, "character": character}
        self.request("textDocument/hover", {"textDocument": {"uri": path.as_uri()}, "position": place})
        return 1000 * (perf_counter() - began)

    def check_workspace(self) -> float:
        """Milliseconds to the findings of all files of the workspace."""
        began = perf_counter()
        self.request("workspace/diagnostic", {"previousResultIds": []})
        return 1000 * (perf_counter() - began)

    def _findings(self, path: Path, patience: float = _PATIENCE) -> bool:
        if self._pulls:
            self.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})
            return True
        end = monotonic() + patience
        while True:
            try:
                params = self._published.get(timeout=max(0.01, end - monotonic()))
            except queue.Empty:
                return False
            if params["uri"] == path.as_uri() and params.get("version") in (None, self._version):
                return True

    # --- the process ---------------------------------------------------------------------------------------------

    def peak(self) -> float | None:
        """Peak resident memory of the server and its children in MiB; None where the system does not tell (not Linux)."""
        total, todo = 0, [self._process.pid]
        try:
            while todo:
                pid = todo.pop()
                found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
                total += int(found[1]) if found else 0
                for task in os.listdir(f"/proc/{pid}/task"):
                    todo += [int(child) for child in Path(f"/proc/{pid}/task/{task}/children").read_text().split()]
        except OSError:
            return None
        return total / 1024

    def close(self) -> None:
        self.request("shutdown", None)
        self.notify("exit", None)
        self._process.wait(_PATIENCE)
