"""Faults of operator calls, of operators in scalar expressions and of subscripts (2301 to 2399).

Every template may use ``operator`` (the spelling used) and ``parameter``; whoever dispatches a call fills them in.
"""

from __future__ import annotations

from pypto_lsp.diagnostics.faults import fault

_CALL = "InvalidOperationError"
_EXPRESSION = "ParserSyntaxError"

# --- the call itself -----------------------------------------------------------------------------------------------

UNKNOWN_OPERATOR = fault(
    2301, _CALL, "unknown operator", "{path} is not an operator{hint}",
    "The name is spelled wrongly, belongs to another namespace (pl.tensor, pl.tile, pl.system, pld), or is no operator.",
    example="t = pl.ad(x, y)", instead="t = pl.add(x, y)",
)  # fmt: skip
NOT_YET = fault(
    2326, _CALL, "operator of a later release", "{path} is part of the language since {day}, the workspace is pinned to {version}",
    "The setting dslVersion (--dsl-version on the command line) names an older language than this name belongs to. Only names whose "
    "first day is certain are reported.",
    example="t = pl.slice(x, [32, 64], [0, 0])", instead="t = pl.view(x, [32, 64], [0, 0])",
)  # fmt: skip
MISSING_ARGUMENT = fault(
    2302, _CALL, "missing argument", "{operator} needs an argument for '{parameter}'",
    "A parameter without a default got no argument.",
    example="t = pl.add(x)", instead="t = pl.add(x, y)",
)  # fmt: skip
SURPLUS_ARGUMENT = fault(
    2303, _CALL, "surplus argument", "{operator} takes {limit} positional argument(s), this is number {position}",
    "There are more positional arguments than the operator has parameters.",
    example="t = pl.exp(x, y)", instead="t = pl.exp(x)",
)  # fmt: skip
UNKNOWN_KEYWORD = fault(
    2304, _CALL, "unknown keyword", "{operator} has no parameter '{keyword}'{hint}",
    "The keyword names no parameter of the operator.",
    example="t = pl.exp(x, out=y)", instead="t = pl.exp(x)",
)  # fmt: skip
REPEATED_ARGUMENT = fault(
    2305, _CALL, "argument given twice", "'{parameter}' of {operator} is given twice",
    "One parameter got an argument by position and another by keyword.",
    example="t = pl.exp(x, input=y)", instead="t = pl.exp(x)",
)  # fmt: skip

# --- one argument --------------------------------------------------------------------------------------------------

