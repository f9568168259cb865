"""Imports across files, mutation of other modules, cycles, and what is evaluated again after an edit."""

from __future__ import annotations

from typing import Any

import pytest
from static_workspace import ROOT, Files, module, plain

from pypto_lsp.frontend.static import MISSING, ModuleLoader
from pypto_lsp.frontend.values import KernelRef, ModuleRef, Namespace, OpaqueValue


def lookup(files: dict[str, str], name: str = "X", main: str = "main.py") -> Any:
    return plain(Files(files).load(main).lookup(name))


@pytest.mark.parametrize(
    "files",
    [
        {"main.py": "from config import N as X", "config.py": "N = 5"},
        {"main.py": "import config\nX = config.N", "config.py": "N = 5"},
        {"main.py": "import config as c\nX = c.N", "config.py": "N = 5"},
        {"main.py": "from config import *", "config.py": "X = 5\n_Y = 1"},
        {"main.py": "from config import *\nfrom config import X", "config.py": "__all__ = ['Z']\nZ = 1\nX = 5"},
        {"main.py": "import pkg.sub.mod\nX = pkg.sub.mod.N", "pkg/sub/mod.py": "N = 5"},
        {"main.py": "import pkg.mod as m\nX = m.N", "pkg/mod.py": "N = 5"},
        {"main.py": "from pkg import mod\nX = mod.N", "pkg/mod.py": "N = 5"},
        {"main.py": "from pkg import mod\nX = mod.N", "pkg/mod.py": "N = 5", "pkg/__init__.py": ""},
        {"main.py": "from pkg import N as X", "pkg/__init__.py": "from .mod import N", "pkg/mod.py": "N = 5"},
        {"main.py": "import pkg\nX = pkg.N", "pkg/__init__.py": "from pkg.mod import N", "pkg/mod.py": "N = 5"},
        {"main.py": "def f():\n    from config import N\n    return N\nX = f()", "config.py": "N = 5"},
        {"main.py": "from a import X", "a.py": "from b import X", "b.py": "from c import X", "c.py": "X = 5"},
        {"main.py": "from config import f\nX = f(4)", "config.py": "K = 1\ndef f(n):\n    return n + K"},
        {"main.py": "import importlib\nX = importlib.import_module('config').N", "config.py": "N = 5"},
        {"main.py": "import functools, config\nX = config.N", "config.py": "N = 5"},
    ],
)
def test_imports(files: dict[str, str]) -> None:
    assert lookup(files) == 5


@pytest.mark.parametrize(
    ("main", "text"),
    [
        ("pkg/main.py", "from .config import N as X"),
        ("pkg/main.py", "from . import config\nX = config.N"),
        ("pkg/inner/main.py", "from ..config import N as X"),
        ("pkg/inner/main.py", "from .. import config\nX = config.N"),
        ("pkg/inner/main.py", "from config import N as X"),
        ("other/main.py", "from pkg.config import N as X"),
    ],
)
def test_relative_and_parent_folders(main: str, text: str) -> None:
    assert lookup({main: text, "pkg/config.py": "N = 5"}, main=main) == 5


def test_own_folder_comes_first() -> None:
    files = {"a/main.py": "from config import X", "a/config.py": "X = 1", "config.py": "X = 2", "b/config.py": "X = 3"}
    assert lookup(files, main="a/main.py") == 1


def test_workspace_module_hides_a_library_one_only_in_its_folder() -> None:
    assert lookup({"main.py": "import math\nX = math.ceil(1.5)", "sub/math.py": "ceil = 3"}) == 2
    assert lookup({"main.py": "import math\nX = math.ceil", "math.py": "ceil = 3"}) == 3


@pytest.mark.parametrize(
    "text",
    [
        "from nowhere import X",
        "import nowhere\nX = nowhere.N",
        "from .nowhere import X",
        "from .... import X",
        "import nowhere.inner as n\nX = n",
        "from config import X",
        "import config\nX = config.X",
        "from config.X import X",
    ],
)
def test_missing(text: str) -> None:
    assert isinstance(lookup({"main.py": text, "config.py": "N = 5"}), OpaqueValue)


def test_missing_file() -> None:
    assert Files({}).loader.load(f"{ROOT}/nothing.py") is None


def test_the_dsl_is_never_read_from_the_workspace() -> None:
    files = Files({"main.py": "import pypto.language as pl\nX = pl", "pypto/language/__init__.py": "boom = 1"})
    assert files.load("main.py").lookup("X") == Namespace("pl")
    assert not any("pypto/" in path for path in files.reads)


