"""Kernels made for the benchmarks: files of any size that look like what people write."""

from __future__ import annotations

from pathlib import Path

CONFIG = "ROWS = 128\nCOLS = 512\nCHUNK = 64\nSCALE = 0.5\n"
_HEAD = '''"""A kernel of {count} statements."""

import pypto.language as pl
from config import CHUNK, COLS, ROWS, SCALE


@pl.jit
def {name}(x: pl.Tensor[[ROWS, COLS], pl.FP32], out: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]]):
'''
_BLOCK = """\
    for i_{n} in pl.range(COLS // CHUNK):
        with pl.at(level=pl.Level.CORE_GROUP):
            part_{n} = pl.slice(x, [ROWS, CHUNK], [0, i_{n} * CHUNK])
            power_{n} = pl.exp(part_{n})
            total_{n} = pl.mul(power_{n}, SCALE)
            small_{n} = pl.cast(total_{n}, pl.BF16)
            wide_{n} = pl.cast(small_{n}, pl.FP32)
            out[:, i_{n} * CHUNK : (i_{n} + 1) * CHUNK] = pl.add(wide_{n}, total_{n})
"""
#: statements of one block
BLOCK = 8


def kernel(blocks: int, name: str = "kernel") -> str:
    """A file with one jit kernel of so many blocks of :data:`BLOCK` statements."""
    body = "".join(_BLOCK.format(n=n, name=name) for n in range(blocks))
    return _HEAD.format(count=blocks * BLOCK, name=name) + body + "    return out\n"


def write_workspace(folder: Path, files: int, blocks: int) -> list[Path]:
    """A folder of kernels that read the same constants."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.py").write_text(CONFIG, encoding="utf-8")
    paths = [folder / f"kernel_{number:03}.py" for number in range(files)]
    for number, path in enumerate(paths):
        path.write_text(kernel(blocks, f"kernel_{number:03}"), encoding="utf-8")
    return paths
