"""Static values of Python code outside kernels, without running any of it.

``ModuleLoader(read, roots).load(path)`` evaluates a file and gives its :class:`ModuleEnvironment`; ``evaluate(expr, env)``
any expression in it; ``definitions(env)`` its kernels and programs. Covered are constants and arithmetic, imports across
files, classes and dataclasses, pure functions, loops and branches, environment variables and argument parsers with their
defaults. What cannot be computed is an :class:`~pypto_lsp.frontend.values.OpaqueValue`; nothing here raises, and nothing
runs for long.
"""

from __future__ import annotations

from typing import Any

from pypto_lsp.frontend.imports import ModuleLoader
from pypto_lsp.frontend.static_attributes import namespace_member
from pypto_lsp.frontend.static_kernels import class_scope, definitions
from pypto_lsp.frontend.static_machine import EXPRESSION_STEPS, Exhausted, Imprecise, Machine
from pypto_lsp.frontend.static_objects import MISSING, Missing, freeze
from pypto_lsp.frontend.static_operators import Raised
from pypto_lsp.frontend.static_scope import Environment, ModuleEnvironment
from pypto_lsp.frontend.values import OpaqueValue
from pypto_lsp.ir.types import Extent, Origin
from pypto_lsp.syntax import nodes as syntax


def evaluate(expr: syntax.Expr, env: Environment) -> Any:
    """The value of an expression in an environment, in its immutable form; an OpaqueValue where it cannot be computed."""
    if type(expr) is syntax.Name:
        known = env.lookup(expr.id)
        if known is not MISSING:
            return known
    elif type(expr) is syntax.Constant and type(expr.value) is int:
        return Extent(expr.value, Origin(expr.span, None, True))
    label = expr.text[:80]
    machine = Machine(env.module.run, env.module, EXPRESSION_STEPS)
    machine.speculation = 1
    machine.begin(label)
    scope = Environment(env, "function")  # for what a walrus binds
    unknown = f"{env.module.path}:{label}"
    try:
        return freeze(machine.eval(expr, scope), unknown)
    except (Raised, Exhausted, Imprecise, RecursionError):
        return OpaqueValue(unknown)
    finally:
        machine.take_back()


__all__ = [
    "MISSING",
    "Environment",
    "Missing",
    "ModuleEnvironment",
    "ModuleLoader",
    "class_scope",
    "definitions",
    "evaluate",
    "namespace_member",
]