WRONG_KIND = fault(
    2306, _CALL, "wrong kind of argument", "'{parameter}' of {operator} must be {expected}, this is {got}",
    "The operator takes another kind of value here: a Tensor, a Tile, a Scalar, a list of extents, a Python value.",
    example="t = pl.exp(3)", instead="t = pl.exp(x)",
)  # fmt: skip
WRONG_DTYPE = fault(
    2307, _CALL, "element type not accepted", "'{parameter}' of {operator} must be of {expected}, this is {got}",
    "The operator does not work on this element type.",
    example="t = pl.div(bf16_a, bf16_b)", instead="t = pl.div(pl.cast(bf16_a, pl.FP32), pl.cast(bf16_b, pl.FP32))",
)  # fmt: skip
DTYPE_MISMATCH = fault(
    2308, _CALL, "element types differ",
    "{operator} needs equal element types: '{parameter}' is {got}, '{other}' is {wanted}",
    "Two operands must have the same element type; cast one of them.",
    example="pl.write(int32_tensor, [0, 0], 1.0)", instead="pl.write(int32_tensor, [0, 0], pl.const(1, pl.INT32))",
)  # fmt: skip
WRONG_RANK = fault(
    2309, _CALL, "wrong rank", "'{parameter}' of {operator} must have {expected}, this has {got}",
    "The operand, or a list of extents or offsets, has another number of dimensions than the operator needs.",
    example="t = pl.slice(x, [16], [0, 0])", instead="t = pl.slice(x, [16, 64], [0, 0])",
)  # fmt: skip
SHAPE_MISMATCH = fault(
    2310, _CALL, "shapes do not fit", "{operator}: {left} against {right}: {reason}",
    "The shapes of the operands must agree in the dimension named (equal, or one of them 1 where the operator broadcasts).",
    example="t = pl.add(x_64_128, y_32_128)", instead="t = pl.add(x_64_128, y_64_128)",
)  # fmt: skip
OUT_OF_BOUNDS = fault(
    2311, _CALL, "out of bounds", "{operator}: dimension {dimension}: {reason}",
    "The window starts before the source, or reaches past its end.",
    example="t = pl.slice(x, [16, 64], [56, 0])", instead="t = pl.slice(x, [8, 64], [56, 0])",
)  # fmt: skip
WRONG_MEMBER = fault(
    2312, _CALL, "not a permitted choice", "'{parameter}' of {operator} must be one of {expected}, not {got}",
    "The parameter takes one of a closed set of values.",
    example='t = pl.cast(x, pl.INT32, mode="nearest")', instead='t = pl.cast(x, pl.INT32, mode="rint")',
)  # fmt: skip
WRONG_MEMORY = fault(
    2313, _CALL, "memory space not accepted", "'{parameter}' of {operator} must be in {expected}, this is in {got}",
    "The operator cannot read from or write to this memory space.",
    example="t = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Acc)",
    instead="t = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)",
)  # fmt: skip
WRONG_VALUE = fault(
    2314, _CALL, "value not accepted", "'{parameter}' of {operator} {reason}, this is {got}",
    "The value lies outside what the operator accepts.",
    example="t = pl.create_tile([0, 64], dtype=pl.FP32)", instead="t = pl.create_tile([16, 64], dtype=pl.FP32)",
)  # fmt: skip
NOT_CONSTANT = fault(
    2315, _CALL, "must be a constant", "'{parameter}' of {operator} must be known at compile time, this is {got}",
    "The value shapes the generated code, so it cannot come from a run-time scalar.",
    example="t = pl.create_tile([n, 64], dtype=pl.FP32)", instead="t = pl.create_tile([16, 64], dtype=pl.FP32)",
)  # fmt: skip
VALID_REGION = fault(
    2316, _CALL, "valid region does not fit", "{operator}: {reason}",
    "The part of the operand that holds real data cannot be mapped to the result, or does not fit the other operand.",
)  # fmt: skip
ELEMENT_COUNT = fault(
    2317, _CALL, "element counts differ", "{operator}: {left} has {count} elements, {right} has {other_count}",
    "A reshape keeps the number of elements.",
    example="t = pl.reshape(x_64_32, [64, 64])", instead="t = pl.reshape(x_64_32, [32, 64])",
)  # fmt: skip
SAME_DTYPE = fault(
    2318, _CALL, "cast to the same element type", "'{parameter}' of {operator} is {got} already",
    "A tensor or tile cannot be cast to the element type it has; leave the cast out.",
    example="t = pl.cast(fp32, pl.FP32)", instead="t = fp32",
)  # fmt: skip
WRONG_LAYOUT = fault(
    2319, _CALL, "layout not accepted", "'{parameter}' of {operator} must be {expected}, this is {got}",
    "The operator needs another layout of the operand in memory.",
)  # fmt: skip
INDEX_SCALAR = fault(
    2320, _CALL, "INDEX scalar as an operand", "'{parameter}' of {operator} is an INDEX scalar; cast it to {wanted} first",
    "Vector instructions take no INDEX operand. A constant is converted silently, a variable has to be cast.",
    example="t = pl.mul(x, i)", instead="t = pl.mul(x, pl.cast(i, pl.INT32))",
)  # fmt: skip
NOT_AN_EXTENT = fault(
    2321, _CALL, "not an integer", "an entry of '{parameter}' of {operator} must be {expected}, this is {got}",
    "Shapes, offsets and indices are made of integers and integer scalars.",
    example="t = pl.slice(x, [16.0, 64], [0, 0])", instead="t = pl.slice(x, [16, 64], [0, 0])",
)  # fmt: skip
WRONG_PLACE = fault(
    2322, _CALL, "not here", "{operator} {reason}",
    "The operator is bound to a kind of function or to an enclosing construct.",
)  # fmt: skip
POSITIONAL_LITERAL = fault(
    2323, _CALL, "must be given by keyword", "write '{parameter}' of {operator} as a keyword argument",
    "A literal in a positional place reaches the operator as a constant of the kernel, but this parameter is an attribute.",
    example="t = pl.full([16, 64], pl.FP32, 1.0)", instead="t = pl.full([16, 64], pl.FP32, value=1.0)",
)  # fmt: skip
CONFLICTING_ARGUMENTS = fault(
    2324, _CALL, "arguments do not go together", "{operator}: {reason}",
    "Some parameters are only accepted, or only needed, together with others.",
)  # fmt: skip
WRONG_PLACE_SYNTAX = fault(
    2325, _EXPRESSION, "not here", "{operator} {reason}",
    "The operator is bound to a kind of function or to an enclosing construct, or takes its arguments in one form only.",
)  # fmt: skip

