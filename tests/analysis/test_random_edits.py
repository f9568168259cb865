"""Whatever is typed, in a kernel or in a file that it reads: the report is that of a fresh analysis. 2,000 edits in all."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from generated_kernels import SIZES, generated
from test_workspace import EDITS, edit, told

from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace

ROOT = Path(__file__).parents[2]
SHIPPED = [
    *sorted((ROOT / "examples").glob("*.py")),
    *sorted((ROOT / "tests" / "conformance" / "valid").rglob("*.py"))[::40],
    *sorted((ROOT / "tests" / "conformance" / "rules").rglob("*.py"))[::40],
]
#: files, parts that they are divided into, and edits of one file in a row
_FILES, _PARTS, _RUN = 100, 10, 20
_NUMBERS = ("0", "1", "16", "32", "48", "64", "128", "ROWS", "COLS")


class Session:
    """A kernel file and the constants it may read, both open in a workspace, against a fresh one."""

    def __init__(self, folder: Path, text: str, rng: random.Random) -> None:
        self.rng = rng
        self.folder = folder
        self.paths = [str(folder / "kernels.py"), str(folder / "sizes.py")]
        self.texts = [text, SIZES]
        self.before: list[tuple[int, str]] = []
        self.workspace = self.opened()

    def opened(self) -> Workspace:
        workspace = Workspace((str(self.folder),), Settings())
        for path, text in zip(self.paths, self.texts):
            workspace.open(path, text)
        return workspace

    def change(self) -> None:
        """One edit: what people do, and what nobody does."""
        which = int(self.rng.random() < 0.15)
        if self.before and self.rng.random() < 0.25:
            which, text = self.before.pop()
            self.replace(which, 0, len(self.texts[which]), text)
            return
        self.before.append((which, self.texts[which]))
        kind = self.rng.choice(
            (self.number, self.number, self.line, self.line, self.characters, self.characters, self.definition)
        )
        self.replace(which, *kind(self.texts[which]))

    def number(self, text: str) -> tuple[int, int, str]:
        """A number is another one."""
        digits = [at for at, character in enumerate(text) if character.isdigit()]
        if not digits:
            return self.characters(text)
        start = end = self.rng.choice(digits)
        while end < len(text) and text[end].isdigit():
            end += 1
        return start, end, self.rng.choice(_NUMBERS)

    def line(self, text: str) -> tuple[int, int, str]:
        """A line goes, comes twice, changes places or moves to another margin."""
        lines = text.splitlines(keepends=True) or [""]
        at = self.rng.randrange(len(lines))
        start = sum(map(len, lines[:at]))
        line = lines[at]
        new = self.rng.choice(("", line * 2, line[4:], "    " + line, line.rstrip("\n"), f"# {line}"))
        return start, start + len(line), new

    def definition(self, text: str) -> tuple[int, int, str]:
        """The head of a definition is broken or has another name, or all of it goes or comes twice."""
        heads = list(re.finditer(r"^ *(?:def|class) +(\w+)", text, re.MULTILINE))
        if not heads:
            return self.line(text)
        head = self.rng.choice(heads)
        end = re.compile(r"^(?=\S)|\Z", re.MULTILINE).search(text, head.end())
        assert end is not None
        whole = text[head.start() : end.start()]
        return self.rng.choice(
            (
                (head.end(), head.end(), self.rng.choice(";:[")),
                (head.end(1), head.end(1), "_"),
                (head.start(), head.start() + len(whole), ""),
                (head.start(), head.start(), whole),
            )
        )

    def characters(self, text: str) -> tuple[int, int, str]:
        """A few characters anywhere."""
        start = self.rng.randrange(len(text) + 1)
        return start, min(len(text), start + self.rng.choice((0, 0, 1, 3))), self.rng.choice(EDITS)

    def replace(self, which: int, start: int, end: int, new: str) -> None:
        edit(self.workspace, self.paths[which], start, end, new)
        text = self.texts[which]
        self.texts[which] = text[:start] + new + text[end:]

    def analyse(self) -> None:
        """An analysis that the next edit ends."""
        steps = self.rng.randrange(self.rng.choice((60, 400)))
        list(zip(range(steps), self.workspace.steps(self.paths[0])))

    def assert_as_fresh(self) -> None:
        report = told(self.workspace.check(self.paths[0]))
        assert report == told(self.opened().check(self.paths[0])), "\n=====\n".join(self.texts)


def texts(count: int) -> list[str]:
    """Shipped and generated files in turn."""
    shipped = [path.read_text(encoding="utf-8") for path in SHIPPED]
    return [shipped[n // 2 % len(shipped)] if n % 2 else generated(n) for n in range(count)]


@pytest.mark.parametrize("part", range(_PARTS))
def test_random_edits_equal_a_fresh_analysis(tmp_path: Path, part: int) -> None:
    for number, text in list(enumerate(texts(_FILES)))[part::_PARTS]:
        session = Session(tmp_path, text, random.Random(number))
        session.assert_as_fresh()
        for _ in range(_RUN):
            session.change()
            if session.rng.random() < 0.3:
                session.analyse()
            else:
                session.assert_as_fresh()
        session.assert_as_fresh()


def test_the_generated_kernels_are_python_with_findings(tmp_path: Path) -> None:
    (tmp_path / "sizes.py").write_text(SIZES)
    found = set()
    for seed in range(20):
        workspace = Workspace((str(tmp_path),), Settings())
        path = str(tmp_path / f"kernel_{seed}.py")
        assert workspace.is_python(generated(seed))
        workspace.open(path, generated(seed))
        report = workspace.check(path)
        assert report.units and report.bindings
        found |= {d.code for d in report.diagnostics}
    assert "UnusedVariableCheck/1001" in found and "PH001" in found
