"""Matching by bare name: only in the languages of a definition, its repository, and repositories that depend on it."""

import json
from pathlib import Path

import pytest

from tests.e2e.service import ROOT, run_json, succeed
from tests.internal_queries import QUERIES
from tests.source_trees import write_tree

PAGE = "export function send(form) {\n  form.save('x')\n}\n"
TREES = {
    "cart": {
        "pyproject.toml": '[project]\nname = "cart"\nversion = "1.0"\n',
        "cart.py": "class Cart:\n    def save(self, path):\n        return path\n\n\ndef local(thing):\n    thing.save(1)\n",
        "page.js": PAGE,
    },
    "shop": {
        "pyproject.toml": '[project]\nname = "shop"\nversion = "1.0"\ndependencies = ["cart"]\n',
        "shop.py": "def keep(thing):\n    thing.save(2)\n",
        "page.js": PAGE,
    },
    "till": {
        "pyproject.toml": '[project]\nname = "till"\nversion = "1.0"\ndependencies = ["shop"]\n',
        "till.py": "def count(thing):\n    thing.save(3)\n",
    },
    "forms": {
        "package.json": '{"name": "forms", "version": "1.0.0"}',
        "store.js": PAGE,
        "cart.test.js": "import { send } from './store.js'\ntest('save cart', () => send({ cart: 1, save: 2 }))\n",
    },
    "other": {
        "pyproject.toml": '[project]\nname = "other"\nversion = "1.0"\n',
        "other.py": "def drop(thing):\n    thing.save(4)\n",
    },
}
REACHED = {("cart", "local"), ("shop", "keep"), ("till", "count")}
"""Possible callers of `Cart.save` in a language and a repository that can know it."""

BARE_NAMES = {
    "unresolved_named": "behind `CodeReader.possible_calls`, and for names that nothing defines",
    "unresolved_from": "begins at given definitions",
    "unresolved_by_tests": "counts in one repository",
}
"""Named queries that match names which were not resolved, and why none says more than is known."""


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a Python package, two repositories that depend on it one through the other, and two unrelated ones."""
    folder = tmp_path_factory.mktemp("unrelated")
    for name, tree in TREES.items():
        succeed(folder / "store", "index", str(write_tree(folder / name, tree)))
    return folder / "store"


def test_impact_stays_in_dependent_repositories_and_in_the_language(fleet: Path) -> None:
    found = run_json(fleet, "impact", "cart", "--symbol", "Cart.save")
    possible = [item["entity"] for item in found["affected"] if item["how"] == "possible call"]
    assert {(item["repository"].partition("/")[2], item["name"]) for item in possible} == REACHED
    assert {item["repository"] for item in found["basis"]["repositories"]} <= {
        f"repositories/{name}" for name in ("cart", "shop", "till")
    }
    assert found.get("test_files", []) == []


@pytest.mark.parametrize("question", ["Who calls Cart.save?", "What happens if I change Cart.save?"])
def test_questions_name_no_caller_elsewhere(fleet: Path, question: str) -> None:
    text = json.dumps(run_json(fleet, "ask", question, "--quiet")["answer"])
    assert "local" in text
    for unrelated in ("forms", "store.js", "page.js", "other.py"):
        assert unrelated not in text


def test_possible_callers_of_a_definition_speak_its_language(fleet: Path) -> None:
    found = run_json(fleet, "show", "Cart.save", "--callers")
    possible = [item["entity"] for meaning in found["meanings"] for item in meaning["possible"]]
    assert [(item["path"], item["name"]) for item in possible] == [("cart.py", "local")]


def test_each_query_that_matches_unresolved_names_is_listed() -> None:
    matching = {name for name, query in QUERIES.items() if ":Name" in query.text or "UNRESOLVED" in query.text}
    assert matching - {"unresolved_in", "unresolved_out", "nodes_by_id"} == BARE_NAMES.keys()


def test_definitions_are_matched_by_bare_name_in_one_place() -> None:
    sources = (ROOT / "repoquarry").rglob("*.py")
    users = {path.relative_to(ROOT).as_posix() for path in sources if "unresolved_named" in path.read_text("utf-8")}
    assert users == {
        "repoquarry/code/reader.py",
        "repoquarry/code/calls.py",  # names that nothing defines
    }
