"""How far our passes agree with the compiler's: function by function, against its own IR of the same kernels.

``python scripts/pass_agreement.py`` prints the figures, ``--write`` puts them into docs/passes.md, ``--show PASS`` lists where the
functions differ. A function agrees when it is structurally equal up to the names of variables.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pypto_lsp.backends import DEFAULT_BACKEND
from pypto_lsp.frontend.printed_ir import read_program
from pypto_lsp.ir.nodes import Program
from pypto_lsp.ir.structural import difference
from pypto_lsp.passes.pipeline.steps import ORDER, stages
from pypto_lsp.verification import parse

ROOT = Path(__file__).resolve().parent.parent
#: folders of kernels with the compiler's IR after passes beside them
KERNELS = (ROOT / "tests" / "conformance" / "dumps", ROOT / "tests" / "data" / "pass_dumps")
DOCUMENT = ROOT / "docs" / "passes.md"
BEGIN, END = "<!-- figures: scripts/pass_agreement.py --write -->", "<!-- end of figures -->"
_DUMP = re.compile(r"\d\d_(?:after_)?(\w+)\.py")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One function after one pass; ``where`` is the first place at which ours differs, None where it agrees."""

    stage: str
    kernel: str
    function: str
    where: str | None


def _dumps(folder: Path) -> dict[str, Path]:
    """Stage -> the compiler's IR there."""
    found = ((_DUMP.fullmatch(path.name), path) for path in sorted(folder.glob("[0-9][0-9]_*.py")))
    return {match[1]: path for match, path in found if match is not None}


def _compared(stage: str, kernel: str, ours: Program, theirs: Program) -> Iterator[Comparison]:
    for name, function in theirs.functions.items():
        own = ours.functions.get(name)
        found = None if own is None else difference(function, own)
        where = "is not there" if own is None else None if found is None else found.where
        yield Comparison(stage, kernel, name, where)


def comparisons() -> Iterator[Comparison]:
    """All functions of the compiler's IR beside ours."""
    for folder in sorted(path for root in KERNELS if root.is_dir() for path in root.iterdir() if path.is_dir()):
        dumps = _dumps(folder)
        source = folder / "kernel.py"
        program = parse(source.read_text(encoding="utf-8"), str(source))
        for stage, ours in stages(program, DEFAULT_BACKEND):
            if stage in dumps:
                theirs = read_program(dumps[stage].read_text(encoding="utf-8"), str(dumps[stage]))
                yield from _compared(stage, folder.name, ours, theirs)


def figures(found: list[Comparison]) -> dict[str, tuple[int, int]]:
    """Stage -> how many functions agree, and of how many."""
    out: dict[str, tuple[int, int]] = {}
    for item in found:
        same, total = out.get(item.stage, (0, 0))
        out[item.stage] = (same + (item.where is None), total + 1)
    return {stage: out[stage] for stage in ("frontend", *ORDER) if stage in out}


def table(numbers: dict[str, tuple[int, int]]) -> str:
    """The figures as a table for the document."""
    rows = [f"| {stage} | {same} of {total} | {same / total:.0%} |" for stage, (same, total) in numbers.items()]
    return "\n".join(("| after | functions equal | share |", "|---|---|---|", *rows))


def document(text: str, numbers: dict[str, tuple[int, int]]) -> str:
    """The document with the figures in it."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{table(numbers)}\n{END}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--show", metavar="PASS")
    arguments = parser.parse_args()
    found = list(comparisons())
    for item in found:
        if item.stage == arguments.show and item.where is not None:
            print(f"{item.kernel}: {item.function}{item.where}")
    numbers = figures(found)
    print(table(numbers))
    if arguments.write:
        DOCUMENT.write_text(document(DOCUMENT.read_text(encoding="utf-8"), numbers), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
