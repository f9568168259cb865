"""What the analysis of one open document costs: the first report and the reports after edits, in CPU milliseconds.

    python benchmarks/analysis.py FILE [--root FOLDER] [--edits N]

An edit changes a digit of a number in the file, drawn with a fixed seed, and the next takes it back. "front end" is the
report that an editor shows first; "complete" is all findings with their fixes, pauses of the server not counted.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import time

from pypto_lsp.analysis.collector import relax_collector
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.text import Change, PositionEncoding


def measured(workspace: Workspace, path: str) -> tuple[float, float, float]:
    """CPU milliseconds to the front end's report and to the complete one, and of the longest step."""
    start = before = time.process_time()
    first = longest = 0.0
    for step in workspace.steps(path):
        now = time.process_time()
        longest, before = max(longest, now - before), now
        if step is not None and not first:
            first = now - start
    return 1000 * first, 1000 * (time.process_time() - start), 1000 * longest


def show(title: str, runs: list[tuple[float, float, float]]) -> None:
    def middle_and_p95(column: int) -> str:
        values = sorted(run[column] for run in runs)
        return f"{values[len(values) // 2]:7.0f} /{values[min(len(values) - 1, len(values) * 95 // 100)]:7.0f}"

    print(f"{title:12}{middle_and_p95(0)}{middle_and_p95(1)}{middle_and_p95(2)}")


def change_of(text: str, at: int, new: str) -> Change:
    """The replacement of one character of a text."""
    line, column = text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1
    return Change(new, (line, column), (line, column + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--root", help="folder from which absolute imports are looked up (default: the file's)")
    parser.add_argument("--edits", type=int, default=20)
    arguments = parser.parse_args()
    path = os.path.abspath(arguments.file)
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    workspace = Workspace(roots=(os.path.abspath(arguments.root or os.path.dirname(path)),))
    workspace.warm_up()
    relax_collector()  # as the server does
    document = workspace.open(path, text)
    print(f"{len(text.splitlines())} lines; middle / 95th percentile of CPU ms")
    print(f"{'':12}{'front end':>16}{'complete':>16}{'longest step':>16}")
    show("opened", [measured(workspace, path)])
    rng, runs = random.Random(1), []
    digits = [match.start() for match in re.finditer(r"(?<=[\s(\[,])[1-9](?=[\d)\],\s])", text)]
    for _ in range(arguments.edits):
        at = rng.choice(digits)
        for new in (str(int(text[at]) % 9 + 1), text[at]):
            document.change([change_of(text, at, new)], PositionEncoding.UTF32)
            runs.append(measured(workspace, path))
    show("edited", runs)


if __name__ == "__main__":
    main()
