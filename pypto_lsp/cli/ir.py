"""``pypto-lsp ir``: the IR of a file's kernels as the compiler prints it, with the findings under the lines they belong to."""

from __future__ import annotations

import argparse
import sys

from pypto_lsp.analysis.files import UnreadableFile, normal_path
from pypto_lsp.analysis.ir_text import NoSuchIR, ir_text
from pypto_lsp.cli.inputs import UsageFault, open_workspace
from pypto_lsp.cli.messages import complain, unreadable
from pypto_lsp.text.stepwise import finished


def run_ir(arguments: argparse.Namespace) -> int:
    """Prints the IR. The exit code is 2 for a file that cannot be read and a pass or kernel that there is not, else 0."""
    try:
        path = normal_path(arguments.path)
        workspace = open_workspace(arguments.target)
        report = workspace.check(path)
        backend = workspace.settings.target
        sys.stdout.write(finished(ir_text(report, backend, after=arguments.after, kernel=arguments.kernel)))
    except (NoSuchIR, UsageFault) as fault:
        complain(str(fault))
        return 2
    except UnreadableFile as fault:
        unreadable(path, fault.reason)
        return 2
    return 0
