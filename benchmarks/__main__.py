"""All figures in one run, beside those of other servers where these are installed.

    python -m benchmarks [--folder FOLDER --file FILE] [--edits N] [--output FILE]

Measured from outside, over stdio, as an editor sees it: start, first findings of a file that is opened, findings after a number is
changed, hovers, peak memory; the check of a folder from the command line, cold and with the cache; and how these grow with the size of
a kernel and with the number of files. Kernels are generated; with ``--folder`` (and a ``--file`` in it to edit) real ones are measured
besides. The output is a Markdown table with ratios to this project's figure.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import pypto_lsp
from benchmarks.editor import Editor, Latency
from benchmarks.kernels import BLOCK, kernel, write_workspace

OURS = "pypto-lsp"
#: other servers: the command, which is left out where it is not installed
PEERS = {"ruff": ["ruff", "server"], "basedpyright": ["basedpyright-langserver", "--stdio"]}
SIZES = (1, 2, 4, 8)
_NUMBER = re.compile(r"(?<=[\s(\[,])[1-9](?=[\d)\],\s])")

Row = tuple[str, dict[str, float | None]]


def servers() -> dict[str, list[str]]:
    """The command of each server that is there; this project's own is run by this Python."""
    beside = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    found = {name: shutil.which(command[0], path=beside) for name, command in PEERS.items()}
    peers = {name: [path, *PEERS[name][1:]] for name, path in found.items() if path is not None}
    return {OURS: [sys.executable, "-m", "pypto_lsp", "serve", "--no-cache"], **peers}