# --- scalar expressions --------------------------------------------------------------------------------------------

OPERATOR_ON_SHAPED = fault(
    2330, _EXPRESSION, "Python operator on a tensor or tile", "'{op}' works on scalars, this is {got}; {instead}",
    "Python operators build scalar expressions only. Tensors and tiles are computed with pl.add, pl.mul and the like.",
    example="t = x + y", instead="t = pl.add(x, y)",
)  # fmt: skip
MIXED_CATEGORIES = fault(
    2331, _EXPRESSION, "integer and float mixed", "'{op}' needs two integers or two floats, got {left} and {right}",
    "Scalar operands are not converted between integer and float; cast one of them.",
    example="y = n * 0.5", instead="y = pl.cast(n, pl.FP32) * 0.5",
)  # fmt: skip
NOT_NUMERIC = fault(
    2332, _EXPRESSION, "scalar is no number", "'{op}' needs {expected}, this is {got}",
    "A comparison gives a BOOL, a submit gives a TASK_ID: neither can be computed with.",
    example="y = (n > 3) + 1", instead="y = n + 1",
)  # fmt: skip
UNSUPPORTED_OPERATOR = fault(
    2333, "UnsupportedFeatureError", "operator not supported", "'{op}' is not supported in a kernel",
    "Kernels know + - * / // % << >>, the comparisons, and, or, not, unary minus and ~.",
    example="y = n ** 2", instead="y = n * n",
)  # fmt: skip

# --- pl.const and data types ---------------------------------------------------------------------------------------

CONST_ARGUMENTS = fault(
    2340, _EXPRESSION, "pl.const needs a value and a dtype", "pl.const takes exactly two positional arguments, got {count}",
    "The first is a numeric literal, the second its data type.",
    example="c = pl.const(4)", instead="c = pl.const(4, pl.INT32)",
)  # fmt: skip
CONST_LITERAL = fault(
    2341, _EXPRESSION, "pl.const needs a literal", "the value of pl.const must be written as a number, not {got}",
    "Names and expressions are refused, even if they are constants.",
    example="c = pl.const(SIZE, pl.INT32)", instead="c = pl.cast(SIZE, pl.INT32)",
)  # fmt: skip
UNKNOWN_DTYPE = fault(
    2342, "ParserTypeError", "unknown data type", "{path} is not a data type{hint}",
    "The name is not one of the data types of the language.",
    example="n = pl.FP23.get_byte()", instead="n = pl.FP32.get_byte()",
)  # fmt: skip

# --- subscripts ----------------------------------------------------------------------------------------------------

