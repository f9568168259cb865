"""The operators: one module per family declares them as data, :data:`REGISTRY` holds them all."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from pypto_lsp.ops.registry import Operator, Registry

#: modules of this package that declare operators, each with a tuple ``OPERATORS``
FAMILIES: tuple[str, ...] = (
    "constants",
    "tensor_elementwise",
    "tensor_expand",
    "tensor_index",
    "tensor_matmul",
    "tensor_memory",
    "tensor_reductions",
    "tensor_shape",
    "tile_elementwise",
    "tile_memory",
    "tile_reduce",
    "tile_scalars",
    "tile_transform",
    "unified",
    "tile_matmul",
    "tile_sort_gather",
    "cross_core",
    "system",
    "array",
    "prefetch",
    "distributed",
    "distributed_transfer",
    "distributed_collective",
    "printed",
)


class LazyRegistry(Registry):
    """A registry that loads the families at first use; start-up of the server does not pay for them."""

    def _loaded(self) -> dict[str, Operator]:
        if not self.by_path:
            for family in FAMILIES:
                self.add(importlib.import_module(f"{__name__}.{family}").OPERATORS)
        return self.by_path

    def loading(self) -> Iterator[None]:
        """Import the families, a step for each, so that the first use costs next to nothing."""
        for family in FAMILIES:
            importlib.import_module(f"{__name__}.{family}")
            yield

    def get(self, path: str) -> Operator | None:
        return self._loaded().get(path)

    def paths(self) -> list[str]:
        return sorted(self._loaded())


REGISTRY = LazyRegistry()

__all__ = ["FAMILIES", "REGISTRY", "LazyRegistry", "Operator"]
