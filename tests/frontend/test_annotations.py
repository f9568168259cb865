"""Types of parameters, results and locals: what they resolve to, and every fault on the fragment to change."""

from __future__ import annotations

import pytest
from kernel_cases import check, findings, lowered, unmarked

from pypto_lsp.diagnostics import FAULTS, Diagnostic, faults_annotations, faults_python
from pypto_lsp.ir.nodes import OpaqueInt, Var
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.ir.types import Extent, TensorType, origin_of

HEAD = """import pypto.language as pl
import pypto.language.distributed as pld
from elsewhere import UNKNOWN, unknown_shape

K = 64
WIDTH = K * 2
L = [4, 8]
MIXED = [64, "K"]
DT = pl.BF16
ORDER = pl.NZ
STRIDED = pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.ND)
M = pl.dynamic("M")
RING = pl.MemRef(slots=2)
ALIAS = RING
NAMED = pl.MemRef("ring")
OTHER = pl.MemRef("ring")


class CFG:
    rows = 16


"""
PARAMETER = """
@pl.function
def f(x: pl.Tensor[[64, 64], pl.FP32], w: {annotation}) -> pl.Tensor[[64, 64], pl.FP32]:
    return x
"""
LOCAL = """
@pl.function(type=pl.FunctionType.InCore)
def f(x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX]) -> pl.Tensor[[64, 64], pl.FP32]:
    t = pl.load(x, [0, 0], [64, 64])
    u: {annotation} = t
    return x
"""
LAZY = "from __future__ import annotations\n"


def parameter(annotation: str) -> str:
    return HEAD + PARAMETER.format(annotation=annotation)


def lazy(annotation: str) -> str:
    return LAZY + parameter(annotation)


def local(annotation: str) -> str:
    return HEAD + LOCAL.format(annotation=annotation)


# --- what annotations say ------------------------------------------------------------------------------------------

TYPES = [
    ("pl.Tensor[[64, 128], pl.FP32]", "pl.Tensor[[64, 128], pl.FP32]"),
    ("pl.Tensor[[K, WIDTH], DT]", "pl.Tensor[[64, 128], pl.BF16]"),
    ("pl.Tensor[L, pl.DataType.INT32]", "pl.Tensor[[4, 8], pl.INT32]"),
    ("pl.Tensor[(8, 8), pl.FP32]", "pl.Tensor[[8, 8], pl.FP32]"),
    ("pl.Tensor[[CFG.rows, len(L), max(K, 9)], pl.FP32]", "pl.Tensor[[16, 2, 64], pl.FP32]"),
    ("pl.Tensor[[8 if K > 8 else 4, K << 1, K // 3, L[-1]], pl.FP32]", "pl.Tensor[[8, 128, 21, 8], pl.FP32]"),
    ("pl.Tensor[[], pl.FP32]", "pl.Tensor[[], pl.FP32]"),
    ("pl.Tensor[[M, 64], pl.FP32]", "pl.Tensor[[M, 64], pl.FP32]"),
    ("pl.Tensor[[M + 1, M // 2, 64], pl.FP32]", "pl.Tensor[[M + pl.const(1, pl.INDEX), M // pl.const(2, pl.INDEX), 64], pl.FP32]"),
    ("pl.Tensor[[M / 2], pl.FP32]", "pl.Tensor[[M / pl.const(2, pl.INDEX)], pl.FP32]"),
    ("pl.Tensor[[64, 64], pl.FP32, pl.ND]", "pl.Tensor[[64, 64], pl.FP32]"),
    ("pl.Tensor[[64, 64], pl.FP32, ORDER]", "pl.Tensor[[64, 64], pl.FP32, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)]"),
    (
        "pl.Tensor[[64, 64], pl.FP32, STRIDED]",
        "pl.Tensor[[64, 64], pl.FP32, pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.ND)]",
    ),
    ("pl.Tensor((64, 64), pl.FP32)", "pl.Tensor[[64, 64], pl.FP32]"),
    ("pld.DistributedTensor[[1, 256], pl.FP32]", "pld.DistributedTensor[[1, 256], pl.FP32]"),
    ('pld.DistributedTensor[[1, 256], pl.FP32, "window_buffer=b"]', "pld.DistributedTensor[[1, 256], pl.FP32]"),
    ("pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec]", "pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec]"),
    ("pl.Scalar[pl.INT32]", "pl.Scalar[pl.INT32]"),
    ("pl.Scalar(pl.INT32)", "pl.Scalar[pl.INT32]"),
    ("pl.Array[4, pl.TASK_ID]", "pl.Array[4, pl.TASK_ID]"),
    ("pl.Array[K, pl.INT32]", "pl.Array[64, pl.INT32]"),
    ("pl.Tuple[pl.Scalar[pl.INT32], pl.Scalar[pl.BOOL]]", "pl.Tuple[pl.Scalar[pl.INT32], pl.Scalar[pl.BOOL]]"),
    ("pl.AsyncEvent", "pl.AsyncEvent"),
    ("pld.CommCtx", "pld.CommCtxType"),
    ("pl.Out[pl.Tensor[[64], pl.FP32]]", "pl.Tensor[[64], pl.FP32]"),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "printed"), TYPES)
