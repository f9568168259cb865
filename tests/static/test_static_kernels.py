"""Kernels and programs: decorators however spelled, factories, main guards, enumeration."""

from __future__ import annotations

import pytest
from static_workspace import Files, module, names

from pypto_lsp.frontend.static import class_scope, definitions
from pypto_lsp.frontend.values import DslExpression, KernelRef, OpaqueValue, ProgramRef


@pytest.mark.parametrize(
    ("head", "decorator", "flavour"),
    [
        ("import pypto.language as pl", "pl.jit", "jit"),
        ("import pypto.language as pl", "pl.jit()", "jit"),
        ("import pypto.language as pl", "pl.jit(auto_scope=False)", "jit"),
        ("import pypto.language as P", "P.jit.incore", "jit.incore"),
        ("import pypto.language as pl", "pl.jit.host", "jit.host"),
        ("import pypto.language as pl", "pl.jit.opaque", "jit.opaque"),
        ("import pypto.language as pl", "pl.jit.inline(auto_scope=False)", "jit.inline"),
        ("import pypto.language as pl", "pl.jit.extern(core_type='aiv', source='a.cpp')", "jit.extern"),
        ("import pypto.language as pl", "pl.function(type=pl.FunctionType.InCore)", "function"),
        ("import pypto.language as pl", "pl.inline", "inline"),
        ("from pypto import language as pl", "pl.jit", "jit"),
        ("from pypto.language import jit", "jit.incore", "jit.incore"),
        ("from pypto.language import function as fn", "fn", "function"),
        ("import pypto.language", "pypto.language.jit", "jit"),
        ("import pypto.language as pl\nkernel = pl.jit", "kernel", "jit"),
        ("import pypto.language as pl\nkernel = pl.jit(auto_scope=False)", "kernel", "jit"),
        ("from names import pl", "pl.jit", "jit"),
        ("from names import *", "pl.jit", "jit"),
    ],
)
def test_flavours(head: str, decorator: str, flavour: str) -> None:
    env = module(f"{head}\n@{decorator}\ndef k(x):\n    return x\n", names="import pypto.language as pl\n")
    kernel = env.lookup("k")
    assert isinstance(kernel, KernelRef)
    assert kernel.flavour == flavour
    assert definitions(env) == [kernel]


@pytest.mark.parametrize(
    "text",
    [
        "import pypto\n@pypto.frontend.jit\ndef k(x): pass",
        "import torch\n@torch.jit.script\ndef k(x): pass",
        "from numba import jit\n@jit\ndef k(x): pass",
        "import pypto.language as pl\n@pl.nothing\ndef k(x): pass",
        "def k(x): pass",
    ],
)
def test_no_kernels(text: str) -> None:
    assert definitions(module(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "def f(x): pass\nk = pl.jit(f)",
        "def f(x): pass\nk = pl.jit(auto_scope=False)(f)",
        "def mine(g):\n    return pl.jit(g)\n@mine\ndef k(x): pass",
    ],
)
def test_decorators_called(text: str) -> None:
    env = module(f"import pypto.language as pl\n{text}\n")
    kernel = env.lookup("k")
    assert isinstance(kernel, KernelRef)
    assert kernel.flavour == "jit"
    assert definitions(env) == [kernel]


def test_kernels_in_nested_blocks_belong_to_the_module() -> None:
    env = module(
        """
        import pypto.language as pl
        import torch
        try:
            if torch.ok():
                @pl.jit
                def k(x):
                    return x
        except ImportError:
            pass
        """
    )
    assert definitions(env) == [env.lookup("k")]
    assert definitions(env)[0].env is env


def test_programs() -> None:
    env = module(
        """
        import pypto.language as pl
        N = 4
        @pl.program
        class P:
            M = N * 2
            @pl.function
            def f(self, x: pl.Tensor[[M], pl.FP32]):
                return x
        """
    )
    program = env.lookup("P")
    assert isinstance(program, ProgramRef)
    assert definitions(env) == [program]
    assert class_scope(program).lookup("M") == 8
    assert class_scope(program).lookup("N") == 4


def test_imported_kernels_belong_to_their_file() -> None:
    files = Files(
        {
            "a.py": "import pypto.language as pl\nN = 4\n@pl.jit.inline\ndef k(x):\n    return x\n",
            "b.py": "from a import k\nfrom a import k as other\n",
        }
    )
    env = files.load("b.py")
    assert env.lookup("k") is env.lookup("other")
    assert env.lookup("k").env.lookup("N") == 4
    assert env.lookup("k").env.module.path == "/w/a.py"
    assert definitions(env) == []


