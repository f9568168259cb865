"""Small kernels around a body, and what is known of their transfers and memory."""

from __future__ import annotations

import textwrap
from collections import Counter

from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import backend
from pypto_lsp.frontend.model import LoweredUnit
from pypto_lsp.passes.incremental import Pipeline
from pypto_lsp.passes.memory import KernelMemory, kernel_memory
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.passes.transfers import Transfer, kernel_transfers

A2A3, A5 = "ascend910b", "ascend950"


def region(body: str, params: str, head: str = "with pl.at(level=pl.Level.CORE_GROUP):") -> str:
    """A jit kernel with one region."""
    return (
        f"import pypto.language as pl\n\n\n@pl.jit\ndef kern({params}):\n    {head}\n"
        + textwrap.indent(textwrap.dedent(body).strip("\n"), "        ")
        + "\n    return o\n"
    )


def kernel(body: str, params: str, result: str) -> str:
    """A program with one declared kernel."""
    return (
        "import pypto.language as pl\n\n\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.InCore)\n"
        f"    def k(self, {params}) -> {result}:\n"
        + textwrap.indent(textwrap.dedent(body).strip("\n"), "        ")
        + "\n        return o\n"
    )


def units(text: str, target: str = A2A3) -> tuple[LoweredUnit, ...]:
    """The units of a text that the front end takes without a complaint."""
    workspace = Workspace(settings=Settings(target=backend(target)))
    workspace.open("kernel.py", text)
    report = workspace.front_end("kernel.py")
    complaints = [d.message for unit in report.units for d in unit.diagnostics]
    assert report.units and not complaints, complaints
    return report.units


def kernels(text: str, target: str = A2A3) -> list[TileKernel]:
    return [k for unit in units(text, target) for k in Pipeline().kernels(unit.program, backend(target))]


def transfers(text: str, target: str = A2A3) -> list[Transfer]:
    return [t for k in kernels(text, target) for t in kernel_transfers(k, backend(target))]


def summary(text: str, target: str = A2A3) -> Counter[str]:
    """Each transfer as ``load 64x128 fp32 Vec``, with how many of it run."""
    found: Counter[str] = Counter()
    for transfer in transfers(text, target):
        shape = "x".join(str(d) if isinstance(d, int) else "?" for d in transfer.shape)
        found[f"{transfer.op.removeprefix('tile.')} {shape} {transfer.dtype.text} {transfer.memory}"] += transfer.count
    return found


def memory(text: str, target: str = A2A3) -> list[KernelMemory]:
    return [kernel_memory(k, backend(target)) for k in kernels(text, target)]
