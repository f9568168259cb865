"""A rule that another package offers through the entry-point group, as docs/extending.md shows it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

RULE = '''
from pypto_lsp.diagnostics import Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.rule import Rule


class NoUnrolledLoops(Rule):
    """
    ## What it does
    ## Why is this bad
    ## Fix
    """

    rule_name = "NoUnrolledLoops"
    codes = {3901: "an unrolled loop"}
    severity = Severity.WARNING

    def verify_function(self, function, program, context):
        for stmt in walk(function.body or ()):
            if isinstance(stmt, ir.For) and stmt.kind.value == "unroll":
                yield from self.finding(3901, stmt.span, "loops are not unrolled in this house", function=function)
'''
KERNEL = """import pypto.language as pl


@pl.jit
def scale(x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):
    for i in pl.unroll(2):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = pl.exp(x)
    return out
"""


def test_a_rule_of_another_package_is_found_and_run(tmp_path: Path) -> None:
    (tmp_path / "house_rules.py").write_text(RULE, encoding="utf-8")
    (tmp_path / "kernel.py").write_text(KERNEL, encoding="utf-8")
    info = tmp_path / "house_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: house-rules\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[pypto_lsp.rules]\nno-unroll = house_rules:NoUnrolledLoops\n", encoding="utf-8"
    )
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(root)])}
    done = subprocess.run(
        [sys.executable, "-m", "pypto_lsp", "check", "--format", "json", "kernel.py"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = [(item["line"], item["rule_name"], item["error_code"]) for item in json.loads(done.stdout)]
    assert (6, "NoUnrolledLoops", 3901) in found
