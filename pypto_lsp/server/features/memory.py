"""``pypto/memory``: the on-chip memory that the kernels of a document need, for an editor's view (see docs/memory.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lsp.server.server import Server
from pypto_lsp.server.uris import to_path

if TYPE_CHECKING:
    from pypto_lsp.analysis.memory_use import KernelEntry, SpaceEntry, TileUse
    from pypto_lsp.server.session import Session
    from pypto_lsp.text import Span

METHOD = "pypto/memory"


def register(server: Server) -> None:
    @server.feature(METHOD)
    async def memory(params: Any) -> dict[str, Any] | None:
        from pypto_lsp.analysis.memory_use import memory_use

        document = getattr(params, "textDocument", None)
        session, path = server.session, to_path(str(getattr(document, "uri", "")))
        if session.workspace.sources.document(path) is None:
            return None
        report = await session.scheduler.report(path, complete=True)
        target = session.workspace.settings.target
        return {
            "target": target.name,
            "kernels": [_kernel(session, kernel) for kernel in memory_use(report, target)],
        }


def _kernel(session: Session, kernel: KernelEntry) -> dict[str, Any]:
    return {
        "unit": kernel.unit,
        "name": kernel.name,
        "lane": kernel.lane,
        "complete": kernel.complete,
        "location": _location(session, kernel.span),
        "spaces": [_space(session, entry) for entry in kernel.spaces],
    }


def _space(session: Session, entry: SpaceEntry) -> dict[str, Any]:
    return {
        "space": entry.space,
        "needed": entry.needed,
        "limit": entry.limit,
        "ring": entry.ring,
        "tiles": [_tile(session, tile) for tile in entry.tiles],
        "buffers": [_tile(session, tile) for tile in entry.buffers],
    }


def _tile(session: Session, tile: TileUse) -> dict[str, Any]:
    return {
        "name": tile.name,
        "bytes": tile.size,
        "text": tile.span.text.split("\n")[0] if tile.span else "",
        "location": _location(session, tile.span),
        "lastUse": _location(session, tile.last),
    }


def _location(session: Session, span: Span | None) -> Any:
    return None if span is None else session.server.protocol.plain(session.findings.location(span))
