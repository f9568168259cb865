"""Values that a function can and cannot carry as attributes, and constants that must be written out."""

from __future__ import annotations

import pytest
from kernel_cases import check

DECORATED = """import pypto.language as pl
V = {value}
@pl.function(attrs={{"{key}": {marked}}})
def f(x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
    return x
"""
DECLARED = """import pypto.language as pl
V = {value}
@pl.function
def f(x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX]) -> pl.Tensor[[64, 64], pl.FP32]:
    pl.func_attr({{"{key}": {marked}}})
    return x
"""
TAKEN = [
    "1", "-1", "1.5", '"s"', "True", "pl.FP32", "pl.SplitMode.NONE", "pl.Mem.Vec", "pl.ND", "[]", "()",
    "pl.system.available_aiv_count()",
]  # fmt: skip
REFUSED = [
    "None", '{"b": 1}', "{}", "[1, 2]", "(1, 2)", '["a"]', "[None]", "[pl.FP32]", 'b"x"', "{1, 2}", "pl.Level.HOST",
    "pl.add", "10**30",
]  # fmt: skip


@pytest.mark.parametrize("value", TAKEN)
def test_the_decorator_takes(value: str) -> None:
    check(DECORATED.format(value=value, key="a", marked=value))
    check(DECORATED.format(value=value, key="a", marked="V"))


@pytest.mark.parametrize("value", REFUSED)
def test_the_decorator_refuses(value: str) -> None:
    check(DECORATED.format(value=value, key="a", marked=f"⟦{value}⟧2409"))
    check(DECORATED.format(value=value, key="a", marked="⟦V⟧2409"))


def test_one_name_has_whole_numbers() -> None:
    check(DECORATED.format(value=0, key="arg_direction_overrides", marked="[0, 1]"))
    check(DECLARED.format(value=0, key="arg_direction_overrides", marked="[0, 1]"))


@pytest.mark.parametrize(
    "value",
    ["1", '"s"', "n", "n + 1", "[x]", "pl.FP32", "pl.Mem.Vec", "pl.ND", "[]", "pl.system.available_aiv_count()"],
)
def test_the_body_declares(value: str) -> None:
    check(DECLARED.format(value=1, key="a", marked=value))


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("None", 2427), ("[1, 2]", 2427), ("[pl.FP32]", 2427), ('{"b": 1}', 2040), ("{1, 2}", 2040), ("lambda: 1", 2040),
        ("1 if True else 2", 2040), ("pl.SplitMode.NONE", 2046), ("pl.Level.HOST", 2046), ("pl.add", 2046), ("object()", 2158),
    ],
)  # fmt: skip
def test_the_body_does_not_declare(value: str, code: int) -> None:
    check(DECLARED.format(value=1, key="a", marked=f"⟦{value}⟧{code}"))


@pytest.mark.parametrize("value", ["None", '"s"', "pl.FP32", "pl.ND", '{"b": 1}'])
def test_a_name_in_the_body_stands_for_a_number_or_a_parameter(value: str) -> None:
    check(DECLARED.format(value=value, key="a", marked="⟦V⟧2051"))


def test_expressions_of_the_language_are_values_of_plain_kernels() -> None:
    check("""import pypto.language as pl
V = pl.system.available_aiv_count()
W = pl.const(3, pl.INT32)
@pl.function
def f(x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
    for i in pl.range(V):
        s = i + W
    return x
""")


JIT = """import pypto.language as pl
FLAG = True
N = 2
M = pl.dynamic("M")
K = pl.dynamic("K")
LIST = [4, 2]
@pl.jit
def f(x: pl.Tensor[[M, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    {body}
    return o
"""


@pytest.mark.parametrize(
    "body",
    [
        "with pl.at(level=pl.Level.CORE_GROUP, windowize=FLAG):\n        t = pl.exp(x)",
        "with pl.at(level=pl.Level.CORE_GROUP, windowize=⟦N⟧2113):\n        t = pl.exp(x)",
        "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.cross_core_slot(slot_num=N)]):\n        t = pl.exp(x)",
        'for i in pl.range(4, attrs={"a": N}):\n        s = i',
        "for i in pl.range(M):\n        s = i",
        "for i in pl.range(⟦K⟧2041):\n        s = i",
        "y = ⟦nowhere(x, o)⟧2158\n    z = y",
        "t = pl.slice(x, [⟦*LIST⟧2040], [0, 0])",
    ],
)
def test_what_a_jit_body_sees(body: str) -> None:
    check(JIT.replace("{body}", body))


def test_extents_of_arrays_are_compared() -> None:
    text = """import pypto.language as pl
@pl.function
def f(x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
    a: pl.Array[4, pl.INT32] = pl.array.create(4, pl.INT32)
    b: ⟦pl.Array[8, pl.INT32]⟧2245 = pl.array.create(4, pl.INT32)
    return x
"""
    check(text)
