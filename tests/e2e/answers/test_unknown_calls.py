"""Code that the graph knows in part: nothing found is never shown as if nothing were there."""

from pathlib import Path

import pytest

from tests.e2e.service import run_here
from tests.source_trees import write_tree

GO = "package tool\n\n// Hit strikes once.\nfunc Hit(force int) int { return grip(force) }\n\nfunc grip(force int) int { return force }\n"
SCRIPTS = {
    "lib/is-ready.js": "module.exports = (value) => value\n",
    "lib/app.js": (
        "const Emitter = require('node:events')\n"
        "const isReady = require('./is-ready')\n"
        "module.exports = class App extends Emitter {\n"
        "  go() { return [1].map((value) => isReady(value)) }\n"
        "}\n"
    ),
    "lib/hammer.js": "export class Hammer {}\n",
    "hammer.d.ts": "export class Hammer {}\n",
}
UNKNOWN = "calls in go are not resolved"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("go")
    tree = write_tree(
        folder / "tool", {"go.mod": "module tool\n", "tool.go": GO, "made.py": "def made(): pass\n", **SCRIPTS}
    )
    run_here(folder / "store", "index", str(tree))
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
    assert "are not resolved" not in shown + run_here(store, "show", "made", "--callers").stdout


def test_impact_says_that_calls_are_unknown(store: Path) -> None:
    assert UNKNOWN in run_here(store, "impact", "tool", "--symbol", "grip").stdout
    assert UNKNOWN not in run_here(store, "impact", "tool", "--symbol", "made").stdout


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "who calls grip?",
            "Calls in go are not resolved; `grip` is mentioned in 1 definition.\n\n1. `Hit` `tool.go:4`",
        ),
        ("what breaks if I change grip?", "`grip` is mentioned in 1 definition."),
        ("what does Hit call?", "`Hit` calls 1 definition by name.\n\n1. `grip` `tool.go:6`"),
        ("where is isReady used?", "`isReady` is used by"),
        ("which classes extend Emitter?", "1 class inherits from external code called `Emitter`."),
        ("what does go call?", "`exports.go` calls 1 definition of its repository"),
        ("where is Hammer defined?", "`Hammer` is defined in 2 places; the first is `lib/hammer.js"),
        ("where is Anvil raised?", "Not in the index"),
    ],
)
def test_a_question_is_answered_from_text_or_declared_unknown(store: Path, question: str, answer: str) -> None:
    assert answer in run_here(store, "ask", question).stdout
