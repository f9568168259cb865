"""Jit kernels: which ones an entry reaches, the types of each specialisation, and their results."""

from __future__ import annotations

import pytest
from kernel_cases import check, findings, lowered

from pypto_lsp.frontend.model import LoweredUnit
from pypto_lsp.ir.nodes import Function
from pypto_lsp.ir.printer_types import print_type

HEAD = """import pypto.language as pl
import pypto.language.distributed as pld

K = 64
M = pl.dynamic("M")


@pl.jit.incore
def step(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    t = pl.load(a, [0, 0], [32, 64])
    o = pl.store(t, [0, 0], o)
    return o


@pl.jit.inline
def both(a: pl.Tensor[[M, 64], pl.FP32], b: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    return a, b


"""
ENTRY = """
@pl.jit
def entry(x: pl.Tensor[{shape}, pl.FP32], n: pl.Scalar[pl.INT32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
{body}
    return o
"""


def entry(body: str, shape: str = "[64, 64]") -> str:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return HEAD + ENTRY.format(shape=shape, body=lines)


def unit(text: str, name: str = "entry") -> LoweredUnit:
    return next(u for u in lowered(text).units if u.name == name)


def params(function: Function) -> dict[str, str | None]:
    return {var.name: print_type(var.type) for var in function.params}


# --- types of dependencies -----------------------------------------------------------------------------------------

ARGUMENTS = [
    ("o = step(x, o)", "pl.Tensor[[64, 64], pl.FP32]"),
    ("w = pl.create_tensor([K, 32 * 2], dtype=pl.BF16)\no = step(w, o)", "pl.Tensor[[64, 64], pl.BF16]"),
    ("w = pl.slice(x, [32, 64], [0, 0])\no = step(w, o)", "pl.Tensor[[32, 64], pl.FP32]"),
    ("w = pl.slice(x, [n, 64], [0, 0])\no = step(w, o)", None),
    ("w = x[0:16, :]\no = step(w, o)", "pl.Tensor[[16, 64], pl.FP32]"),
    ("w = x[8:, 0]\no = step(w, o)", "pl.Tensor[[56], pl.FP32]"),
    ("w = pl.reshape(x, [32, 128])\no = step(w, o)", "pl.Tensor[[32, 128], pl.FP32]"),
    ("w = x\no = step(w, o)", "pl.Tensor[[64, 64], pl.FP32]"),
    ("o = step(o=o, a=x)", "pl.Tensor[[64, 64], pl.FP32]"),
    ("o = step(x[0], o)", "pl.Tensor[[64], pl.FP32]"),
    ("for i in pl.range(4):\n    w = pl.create_tensor([8, 64], dtype=pl.FP32)\n    o = step(w, o)", "pl.Tensor[[8, 64], pl.FP32]"),
    ("o = step(x, o)\nw = pl.slice(x, [16, 64], [0, 0])\no = step(w, o)", "pl.Tensor[[64, 64], pl.FP32]"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "wanted"), ARGUMENTS)
def test_the_first_call_decides(body: str, wanted: str | None) -> None:
    text = entry(body)
    assert params(unit(text).program.functions["step"])["a"] == wanted


def test_results_of_a_kernel_have_the_types_of_its_outputs() -> None:
    text = entry("w = pl.create_tensor([32, 64], dtype=pl.FP32)\nw = step(x, w)\no = step(w, o)")
    # the first call of step is the one with x
    assert params(unit(text).program.functions["step"])["a"] == "pl.Tensor[[64, 64], pl.FP32]"
    text = HEAD.replace("def step", "def other") + entry(
        "w = pl.create_tensor([32, 64], dtype=pl.FP32)\nv = other(x, w)\no = step(v, o)"
    ).replace("import pypto.language as pl\n", "", 1)
    assert params(unit(text).program.functions["step"])["a"] == "pl.Tensor[[32, 64], pl.FP32]"


def test_a_dynamic_dimension_goes_up_to_the_caller() -> None:
    text = entry("p, q = both(x, o)\no = step(x, o)", "[32, 64]")
    functions = unit(text).program.functions
    assert params(functions["entry"]) == {
        "x": "pl.Tensor[[M, 64], pl.FP32]",
        "n": "pl.Scalar[pl.INT32]",
        "o": "pl.Tensor[[M, 64], pl.FP32]",
    }
    assert params(functions["step"])["a"] == "pl.Tensor[[M, 64], pl.FP32]"


