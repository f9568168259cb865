"""Every fault of a body, on the fragment to change and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Collection
from types import ModuleType

import pytest
from kernel_cases import check, findings, jit, plain, unmarked

from pypto_lsp.diagnostics import (
    FAULTS,
    faults_calls,
    faults_expressions,
    faults_loops,
    faults_scopes,
    faults_statements,
    faults_submit,
)

MODULES = (faults_statements, faults_expressions, faults_loops, faults_scopes, faults_calls, faults_submit)

STATEMENTS = [
    "⟦n += 1⟧2001",
    "⟦def inner(v):⟧2001\n    return v",
    "⟦assert n > 0⟧2001",
    "⟦del x⟧2001",
    "⟦import math⟧2001",
    "⟦match n:⟧2001\n    case 0:\n        pass",
    "⟦a = b = n + 1⟧2002",
    "⟦x.name = n⟧2002",
    "⟦a, *b = n, n, n⟧2002",
    "⟦x[0]⟧2003: pl.Scalar[pl.INDEX] = n",
    "⟦acc: pl.Scalar[pl.INDEX]⟧2004",
    "t = pl.slice(x, [64, 32], [0, 0])\n⟦t = pl.slice(x, [32, 32], [0, 0])⟧2005",
    "t = pl.slice(x, [16, 64], [0, 0])\n⟦t = pl.slice(x, [16, 64], [0, 0], valid_shape=[8, 64])⟧2005",
    "t = n\n⟦t = x⟧2005",
    "for i in pl.range(4):\n    v = n + i\n    ⟦v = 0.5⟧2005",
    "⟦idx[0]⟧2006, b = self.two(x, y, out)",
    "⟦a, b = pl.exp(x)⟧2007",
    "⟦a, b, c = self.two(x, y, out)⟧2007",
    "⟦pl.exp(x)[0:8, :]⟧2011 = y",
    "if n > 0:\n    r = pl.add(⟦pl.yield_(x, y)⟧2008, x)",
    "pl.static_assert(⟦N == 65⟧2026)",
    'pl.static_assert(⟦N == 65⟧2026, "sizes")',
    "pl.static_assert(⟦n > 0⟧2027)",
    "⟦pl.static_assert()⟧2028",
    "pl.static_assert(N == 64, ⟦n⟧2028)",
    "⟦pl.static_print()⟧2028",
    'pl.static_print(f"{⟦n:4⟧2029}")'.replace("⟦n:4⟧2029", "n:4").replace("{n:4}", "⟦{n:4}⟧2029"),
    "pl.dump_tag(⟦pl.exp(x)⟧2031)",
    "⟦pl.dump_tag(x, y)⟧2031",
    "pl.dump_tag(⟦nowhere⟧2032)",
    "pl.dump_tag(⟦n⟧2033)",
    "buf = ⟦pld.alloc_window_buffer(1024)⟧2034",
    "w = ⟦pld.world_size()⟧2034",
]
EXPRESSIONS = [
    "i = ⟦n if n > 0 else 0⟧2040",
    "i = ⟦lambda v: v⟧2040",
    "i = ⟦[v for v in TILES]⟧2040",
    "i = ⟦{1, 2}⟧2040",
    "i = n + ⟦(k := n)⟧2040",
    "t = pl.slice(⟦*(x, [8, 64])⟧2040, [0, 0])",
    't = pl.cast(x, ⟦**{"mode": "floor"}⟧2040)',
    "t = pl.add(x, ⟦z⟧2041)",
    "t = pl.add(x, ⟦z⟧2041)\nu = pl.add(z, z)",
    "t = ⟦wheel⟧2041 + 1",
    "t = ⟦P⟧2041 + 1",
    "⟦t__x⟧2038 = n + 1\nt__x = n",
    "for ⟦i__⟧2038 in pl.range(4):\n    t = n",
    "t = pl.full([8, 64], dtype=pl.FP32, value=⟦NEG_INF⟧2042)",
    't = pl.mul(x, ⟦"2.0"⟧2043)',
    "i = ⟦...⟧2043",
    "if ⟦0 < n < 4⟧2045:\n    pass",
    "t = pl.slice(x, [⟦config.CFG.rows⟧2046, 64], [0, 0])",
    "r = ⟦x.shape⟧2046",
    "r = ⟦x.shape[0]⟧2046",
    "r = ⟦NAME⟧2051",
    "r = ⟦helper⟧2051",
    "r = ⟦sum⟧2051",
    "if ⟦n⟧2052:\n    pass",
    "while ⟦m⟧2052:\n    pass",
    "k = n + 0\nif ⟦k - 1⟧2052:\n    pass",
]
LOOPS = [
    "for i in pl.range(0, 4, 1⟦, 7⟧3033):\n    t = n + i",
    "for i in ⟦range⟧2070(4):\n    t = n + i",
    "for i in ⟦[0, 1]⟧2070:\n    t = n + i",
    "for i in pl.⟦rang⟧2070(4):\n    t = n + i",
    "for ⟦i, j, k⟧2071 in pl.range(4):\n    t = n",
    "for ⟦x[0]⟧2071, (a,) in pl.range(4, init_values=(n,)):\n    t = n",
    "for i, ⟦a⟧2072 in pl.range(4, init_values=(n,)):\n    r = pl.yield_(n)",
    "for i, (⟦x[0]⟧2072,) in pl.range(4, init_values=(n,)):\n    r = pl.yield_(n)",
    "for i, ⟦(a, b)⟧2073 in pl.range(4, init_values=(n,)):\n    r = pl.yield_(n)",
    "for ⟦i⟧2074 in pl.range(4, init_values=(n,)):\n    t = n + i",
    "for i, (a,) in pl.unroll(4, ⟦init_values=(n,)⟧2075):\n    t = n + i",
    "for i in pl.unroll(⟦n⟧2076):\n    t = n + i",
    "for i in pl.unroll(0, 4, ⟦0⟧2077):\n    t = n + i",
    "for i in ⟦pl.pipeline(4)⟧2078:\n    t = n + i",
    "for i in pl.pipeline(4, stage=⟦n⟧2079):\n    t = n + i",
    "for i in pl.pipeline(4, stage=⟦0⟧2080):\n    t = n + i",
    "for i in ⟦pl.range(4, stage=2)⟧2081:\n    t = n + i",
    "for i, (a,) in pl.range(4, init_values=⟦n⟧2082):\n    t = n + i",
    "for i in pl.range(4, attrs=⟦N⟧2083):\n    t = n + i",
    "for i in pl.parallel(4, ⟦chunk=2⟧2096):\n    t = n + i",
    "for i in pl.range(4, ⟦stop_at=2⟧2084):\n    t = n + i",
    "for i in pl.range(⟦0, 16, step=8⟧2084):\n    t = n + i",
    "for i in ⟦pl.range()⟧2085:\n    t = n + i",
    "for i in pl.range(4, attrs={⟦1⟧2086: 2}):\n    t = n + i",
    'for i in pl.range(4, attrs={"a": ⟦n⟧2087}):\n    t = n + i',
    "for (a,) in pl.while_(init_values=(n,)):\n    pl.cond(⟦a > 0, a < 9⟧2088)\n    r = pl.yield_(a)",
    "for (a,) in pl.while_(⟦n, init_values=(n,)⟧2089):\n    pl.cond(a > 0)\n    r = pl.yield_(a)",
    "for (a,) in ⟦pl.while_()⟧2090:\n    pl.cond(a > 0)\n    r = pl.yield_(a)",
    "for i, (a,) in pl.range(4, init_values=(n,)):\n    ⟦pl.yield_(a)⟧2091",
    "for (a,) in pl.while_(init_values=(n,)):\n    ⟦b = a + 1⟧2092\n    r = pl.yield_(b)",
    "for (a,) in pl.while_(init_values=(n,)):\n    pl.cond(a > 0)\n    ⟦pl.cond(a < 9)⟧2093\n    r = pl.yield_(a)",
    "for i, (a, b) in pl.range(4, init_values=(n, n)):\n    ⟦r⟧2095 = pl.yield_(a)",
    "for i, (a,) in pl.range(4, init_values=(n,)):\n    ⟦r, s⟧2095 = pl.yield_(a, a)",
    "for i, (a, b) in pl.range(4, init_values=(n, n)):\n    ⟦r⟧2095, s = pl.yield_(a)",
    "for i in pl.parallel(4):\n    ⟦break⟧2094",
    "for i in pl.unroll(4):\n    ⟦continue⟧2094",
]
SCOPES = [
    "with pl.at(pl.Level.CHIP, ⟦pl.Role.Orchestrator, n⟧2110):\n    t = n",
    'with ⟦pl.at(name_hint="a")⟧2111:\n    t = n',
    "with pl.at(pl.Level.CORE_GROUP, ⟦level=pl.Level.CORE_GROUP⟧2112):\n    t = n",
    "with pl.spmd(2, ⟦core_num=2⟧2112):\n    i = pl.tile.get_block_idx()",
    "with pl.at(level=pl.Level.CORE_GROUP, allow_early_resolve=⟦n⟧2113):\n    t = n",
    "with pl.spmd(2, sync_start=⟦n⟧2113):\n    i = pl.tile.get_block_idx()",
    "with pl.at(level=pl.Level.CORE_GROUP, ⟦**N⟧2114):\n    t = n",
    'with pl.at(level=pl.Level.CORE_GROUP, ⟦name="a"⟧2115):\n    t = n',
    "with pl.cluster(⟦cores=2⟧2115):\n    t = n",
    "for i in pl.spmd(2, ⟦core_count=4⟧2115):\n    t = n + i",
    "with pl.at(level=pl.Level.CORE_GROUP, optimizations=⟦pl.split(pl.SplitMode.NONE)⟧2116):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.NONE), "
    "⟦pl.split(pl.SplitMode.UP_DOWN)⟧2117]):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[⟦pl.unroll_all⟧2118]):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[⟦pl.split()⟧2119]):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.NONE⟦, parts=2⟧2119)]):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[⟦pl.cross_core_slot()⟧2120]):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.cross_core_slot(slot_num=⟦n⟧2120)]):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.cross_core_slot(slot_num=⟦0⟧2120)]):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, name_hint=⟦3⟧2121):\n    t = n",
    'with pl.at(level=pl.Level.CORE_GROUP, name_hint=⟦"a b"⟧2122):\n    t = n',
    "with pl.scope(⟦pl.ScopeMode.MANUAL⟧2123):\n    t = n",
    "with pl.cluster(⟦2⟧2123):\n    t = n",
    "with pl.manual_scope():\n    with ⟦pl.manual_scope()⟧2124:\n        t = n",
    "with ⟦pl.scope()⟧2125:\n    t = n",
    "with pl.spmd(⟦x⟧2127):\n    i = pl.tile.get_block_idx()",
    "with pl.spmd(⟦0⟧2128):\n    i = pl.tile.get_block_idx()",
    "with ⟦pl.spmd()⟧2129:\n    i = pl.tile.get_block_idx()",
    "for i in pl.spmd(2, ⟦deps=[]⟧2130):\n    t = n + i",
    "with pl.spmd(2, ⟦n⟧2131):\n    i = pl.tile.get_block_idx()",
    "with pl.cluster():\n    with pl.spmd(2, ⟦allow_early_resolve=True⟧2132):\n        i = pl.tile.get_block_idx()",
    "with pl.cluster():\n    with pl.spmd(2) as ⟦tid⟧2132:\n        i = pl.tile.get_block_idx()",
    "with pl.spmd(2, ⟦optimizations=[pl.split(pl.SplitMode.NONE)]⟧2133):\n"
    "    with pl.at(level=pl.Level.CORE_GROUP):\n        t = n",
    "with ⟦pl.spmd(2)⟧2134:\n    t = n + 1",
    "with ⟦pl.spmd(2)⟧2135:\n    out = self.k(x, out)\n    out = self.k(y, out)",
    "with pl.at(level=pl.Level.CORE_GROUP) as ⟦(a, b)⟧2136:\n    t = n",
    "with pl.cluster() as ⟦tid⟧2137:\n    t = n",
    "for ⟦i, j⟧2138 in pl.spmd(2):\n    t = n",
    "for i in pl.spmd(2, ⟦stage=2⟧2139):\n    t = n + i",
    "for i in pl.split_aiv(2, mode=pl.SplitMode.NONE, ⟦stage=2⟧2139):\n    t = n + i",
    "for i in pl.split_aiv(2, mode=pl.SplitMode.NONE):\n"
    "    for j in ⟦pl.split_aiv(2, mode=pl.SplitMode.NONE)⟧2140:\n        t = n + j",
    "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.NONE)]):\n"
    "    for j in ⟦pl.split_aiv(2, mode=pl.SplitMode.NONE)⟧2141:\n        t = n + j",
    "for i in pl.split_aiv(⟦3⟧2142, mode=pl.SplitMode.NONE):\n    t = n + i",
    "for i in ⟦pl.split_aiv(2)⟧2143:\n    t = n + i",
    "with pl.at(level=pl.Level.CHIP, ⟦optimizations=[pl.split(pl.SplitMode.NONE)]⟧2144):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, ⟦role=pl.Role.SubWorker⟧2145):\n    t = n",
    "with pl.at(level=pl.Level.HOST, ⟦role=pl.Role.SubWorker⟧2146):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, dumps=⟦x⟧2147):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, no_dep_args=[⟦pl.exp(x)⟧2148]):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, dumps=[⟦nowhere⟧2149]):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, no_dep_args=[⟦n⟧2150]):\n    t = n",
    "with pl.at(level=pl.Level.CORE_GROUP, dumps=[x, ⟦x⟧2151]):\n    t = n",
    "with ⟦pl.manual_scope(), pl.cluster()⟧2152:\n    t = n",
    "with ⟦pl.incore()⟧2153:\n    t = n",
    "with pl.at(level=pl.Level.⟦CORE_GRUOP⟧2154):\n    t = n",
    "for i in pl.split_aiv(2, mode=⟦n⟧2154):\n    t = n + i",
    "for i in pl.split_aiv(2, mode=pl.SplitMode.NONE):\n    ⟦break⟧2094",
]
CALLS = [
    "out = self.k(x, ⟦o=out⟧2155)",
    "out = self.k(x, out⟦, device=0⟧2155)",
    "out = self.k(x, out⟦, deps=[]⟧2155)",
    "out = self.⟦kk⟧2156(x, out)",
    "out = ⟦self.k(x)⟧2157",
    "out = self.k(x, out, ⟦n⟧2157)",
    "out = ⟦k(x, out)⟧2158",
    "t = ⟦exp⟧2158(x)",
    "r = ⟦len(TILES)⟧2158",
    "r = ⟦helper(n)⟧2158",
    "t = ⟦x.sum()⟧2158",
    "t = ⟦nothing(x)⟧2160",
    "t = ⟦doubled(x, y)⟧2157".replace("⟦doubled(x, y)⟧2157", "doubled(x, ⟦y⟧2157)"),
    "t = doubled(⟦v=x⟧2155)",
    "out = self.k(x, out, attrs=⟦N⟧2161)",
    "out = self.k(x, out, attrs={⟦1⟧2162: 2})",
    'out = self.k(x, out, attrs={"a": ⟦[1, "b"]⟧2163})',
    'out = self.k(x, out, attrs={"arg_directions": [⟦pl.adir.input⟧2164]})',
    'out = self.k(x, out, attrs={"arg_directions": ⟦N⟧2164})',
    'out = self.k(x, out, attrs={"arg_directions": [pl.adir.input, ⟦pl.adir.write⟧2165]})',
    'out = self.k(x, out, attrs={⟦"manual_dep_edges": []⟧2166})',
    'out = self.k(x, out, attrs={"dump_vars": [⟦y⟧2167]})',
    "t = pl.system.task_dummy(⟦[n]⟧2171)",
    "t = ⟦pl.system.task_dummy()⟧2172",
    "t = pl.fillpad(x, pad_value=⟦pl.PadValue.neg_inf⟧2174)",
    "t = pl.cast(x, target_type=pl.⟦BF61⟧2174)",
    't = pl.exp(x, attrs=⟦"hot"⟧2176)',
    "t = pl.exp(x, attrs={⟦1⟧2176: 2})",
]
SUBMITS = [
    "⟦pl.submit(self.k, x, out)⟧2180",
    "⟦out, tid, extra⟧2181 = pl.submit(self.k, x, out)",
    "out, ⟦(a, b)⟧2181 = pl.submit(self.k, x, out)",
    "out, tid = ⟦pl.submit()⟧2182",
    "out, tid = pl.submit(⟦k⟧2182, x, out)",
    "⟦(out, q), tid⟧2183 = pl.submit(self.k, x, out)",
    "out, t0 = pl.submit(self.k, x, out)\nout, tid = pl.submit(self.k, x, out, deps=⟦t0⟧2184)",
    "out, t0 = pl.submit(self.k, x, out)\nout, tid = pl.submit(self.k, x, out, deps=⟦[t0] + [None]⟧2184)",
    "out, tid = pl.submit(self.k, x, out, deps=[⟦n⟧2185])",
    "ids = pl.array.create(4, pl.TASK_ID)\nout, tid = pl.submit(self.k, x, out, deps=[ids, ⟦ids[0]⟧2186])",
    "ids = pl.array.create(4, pl.TASK_ID)\n"
    "out, tid = pl.submit(self.k, x, out, deps=[⟦ids[i + j] for i in range(2) for j in range(2)⟧2187])",
    "ids = pl.array.create(4, pl.TASK_ID)\n"
    "out, tid = pl.submit(self.k, x, out, deps=[ids[i] for i in ⟦pl.range⟧2188(4)])",
    "ids = pl.array.create(4, pl.TASK_ID)\nout, tid = pl.submit(self.k, x, out, deps=[ids[i] for i in ⟦range(n)⟧2188])",
    "out, tid = pl.submit(self.k, x, out, dumps=⟦x⟧2189)",
    "out, tid = pl.submit(self.k, x, out, dumps=[⟦y⟧2190])",
    "out, tid = pl.submit(self.k, x, out, predicate=⟦n > 0⟧2191)",
    "out, tid = pl.submit(self.k, x, out, predicate=⟦x[0, 0] > 0.0⟧2191)",
    "z = pl.cast(idx, pl.UINT32)\nout, tid = pl.submit(self.k, x, out, predicate=⟦z[0] > 0⟧2192)",
    "out, tid = pl.submit(self.k, x, out, predicate=idx[⟦-1⟧2193] > 0)",
    "⟦t: pl.Scalar[pl.INDEX] = pl.submit(self.k, x, out)⟧2195".replace("⟦t:", "⟦x[0]:"),
    "out, tid = ⟦pl.spmd_submit(self.k, x, out)⟧2129",
    "out, tid = pl.submit(self.k, x, out, ⟦wait=True⟧2155)",
    "out, tid = ⟦pl.submit(self.k)⟧2157",
]
JIT_BODIES = [
    "if n > 0:\n    t = pl.exp(x)\nelse:\n    ⟦t = pl.row_sum(x)⟧2005",
    "for i in pl.range(2):\n    t = pl.slice(x, [16, 64], [0, 0])\n"
    "for i in pl.range(2):\n    ⟦t = pl.slice(x, [8, 64], [0, 0])⟧2005",
    "t = pl.slice(x, [⟦TILES[1]⟧2041, 64], [0, 0])",
    "t = pl.cast(x, target_type=⟦KIND⟧2042)",
    "t = pl.mul(x, ⟦config.CFG.scale⟧2046)",
    "out = ⟦self.other⟧2156(x, out)",
    "out = ⟦dep(x)⟧2177",
    "out = dep(x, out)\nout = ⟦dep(x)⟧2157",
    "out = dep(x, ⟦p=out⟧2179)",
    "out = dep(x, out)\nout = dep(x, ⟦p=out⟧2155)",
    "out = dep(x, ⟦a=y⟧2178)",
    "with pl.at(level=pl.Level.CORE_GROUP):\n    t = pl.exp(x)\n    for i in pl.range(2):\n        ⟦t = pl.row_sum(t)⟧2005",
]
STRICT = """import pypto.language as pl


