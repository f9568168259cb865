"""The protocol's life cycle and envelope: what pygls leaves to its users or gets wrong.

Every request is answered exactly once: also one with malformed parameters, one before ``initialize``, one after ``shutdown``,
and one that was cancelled before its turn came. Document synchronisation is left to the features; pygls keeps no copies.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

_LOG = logging.getLogger(__name__)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
NOT_INITIALIZED = -32002
REQUEST_CANCELLED = -32800


class Protocol(LanguageServerProtocol):
    """LSP over whatever carries the messages."""

    #: not registered as built-in features: the documents are our own
    lsp_text_document__did_open = None  # type: ignore[assignment]
    lsp_text_document__did_change = None  # type: ignore[assignment]
    lsp_text_document__did_close = None  # type: ignore[assignment]
    lsp_notebook_document__did_open = None  # type: ignore[assignment]
    lsp_notebook_document__did_change = None  # type: ignore[assignment]
    lsp_notebook_document__did_close = None  # type: ignore[assignment]
    lsp_workspace__did_change_workspace_folders = None  # type: ignore[assignment]

    _initialized = False
    #: the exit code once the client has said ``exit``
    exit_code: int | None = None

    @property
    def shut_down(self) -> bool:
        return self._shutdown

    def receive(self, bodies: Iterable[bytes]) -> None:
        """Handle messages in order. A request that a later one of them cancels is not executed."""
        messages = [message for body in bodies if (message := self._parsed(body)) is not None]
        cancelled = {
            message["params"]["id"]
            for message in messages
            if message.get("method") == lsp.CANCEL_REQUEST
            and isinstance(message.get("params"), dict)
            and isinstance(message["params"].get("id"), (int, str))
        }
        for message in messages:
            if self.exit_code is not None:
                return
            if "method" in message and message.get("id") in cancelled:
                self.refuse(message["id"], REQUEST_CANCELLED, "cancelled")
            else:
                self._receive_one(message)

    def _parsed(self, body: bytes) -> dict[str, Any] | None:
        try:
            message = json.loads(body)
        except ValueError:
            _LOG.error("a message that is no JSON was passed over")
            self.refuse(None, PARSE_ERROR, "the message is no JSON")
            return None
        known_id = isinstance(message, dict) and isinstance(message.get("id", 0), (int, str, type(None)))
        if not known_id or not ("method" in message or "id" in message) or message.get("jsonrpc") != self.VERSION:
            _LOG.error("a message that is no JSON-RPC 2.0 was passed over")
            self.refuse(None, INVALID_REQUEST, "the message is no JSON-RPC 2.0 request, notification or response")
            return None
        return message

    def _receive_one(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        is_request = method is not None and message.get("id") is not None
        if method == lsp.EXIT:
            self.exit_code = 0 if self._shutdown else 1
            return
        if method is not None and (refusal := self._out_of_turn(method)):
            if is_request:
                self.refuse(message["id"], *refusal)
            return
        try:
            structured = self.structure_message(message)
        except JsonRpcException as fault:
            if is_request:
                self.refuse(message["id"], fault.code or INVALID_PARAMS, f"{method}: the parameters are malformed")
            elif method is None:  # an answer to a request of ours: whoever waits for it must hear of the fault
                error = lsp.ResponseError(INVALID_PARAMS, "the client's answer is malformed")
                self._handle_response(message["id"], error=error)
            return
        if method == lsp.INITIALIZE:
            self._initialized = True
        self.handle_message(structured)

    def _out_of_turn(self, method: Any) -> tuple[int, str] | None:
        """Why a request or notification may not come now."""
        if not isinstance(method, str):
            return INVALID_REQUEST, "the method is no text"
        if self._shutdown:
            return INVALID_REQUEST, "the server was shut down"
        if method == lsp.INITIALIZE:
            return (INVALID_REQUEST, "the server is initialized already") if self._initialized else None
        return None if self._initialized else (NOT_INITIALIZED, "the server is not initialized")

    def plain(self, value: Any) -> Any:
        """A protocol value as JSON has it, for places that the protocol leaves untyped."""
        return self._converter.unstructure(value)

    def _send_response(self, msg_id: int | str, result: Any = None, error: lsp.ResponseError | None = None) -> None:
        if error is None and isinstance(result, lsp.WorkspaceDiagnosticReport):
            self._send_by_parts(msg_id, result.items)
        else:
            super()._send_response(msg_id, result, error)

    def _send_by_parts(self, request: int | str, items: Sequence[lsp.WorkspaceDocumentDiagnosticReport]) -> None:
        """Answer with the reports on all files of a workspace, put into JSON one by one: as one they would take many times their
        length for a moment."""
        parts = [f'{{"id": {json.dumps(request)}, "jsonrpc": "{self.VERSION}", "result": {{"items": ['.encode()]
        for number, item in enumerate(items):
            if number:
                parts.append(b", ")
            parts.append(json.dumps(self.plain(item)).encode())
        parts.append(b"]}}")
        if self.writer is not None:
            self.writer.write(b"Content-Length: %d\r\n\r\n" % sum(map(len, parts)))
            for part in parts:
                self.writer.write(part)

    def refuse(self, request: int | str | None, code: int, message: str) -> None:
        """Answer a request with an error."""
        self._send_data(lsp.ResponseErrorMessage(id=request, error=lsp.ResponseError(code, message), jsonrpc="2.0"))
