"""The order of the packages, held against the imports in the code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pypto_lsp

ROOT = Path(pypto_lsp.__file__).parent

#: a package may import from itself and from those before it
ORDER = (
    "text", "syntax", "diagnostics", "ir", "backends", "ops", "frontend", "passes", "verifiers", "checks", "fixes",
    "analysis", "server", "cli",
)  # fmt: skip

#: the only packages that may know the protocol's types
PROTOCOL = ("lsprotocol", "pygls")
MODULES = sorted(ROOT.rglob("*.py"))


def imported(tree: ast.AST, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Line and absolute name of every import, those inside functions and under ``TYPE_CHECKING`` too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join((*package[: len(package) - node.level + 1], *filter(None, [node.module])))
            yield node.lineno, base
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def own_package(module: Path) -> str | None:
    parts = module.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else None


def faults(module: Path, source: str) -> list[str]:
    package = own_package(module)
    dotted = ("pypto_lsp", *module.relative_to(ROOT).parent.parts)
    found = []
    for line, name in imported(ast.parse(source), dotted):
        parts = name.split(".")
        if parts[0] in PROTOCOL and package != "server":
            found.append(f"{module.name}:{line}: {name} outside the server")
        if parts[0] != "pypto_lsp" or len(parts) < 2 or parts[1] not in ORDER:
            continue
        if package is not None and ORDER.index(parts[1]) > ORDER.index(package):
            found.append(f"{package}/{module.name}:{line}: imports {name} from below")
    return found


def test_every_package_has_a_place() -> None:
    packages = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}
    assert packages == set(ORDER)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_upwards(module: Path) -> None:
    assert faults(module, module.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("text", "from pypto_lsp.syntax import nodes"),
        ("ir", "def f():\n    import pypto_lsp.ops.registry"),
        ("frontend", "from pypto_lsp import passes"),
        ("analysis", "from ..server import session"),
        ("analysis", "from lsprotocol import types"),
        ("cli", "import pygls.lsp.server"),
    ],
)
def test_a_wrong_import_is_found(package: str, source: str) -> None:
    assert faults(ROOT / package / "module.py", source) != []