FACTORIES = """
import pypto.language as pl
import torch

def with_default(t=64):
    half = t // 2
    @pl.jit
    def k1(x: pl.Tensor[[half], pl.FP32]):
        return x
    return k1

def without(t, u=2):
    n = t * u
    @pl.program
    class P:
        @pl.function
        def f(self, x: pl.Tensor[[n], pl.FP32]):
            return x
    return P

def called(t):
    @pl.jit.incore
    def k2(x: pl.Tensor[[t], pl.FP32]):
        return x
    return k2

def called_from_main(t):
    @pl.jit.incore
    def k3(x):
        return x
    return k3

class Holder:
    SIZE = 3
    @pl.function
    def k4(x):
        return x

if torch.ok():
    @pl.jit
    def k5(x):
        return x

try:
    import torch
    @pl.jit
    def k6(x):
        return x
except ImportError:
    pass

KERNEL = called(16)
CALLED = with_default(8)

def main():
    rows = 4
    called_from_main(rows * 2)

if __name__ == "__main__":
    LOCAL = 9
    @pl.jit
    def k7(x):
        return x
    main()
"""


def test_enumeration() -> None:
    env = module(FACTORIES)
    assert names(env) == ["k1", "P", "k2", "k3", "k4", "k5", "k6", "k7"]
    found = {each.node.name: each for each in definitions(env)}
    assert found["k1"].env.lookup("half") == 4
    assert isinstance(found["P"].env.lookup("n"), OpaqueValue)
    assert found["P"].env.lookup("u") == 2
    assert found["k2"].env.lookup("t") == 16
    assert found["k3"].env.lookup("t") == 8
    assert found["k7"].env.lookup("LOCAL") == 9
    assert env.lookup("KERNEL").env.lookup("t") == 16
    assert env.lookup("CALLED").env.lookup("half") == 4


@pytest.mark.parametrize(
    ("use", "known"),
    [
        ("", 4),
        ("X = make()", 4),
        ("X = make(8)", 8),
        ("def test():\n    make()", 4),
        ("def test():\n    make(8)", 8),
        ("def test(n):\n    make(n)", None),
        ("MAKERS = [make]", None),
    ],
)
def test_parameters_of_a_factory_are_those_of_its_use(use: str, known: int | None) -> None:
    env = module(
        f"import pypto.language as pl\ndef make(t=4):\n    @pl.jit\n    def k(x):\n        return x\n    return k\n{use}\n"
    )
    found = definitions(env)[0].env.lookup("t")
    assert isinstance(found, OpaqueValue) if known is None else found == known


@pytest.mark.parametrize(("first", "known"), [("pass", None), ("t = t or 8", 8), ("if t is None:\n        t = 8", 8)])
def test_a_default_of_none_counts_where_the_factory_looks_at_it(first: str, known: int | None) -> None:
    env = module(
        f"import pypto.language as pl\ndef make(t=None):\n    {first}\n    @pl.jit\n    def k(x):\n        return x * t\n    return k\n"
    )
    found = definitions(env)[0].env.lookup("t")
    assert isinstance(found, OpaqueValue) if known is None else found == known


def test_enumeration_changes_nothing() -> None:
    env = module(FACTORIES)
    before = dict(env.raw_values)
    first = definitions(env)
    assert env.raw_values == before
    assert definitions(env) == first


def test_kernels_of_branches_not_taken_are_left_out() -> None:
    env = module(
        """
        import pypto.language as pl
        import torch
        N = 4
        def make(t=4):
            if t > 100:
                @pl.jit
                def big(x):
                    return x
                return big
            if torch.ok():
                @pl.jit
                def perhaps(x):
                    return x
                return perhaps
            @pl.jit
            def small(x):
                return x
            return small
            @pl.jit
            def never(x):
                return x
        if N > 5:
            @pl.jit
            def wide(x):
                return x
            def factory():
                @pl.jit
                def inner(x):
                    return x
        else:
            @pl.jit
            def narrow(x):
                return x
        """
    )
    assert names(env) == ["perhaps", "small", "narrow"]


def test_names_of_a_factory_hide_globals() -> None:
    env = module(
        """
        import pypto.language as pl
        import torch
        N = 4
        def make():
            if torch.ok():
                N = 5
            @pl.jit
            def k(x):
                return x
            return k
        """
    )
    (kernel,) = definitions(env)
    assert isinstance(kernel.env.lookup("N"), OpaqueValue)


def test_type_aliases_are_kept_as_written() -> None:
    env = module(
        "import pypto.language as pl\nN = 4\nKV = pl.Tensor[[N, 2], pl.FP32]\nV = pl.TensorView(layout=pl.NZ)\n"
    )
    alias, view = env.lookup("KV"), env.lookup("V")
    assert isinstance(alias, DslExpression)
    assert isinstance(view, DslExpression)
    assert (alias.path, alias.node.text) == ("pl.Tensor", "pl.Tensor[[N, 2], pl.FP32]")
    assert view.path == "pl.TensorView"
    assert alias.env is env
