"""What parsing costs: the cold parse of a file and one edit of each kind, in CPU milliseconds.

    python benchmarks/syntax.py FILE [EDITS]

Every kind of edit is made EDITS times (40) at places drawn with a fixed seed, and taken back each time ("repair").
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Callable
from functools import partial

from pypto_lsp.syntax import SyntaxTree, parse, warm_up
from pypto_lsp.syntax.query import walk
from pypto_lsp.text import Source

Place = Callable[[random.Random, str], tuple[int, str]]


def in_identifier(rng: random.Random, text: str) -> tuple[int, str]:
    return rng.choice([match.start() + 1 for match in re.finditer(r"[A-Za-z_]{3,}", text)]), "q"


def statement_line(rng: random.Random, text: str) -> tuple[int, str]:
    line = rng.choice(list(re.finditer(r"^( *)[A-Za-z_][\w.\[\], ]* = ", text, re.MULTILINE)))
    return line.start(), line[1] + "new_name = 1\n"


def before_identifier(insertion: str) -> Place:
    def place(rng: random.Random, text: str) -> tuple[int, str]:
        return rng.choice([match.start() for match in re.finditer(r"\b[A-Za-z_]{3,}", text)]), insertion

    return place


KINDS: dict[str, Place] = {
    "type a character": in_identifier,
    "insert a statement": statement_line,
    "insert (": before_identifier("("),
    'insert "': before_identifier('"'),
    'insert """': before_identifier('"""'),
}


def timed(action: Callable[[], SyntaxTree]) -> tuple[float, SyntaxTree]:
    start = time.process_time()
    tree = action()
    return (time.process_time() - start) * 1000, tree


def summary(times: list[float]) -> str:
    ordered = sorted(times)
    p50, p95 = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"p50 {p50:7.2f}  p95 {p95:7.2f}  max {ordered[-1]:7.2f}"


def main(path: str, edits: int = 40) -> None:
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    cold_start = time.process_time()
    warm_up()
    print(f"load the parser          {(time.process_time() - cold_start) * 1000:7.1f} ms")
    times = []
    for _ in range(3):
        elapsed, tree = timed(lambda: parse(Source(path, text)))
        times.append(elapsed)
    nodes = sum(1 for _ in walk(*tree.body))
    print(
        f"cold parse               {min(times):7.1f} ms  ({text.count(chr(10))} lines, {len(text)} characters, {nodes} nodes)"
    )
    start = time.process_time()
    tree.syntax_fault()
    print(f"compile the whole text   {(time.process_time() - start) * 1000:7.1f} ms")
    for kind, place in KINDS.items():
        rng = random.Random(1)
        there, back = [], []
        for _ in range(edits):
            at, new = place(rng, text)
            changed = text[:at] + new + text[at:]
            elapsed, tree = timed(partial(tree.edited, changed, at, at, at + len(new)))
            there.append(elapsed)
            elapsed, tree = timed(partial(tree.edited, text, at, at + len(new), at))
            back.append(elapsed)
        print(f"{kind:24s} {summary(there)} ms   repair {summary(back)} ms")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
