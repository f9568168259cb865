"""Faults of pl.submit, pl.spmd_submit, dependencies and predicates (codes 2180-2199)."""

from __future__ import annotations

from pypto_lsp.diagnostics.faults import fault

NOT_UNPACKED = fault(
    2180,
    "ParserSyntaxError",
    "submit whose results are not bound",
    "{callee} gives the results and the task id: write `out, tid = {callee}(...)`",
    "A submit stands on the right side of an assignment with two targets.",
    example="pl.submit(self.scale, x, out)",
    instead="out, tid = pl.submit(self.scale, x, out)",
)
TARGETS = fault(
    2181,
    "ParserSyntaxError",
    "wrong targets of a submit",
    "{callee} is unpacked into the result and the task id{what}",
    "The result is a name, or a flat tuple of names for a kernel with several results; the task id is a name.",
    example="out, tid, extra = pl.submit(self.scale, x, out)",
    instead="out, tid = pl.submit(self.scale, x, out)",
)
KERNEL = fault(
    2182,
    "ParserSyntaxError",
    "submit without a kernel",
    "the first argument of {callee} is the kernel, written self.name and not called",
    "A submit launches a function of the program.",
    example="out, tid = pl.submit(scale, x, out)",
    instead="out, tid = pl.submit(self.scale, x, out)",
)
RESULT_COUNT = fault(
    2183,
    "ParserTypeError",
    "submit with another number of results",
    "{given} result name(s), but '{kernel}' returns {returned}",
    "Each result of the kernel gets a name.",
)
DEPS_FORM = fault(
    2184,
    "ParserTypeError",
    "deps that is no list",
    "deps is a list of task ids",
    "The task ids are listed, or built by one comprehension.",
    example="deps=tid",
    instead="deps=[tid]",
)
DEPS_ENTRY = fault(
    2185,
    "ParserTypeError",
    "dependency that is no task id",
    "'{text}' is no task id",
    "A dependency is the task id of an earlier launch, an element of an Array of task ids, a whole such Array, or None.",
)
DEPS_MIXED = fault(
    2186,
    "ParserTypeError",
    "whole array beside single task ids",
    "'{text}' mixes a whole Array of task ids with elements",
    "A whole Array stands alone; otherwise list its elements.",
)
DEPS_COMPREHENSION = fault(
    2187,
    "ParserSyntaxError",
    "comprehension of an unsupported form",
    "a comprehension in deps has {what}",
    "One `for name in ...` over integers, with conditions over constants.",
)
DEPS_ITERABLE = fault(
    2188,
    "ParserTypeError",
    "comprehension over values not known at compile time",
    "{what}",
    "The comprehension is written out at compile time: it runs over a Python range, list or tuple of integers.",
    example="deps=[tids[j] for j in pl.range(4)]",
    instead="deps=[tids[j] for j in range(4)]",
)
DUMPS_FORM = fault(
    2189,
    "ParserTypeError",
    "dumps that is no list of tensors",
    "{what}",
    "dumps lists tensor arguments of the same submit.",
)
DUMPS_ARGUMENT = fault(
    2190,
    "ParserTypeError",
    "dump of a tensor that is not passed",
    "'{name}' is no argument of this submit",
    "Only what is passed to the kernel can be dumped.",
)
PREDICATE_FORM = fault(
    2191,
    "ParserSyntaxError",
    "predicate that the scheduler cannot evaluate",
    "a predicate compares one element of a tensor with an integer literal",
    "The scheduler reads one element and compares it with a constant.",
    example="predicate=n > 0",
    instead="predicate=flags[0] > 0",
)
PREDICATE_DTYPE = fault(
    2192,
    "ParserTypeError",
    "predicate over a tensor that is not signed integer",
    "the tensor of a predicate has signed integers of 8 to 64 bits, this one has {dtype}",
    "The scheduler reads the element as a signed integer.",
)
PREDICATE_INDEX = fault(
    2193,
    "ParserTypeError",
    "predicate with a wrong index",
    "{what}",
    "Each dimension of the tensor has one non-negative integer index.",
)
PREDICATE_DEPENDENCY = fault(
    2194,
    "ParserSyntaxError",
    "predicate over a tensor whose task is no dependency",
    "'{tensor}' is written by the task '{task}', which is missing in deps",
    "The scheduler may otherwise read the element before it was written.",
)
ANNOTATED_TARGET = fault(
    2195,
    "ParserSyntaxError",
    "annotated submit with a target that is no name",
    "an annotated submit binds one name",
    "The name holds the tuple of the results and the task id.",
)
