"""Fixes for loop headers and scopes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.fixes.fragments import added_argument, integer, parsed, source, without_argument
from pypto_lsp.fixes.registry import FixContext, provides
from pypto_lsp.fixes.statements import absolute, removal

_LEVEL = "level=pl.Level.CORE_GROUP"


def _added(diagnostic: Diagnostic, argument: str, title: str) -> Iterator[Fix]:
    edit = added_argument(diagnostic.span, argument)
    if edit is not None:
        yield Fix(title, (edit,))


@provides("*", 2078)
def add_stages(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.pipeline(n)`` -> ``pl.pipeline(n, stage=2)``."""
    yield from _added(diagnostic, "stage=2", "Add stage=2")


@provides("*", 2081)
def make_it_a_pipeline(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.range(..., stage=2)`` -> ``pl.pipeline(..., stage=2)``."""
    text = diagnostic.span.text
    match = re.match(r"pl\.\w+(?=\()", text)
    if match is not None:
        yield Fix(
            "Use pl.pipeline",
            (
                Edit(
                    absolute(diagnostic.span.source, diagnostic.span.begin, diagnostic.span.begin + match.end()),
                    "pl.pipeline",
                ),
            ),
        )
    elif "stage" in text:
        yield Fix("Remove the keyword", (without_argument(diagnostic.span),))


@provides("*", 2082)
def carry_a_tuple(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``init_values=x`` -> ``init_values=(x,)``."""
    if diagnostic.span.text.isidentifier():
        yield Fix("Make it a tuple", (Edit(diagnostic.span, f"({diagnostic.span.text},)"),))


@provides("*", 2073)
def as_many_carried(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """As many carried names as initial values."""
    count = diagnostic.facts.get("values")
    node = parsed(diagnostic.span.text)
    if isinstance(node, ast.Tuple) and isinstance(count, int) and 0 < count < len(node.elts):
        kept = [source(diagnostic.span.text, e) for e in node.elts[:count]]
        inner = ", ".join(kept) + ("," if count == 1 else "")
        yield Fix(f"Carry {', '.join(kept)} only", (Edit(diagnostic.span, f"({inner})"),))


@provides("*", 2077)
def step_of_one(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A step of zero -> one."""
    if integer(diagnostic.span.text) == 0:
        yield Fix("Step by 1", (Edit(diagnostic.span, "1"),))


@provides("*", 2088)
def one_condition(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.cond(a, b)`` -> ``pl.cond(a)``."""
    text = diagnostic.span.text
    whole = parsed(text if text.startswith("pl.cond") else f"({text})")
    if isinstance(whole, ast.Tuple) and whole.elts:
        yield Fix("Keep the first condition", (Edit(diagnostic.span, source(f"({text})", whole.elts[0])),))
    elif isinstance(whole, ast.Call) and whole.args:
        yield Fix("Keep the first condition", (Edit(diagnostic.span, f"pl.cond({source(text, whole.args[0])})"),))


@provides("*", 2089)
def keywords_only(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.while_`` has no positional arguments."""
    text = diagnostic.span.text
    at = text.find("init_values=")
    if at > 0:
        yield Fix("Remove the positional arguments", (Edit(diagnostic.span, text[at:]),))
    elif at < 0 and not text.startswith("pl."):
        yield Fix("Remove the positional argument", (without_argument(diagnostic.span),))


@provides("*", 2094)
def run_on(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``break`` where none may stand -> ``pass``."""
    if diagnostic.span.text in ("break", "continue"):
        yield Fix("Replace by pass", (Edit(diagnostic.span, "pass"),))


@provides("*", 2111)
def add_the_level(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.at()`` -> ``pl.at(level=pl.Level.CORE_GROUP)``."""
    text = diagnostic.span.text
    at = text.find("(")
    if text.startswith("pl.at") and at > 0:
        glue = "" if text[at + 1 :].strip() == ")" else ", "
        place = diagnostic.span.begin + at + 1
        yield Fix(f"Add {_LEVEL}", (Edit(absolute(diagnostic.span.source, place, place), _LEVEL + glue),))


@provides("*", 2113)
def literal_true(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A flag that must be a literal -> ``True``."""
    yield Fix("Write True", (Edit(diagnostic.span, "True"),))


@provides("*", 2084, 2115, 2130, 2144, 2145, 2155, 2304, 2112)
def remove_the_keyword(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A keyword that does not belong here is removed, unless another one was meant, or an older release took it and did something
    with its value."""
    facts = diagnostic.facts
    if not facts.get("suggestion") and not facts.get("rewritten") and facts.get("idle", True):
        yield Fix("Remove the keyword", (without_argument(diagnostic.span),), safe="since" in facts)


@provides("*", 2117)
def remove_the_second(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """The same optimization twice."""
    yield Fix("Remove the second one", (without_argument(diagnostic.span),))


@provides("*", 2119)
def name_the_split(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.split()`` -> ``pl.split(pl.SplitMode.UP_DOWN)``; a surplus keyword is removed."""
    if diagnostic.span.text.endswith("()"):
        yield from _added(diagnostic, "pl.SplitMode.UP_DOWN", "Split the rows")
    else:
        yield Fix("Remove the keyword", (without_argument(diagnostic.span),))


@provides("*", 2120)
def count_the_slots(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.cross_core_slot()`` -> ``pl.cross_core_slot(slot_num=2)``."""
    if diagnostic.span.text.endswith("()"):
        yield from _added(diagnostic, "slot_num=2", "Add slot_num=2")


@provides("*", 2096, 2118)
def retired_optimization(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.auto_chunk`` and ``chunk=`` are gone."""
    yield Fix("Remove it", (without_argument(diagnostic.span),))


@provides("*", 2125)
def manual_scope(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.scope()`` without ``auto_scope=False`` -> ``pl.manual_scope()``."""
    if diagnostic.span.text == "pl.scope()":
        yield Fix("Use pl.manual_scope()", (Edit(diagnostic.span, "pl.manual_scope()"),))


@provides("*", 2129)
def all_clusters(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A launch without a width -> one block on each core-group."""
    name = "core_num=" if "submit" in diagnostic.span.text else ""
    yield from _added(diagnostic, f"{name}pl.system.available_cluster_count()", "Launch a block on every core-group")


@provides("*", 2143)
def name_the_mode(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.split_aiv(2)`` -> ``pl.split_aiv(2, mode=pl.SplitMode.NONE)``."""
    yield from _added(diagnostic, "mode=pl.SplitMode.NONE", "Add mode=pl.SplitMode.NONE")


@provides("*", 2152)
def one_scope(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``with a, b:`` -> the scope that makes a kernel."""
    items = parsed(f"[{diagnostic.span.text}]")
    if isinstance(items, ast.List):
        text = f"[{diagnostic.span.text}]"
        wanted = next((e for e in items.elts if source(text, e).startswith(("pl.at", "pl.spmd"))), None)
        if wanted is not None:
            yield Fix(f"Keep {source(text, wanted)}", (Edit(diagnostic.span, source(text, wanted)),))


@provides("*", 2420)
def remove_late_attributes(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.func_attr`` behind another statement."""
    yield Fix("Remove the statement", (removal(diagnostic.span),))


@provides("*", 2421)
def one_dictionary(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``{...}, {...}`` -> one dictionary."""
    text = f"[{diagnostic.span.text}]"
    node = parsed(text)
    if isinstance(node, ast.List) and len(node.elts) > 1 and all(isinstance(e, ast.Dict) for e in node.elts):
        inner = ", ".join(source(text, e)[1:-1].strip() for e in node.elts)
        yield Fix("Make it one dictionary", (Edit(diagnostic.span, "{" + inner + "}"),))
