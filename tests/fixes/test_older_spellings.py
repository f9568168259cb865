"""Older spellings: told with their day, cured by the fix, lowered as what they are called now, right on an earlier day."""

from __future__ import annotations

import datetime

import pytest
from fixed_programs import applied, findings, grave, program

from pypto_lsp.analysis.fixing import edited_text, edits_by_file, safe_fixes
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.diagnostics.introductions import INTRODUCED, introduced
from pypto_lsp.diagnostics.older_spellings import ALL, OPERATORS, renamed_operator, spoken
from pypto_lsp.frontend.paths import library_value
from pypto_lsp.ops import REGISTRY

LOADED = "incore:\nt = pl.load(a, [0, 0], [64, 64])\n"
STORED = "\no = pl.store(u, [0, 0], o)"
#: body before -> the line that changes, after the fix; and the day before which the old one was right
RENAMED = [
    (f"{LOADED}u = pl.block.add(t, t){STORED}", "u = pl.tile.add(t, t)", "2026-03-06"),
    (f"{LOADED}u = pl.op.exp(t){STORED}", "u = pl.exp(t)", "2026-02-10"),
    (f"{LOADED}u = pl.op.block.exp(t){STORED}", "u = pl.tile.exp(t)", "2026-02-10"),
    (f"{LOADED}u = pl.block.maxs(t, 0.0){STORED}", "u = pl.tile.maximums(t, 0.0)", "2026-03-06"),
    (f"{LOADED}u = pl.view(t, [32, 64], [0, 0]){STORED}", "u = pl.slice(t, [32, 64], [0, 0])", "2026-03-06"),
    (f"{LOADED}u = pl.tile.view(t, [32, 64], [0, 0]){STORED}", "u = pl.tile.slice(t, [32, 64], [0, 0])", "2026-03-06"),
    (f"{LOADED}u = pl.ub_copy(t){STORED}", "u = pl.move(t, pl.Mem.Vec)", "2026-02-26"),
    (f"{LOADED}u = pl.vec_move(tile=t){STORED}", "u = pl.move(t, pl.Mem.Vec)", "2026-03-05"),
    (f"{LOADED}u = pl.maxs(t, 0.0){STORED}", "u = pl.maximums(t, 0.0)", "2026-05-08"),
    (f"{LOADED}o = pl.l0c_store(t, [0, 0], [64, 64], o)", "o = pl.store(t, [0, 0], o)", "2026-03-05"),
    (
        f"{LOADED}o = pl.block.l0c_store(t, [0, 0], shapes=[64, 64], output_tensor=o)",
        "o = pl.tile.store(t, [0, 0], o)",
        "2026-03-05",
    ),
    (f"{LOADED}s = pl.tile.getval(t, 65)\nu = pl.add(t, s){STORED}", "s = pl.tile.read(t, [1, 1])", "2026-03-10"),
    (
        f"{LOADED}pl.tile.setval(t, 2, pl.const(1.0, pl.FP32))\no = pl.store(t, [0, 0], o)",
        "pl.tile.write(t, [0, 2], pl.const(1.0, pl.FP32))",
        "2026-03-10",
    ),
    (
        "incore:\nu = pl.load(a, [0, 0], [64, 64], valid_shapes=[32, 64])" + STORED,
        "u = pl.load(a, [0, 0], [64, 64], valid_shape=[32, 64])",
        "2026-08-03",
    ),
    (
        "incore:\nu = pl.load(a, [0, 0], [64, 64], transpose=False)" + STORED,
        "u = pl.load(a, [0, 0], [64, 64])",
        "2026-06-30",
    ),
    (f"{LOADED}u = pl.abs(tile=t){STORED}", "u = pl.abs(input=t)", "2026-04-24"),
    (
        f"{LOADED}v = pl.load(a, [0, 0], [64, 1])\nu = pl.row_expand_mul(tile=t, rhs=v){STORED}",
        "u = pl.row_expand_mul(lhs=t, rhs=v)",
        "2026-03-10",
    ),
    (
        "incore:\nu = pl.load(a, [0, 0], [64, 64], target_memory=pl.MemorySpace.UB)" + STORED,
        "u = pl.load(a, [0, 0], [64, 64], target_memory=pl.MemorySpace.Vec)",
        "2026-02-26",
    ),
    (
        "incore:\nu: pl.Tile[[64, 64], pl.FP32, pl.Mem.UB] = pl.load(a, [0, 0], [64, 64])" + STORED,
        "u: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.load(a, [0, 0], [64, 64])",
        "2026-02-26",
    ),
    (
        f"{LOADED}u = pl.fillpad(t, pad_value=pl.TilePad.zero){STORED}",
        "u = pl.fillpad(t, pad_value=pl.PadValue.zero)",
        "2026-03-19",
    ),
    (f"{LOADED}w = pl.cast(t, pl.FP8)\no = pl.store(t, [0, 0], o)", "w = pl.cast(t, pl.FP8E4M3FN)", "2026-02-02"),
    ("t = pl.tensor.as_layout(x, pl.DN)", "t = pl.tensor.view(x, layout=pl.DN)", "2026-07-13"),
    ("t = pl.create([64, 64], dtype=pl.FP32)", "t = pl.create_tensor([64, 64], dtype=pl.FP32)", "2026-02-12"),
    ("s = pl.tensor.load_scalar(idx, 3)", "s = pl.tensor.read(idx, [3])", "2026-03-10"),
    ("with pl.incore():\n    t = pl.add(x, y)", "with pl.at(level=pl.Level.CORE_GROUP):", "2026-06-20"),
    (
        'with pl.auto_incore(pl.SplitMode.NONE, name_hint="mid"):\n    t = pl.add(x, y)',
        'with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.NONE)], name_hint="mid"):',
        "2026-06-20",
    ),
    (
        "with pl.at(level=pl.Level.CORE_GROUP, split=pl.SplitMode.NONE):\n    t = pl.add(x, y)",
        "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.NONE)]):",
        "2026-06-20",
    ),
    (
        "with pl.at(level=pl.Level.CORE_GROUP, optimization=pl.chunked_loop_optimizer):\n    t = pl.add(x, y)",
        "with pl.at(level=pl.Level.CORE_GROUP):",
        "2026-06-20",
    ),
    (
        "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.auto_chunk]):\n    t = pl.add(x, y)",
        "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[]):",
        "2026-06-30",
    ),
    ("for i in pl.range(0, 8, unroll=2):\n    s = i + n", "for i in pl.pipeline(0, 8, stage=2):", "2026-04-20"),
    ("for i in pl.parallel(8, chunk=4):\n    s = i + n", "for i in pl.parallel(8):", "2026-06-30"),
    (
        """file:
        import pypto.language as pl
        MEM = pl.MemorySpace.L1
        @pl.function
        def f(x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
            return x
        """,
        "MEM = pl.MemorySpace.Mat",
        "2026-02-26",
    ),
    (
        """file:
        import pypto.language as pl
        @pl.program
        class P:
            @pl.function(level=pl.Level.HOST, role=pl.Role.Worker)
            def w(x: pl.Tensor[[64], pl.FP32]):
                print(x)
            @pl.function
            def f(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
                return x
        """,
        "    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)",
        "2026-04-29",
    ),
    (
        """file:
        import pypto.language as pl
        @pl.program
        class P:
            @pl.function(type=pl.FunctionType.InCore, split=pl.SplitMode.NONE)
            def f(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
                return x
        """,
        '    @pl.function(type=pl.FunctionType.InCore, attrs={"split": pl.SplitMode.NONE})',
        "2026-04-01",
    ),
]  # fmt: skip
IDS = [new.strip() for _, new, _ in RENAMED]


