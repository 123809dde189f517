"""Tests that the security policy names exist."""

import re
from pathlib import Path

_ROOT = Path(__file__).parents[2]


def test_every_promise_names_a_test_that_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", (_ROOT / "SECURITY.md").read_text()))
    defined = {
        name
        for path in (_ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text())
    }
    assert len(named) > 15
    assert named <= defined
