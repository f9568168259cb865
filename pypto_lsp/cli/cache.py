"""``pypto-lsp cache``: where findings of earlier runs are kept, and how to be rid of them."""

from __future__ import annotations

import argparse
import sys

from pypto_lsp.analysis.report_cache import VARIABLE, default_cache


def run_cache(arguments: argparse.Namespace) -> int:
    cache = default_cache()
    if cache is None:
        print(f"the cache is off (see {VARIABLE})")
        return 0
    if arguments.clear:
        print(f"{cache.folder}: {cache.clear()} entries removed")
        return 0
    entries = cache.entries()
    size = sum(own for _, own, _ in entries)
    sys.stdout.write(f"{cache.folder}: {len(entries)} entries, {size / 1024 / 1024:.1f} MiB\n")
    return 0