def test_cycles() -> None:
    files = Files(
        {
            "a.py": "A = 1\nfrom b import B\nX = A + B\n",
            "b.py": "from a import A\nB = A + 1\n",
            "self.py": "import self\nX = 3\nY = self.X\n",
        }
    )
    assert files.load("a.py").lookup("X") == 3
    assert files.load("b.py").lookup("B") == 2
    assert files.load("a.py").lookup("X") == 3
    assert files.load("self.py").lookup("Y") == 3


def test_cycle_with_a_name_that_is_not_there_yet() -> None:
    files = Files({"a.py": "from b import B\nA = 1\nX = B\n", "b.py": "from a import A\nB = A\n"})
    assert isinstance(files.load("a.py").lookup("X"), OpaqueValue)
    assert files.load("a.py").lookup("A") == 1


# --- modules that set names of others ----------------------------------------------------------------------------

SHARED = {
    "config.py": "N = 1\nM = N * 2\nT = {'a': 1}\ndef twice():\n    return N * 2\n",
    "kernels.py": "from config import N\nK = N * 16\n",
    "early.py": "import kernels\nimport config\nconfig.N = 4\nX = kernels.K\n",
    "late.py": "import config\nconfig.N = 4\nfrom kernels import K as X\nfrom config import N, M, twice\nY = twice()\n",
    "mover.py": "import config\nconfig.N = 8\nP = 1\n",
    "through.py": "from mover import P\nfrom kernels import K as X\n",
    "mixed.py": "from config import N as A\nfrom mover import P\nfrom config import N as B\nfrom kernels import K\n",
    "item.py": "import config\nconfig.T['a'] = 5\nX = config.T['a']\nY = config.N\n",
    "branch.py": "import config, torch\nif torch.ok():\n    config.N = 4\nX = config.N\nY = config.M\n",
    "set.py": "import config\nsetattr(config, 'N', 3)\nX = config.N\n",
}


def test_constant_set_before_the_import() -> None:
    files = Files(SHARED)
    assert files.load("kernels.py").lookup("K") == 16
    late = files.load("late.py")
    assert [late.lookup(name) for name in ("X", "N", "M", "Y")] == [64, 4, 2, 8]
    assert files.load("kernels.py").lookup("K") == 16
    assert files.load("config.py").lookup("N") == 1


def test_constant_set_after_the_import() -> None:
    assert Files(SHARED).load("early.py").lookup("X") == 16


def test_constant_set_by_an_imported_module() -> None:
    files = Files(SHARED)
    assert files.load("through.py").lookup("X") == 128
    mixed = files.load("mixed.py")
    assert [mixed.lookup(name) for name in "ABK"] == [1, 8, 128]


def test_changes_in_place_are_not_known() -> None:
    files = Files(SHARED)
    env = files.load("item.py")
    assert isinstance(env.lookup("X"), OpaqueValue)
    assert env.lookup("Y") == 1
    assert plain(files.load("config.py").lookup("T")) == {"a": 1}


def test_changes_in_a_branch_are_not_known() -> None:
    env = Files(SHARED).load("branch.py")
    assert isinstance(env.lookup("X"), OpaqueValue)
    assert env.lookup("Y") == 2


def test_setattr() -> None:
    assert Files(SHARED).load("set.py").lookup("X") == 3


def test_environment_variable_set_before_the_import() -> None:
    files = Files(
        {
            "config.py": "import os\nX = int(os.environ.get('ROWS', '16'))\n",
            "main.py": "import os\nos.environ['ROWS'] = '32'\nfrom config import X\n",
            "via.py": "import main\nfrom config import X\n",
        }
    )
    assert files.load("config.py").lookup("X") == 16
    assert files.load("main.py").lookup("X") == 32
    assert files.load("via.py").lookup("X") == 32
    assert files.load("config.py").lookup("X") == 16


def test_any_order_of_asking_gives_the_same() -> None:
    wanted = ("X", "N", "Y", "A", "B", "K", "M")

    def values(files: Files, name: str) -> list[Any]:
        env = files.load(name)
        return [env.lookup(each) for each in wanted]

    alone = {name: values(Files(SHARED), name) for name in SHARED}
    forward, backward = Files(SHARED), Files(SHARED)
    assert {name: values(forward, name) for name in SHARED} == alone
    assert {name: values(backward, name) for name in reversed(SHARED)} == alone


# --- edits -------------------------------------------------------------------------------------------------------


def test_nothing_is_evaluated_again_without_a_change() -> None:
    files = Files(SHARED)
    assert files.load("late.py") is files.load("late.py")


