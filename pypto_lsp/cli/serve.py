"""``pypto-lsp serve``: the language server."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import NoReturn

from pypto_lsp.analysis.collector import relax_collector


def _leave(code: int) -> NoReturn:
    """End the process at once: taking an analysed workspace apart object by object can take seconds."""
    sys.stderr.flush()
    os._exit(code)


def run_serve(arguments: argparse.Namespace) -> int:
    relax_collector()
    logging.basicConfig(
        stream=sys.stderr,
        level=arguments.log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    from pypto_lsp.server.run import serve_stdio, serve_tcp

    if arguments.tcp is None:
        _leave(serve_stdio(arguments.cache))
    host, _, port = arguments.tcp.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        print(f"pypto-lsp: --tcp {arguments.tcp}: not of the form HOST:PORT", file=sys.stderr)
        return 2
    try:
        return serve_tcp(host.strip("[]") or "127.0.0.1", int(port), arguments.cache)
    except OSError as fault:
        print(f"pypto-lsp: cannot listen on {arguments.tcp}: {fault.strerror or fault}", file=sys.stderr)
        return 2
