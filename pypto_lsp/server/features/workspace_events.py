"""Changed settings, changed files on disk, folders that come and go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server
from pypto_lsp.server.uris import to_path


def register(server: Server) -> None:
    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: lsp.DidChangeConfigurationParams) -> None:
        given: Any = params.settings
        if not (isinstance(given, Mapping) and given) and server.client.configuration:
            items = [lsp.ConfigurationItem(section="pypto")]
            answer = await server.workspace_configuration_async(lsp.ConfigurationParams(items))
            given = answer[0] if answer else None
        server.session.configure(given)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: lsp.DidChangeWatchedFilesParams) -> None:
        server.session.files_changed([to_path(change.uri) for change in params.changes])

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_workspace_folders(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        removed = {to_path(folder.uri) for folder in params.event.removed}
        kept = [folder for folder in server.folders if folder not in removed]
        server.folders = list(dict.fromkeys([*kept, *(to_path(folder.uri) for folder in params.event.added)]))
        server.session.set_folders(server.folders)