def edited_places(path: Path, count: int) -> Iterator[tuple[int, int]]:
    """Places of digits over a file: line and column, from 0."""
    lines = path.read_text(encoding="utf-8").splitlines()
    # a digit behind other than ASCII text would have another column in the protocol's units
    places = [(n, m.start()) for n, text in enumerate(lines) if text.isascii() for m in _NUMBER.finditer(text)]
    step = max(1, len(places) // count)
    yield from places[step // 2 :: step][:count]


def edit_times(editor: Editor, path: Path, edits: int) -> Latency:
    times: list[float] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    for line, column in edited_places(path, edits):
        old = lines[line][column]
        for new in (str(int(old) % 9 + 1), old):
            took = editor.replace(path, line, column, column + 1, new)
            if took is not None:
                times.append(took)
    return Latency(tuple(times))


def conversation(command: list[str], root: Path, path: Path, edits: int) -> dict[str, float | None]:
    """What an editor sees of one server with one file."""
    editor = Editor(command, root)
    opened = editor.open(path)
    times = edit_times(editor, path, edits)
    hovers = Latency(tuple(editor.hover(path, *place) for place in edited_places(path, 10)))
    peak = editor.peak()
    editor.close()
    return {
        "start to `initialize`, ms": editor.start,
        "first findings after open, ms": opened,
        "findings after an edit, middle, ms": times.at(0.5),
        "findings after an edit, p95, ms": times.at(0.95),
        "hover, p95, ms": hovers.at(0.95),
        "peak memory, MiB": peak,
    }


def beside_each_other(root: Path, path: Path, edits: int) -> list[Row]:
    """The rows of one file, with a column for each server."""
    columns = {name: conversation(command, root, path, edits) for name, command in servers().items()}
    return [(title, {name: column[title] for name, column in columns.items()}) for title in columns[OURS]]


def check(folder: Path, cache: Path) -> float:
    """Seconds of the command over a folder."""
    environ = {**os.environ, "PYPTO_LSP_CACHE": str(cache), "PYTHONPATH": str(Path(pypto_lsp.__file__).parents[1])}
    command = [sys.executable, "-m", "pypto_lsp", "check", "--format", "json", "."]
    start = perf_counter()
    subprocess.run(command, cwd=folder, env=environ, stdout=subprocess.DEVNULL, check=False)
    return perf_counter() - start


def checks(folder: Path) -> list[Row]:
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = check(folder, Path(cache)), check(folder, Path(cache))
    return [("`check` of the folder, cold, s", {OURS: cold}), ("the same again, s", {OURS: warm})]


def workspace_memory(root: Path, files: list[Path]) -> list[Row]:
    """Peak memory with a workspace checked and ten files open: those of middle length, and the longest. ``files`` has the longest
    first."""
    middle = files[max(0, len(files) // 2 - 5) :]
    rows: list[Row] = []
    for which, ten in (("of middle length", middle[:10]), ("the longest", files[:10])):
        editor = Editor(servers()[OURS], root)
        took = editor.check_workspace()
        for path in ten:
            editor.open(path)
        editor.check_workspace()
        if not rows:
            rows.append(("workspace findings by pull, s", {OURS: took / 1000}))
        rows.append((f"peak memory, ten files open, {which}, MiB", {OURS: editor.peak()}))
        editor.close()
    return rows


def growth(folder: Path, edits: int) -> list[list[object]]:
    """Edit and opening times over the size of a kernel, check times over the number of files; each with its ratio to the
    smallest."""
    rows: list[list[object]] = []
    command = servers()[OURS]
    for size in SIZES:
        root = folder / f"size_{size}"
        (path,) = write_workspace(root, 1, 8 * size)
        seen = conversation(command, root, path, edits)
        write_workspace(folder / f"files_{size}", 6 * size, 4)
        cold = check(folder / f"files_{size}", folder / f"cache_{size}")
        figures = (
            seen["first findings after open, ms"],
            seen["findings after an edit, middle, ms"],
            seen["peak memory, MiB"],
        )
        rows.append([f"{size}x", 8 * size * BLOCK, *figures, 6 * size, cold])
    return rows


# --- the table -------------------------------------------------------------------------------------------------------


def shown(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}" if value >= 20 else f"{value:.1f}"


def table(rows: list[Row]) -> str:
    names = list(dict.fromkeys(name for _, columns in rows for name in columns))
    head = ["", *names]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for title, columns in rows:
        ours = columns.get(OURS)
        cells = []
        for name in names:
            value = columns.get(name)
            ratio = f" ({value / ours:.2g}x)" if value is not None and ours and name != OURS else ""
            cells.append(shown(value) + ratio)
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def growth_table(rows: list[list[object]]) -> str:
    titles = ["", "statements", "open, ms", "edit, ms", "memory, MiB", "files", "check, s"]
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    first = rows[0]
    for row in rows:
        cells = [str(row[0])]
        for at in range(1, len(titles)):
            value, base = row[at], first[at]
            ratio = f" ({value / base:.1f}x)" if row is not first and value and base else ""  # type: ignore[operator]
            cells.append(shown(value) + ratio)  # type: ignore[arg-type]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def machine() -> str:
    """The processor, the cores, the system and Python; nothing that names the place."""
    model = platform.processor() or platform.machine()
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
        model = found[1] if found else model
    except OSError:  # not Linux
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, help="a folder of real kernels")
    parser.add_argument("--file", type=Path, help="a file in it to open and edit (default: the longest)")
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--output", type=Path, help="where the tables go (default: standard output)")
    arguments = parser.parse_args()
    if arguments.file and not (arguments.folder and (arguments.folder / arguments.file).is_file()):
        parser.error(f"--folder has no file {arguments.file}")
    parts = [f"Machine: {machine()}."]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        files = write_workspace(folder / "generated", 24, 8)
        parts += [f"Generated kernel of {len(kernel(8).splitlines())} lines, in a folder of {len(files)}:"]
        rows = beside_each_other(folder / "generated", files[0], arguments.edits)
        rows += checks(folder / "generated") + workspace_memory(folder / "generated", files)
        parts += [table(rows), "Growth:", growth_table(growth(folder, arguments.edits))]
        if arguments.folder:
            root = arguments.folder.resolve()
            real = sorted(root.rglob("*.py"), key=lambda path: -path.stat().st_size)
            kernels = [path for path in real if b"pypto" in path.read_bytes()]
            path = root / (arguments.file or real[0])
            lines = len(path.read_text(encoding="utf-8").splitlines())
            parts.append(f"`{path.relative_to(root).as_posix()}` ({lines} lines) in a folder of {len(real)}:")
            rows = beside_each_other(root, path, arguments.edits) + checks(root) + workspace_memory(root, kernels)
            parts.append(table(rows))
    text = "\n\n".join(parts) + "\n"
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
