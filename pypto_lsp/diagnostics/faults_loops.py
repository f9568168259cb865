"""Faults of loops (codes 2070-2109)."""

from __future__ import annotations

from pypto_lsp.diagnostics.diagnostic import Severity
from pypto_lsp.diagnostics.faults import fault

ITERATOR = fault(
    2070,
    "ParserSyntaxError",
    "loop over something that is no loop of the language",
    "a kernel loops over pl.range, pl.parallel, pl.unroll, pl.pipeline, pl.spmd, pl.split_aiv or pl.while_{advice}",
    "Loops are translated into loops of the device, so the iterator must be one of the language's own.",
    example="for i in range(4):",
    instead="for i in pl.range(4):",
)
TARGET = fault(
    2071,
    "ParserSyntaxError",
    "loop target that is no name",
    "a loop binds one name, or a name and a tuple of carried names",
    "Write `for i in ...` or, with init_values, `for i, (a, b) in ...`.",
    example="for i, j, k in pl.range(4):",
    instead="for i in pl.range(4):",
)
CARRIED_NAMES = fault(
    2072,
    "ParserSyntaxError",
    "carried values that are not bound to names",
    "the carried values are bound by a tuple of plain names",
    "Each entry of init_values has a name in the loop's target.",
    example="for i, acc in pl.range(4, init_values=(x,)):",
    instead="for i, (acc,) in pl.range(4, init_values=(x,)):",
)
CARRIED_COUNT = fault(
    2073,
    "ParserSyntaxError",
    "carried names and init_values differ in number",
    "{names} carried name(s) for {values} value(s) in init_values",
    "Each entry of init_values has a name in the loop's target.",
    example="for i, (a, b) in pl.range(4, init_values=(x,)):",
    instead="for i, (a,) in pl.range(4, init_values=(x,)):",
)
CARRIED_MISSING = fault(
    2074,
    "ParserSyntaxError",
    "init_values without carried names",
    "the loop carries {values} value(s), but its target names none",
    "With init_values the target is the loop variable and a tuple of names.",
    example="for i in pl.range(4, init_values=(x,)):",
    instead="for i, (acc,) in pl.range(4, init_values=(x,)):",
)
UNROLL_CARRIED = fault(
    2075,
    "ParserSyntaxError",
    "pl.unroll with init_values",
    "an unrolled loop carries no values",
    "Use pl.range where a value is carried from one iteration to the next.",
)
UNROLL_BOUND = fault(
    2076,
    "ParserSyntaxError",
    "pl.unroll over a run-time bound",
    "the bounds of pl.unroll must be constants",
    "The loop is written out at compile time, so the number of its iterations must be known then.",
    example="for i in pl.unroll(n):",
    instead="for i in pl.range(n):",
)
UNROLL_STEP = fault(
    2077,
    "ParserSyntaxError",
    "pl.unroll with step zero",
    "the step of pl.unroll is zero",
    "A loop with step zero never ends.",
)
STAGE_MISSING = fault(
    2078,
    "ParserSyntaxError",
    "pl.pipeline without stage=",
    "pl.pipeline needs stage=, the number of overlapping iterations",
    "The number of stages decides how many copies of the loop's buffers are kept.",
    example="for i in pl.pipeline(4):",
    instead="for i in pl.pipeline(4, stage=2):",
)
STAGE_DYNAMIC = fault(
    2079,
    "ParserSyntaxError",
    "stage= that is no constant",
    "stage= must be a constant",
    "The stages are laid out at compile time.",
)
STAGE_RANGE = fault(
    2080,
    "ParserSyntaxError",
    "stage= below one",
    "stage= must be at least 1, this is {value}",
    "A pipeline has at least one stage.",
)
STAGE_ELSEWHERE = fault(
    2081,
    "ParserSyntaxError",
    "stage= on a loop that is no pipeline",
    "only pl.pipeline takes stage=, not pl.{loop}",
    "Stages overlap the iterations of pl.pipeline.",
    example="for i in pl.range(4, stage=2):",
    instead="for i in pl.pipeline(4, stage=2):",
)
INIT_VALUES = fault(
    2082,
    "ParserSyntaxError",
    "init_values that is no tuple",
    "init_values is a tuple or list of values",
    "The values are written out, one for each carried name.",
    example="init_values=x",
    instead="init_values=(x,)",
)
ATTRS_FORM = fault(
    2083,
    "ParserSyntaxError",
    "attrs that is no dict literal",
    "attrs is a dict literal",
    "Attributes are read from the source.",
)
LOOP_KEYWORD = fault(
    2084,
    "ParserSyntaxError",
    "unknown keyword of a loop",
    "pl.{loop} has no keyword '{keyword}'{advice}",
    "The bounds of a loop are positional; besides them it takes init_values and attrs, a pipeline also stage.",
    example="for i in pl.range(0, 16, step=8):",
    instead="for i in pl.range(0, 16, 8):",
)
NO_STOP = fault(
    2085,
    "ParserSyntaxError",
    "loop without a bound",
    "pl.{loop} needs at least the bound to stop at",
    "Write the number of iterations, or start and stop.",
)
ATTRS_KEY = fault(
    2086,
    "ParserSyntaxError",
    "attrs key that is no string literal",
    "the keys of attrs are string literals",
    "Each attribute is named by a string literal.",
)
ATTRS_VALUE = fault(
    2087,
    "ParserSyntaxError",
    "attrs value that is no literal",
    "the value of '{key}' must be an integer, float, bool or string literal",
    "Loop attributes are plain literals.",
)
COND_ARGUMENTS = fault(
    2088,
    "ParserSyntaxError",
    "pl.cond without exactly one condition",
    "pl.cond takes one condition",
    "Join several conditions with and.",
    example="pl.cond(a > 0, b < 9)",
    instead="pl.cond(a > 0 and b < 9)",
)
WHILE_POSITIONAL = fault(
    2089,
    "ParserSyntaxError",
    "pl.while_ with positional arguments",
    "pl.while_ takes init_values only; the condition stands in pl.cond",
    "The first statement of the body states the condition.",
)
WHILE_NO_VALUES = fault(
    2090,
    "ParserSyntaxError",
    "pl.while_ without init_values",
    "pl.while_ needs init_values=(...)",
    "The loop carries its state in named values.",
    example="for (i,) in pl.while_():",
    instead="for (i,) in pl.while_(init_values=(n,)):",
)
BARE_YIELD = fault(
    2091,
    "ParserSyntaxError",
    "yield without a name in a carrying loop",
    "a loop with init_values binds what it yields: name = pl.yield_(...)",
    "The name on the left is the one that holds the value after the loop.",
    example="pl.yield_(nxt)",
    instead="result = pl.yield_(nxt)",
)
NO_COND = fault(
    2092,
    "ParserSyntaxError",
    "pl.while_ without pl.cond",
    "the first statement of a pl.while_ loop is pl.cond(...)",
    "The condition is stated at the start of the body.",
)
LATE_COND = fault(
    2093,
    "ParserSyntaxError",
    "pl.cond after the first statement",
    "pl.cond stands only at the start of a pl.while_ loop",
    "A loop has one condition.",
)
LOOP_CONTROL = fault(
    2094,
    "InvalidOperationError",
    "break or continue where no loop can obey",
    "'{keyword}' is not possible {where}",
    "break and continue belong to pl.range and while loops. Parallel and unrolled loops run all their iterations, and the body "
    "of pl.split_aiv is no loop.",
)
YIELD_COUNT = fault(
    2095,
    "ParserSyntaxError",
    "yielded and carried values differ in number",
    "the loop carries {values} value(s), and {names} are yielded",
    "A loop that yields gives a new value for each one that it carries.",
    example="for i, (a, b) in pl.range(4, init_values=(x, y)):\n    r = pl.yield_(pl.add(a, b))",
    instead="for i, (a, b) in pl.range(4, init_values=(x, y)):\n    ra, rb = pl.yield_(pl.add(a, b), b)",
)
RETIRED_CHUNKS = fault(
    2096,
    "ParserSyntaxError",
    "chunked loops are gone",
    "'{what}' belonged to chunked loops, gone since {day}; it goes everywhere in this function",
    "Older releases cut loops into chunks: `chunk=` on a loop and `pl.auto_chunk` among the optimizations of `pl.at`. Write the "
    "outer loop over blocks yourself, or let `pl.spmd` start them. Reported once in a function.",
    example="for i in pl.parallel(16, chunk=4):\n    t = pl.add(x, y)",
    instead="for i in pl.parallel(16):\n    t = pl.add(x, y)",
)
SURPLUS_BOUND = fault(
    3033,
    "LoopBounds",
    "a bound that the loop drops",
    "pl.{loop} takes start, stop and step; what follows is dropped without a word",
    "The parser reads three bounds at most.",
    example="for i in pl.range(0, 16, 8, 2):\n    t = pl.add(x, y)",
    instead="for i in pl.range(0, 16, 8):\n    t = pl.add(x, y)",
    severity=Severity.WARNING,
)
