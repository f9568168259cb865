"""How much is verified, and when."""

from __future__ import annotations

import os
from enum import Enum


class VerificationLevel(Enum):
    """What a pipeline verifies by itself: nothing, properties, or besides that printing and reading back is lossless."""

    NONE = "none"
    BASIC = "basic"
    ROUNDTRIP = "roundtrip"


class VerificationMode(Enum):
    """When a VerificationInstrument verifies."""

    NONE = 0
    BEFORE = 1
    AFTER = 2
    BEFORE_AND_AFTER = 3


def get_default_verification_level() -> VerificationLevel:
    """What the environment variable PYPTO_VERIFY_LEVEL says; BASIC without it and for any other text."""
    try:
        return VerificationLevel(os.environ.get("PYPTO_VERIFY_LEVEL", "basic"))
    except ValueError:
        return VerificationLevel.BASIC


__all__ = ["VerificationLevel", "VerificationMode", "get_default_verification_level"]
