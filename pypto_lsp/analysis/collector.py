"""Python's garbage collector, tuned to trees that live long."""

from __future__ import annotations

import gc

#: new objects before a look at the youngest, and how many of those looks before one at the older generations
_THRESHOLDS = (500_000, 10, 100)


def relax_collector() -> None:
    """Collect more rarely: syntax trees and IR hold few cycles. Looking through them at Python's own thresholds costs an eighth of a
    check's time, and at a fifth of these stops the server for up to 100 ms now and then (measured on the largest public kernels)."""
    gc.set_threshold(*_THRESHOLDS)
