"""An editor with one document, as a person uses it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pytest_lsp import LanguageClient

#: only a server that hangs takes that long (seconds)
TIMEOUT = 60.0

_numbers = itertools.count(1)


class Editor:
    """An editor with one document in focus. Lines and columns count from 0 in characters; columns are translated to
    what the server agreed on."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.root: Path = client.root
        self.pulls = client.protocol.client_capabilities_pull
        agreed = client.server_says.position_encoding
        self.encoding = agreed.value if isinstance(agreed, lsp.PositionEncodingKind) else agreed or "utf-16"
        self.uri, self.text, self.version = "", "", 0

    # --- documents ---------------------------------------------------------------------------------------------

    def write(self, name: str, text: str) -> Path:
        """A file of the workspace on disk."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def open(self, text: str, uri: str | None = None) -> None:
        self.uri = uri or (self.root / f"kernel_{next(_numbers)}.py").as_uri()
        self.text, self.version = text, 1
        item = lsp.TextDocumentItem(self.uri, "python", self.version, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def close(self) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.identifier))

    def edit(self, old: str, new: str) -> None:
        """Replace the first occurrence of a text by one incremental change."""
        start = self.text.index(old)
        place = lsp.Range(self.position(start), self.position(start + len(old)))
        self.text = self.text[:start] + new + self.text[start + len(old) :]
        self._changed([lsp.TextDocumentContentChangePartial(range=place, text=new)])

    def replace(self, text: str) -> None:
        self.text = text
        self._changed([lsp.TextDocumentContentChangeWholeDocument(text=text)])

    def _changed(self, changes: list[Any]) -> None:
        self.version += 1
        identifier = lsp.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, changes))

    def apply(self, edit: lsp.WorkspaceEdit) -> None:
        """Apply a workspace edit to the document in focus."""
        edits: list[lsp.TextEdit] = []
        for change in edit.document_changes or ():
            assert change.text_document.version in (None, self.version)
            edits += change.edits if change.text_document.uri == self.uri else ()
        edits += (edit.changes or {}).get(self.uri, ())
        text = self.text
        for one in sorted(edits, key=lambda e: self.offset(e.range.start), reverse=True):
            text = text[: self.offset(one.range.start)] + one.new_text + text[self.offset(one.range.end) :]
        self.replace(text)

    # --- places ------------------------------------------------------------------------------------------------

    @property
    def identifier(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    def _units(self, text: str) -> int:
        coding = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[self.encoding]
        return len(text.encode(coding[0])) // coding[1]

    def position(self, offset: int) -> lsp.Position:
        before = self.text[:offset]
        return lsp.Position(before.count("\n"), self._units(before[before.rfind("\n") + 1 :]))

    def offset(self, position: lsp.Position) -> int:
        start = 0
        for _ in range(position.line):
            start = self.text.index("\n", start) + 1
        end = start
        while self._units(self.text[start:end]) < position.character:
            end += 1
        return end

    def at(self, text: str, into: int = 0) -> dict[str, Any]:
        """Parameters for a request about a place: the first occurrence of a text, some characters into it."""
        return {"text_document": self.identifier, "position": self.position(self.text.index(text) + into)}

    def covered(self, place: lsp.Range) -> str:
        """The text that a range covers."""
        return self.text[self.offset(place.start) : self.offset(place.end)]

    # --- diagnostics -------------------------------------------------------------------------------------------

    async def diagnostics(self, until: Callable[[list[lsp.Diagnostic]], bool], uri: str = "") -> list[lsp.Diagnostic]:
        """The diagnostics of a document, as soon as they are as expected."""
        end = asyncio.get_running_loop().time() + TIMEOUT
        while True:
            found = await self._current(uri or self.uri)
            if found is not None and until(found):
                return found
            assert asyncio.get_running_loop().time() < end, f"still {[(d.code, d.message) for d in found or ()]}"
            await asyncio.sleep(0.02)

    async def _current(self, uri: str) -> list[lsp.Diagnostic] | None:
        if not self.pulls:
            found = self.client.diagnostics.get(uri)
            return None if found is None else list(found)
        params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
        return list((await self.client.text_document_diagnostic_async(params)).items)

    async def codes(self, *expected: str, uri: str = "") -> list[lsp.Diagnostic]:
        """The diagnostics, as soon as they have exactly these codes."""
        return await self.diagnostics(lambda found: sorted(d.code for d in found) == sorted(expected), uri)

    async def actions(self, diagnostic: lsp.Diagnostic, only: list[str] | None = None) -> list[lsp.CodeAction]:
        context = lsp.CodeActionContext([diagnostic], only=only)
        params = lsp.CodeActionParams(self.identifier, diagnostic.range, context)
        return list(await self.client.text_document_code_action_async(params) or ())
