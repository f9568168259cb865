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
    2507, "TypeError", "Operation on a value of the wrong type",
    "`{text}` cannot be computed: this does not work with a value of that type",
    "Python evaluates the annotations of parameters and results when it reads the definition.",
    example="K = 64\ndef k(w: pl.Tensor[[len(K)], pl.FP32]): ...", instead="K = 64\ndef k(w: pl.Tensor[[K], pl.FP32]): ...",
)  # fmt: skip
VALUE = fault(
    2508, "ValueError", "Value that cannot be used",
    "`{text}` cannot be computed from this value",
    "Python evaluates the annotations of parameters and results when it reads the definition.",
)  # fmt: skip
MISSING_IMPORT = fault(
    2509, "ImportError", "Name that a module does not have",
    "Module `{module}` has no `{name}`",
    "The import fails, and with it everything in this file.",
    example="from helpers import nrom", instead="from helpers import norm",
)  # fmt: skip
VIEW_LAYOUT = fault(
    2510, "ValueError", "View without a layout",
    "`pl.TensorView` needs `layout` where it gives a stride, a valid shape or a padding",
    "Python builds the view when it reads the definition, and without a layout the other fields have no meaning.",
    example="def k(w: pl.Tensor[[8, 8], pl.FP32, pl.TensorView(stride=[8, 1])]): ...",
    instead="def k(w: pl.Tensor[[8, 8], pl.FP32, pl.TensorView(stride=[8, 1], layout=pl.TensorLayout.ND)]): ...",
)  # fmt: skip
INDEX = fault(
    2511, "IndexError", "Index out of range",
    "`{text}` is out of range",
    "Python evaluates the annotations of parameters and results when it reads the definition.",
    example="SIZES = [4, 8]\ndef k(w: pl.Tensor[[SIZES[2]], pl.FP32]): ...",
    instead="SIZES = [4, 8]\ndef k(w: pl.Tensor[[SIZES[1]], pl.FP32]): ...",
)  # fmt: skip
KEY = fault(
    2512, "KeyError", "Unknown key",
    "`{text}` asks for a key that is not there",
    "Python evaluates the annotations of parameters and results when it reads the definition.",
    example='SIZES = {"m": 4}\ndef k(w: pl.Tensor[[SIZES["n"]], pl.FP32]): ...',
    instead='SIZES = {"m": 4}\ndef k(w: pl.Tensor[[SIZES["m"]], pl.FP32]): ...',
)  # fmt: skip
DIVISION = fault(
    2513, "ZeroDivisionError", "Division by zero",
    "`{text}` divides by zero",
    "Python evaluates the annotations of parameters and results when it reads the definition.",
    example="def k(w: pl.Tensor[[64 // 0], pl.FP32]): ...", instead="def k(w: pl.Tensor[[64 // 8], pl.FP32]): ...",
)  # fmt: skip
NO_ATTRIBUTE = fault(
    2514, "AttributeError", "Unknown attribute of a value",
    "`{text}` does not exist",
    "Python evaluates the annotations of parameters and results when it reads the definition.",
    example="class CFG:\n    rows = 8\ndef k(w: pl.Tensor[[CFG.row], pl.FP32]): ...",
    instead="class CFG:\n    rows = 8\ndef k(w: pl.Tensor[[CFG.rows], pl.FP32]): ...",
)  # fmt: skip
TILE_MEMREF = fault(
    2515, "TypeError", "Allocation without a memory space",
    "A tile type with a memory reference must name its memory space too",
    "The allocation's size and address follow from the tiles in it, and those from the memory they lie in.",
    example='def k(t: pl.Tile[[8, 8], pl.FP32, pl.MemRef("a")]): ...',
    instead='def k(t: pl.Tile[[8, 8], pl.FP32, pl.MemRef("a"), pl.Mem.Vec]): ...',
)  # fmt: skip
DECORATOR_POSITIONAL = fault(
    2516, "AttributeError", "Decorator with a positional argument",
    "The decorator takes keywords only; `{text}` stands where the function would be",
    "Called without keywords a decorator gets the function itself as its only positional argument.",
    example="@pl.function(pl.FunctionType.InCore)", instead="@pl.function(type=pl.FunctionType.InCore)",
)  # fmt: skip
INLINE_PARENTHESES = fault(
    2517, "TypeError", "Inline decorator with parentheses",
    "`@pl.inline` is written without parentheses",
    "It takes the function and nothing else.",
    example="@pl.inline()", instead="@pl.inline",
)  # fmt: skip
