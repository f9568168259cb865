"""``exit`` ends the process also while a step of an analysis runs that does not look at messages."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import pytest

#: a server whose first handler takes longer than any test waits
PROGRAM = textwrap.dedent("""
    import sys, time
    from pypto_lsp.server import run
    run.Server.introduce = lambda self, params: time.sleep(600)
    sys.exit(run.serve_stdio())
""")
INITIALIZE = {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
SHUTDOWN = {"id": 2, "method": "shutdown"}
EXIT = {"method": "exit"}


@pytest.mark.parametrize(("messages", "code"), [([INITIALIZE, SHUTDOWN, EXIT], 0), ([INITIALIZE, EXIT], 1)])
def test_exit_does_not_wait_for_a_busy_server(messages: list[dict[str, object]], code: int) -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as server:
        assert server.stdin is not None
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        server.stdin.flush()
        try:
            assert server.wait(timeout=60) == code
        finally:
            server.kill()
