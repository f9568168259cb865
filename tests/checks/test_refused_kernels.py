"""MixedStores and SplitReduction: kernels that the compiler refuses late; what they look like and what they do not."""

from __future__ import annotations

import pytest

from pypto_lsp.analysis.workspace import Workspace

HEAD = "import pypto.language as pl\n\n\n"
XO = "x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INT32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]"


def found(text: str, rule: str) -> list[str]:
    """The text of each place that a rule reports."""
    workspace = Workspace()
    workspace.open("kernel.py", text)
    return [d.span.text for d in workspace.check("kernel.py").diagnostics if d.rule_name == rule]


def region(body: str, params: str = XO, split: str = "") -> str:
    split = f", optimizations=[pl.split(pl.SplitMode.{split})]" if split else ""
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return f"{HEAD}@pl.jit\ndef kernel({params}):\n    with pl.at(level=pl.Level.CORE_GROUP{split}):\n{lines}    return o\n"


WRITE = "pl.write(o, [3, 3], pl.read(x, [0, 0]))"
STORES = {
    "after": (f"o[:] = pl.neg(x)\n{WRITE}", True),
    "before": (f"{WRITE}\no[:] = pl.neg(x)", True),
    "in a loop": (
        f"for i in pl.range(4):\n    o[i * 16 : i * 16 + 16, :] = pl.neg(x[i * 16 : i * 16 + 16, :])\n{WRITE}",
        True,
    ),
    "in the other branch": (f"if n > 3:\n    o[0:16, :] = pl.neg(x[0:16, :])\nelse:\n    {WRITE}", True),
    "over a part that is constant": (
        f"o[0:32, :] = pl.full([32, 64], dtype=pl.FP32, value=0.0)\n{WRITE}",
        True,
    ),
    "over a constant": (f"o[:] = pl.full([64, 64], dtype=pl.FP32, value=0.0)\n{WRITE}", False),
    "into a tile": (
        f"t = pl.create_tensor([64, 64], dtype=pl.FP32)\nt[:] = pl.neg(x)\n{WRITE.replace('o,', 't,')}\no[:] = t",
        False,
    ),
    "elements alone": (f"{WRITE}\n{WRITE.replace('3, 3', '4, 4')}", False),
}


@pytest.mark.parametrize(("body", "mixed"), STORES.values(), ids=STORES)
def test_one_kernel_writes_a_tensor_in_one_way(body: str, mixed: bool) -> None:
    assert found(region(body), "MixedStores") == ([WRITE] if mixed else [])


def test_two_kernels_may_write_a_tensor_in_two_ways() -> None:
    text = region("o[:] = pl.neg(x)").replace(
        "    return o", f"    with pl.at(level=pl.Level.CORE_GROUP):\n        {WRITE}\n    return o"
    )
    assert found(text, "MixedStores") == []


ABO = "a: pl.Tensor[[64, 32], pl.FP16], b: pl.Tensor[[32, 64], pl.FP16], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]"
REDUCE = "c = pl.matmul(a, b, out_dtype=pl.FP32)\nm = pl.{op}(c)\no[:] = pl.{back}(c, m)"


@pytest.mark.parametrize(
    ("op", "back", "split", "refused"),
    [
        ("row_max", "row_expand_sub", "LEFT_RIGHT", True),
        ("row_sum", "row_expand_sub", "LEFT_RIGHT", True),
        ("row_max", "row_expand_sub", "UP_DOWN", False),
        ("row_max", "row_expand_sub", "", False),
        ("col_max", "col_expand_sub", "UP_DOWN", True),
        ("col_max", "col_expand_sub", "LEFT_RIGHT", False),
    ],
)
def test_a_split_axis_is_not_reduced(op: str, back: str, split: str, refused: bool) -> None:
    text = region(REDUCE.format(op=op, back=back), ABO, split)
    assert found(text, "SplitReduction") == ([f"pl.{op}(c)"] if refused else [])


def test_a_pure_vector_kernel_is_not_split() -> None:
    text = region("m = pl.row_max(x)\no[:] = pl.row_expand_sub(x, m)", split="LEFT_RIGHT")
    assert found(text, "SplitReduction") == []


