"""Faults that Python itself raises when the file is imported (codes 2501-2599)."""

from __future__ import annotations

from pypto_lsp.diagnostics.faults import fault

SYNTAX = fault(
    2501, "SyntaxError", "Python syntax",
    "{message}",
    "The file is no valid Python, so nothing in it can be compiled. What can be read is analysed all the same.",
    example="t = pl.mul(a, 2.0", instead="t = pl.mul(a, 2.0)",
)  # fmt: skip
UNDEFINED_NAME = fault(
    2502, "NameError", "Undefined name",
    "`{name}` is not defined",
    "Python evaluates the annotations of parameters and results, decorators and base classes when it reads the "
    "definition.",
    example="def k(w: pl.Tensor[[ROWS, 64], pl.FP32]): ...", instead="ROWS = 64",
)  # fmt: skip
MISSING_ATTRIBUTE = fault(
    2503, "AttributeError", "Unknown attribute",
    "`{owner}` has no `{name}`",
    "Python evaluates the annotations of parameters and results and decorators when it reads the definition.",
    example="def k(w: pl.Tensor[[64, 64], pl.FLOAT32]): ...", instead="def k(w: pl.Tensor[[64, 64], pl.FP32]): ...",
)  # fmt: skip
TYPE_PARTS = fault(
    2504, "TypeError", "Wrong number of parts in a type",
    "`{type}` takes {expected}, not {count}",
    "A tensor type has a shape, an element type, and perhaps a layout or view and a memory reference; a tile type "
    "has a shape, an "
    "element type, and perhaps a memory space, a view and a memory reference.",
    example="def k(w: pl.Tensor[[64, 64]]): ...", instead="def k(w: pl.Tensor[[64, 64], pl.FP32]): ...",
)  # fmt: skip
TILE_PART = fault(
    2505, "TypeError", "Part of a tile type",
    "`{text}` is no part of a tile type, or is given twice",
    "After shape and element type a tile type takes one memory space, one `pl.TileView(...)` and one memory reference.",
    example="def k(t: pl.Tile[[8, 8], pl.FP32, 2]): ...", instead="def k(t: pl.Tile[[8, 8], pl.FP32, pl.Mem.Vec]): ...",
)  # fmt: skip
CALL_KEYWORD = fault(
    2506, "TypeError", "Unknown keyword",
    "`{callee}` has no keyword `{name}`",
    "Python evaluates the annotations of parameters and results and decorators when it reads the definition.",
    example="def k(w: pl.Tensor[[8], pl.FP32, pl.TensorView(valid=[8])]): ...",
    instead="def k(w: pl.Tensor[[8], pl.FP32, pl.TensorView(valid_shape=[8])]): ...",
)  # fmt: skip
OPERANDS = fault(
    2507, "TypeError", "Operation on values of wrong types",
    "`{text}` cannot be computed: {reason}",
    "Python evaluates the annotations of parameters and results when it reads the definition.",
    example='def k(w: pl.Tensor[["8" - 1], pl.FP32]): ...', instead="def k(w: pl.Tensor[[8 - 1], pl.FP32]): ...",
)  # fmt: skip
VALUE = fault(
    2508, "ValueError", "Value that cannot be used",
    "`{text}` cannot be computed: {reason}",
    "Python evaluates the annotations of parameters and results when it reads the definition.",
)  # fmt: skip
MISSING_IMPORT = fault(
    2509, "ImportError", "Name that a module does not have",
    "Module `{module}` has no `{name}`",
    "The import fails, and with it everything in this file.",
    example="from helpers import nrom", instead="from helpers import norm",
)  # fmt: skip
