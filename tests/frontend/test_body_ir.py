"""The IR that a body becomes."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from kernel_cases import bindings, function, jit, lowered, plain, types

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.types import Extent
from pypto_lsp.ir.visit import walk


def body(text: str) -> tuple[ir.Stmt, ...]:
    """The statements of function ``f`` without its final return."""
    found = function(text, "f").body
    assert found is not None
    return found[:-1]


def outline(stmts: Iterable[ir.Stmt]) -> list[str]:
    """Statements in a word each, with what they bind."""
    found: list[str] = []
    for stmt in stmts:
        word = type(stmt).__name__
        if isinstance(stmt, ir.Assign):
            value = stmt.value
            op = getattr(value, "op", type(value).__name__)
            word = f"{stmt.var.name} = {op.name if isinstance(op, ir.FunctionRef) else op}"
        found.append(word)
    return found


# --- variables -----------------------------------------------------------------------------------------------------


def test_an_assignment_again_writes_the_same_variable() -> None:
    first, second = body(plain("t = pl.exp(x)\nt = pl.exp(t)"))
    assert isinstance(first, ir.Assign) and isinstance(second, ir.Assign)
    assert first.var is second.var
    assert isinstance(second.value, ir.Call)
    read = second.value.args[0]
    assert isinstance(read, ir.Read) and read.var is first.var


def test_a_jit_assignment_at_the_same_depth_makes_a_new_variable() -> None:
    first, second, third = body(jit("t = pl.exp(x)\nt = pl.row_sum(t)\nu = pl.exp(t)"))
    assert isinstance(first, ir.Assign) and isinstance(second, ir.Assign) and isinstance(third, ir.Assign)
    assert first.var is not second.var
    assert first.var.name == second.var.name == "t"
    assert isinstance(third.value, ir.Call)
    read = third.value.args[0]
    assert isinstance(read, ir.Read) and read.var is second.var


def test_a_jit_assignment_one_block_deeper_writes_the_variable_outside() -> None:
    outer, loop = body(jit("t = pl.exp(x)\nfor i in pl.range(2):\n    t = pl.exp(t)"))
    assert isinstance(outer, ir.Assign) and isinstance(loop, ir.For)
    (inner,) = loop.body
    assert isinstance(inner, ir.Assign) and inner.var is outer.var


def test_a_jit_loop_that_carries_a_name_of_a_sibling_loop_gets_a_copy() -> None:
    text = "for i in pl.range(2):\n    t = pl.exp(x)\nfor i in pl.range(2):\n    t = pl.exp(t)"
    first, copy, second = body(jit(text))
    assert isinstance(first, ir.For) and isinstance(copy, ir.Assign) and isinstance(second, ir.For)
    (before,), (inside,) = first.body, second.body
    assert isinstance(before, ir.Assign) and isinstance(inside, ir.Assign)
    assert isinstance(copy.value, ir.Read) and copy.value.var is before.var
    assert inside.var is copy.var is not before.var


def test_a_jit_while_body_counts_as_the_depth_around_it() -> None:
    start, loop = body(jit("r = n + 0\nwhile r > 0:\n    r = r - 1"))
    assert isinstance(start, ir.Assign) and isinstance(loop, ir.While)
    (inner,) = loop.body
    assert isinstance(inner, ir.Assign) and inner.var is not start.var


def test_a_subscript_store_is_an_assemble_that_binds_the_target() -> None:
    text = plain("out[0:32, :] = pl.slice(x, [32, 64], [0, 0])")
    (store,) = body(text)
    assert isinstance(store, ir.Assign) and isinstance(store.value, ir.Call)
    assert store.value.op == "tensor.assemble"
    assert store.value.span is not None and store.value.span.text == "out[0:32, :]"
    assert store.span is not None and store.span.text == "out[0:32, :] = pl.slice(x, [32, 64], [0, 0])"
    assert store.name_span is not None and store.name_span.text == "out"
    target = store.value.args[0]
    assert isinstance(target, ir.Read) and store.var is target.var


def test_an_array_store_updates_one_element() -> None:
    _, store = body(plain("ids = pl.array.create(4, pl.INT32)\nids[1] = 7"))
    assert isinstance(store, ir.Assign) and isinstance(store.value, ir.Call)
    assert store.value.op == "array.update_element"
    value = store.value.args[-1]
    assert isinstance(value, ir.ConstInt) and value.dtype.name == "INT32"


def test_unpacking_makes_a_hidden_variable_and_a_part_for_each_name() -> None:
    hidden, first, second = body(plain("a, b = self.two(x, y, out)"))
    assert isinstance(hidden, ir.Assign) and hidden.var.name == "_tuple_tmp"
    for index, stmt in enumerate((first, second)):
        assert isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.TupleGetItem)
        assert stmt.value.index == index
        assert isinstance(stmt.value.tuple, ir.Read) and stmt.value.tuple.var is hidden.var


# --- constants -----------------------------------------------------------------------------------------------------


def slice_extent(text: str) -> int:
    (stmt,) = body(text)
    assert isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call)
    shape = stmt.value.get("shape")
    assert isinstance(shape, ir.MakeTuple)
    first = shape.elements[0]
    assert isinstance(first, ir.ConstInt)
    return first.value


def test_a_literal_knows_where_it_stands() -> None:
    extent = slice_extent(plain("t = pl.slice(x, [32, 64], [0, 0])"))
    assert extent == 32
    assert isinstance(extent, Extent) and extent.origin.literal and extent.origin.span.text == "32"


@pytest.mark.parametrize("frame", [plain, jit])
def test_a_folded_expression_knows_the_literals_it_comes_from(frame: object) -> None:
    extent = slice_extent(frame("t = pl.slice(x, [N // 4, 64], [0, 0])"))  # type: ignore[operator]
    assert extent == 16 and isinstance(extent, Extent)
    assert extent.origin.span.text == "N // 4"
    assert [origin.span.text for origin in extent.origin.literals()] == ["64", "4"]


def test_operators_on_surrounding_numbers_alone_are_folded_as_python_does() -> None:
    (stmt,) = body(plain("k = N * 2 ** 2 + 7 % 4"))
    assert isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.ConstInt)
    assert stmt.value.value == 64 * 4 + 3


def test_a_local_of_the_same_name_hides_a_surrounding_number() -> None:
    _, stmt = body(plain("N = n + 1\nk = N * 2"))
    assert isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Binary)


def test_a_static_extent_of_a_jit_parameter_is_written_in() -> None:
    (stmt,) = body(jit("rows = x.shape[0]\nk = n + rows"))
    assert isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Binary)
    right = stmt.value.right
    assert isinstance(right, ir.ConstInt) and right.value == 64


def test_an_untyped_literal_takes_the_annotated_type() -> None:
    (stmt,) = body(plain("k: pl.Scalar[pl.INT32] = 0"))
    assert isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.ConstInt)
    assert stmt.value.dtype.name == stmt.var.type.dtype.name == "INT32"  # type: ignore[attr-defined]


# --- loops and branches --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("pl.range(0, 8, 2)", ForKind.SEQUENTIAL),
        ("pl.parallel(8)", ForKind.PARALLEL),
        ("pl.unroll(8)", ForKind.UNROLL),
        ("pl.pipeline(8, stage=2)", ForKind.PIPELINE),
    ],
)
def test_loops(call: str, kind: ForKind) -> None:
    (loop,) = body(plain(f"for i in {call}:\n    t = n + i"))
    assert isinstance(loop, ir.For) and loop.kind is kind
    assert loop.attrs == ({"pipeline_stages": 2} if kind is ForKind.PIPELINE else {})
    assert isinstance(loop.stop, ir.ConstInt) and loop.stop.value == 8
    assert isinstance(loop.step, ir.ConstInt) and loop.step.value == (2 if kind is ForKind.SEQUENTIAL else 1)


def test_a_carrying_loop() -> None:
    text = "for i, (acc,) in pl.range(4, init_values=(x,)):\n    nxt = pl.add(acc, y)\n    r = pl.yield_(nxt)\nt = pl.exp(r)"
    loop, use = body(plain(text))
    assert isinstance(loop, ir.For) and isinstance(use, ir.Assign)
    (carried,) = loop.iter_args
    assert carried.var.name == "acc" and isinstance(carried.init, ir.Read)
    (result,) = loop.return_vars
    assert outline(loop.body) == ["nxt = tensor.add", "Yield"]
    assert isinstance(use.value, ir.Call)
    read = use.value.args[0]
    assert isinstance(read, ir.Read) and read.var is result


def test_a_branch_that_yields_gives_a_result() -> None:
    text = "if n > 0:\n    r = pl.yield_(x)\nelse:\n    r = pl.yield_(y)\nt = pl.exp(r)"
    branch, use = body(plain(text))
    assert isinstance(branch, ir.If) and isinstance(use, ir.Assign)
    (result,) = branch.return_vars
    assert branch.orelse is not None
    assert outline(branch.then) == outline(branch.orelse) == ["Yield"]
    assert isinstance(use.value, ir.Call)
    read = use.value.args[0]
    assert isinstance(read, ir.Read) and read.var is result


def test_a_while_form_carries_and_states_its_condition() -> None:
    (loop,) = body(
        plain("for (a,) in pl.while_(init_values=(n,)):\n    pl.cond(a > 0)\n    b = a - 1\n    r = pl.yield_(b)")
    )
    assert isinstance(loop, ir.While)
    assert isinstance(loop.condition, ir.Binary) and loop.condition.op == ">"
    assert [arg.var.name for arg in loop.iter_args] == ["a"]
    assert [var.name for var in loop.return_vars] == ["r"]


# --- scopes --------------------------------------------------------------------------------------------------------


def test_a_region_with_a_task_id() -> None:
    text = (
        "with pl.at(level=pl.Level.CORE_GROUP) as first:\n    t = pl.exp(x)\n"
        'with pl.at(level=pl.Level.CORE_GROUP, deps=[first, None], name_hint="two", dumps=[x]):\n    u = pl.exp(x)'
    )
    placeholder, one, two = body(plain(text))
    assert isinstance(placeholder, ir.Assign) and isinstance(placeholder.value, ir.Call)
    assert placeholder.value.op == "system.task_invalid"
    assert isinstance(one, ir.InCoreScope) and one.attrs == {"task_id_var": placeholder.var}
    assert isinstance(two, ir.InCoreScope) and two.name_hint == "two"
    (dep,) = two.attrs["deps"]
    assert isinstance(dep, ir.Read) and dep.var is placeholder.var
    assert [var.name for var in two.attrs["dumps"]] == ["x"]


def test_a_launch_loop_wraps_its_body_into_a_region() -> None:
    (scope,) = body(plain('for b in pl.spmd(4, name_hint="rows", sync_start=True):\n    t = pl.exp(x)'))
    assert isinstance(scope, ir.SpmdScope)
    assert scope.index_var is not None and scope.index_var.name == "b"
    assert scope.name_hint == "rows_spmd" and scope.sync_start
    assert scope.call_span is not None and scope.call_span.text.startswith("pl.spmd(")
    assert scope.core_num_span is not None and scope.core_num_span.text == "4"
    assert scope.sync_start_span is not None and scope.sync_start_span.text == "sync_start=True"
    (region,) = scope.body
    assert isinstance(region, ir.InCoreScope) and region.implicit and region.name_hint == "rows"


def test_a_launch_that_only_calls_a_kernel_has_no_region() -> None:
    (scope,) = body(plain("with pl.spmd(4):\n    out = self.k(x, out)"))
    assert isinstance(scope, ir.SpmdScope)
    assert outline(scope.body) == ["out = k"]


def test_a_launch_keeps_the_region_that_the_author_wrote() -> None:
    (scope,) = body(plain("with pl.spmd(4):\n    with pl.at(level=pl.Level.CORE_GROUP):\n        t = pl.exp(x)"))
    assert isinstance(scope, ir.SpmdScope)
    (region,) = scope.body
    assert isinstance(region, ir.InCoreScope) and not region.implicit


def test_a_split_region_outside_a_region_gets_one() -> None:
    (region,) = body(plain("for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):\n    t = pl.exp(x)"))
    assert isinstance(region, ir.InCoreScope) and region.implicit
    (split,) = region.body
    assert isinstance(split, ir.SplitAivScope) and split.split == "UP_DOWN"
    assert split.index_var is not None and split.index_var.name == "lane"


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("pl.at(level=pl.Level.CHIP, role=pl.Role.Orchestrator)", ir.HierarchyScope),
        ("pl.cluster()", ir.ClusterScope),
        ("pl.manual_scope()", ir.RuntimeScope),
        ("pl.scope(mode=pl.ScopeMode.MANUAL)", ir.RuntimeScope),
    ],
)
def test_scopes(header: str, kind: type[ir.Stmt]) -> None:
    (scope,) = body(plain(f"with {header}:\n    t = n + 1"))
    assert type(scope) is kind
    assert getattr(scope, "manual", True)


# --- calls ---------------------------------------------------------------------------------------------------------


def test_a_kernel_call() -> None:
    (stmt,) = body(plain("out = self.k(pl.no_dep(x), out)"))
    assert isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call)
    call = stmt.value
    assert isinstance(call.op, ir.FunctionRef) and call.op.name == "k"
    assert call.names == ("a", "o") and call.attrs == {"arg_direction_overrides": (0,)}


def test_keywords_of_a_jit_dependency_are_put_in_order() -> None:
    (stmt,) = body(jit("out = dep(o=out, a=x)"))
    assert isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call)
    assert [arg.var.name for arg in stmt.value.args if isinstance(arg, ir.Read)] == ["x", "out"]


def test_a_submit() -> None:
    text = (
        "with pl.manual_scope():\n    out, first = pl.submit(self.k, x, out)\n"
        "    out, second = pl.spmd_submit(self.k, y, out, deps=[first], core_num=4, allow_early_resolve=True)"
    )
    (scope,) = body(plain(text))
    assert isinstance(scope, ir.RuntimeScope)
    assert outline(scope.body) == [
        "_submit_tmp = k", "out = TupleGetItem", "first = TupleGetItem",
        "_submit_tmp = k", "out = TupleGetItem", "second = TupleGetItem",
    ]  # fmt: skip
    launch = scope.body[3]
    assert isinstance(launch, ir.Assign) and isinstance(launch.value, ir.Submit)
    submit = launch.value
    assert isinstance(submit.core_num, ir.ConstInt) and submit.core_num.value == 4
    assert submit.allow_early_resolve and not submit.sync_start
    assert [dep.var.name for dep in submit.deps if isinstance(dep, ir.Read)] == ["first"]


def test_a_comprehension_of_dependencies_is_written_out() -> None:
    text = "ids = pl.array.create(4, pl.TASK_ID)\nout, t = pl.submit(self.k, x, out, deps=[ids[i + 1] for i in range(4) if i % 2])"
    launch = body(plain(text))[1]
    assert isinstance(launch, ir.Assign) and isinstance(launch.value, ir.Submit)
    indices = [dep.args[1] for dep in launch.value.deps if isinstance(dep, ir.Call)]
    assert [index.value for index in indices if isinstance(index, ir.ConstInt)] == [2, 4]


def test_an_inline_function_is_expanded() -> None:
    stmts = body(plain("t = doubled(x)\nu = doubled(t)"))
    assert outline(stmts) == ["w = tensor.muls", "t = Read", "w = tensor.muls", "u = Read"]


def test_dump_tags_mark_later_calls() -> None:
    before, after = body(plain("out = self.k(x, out)\npl.dump_tag(x)\nout = self.k(x, out)"))
    assert isinstance(before, ir.Assign) and isinstance(before.value, ir.Call) and not before.value.attrs
    assert isinstance(after, ir.Assign) and isinstance(after.value, ir.Call)
    assert [var.name for var in after.value.attrs["dump_vars"]] == ["x"]


def test_every_statement_and_expression_has_a_span() -> None:
    text = plain(
        """
        a, b = self.two(x, y, out)
        for i, (acc,) in pl.range(4, init_values=(x,)):
            nxt = pl.add(acc, y)
            r = pl.yield_(nxt)
        with pl.manual_scope():
            out, tid = pl.submit(self.k, x, out)
        out[0:32, :] = x[0:32, :]
        """
    )
    for stmt in walk(body(text)):
        assert stmt.span is not None and stmt.span.text
        if isinstance(stmt, ir.Assign):
            assert stmt.value.span is not None and stmt.value.span.text


# --- types ---------------------------------------------------------------------------------------------------------


def test_bindings_tell_the_type_after_each_assignment() -> None:
    text = """
        k: pl.Scalar[pl.INT32] = n + 1
        for i in pl.range(4):
            t = pl.slice(x, [16, 64], [i * 16, 0])
            s = pl.row_sum(t)
        with pl.at(level=pl.Level.CORE_GROUP) as tid:
            u = pl.cast(x, pl.BF16)
    """
    assert types(plain(text)) == [
        ("k", "pl.Scalar[pl.INT32]"),
        ("i", "pl.Scalar[pl.INDEX]"),
        ("t", "pl.Tensor[[16, 64], pl.FP32]"),
        ("s", "pl.Tensor[[16, 1], pl.FP32]"),
        ("tid", "pl.Scalar[pl.TASK_ID]"),
        ("u", "pl.Tensor[[64, 64], pl.BF16]"),
    ]


def test_a_constant_binding_has_its_value() -> None:
    assert [(b.name, b.value) for b in bindings(plain("k = N // 2\nh = HALF\nm2 = m + 1"))] == [
        ("k", 32), ("h", 0.5), ("m2", None),
    ]  # fmt: skip


def test_the_name_of_a_failing_statement_is_bound_without_a_type() -> None:
    unit = next(u for u in lowered(plain("t = nowhere(x)")).units if u.name == "P")
    assert [(b.name, str(b.type)) for b in unit.bindings if b.kernel == "f" and b.name == "t"] == [
        ("t", "Undetermined()")
    ]
