"""URIs and paths."""

from __future__ import annotations

import pytest

from pypto_lsp.server.uris import to_path, to_uri


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b.py", "/a/b.py"),
        ("file:///a%20b/c%C3%A9%23.py", "/a b/cé#.py"),
        ("file:///a/../b.py", "/b.py"),
        ("FILE:///a.py", "/a.py"),
        ("file://localhost/a.py", "/a.py"),
        ("untitled:Untitled-1", "untitled:Untitled-1"),
        ("vscode-notebook-cell:/a.ipynb#x", "vscode-notebook-cell:/a.ipynb#x"),
        ("file://[/a", "file://[/a"),
    ],
)
def test_paths(uri: str, path: str) -> None:
    assert to_path(uri) == path


def test_percent_encoded_drive_letters_are_the_same_file() -> None:
    assert to_path("file:///C%3A/x/y.py") == to_path("file:///c:/x/y.py")


@pytest.mark.parametrize("path", ["/a/b.py", "/a b/cé#?.py", "/x/%41.py", "untitled:Untitled-1"])
def test_there_and_back(path: str) -> None:
    assert to_path(to_uri(path)) == path


def test_uris_are_percent_encoded() -> None:
    assert to_uri("/a b/c#.py") == "file:///a%20b/c%23.py"
