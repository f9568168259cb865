"""CPython's compiler, asked whether a text is sound; nothing of the text is run."""

from __future__ import annotations

import warnings


def compile_text(text: str, flags: int = 0) -> None:
    """Raises what ``compile()`` raises; its warnings are not shown. It is not only the parser: what is wrong with scopes and jumps is
    found by the later stages. The file has no name: CPython would look into it for the line with a fault."""
    if not text.isascii():
        # CPython keeps the UTF-8 form of what it compiles as long as the text, so it gets a copy
        text = text.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(text, "<text>", "exec", flags, dont_inherit=True)
