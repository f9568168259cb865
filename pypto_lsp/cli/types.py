"""``pypto-lsp types``: the type of every parameter, local and loop variable."""

from __future__ import annotations

import argparse
from typing import Any

from pypto_lsp.analysis.collector import relax_collector
from pypto_lsp.analysis.facts import plain
from pypto_lsp.cli.formats import shown_path
from pypto_lsp.cli.listing import list_entries
from pypto_lsp.frontend.model import Binding
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.ir.types import UNDETERMINED


def as_object(binding: Binding) -> dict[str, Any]:
    """One binding as a JSON object; ``type`` is null where it is not known."""
    return {
        "file": shown_path(binding.span.path),
        "line": binding.span.line,
        "column": binding.span.column,
        "kernel": binding.kernel,
        "name": binding.name,
        "type": None if binding.type is UNDETERMINED else print_type(binding.type),
        "value": plain(binding.value),
    }


def _as_line(entry: dict[str, Any]) -> str:
    value = "" if entry["value"] is None else f" = {entry['value']}"
    place = f"{entry['file']}:{entry['line']}:{entry['column']}"
    return f"{place}: {entry['kernel']}: {entry['name']}: {entry['type'] or '?'}{value}\n"


def run_types(arguments: argparse.Namespace) -> int:
    relax_collector()
    return list_entries(arguments, lambda workspace, file: map(as_object, workspace.front_end(file).bindings), _as_line)
