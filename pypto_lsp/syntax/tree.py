"""The tree of one file."""

from __future__ import annotations

from pypto_lsp.syntax import nodes
from pypto_lsp.syntax.faults import SyntaxFault, find_fault
from pypto_lsp.text.span import Anchor, Source, Span


class SyntaxTree:
    """The statements of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.body = _parse(source)

    def edited(self, text: str, start: int, old_end: int, new_end: int) -> SyntaxTree:
        return self.replaced(text)

    def replaced(self, text: str) -> SyntaxTree:
        self.source.text = text
        return SyntaxTree(self.source)

    def comments(self) -> list[tuple[Span, str]]:
        import io
        import tokenize

        result = []
        anchor = Anchor(self.source, 0)
        try:
            for token in tokenize.generate_tokens(io.StringIO(self.source.text).readline):
                if token.type == tokenize.COMMENT:
                    start = self.source.lines.offset(token.start[0], token.start[1] + 1)
                    result.append((Span(anchor, start, start + len(token.string)), token.string))
        except (tokenize.TokenError, SyntaxError):
            # what follows a fault has no comments
            return result
        return result

    def syntax_fault(self) -> SyntaxFault | None:
        return find_fault(self.source)


def _parse(source: Source) -> tuple[nodes.Stmt, ...]:
    import libcst

    from pypto_lsp.syntax.expressions import Conversion
    from pypto_lsp.syntax.spans import measure
    from pypto_lsp.syntax.statements import statements

    anchor = Anchor(source, 0)
    try:
        module = libcst.parse_module(source.text)
    except Exception as error:
        return (nodes.Broken(anchor, 0, len(source.text), type(error).__name__),)
    state = measure(module)
    return statements(Conversion(anchor, state.spans, state.suites), module.body)
