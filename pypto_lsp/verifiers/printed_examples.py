"""Small programs in the compiler's printed form, for the examples of rules about IR as it stands."""

from __future__ import annotations

SHAPE = "[64, 128], pl.FP32"
_HEAD = "# pypto.program: P\nimport pypto.language as pl\n\n\n@pl.program\nclass P:\n"
#: an InCore kernel that other functions of an example call
KERNEL = f"""    @pl.function(type=pl.FunctionType.InCore)
    def k(x: pl.Tensor[{SHAPE}], o: pl.Out[pl.Tensor[{SHAPE}]]) -> pl.Tensor[{SHAPE}]:
        t: pl.Tile[{SHAPE}, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
        o1: pl.Tensor[{SHAPE}] = pl.tile.store(t, [0, 0], o)
        return o

"""


def printed(*lines: str, func_type: str = "InCore", before: str = "", arguments: str = "") -> str:
    """A program of one function ``f(x, o)`` with a body of these lines; ``before`` holds other functions."""
    own = "self, " if func_type in ("Orchestration", "Opaque") else ""
    body = "".join(f"        {line}\n" for line in lines)
    return (
        f"{_HEAD}{before}    @pl.function(type=pl.FunctionType.{func_type}{arguments})\n"
        f"    def f({own}x: pl.Tensor[{SHAPE}], o: pl.Out[pl.Tensor[{SHAPE}]]) -> pl.Tensor[{SHAPE}]:\n{body}"
    )


__all__ = ["KERNEL", "SHAPE", "printed"]
