"""Faults of expressions, names and subscripts (codes 2040-2069)."""

from __future__ import annotations

from pypto_lsp.diagnostics.faults import fault

UNSUPPORTED_EXPRESSION = fault(
    2040,
    "UnsupportedFeatureError",
    "expression not part of the language",
    "{what} cannot stand in a kernel",
    "A kernel's expressions are names, numbers, operators on scalars, comparisons, calls, subscripts, lists and tuples.",
    example="i = n if n > 0 else 0",
    instead="i = pl.max(n, 0)",
)
UNDEFINED = fault(
    2041,
    "UndefinedVariableError",
    "undefined name",
    "'{name}' is not defined{where}",
    "A name in a kernel is a parameter, a local that was assigned before, or a constant of the surrounding Python code. In a "
    "jit kernel only numbers of the module are visible: no lists, and nothing of an enclosing function.",
    example="t = pl.add(x, z)",
)
UNDEFINED_KEYWORD = fault(
    2042,
    "ParserTypeError",
    "undefined name in a keyword argument",
    "'{name}' is not defined{where}",
    "A keyword argument that is no value of the kernel is looked up in the surrounding Python code.",
    example="t = pl.full([8, 64], dtype=pl.FP32, value=NEG_INF)",
)
CONSTANT_KIND = fault(
    2043,
    "ParserTypeError",
    "constant of a kind that the language does not have",
    "{what} is no value of a kernel",
    "Kernels compute with integers, floats, bools and None (no task). Strings stand only in keyword arguments.",
    example='t = pl.mul(x, "2.0")',
    instead="t = pl.mul(x, 2.0)",
)
CHAINED_COMPARISON = fault(
    2045,
    "ParserSyntaxError",
    "chained comparison",
    "comparisons cannot be chained in a kernel",
    "Join two comparisons with and.",
    example="if 0 < n < 4:",
    instead="if n > 0 and n < 4:",
)
ATTRIBUTE_VALUE = fault(
    2046,
    "UnsupportedFeatureError",
    "attribute used as a value",
    "'{text}' cannot be used as a value here",
    "A kernel reads names, not attributes. Bind the attribute to a name at module level. Only a direct argument of an operator "
    "may be an attribute of a plain kernel's surroundings; in a jit kernel a tensor parameter has .shape and .dtype.",
    example="t = pl.slice(x, [CFG.rows, 64], [0, 0])",
    instead="ROWS = CFG.rows\nt = pl.slice(x, [ROWS, 64], [0, 0])",
)
CLOSURE_KIND = fault(
    2051,
    "ParserTypeError",
    "surrounding value of a kind that the language does not have",
    "'{name}' is {what}, which a kernel cannot use as a value",
    "Of the surrounding Python code a kernel can use integers, floats, bools, dynamic dimensions, and lists and tuples of them.",
)
CONDITION_KIND = fault(
    2052,
    "ParserTypeError",
    "condition that is no BOOL",
    "the condition of {statement} must be a BOOL scalar, this is {found}",
    "Nothing is converted to a truth value: write the comparison.",
    example="if n:",
    instead="if n != 0:",
)
