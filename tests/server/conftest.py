"""One server for the whole session, as an editor sees it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


def capabilities(name: str) -> dict:
    """What a real editor says of itself, as captured (``clients/NAME.json``)."""
    return json.loads((HERE / "clients" / f"{name}.json").read_text(encoding="utf-8"))["capabilities"]
