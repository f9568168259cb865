"""The command line: arguments, dispatch to the subcommand's module, exit codes.

Exit code 0: done, nothing of error severity found; 1: errors found (or warnings under ``--strict``); 2: could not run, wholly
or for some of the files. Nothing heavy is imported before the subcommand is known.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from pypto_lsp import __version__

#: exit code of a process that the user interrupts, as shells have it
INTERRUPTED = 130


def _targets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--target", default="ascend910b", metavar="TARGET", help="ascend910b (also a2a3; the default) or ascend950 (a5)"
    )


def _cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clear", action="store_true", help="remove everything in it")


def _with_cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-cache", dest="cache", action="store_false", help="neither read nor write findings of earlier runs"
    )


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files and folders (default: .)")
    parser.add_argument("--format", choices=("text", "json", "sarif", "github"), default="text")
    _targets(parser)
    parser.add_argument(
        "--dsl-version",
        default="newest",
        metavar="DATE",
        help="the day of the language that the files are written in, such as 2026-06-30 (default: newest)",
    )
    parser.add_argument(
        "--select", action="append", default=[], metavar="CODES", help="only these codes, separated by commas"
    )
    parser.add_argument("--ignore", action="append", default=[], metavar="CODES", help="leave these codes out")
    parser.add_argument("--strict", action="store_true", help="exit with 1 for warnings too")
    parser.add_argument("--fix", action="store_true", help="apply the safe fixes, then report what is left")
    _with_cache(parser)


def _types(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and folders")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    _targets(parser)


def _ir(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="a Python file or printed IR")
    parser.add_argument("--kernel", metavar="NAME", help="only this program, kernel or function")
    parser.add_argument("--after", metavar="PASS", help="as it is after this pass (default: as the front end reads it)")
    _targets(parser)


def _serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tcp", metavar="HOST:PORT", help="listen there for one client instead of using stdio")
    parser.add_argument("--stdio", action="store_true", help="use stdio (the default; editors often pass this)")
    _with_cache(parser)
    parser.add_argument("--log-level", default="warning", choices=("debug", "info", "warning", "error"))


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="such as PH001, TypeCheck/104, TypeCheck or 2001")


def _rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text")


#: subcommand -> (its module, what it does, its arguments)
_COMMANDS = {
    "serve": ("pypto_lsp.cli.serve", "run the language server", _serve),
    "check": ("pypto_lsp.cli.check", "check files and folders", _check),
    "explain": ("pypto_lsp.cli.explain", "explain a code", _explain),
    "rules": ("pypto_lsp.cli.explain", "list all codes", _rules),
    "ir": ("pypto_lsp.cli.ir", "print the IR of a file's kernels", _ir),
    "types": ("pypto_lsp.cli.types", "print the type of every parameter and local", _types),
    "cache": ("pypto_lsp.cli.cache", "show or clear the findings kept from earlier runs", _cache),
    "memory": ("pypto_lsp.cli.memory", "print the on-chip memory that kernels need at least", _types),
}


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(prog="pypto-lsp", description="Language server and checker for PyPTO kernels.")
    parser.add_argument("--version", action="version", version=f"pypto-lsp {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (_, description, arguments) in _COMMANDS.items():
        arguments(commands.add_parser(name, help=description, description=description.capitalize() + "."))
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    arguments = build_parser().parse_args(argv)
    module, _, _ = _COMMANDS[arguments.command]
    try:
        code = int(getattr(importlib.import_module(module), f"run_{arguments.command}")(arguments))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # whoever read our output has gone; give the interpreter a place to flush the rest to
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
