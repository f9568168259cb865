"""PH-AT-003 to 010: a matrix product is left whole, or a conversion leaves the cube core."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.passes import matmul_tiling
from pypto_lsp.passes.l0_tiles import FRACTAL
from pypto_lsp.passes.matmul_tiling import Product, matrix_products, unfolded_casts
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.verifiers.kernel_rule import KernelRule
from pypto_lsp.verifiers.rule import RuleContext, related

_PARAMS = "a: pl.Tensor[[{m}, {k}], pl.{t}], b: pl.Tensor[[{k}, {n}], pl.{t}]"
_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(
        self, {params}, o: pl.Out[pl.Tensor[[{m}, {n}], pl.{o}]]
    ) -> pl.Tensor[[{m}, {n}], pl.{o}]:
        with pl.at(level=pl.Level.CORE_GROUP):
{body}
        return o
"""
_STORED = "            o = pl.assemble(o, ⟦pl.matmul(a, b)⟧, [0, 0])"


def _example(
    m: int, k: int, n: int, body: str = _STORED, dtype: str = "FP32", out: str = "FP32", extra: str = ""
) -> str:
    params = _PARAMS.format(m=m, k=k, n=n, t=dtype) + extra
    return _FRAME.format(params=params, m=m, n=n, o=out, body=body)


def _plain(example: str) -> str:
    return example.replace("⟦", "").replace("⟧", "")


class _Tiling(KernelRule):
    """Base of the hints on matrix products; each subclass tells one reason."""

    codes = {0: "a matrix product is not cut into tiles"}
    severity = Severity.PERF_HINT
    stage = "AutoTileMatmulL0"
    #: why, as said in the message
    text: ClassVar[str] = ""

    def kernel(self, kernel: TileKernel, context: RuleContext) -> Iterable[Diagnostic]:
        for product in matrix_products(kernel, context.backend):
            if self.hint_code in product.reasons:
                yield from self._hint(product, kernel)

    def _hint(self, product: Product, kernel: TileKernel) -> Iterable[Diagnostic]:
        shape = f"{product.rows} x {product.depth} by {product.depth} x {product.columns}"
        return self.finding(
            0,
            product.span,
            f"this product of {shape} elements is not cut into tiles: {self.text}",
            function=kernel.function,
            related=related(product.consumer, "this use keeps the product on chip"),
            subject=product,
            m=product.rows,
            k=product.depth,
            n=product.columns,
        )


class SubByteProduct(_Tiling):
    """
    ## What it does
    Reports a matrix product of operands with elements of less than one byte.

    ## Why is this bad
    The compiler does not cut it into tiles that fit the cube core's memory; a large one fails later.

    ## Fix
    Widen the elements, or cut the product by hand.
    """

    rule_name = "AutoTileMatmulL0"
    hint_code = matmul_tiling.SUB_BYTE
    text = "its elements are smaller than a byte"
    VALID = (_plain(_example(16, 128, 128, dtype="INT8", out="INT32")),)
    INVALID = (
        _example(
            16,
            128,
            128,
            "            o = pl.assemble(o, ⟦pl.matmul(a, b, out_dtype=pl.INT32)⟧, [0, 0])",
            "INT4",
            "INT32",
        ),
    )


class SmallProduct(_Tiling):
    """
    ## What it does
    Reports a matrix product with fewer than 16 rows or columns.

    ## Why is this bad
    The cube core works on blocks of 16 by 16 elements; the compiler leaves such a product as it is and the core computes
    padding.

    ## Fix
    Take more rows or columns at once, or pad them to 16.
    """

    rule_name = "AutoTileMatmulL0"
    hint_code = matmul_tiling.SMALL
    text = f"it has fewer than {FRACTAL} rows or columns"
    VALID = (_plain(_example(16, 128, 128)),)
    INVALID = (_example(8, 128, 128),)


