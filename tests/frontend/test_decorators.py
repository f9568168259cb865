"""Decorators, program classes, function attributes and external kernels."""

from __future__ import annotations

import pytest
from kernel_cases import check, findings, lowered, unmarked

from pypto_lsp.diagnostics import FAULTS, faults_decorators
from pypto_lsp.ir.nodes import Function

HEAD = """import pypto.language as pl

KIND = pl.FunctionType.InCore
OPTS = {"type": pl.FunctionType.InCore, "auto_scope": False}
ATTRS = {"tag": 1}
FLAG = False
MODE = pl.SplitMode.UP_DOWN
M = pl.dynamic("M")


def len_of(v):
    return len(v)


"""
METHOD = """
@pl.program
class P:
    @pl.function({keywords})
    def f(self, x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
        {body}
"""
MODULE = """
@{decorator}
def f(x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
    {body}
"""


def method(keywords: str = "", body: str = "return x") -> str:
    return HEAD + METHOD.format(keywords=keywords, body=body)


def module(decorator: str, body: str = "return x") -> str:
    return HEAD + MODULE.format(decorator=decorator, body=body)


def kernel(text: str, name: str = "f") -> Function:
    assert findings(text) == []
    (unit,) = lowered(text).units
    return unit.program.functions[name]


# --- what decorators say -------------------------------------------------------------------------------------------

OPTIONS = [
    ("", ("Opaque", None, None)),
    ("type=pl.FunctionType.InCore", ("InCore", "CHIP_DIE", "SubWorker")),
    ("type=pl.FunctionType.Orchestration", ("Orchestration", "CHIP", "Orchestrator")),
    ("type=pl.FunctionType.AIV", ("AIV", "AIV", "SubWorker")),
    ("type=FunctionType.Group", ("Group", "CORE_GROUP", "SubWorker")),
    ("level=pl.Level.HOST, role=pl.Role.Orchestrator", ("Opaque", "HOST", "Orchestrator")),
    ("level=pl.Level.NODE", ("Opaque", "HOST", None)),
    ("level=None, role=None", ("Opaque", None, None)),
]


@pytest.mark.parametrize(("keywords", "wanted"), OPTIONS)
def test_options_of_a_method(keywords: str, wanted: tuple[str, str | None, str | None]) -> None:
    text = method(keywords).replace(
        "import pypto.language as pl", "import pypto.language as pl\nfrom pypto.language import FunctionType"
    )
    function = kernel(text)
    assert (function.func_type, function.level, function.role) == wanted


def test_options_of_a_module_level_kernel_are_values() -> None:
    assert kernel(module("pl.function(type=KIND)")).func_type == "InCore"
    function = kernel(module("pl.function(**OPTS)"))
    assert function.func_type == "InCore" and function.attrs["auto_scope"] is False


def test_attributes_of_decorator_and_prologue() -> None:
    function = kernel(
        method(
            'attrs={"split": pl.SplitMode.UP_DOWN, "note": FLAG}',
            'pl.func_attr({"tag": 1, "other": x})\n        return x',
        )
    )
    assert function.attrs["split"] == "UP_DOWN" and function.attrs["note"] is False and function.attrs["tag"] == 1
    assert "other" in function.attrs


def test_no_split_is_no_attribute() -> None:
    function = kernel(
        method('attrs={"split": pl.SplitMode.NONE}', 'pl.func_attr({"split": pl.SplitMode.NONE})\n        return x')
    )
    assert "split" not in function.attrs


def test_methods_without_decorator_are_left_out() -> None:
    text = method() + "\n    def helper(self):\n        return 1\n\n    size = 3\n"
    assert [*lowered(text).units[0].program.functions] == ["f"]
    assert findings(text) == []


def test_a_later_method_has_no_result_type_yet() -> None:
    text = HEAD + (
        "@pl.program\nclass P:\n"
        "    @pl.function\n    def f(self, x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:\n"
        "        y = self.g(x)\n        return y\n"
        "    @pl.function\n    def g(self, x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:\n        return x\n"
    )
    assert findings(text) == []
    (binding,) = [b for b in lowered(text).units[0].bindings if b.name == "y"]
    assert type(binding.type).__name__ == "UnknownType"


