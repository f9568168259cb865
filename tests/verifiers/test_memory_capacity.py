"""AllocatedMemoryAddr/1: kernels that do not fit, and where that is shown."""

from __future__ import annotations

import pytest

from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import backend
from pypto_lsp.diagnostics import Diagnostic, Severity

FRAME = """\
import pypto.language as pl

{constants}

@pl.jit
def kernel({params}):
    with pl.at(level=pl.Level.CORE_GROUP):
{body}
    return o
"""


def errors(body: str, params: str, constants: str = "", target: str = "ascend910b") -> list[Diagnostic]:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    workspace = Workspace(settings=Settings(target=backend(target)))
    workspace.open("kernel.py", FRAME.format(params=params, body=lines.rstrip("\n"), constants=constants))
    return [d for d in workspace.check("kernel.py").diagnostics if d.rule_name == "AllocatedMemoryAddr"]


def tensors(rows: int, columns: int, dtype: str = "FP32") -> str:
    shape = f"pl.Tensor[[{rows}, {columns}], pl.{dtype}]"
    return f"x: {shape}, y: {shape}, o: pl.Out[{shape}]"


def test_the_limit_itself_is_no_error() -> None:
    body = "o[0:{rows}, :] = pl.neg(x[0:{rows}, :])"
    assert errors(body.format(rows=92), tensors(512, 1024, "FP16")) == []
    (found,) = errors(body.format(rows=93), tensors(512, 1024, "FP16"))
    assert dict(found.facts) == {"space": "Vec", "used": 190464, "limit": 188416}
    assert found.span.text == "x[0:93, :]"


def test_the_other_target_has_more() -> None:
    body = "o[0:93, :] = pl.neg(x[0:93, :])"
    assert errors(body, tensors(512, 1024, "FP16"), target="ascend950") == []


def test_a_single_constant_is_where_the_size_is_changed() -> None:
    (found,) = errors("o[0:ROWS, :] = pl.neg(x[0:ROWS, :])", tensors(512, 1024, "FP16"), "ROWS = 93\n")
    assert (found.span.line, found.span.text) == (3, "93")
    assert [place.span.text for place in found.related] == ["x[0:ROWS, :]"]


def test_tiles_that_do_not_fit_together_are_shown_at_the_one_too_many() -> None:
    params = tensors(128, 256)
    (found,) = errors("s = pl.add(x, y)\nd = pl.sub(x, y)\no[:] = pl.mul(s, d)", params)
    assert (found.facts["used"], found.span.text) == (3 * 128 * 256 * 4, "y")
    assert errors("o[:] = pl.neg(x)", params) == []


def test_a_kernel_gets_one_error() -> None:
    assert len(errors("a = pl.neg(x)\nb = pl.exp(y)\no[:] = pl.add(a, b)", tensors(512, 512))) == 1


def test_a_product_that_is_left_whole_must_fit() -> None:
    params = "x: pl.Tensor[[272, 128], pl.FP32], y: pl.Tensor[[128, 128], pl.FP32], o: pl.Out[pl.Tensor[[272, 128], pl.FP32]]"
    (found,) = errors("c = pl.matmul(x, y)\no[:] = pl.exp(c)", params)
    assert (found.facts["space"], found.facts["used"]) == ("Acc", 139264)
    assert (found.span.text, [place.span.text for place in found.related]) == ("272", ["pl.matmul(x, y)", "pl.exp(c)"])
    assert errors("o[:] = pl.matmul(x, y)", params) == []
    (found,) = errors("c = pl.matmul(x[0:272, :], y)\no[:] = pl.exp(c)", params)
    assert found.span.text == "pl.matmul(x[0:272, :], y)"


def test_tiles_that_all_have_their_rows_from_one_constant_are_shown_there() -> None:
    body = "s = x[0:ROWS, :]\nt = y[0:ROWS, :]\no[0:ROWS, :] = pl.add(pl.mul(s, t), pl.sub(s, t))"
    (found,) = errors(body, tensors(512, 256), "ROWS = 64\n")
    assert (found.span.line, found.span.text, found.facts["used"]) == (3, "64", 3 * 64 * 1024)
    assert [place.span.text for place in found.related] == ["x[0:ROWS, :]", "y[0:ROWS, :]", "pl.mul(s, t)"]


