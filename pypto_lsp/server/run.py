"""Running the server over stdio or one TCP connection."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from typing import BinaryIO

from pypto_lsp.server.defects import DefectReporter
from pypto_lsp.server.server import Server
from pypto_lsp.server.transport import Inbox, Outbox

_LOG = logging.getLogger(__name__)


async def converse(server: Server, incoming: BinaryIO, outgoing: BinaryIO) -> int:
    """Serve one client until it says ``exit`` or its stream ends; gives the exit code the protocol asks for."""
    inbox = Inbox(incoming, asyncio.get_running_loop())
    server.protocol.set_writer(Outbox(outgoing))
    logging.getLogger("pypto_lsp").addHandler(DefectReporter(server))
    while True:
        taken = await inbox.take()
        server.protocol.receive(body for body in taken if body is not None)
        if server.protocol.exit_code is not None:
            return server.protocol.exit_code
        if None in taken:
            _LOG.info("the client closed its stream")
            return 0 if server.protocol.shut_down else 1
        await asyncio.sleep(0)


def serve_stdio(with_cache: bool = True) -> int:
    """Serve over standard input and output. Whatever is printed goes to standard error."""
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    return asyncio.run(converse(Server(with_cache), incoming, outgoing))


def serve_tcp(host: str, port: int, with_cache: bool = True) -> int:
    """Wait for one client on a port, serve it, end. Raises OSError when the port is not to be had."""
    with socket.create_server((host, port)) as listener:
        address = listener.getsockname()
        print(f"pypto-lsp: listening on {address[0]}:{address[1]}", file=sys.stderr, flush=True)
        connection, _ = listener.accept()
    with connection, connection.makefile("rb") as incoming, connection.makefile("wb") as outgoing:
        return asyncio.run(converse(Server(with_cache), incoming, outgoing))