def test_an_edit_is_seen_through_imports() -> None:
    files = Files({"a.py": "from b import X", "b.py": "from c import X", "c.py": "X = 1"})
    assert files.load("a.py").lookup("X") == 1
    files.write("c.py", "X = 2")
    assert files.load("a.py").lookup("X") == 2


def test_a_new_file_is_seen() -> None:
    files = Files({"a.py": "from b import X"})
    assert isinstance(files.load("a.py").lookup("X"), OpaqueValue)
    files.write("b.py", "X = 2")
    assert files.load("a.py").lookup("X") == 2


def test_a_file_imported_late_in_a_factory_counts() -> None:
    from pypto_lsp.frontend.static import definitions

    text = """
    import pypto.language as pl
    def make():
        from sizes import N
        @pl.jit
        def k(x: pl.Tensor[[N], pl.FP32]):
            return x
        return k
    """
    files = Files({"a.py": text, "sizes.py": "N = 4"})
    (kernel,) = definitions(files.load("a.py"))
    assert kernel.env.lookup("N") == 4
    files.write("sizes.py", "N = 8")
    (kernel,) = definitions(files.load("a.py"))
    assert kernel.env.lookup("N") == 8


def test_values_of_unchanged_text_are_equal() -> None:
    text = """
    from dataclasses import dataclass
    import pypto.language as pl
    import torch
    @dataclass(frozen=True)
    class C:
        n: int = 4
        def f(self):
            return 1
    A = C(n=5)
    C.DEFAULT = A
    class Own:
        pass
    Own.ONE = Own()
    B = [1, {"a": (2, C)}]
    D = pl.dynamic("D")
    E = torch.f()
    def g(n, m=A):
        return n
    H = lambda v: v
    K = pl.Tensor[[4], pl.FP32]
    @pl.jit
    def k(x: K):
        return x
    def make(t):
        @pl.jit.incore
        def inner(x: pl.Tensor[[t], pl.FP32]):
            return x
        return inner
    I = make(3)
    J = I.__name__
    """
    files = Files({"main.py": text})
    first = files.load("main.py")
    before = {name: first.lookup(name) for name in first.raw_values}
    hashes = {name: hash(each) for name, each in before.items()}
    import textwrap

    files.write("main.py", "# a new line\n" + textwrap.dedent(text))
    second = files.load("main.py")
    assert second is not first
    after = {name: second.lookup(name) for name in second.raw_values}
    changed = [name for name in before if before[name] != after[name]]
    assert changed == []
    assert {name: hash(each) for name, each in after.items()} == hashes


def test_kernels_of_factories_with_other_locals_differ() -> None:
    text = """
    import pypto.language as pl
    def make(t):
        @pl.jit.incore
        def inner(x):
            return x
        return inner
    A, B, C = make(3), make(4), make(3)
    """
    env = module(text)
    a, b, c = (env.lookup(name) for name in "ABC")
    assert isinstance(a, KernelRef)
    assert a != b
    assert a == c
    assert env.lookup("A") is a


def test_module_values() -> None:
    env = module("import config\nimport torch", config="N = 1")
    assert env.lookup("config") == ModuleRef("config", f"{ROOT}/config.py")
    assert env.lookup("torch") == OpaqueValue("torch")
    assert env.lookup("nothing") is MISSING


def test_no_roots() -> None:
    files = Files({"a/main.py": "from config import X", "a/config.py": "X = 3"})
    env = ModuleLoader(files.read).load(f"{ROOT}/a/main.py")
    assert env is not None
    assert env.lookup("X") == 3


def test_long_chain_of_imports() -> None:
    texts = {f"m{index}.py": f"from m{index + 1} import X" for index in range(120)}
    files = Files({**texts, "m120.py": "X = 1"})
    assert files.load("m0.py").lookup("X") == 1
    assert files.load("m60.py").lookup("X") == 1


def test_long_cycle_of_imports() -> None:
    texts = {f"m{index}.py": f"import m{(index + 1) % 60}\nX = {index}\n" for index in range(60)}
    files = Files(texts)
    assert [files.load(f"m{index}.py").lookup("X") for index in (0, 30, 59)] == [0, 30, 59]


def test_deep_expressions_behind_many_imports() -> None:
    texts = {f"m{index}.py": f"from m{index + 1} import X, f\nY = {'f(' * 30}1{')' * 30}\n" for index in range(40)}
    last = "def f(n):\n    if n:\n        return n\n    return f(n)\nX = 1\n"
    files = Files({**texts, "m40.py": last})
    assert files.load("m0.py").lookup("X") == 1
    assert files.load("m0.py").lookup("Y") == 1