def test_a_host_worker_is_plain_python() -> None:
    text = HEAD + (
        "@pl.program\nclass P:\n"
        "    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)\n"
        "    def prepare(x: pl.Tensor[[64, 64], pl.FP32]):\n        for i in range(4):\n            x += i\n"
        "    @pl.function\n    def f(self, x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:\n        return x\n"
    )
    assert findings(text) == []
    assert lowered(text).units[0].program.functions["prepare"].body is None


def test_strict_ssa_of_a_program() -> None:
    text = method(body="y = pl.exp(x)\n        y = pl.exp(y)\n        return y")
    assert findings(text) == []
    strict = text.replace("@pl.program", "@pl.program(strict_ssa=True)")
    assert [d.rule_name for d in findings(strict)] == ["SSAViolationError"]


def test_module_level_kernels_join_the_program_that_calls_them() -> None:
    text = module("pl.function") + (
        "\n\n@pl.program\nclass P:\n"
        "    @pl.function\n    def main(self, x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:\n"
        "        y = f(x)\n        return y\n"
    )
    assert findings(text) == []
    program = next(unit for unit in lowered(text).units if unit.kind == "program")
    assert sorted(program.program.functions) == ["f", "main"]
    assert [unit.name for unit in lowered(text).units] == ["f", "P"]


def test_an_external_kernel_has_no_body(tmp_path: object) -> None:
    function = kernel(module('pl.function(type=pl.FunctionType.AIV, external_source="k.cpp")', "..."))
    assert function.body is None and function.attrs["external_source"] == "k.cpp"


def test_a_file_that_does_not_exist_is_reported_where_the_folder_can_be_seen(tmp_path: object) -> None:
    from pathlib import Path

    from pypto_lsp.frontend.static import ModuleLoader
    from pypto_lsp.frontend.units import lower_module
    from pypto_lsp.syntax import parse
    from pypto_lsp.text import Source

    path = Path(str(tmp_path)) / "kernel.py"
    (path.parent / "there.cpp").write_text("")
    text = "import pypto.language as pl\n"
    for name, keywords in (
        ("a", 'source="there.cpp"'),
        ("b", 'source="missing.cpp"'),
        ("c", 'source="there.cpp", include_dirs=["nowhere"]'),
    ):
        text += f"@pl.jit.extern({keywords})\ndef {name}(x: pl.Tensor[[64], pl.FP32]): ...\n"
    path.write_text(text)
    tree = parse(Source(str(path), text))
    env = ModuleLoader(lambda wanted: tree if wanted == str(path) else None, [str(path.parent)]).load(str(path))
    assert env is not None
    found = [d for unit in lower_module(env).units for d in unit.diagnostics]
    assert [(d.error_code, d.rule_name, d.span.text) for d in found] == [
        (2444, "ValueError", '"missing.cpp"'),
        (2446, "ValueError", '["nowhere"]'),
    ]


# --- faults --------------------------------------------------------------------------------------------------------

