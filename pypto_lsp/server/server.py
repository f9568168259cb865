"""The server: what the client can do, the workspace, and the features put together."""

from __future__ import annotations

import importlib
import logging
import pkgutil
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

import pypto_lsp.server.features
from pypto_lsp import __version__
from pypto_lsp.server.client import ClientSupport
from pypto_lsp.server.positions import Positions, choose_encoding
from pypto_lsp.server.protocol import Protocol
from pypto_lsp.server.uris import to_path

if TYPE_CHECKING:
    from pypto_lsp.server.session import Session

_LOG = logging.getLogger(__name__)


class Server(LanguageServer):
    """One conversation with one client.

    The engine behind it is imported when it is first needed, so that ``initialize`` is answered at once.
    """

    protocol: Protocol

    def __init__(self, with_cache: bool = True) -> None:
        super().__init__(
            "pypto-lsp",
            __version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
            converter_factory=default_converter,
            max_workers=1,
        )
        self.client = ClientSupport()
        self.positions = Positions()
        self.folders: list[str] = []
        #: whether findings may be kept on disk, where no setting says otherwise
        self.with_cache = with_cache
        self.initialization_options: Any = None
        self._session: Session | None = None
        self._register()

    @property
    def session(self) -> Session:
        """The workspace with its scheduler and published findings."""
        if self._session is None:
            from pypto_lsp.server.session import Session

            self._session = Session(self)
        return self._session

    def introduce(self, params: lsp.InitializeParams) -> None:
        """Take what the client says of itself."""
        self.client = ClientSupport.of(params.capabilities)
        general = params.capabilities.general
        self.positions = Positions(choose_encoding(general.position_encodings if general else None))
        uris = [folder.uri for folder in params.workspace_folders or ()]
        if not uris and params.root_uri:
            uris = [params.root_uri]
        self.folders = [to_path(uri) for uri in uris] or ([params.root_path] if params.root_path else [])
        self.initialization_options = params.initialization_options

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log only: a defect of ours is nothing to interrupt the author for."""
        name = getattr(source, "__name__", source)
        if isinstance(error, JsonRpcException):
            _LOG.error("%s: %s", name, error)  # the client's
        else:
            _LOG.error("internal error: %s", name, exc_info=error)

    def _register(self) -> None:
        @self.feature(lsp.INITIALIZE)
        def initialize(params: lsp.InitializeParams) -> None:
            self.introduce(params)

        for info in sorted(pkgutil.iter_modules(pypto_lsp.server.features.__path__), key=lambda m: m.name):
            importlib.import_module(f"pypto_lsp.server.features.{info.name}").register(self)
