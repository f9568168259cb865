"""What a file would compile to, and the findings that belong to no kernel."""

from __future__ import annotations

from kernel_cases import check, findings, lowered

from pypto_lsp.frontend.model import ModuleLowering
from pypto_lsp.frontend.static import ModuleLoader
from pypto_lsp.frontend.units import is_printed, lower_module
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.syntax import parse
from pypto_lsp.text import Source

TYPE = "pl.Tensor[[64, 64], pl.FP32]"


def lower_files(files: dict[str, str], entry: str = "main.py") -> ModuleLowering:
    """Lower one of several files of a folder."""
    trees = {f"/w/{name}": parse(Source(f"/w/{name}", text)) for name, text in files.items()}
    env = ModuleLoader(trees.get, ["/w"]).load(f"/w/{entry}")
    assert env is not None
    return lower_module(env)


def every(module: ModuleLowering) -> list[tuple[str, str, int]]:
    found = [*module.diagnostics, *(d for unit in module.units for d in unit.diagnostics)]
    return [(d.rule_name, d.span.path, d.span.line) for d in found]


def test_units_are_in_source_order() -> None:
    text = (
        "import pypto.language as pl\n"
        f"@pl.jit\ndef first(x: {TYPE}):\n    return x\n"
        f"@pl.program\nclass Second:\n    @pl.function\n    def f(self, x: {TYPE}) -> {TYPE}:\n        return x\n"
        f"@pl.function\ndef third(x: {TYPE}) -> {TYPE}:\n    return x\n"
        f"@pl.inline\ndef fourth(x):\n    return x\n"
    )
    assert [(u.name, u.kind) for u in lowered(text).units] == [
        ("first", "jit"), ("Second", "program"), ("third", "function"),
    ]  # fmt: skip
    assert findings(text) == []


def test_the_entry_of_a_program_is_its_only_orchestration_function() -> None:
    text = (
        "import pypto.language as pl\n@pl.program\nclass P:\n"
        f"    @pl.function(type=pl.FunctionType.InCore)\n    def k(self, x: {TYPE}) -> {TYPE}:\n        return x\n"
        f"    @pl.function(type=pl.FunctionType.Orchestration)\n    def main(self, x: {TYPE}) -> {TYPE}:\n        return x\n"
    )
    assert lowered(text).units[0].program.entry == "main"


def test_functions_of_the_file_are_listed_once() -> None:
    text = (
        "import pypto.language as pl\n"
        f"@pl.jit.inline\ndef helper(x: {TYPE}):\n    return x\n"
        f"@pl.jit\ndef a(x: {TYPE}):\n    y = helper(x)\n    return y\n"
        f"@pl.jit\ndef b(x: {TYPE}):\n    y = helper(x)\n    return y\n"
    )
    assert sorted(f.name for f in lowered(text).functions) == ["a", "b", "helper"]


FACTORY = f"""import pypto.language as pl


def build(rows, cols=32):
    half = cols // 2

    @pl.program
    class P:
        @pl.function
        def f(self, x: pl.Tensor[[rows, half], pl.FP32], y: {TYPE}) -> {TYPE}:
            z = pl.slice(x, [8, half], [0, 0])
            return y

    return P
"""


def test_a_program_in_a_factory_has_the_defaults_of_its_parameters() -> None:
    module = lowered(FACTORY)
    (unit,) = module.units
    assert unit.name == "P" and every(module) == []
    shape = unit.program.functions["f"].params[0].type.shape  # type: ignore[attr-defined]
    assert shape[1] == 16 and not isinstance(shape[0], int)


def test_a_factory_that_the_file_calls_has_the_arguments_of_the_call() -> None:
    (unit,) = lowered(FACTORY + "\n\nP64 = build(64)\n").units
    assert print_type(unit.program.functions["f"].params[0].type) == "pl.Tensor[[64, 16], pl.FP32]"


def test_a_jit_body_does_not_see_the_locals_of_a_factory_but_its_annotations_do() -> None:
    text = (
        "import pypto.language as pl\n\n\ndef build(rows=32):\n"
        "    @pl.jit\n    def k(x: pl.Tensor[[rows, 64], pl.FP32], o: pl.Out[pl.Tensor[[rows, 64], pl.FP32]]):\n"
        "        with pl.at(level=pl.Level.CORE_GROUP):\n"
        "            o = pl.assemble(o, pl.slice(x, [⟦rows⟧2041, 64], [0, 0]), [0, 0])\n        return o\n\n    return k\n"
    )
    check(text)