@pl.function(strict_ssa=True)
def f(x: pl.Tensor[[64, 64], pl.FP32]):
    {}
    return x
"""
EXTERNAL = """import pypto.language as pl


@pl.function(type=pl.FunctionType.InCore)
def k(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    t = pl.load(a, [0, 0], [64, 64])
    o = pl.store(t, [0, 0], o)
    return o
"""
AGAIN = "@pl.inline\ndef again(v):\n    w = ⟦again(v)⟧2169\n    return w\n\n\n"
METHOD_AGAIN = """    @pl.function(type=pl.FunctionType.Inline)
    def again(self, v: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
        w = ⟦self.again(v)⟧2168
        return w

"""
WHOLE_FILES = [
    # helpers without an end; more of them in test_inline_functions
    plain("t = again(x)").replace("@pl.inline\ndef nothing", AGAIN + "@pl.inline\ndef nothing"),
    plain("t = x").replace("    @pl.function(", METHOD_AGAIN + "    @pl.function(", 1),
    # a module-level function whose name the program has taken
    plain("out = ⟦k(x, out)⟧2159").replace("import pypto.language as pl\n", EXTERNAL, 1),
    # a strict program binds each name once
    STRICT.format("a = pl.exp(x)\n    ⟦a⟧2010 = pl.neg(a)"),
    STRICT.format("⟦x⟧2010 = pl.neg(x)"),
    STRICT.format("⟦x[0:16, :] = x⟧2009"),
    # what belongs to the host
    plain("⟦a, b = pld.alloc_window_buffer(1024)⟧2035").replace(
        "type=pl.FunctionType.Orchestration", "level=pl.Level.HOST, role=pl.Role.Orchestrator"
    ),
    plain("a = pld.alloc_window_buffer(1024)\n⟦a⟧2036 = pld.alloc_window_buffer(1024)").replace(
        "type=pl.FunctionType.Orchestration", "level=pl.Level.HOST, role=pl.Role.Orchestrator"
    ),
    plain('a = pld.alloc_window_buffer(1024⟦, name="b"⟧2037)').replace(
        "type=pl.FunctionType.Orchestration", "level=pl.Level.HOST, role=pl.Role.Orchestrator"
    ),
    # a marker that has an effect only where kernels are called
    plain("⟦pl.dump_tag(x)⟧2030").replace("type=pl.FunctionType.Orchestration", "type=pl.FunctionType.Opaque"),
    # automatic scopes by hand
    plain("with pl.manual_scope():\n    with ⟦pl.scope()⟧2126:\n        t = n").replace(
        "type=pl.FunctionType.Orchestration", "type=pl.FunctionType.Orchestration, auto_scope=False"
    ),
    # a launch whose predicate reads what an unnamed task writes
    plain(
        "flags = pl.create_tensor([4], dtype=pl.INT32)\n"
        "with pl.manual_scope():\n"
        "    with pl.at(level=pl.Level.CORE_GROUP) as other:\n"
        "        u = pl.exp(x)\n"
        "    with pl.spmd(2) as first:\n"
        "        i = pl.tile.get_block_idx()\n"
        "        flags = pl.create_tensor([4], dtype=pl.INT32)\n"
        "    out, tid = pl.submit(self.k, x, out, deps=[other], predicate=⟦flags[0] > 0⟧2194)"
    ),
]
BODIES = STATEMENTS + EXPRESSIONS + LOOPS + SCOPES + CALLS + SUBMITS


@pytest.mark.parametrize("body", BODIES)
def test_plain_body(body: str) -> None:
    check(plain(body))


@pytest.mark.parametrize("body", JIT_BODIES)
def test_jit_body(body: str) -> None:
    check(jit(body))


@pytest.mark.parametrize("text", WHOLE_FILES)
def test_whole_file(text: str) -> None:
    check(text)


def declared() -> dict[int, str]:
    return {
        kind.code: name
        for module in MODULES
        for name, kind in vars(module).items()
        if getattr(kind, "code", None) in FAULTS
    }


def test_codes_lie_in_their_ranges() -> None:
    ranges: dict[ModuleType, Collection[int]] = {
        faults_statements: range(2001, 2040),
        faults_expressions: range(2040, 2070),
        faults_loops: [*range(2070, 2110), 3033],
        faults_scopes: range(2110, 2155),
        faults_calls: range(2155, 2180),
        faults_submit: range(2180, 2200),
    }
    for module, allowed in ranges.items():
        for kind in vars(module).values():
            if getattr(kind, "code", None) in FAULTS:
                assert kind.code in allowed, kind.title


def test_every_kind_has_a_case() -> None:
    every = "".join([*BODIES, *JIT_BODIES, *WHOLE_FILES])
    covered = {int(code) for codes in re.findall(r"⟧(\d{4}(?:,\d{4})*)", every) for code in codes.split(",")}
    missing = {code: name for code, name in declared().items() if code not in covered}
    assert not missing


@pytest.mark.parametrize(
    ("body", "suggestion"),
    [
        ("t = pl.add(x, ⟦yy⟧2041)", None),
        ("weight = pl.exp(x)\nt = pl.add(x, ⟦weigth⟧2041)", "weight"),
        ("weight = pl.exp(x)\nt = pl.add(x, ⟦wgt⟧2041)", "weight"),
        ('with pl.at(level=pl.Level.CORE_GROUP, ⟦name_hnt="a"⟧2115):\n    t = n', 'name_hint="a"'),
        ("out = self.k(x, ⟦o=out⟧2155)", "out"),
        ("for i in ⟦range⟧2070(4):\n    t = n + i", "pl.range"),
        ("out = ⟦k(x, out)⟧2158", "self.k(x, out)"),
        ("t = pl.fillpad(x, pad_value=⟦pl.PadValue.zer⟧2174)", "pl.PadValue.zero"),
    ],
)
def test_suggestion(body: str, suggestion: str | None) -> None:
    (finding,) = findings(unmarked(plain(body)).text)
    assert finding.facts["suggestion"] == suggestion


@pytest.mark.parametrize("text", [*map(plain, BODIES), *map(jit, JIT_BODIES), *WHOLE_FILES])
def test_a_suggestion_cures_its_fault(text: str) -> None:
    """What a fault suggests replaces the marked fragment, and the fault is gone."""
    case = unmarked(text)
    before = findings(case.text)
    for finding in before:
        suggestion = finding.facts.get("suggestion")
        if suggestion is None:
            continue
        begin, end = finding.span.begin, finding.span.end_offset
        after = findings(case.text[:begin] + suggestion + case.text[end:])
        codes = [d.error_code for d in before]
        assert [d.error_code for d in after].count(finding.error_code) < codes.count(finding.error_code), suggestion
        assert not [d for d in after if d.rule_name == "SyntaxError"], suggestion
