"""What looks wrong and is right, and what cannot be told: no finding."""

from __future__ import annotations

import pytest
from kernel_cases import check, findings, jit, plain

ACCEPTED = [
    # conditions and bounds
    "if FLAG:\n    t = pl.exp(x)",
    "if not n:\n    t = pl.exp(x)",
    "if n and n:\n    t = pl.exp(x)",
    "for i in pl.range(4):\n    t = n + i\nelse:\n    pass",
    "for i in pl.range(0.5):\n    t = n",
    "i = n + 0\nwhile i > 0:\n    i = i - 1",
    "for (a, b) in pl.while_(init_values=(n, n)):\n    pl.cond(a > 0)\n    c = a - 1\n    (ra, rb) = pl.yield_(c, b)",
    # names
    "for i in pl.range(4):\n    last = n + i\nt = n + i",
    "if n > 0:\n    v = n + 1\nw = v + 1",
    "range = n + 1\nt = range + 1",
    "n",
    "n > 3",
    "t__v1 = n + 1\nt__ssa = n\nt__left_tile_v3 = n",
    "for i__x in pl.unroll(2):\n    t = n",
    '"""a note"""',
    "pass",
    # constants of the surroundings
    "t = pl.slice(x, [N // 4, TILES[0]], [0, 0])",
    "t = pl.mul(x, HALF)",
    "t = pl.mul(x, config.CFG.scale)",
    "t = pl.slice(x, TILES, [0, 0])",
    "k = N * 2 ** 2",
    "k = -N",
    "v = M + 1",
    # what we cannot see
    "t = pl.slice(x, [unknown_number, 64], [0, 0])",
    "t = unknown_kernel(x, keyword=n)\nu = pl.add(t, t)",
    "for i in pl.unroll(unknown_number):\n    t = n + i",
    "for i in pl.pipeline(4, stage=unknown_number):\n    t = n + i",
    "with pl.spmd(unknown_number):\n    i = pl.tile.get_block_idx()",
    "k = unknown_number * n + 1\nif k > 3:\n    t = pl.exp(x)",
    "pl.static_assert(unknown_number > 3)",
    "ids = pl.array.create(4, pl.TASK_ID)\nout, tid = pl.submit(self.k, x, out, deps=[ids[i] for i in unknown_number])",
    # scopes
    "with pl.at(pl.Level.CORE_GROUP):\n    t = pl.exp(x)",
    'with pl.at(level=pl.Level.CHIP, role=pl.Role.Orchestrator, name_hint="top"):\n    t = n',
    "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.optimizations.split(pl.SplitMode.UP_DOWN)]):\n    t = pl.exp(x)",
    "with pl.at(level=pl.Level.CORE_GROUP, windowize=True) as tid:\n    t = pl.exp(x)\n"
    "with pl.at(level=pl.Level.CORE_GROUP, deps=[tid, None]) as other:\n    u = pl.exp(x)",
    "with pl.spmd(2):\n    out = self.k(x, out)",
    "with pl.spmd(2):\n    with pl.at(level=pl.Level.CORE_GROUP):\n        t = pl.exp(x)",
    'for b in pl.spmd(4, name_hint="rows"):\n    t = pl.slice(x, [16, 64], [b * 16, 0])\n    out = pl.assemble(out, t, [b * 16, 0])',
    'with pl.cluster(name_hint="pair"):\n    with pl.spmd(2):\n        i = pl.tile.get_block_idx()',
    "for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):\n    t = pl.exp(x)",
    "with pl.manual_scope():\n    out, tid = pl.submit(self.k, x, out)\n    out, t2 = pl.submit(self.k, y, out, deps=[tid])",
    "with pl.scope(mode=pl.ScopeMode.MANUAL):\n    t = n",
    # calls and submits
    "out = self.k(x, out)",
    "out = self.k(pl.no_dep(x), out)",
    "a, b = self.two(x, y, out)",
    "(a, b), tid = pl.submit(self.two, x, y, out)",
    "tid = pl.system.task_dummy(deps=[])",
    "r = pl.submit(self.k, x, out)",
    "out, tid = pl.spmd_submit(self.k, x, out, core_num=4, sync_start=True)",
    "ids = pl.array.create(4, pl.TASK_ID)\nout, tid = pl.submit(self.k, x, out, deps=[ids[i] for i in range(4) if i % 2])",
    "out, tid = pl.submit(self.k, x, out, dumps=[x], allow_early_resolve=True, predicate=idx[0] > 0)",
    'out = self.k(x, out, attrs={"arg_directions": [pl.adir.input, pl.adir.inout]})',
    "t = doubled(x)",
    "t = doubled(doubled(x))",
    "b = pl.FP32.get_byte()",
    "prev = None\nout, tid = pl.submit(self.k, x, out, deps=[prev])",
    # subscripts
    "s = x[0, 0]\nr = x[3]\nq = x[0:16, :]",
    "out[0:32, 0:64] = pl.slice(x, [32, 64], [0, 0])",
    "ids = pl.array.create(4, pl.INT32)\nids[0] = 7\nv = ids[n]",
    # yields
    "if n > 0:\n    r = pl.yield_(x)\nelse:\n    r = pl.yield_(y)\nt = pl.exp(r)",
    "for i, (acc,) in pl.range(4, init_values=(x,)):\n    nxt = pl.add(acc, y)\n    r = pl.yield_(nxt)\nt = pl.exp(r)",
    "for i, (a, b) in pl.range(4, init_values=(n, n)):\n    r, s, more = pl.yield_(a, b)\nt = pl.exp(x)",
    "for i, (acc,) in pl.range(4, init_values=(x,)):\n    acc = pl.add(acc, y)",
    # compile-time calls
    'pl.static_print("n", n, f"{n} of {N}")',
    'pl.static_assert(N % 16 == 0 and len(TILES) == 2, "sizes")',
    "pl.dump_tag(x)\nout = self.k(x, out)",
]
JIT_ACCEPTED = [
    "rows, cols = x.shape\nt = pl.slice(x, [rows // 2, cols], [0, 0])",
    "rows = x.shape[0]\nt = pl.slice(x, [rows // 2, 64], [0, 0])",
    "t = pl.create_tensor(x.shape, dtype=x.dtype)",
    "k = pl.const(N, pl.INT32)",
    "t = pl.add(x, y)\nt = pl.row_sum(t)",
    "x = pl.row_sum(x)",
    "out = dep(x, out)",
    "out = dep(a=x, o=out)",
    "out = dep(x, o=out)",
    "with pl.at(level=pl.Level.CORE_GROUP):\n    t = pl.exp(x)\n"
    "with pl.at(level=pl.Level.CORE_GROUP):\n    t = pl.row_sum(x)",
    'M = pl.dynamic("M")\nx.bind_dynamic(0, M)',
]


