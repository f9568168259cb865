"""The compiler's passes from program to program, in its order and under its names."""

from collections.abc import Callable
from dataclasses import replace

from pypto_lsp.ir.nodes import Function, Program
from pypto_lsp.passes.inline_functions import inline_functions
from pypto_lsp.passes.pipeline.convert_to_ssa import convert_to_ssa
from pypto_lsp.passes.pipeline.flatten_call_expr import flatten_call_expr
from pypto_lsp.passes.pipeline.front_end import as_built
from pypto_lsp.passes.pipeline.outlining import *
from pypto_lsp.passes.pipeline.simplify import simplify
from pypto_lsp.passes.pipeline.unroll_loops import unroll_loops


def _each(f):
    def run(p):
        return replace(p, functions={n: f(x) for n, x in p.functions.items()})
    return run

STEPS = [("frontend", as_built), ("InlineFunctions", inline_functions), ("UnrollLoops", _each(unroll_loops)),
    ("ConvertToSSA", _each(convert_to_ssa)), ("Simplify", _each(simplify)), ("FlattenCallExpr", _each(flatten_call_expr)),("OutlineHierarchyScopes",outline_hierarchy_scopes),("OutlineIncoreScopes",outline_incore_scopes),("OutlineClusterScopes",outline_cluster_scopes)]
def program_after_pass(n, p):
    for k, s in STEPS:
        p = s(p)
        if k == n: return p
    raise KeyError(n)
