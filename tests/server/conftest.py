"""One server for each kind of editor and the whole session; each test opens documents of its own."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import converters
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, make_test_lsp_client

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from lsp_editor import TIMEOUT, Editor  # noqa: E402

EDITORS = ("neovim-0.11.4", "neovim-0.7.2", "vscode")


def capabilities(name: str) -> lsp.ClientCapabilities:
    """What an editor says of itself (``clients/NAME.json``)."""
    recorded = json.loads((HERE / "clients" / f"{name}.json").read_text(encoding="utf-8"))
    return converters.get_converter().structure(recorded["capabilities"], lsp.ClientCapabilities)


def make_client() -> LanguageClient:
    """A client that grants what servers ask for, and notes the version that published lists are for."""
    client = make_test_lsp_client()
    client.versions = {}
    for request in (lsp.CLIENT_REGISTER_CAPABILITY, lsp.WORKSPACE_INLAY_HINT_REFRESH):
        client.feature(request)(lambda params: None)
    publish = client.protocol.fm.features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

    def published(params: lsp.PublishDiagnosticsParams) -> None:
        client.versions[params.uri] = params.version
        publish(params)

    client.protocol.fm.features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = published
    return client


@pytest_lsp.fixture(
    scope="session",
    loop_scope="session",
    params=EDITORS,
    config=ClientServerConfig(server_command=[sys.executable, "-m", "pypto_lsp", "serve"], client_factory=make_client),
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path_factory: pytest.TempPathFactory):
    root = tmp_path_factory.mktemp("workspace")
    lsp_client.root = root
    lsp_client.editor_name = request.param
    result = await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=capabilities(request.param),
            workspace_folders=[lsp.WorkspaceFolder(root.as_uri(), "workspace")],
        )
    )
    lsp_client.server_says = result.capabilities
    yield
    await asyncio.wait_for(lsp_client.shutdown_session(), TIMEOUT)


@pytest.fixture
def editor(client: LanguageClient) -> Editor:
    pull = capabilities(client.editor_name).text_document.diagnostic is not None
    client.protocol.client_capabilities_pull = pull
    return Editor(client)