def test_bind_dynamic_names_a_dimension() -> None:
    text = HEAD + (
        "@pl.jit\ndef entry(x: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):\n"
        '    rows = pl.dynamic("ROWS")\n    x.bind_dynamic(0, rows)\n    o = step(x, o)\n    return o\n'
    )
    assert findings(text) == []
    assert params(unit(text).program.functions["entry"])["x"] == "pl.Tensor[[ROWS, 64], pl.FP32]"


def test_a_layout_comes_from_the_kernel_that_declares_it() -> None:
    text = entry("o = step(x, o)").replace(
        "def step(a: pl.Tensor[[64, 64], pl.FP32]", "def step(a: pl.Tensor[[64, 64], pl.FP32, pl.NZ]"
    )
    assert "NZ" in str(params(unit(text).program.functions["step"])["a"])


def test_whether_a_parameter_is_distributed_is_its_own_business() -> None:
    text = entry("o = step(x, o)").replace("def step(a: pl.Tensor[", "def step(a: pld.DistributedTensor[")
    assert params(unit(text).program.functions["step"])["a"] == "pld.DistributedTensor[[64, 64], pl.FP32]"


def test_parameters_without_a_shape_are_silent() -> None:
    text = HEAD + (
        "@pl.jit\ndef entry(x: pl.Tensor, o: pl.Out[pl.Tensor]):\n"
        "    w = pl.slice(x, [K, 64], [0, 0])\n    v = x[0:4]\n    o = step(v, o)\n    p, q = both(v, o)\n    return o\n"
    )
    assert findings(text) == []
    assert params(unit(text).program.functions["step"])["a"] is None


def test_inline_parameters_have_no_direction() -> None:
    functions = unit(entry("p, q = both(x, o)")).program.functions
    assert [d.name for d in functions["both"].directions] == ["IN", "IN"]
    assert [d.name for d in functions["entry"].directions] == ["IN", "IN", "OUT"]
    assert functions["both"].func_type == "Inline" and functions["entry"].func_type == "Orchestration"


# --- results -------------------------------------------------------------------------------------------------------

RESULTS = [
    ("def k(a: {t}, o: pl.Out[{t}]):\n    return o", ["{t}"]),
    ("def k(a: {t}, o: pl.Out[{t}]):\n    return o, a", ["{t}", "{t}"]),
    ("def k(a: {t}, o: pl.Out[{t}]):\n    y = pl.exp(a)\n    return y", ["{t}"]),
    ("def k(a: {t}, o: pl.Out[{t}]):\n    return pl.exp(a)", []),
    ("def k(a: {t}, b: {t}):\n    y = pl.exp(a)\n    return y", []),
    ("def k(a: {t}, n: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:\n    return n + 1", ["pl.Scalar[pl.INT32]"]),
    ("def k(a: {t}, n: pl.Scalar[pl.INT32]) -> tuple[{t}, pl.Scalar[pl.INT32]]:\n    return a, n", ["{t}", "pl.Scalar[pl.INT32]"]),
    ("def k(a: {t}, n: pl.Scalar[pl.INT32]) -> int:\n    return a", ["{t}"]),
]  # fmt: skip


@pytest.mark.parametrize(("definition", "wanted"), RESULTS)
def test_result_of_a_kernel(definition: str, wanted: list[str]) -> None:
    type_ = "pl.Tensor[[64, 64], pl.FP32]"
    text = "import pypto.language as pl\n@pl.jit.inline\n" + definition.format(t=type_) + "\n"
    function = unit(text, "k").program.functions["k"]
    assert [print_type(t) for t in function.return_types] == [w.format(t=type_) for w in wanted]


# --- what an entry reaches -----------------------------------------------------------------------------------------


def test_units_are_entries_and_helpers_that_nobody_calls() -> None:
    text = entry("o = step(x, o)")
    assert [(u.name, u.standalone, sorted(u.program.functions)) for u in lowered(text).units] == [
        ("both", True, ["both"]),
        ("entry", False, ["entry", "step"]),
    ]


def test_a_helper_of_a_helper_is_reached_too() -> None:
    text = entry("o = outer(x, o)").replace(
        "@pl.jit\ndef entry",
        "@pl.jit.inline\ndef outer(a: pl.Tensor, b: pl.Tensor):\n    b = step(a, b)\n    return b\n\n\n@pl.jit\ndef entry",
    )
    assert findings(text) == []
    found = unit(text)
    assert [*found.program.functions] == ["step", "outer", "entry"]
    assert params(found.program.functions["step"]) == {
        "a": "pl.Tensor[[64, 64], pl.FP32]",
        "o": "pl.Tensor[[64, 64], pl.FP32]",
    }
    assert [span.text for span in found.call_chain["step"]] == ["outer(x, o)", "step(a, b)"]


