"""Data types with their widths and categories (reference: project docs, data types)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DType:
    """An element type. ``bits`` is its width; ``category`` one of float, int, uint, bool, index, task."""

    name: str
    bits: int
    category: str
    #: the name used in hint texts (``bfloat16``)
    text: str

    @property
    def is_float(self) -> bool:
        return self.category == "float"

    @property
    def is_int(self) -> bool:
        """Integers in the wide sense: signed, unsigned and INDEX, not BOOL and TASK_ID."""
        return self.category in ("int", "uint", "index")

    @property
    def is_signed(self) -> bool:
        return self.category in ("int", "index")

    def __str__(self) -> str:
        return f"pl.{self.name}"


def _table(*rows: tuple[str, int, str, str]) -> dict[str, DType]:
    return {name: DType(name, bits, category, text) for name, bits, category, text in rows}


DTYPES = _table(
    ("FP4", 4, "float", "fp4"),
    ("FP8E4M3FN", 8, "float", "fp8e4m3fn"),
    ("FP8E5M2", 8, "float", "fp8e5m2"),
    ("FP8E8M0", 8, "float", "fp8e8m0"),
    ("FP16", 16, "float", "fp16"),
    ("FP32", 32, "float", "fp32"),
    ("BF16", 16, "float", "bfloat16"),
    ("HF4", 4, "float", "hf4"),
    ("HF8", 8, "float", "hf8"),
    ("INT4", 4, "int", "int4"),
    ("INT8", 8, "int", "int8"),
    ("INT16", 16, "int", "int16"),
    ("INT32", 32, "int", "int32"),
    ("INT64", 64, "int", "int64"),
    ("UINT4", 4, "uint", "uint4"),
    ("UINT8", 8, "uint", "uint8"),
    ("UINT16", 16, "uint", "uint16"),
    ("UINT32", 32, "uint", "uint32"),
    ("UINT64", 64, "uint", "uint64"),
    ("BOOL", 1, "bool", "bool"),
    ("INDEX", 64, "index", "index"),
    ("TASK_ID", 64, "task", "task_id"),
)

BF16 = DTYPES["BF16"]
FP16 = DTYPES["FP16"]
FP32 = DTYPES["FP32"]
INT8 = DTYPES["INT8"]
INT16 = DTYPES["INT16"]
INT32 = DTYPES["INT32"]
INT64 = DTYPES["INT64"]
UINT8 = DTYPES["UINT8"]
UINT16 = DTYPES["UINT16"]
UINT32 = DTYPES["UINT32"]
UINT64 = DTYPES["UINT64"]
BOOL = DTYPES["BOOL"]
INDEX = DTYPES["INDEX"]
TASK_ID = DTYPES["TASK_ID"]


def promote(left: DType | None, right: DType | None) -> DType | None:
    """The common element type of two operands; None when one is not known.

    Equal types stay; a float beats an integer; of two of a kind the wider wins; of equal widths the signed one.
    """
    if left is None or right is None:
        return None
    if left is right:
        return left
    if left.is_float != right.is_float:
        return left if left.is_float else right
    if left.bits != right.bits:
        return left if left.bits > right.bits else right
    if left.is_signed != right.is_signed and not left.is_float:
        return left if left.is_signed else right
    return left