def test_findings_of_a_dependency_lie_in_its_own_file() -> None:
    files = {
        "main.py": f"import pypto.language as pl\nfrom helper import part\n@pl.jit\ndef f(x: {TYPE}):\n    y = part(x)\n    return y\n",
        "helper.py": f"import pypto.language as pl\n@pl.jit.inline\ndef part(x: {TYPE}):\n    return pl.exp(nowhere)\n",
    }
    assert every(lower_files(files)) == [("UndefinedVariableError", "/w/helper.py", 4)]
    assert every(lower_files(files, "helper.py")) == [("UndefinedVariableError", "/w/helper.py", 4)]


def test_a_kernel_imported_under_another_name() -> None:
    files = {
        "main.py": (
            "import pypto.language as pl\nfrom helper import double as twice\n@pl.program\nclass P:\n"
            f"    @pl.function\n    def f(self, x: {TYPE}) -> {TYPE}:\n        y = twice(x)\n        return y\n"
        ),
        "helper.py": f"import pypto.language as pl\n@pl.function\ndef double(x: {TYPE}) -> {TYPE}:\n    y = pl.mul(x, 2.0)\n    return y\n",
    }
    module = lower_files(files)
    assert every(module) == [] and sorted(module.units[0].program.functions) == ["double", "f"]


def test_a_name_that_a_module_does_not_have() -> None:
    files = {"main.py": "from helper import norm, nrom\n", "helper.py": "def norm(v):\n    return v\n"}
    assert every(lower_files(files)) == [("ImportError", "/w/main.py", 1)]


def test_a_name_that_a_module_may_get_otherwise_is_silent() -> None:
    for helper in (
        "globals()['nrom'] = 3\n",
        "def __getattr__(name):\n    return 3\n",
        "from elsewhere import *\n",
        "if FLAG:\n    nrom = 3\n",
        "def load():\n    global nrom\n    nrom = 3\n",
    ):
        files = {"main.py": "from helper import nrom\n", "helper.py": helper}
        assert every(lower_files(files)) == [], helper
    assert every(lower_files({"main.py": "from helper import nrom\n"})) == []


def test_a_syntax_fault_is_reported_once_and_the_rest_stands() -> None:
    text = (
        "import pypto.language as pl\n"
        f"@pl.function\ndef bad(x: {TYPE}) -> {TYPE}:\n    y = pl.mul(x, 2.0\n    return y\n\n\n"
        f"@pl.function\ndef good(x: {TYPE}) -> {TYPE}:\n    y = pl.exp(nowhere)\n    return y\n"
    )
    found = findings(text)
    assert [d.rule_name for d in found] == ["SyntaxError", "UndefinedVariableError"]
    assert found[0].error_code == 2501


def test_output_of_the_compiler_names_dimensions_without_declaring_them() -> None:
    text = (
        "# pypto.program: P\nimport pypto.language as pl\n\n\n@pl.program\nclass P:\n    @pl.function\n"
        "    def f(self, x: pl.Tensor[[ROWS, 64], pl.FP32]) -> pl.Tensor[[ROWS, 64], pl.FP32]:\n        return x\n"
    )
    assert findings(text) == []
    assert [d.rule_name for d in findings(text.split("\n", 1)[1])] == ["NameError", "NameError"]
    trees = {"/w/a.py": parse(Source("/w/a.py", text))}
    env = ModuleLoader(trees.get, ["/w"]).load("/w/a.py")
    assert env is not None and is_printed(env)


def test_a_module_level_kernel_knows_only_what_stands_above_it() -> None:
    text = (
        "import pypto.language as pl\n"
        f"@pl.function\ndef f(x: {TYPE}) -> {TYPE}:\n    y = ⟦later(x)⟧2158\n    return y\n"
        f"@pl.function\ndef later(x: {TYPE}) -> {TYPE}:\n    return x\n"
        f"@pl.function\ndef g(x: {TYPE}) -> {TYPE}:\n    y = later(x)\n    return y\n"
    )
    check(text)


def test_two_kernels_of_one_name_cannot_join_a_program() -> None:
    head = "import pypto.language as pl\n"
    kernel = f"@pl.function\ndef k(x: {TYPE}) -> {TYPE}:\n    return x\n"
    files = {
        "main.py": head
        + "from one import k\nfrom two import k as other\n@pl.program\nclass P:\n"
        + f"    @pl.function\n    def f(self, x: {TYPE}) -> {TYPE}:\n        y = k(x)\n        z = other(y)\n        return z\n",
        "one.py": head + kernel,
        "two.py": head + kernel,
    }
    assert every(lower_files(files)) == [("ParserSyntaxError", "/w/main.py", 9)]
