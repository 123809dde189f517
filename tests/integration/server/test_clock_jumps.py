"""A clock that jumps between commands, as after a suspended machine, a dead battery or a wrong time server."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.e2e.service import run_here
from tests.source_trees import write_tree

_YEAR = 365 * 24 * 3600.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that the clock of this process is ahead."""
    ahead, real = [0.0], time.time
    monkeypatch.setattr(time, "time", lambda: real() + ahead[0])
    return ahead


@pytest.mark.parametrize("jumps", [(10 * _YEAR, -20 * _YEAR), (-20 * _YEAR, 10 * _YEAR)], ids=["ahead", "back"])
def test_answers_and_changes_do_not_depend_on_the_clock(
    tmp_path: Path, clock: list[float], jumps: tuple[float, float]
) -> None:
    source, store = write_tree(tmp_path / "shop", {"shop.py": "def sell():\n    return 1\n"}), tmp_path / "store"
    assert run_here(store, "index", str(source)).returncode == 0
    for number, jump in enumerate(jumps):
        clock[0] = jump
        assert abs(time.time() - datetime.now(UTC).timestamp()) > _YEAR
        unchanged = run_here(store, "index", str(source))
        assert "unchanged" in unchanged.stdout + unchanged.stderr
        write_tree(source, {"shop.py": f"def sell():\n    return 1\n\n\ndef refund{number}():\n    return sell()\n"})
        assert run_here(store, "index", str(source)).returncode == 0
        for command in (("list",), ("list", "--jobs"), ("search", "sell"), ("explore", f"refund{number}")):
            done = run_here(store, *command)
            assert done.returncode == 0, (command, done.stderr)
        assert f"refund{number}" in run_here(store, "explore", f"refund{number}").stdout