@pytest.mark.parametrize(("body", "line", "since"), RENAMED, ids=IDS)
def test_the_fix_writes_it_as_now(body: str, line: str, since: str) -> None:
    text = program(body)
    found = grave(findings(text))
    assert [d.facts.get("since") for d in found] == [since]
    assert found[0].message.count(spoken(since)) == 1
    after = applied(text, found[0], found[0].fixes[0])
    indented = after.splitlines()
    assert line.strip() in [one.strip() for one in indented]
    assert not grave(findings(after))


@pytest.mark.parametrize(("body", "line", "since"), RENAMED, ids=IDS)
def test_it_was_right_before_its_day(body: str, line: str, since: str) -> None:
    day = datetime.date.fromisoformat(since) - datetime.timedelta(days=1)
    dated = [d for d in findings(program(body), dsl_version=day.isoformat()) if d.facts.get("since")]
    assert not dated
    assert [d for d in findings(program(body), dsl_version=since) if d.facts.get("since")]


@pytest.mark.parametrize(("body", "line", "since"), RENAMED, ids=IDS)
def test_the_types_after_it_are_those_of_the_new_spelling(body: str, line: str, since: str) -> None:
    text = program(body)
    finding = grave(findings(text))[0]
    assert types(text) == types(applied(text, finding, finding.fixes[0]))