INCORE = (
    HEAD + "@pl.function(type=pl.FunctionType.{kind})\ndef kernel(x: pl.Tensor[[64, 64], pl.FP32]){result}:\n"
    "    y = {made}\n    return {value}\n"
)


@pytest.mark.parametrize(
    ("kind", "result", "made", "value", "refused"),
    [
        ("InCore", "", "pl.exp(x)", "y", True),
        ("InCore", "", "pl.load(x, [0, 0], [64, 64])", "y", True),
        ("InCore", "", "pl.read(x, [0, 0])", "y", False),
        ("InCore", "", "pl.exp(x)", "x", True),
        ("InCore", "", "pl.load(x, [0, 0], [64, 64])", "x", False),
        ("InCore", " -> pl.Tensor[[64, 64], pl.FP32]", "pl.exp(x)", "y", False),
        ("AIV", "", "pl.exp(x)", "y", False),
    ],
)
def test_a_computed_result_has_a_type(kind: str, result: str, made: str, value: str, refused: bool) -> None:
    text = INCORE.format(kind=kind, result=result, made=made, value=value)
    assert found(text, "UntypedResult") == ([value] if refused else [])


@pytest.mark.parametrize(
    ("constants", "name"),
    [
        ("N = missing", "missing"),
        ("N = int(missing)", "missing"),
        ("A, B = 1, missing", "missing"),
        ("N = lambda: missing", None),
        ("N = 3 if True else missing", None),
        ("N = 1 < 0 < missing", None),
        ("def f():\n    global G\n    G = 3\nf()\nN = G", None),
        ("B = [y := k for k in range(3)]\nN = y", None),
        ('globals()["G"] = 3\nN = G', None),
        ("try:\n    from a import G\nexcept ImportError:\n    G = None\nN = G", None),
        ("for i in range(3):\n    pass\nN = i", None),
    ],
)
def test_names_that_nothing_binds(constants: str, name: str | None) -> None:
    text = f"import pypto.language as pl\n{constants}\n\n\n@pl.jit\ndef kernel({XO}):\n    return o\n"
    assert found(text, "NameError") == ([] if name is None else [name])


ADD = "o = pl.assemble(o, p, [0, 0], atomic=pl.AtomicType.Add)"


@pytest.mark.parametrize(
    ("body", "found_there"),
    [
        (f"with pl.at(level=pl.Level.CORE_GROUP):\n    p = pl.neg(x)\n{ADD}", True),
        (f"with pl.at(level=pl.Level.CORE_GROUP):\n    p = pl.neg(x)\nfor i in pl.range(4):\n    {ADD}", True),
        (f"with pl.at(level=pl.Level.CORE_GROUP):\n    p = pl.neg(x)\n    {ADD}", False),
        (f"for i in pl.spmd(4):\n    p = pl.neg(x)\n    {ADD}", False),
        (
            f"with pl.at(level=pl.Level.CORE_GROUP):\n    p = pl.neg(x)\n{ADD.replace(', atomic=pl.AtomicType.Add', '')}",
            False,
        ),
    ],
)
def test_only_kernels_add_atomically(body: str, found_there: bool) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"{HEAD}@pl.jit\ndef kernel({XO}):\n{lines}    return o\n"
    expected = [ADD.removeprefix("o = ")] if found_there else []
    assert found(text, "AtomicOutsideKernel") == expected


@pytest.mark.parametrize(
    ("source", "found_there"),
    [
        ("pl.slice(t, [32, 64], [0, 0])", True),
        ("pl.slice(t, [32, 64], [pl.cast(n, pl.INDEX), 0])", False),
        ("pl.exp(pl.slice(t, [32, 64], [0, 0]))", False),
        ("pl.load(x, [0, 0], [32, 64])", False),
    ],
)
def test_the_valid_shape_of_a_slice_is_not_set(source: str, found_there: bool) -> None:
    body = f"t = pl.load(x, [0, 0], [64, 64])\nv = {source}\nw = pl.set_validshape(v, 32, 40)\npl.store(w, [0, 0], o)"
    assert found(region(body), "NarrowedView") == (["pl.set_validshape(v, 32, 40)"] if found_there else [])
