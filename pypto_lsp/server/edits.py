"""Workspace edits from the ``data`` of diagnostics, and from the analysis's own fixes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from pypto_lsp.analysis.fixing import edits_by_file, safe_fixes
from pypto_lsp.analysis.places import nodes_at
from pypto_lsp.diagnostics import Diagnostic, Fix
from pypto_lsp.diagnostics.suppression import parse_directive
from pypto_lsp.fixes.registry import may_have_costly_fixes
from pypto_lsp.server.uris import to_path
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Anchor, Span

if TYPE_CHECKING:
    from pypto_lsp.server.session import Session


#: ``source`` of our diagnostics
SOURCE = "pypto"
#: an analysis that takes longer (seconds) is not repeated just because the cursor moved
_QUICK = 0.2


def current_data(session: Session, uri: str, diagnostic: lsp.Diagnostic) -> dict[str, Any] | None:
    """The data of a diagnostic that the client sends back, fit for the document's text as it is now.

    None when it is not ours, or when the text has changed since and no equal finding stands there now.
    """
    data = diagnostic.data
    if diagnostic.source != SOURCE or not isinstance(data, Mapping) or not isinstance(data.get("fixes"), list):
        return None
    document = session.workspace.sources.document(to_path(uri))
    if document is None or data.get("version") == document.version:
        return dict(data)
    for fresh in session.findings.of(to_path(uri)).items:
        same = fresh.code == diagnostic.code and fresh.message == diagnostic.message
        if same and fresh.range == diagnostic.range and isinstance(fresh.data, dict):
            return fresh.data if fresh.data["version"] == document.version else None
    return None


async def sought_fixes(
    session: Session, path: str, report_path: str, finding: Diagnostic, *, only_quickly: bool
) -> Diagnostic | None:
    """A finding of a report with the fixes that take analyses of their own, or the reason why there is none.

    None where there can be no such fixes, with ``only_quickly`` where an analysis takes long, and when the text changes meanwhile.
    """
    if not may_have_costly_fixes(finding):
        return None
    if only_quickly and session.workspace.seconds_to_fix(report_path, finding) > _QUICK:
        return None
    document = session.workspace.sources.document(path)
    version = document.version if document else None
    await session.awake(report_path)
    fixed = await session.scheduler.result(session.workspace.all_fixes(report_path, finding))
    current = session.workspace.sources.document(path)
    return fixed if current is not None and current.version == version else None


def fix_data(session: Session, fix: Fix) -> dict[str, Any]:
    """A fix in the form that a diagnostic's ``data`` holds."""
    return {
        "title": fix.title,
        "safe": fix.safe,
        "edits": [data_edit(session, e.span, e.new_text) for e in fix.edits],
    }


def workspace_edit(session: Session, edits: Sequence[Mapping[str, Any]]) -> lsp.WorkspaceEdit:
    """A workspace edit of edits in the form of a diagnostic's ``data``."""
    by_uri: dict[str, list[lsp.TextEdit]] = {}
    versions: dict[str, int | None] = {}
    for edit in edits:
        start, end = edit["range"]["start"], edit["range"]["end"]
        place = lsp.Range(lsp.Position(start["line"], start["character"]), lsp.Position(end["line"], end["character"]))
        by_uri.setdefault(edit["uri"], []).append(lsp.TextEdit(place, edit["newText"]))
        versions[edit["uri"]] = edit.get("version")
    if not session.server.client.document_changes:
        return lsp.WorkspaceEdit(changes=by_uri)
    return lsp.WorkspaceEdit(
        document_changes=[
            lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri, versions[uri]), changes)
            for uri, changes in by_uri.items()
        ]
    )


def data_edit(session: Session, span: Span, new_text: str) -> dict[str, Any]:
    """An edit in the form that a diagnostic's ``data`` holds."""
    document = session.workspace.sources.document(span.path)
    place = session.server.positions.range(span)
    return {
        "uri": session.uri(span.path),
        "version": document.version if document else None,
        "range": {
            "start": {"line": place.start.line, "character": place.start.character},
            "end": {"line": place.end.line, "character": place.end.character},
        },
        "newText": new_text,
    }


def safe_edit(session: Session, path: str) -> lsp.WorkspaceEdit | None:
    """The edit that applies all safe fixes of a file's findings, None when there is none."""
    fixes = safe_fixes(session.findings.diagnostics(path))
    edits = [data_edit(session, edit.span, edit.new_text) for group in edits_by_file(fixes).values() for edit in group]
    return workspace_edit(session, edits) if edits else None


def suppression_edit(session: Session, uri: str, diagnostic: lsp.Diagnostic, code: str) -> dict[str, Any] | None:
    """The edit that silences a finding on its line; None where no comment can stand."""
    path = to_path(uri)
    tree = session.workspace.sources.find(path)
    if tree is None:
        return None
    source, lines = tree.source, tree.source.lines
    anchor = Anchor(source, 0)
    for line in dict.fromkeys((diagnostic.range.start.line + 1, diagnostic.range.end.line + 1)):
        if line > len(lines):
            continue
        end = lines.line_end(line)
        comment = next((span for span, _ in tree.comments() if span.end_offset == end), None)
        if comment is None and (source.text[:end].endswith("\\") or _in_string(tree, end)):
            continue
        if comment is not None and (directive := parse_directive(comment, comment.text)):
            if not directive.selectors or directive.whole_file:
                continue
            close = comment.begin + comment.text.index("]")
            return data_edit(session, Span(anchor, close, close), f", {code}")
        return data_edit(session, Span(anchor, end, end), f"  # pypto: ignore[{code}]")
    return None


def _in_string(tree: Any, offset: int) -> bool:
    """Whether an offset lies within a string literal, where a comment would be text."""
    node = next(iter(reversed(nodes_at(tree, offset))), None)
    is_text = isinstance(node, syntax.JoinedStr) or (isinstance(node, syntax.Constant) and isinstance(node.value, str))
    return node is not None and is_text and node.span.begin < offset < node.span.end_offset