def test_type_of_a_parameter(annotation: str, printed: str) -> None:
    assert findings(parameter(annotation)) == []
    (unit,) = lowered(parameter(annotation)).units
    assert print_type(unit.program.functions["f"].params[1].type) == printed
    assert [print_type(b.type) for b in unit.bindings if b.name == "w"] == [printed]


def parameter_type(annotation: str) -> TensorType:
    (unit,) = lowered(parameter(annotation)).units
    type_ = unit.program.functions["f"].params[1].type
    assert isinstance(type_, TensorType)
    return type_


def test_extents_know_their_literals() -> None:
    shape = parameter_type("pl.Tensor[[32, WIDTH], pl.FP32]").shape
    assert shape is not None and all(isinstance(extent, Extent) for extent in shape)
    literal, computed = (origin_of(extent) for extent in shape)
    assert literal is not None and literal.literal and literal.span.text == "32"
    assert computed is not None and [o.span.text for o in computed.literals()] == ["64", "2"]


def test_a_dynamic_dimension_is_one_variable() -> None:
    shape = parameter_type("pl.Tensor[[M, M], pl.FP32]").shape
    assert shape is not None and isinstance(shape[0], Var) and shape[0].symbol and shape[0] is shape[1]


@pytest.mark.parametrize(
    "annotation",
    [
        "pl.Tensor[[UNKNOWN, 64], pl.FP32]",
        "pl.Tensor[[UNKNOWN.rows * 2, 64], pl.FP32]",
        "pl.Tensor[[f(UNKNOWN), 64], pl.FP32]",
    ],
)
def test_an_extent_that_cannot_be_computed_is_silent(annotation: str) -> None:
    assert findings(parameter(annotation)) == []
    shape = parameter_type(annotation).shape
    assert shape is not None and isinstance(shape[0], OpaqueInt) and shape[1] == 64


def test_a_shape_that_cannot_be_computed_has_no_rank() -> None:
    assert findings(parameter("pl.Tensor[unknown_shape, pl.FP32]")) == []
    assert parameter_type("pl.Tensor[unknown_shape, pl.FP32]").shape is None


def test_a_scalar_parameter_takes_the_place_of_a_dimension() -> None:
    text = HEAD + (
        "@pl.function\ndef f(M: pl.Scalar[pl.INDEX], x: pl.Tensor[[M, 64], pl.FP32]) -> pl.Tensor[[M, 64], pl.FP32]:\n"
        "    return x\n"
    )
    assert findings(text) == []
    function = lowered(text).units[0].program.functions["f"]
    type_ = function.params[1].type
    assert isinstance(type_, TensorType) and type_.shape is not None and type_.shape[0] is function.params[0]


