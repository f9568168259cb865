"""No test reads or writes the cache of whoever runs the tests; those about the cache use folders of their own."""

from __future__ import annotations

import os

import pytest

from pypto_lsp.analysis.report_cache import VARIABLE

os.environ[VARIABLE] = "off"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--random-edits", type=int, default=240, help="edits of the comparison with a fresh analysis (all: 2000)"
    )
