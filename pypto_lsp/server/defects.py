"""Telling of our own defects: one quiet line in the editor's log for each, never a squiggle and never a dialog."""

from __future__ import annotations

import logging

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server


class DefectReporter(logging.Handler):
    """Sends ``internal error, please report`` for each kind of logged defect once; the details are in the server's own log."""

    def __init__(self, server: Server) -> None:
        super().__init__(logging.ERROR)
        self._server = server
        self._told: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info is None or record.exc_info[0] is None or record.msg in self._told:
            return
        self._told.add(record.msg)
        kind = record.exc_info[0].__name__
        text = f"pypto-lsp: internal error, please report it with the server's log: {record.getMessage()} ({kind})"
        self._server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, text))


__all__ = ["DefectReporter"]
