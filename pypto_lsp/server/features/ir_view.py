"""The IR view: the request ``pypto/ir`` gives the IR of a document's kernels after a pass.

Parameters: ``textDocument`` (with its ``uri``), and optionally ``kernel`` and ``after``, a pass; without them all kernels, and the
IR as the rules see it. Result: ``text``, and what can be asked for: ``kernels`` and ``passes`` in order; or ``error`` in place of
``text``, a sentence for the user.
"""

from __future__ import annotations

from typing import Any

from pypto_lsp.server.server import Server
from pypto_lsp.server.uris import to_path

METHOD = "pypto/ir"


def _field(params: Any, name: str) -> str | None:
    """An optional text of the request's parameters."""
    value = params.get(name) if isinstance(params, dict) else getattr(params, name, None)
    return value if isinstance(value, str) and value else None


def register(server: Server) -> None:
    @server.feature(METHOD)
    async def ir_view(params: Any) -> dict[str, Any]:
        from pypto_lsp.analysis.ir_text import STAGES, NoSuchIR, ir_text, kernels

        document = params.get("textDocument") if isinstance(params, dict) else getattr(params, "textDocument", None)
        uri = _field(document, "uri")
        session = server.session
        path = to_path(uri) if uri is not None else None
        if path is None or session.workspace.sources.document(path) is None:
            return {"error": "the document is not open", "kernels": [], "passes": list(STAGES)}
        report = await session.scheduler.report(path, complete=True)
        answer: dict[str, Any] = {"kernels": kernels(report), "passes": list(STAGES)}
        steps = ir_text(
            report, session.workspace.settings.target, after=_field(params, "after"), kernel=_field(params, "kernel")
        )
        try:
            return {"text": await session.scheduler.result(steps), **answer}
        except NoSuchIR as fault:
            return {"error": str(fault), **answer}
