"""``pypto-lsp memory``: the on-chip memory that kernels need at least, per memory space."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from pypto_lsp.analysis.memory_use import SpaceEntry, TileUse, memory_use
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import Backend
from pypto_lsp.cli.formats import shown_path
from pypto_lsp.cli.listing import list_entries
from pypto_lsp.text import Span

#: tiles named under a memory space; more say no more
_MAX_TILES = 8


def memory_of(workspace: Workspace, file: str, target: Backend) -> Iterator[dict[str, Any]]:
    """What each kernel of a file needs, as JSON objects: ``needed`` bytes of a space are a lower bound, and ``complete`` is false
    where tiles of unknown size come on top. Raises :class:`~pypto_lsp.analysis.files.UnreadableFile`."""
    for kernel in memory_use(workspace.front_end(file), target):
        yield {
            "file": shown_path(kernel.span.path if kernel.span else file),
            "line": kernel.span.line if kernel.span else 1,
            "unit": kernel.unit,
            "kernel": kernel.name,
            "lane": kernel.lane,
            "complete": kernel.complete,
            "spaces": [_space(entry) for entry in kernel.spaces],
        }


def _space(entry: SpaceEntry) -> dict[str, Any]:
    return {
        "space": entry.space,
        "needed": entry.needed,
        "limit": entry.limit,
        "ring": entry.ring,
        "tiles": [_tile(tile) for tile in entry.tiles],
        "buffers": [_tile(tile) for tile in entry.buffers],
    }


def _tile(tile: TileUse) -> dict[str, Any]:
    place: Span | None = tile.span
    return {
        "name": tile.name,
        "bytes": tile.size,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "last_line": tile.last.line if tile.last else None,
        "text": place.text.split("\n")[0] if place else "",
    }


def _as_text(entry: dict[str, Any]) -> str:
    more = "" if entry["complete"] else ", and tiles whose size is not known"
    lines = [f"{entry['file']}:{entry['line']}: {entry['kernel']} of {entry['unit']} ({entry['lane']}{more})"]
    for use in entry["spaces"]:
        share = 100 * use["needed"] / use["limit"]
        over = ""
        if use["needed"] > use["limit"]:
            over = "  more than fits; products are cut" if use["space"] == "Acc" else "  too much"
        lines.append(f"  {use['space']:<8}{use['needed']:>10} of {use['limit']:>8} bytes {share:6.1f} %{over}")
        lines += [f"    {tile['bytes']:>14}  line {tile['line']}: {tile['text']}" for tile in use["tiles"][:_MAX_TILES]]
        if use["ring"]:
            lines.append(f"    {use['ring']:>14}  exchange between the cores")
    return "\n".join(lines) + "\n"


def run_memory(arguments: argparse.Namespace) -> int:
    return list_entries(
        arguments, lambda workspace, file: memory_of(workspace, file, workspace.settings.target), _as_text
    )
