"""How many parameter dims of the kernels in a folder have a static value, and how long that takes.

    python benchmarks/static_values.py FOLDER [--misses]

A dim counts as resolved when it is an int, a dynamic symbol or arithmetic over such; dims are the elements of the first
argument of ``Tensor[[...], ...]`` and its like in the parameter annotations of kernels and of programs' methods.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pypto_lsp.frontend.static import Environment, ModuleLoader, class_scope, definitions, evaluate
from pypto_lsp.frontend.values import DynamicExpression, DynamicSymbol, KernelRef, Sequence
from pypto_lsp.syntax import SyntaxTree, parse
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Source

SHAPED = ("Tensor", "DistributedTensor", "Tile", "Array")


def shapes(annotation: syntax.Expr) -> Iterator[syntax.Expr]:
    """The shape arguments in an annotation."""
    if not isinstance(annotation, syntax.Subscript):
        return
    head = annotation.value
    name = head.attr if isinstance(head, syntax.Attribute) else head.id if isinstance(head, syntax.Name) else ""
    if name in SHAPED:
        yield annotation.index[0]
    else:
        for inner in annotation.index:
            yield from shapes(inner)


def resolved(value: Any) -> bool:
    return isinstance(value, int | DynamicSymbol | DynamicExpression)


def dims(shape: syntax.Expr, env: Environment) -> Iterator[tuple[syntax.Expr, Any]]:
    if isinstance(shape, syntax.List | syntax.Tuple):
        for element in shape.elts:
            yield element, evaluate(element, env)
    else:
        value = evaluate(shape, env)
        if isinstance(value, Sequence):
            yield from ((shape, item) for item in value.items)
        else:
            yield shape, value


def kernels_of(found: Any) -> Iterator[tuple[syntax.FunctionDef, Environment]]:
    if isinstance(found, KernelRef):
        yield found.node, found.env
        return
    inner = class_scope(found)
    for statement in found.node.body:
        if isinstance(statement, syntax.FunctionDef):
            yield statement, inner


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--misses", action="store_true", help="list the dims without a value")
    options = parser.parse_args()
    root = str(options.folder.resolve())
    trees: dict[str, SyntaxTree | None] = {}

    def read(path: str) -> SyntaxTree | None:
        if path not in trees:
            try:
                trees[path] = parse(Source(path, Path(path).read_text(encoding="utf-8")))
            except (OSError, UnicodeDecodeError):
                trees[path] = None
        return trees[path]

    paths = sorted(str(path) for path in Path(root).rglob("*.py"))
    for path in paths:
        read(path)
    loader = ModuleLoader(read, [root])
    counts: Counter[str] = Counter()
    misses: Counter[str] = Counter()
    times: list[tuple[float, str]] = []
    for path in paths:
        begin = time.perf_counter()
        env = loader.load(path)
        assert env is not None
        for found in definitions(env):
            for node, scope in kernels_of(found):
                counts["kernels"] += 1
                for param in node.params:
                    for shape in shapes(param.annotation) if param.annotation is not None else ():
                        for element, value in dims(shape, scope):
                            counts["dims"] += 1
                            counts["resolved"] += resolved(value)
                            if not resolved(value):
                                misses[
                                    f"{os.path.relpath(path, root)}:{node.name} {element.text} = {value!r}"[:200]
                                ] += 1
        times.append((time.perf_counter() - begin, path))
    if options.misses:
        for text, count in misses.most_common():
            print(count, text)
    times.sort(reverse=True)
    total = sum(seconds for seconds, _ in times)
    share = counts["resolved"] / max(counts["dims"], 1)
    print(f"{len(paths)} files, {counts['kernels']} kernels, {counts['dims']} dims, {share:.2%} resolved")
    print(f"evaluation {total * 1000:.0f} ms in all, {total * 1000 / max(len(paths), 1):.1f} ms per file; slowest:")
    for seconds, path in times[:5]:
        print(f"  {seconds * 1000:7.1f} ms  {os.path.relpath(path, root)}")


if __name__ == "__main__":
    main()