def test_kernels_that_call_each_other_end() -> None:
    text = (
        "import pypto.language as pl\n"
        "@pl.jit.inline\ndef a(x: pl.Tensor[[8], pl.FP32]):\n    y = b(x)\n    return y\n"
        "@pl.jit.inline\ndef b(x: pl.Tensor[[8], pl.FP32]):\n    y = a(x)\n    return y\n"
        "@pl.jit\ndef entry(x: pl.Tensor[[8], pl.FP32]):\n    y = a(x)\n    return y\n"
    )
    assert sorted(unit(text).program.functions) == ["a", "b", "entry"]


def test_a_host_entry_takes_entries_as_dependencies() -> None:
    text = entry("o = step(x, o)") + (
        "\n\n@pl.jit.host\ndef host(x: pl.Tensor[[2, 64, 64], pl.FP32], "
        "n: pl.Scalar[pl.INT32], o: pl.Out[pl.Tensor[[2, 64, 64], pl.FP32]]):\n"
        "    for r in pl.range(2):\n        entry(x[r], n, o[r], device=r)\n    return o\n"
    )
    assert findings(text) == []
    functions = unit(text, "host").program.functions
    assert sorted(functions) == ["entry", "host", "step"]
    assert (functions["host"].level, functions["host"].role) == ("HOST", "Orchestrator")
    assert params(functions["entry"])["x"] == "pl.Tensor[[64, 64], pl.FP32]"


def test_a_specialisation_is_shared_by_entries() -> None:
    text = entry("o = step(x, o)") + ENTRY.format(shape="[64, 64]", body="    o = step(x, o)").replace(
        "entry", "second"
    )
    module = lowered(text)
    first, second = (u for u in module.units if not u.standalone)
    assert first.program.functions["step"] is second.program.functions["step"]


def test_a_pair_of_external_sources_becomes_a_group() -> None:
    text = HEAD + (
        '@pl.jit.extern(core_type="mixed", aic_source="c.cpp", aiv_source="v.cpp")\n'
        "def fused(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]): ...\n"
    )
    text += ENTRY.format(shape="[64, 64]", body="    o = fused(x, o)")
    assert findings(text) == []
    functions = unit(text).program.functions
    assert [(name, functions[name].func_type) for name in ("fused", "fused_aic", "fused_aiv")] == [
        ("fused", "Group"), ("fused_aic", "AIC"), ("fused_aiv", "AIV"),
    ]  # fmt: skip
    assert functions["fused_aic"].body is None and functions["fused"].body


# --- faults --------------------------------------------------------------------------------------------------------

FAULTS = [
    entry("w = pl.mul(x, 0.5)\no = step(⟦w⟧2452, o)"),
    entry("o = step(⟦pl.mul(x, 0.5)⟧2452, o)"),
    entry("o = step(⟦x[0:64, :]⟧2452, o)"),
    entry("w = pl.create_tensor([64, 64], dtype=x.dtype)\no = step(⟦w⟧2452, o)"),
    HEAD
    + """
@pl.program
class P:
    @pl.function
    def two(self, a: pl.Tensor[[M, 64], pl.FP32], b: pl.Tensor[[M, 64], pl.FP32]) -> pl.Tensor[[M, 64], pl.FP32]:
        return a

    @pl.function
    def f(self, x: pl.Tensor[[64, 64], pl.FP32], y: pl.Tensor[[32, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
        r = self.two(x, ⟦y⟧2453)
        return r
""",
]
SILENT = [
    entry("o = step(x, o)\nw = pl.mul(x, 0.5)\no = step(w, o)"),
    entry("w = pl.create_tensor([UNKNOWN, 64], dtype=pl.FP32)\no = step(w, o)").replace(
        "K = 64", "K = 64\nfrom elsewhere import UNKNOWN"
    ),
    entry("w = pl.create_tensor([n, 64], dtype=pl.FP32)\no = step(w, o)"),
]


@pytest.mark.parametrize("text", FAULTS)
def test_fault_of_a_dependency(text: str) -> None:
    check(text)


@pytest.mark.parametrize("text", SILENT)
def test_a_type_that_the_compiler_may_know_is_silent(text: str) -> None:
    assert [d.message for d in findings(text) if d.error_code == 2452] == []
