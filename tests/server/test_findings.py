"""What is kept of findings for long."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

from lsprotocol import types as lsp

from pypto_lsp.analysis.report import FileReport
from pypto_lsp.diagnostics import Diagnostic, Related, Severity
from pypto_lsp.server.findings import Findings
from pypto_lsp.text import Anchor, Source, Span

SOURCE = Source("/k.py", "load(x)\nload(y)\n")
NOWHERE = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))


def findings() -> Findings:
    client = SimpleNamespace(code_description=False, related_information=True, pull_diagnostics=True)
    session = SimpleNamespace(
        server=SimpleNamespace(client=client, positions=SimpleNamespace(range=lambda span: NOWHERE)),
        workspace=SimpleNamespace(
            sources=SimpleNamespace(document=lambda path: None), settings=SimpleNamespace(hint_severity="hint")
        ),
        uri=lambda path: f"file://{path}",
    )
    return Findings(cast(Any, session))


def hint(bytes_: int, word: str = "here") -> Diagnostic:
    """A new one each time, as each analysis makes its own."""
    span = Span(Anchor(SOURCE, 0), 0, 7)
    return Diagnostic(
        Severity.PERF_HINT, "PerfHint", 0, f"rows of {bytes_} bytes", span,
        hint_code="PH001", related=(Related(span, f"set {word}"),), facts={"bytes": bytes_, "op": "load"}, subject=[span],
    )  # fmt: skip


def kept(found: Findings, path: str) -> Diagnostic:
    report = found.report(path)
    assert report is not None
    return report.diagnostics[0]


def test_reports_that_are_kept_share_what_they_say_alike() -> None:
    found = findings()
    for path in ("/one.py", "/two.py"):
        found.update(FileReport(path, "complete", (hint(128),)).without_units())
    one, two = (kept(found, path) for path in ("/one.py", "/two.py"))
    assert one is not two
    assert one.facts is two.facts
    assert one.message is two.message
    assert one.related[0].message is two.related[0].message
    assert one.subject is None


def test_other_facts_stay_their_own() -> None:
    found = findings()
    other = replace(hint(128), facts={"bytes": 128, "op": "store"})
    for path, finding in (("/one.py", hint(128)), ("/two.py", other), ("/three.py", hint(64))):
        found.update(FileReport(path, "complete", (finding,)))
    facts = [kept(found, path).facts for path in ("/one.py", "/two.py", "/three.py")]
    assert facts == [{"bytes": 128, "op": "load"}, {"bytes": 128, "op": "store"}, {"bytes": 64, "op": "load"}]
    assert len(found.of("/k.py").items) == 2
