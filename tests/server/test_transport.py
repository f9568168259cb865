"""Taking messages out of a byte stream."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pypto_lsp.server.transport import read_message


def all_messages(data: bytes) -> list[bytes]:
    stream = io.BytesIO(data)
    found = []
    while (body := read_message(stream)) is not None:
        found.append(body)
    return found


@given(st.lists(st.binary(max_size=50), max_size=5))
def test_what_was_framed_comes_out(bodies: list[bytes]) -> None:
    data = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    assert all_messages(data) == bodies


@given(st.binary(max_size=200))
def test_any_bytes_end(data: bytes) -> None:
    all_messages(data)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\r\n\r\nContent-Length: 1\r\n\r\nx", [b"x"]),
        (b"Content-Type: x\r\n\r\nContent-Length: 1\r\n\r\nx", [b"x"]),
        (b"Content-Length: x\r\n\r\nContent-Length: 1\r\n\r\nx", [b"x"]),
        (b"content-length:2\n\nxy", [b"xy"]),
        (b"Content-Length: 5\r\n\r\nxy", []),
        (b"Content-Length: 99999999999\r\n\r\nxy", []),
    ],
)
def test_odd_headers(data: bytes, expected: list[bytes]) -> None:
    assert all_messages(data) == expected
