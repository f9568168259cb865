"""AllocatedMemoryAddr/1: kernels that do not fit, and where that is shown."""

from __future__ import annotations

from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import backend
from pypto_lsp.diagnostics import Diagnostic

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
    assert found.span.text == "pl.matmul(x, y)"
    assert errors("o[:] = pl.matmul(x, y)", params) == []


def test_a_product_that_is_fed_an_uncut_one_is_what_cannot_be_cut() -> None:
    params = (
        "x: pl.Tensor[[144, 128], pl.FP32], y: pl.Tensor[[128, 256], pl.FP32], z: pl.Tensor[[256, 128], pl.FP32], "
        "o: pl.Out[pl.Tensor[[144, 128], pl.FP32]]"
    )
    (found,) = errors("c = pl.matmul(x, y)\no[:] = pl.matmul(c, z)", params)
    assert (found.span.text, found.facts["space"]) == ("pl.matmul(c, z)", "Left")


def test_extents_that_are_not_constant_count_for_nothing() -> None:
    assert errors("o[:] = pl.neg(x)", tensors(512, 512).replace("512, 512", "512, N"), 'N = pl.dynamic("N")\n') == []
