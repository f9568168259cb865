"""After the hand-shake: load the engine, ask to be told of changed files and settings."""

from __future__ import annotations

import logging

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server

_LOG = logging.getLogger(__name__)
#: sources, and the hints that a build of the compiler leaves behind
_WATCHED = ("**/*.py", "**/report/perf_hints.log")


def register(server: Server) -> None:
    @server.feature(lsp.INITIALIZED)
    async def initialized(_params: lsp.InitializedParams) -> None:
        registrations = _registrations(server)
        if registrations:
            server.client_register_capability(
                lsp.RegistrationParams(registrations), lambda answer: _LOG.debug("registered: %s", answer)
            )
        await server.session.warm_up()


def _registrations(server: Server) -> list[lsp.Registration]:
    wanted = []
    if server.client.watch_files:
        watchers = [lsp.FileSystemWatcher(pattern) for pattern in _WATCHED]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
        wanted.append(lsp.Registration("pypto-files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if server.client.configuration_registration:
        wanted.append(lsp.Registration("pypto-settings", lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": "pypto"}))
    return wanted