NOT_SUBSCRIPTABLE = fault(
    2350, "ParserTypeError", "cannot be subscripted", "{got} cannot be subscripted",
    "Tensors, tiles, arrays and tuples can be subscripted.",
    example="y = n[0]",
)  # fmt: skip
TOO_MANY_INDICES = fault(
    2351, "ParserTypeError", "too many indices", "{count} indices on {got} of rank {rank}",
    "There is at most one index per dimension.",
    example="y = x2d[0, 0, 0]", instead="y = x2d[0, 0]",
)  # fmt: skip
SLICE_STEP = fault(
    2352, "UnsupportedFeatureError", "slice with a step", "a slice takes no step",
    "Slices are contiguous windows.",
    example="y = x[0:64:2]", instead="y = x[0:64]",
)  # fmt: skip
TUPLE_INDEX = fault(
    2353, _EXPRESSION, "tuple index is no integer", "the index of a tuple must be an integer, not {got}",
    "A tuple's element is picked while compiling.",
)  # fmt: skip
TUPLE_INDEX_DYNAMIC = fault(
    2354, "UnsupportedFeatureError", "tuple index is no constant", "the index of a tuple must be a non-negative constant",
    "A tuple's element is picked while compiling.",
)  # fmt: skip
TUPLE_RANGE = fault(
    2355, _EXPRESSION, "tuple index out of range", "index {position} of a tuple of {count}",
    "The tuple has fewer elements.",
)  # fmt: skip
ARRAY_INDICES = fault(
    2356, "ParserTypeError", "array takes one index", "an array takes exactly one index",
    "Arrays have one dimension and no slices.",
)  # fmt: skip
ARRAY_SLICE = fault(
    2364, "UnsupportedFeatureError", "slice of an array", "an array cannot be sliced",
    "Elements of an array are read and written one by one.",
)  # fmt: skip
SUBSCRIPT_WINDOW = fault(
    2357, _EXPRESSION, "window does not fit", "dimension {dimension} of {got}: {reason}",
    "The window of a subscript must lie inside the tensor; negative indices do not count from the end.",
    example="y = x[-1]", instead="y = x[63]",
)  # fmt: skip
TILE_WINDOW = fault(
    2358, "UnsupportedFeatureError", "tile window must be static", "dimension {dimension} of {got}: {reason}",
    "The extent of a tile's window is a positive constant and its start known.",
)  # fmt: skip
SUBSCRIPT_INDEX = fault(
    2359, _EXPRESSION, "index is no integer", "index {dimension} of {got} must be an integer, this is {item}",
    "Indices and slice bounds are integers and integer scalars.",
)  # fmt: skip
STORE_SCALAR = fault(
    2360, "UnsupportedFeatureError", "element store by subscript",
    "a single element is stored with pl.write, not by subscript",
    "A subscript store writes a window.",
    example="out[0, 0] = 1.0", instead="pl.write(out, [0, 0], 1.0)",
)  # fmt: skip
STORE_KIND = fault(
    2361, "ParserTypeError", "stored value is of another kind", "{got} is stored into {target}",
    "A window of a tensor takes a tensor, a window of a tile takes a tile.",
)  # fmt: skip
STORE_RANK = fault(
    2362, "ParserTypeError", "stored value has another rank", "the window has rank {rank}, the stored value {got}",
    "Every slice of the subscript stands for one dimension of the stored value; an index drops its dimension.",
)  # fmt: skip
STORE_EXTENT = fault(
    2363, "ParserTypeError", "stored value has another extent", "{left} against {right}: dimension {dimension}",
    "The window and the stored value have equal extents.",
    example="out[0:32, :] = x_16_64", instead="out[0:16, :] = x_16_64",
)  # fmt: skip
STORE_ELEMENT = fault(
    2365, _EXPRESSION, "stored element has another type", "{got} is stored into {target}",
    "The element must have the array's element type; an INDEX value fits any integer array.",
)  # fmt: skip