def types(text: str) -> list[tuple[str, str]]:
    workspace = Workspace()
    workspace.open("kernel.py", text)
    return [(binding.name, repr(binding.type)) for binding in workspace.front_end("kernel.py").bindings]


def test_later_faults_are_still_found() -> None:
    text = program(f"{LOADED}u = pl.block.add(t, t)\nw = pl.add(u, nowhere){STORED}")
    assert [d.error_code for d in grave(findings(text))] == [2301, 2041]


def test_a_retired_name_says_what_to_do() -> None:
    text = program(f"{LOADED}u = pl.sum(t, axis=1){STORED}")
    (found,) = grave(findings(text))
    assert "16 July 2026" in found.message
    assert "pl.row_sum" in found.message
    assert not found.fixes


def test_a_keyword_that_did_something_is_not_just_removed() -> None:
    text = program("incore:\nu = pl.load(a, [0, 0], [64, 64], transpose=True)" + STORED)
    (found,) = grave(findings(text))
    assert not found.fixes


def test_many_old_names_are_cured_in_one_go() -> None:
    calls = "\n".join("u = pl.block.add(u, u)" for _ in range(40))
    text = program(f"incore:\nu = pl.block.load(a, [0, 0], [64, 64])\n{calls}\no = pl.block.store(u, [0, 0], o)")
    found = findings(text)
    assert len(grave(found)) == 42
    edits = edits_by_file(safe_fixes(found))["kernel.py"]
    assert not grave(findings(edited_text(text, edits)))


def test_a_name_of_a_later_day_is_told() -> None:
    text = program(f"{LOADED}u = pl.slice(t, [32, 64], [0, 0]){STORED}")
    (found,) = grave(findings(text, dsl_version="2026-03-05"))
    assert (found.error_code, found.span.text) == (2326, "pl.slice")
    assert not grave(findings(text, dsl_version="2026-03-06"))
    assert not grave(findings(text))


def test_the_other_framework_of_that_name_is_left_alone() -> None:
    text = """import pypto
import pypto.frontend


@pypto.frontend.jit
def softmax(x: pypto.Tensor([], pypto.DT_FP32), y: pypto.Tensor([], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(1, 4, 1, 64)
    t = pypto.view(x, [1, 2], [0, 0])
    y.move(pypto.block.add(t, t))
"""
    assert not findings(text)
    assert not findings(text, dsl_version="2026-01-31")


# --- the tables ------------------------------------------------------------------------------------------------------


def test_every_day_is_a_date_of_the_public_history() -> None:
    for change in ALL:
        day = datetime.date.fromisoformat(change.since)
        assert datetime.date(2026, 1, 1) < day < datetime.date(2026, 9, 1), change
        assert change.new != change.old
        assert change.new or change.advice or change.kind in ("name", "keyword"), change


def test_no_old_name_is_one_of_today() -> None:
    assert not [old for old in OPERATORS if REGISTRY.get(old) is not None]
    assert not [
        c.old for c in ALL if c.kind == "value" and not isinstance(library_value(c.old), type(library_value("x")))
    ]


def test_every_operator_has_a_present_name_or_none() -> None:
    for old in OPERATORS:
        renamed = renamed_operator(old)
        assert renamed is not None
        if renamed.path and renamed.path != "pl.yield_":
            assert REGISTRY.get(renamed.path) is not None, old


def test_introductions_are_names_of_today() -> None:
    known = {path for path in INTRODUCED if REGISTRY.get(path) is not None}
    forms = set(INTRODUCED) - known
    assert all(path.count(".") == 1 for path in forms), forms
    assert introduced("pl.tile.add") == "2026-03-06"
    assert introduced("pl.add") is None
