"""What the commands share that list entries of files: ``types`` and ``memory``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

from pypto_lsp.analysis.files import UnreadableFile
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.cli.inputs import UsageFault, named_files, open_workspace
from pypto_lsp.cli.messages import complain, unreadable

#: the entries of one file, as JSON objects. Raises UnreadableFile.
Entries = Callable[[Workspace, str], Iterable[dict[str, Any]]]


def list_entries(arguments: argparse.Namespace, entries_of: Entries, as_text: Callable[[dict[str, Any]], str]) -> int:
    """Write the entries of all files named, as JSON or text; then a line on stderr for each that could not be read. The exit
    status: 0, or 2 where something could not be read or the command line is wrong."""
    try:
        workspace = open_workspace(arguments.target)
    except UsageFault as fault:
        complain(str(fault))
        return 2
    entries: list[dict[str, Any]] = []
    faults: dict[str, str] = {}
    for file in named_files(arguments.paths):
        try:
            entries += entries_of(workspace, file)
        except UnreadableFile as fault:
            faults[file] = fault.reason
    if arguments.format == "json":
        sys.stdout.write(json.dumps(entries, ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.writelines(map(as_text, entries))
    sys.stdout.flush()
    for file, reason in faults.items():
        unreadable(file, reason)
    return 2 if faults else 0
