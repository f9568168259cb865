"""What rules found in functions that have not changed since.

A lowered function keeps its identity as long as nothing that it was lowered from changes, and findings move with the text.
A rule that looks at functions one by one sees of the program only that function and those it calls, directly or through
others; so what it found holds as long as these are the same. A rule that looks at the whole program depends on all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir.nodes import Call, Function, FunctionRef, Program, Submit
from pypto_lsp.ir.visit import calls
from pypto_lsp.verifiers.rule import Rule, RuleContext


@dataclass(frozen=True, slots=True)
class _Entry:
    """Findings, and the functions whose identities are in the key, so that these are not given to others."""

    found: tuple[Diagnostic, ...]
    functions: tuple[Function, ...]


class RuleMemo:
    """Findings by rule and functions. What a run does not ask for is dropped at its end."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], _Entry] = {}
        self._fresh: dict[tuple[object, ...], _Entry] = {}
        self._callees: dict[int, tuple[Function, tuple[str, ...]]] = {}
        self._fresh_callees: dict[int, tuple[Function, tuple[str, ...]]] = {}

    def end_run(self) -> None:
        self._kept, self._fresh = self._fresh, {}
        self._callees, self._fresh_callees = self._fresh_callees, {}

    def verify(self, rule: Rule, function: Function | None, program: Program, context: RuleContext) -> list[Diagnostic]:
        """What a rule finds in a function, or with None in the whole program."""
        if rule.tells_lines:
            return rule.verify(program, context)
        seen = tuple(program.functions.values()) if function is None else self._reached(function, program)
        key = (rule, context.backend.name, function is None, program.entry, *map(id, seen))
        entry = self._fresh.get(key) or self._kept.get(key)
        if entry is None:
            found = (
                rule.verify(program, context) if function is None else rule.verify_function(function, program, context)
            )
            entry = _Entry(tuple(found), seen)
        self._fresh[key] = entry
        return list(entry.found)

    def _reached(self, function: Function, program: Program) -> tuple[Function, ...]:
        """The function and all that it calls, directly or through others, in the order they are met."""
        found = {id(function): function}
        pending = [function]
        while pending:
            for name in self._called(pending.pop()):
                callee = program.functions.get(name)
                if callee is not None and id(callee) not in found:
                    found[id(callee)] = callee
                    pending.append(callee)
        return tuple(found.values())

    def _called(self, function: Function) -> Iterable[str]:
        known = self._fresh_callees.get(id(function)) or self._callees.get(id(function))
        if known is None:
            known = (function, _called_names(function))
        self._fresh_callees[id(function)] = known
        return known[1]


def _called_names(function: Function) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for node, _, _ in calls(function.body or ()):
        if isinstance(node, (Call, Submit)) and isinstance(node.op, FunctionRef):
            names[node.op.name] = None
    return tuple(names)