def test_a_scalar_parameter_is_a_dimension_where_annotations_are_lazy() -> None:
    body = "@pl.function\ndef f(n: pl.Scalar[pl.INDEX], x: pl.Tensor[[n, 64], pl.FP32]) -> pl.Scalar[pl.INDEX]:\n    return n\n"
    assert findings(LAZY + HEAD + body) == []
    assert [d.rule_name for d in findings(HEAD + body)] == ["NameError"]


def test_annotations_see_names_as_they_are_at_the_definition() -> None:
    text = HEAD + "N = 8\n" + PARAMETER.format(annotation="pl.Tensor[[N], pl.FP32]") + "\nN = 16\n"
    assert print_type(lowered(text).units[0].program.functions["f"].params[1].type) == "pl.Tensor[[8], pl.FP32]"


def test_parameters_that_the_compiler_does_not_read() -> None:
    text = (
        HEAD
        + "@pl.function\ndef f(x: pl.Scalar[pl.INT32], *rest, n: int = 3, **more) -> pl.Scalar[pl.INT32]:\n    return x\n"
    )
    assert findings(text) == []
    assert [p.name for p in lowered(text).units[0].program.functions["f"].params] == ["x"]


# --- faults --------------------------------------------------------------------------------------------------------

PARAMETER_FAULTS = [
    "⟦tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INDEX]]⟧2201",
    "⟦pl.InOut[pl.Scalar[pl.INT32]]⟧2202",
    "⟦pl.Tensor⟧2203",
    "⟦pl.Scalar⟧2203",
    "pl.Out[⟦pl.Tensor⟧2203]",
    "⟦int⟧2204",
    '⟦"pl.Tensor[[8], pl.FP32]"⟧2204',
    "⟦None⟧2204",
    "⟦pl.Ptr⟧2204",
    "pl.Array[⟦CFG⟧2208, pl.INT32]",
    "pl.Array[4, ⟦pl.FP32⟧2271]",
    "pl.Tensor[⟦K⟧2228, pl.FP32]",
    "pl.Tensor[⟦MIXED⟧2229, pl.FP32]",
    "pl.Tensor[[⟦K / 2⟧2231, K], pl.FP32]",
    "pl.Tensor[[⟦CFG⟧2231, K], pl.FP32]",
    "pl.Tensor[[⟦*L⟧2232], pl.FP32]",
    "pl.Tensor[[⟦sorted(L)[0]⟧2232], pl.FP32]",
    "pl.Tensor[[K], ⟦K⟧2235]",
    'pl.Tensor[[K], ⟦"fp32"⟧2236]',
    "pl.Tensor[[K, K], pl.FP32, pl.⟦DN⟧2238]",
    "pl.Tensor[[K, K], pl.FP32, ⟦K⟧2240]",
    "pl.Tensor[[K, K], pl.FP32, ⟦5⟧2241]",
    "pl.Tensor[[K, K], pl.FP32, pl.TensorView(⟦[8, 8]⟧2248, layout=pl.TensorLayout.ND)]",
    "pl.Tensor[[K, K], pl.FP32, pl.ND, ⟦pl.ND⟧2210]",
    "pl.Tuple[pl.Scalar[pl.INT32], ⟦pl.Tuple[pl.Scalar[pl.INT32]]⟧2222]",
    "⟦pl.Tuple(pl.Scalar[pl.INT32])⟧2223",
    "⟦pl.Tensor((64, 64))⟧2224",
    "⟦pl.Array(4, pl.INT32)⟧2206",
]
#: what Python raises before the compiler sees the annotation
PYTHON_FAULTS = [
    "pl.Tensor[[⟦ROWS⟧2502, K], pl.FP32]",
    "pl.Tensor[⟦SHAPE⟧2502, pl.FP32]",
    "pl.Tensor[[K], ⟦F16⟧2502]",
    "pl.Tensor[[K], pl.⟦FLOAT32⟧2503]",
    "pl.Tensor[[K], pl.DataType.⟦FLOAT16⟧2503]",
    "pl.Tensor[[K, K], pl.FP32, pl.TensorLayout.⟦ROW⟧2503]",
    "pl.⟦Matrix⟧2503[[K], pl.FP32]",
    "⟦Matrix⟧2502[[K], pl.FP32]",
    "pl.Tensor[⟦[K, K]⟧2504]",
    "pl.Tensor[[K, K], pl.FP32, pl.ND, ⟦pl.MemRef(), 3⟧2504]",
    "pl.Array[⟦4⟧2504]",
    "pl.Tile[[8, 8], pl.FP32, ⟦2⟧2505]",
    "pl.Tile[[8, 8], pl.FP32, pl.Mem.Vec, ⟦pl.Mem.Mat⟧2505]",
    "pl.Tile[[8, 8], pl.FP32, pl.Mem.⟦Ubuf⟧2503]",
    'pl.Tile[[8, 8], pl.FP32, ⟦pl.MemRef("a")⟧2515]',
    "pl.Tensor[[8], pl.FP32, pl.TensorView(⟦valid=[8]⟧2506, layout=pl.TensorLayout.ND)]",
    "pl.Tensor[[8], pl.FP32, pl.TensorView(layout=pl.TensorLayout.ND⟦, valid=[8]⟧2506)]",
    "pl.Tensor[[8], pl.FP32, ⟦pl.TensorView(stride=[8])⟧2510]",
    "pl.Tensor[[⟦len(K)⟧2507], pl.FP32]",
    "pl.Tensor[[⟦int('x')⟧2508], pl.FP32]",
    "pl.Tensor[[⟦L[9]⟧2511], pl.FP32]",
    'pl.Tensor[[⟦{"m": 4}["n"]⟧2512], pl.FP32]',
    "pl.Tensor[[⟦1 // 0⟧2513], pl.FP32]",
    "pl.Tensor[[⟦CFG.cols⟧2514], pl.FP32]",
]
LAZY_FAULTS = [
    "pl.Tensor[[⟦ROWS⟧2233, K], pl.FP32]",
    "pl.Tensor[⟦SHAPE⟧2226, pl.FP32]",
    "pl.Tensor[⟦shapes(K)⟧2227, pl.FP32]",
    "pl.Tensor[[K], ⟦F16⟧2234]",
    "pl.Tensor[[K], pl.⟦FLOAT⟧2234]",
    "pl.⟦Matrix⟧2205[[K], pl.FP32]",
    "pl.Array[⟦4⟧2207]",
    "pl.Tensor[⟦[K, K]⟧2209]",
    'pl.Tensor[[K, K], pl.FP32, pl.ND, ⟦pl.MemRef("m"), 3⟧2209]',
    "pl.Tensor[[K, K], pl.FP32, pl.⟦ROW⟧2239]",
    "pl.Tensor[[K, K], pl.FP32, pl.TensorView(⟦valid=[8, 8]⟧2249)]",
    "pl.Tensor[[K, K], pl.FP32, pl.TensorView(stride=⟦(8, 8)⟧2251)]",
    "pl.Tensor[[K, K], pl.FP32, pl.TensorView(stride=[⟦CFG⟧2252, 1])]",
    "⟦pl.Scalar()⟧2225",
    "⟦pl.Foo()⟧2206",
]
LOCAL_FAULTS = [
    "pl.Tile[[64, 64], pl.FP32, ⟦pl.TensorLayout.ND⟧2214]",
    "pl.Tile[[64, 64], pl.FP32, ⟦2⟧2215]",
    "pl.Tile[[64, 64], pl.FP32, pl.Mem.⟦Ubuf⟧2263]",
    "pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec, ⟦pl.Mem.Mat⟧2213]",
    'pl.Tile[[64, 64], pl.FP32, pl.MemRef("a"), ⟦pl.MemRef("b")⟧2211, pl.Mem.Vec]',
    "pl.Tile[[64, 64], pl.FP32, pl.TileView(fractal=512), ⟦pl.TileView(fractal=512)⟧2212]",
    'pl.Tile[[64, 64], pl.FP32, ⟦pl.MemRef("a")⟧2216]',
    'pl.Tile[[64, 64], pl.FP32, ⟦pl.MemRef("one")[0]⟧2217, pl.Mem.Vec]',
    'pl.Tile[[64, 64], pl.FP32, pl.MemRef("ring", slots=2)[⟦2⟧2218], pl.Mem.Vec]',
    "pl.Tile[[64, 64], pl.FP32, RING[⟦5⟧2218], pl.Mem.Vec]",
    'pl.Tile[[64, 64], pl.FP32, pl.MemRef("ring", slots=⟦0⟧2221)[0], pl.Mem.Vec]',
    "pl.Tile[[64, 64], pl.FP32, pl.MemRef(⟦7⟧2260), pl.Mem.Vec]",
    'pl.Tile[[64, 64], pl.FP32, pl.MemRef(⟦"a", 0⟧2259), pl.Mem.Vec]',
    'pl.Tile[[64, 64], pl.FP32, pl.MemRef("a", 0, ⟦"x"⟧2261), pl.Mem.Vec]',
    'pl.Tile[[64, 64], pl.FP32, pl.MemRef("a", 0, ⟦-1⟧2262), pl.Mem.Vec]',
    "pl.Tile[[64, 64], pl.FP32, pl.TileView(blayout=pl.TileLayout.⟦diag⟧2256)]",
    "pl.Tile[[64, 64], pl.FP32, pl.TileView(fractal=⟦n⟧2250)]",
    "pl.Tile[[64, 64], pl.FP32, pl.TileView(valid_shape=[⟦pl.yield_(n)⟧2253, 8])]",
    "pl.Tile[[64, 64], pl.FP32, pl.TileView(valid_shape=[⟦pl.exp(x)⟧2254, 8])]",
    "⟦pl.Tensor[[64, 64], pl.FP32]⟧2243",
    "⟦pl.Tile[[64], pl.FP32]⟧2244",
    "⟦pl.Tile[[64, 32], pl.FP32]⟧2245",
    "pl.Tile[⟦[32, 32]⟧2245, pl.FP32]",
    "pl.Tile[[64, 64], ⟦pl.BF16⟧2246]",
]