def test_a_buffer_is_never_divided() -> None:
    load = "t = x[0:60, :]\no[0:60, :] = pl.neg(t)\n"
    pair = "a = x[0:40, :]\nb = y[0:40, :]\no[0:40, :] = pl.add(a, b)\no[40:80, :] = pl.neg(a)"
    assert errors(load, tensors(512, 512)) == errors(pair, tensors(512, 512)) == []
    (found,) = errors(load + pair, tensors(512, 512))
    assert (found.facts["used"], found.span.text) == ((60 + 40) * 512 * 4, "y[0:40, :]")


@pytest.mark.parametrize(("depth", "used"), [(128, 65536 + 32768), (64, 0)])
def test_products_share_the_buffers_of_their_operands_as_wholes(depth: int, used: int) -> None:
    params = (
        "a: pl.Tensor[[32, 128], pl.FP32], b: pl.Tensor[[128, 128], pl.FP32], p: pl.Out[pl.Tensor[[32, 128], pl.FP32]], "
        f"c: pl.Tensor[[32, {depth}], pl.BF16], w: pl.Tensor[[{depth}, 256], pl.BF16], o: pl.Out[pl.Tensor[[32, 256], pl.FP32]]"
    )
    first, second = "p[:] = pl.matmul(a, b)", "o[:] = pl.matmul(c, w, out_dtype=pl.FP32)"
    for alone in (first, second):
        assert errors(alone, params, target="ascend950") == []
    found = errors(f"{first}\n{second}", params, target="ascend950")
    assert [(d.facts["space"], d.facts["used"], d.span.text) for d in found] == (
        [("Right", used, "pl.matmul(c, w, out_dtype=pl.FP32)")] if used else []
    )


def test_a_product_that_is_fed_an_uncut_one_is_what_cannot_be_cut() -> None:
    params = (
        "x: pl.Tensor[[144, 128], pl.FP32], y: pl.Tensor[[128, 256], pl.FP32], z: pl.Tensor[[256, 128], pl.FP32], "
        "o: pl.Out[pl.Tensor[[144, 128], pl.FP32]]"
    )
    (found,) = errors("c = pl.matmul(x, y)\no[:] = pl.matmul(c, z)", params)
    assert (found.span.text, found.facts["space"]) == ("pl.matmul(c, z)", "Left")


def test_extents_that_are_not_constant_count_for_nothing() -> None:
    assert errors("o[:] = pl.neg(x)", tensors(512, 512).replace("512, 512", "512, N"), 'N = pl.dynamic("N")\n') == []


IN_CORE = """\
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, {params}, n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX], s: pl.Scalar[pl.INT32]):
        first = pl.load(x, [0, 0], [64, 256])
        second = pl.load(y, [0, 0], [64, 256])
{body}
        return o
"""


@pytest.mark.parametrize(
    ("branches", "folds"),
    [
        # the else branch keeps the second tile alive, unless the condition always holds
        (("if n > 0 or n < 8", "else"), True),
        (("if n > m or n <= m", "else"), True),
        (("if n == m or n != m", "else"), True),
        (("if n > 0 or not (n > 0)", "else"), True),
        (("if s >= 3 or s < 3", "else"), True),
        (("if s > 3 or s < 3", "else"), False),
        (("if n + 1 > 5 or n + 1 < 8", "else"), True),
        (("if n * 2 > 5 or n * 2 < 9", "else"), True),
        (("if not (n > 5 and n < 3)", "else"), True),
        (("if n > m or m > n", "else"), False),
        # what an earlier condition excludes
        (("if n > 0", "elif n > 0"), True),
        (("if n > m", "elif m < n"), True),
        (("if n == m", "elif n == m"), True),
        (("if n != 3", "elif n == 4"), True),
        (("if n > 5 or m > 2", "elif m > 3"), True),
        (("if n + 1 > 5", "elif n > 8"), True),
        (("if n > 5", "elif n > 3"), False),
        (("if n > 5 and m > 2", "elif n > 5"), False),
        (("if s > 5", "elif s > 7"), False),
        (("if n % 2 == 0", "elif n % 2 == 0"), False),
    ],
)
def test_a_branch_that_is_never_taken_counts_for_nothing(branches: tuple[str, str], folds: bool) -> None:
    fits = "total = pl.row_sum(first, pl.tile.create([64, 256], dtype=pl.FP32))"
    parts = zip(branches, (fits, "o = pl.store(second, [0, 0], o)"))
    body = "\n".join(f"        {header}:\n            {statement}" for header, statement in parts)
    workspace = Workspace()
    workspace.open("kernel.py", IN_CORE.format(params=tensors(64, 256), body=body))
    found = workspace.check("kernel.py").diagnostics
    assert [d.rule_name for d in found if d.severity is Severity.ERROR] == ([] if folds else ["AllocatedMemoryAddr"])
