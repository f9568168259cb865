"""Every fix that is offered anywhere in the conformance suite, applied: its finding is gone, and no new one came.

A fault of the front end hides what the passes would say, so that only the front end's own findings count as new behind a fix of
one. PH001's fixes, which take analyses of their own, are applied with the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import backend
from pypto_lsp.diagnostics import Diagnostic, Fix, Severity
from pypto_lsp.fixes.registry import edited_texts

SUITE = Path(__file__).parent / "conformance"
#: area -> the targets it is checked for; the front end does not depend on the target
AREAS = {
    "errors": ("ascend910b",),
    "beyond": ("ascend910b",),
    "rules": ("ascend910b", "ascend950"),
    "valid": ("ascend910b",),
    "reports": ("ascend910b",),
}
#: the first code of the front end's own, and the last
FRONT_END = range(2001, 3000)
#: case -> the second fault of the same fragment that the fix of the first one lets be seen
SECOND_FAULTS = {
    "errors/annotation/tile_wrong_shape.py": "ParserTypeError/2245",
    "beyond/stmt/bare_name.py": "UnusedVariableCheck/1001",
    "errors/decorator/level_unknown.py": "ParserSyntaxError/2430",
    "errors/op_arity/array_create_no_dtype.py": "InvalidOperationError/2307",
    "errors/op_keyword/arange_end.py": "InvalidOperationError/2306",
    "errors/op_keyword/transpose_perm.py": "InvalidOperationError/2302",
    "errors/subscript/store_step.py": "ParserTypeError/2363",
}


def groups() -> Iterator[object]:
    for area, targets in AREAS.items():
        kinds = {path.relative_to(SUITE / area).parts[0] for path in (SUITE / area).rglob("*.py")}
        for kind in sorted(kinds) if area in ("errors", "rules") else [""]:
            for target in targets:
                yield pytest.param(area, kind, target, id=f"{area}-{kind}-{target}" if kind else f"{area}-{target}")


def is_front_end(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity is Severity.ERROR and diagnostic.error_code in FRONT_END


def count(diagnostics: tuple[Diagnostic, ...], cured: Diagnostic) -> Counter[str]:
    """The codes of what could be seen before a finding was cured."""
    return Counter(d.code for d in diagnostics if not is_front_end(cured) or is_front_end(d))


def offered(diagnostics: tuple[Diagnostic, ...]) -> dict[tuple[str, tuple[object, ...]], tuple[Diagnostic, Fix]]:
    """The different fixes of some findings, each with its finding."""
    found: dict[tuple[str, tuple[object, ...]], tuple[Diagnostic, Fix]] = {}
    for diagnostic in diagnostics:
        for fix in diagnostic.fixes:
            edits = tuple((*edit.span.key(), edit.new_text) for edit in fix.edits)
            found.setdefault((diagnostic.code, edits), (diagnostic, fix))
    return found


@pytest.mark.parametrize(("area", "kind", "target"), list(groups()))
def test_every_fix_cures_its_finding_and_nothing_else(area: str, kind: str, target: str) -> None:
    workspace = Workspace((str(SUITE / area),), Settings(target=backend(target)), patient=True)
    for path in sorted((SUITE / area / kind).rglob("*.py")):
        case = path.relative_to(SUITE).as_posix()
        before = workspace.check(str(path)).diagnostics
        for cured, fix in offered(before).values():
            for file, text in edited_texts(fix).items():
                workspace.open(file, text)
            after = workspace.check(str(path)).diagnostics
            for file in edited_texts(fix):
                workspace.close(file)
            new = count(after, cured) - count(before, cured)
            second = SECOND_FAULTS.get(case, "")
            new.pop(second, None)
            assert not new, f"{case}: {fix.title!r} brings {dict(new)}"
            gone = Counter(d.code for d in before)[cured.code] > Counter(d.code for d in after)[cured.code]
            assert gone or cured.code == second, f"{case}: {fix.title!r} does not cure {cured.code}"
        workspace.release(str(path))
