"""``pypto-lsp memory``: the on-chip memory that kernels need at least, per memory space."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import Backend
from pypto_lsp.cli.formats import shown_path
from pypto_lsp.cli.listing import list_entries
from pypto_lsp.passes.memory import Buffer, KernelMemory, SpaceUse, kernel_memory
from pypto_lsp.passes.pipeline import Pipeline
from pypto_lsp.text import Span

#: tiles named under a memory space; more say no more
_MAX_TILES = 8


def memory_of(workspace: Workspace, file: str, target: Backend) -> Iterator[dict[str, Any]]:
    """What each kernel of a file needs, as JSON objects: ``needed`` bytes of a space are a lower bound, and ``complete`` is false
    where tiles of unknown size come on top. Raises :class:`~pypto_lsp.analysis.files.UnreadableFile`."""
    for unit in workspace.front_end(file).units:
        for kernel in Pipeline().kernels(unit.program, target):
            place = kernel.kernel.span or kernel.function.span
            yield {
                "file": shown_path(place.path if place else file),
                "line": place.line if place else 1,
                "unit": unit.name,
                "kernel": kernel.kernel.name or kernel.function.name,
                "lane": kernel.lane.value,
                "complete": kernel.kernel.known and not kernel.kernel.uncertain,
                "spaces": _spaces(kernel_memory(kernel, target)),
            }


def _spaces(memory: KernelMemory) -> list[dict[str, Any]]:
    return [
        {"space": use.space, "needed": use.needed, "limit": use.limit, "ring": use.ring, "tiles": _tiles(use)}
        for use in memory.spaces
    ]


def _tiles(use: SpaceUse) -> list[dict[str, Any]]:
    """The tiles that are alive where the space is needed most, the largest first."""
    return [_tile(buffer) for buffer in sorted(use.tiles, key=lambda b: -b.size)]


def _tile(buffer: Buffer) -> dict[str, Any]:
    place: Span | None = buffer.span
    return {
        "name": buffer.name,
        "bytes": buffer.size,
        "line": place.line if place else None,
        "column": place.column if place else None,
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
