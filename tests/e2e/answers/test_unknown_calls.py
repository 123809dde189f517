"""A language whose calls are not known yet: that nothing was found is never shown as if nothing were there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.service import repoquarry, run_here
from tests.source_trees import write_tree

GO = "package tool\n\n// Hit strikes once.\nfunc Hit(force int) int { return grip(force) }\n\nfunc grip(force int) int { return force }\n"
UNKNOWN = "calls in go are not known yet"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("go")
    tree = write_tree(folder / "tool", {"go.mod": "module tool\n", "tool.go": GO, "made.py": "def made(): pass\n"})
    repoquarry(folder / "store", "index", str(tree))
    return folder / "store"


def test_show_says_that_calls_are_unknown(store: Path) -> None:
    shown = run_here(store, "show", "grip").stdout
    assert UNKNOWN in shown
    assert "resolved call sites" not in shown
    assert UNKNOWN in run_here(store, "show", "grip", "--callers").stdout
    assert UNKNOWN in run_here(store, "show", "Hit", "--callees").stdout


def test_a_language_with_calls_says_no_such_thing(store: Path) -> None:
    shown = run_here(store, "show", "made").stdout
    assert "0 resolved call sites" in shown
    assert "not known yet" not in shown + run_here(store, "show", "made", "--callers").stdout


def test_impact_says_that_calls_are_unknown(store: Path) -> None:
    assert UNKNOWN in run_here(store, "impact", "tool", "--symbol", "grip").stdout
    assert UNKNOWN not in run_here(store, "impact", "tool", "--symbol", "made").stdout
