"""What cannot be written down, because the front end refuses it: rules on IR that is built by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import FP32, INDEX
from pypto_lsp.ir.enums import Direction, ForKind
from pypto_lsp.ir.types import NONE, ScalarType, TensorType, TensorView, TileType, TileView
from pypto_lsp.text.span import Source, whole_file
from pypto_lsp.verifiers.registry import verifying_rules
from pypto_lsp.verifiers.rule import RuleContext

SPAN = whole_file(Source("built.py", "pass\n"))
SCALAR = ScalarType(INDEX)
TENSOR = TensorType(FP32, (64, 128))
TILE = TileType(FP32, (64, 128), "Vec")


def const(value: int) -> ir.ConstInt:
    return ir.ConstInt(value, INDEX, SPAN)


def function(
    *body: ir.Stmt, params: Sequence[ir.Var] = (), func_type: str = "Orchestration", level: str | None = None
) -> ir.Function:
    directions = (Direction.IN,) * len(params)
    return ir.Function("f", func_type, tuple(params), directions, (), body, SPAN, level, "Orchestrator")


def loop(kind: ForKind, *body: ir.Stmt) -> ir.For:
    var = ir.Var("i", SCALAR, SPAN)
    return ir.For(var, const(0), const(4), const(1), kind, body, span=SPAN)


def codes(prop: str, built: ir.Function, *others: ir.Function) -> list[int]:
    """The codes that the rule for a property reports in a function."""
    (rule,) = (rule for key, rule in verifying_rules().items() if key.name == prop)
    program = ir.Program("P", {f.name: f for f in (built, *others)})
    return [d.error_code for d in rule.verify(program, RuleContext(as_is=True))]


@pytest.mark.parametrize(
    ("stmt", "wanted"),
    [
        (loop(ForKind.PARALLEL, ir.Break(SPAN)), [301]),
        (loop(ForKind.UNROLL, ir.Break(SPAN)), [302]),
        (loop(ForKind.PARALLEL, ir.Continue(SPAN)), [303]),
        (loop(ForKind.UNROLL, ir.Continue(SPAN)), [304]),
        (ir.Break(SPAN), [305]),
        (ir.Continue(SPAN), [306]),
        (loop(ForKind.SEQUENTIAL, ir.Break(SPAN)), []),
        (loop(ForKind.PIPELINE, ir.Continue(SPAN)), []),
        (loop(ForKind.PARALLEL, ir.While(ir.ConstBool(True), (ir.Break(SPAN),), span=SPAN)), []),
    ],
)
def test_break_and_continue(stmt: ir.Stmt, wanted: list[int]) -> None:
    assert codes("BreakContinueValid", function(stmt)) == wanted


def test_use_before_definition() -> None:
    x, y = ir.Var("x", SCALAR, SPAN), ir.Var("y", SCALAR, SPAN)
    early = ir.Assign(y, ir.Read(x, SPAN), SPAN)
    bound = ir.Assign(x, const(1), SPAN)
    assert codes("UseAfterDef", function(early, bound)) == [401]
    assert codes("UseAfterDef", function(bound, early)) == []
    inner = loop(ForKind.SEQUENTIAL, bound)
    assert codes("UseAfterDef", function(inner, early)) == []
    assert codes("UseAfterDef", function(inner, ir.Assign(y, ir.Read(inner.var, SPAN), SPAN))) == [401]


def test_dependencies_of_plain_calls() -> None:
    callee = ir.FunctionRef("g")
    attrs = {"manual_dep_edges": ()}
    call = ir.Eval(ir.Call(callee, (), (), NONE, SPAN, attrs=attrs), SPAN)
    submit = ir.Eval(ir.Submit(callee, (), (), NONE, SPAN, attrs=attrs), SPAN)
    dummy = ir.Eval(ir.Call("system.task_dummy", (), (), NONE, SPAN, attrs=attrs), SPAN)
    assert codes("ManualDepsOnSubmitOnly", function(call, submit, dummy)) == [0, 1]


def test_unknown_callees() -> None:
    call = ir.Eval(ir.Call(ir.FunctionRef("g"), (), (), NONE, SPAN), SPAN)
    assert codes("OrchestrationReferencesResolved", function(call)) == [0]
    assert codes("InlineFunctionsEliminated", function(call)) == [2]
    other = ir.Function("g", "InCore", (), (), (), (), SPAN)
    assert codes("OrchestrationReferencesResolved", function(call), other) == []


@pytest.mark.parametrize(
    ("view", "wanted"),
    [
        (None, []),
        (TensorView(stride=(128, 1)), []),
        (TensorView(stride=(256, 1)), []),
        (TensorView(stride=(1, 64), layout="DN"), []),
        (TensorView(valid_shape=(64, 64)), [1]),
        (TensorView(stride=(1,)), [1]),
        (TensorView(stride=(128, 2)), [1]),
        (TensorView(stride=(64, 1)), [1]),
        (TensorView(stride=(1, 32), layout="DN"), [1]),
        (TensorView(layout="NZ"), [1]),
    ],
)
def test_strides(view: TensorView | None, wanted: list[int]) -> None:
    param = ir.Var("x", TensorType(FP32, (64, 128), view), SPAN)
    assert codes("TensorViewCanonical", function(params=(param,))) == wanted


@pytest.mark.parametrize(
    ("tile", "wanted"),
    [
        (TILE, []),
        (TileType(FP32, (64, 128), "Vec", TileView(blayout="col_major")), []),
        (TileType(FP32, (64, 128), "Vec", TileView(valid_shape=(64, 64))), []),
        (TileType(FP32, (64, 128), "Vec", TileView()), [1]),
        (TileType(FP32, (64, 128), "Vec", TileView(blayout="row_major", valid_shape=(64, 128))), [1]),
    ],
)
def test_views_that_say_nothing(tile: TileType, wanted: list[int]) -> None:
    assert codes("TileTypeCoherence", function(params=(ir.Var("t", tile, SPAN),))) == wanted


@pytest.mark.parametrize(
    ("type_", "wanted"),
    [
        (TILE, []),
        (TileType(FP32, (64, 128), "Mat"), [1]),
        (TileType(FP32, (64, 64), "Vec"), [1]),
        (TENSOR, [1]),
    ],
)
def test_types_of_both_sides(type_: TensorType | TileType, wanted: list[int]) -> None:
    value = ir.Read(ir.Var("x", TILE, SPAN), SPAN)
    assert codes("AssignTypeSymmetry", function(ir.Assign(ir.Var("t", type_, SPAN), value, SPAN))) == wanted


def test_communication_domains() -> None:
    buffer = ir.Read(ir.Var("w", TENSOR, SPAN), SPAN)
    empty = ir.CommDomainScope((), span=SPAN)
    owning = ir.CommDomainScope((), slots=(buffer,), span=SPAN)
    assert codes("CommDomainScopesMaterialized", function(owning)) == []
    assert codes("CommDomainScopesMaterialized", function(empty, owning, owning)) == [0, 0]


def test_contexts_are_asked_for_on_the_host_only() -> None:
    asked = ir.Eval(ir.Call("pld.system.get_comm_ctx", (), (), NONE, SPAN), SPAN)
    assert codes("DistTensorCtxMaterialized", function(asked, level="HOST")) == []
    assert codes("DistTensorCtxMaterialized", function(asked, level="CHIP")) == [0]


def test_results_and_carries_of_loops() -> None:
    carried = ir.IterArg(ir.Var("s", SCALAR, SPAN), const(0))
    var, result = ir.Var("i", SCALAR, SPAN), ir.Var("r", SCALAR, SPAN)

    def carrying(values: tuple[ir.Expr, ...], results: tuple[ir.Var, ...]) -> ir.For:
        body = (ir.Yield(values, SPAN),) if values else ()
        return ir.For(var, const(0), const(4), const(1), ForKind.SEQUENTIAL, body, (carried,), results, span=SPAN)

    assert codes("SSAForm", function(carrying((const(1),), (result,)))) == []
    assert codes("SSAForm", function(carrying((const(1),), ()))) == [4]
    assert codes("SSAForm", function(carrying((), (result,)))) == [3]
    assert codes("SSAForm", function(carrying((const(1), const(2)), (result,)))) == [5]


def test_conditions_are_bool_scalars() -> None:
    tensor, number = ir.Read(ir.Var("x", TENSOR, SPAN), SPAN), const(1)
    assert codes("TypeChecked", function(ir.If(tensor, (), None, span=SPAN))) == [106]
    assert codes("TypeChecked", function(ir.If(number, (), None, span=SPAN))) == [108]
    assert codes("TypeChecked", function(ir.If(ir.ConstBool(True), (), None, span=SPAN))) == []
    wrong = ir.For(ir.Var("i", SCALAR, SPAN), const(0), tensor, const(1), ForKind.SEQUENTIAL, (), span=SPAN)
    assert codes("TypeChecked", function(wrong)) == [107]


@pytest.mark.parametrize(("declared", "wanted"), [(Direction.IN, [0]), (Direction.OUT, []), (Direction.INOUT, [])])
def test_a_wrapper_declares_what_its_kernels_do(declared: Direction, wanted: list[int]) -> None:
    x = ir.Var("x", TENSOR, SPAN)
    kernel = ir.Function("k", "AIV", (ir.Var("o", TENSOR, SPAN),), (Direction.OUT,), (), (), SPAN)
    attrs = {"arg_directions": ("output_existing",)}
    call = ir.Call(ir.FunctionRef("k"), (ir.Read(x, SPAN),), ("o",), NONE, SPAN, attrs=attrs)
    inner = ir.Function("inner", "Spmd", (x,), (declared,), (), (ir.Eval(call, SPAN),), SPAN)
    assert codes("CallDirectionsResolved", inner, kernel) == wanted


def test_a_wrapper_of_a_wrapper_declares_what_the_kernel_does() -> None:
    def wrapper(name: str, callee: str) -> ir.Function:
        x = ir.Var("x", TENSOR, SPAN)
        attrs = {"arg_directions": ("input",)}
        call = ir.Call(ir.FunctionRef(callee), (ir.Read(x, SPAN),), ("x",), NONE, SPAN, attrs=attrs)
        return ir.Function(name, "Group", (x,), (Direction.IN,), (), (ir.Eval(call, SPAN),), SPAN)

    kernel = ir.Function("k", "AIV", (ir.Var("o", TENSOR, SPAN),), (Direction.INOUT,), (), (), SPAN)
    # the inner call of k has a direction that k does not allow, and both wrappers declare too little
    assert codes("CallDirectionsResolved", wrapper("f", "inner"), wrapper("inner", "k"), kernel) == [0, 0, 0]
