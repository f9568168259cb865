"""Markdown for hovers, completions and signatures, and the plain text of it for clients that show none."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from pypto_lsp.analysis.facts import plain
from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ops.registry import Operator, Param

_FENCE = re.compile(r"^```\w*\n?", re.MULTILINE)
_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_EMPHASIS = re.compile(r"(\*\*|`)(.+?)\1")


def content(markdown: str, *, as_markdown: bool) -> lsp.MarkupContent:
    """The text in the form that the client shows."""
    if as_markdown:
        return lsp.MarkupContent(lsp.MarkupKind.Markdown, markdown)
    return lsp.MarkupContent(lsp.MarkupKind.PlainText, plain_text(markdown))


def plain_text(markdown: str) -> str:
    return _EMPHASIS.sub(r"\2", _HEADING.sub("", _FENCE.sub("", markdown)))


def code(text: str) -> str:
    return f"```python\n{text}\n```"


def operator_page(path: str, operator: Operator) -> str:
    """Signature, documentation and parameters of an operator."""
    parts = [code(operator.signature(path) + (f" -> {operator.returns}" if operator.returns else ""))]
    if operator.doc:
        parts.append(operator.doc)
    if operator.params:
        parts.append("\n".join(f"- {param_line(param)}" for param in operator.params))
    others = [f"`{other}`" for other in operator.paths if other != path]
    if others:
        parts.append(f"Also {', '.join(others)}.")
    return "\n\n".join(parts)


def param_line(param: Param) -> str:
    """One parameter: name, type, default, permitted values."""
    line = f"`{param.name}`"
    if param.type:
        line += f": {param.type}"
    if not param.required:
        line += f" = `{param.default}`"
    if param.allowed:
        line += f"; one of {', '.join(f'`{value}`' for value in param.allowed)}"
    return line


def finding_page(found: Diagnostic, page: str) -> str:
    """A finding's code, facts, fixes or the reason why there is none, and the explanation of its rule."""
    parts = [f"**{found.code}** {found.message}"]
    facts = [f"- {name}: `{plain(value)}`" for name, value in found.facts.items() if name != "no_fix"]
    if "no_fix" in found.facts:
        parts.append(f"No safe fix: {found.facts['no_fix']}.")
    elif found.fixes:
        parts.append("\n".join(f"Fix: {fix.title}" for fix in found.fixes))
    if facts:
        parts.append("\n".join(facts))
    if page:
        parts.append(page)
    return "\n\n".join(parts)
