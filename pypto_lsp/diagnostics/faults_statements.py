"""Faults of statements, assignments and subscript stores (codes 2001-2039)."""

from __future__ import annotations

from pypto_lsp.diagnostics.faults import fault

UNSUPPORTED_STATEMENT = fault(
    2001,
    "UnsupportedFeatureError",
    "statement not part of the language",
    "{what} cannot stand in a kernel{advice}",
    "A kernel's body is translated, not run. It consists of assignments, for and while loops, if, with-scopes, calls, "
    "return, break, continue and pass; every other Python statement is refused.",
    example="n += 1",
    instead="n = n + 1",
)
ASSIGNMENT_FORM = fault(
    2002,
    "ParserSyntaxError",
    "assignment form not supported",
    "{what} is no assignment that a kernel can make",
    "A kernel assigns to one name, to a tuple of names, or to a subscript of a name. Chained and starred targets and "
    "attributes are refused.",
    example="lo = hi = n + 1",
    instead="lo = n + 1\nhi = lo",
)
ANNOTATED_TARGET = fault(
    2003,
    "ParserSyntaxError",
    "annotation on something other than a name",
    "only a plain name can carry a type annotation",
    "An annotated assignment in a kernel binds one name.",
    example="tids[0]: pl.Scalar[pl.TASK_ID] = t",
    instead="tids[0] = t",
)
ANNOTATION_WITHOUT_VALUE = fault(
    2004,
    "UnsupportedFeatureError",
    "annotation without a value",
    "'{name}' is annotated but gets no value",
    "A kernel has no declarations: a name exists from its first assignment on.",
    example="acc: pl.Tensor[[16, 16], pl.FP32]",
    instead="acc: pl.Tensor[[16, 16], pl.FP32] = pl.create_tensor([16, 16], dtype=pl.FP32)",
)
RETYPED = fault(
    2005,
    "ParserTypeError",
    "a name changes its type",
    "'{name}' is {was} and would become {now}",
    "A name that is assigned again stays the same variable, so its type must stay too: kind, element type, shape and view. "
    "In a jit kernel an assignment at the depth of the first one makes a new variable and may change the type; one inside a "
    "loop, branch or scope may not.",
    example="t = pl.slice(x, [64, 32], [0, 0])\nt = pl.slice(x, [32, 32], [0, 0])",
    instead="t = pl.slice(x, [64, 32], [0, 0])\nhalf = pl.slice(x, [32, 32], [0, 0])",
)
UNPACK_TARGET = fault(
    2006,
    "ParserSyntaxError",
    "unpacking into something other than a name",
    "'{target}' cannot receive a part of a tuple: only names can",
    "The left side of an unpacking lists plain names.",
    example="counts[0], b = self.kernel(x)",
    instead="c0, b = self.kernel(x)",
)
UNPACK_VALUE = fault(
    2007,
    "ParserSyntaxError",
    "unpacking a value that has no parts",
    "{count} names are bound here, but the value is {found}",
    "Only an operator or kernel with several results can be unpacked, into at most as many names as it has results.",
    example="mx, tmp = pl.exp(t)",
    instead="mx = pl.exp(t)",
)
YIELD_FORM = fault(
    2008,
    "ParserSyntaxError",
    "yield of several values without a tuple of names",
    "{count} values are yielded: bind them with a tuple of names",
    "A yield that stands in an expression gives one value; several are bound as a tuple.",
    example="r = pl.add(pl.yield_(a, b), c)",
    instead="(ra, rb) = pl.yield_(a, b)",
)
STORE_UNDER_SSA = fault(
    2009,
    "UnsupportedFeatureError",
    "subscript store under strict_ssa",
    "a subscript store binds '{name}' again, which strict_ssa forbids",
    "A store into a subscript stands for an assemble that rebinds the same name. With strict_ssa=True each name is bound once.",
    example="out[0:16, :] = t",
    instead="out2 = pl.assemble(out, t, [0, 0])",
)
SECOND_DEFINITION = fault(
    2010,
    "SSAViolationError",
    "second definition under strict_ssa",
    "'{name}' is bound already, and strict_ssa allows one binding in a scope",
    "With strict_ssa=True every name is bound once in its scope, parameters included.",
    example="a = pl.exp(x)\na = pl.neg(a)",
    instead="a = pl.exp(x)\nb = pl.neg(a)",
)
STORE_BASE = fault(
    2011,
    "ParserSyntaxError",
    "subscript store into something other than a name",
    "a subscript store needs a name before the brackets",
    "The store rebinds the variable that it writes to, so there must be one.",
    example="pl.exp(dst)[0:8, :] = t",
    instead="dst[0:8, :] = t",
)
STATIC_ASSERT_FALSE = fault(
    2026,
    "ParserError",
    "static assertion does not hold",
    "this condition is {value} at compile time{message}",
    "pl.static_assert stops the compilation when its condition is false.",
    example="pl.static_assert(N % 16 == 0)",
)
STATIC_ASSERT_DYNAMIC = fault(
    2027,
    "ParserError",
    "static assertion over a run-time value",
    "this condition is not known at compile time",
    "pl.static_assert decides over constants: literals and names of the surrounding Python code.",
    example="pl.static_assert(n > 0)",
    instead="pl.static_assert(N > 0)",
)
STATIC_ARGUMENTS = fault(
    2028,
    "ParserSyntaxError",
    "wrong arguments of a compile-time call",
    "{what}",
    "pl.static_print takes at least one argument, pl.static_assert a condition and perhaps a message that is a string literal.",
    example="pl.static_assert()",
    instead="pl.static_assert(N > 0)",
)
STATIC_PRINT_FORMAT = fault(
    2029,
    "UnsupportedFeatureError",
    "format specification in pl.static_print",
    "an f-string of pl.static_print takes plain placeholders only",
    "Conversions (!r) and format specifications (:.2f) are not supported.",
    example='pl.static_print(f"{n:4}")',
    instead='pl.static_print(f"{n}")',
)
DUMP_TAG_PLACE = fault(
    2030,
    "ParserSyntaxError",
    "pl.dump_tag outside orchestration",
    "pl.dump_tag has an effect only in an Orchestration or Inline function, this one is {func_type}",
    "The marker selects tensors of later kernel calls, so it stands where kernels are called.",
)
DUMP_TAG_ARGUMENT = fault(
    2031,
    "ParserSyntaxError",
    "pl.dump_tag without a bare name",
    "pl.dump_tag takes the name of one tensor",
    "The marker is attached to a variable; an expression has none.",
    example="pl.dump_tag(pl.exp(x))",
    instead="pl.dump_tag(x)",
)
DUMP_TAG_UNDEFINED = fault(
    2032,
    "ParserSyntaxError",
    "pl.dump_tag of an undefined name",
    "'{name}' is not defined at this point{advice}",
    "A tensor is tagged after it was bound.",
)
DUMP_TAG_KIND = fault(
    2033,
    "ParserTypeError",
    "pl.dump_tag of something other than a tensor",
    "'{name}' is a {kind}: only tensors can be dumped",
    "Selective dumps copy the contents of tensors.",
)
WINDOW_PLACE = fault(
    2034,
    "ParserSyntaxError",
    "pld.{operation} outside a HOST function",
    "pld.{operation} belongs to a HOST orchestrator",
    "Communication windows and the world are managed by the host, outside all device scopes.",
)
WINDOW_TARGET = fault(
    2035,
    "ParserSyntaxError",
    "window buffer without a name",
    "pld.alloc_window_buffer is assigned to one plain name, which becomes the buffer's",
    "The name of the variable identifies the buffer across the program.",
    example="view = pld.window(pld.alloc_window_buffer(1024), [256], dtype=pl.FP32)",
    instead="buf = pld.alloc_window_buffer(1024)\nview = pld.window(buf, [256], dtype=pl.FP32)",
)
WINDOW_TWICE = fault(
    2036,
    "ParserSyntaxError",
    "window buffer name used twice",
    "the program has a window buffer '{name}' already",
    "Window buffers are identified by name over all functions of a program.",
)
WINDOW_NAME = fault(
    2037,
    "ParserSyntaxError",
    "window buffer with an explicit name",
    "the buffer is named after the variable '{name}'; name= cannot be given",
    "The name is taken from the left side of the assignment.",
)
RESERVED_NAME = fault(
    2038,
    "ValueError",
    "name with two underscores in a row",
    "'{name}' cannot be the name of a variable: two underscores in a row are the compiler's",
    "What follows two underscores is the compiler's number for one value of the variable, such as `x__ssa_v2`.",
)