class OversizedProduct(_Tiling):
    """
    ## What it does
    Reports a matrix product that would be computed in parts, because it does not fit the accumulator or because parts are faster,
    but whose result is used on chip.

    ## Why is this bad
    Parts need a place where they are put together: global memory, if the result is stored at once and not used besides, or
    another product's operand. Everywhere else the product is left whole, and one that does not fit stops the compiler.

    ## Fix
    Compute fewer rows or columns at a time, in multiples of 16 and powers of two.
    """

    rule_name = "AutoTileMatmulL0"
    hint_code = matmul_tiling.NO_PLACE
    text = "it would be computed in parts, and its result is used on chip"
    VALID = (
        _plain(
            _example(64, 128, 128, "            c = pl.matmul(a, b)\n            o = pl.assemble(o, pl.exp(c), [0, 0])")
        ),
    )
    INVALID = (
        _example(272, 128, 128, "            c = ⟦pl.matmul(a, b)⟧\n            o = pl.assemble(o, pl.exp(c), [0, 0])"),
    )


class OddDepth(_Tiling):
    """
    ## What it does
    Reports a matrix product whose inner extent (K) is no multiple of 16.

    ## Why is this bad
    The cube core works on blocks of 16; the compiler leaves such a product as it is.

    ## Fix
    Pad K to a multiple of 16.
    """

    rule_name = "AutoTileMatmulL0"
    hint_code = matmul_tiling.ODD_DEPTH
    text = f"its inner extent is no multiple of {FRACTAL}"
    VALID = (_plain(_example(128, 128, 128)),)
    INVALID = (_example(128, 120, 128),)


class WideChain(_Tiling):
    """
    ## What it does
    Reports a matrix product that does not fit the accumulator, is only a factor of another product, and has elements of 32
    bits, on Ascend910B.

    ## Why is this bad
    Between two products that target keeps results of 16 bits only; this one stays whole in an accumulator that is too small.

    ## Fix
    Convert the product to BF16 or FP16 with `mode="rint"` before it is used.
    """

    rule_name = "AutoTileMatmulL0"
    hint_code = matmul_tiling.WIDE_CHAIN
    text = "it exceeds the accumulator and goes on into a product with 32-bit elements"
    _BODY = "            c = {}\n            o = pl.assemble(o, pl.matmul(c, w), [0, 0])"
    _WEIGHT = ", w: pl.Tensor[[128, 128], pl.FP32]"
    VALID = (_plain(_example(64, 128, 128, _BODY.format("pl.matmul(a, b)"), extra=_WEIGHT)),)
    INVALID = (_example(272, 128, 128, _BODY.format("⟦pl.matmul(a, b)⟧"), extra=_WEIGHT),)


class UnfoldedCast(_Tiling):
    """
    ## What it does
    Reports a conversion of a matrix product between two products that the cube core cannot do by itself.

    ## Why is this bad
    The value goes to the vector core and back.

    ## Fix
    Convert FP32 to BF16 or FP16 with `mode="rint"`.
    """

    rule_name = "AutoTileMatmulL0"
    hint_code = matmul_tiling.UNFOLDED_CAST
    codes = {0: "a conversion between two products leaves the cube core"}
    _BODY = (
        "            c = pl.matmul(a, b)\n            h = {}\n"
        "            o = pl.assemble(o, pl.matmul(h, w, out_dtype=pl.FP32), [0, 0])"
    )
    _WEIGHT = ", w: pl.Tensor[[128, 128], pl.BF16]"
    VALID = (_example(32, 128, 128, _BODY.format('pl.cast(c, target_type=pl.BF16, mode="rint")'), extra=_WEIGHT),)
    INVALID = (_example(32, 128, 128, _BODY.format('⟦pl.cast(c, target_type=pl.BF16, mode="floor")⟧'), extra=_WEIGHT),)

    def kernel(self, kernel: TileKernel, context: RuleContext) -> Iterable[Diagnostic]:
        for cast in unfolded_casts(kernel, context.backend):
            yield from self.finding(
                0,
                cast.span,
                f"this conversion of {cast.rows} x {cast.columns} elements between two products goes through the vector "
                'core: the cube core converts FP32 to BF16 or FP16 only, with mode="rint"',
                function=kernel.function,
                subject=cast,
                m=cast.rows,
                n=cast.columns,
            )
