"""No test reads or writes the cache of whoever runs the tests; those about the cache use folders of their own."""

from __future__ import annotations

import os

from pypto_lsp.analysis.report_cache import VARIABLE

os.environ[VARIABLE] = "off"