@pytest.mark.parametrize("annotation", PARAMETER_FAULTS + PYTHON_FAULTS)
def test_fault_of_a_parameter(annotation: str) -> None:
    check(parameter(annotation))


@pytest.mark.parametrize("annotation", LAZY_FAULTS)
def test_fault_of_a_parameter_that_python_does_not_evaluate(annotation: str) -> None:
    check(lazy(annotation))


@pytest.mark.parametrize("annotation", LOCAL_FAULTS)
def test_fault_of_a_local(annotation: str) -> None:
    check(local(annotation))


WHOLE_FILES = [
    HEAD + "@pl.function\ndef f(⟦x⟧2266) -> pl.Scalar[pl.INT32]:\n    return x\n",
    HEAD
    + "@pl.function\ndef f(x: pl.Tensor[[M, 64], pl.FP32], ⟦M⟧2267: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:\n    return M\n",
    HEAD
    + """
@pl.function(type=pl.FunctionType.InCore)
def f(x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
    t: pl.Tile[[64, 64], pl.FP32, RING[0], pl.Mem.Vec] = pl.load(x, [0, 0], [64, 64])
    u: pl.Tile[[64, 64], pl.FP32, ⟦ALIAS⟧2219[1], pl.Mem.Vec] = pl.exp(t)
    return x
""",
    HEAD
    + """
@pl.function(type=pl.FunctionType.InCore)
def f(x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
    t: pl.Tile[[64, 64], pl.FP32, NAMED, pl.Mem.Vec] = pl.load(x, [0, 0], [64, 64])
    u: pl.Tile[[64, 64], pl.FP32, ⟦OTHER⟧2220, pl.Mem.Vec] = pl.exp(t)
    return x
""",
    HEAD
    + "@pl.jit\ndef f(x: ⟦pl.Tensor[[8], pl.FP32, STRIDED]⟧2268, o: pl.Out[pl.Tensor[[8], pl.FP32]]):\n    return o\n",
    HEAD + "@pl.jit\ndef f(n: pl.Scalar[⟦DT⟧2269], o: pl.Out[pl.Tensor[[8], pl.FP32]]):\n    return o\n",
    HEAD
    + """
@pl.jit
def f(x: pl.Tensor[[M, 64], pl.FP32], o: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    t: pl.Tensor[[⟦M⟧2270, 64], pl.FP32] = pl.create_tensor([M, 64], dtype=pl.FP32)
    return o
""",
    HEAD
    + """
@pl.jit
def f(x: pl.Tensor[[CFG.rows, 64], pl.FP32], o: pl.Out[pl.Tensor[[16, 64], pl.FP32]]):
    t: pl.Tensor[[⟦CFG.rows⟧2232, 64], pl.FP32] = pl.create_tensor([16, 64], dtype=pl.FP32)
    return o
""",
    """
import pypto.language as pl


@pl.program
class P:
    width = 64

    @pl.function
    def f(self, x: pl.Tensor[[⟦width⟧2233, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
        return x
""",
    "import pypto.language as pl\nDT = pl.⟦FLOAT32⟧2503\n",
]


