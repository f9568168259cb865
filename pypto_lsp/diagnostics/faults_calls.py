"""Faults of calls: kernels, inline functions, operators and their attributes (codes 2155-2179)."""

from __future__ import annotations

from pypto_lsp.diagnostics.faults import fault

CALL_KEYWORD = fault(
    2155,
    "ParserTypeError",
    "keyword that the callee does not take",
    "'{callee}' is not called with the keyword '{keyword}'{advice}",
    "Functions of a program are called by position. Dependencies, core counts and predicates belong to pl.submit and "
    "pl.spmd_submit, device= to a HOST-level orchestrator.",
    example="self.scale(x, out=buf)",
    instead="self.scale(x, buf)",
)
UNKNOWN_FUNCTION = fault(
    2156,
    "UndefinedVariableError",
    "unknown function of the program",
    "the program has no function '{name}'{advice}",
    "self.name calls a function of the same program.",
)
ARGUMENT_COUNT = fault(
    2157,
    "ParserTypeError",
    "wrong number of arguments",
    "'{callee}' takes {expected} argument(s), {given} given{missing}",
    "Every parameter gets an argument; pl.submit may leave out trailing Out and InOut parameters.",
    example="self.scale(x)",
    instead="self.scale(x, out)",
)
UNKNOWN_CALLEE = fault(
    2158,
    "UnsupportedFeatureError",
    "call of something that is no operator and no kernel",
    "'{name}' cannot be called in a kernel{advice}",
    "A kernel calls operators (pl.add), functions of its program (self.name), and kernels and inline functions by their own "
    "name. Python functions are not run.",
    example="n = min(N, 8)",
    instead="n = pl.min(N, 8)",
)
NAME_CLASH = fault(
    2159,
    "ParserSyntaxError",
    "two functions of one name",
    "the program has another function '{name}' already",
    "A function called by name joins the program, so its name must be free.",
)
INLINE_NO_VALUE = fault(
    2160,
    "ParserTypeError",
    "inline function without a result",
    "'{callee}' returns nothing",
    "An inline function that is called must return a value.",
)
INLINE_CYCLE = fault(
    2168,
    "ValueError",
    "Inline function that would be expanded inside of itself",
    "'{callee}' would be expanded inside of itself: {chain}",
    "A call of an Inline function stands for its body, so Inline functions of a program cannot call themselves or each other in "
    "a circle, wherever the calls stand and whether or not anything calls them.",
)
INLINE_RECURSION = fault(
    2169,
    "ParserSyntaxError",
    "inline function that calls itself",
    "'{callee}' calls itself here, and each call stands for the whole body",
    "The body of an inline function is read anew at every call, also in a branch that is never taken, so one that calls itself has "
    "no end.",
)
CALL_ATTRS_FORM = fault(
    2161,
    "ParserTypeError",
    "attrs that is no dict literal",
    "attrs is a dict literal",
    "Attributes are read from the source.",
)
CALL_ATTRS_KEY = fault(
    2162,
    "ParserSyntaxError",
    "attrs key that is no string literal",
    "the keys of attrs are string literals",
    "Each attribute is named by a string literal.",
)
CALL_ATTRS_VALUE = fault(
    2163,
    "ParserSyntaxError",
    "attrs value of an unsupported kind",
    "this is no value for the attribute '{key}'",
    "Attributes hold literals, lists of integers, of pl.adir directions or of names, enum members and expressions.",
)
DIRECTIONS_FORM = fault(
    2164,
    "ParserTypeError",
    "arg_directions that do not fit the call",
    "{what}",
    "arg_directions lists one pl.adir direction for each argument.",
)
DIRECTION = fault(
    2165,
    "ParserSyntaxError",
    "unknown direction",
    "'{text}' is no direction: {members}",
    "A direction is a member of pl.adir.",
)
MANUAL_EDGES = fault(
    2166,
    "ParserTypeError",
    "dependencies in the attributes of a call",
    "dependencies are not given as an attribute: submit the kernel with deps=[...]",
    "Only pl.submit and pl.spmd_submit have dependencies.",
)
DUMP_VARS = fault(
    2167,
    "ParserTypeError",
    "dump_vars that are no arguments of the call",
    "{what}",
    "dump_vars lists tensor variables that are arguments of the same call.",
)
DUMMY_POSITIONAL = fault(
    2171,
    "InvalidOperationError",
    "pl.system.task_dummy with a positional argument",
    "pl.system.task_dummy takes deps= by keyword",
    "The dependencies are named.",
    example="pl.system.task_dummy([tid])",
    instead="pl.system.task_dummy(deps=[tid])",
)
DUMMY_KEYWORDS = fault(
    2172,
    "ParserTypeError",
    "pl.system.task_dummy without its dependencies",
    "pl.system.task_dummy takes deps= and nothing else",
    "A dummy task waits for others, so it has a list of them.",
    example="pl.system.task_dummy()",
    instead="pl.system.task_dummy(deps=[tid])",
)
UNKNOWN_MEMBER = fault(
    2174,
    "ParserTypeError",
    "unknown member",
    "'{text}' is not known{advice}",
    "The value is a member of one of the language's enums or a constant of the surrounding code.",
    example="pad_value=pl.PadValue.neg_inf",
    instead="pad_value=pl.PadValue.min",
)
ATTRS_FORM = fault(
    2176,
    "ParserSyntaxError",
    "attributes of an operator in a wrong form",
    "{what}",
    "An operator's attrs is a dict literal with string keys.",
)
DEP_ARGUMENT = fault(
    2177,
    "ValueError",
    "jit dependency called without an argument",
    "'{callee}' gets no value for '{parameter}'",
    "The types of a dependency's parameters are taken from its first call, so every tensor parameter must be given there.",
)
DEP_TWICE = fault(
    2178,
    "ParserTypeError",
    "argument given twice",
    "'{parameter}' of '{callee}' is given twice",
    "A parameter gets one argument, by position or by keyword.",
)
DEP_KEYWORD = fault(
    2179,
    "ValueError",
    "jit dependency called with an unknown keyword",
    "'{callee}' has no parameter '{keyword}'{advice}",
    "The keywords of a call of a jit dependency are the names of its parameters.",
)