@pytest.mark.parametrize("body", ACCEPTED)
def test_plain_body(body: str) -> None:
    check(plain(body))


@pytest.mark.parametrize("body", JIT_ACCEPTED)
def test_jit_body(body: str) -> None:
    check(jit(body))


@pytest.mark.parametrize(
    "broken",
    [
        "t = wrong(x)",
        "t += 1",
        "t, u = pl.exp(x)",
        "for t in range(4):\n    pass",
        "t: pl.Scalar[pl.FP8] = n",
        "t = pl.no_such_operator(x)",
        "t = self.kk(x, out)",
        "t = pl.cast(x, pl.FP32)",
    ],
)
def test_nothing_follows_from_a_fault(broken: str) -> None:
    """The name that a statement at fault should have bound can be used in any way without a further finding."""
    uses = [
        "a = pl.add(t, t)",
        "b = t + 1",
        "c = t[0:4, :]",
        "if t:\n    d = pl.exp(t)",
        "for i in pl.range(t):\n    e = pl.read(t, [i])",
        "t = pl.exp(t)",
        "out = self.k(t, out)",
        "out, tid = pl.submit(self.k, t, out, deps=[t])",
        "with pl.at(level=pl.Level.CORE_GROUP, dumps=[t], no_dep_args=[t]):\n    f = n",
        "with pl.spmd(t):\n    g = pl.tile.get_block_idx()",
        "out[0:16, :] = t",
        "p, q = t",
        "assert_free = pl.cast(t, pl.INT32)",
    ]
    alone = findings(plain(broken))
    assert len(alone) == 1
    followed = findings(plain("\n".join([broken, *uses])))
    assert [d.error_code for d in followed] == [alone[0].error_code], [d.message for d in followed]


def test_a_broken_statement_hides_what_it_may_have_bound() -> None:
    text = plain("left = pl.exp(x\nright = pl.add(left, left)")
    assert {d.rule_name for d in findings(text)} <= {"SyntaxError"}


def test_several_faults_of_one_body_are_all_found() -> None:
    check(
        plain(
            """
            ⟦n += 1⟧2001
            t = pl.add(x, ⟦zz⟧2041)
            if ⟦m⟧2052:
                u = ⟦len(TILES)⟧2158
            with pl.at(level=pl.Level.CORE_GROUP, ⟦nam="a"⟧2115):
                v = pl.exp(⟦ww⟧2041)
            """
        )
    )


def test_a_fault_inside_an_inlined_function_is_reported_there() -> None:
    text = plain("t = doubled(x)\nu = doubled(y)").replace("    w = pl.mul(v, 2.0)", "    w = pl.mul(v, ⟦factor⟧2041)")
    check(text)