@pytest.mark.parametrize("text", WHOLE_FILES)
def test_fault_in_a_file(text: str) -> None:
    check(text)


SILENT = [
    HEAD
    + "@pl.jit\ndef f(x: pl.Tensor[[*L, K], pl.FP32], n: pl.INDEX, o: pl.Out[pl.Tensor[[*L], pl.FP32]]):\n    return o\n",
    HEAD + "@pl.jit\ndef f(x: pl.Tensor, n: pl.INDEX, o: pl.Out[pl.Tensor]):\n    return o\n",
    HEAD
    + "@pl.jit\ndef f(x: pl.Tensor[[128 / 2, 64], pl.FP32], o: pl.Out[pl.Tensor[[64], pl.FP32]]) -> int:\n    return o\n",
    HEAD + "try:\n    F8 = pl.FLOAT8\nexcept AttributeError:\n    F8 = pl.FP16\n",
    "from somewhere import *\nimport pypto.language as pl\n"
    + PARAMETER.format(annotation="pl.Tensor[[ROWS, 4], DTYPE]"),
]


@pytest.mark.parametrize("text", SILENT)
def test_no_fault(text: str) -> None:
    check(text)


def test_every_fault_is_tested() -> None:
    """A kind of fault that no case provokes is either dead or untested."""
    cases = [
        *map(parameter, PARAMETER_FAULTS + PYTHON_FAULTS),
        *map(lazy, LAZY_FAULTS),
        *map(local, LOCAL_FAULTS),
        *WHOLE_FILES,
    ]
    tested = {code for text in cases for _, _, codes in unmarked(text).wanted for code in codes}
    elsewhere = {2501, 2509, 2516, 2517}  # test_decorators, test_units
    declared = {
        code
        for code, kind in FAULTS.items()
        if kind in vars(faults_annotations).values() or kind in vars(faults_python).values()
    }
    assert declared - tested - elsewhere == set()


def test_one_mistake_is_one_finding() -> None:
    """What follows from an unknown part of a type is silent."""
    text = HEAD + (
        "@pl.function\ndef f(x: pl.Tensor[[ROWS, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]])"
        " -> pl.Tensor[[64, 64], pl.FP32]:\n"
        "    with pl.at(level=pl.Level.CORE_GROUP):\n        o = pl.assemble(o, pl.exp(x), [0, 0])\n    return o\n"
    )
    found: list[Diagnostic] = findings(text)
    assert [d.rule_name for d in found] == ["NameError"]
