"""Python's garbage collector, tuned to trees that live long."""

from __future__ import annotations

import gc

#: new objects before a look at the youngest, and how many of those looks before one at the older generations
_THRESHOLDS = (100_000, 50, 100)


def relax_collector() -> None:
    """Collect more rarely: syntax trees and IR hold few cycles, and looking through them costs an eighth of a check's time
    (measured on the largest public kernels; 5 MiB more memory)."""
    gc.set_threshold(*_THRESHOLDS)
