"""Golden files: committed texts that a test compares its result with. `pytest --update-golden` rewrites those of the tests that it runs."""

import difflib
import hashlib
from itertools import islice
from pathlib import Path

import msgspec
import pytest

_MAX_DIFF_LINES = 200


class GoldenFiles:
    """Checker of golden files, or with `update` their writer."""

    def __init__(self, *, update: bool) -> None:
        self._update = update

    def check(self, path: Path, text: str) -> None:
        """Fail with a diff unless the file has exactly this text."""
        if self._update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
            return
        expected = path.read_bytes().decode() if path.exists() else ""
        if text == expected:
            return
        diff = difflib.unified_diff(expected.splitlines(), text.splitlines(), path.name, "result", n=1, lineterm="")
        shown = "\n".join(islice(diff, _MAX_DIFF_LINES))
        pytest.fail(f"{path} differs; if the change is meant, run with --update-golden:\n{shown}", pytrace=False)


def digest(value: object) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of a value, encoded with MessagePack."""
    return hashlib.sha256(msgspec.msgpack.encode(value)).hexdigest()[:16]
