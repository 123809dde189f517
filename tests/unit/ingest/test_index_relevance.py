"""Which changed paths can change an index."""

from __future__ import annotations

import pytest

from repoquarry.ingest.files.selection import affects_index


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("a/b.py", False, True),
        ("README.md", False, True),
        ("pyproject.toml", False, True),
        ("a/.gitignore", False, True),
        ("a/b.pyc", False, False),
        ("a/__pycache__/b.py", False, False),
        ("node_modules/x/y.py", False, False),
        (".git/index", False, False),
        (".git", True, False),
        ("package", True, True),
        ("package", False, False),
    ],
)
def test_concerns_index(path: str, folder: bool, expected: bool) -> None:
    assert affects_index(path, may_be_folder=folder) is expected
