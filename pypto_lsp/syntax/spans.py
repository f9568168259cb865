"""Character ranges of the nodes of a LibCST tree, by one pass of LibCST's own code generation.

LibCST's nodes hold no positions; its position providers find them by generating the code again with a state that counts
lines and columns. The state here counts characters only, which costs a quarter of that. The hook is ``Module._codegen``,
the one the providers use; a test compares the result with ``PositionProvider``.
"""

from __future__ import annotations

from typing import Any

import libcst as cst

_SUITES = frozenset({cst.IndentedBlock, cst.SimpleStatementSuite})


class _Recording:
    """Context manager that stores the range between its entry and its exit (or that of given nodes)."""

    __slots__ = ("end_node", "node", "start", "start_node", "state")

    def __init__(self, state: SpanState, node: Any, start_node: Any, end_node: Any) -> None:
        self.state = state
        self.node = node
        self.start_node = start_node
        self.end_node = end_node

    def __enter__(self) -> None:
        self.start = self.state.pos

    def __exit__(self, *_: object) -> None:
        spans = self.state.spans
        start = self.start if self.start_node is None else spans[self.start_node][0]
        end = self.state.pos if self.end_node is None else spans[self.end_node][1]
        spans[self.node] = (start, end)


class SpanState:
    """What ``_codegen`` writes to.

    ``spans`` maps a node to its range as ``PositionProvider`` has it; ``suites`` maps the body of a compound statement to
    the offset just behind the colon.
    """

    __slots__ = (
        "default_indent",
        "default_newline",
        "indents",
        "pos",
        "provider",
        "spans",
        "stack",
        "suites",
        "tail",
        "tokens",
        "width",
    )

    def __init__(self, module: cst.Module, start: int) -> None:
        self.default_indent = module.default_indent
        self.default_newline = module.default_newline
        self.provider = None
        self.pos = start
        self.tail = 0
        self.width = 0
        self.indents: list[int] = []
        self.stack: list[int] = []
        self.spans: dict[Any, tuple[int, int]] = {}
        self.suites: dict[Any, int] = {}
        #: the module only asks whether there are any
        self.tokens = ("",)

    def increase_indent(self, value: str) -> None:
        self.indents.append(len(value))
        self.width += len(value)

    def decrease_indent(self) -> None:
        self.width -= self.indents.pop()

    def add_indent_tokens(self) -> None:
        self.pos += self.width

    def add_token(self, value: str) -> None:
        self.tail = len(value)
        self.pos += self.tail

    def pop_trailing_newline(self) -> None:
        self.pos -= self.tail

    def before_codegen(self, node: Any) -> None:
        self.stack.append(self.pos)
        if node.__class__ in _SUITES:
            self.suites[node] = self.pos

    def after_codegen(self, node: Any) -> None:
        start = self.stack.pop()
        if node not in self.spans:
            self.spans[node] = (start, self.pos)

    def record_syntactic_position(self, node: Any, *, start_node: Any = None, end_node: Any = None) -> _Recording:
        return _Recording(self, node, start_node, end_node)


def measure(module: cst.Module, start: int = 0) -> SpanState:
    """The ranges of all nodes of a freshly parsed module whose text begins at offset ``start``."""
    state = SpanState(module, start)
    module._codegen(state)  # type: ignore[arg-type]
    return state
