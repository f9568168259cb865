"""Constants of the targets (reference: project docs, backends)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backend:
    """A target.

    ``memory`` are bytes per on-chip memory space; ``inner_bytes`` is the recommended innermost extent of a transfer in
    bytes; ``acc_to_gm`` the element types an Acc tile can be stored as; ``fractal_pipes`` says that tiles go in boxes through
    the pipes to the cube core, and that a kernel without a split runs on one vector core only.
    """

    name: str
    alias: str
    title: str
    cube_cores: int
    vector_cores: int
    memory: dict[str, int]
    inner_bytes: int
    l2_line_bytes: int
    bf16_atomic_add: bool
    acc_to_gm: tuple[str, ...] = ("INT32", "FP32", "FP16", "BF16")
    fractal_pipes: bool = False


KIB = 1024

ASCEND910B = Backend(
    name="ascend910b",
    alias="a2a3",
    title="Ascend910B",
    cube_cores=24,
    vector_cores=48,
    memory={
        "Vec": 184 * KIB, "Mat": 512 * KIB, "Left": 64 * KIB, "Right": 64 * KIB, "Acc": 128 * KIB, "Bias": 1 * KIB,
    },
    inner_bytes=512,
    l2_line_bytes=512,
    bf16_atomic_add=True,
)  # fmt: skip

ASCEND950 = Backend(
    name="ascend950",
    alias="a5",
    title="Ascend950",
    cube_cores=36,
    vector_cores=72,
    memory={
        "Vec": 240 * KIB, "Mat": 512 * KIB, "Left": 64 * KIB, "Right": 64 * KIB, "Acc": 256 * KIB, "Bias": 4 * KIB,
        "LeftScale": 4 * KIB, "RightScale": 4 * KIB,
    },
    inner_bytes=128,
    l2_line_bytes=512,
    bf16_atomic_add=False,
    fractal_pipes=True,
)  # fmt: skip

BACKENDS: dict[str, Backend] = {b.name: b for b in (ASCEND910B, ASCEND950)}
DEFAULT_BACKEND = ASCEND910B


def backend(name: str) -> Backend:
    """The target of a name or alias (``ascend910b``, ``a2a3``, ...). Raises KeyError for another."""
    wanted = name.lower()
    for candidate in BACKENDS.values():
        if wanted in (candidate.name, candidate.alias, candidate.title.lower()):
            return candidate
    raise KeyError(name)