METHOD_FAULTS = [
    method("⟦**OPTS⟧2402"),
    method('type=⟦"InCore"⟧2403'),
    method("type=⟦KIND⟧2403"),
    method("type=⟦pl.Level.HOST⟧2403"),
    method("type=pl.FunctionType.⟦Incore⟧2503"),
    method("auto_scope=⟦FLAG⟧2404"),
    method("level=⟦3⟧2405"),
    method("level=pl.Level.⟦CORE⟧2503"),
    method("role=⟦pl.Level.HOST⟧2405"),
    method('attrs=⟦["hot"]⟧2407'),
    method("attrs={⟦1⟧2408: True}"),
    method('attrs={"m": ⟦M⟧2409}'),
    method('attrs={"f": ⟦len_of⟧2409}'),
    method("⟦typ=pl.FunctionType.InCore⟧2506"),
    method("type=pl.FunctionType.InCore, level=⟦pl.Level.CORE_GROUP⟧2430"),
    method("type=pl.FunctionType.InCore, role=⟦pl.Role.Orchestrator⟧2431"),
    method("type=pl.FunctionType.⟦InCore⟧2412, external_source=__file__", "..."),
    method("type=pl.FunctionType.AIV, external_source=__file__").replace("def f(", "def ⟦f⟧2413("),
    HEAD + "@pl.program\nclass ⟦Empty⟧2410:\n    def f(self):\n        return 1\n",
    HEAD
    + "@pl.program\nclass P:\n    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)\n"
    + "    def f(⟦self, x: pl.Tensor[[64], pl.FP32]⟧2401):\n        x.fill_(0)\n",
]
MODULE_FAULTS = [
    module('pl.function(type=⟦"InCore"⟧2403)'),
    module("pl.function(⟦typ=KIND⟧2506)"),
    module("pl.function(⟦pl.FunctionType.InCore⟧2516)"),
    module("pl.⟦functoin⟧2503"),
    module("⟦kernel⟧2502"),
    module("⟦pl.inline()⟧2517"),
    module("pl.jit.⟦inlin⟧2503"),
    module("pl.tensor.⟦jit⟧2503"),
    module("pl.tile.⟦function⟧2503"),
    module("pl.jit(⟦level=pl.Level.AIV⟧2440)"),
    module("pl.jit.opaque(⟦auto_scope=False⟧2440)"),
    module("pl.jit.incore(level=⟦pl.Level.CORE_GROUP⟧2430)"),
    module('pl.jit.extern(core_type=⟦"vector"⟧2441, source="k.cpp")', "..."),
    module('pl.jit.extern(source="k.cpp", ⟦dual_aiv_dispatch=True⟧2442)', "..."),
    module("⟦pl.jit.extern⟧2443", "..."),
    module('⟦pl.jit.extern(core_type="mixed", source="k.cpp")⟧2443', "..."),
    module('pl.jit.extern(source="k.cpp", include_dirs=⟦"include"⟧2445)', "..."),
]
PROLOGUE_FAULTS = [
    'y = pl.exp(x)\n        ⟦pl.func_attr({"tag": 1})⟧2420\n        return y',
    "⟦pl.func_attr()⟧2421\n        return x",
    'pl.func_attr(⟦{"a": 1}, {"b": 2}⟧2421)\n        return x',
    "pl.func_attr(⟦ATTRS⟧2422)\n        return x",
    "pl.func_attr({⟦**ATTRS⟧2423})\n        return x",
    "pl.func_attr({⟦x⟧2424: 1})\n        return x",
    'pl.func_attr({"tag": 1, ⟦"tag"⟧2425: 2})\n        return x',
    'pl.func_attr({"tag": ⟦None⟧2427})\n        return x',
    'pl.func_attr({"tag": ⟦["u"]⟧2427})\n        return x',
    'pl.func_attr({"tag": ⟦[1, 2]⟧2427})\n        return x',
    'pl.func_attr({"tag": ⟦[x, 2]⟧2427})\n        return x',
    'pl.func_attr({⟦"auto_scope"⟧2426: False})\n        return x',
    'pl.func_attr({"split": ⟦MODE⟧2405})\n        return x',
    'pl.func_attr({"split": pl.SplitMode.⟦HALF⟧2406})\n        return x',
]


@pytest.mark.parametrize("text", METHOD_FAULTS + MODULE_FAULTS)
def test_fault_of_a_decorator(text: str) -> None:
    check(text)


@pytest.mark.parametrize("body", PROLOGUE_FAULTS)
def test_fault_of_function_attributes(body: str) -> None:
    check(method(body=body))


def test_every_fault_is_tested() -> None:
    cases = [*METHOD_FAULTS, *MODULE_FAULTS, *(method(body=body) for body in PROLOGUE_FAULTS)]
    tested = {code for text in cases for _, _, codes in unmarked(text).wanted for code in codes}
    elsewhere = {2444, 2446, 2452, 2453}  # above, and test_jit
    declared = {code for code, kind in FAULTS.items() if kind in vars(faults_decorators).values()}
    assert declared - tested - elsewhere == set()
