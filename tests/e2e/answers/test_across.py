"""Calls between repositories: who uses a library's function is answered with the repositories that use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.service import repoquarry, run_here, write_tree

LIBRARY = {
    "pyproject.toml": '[project]\nname = "toolbox"\n',
    "toolbox/__init__.py": "from toolbox.hammer import Hammer, hit\n",
    "toolbox/hammer.py": "class Hammer:\n    def swing(self):\n        pass\n\n\ndef hit():\n    grip()\n\n\ndef grip():\n    pass\n",
}
USER = {
    "pyproject.toml": '[project]\nname = "builder"\ndependencies = ["toolbox>=1"]\n',
    "builder.py": "import toolbox\n\n\ndef build():\n    toolbox.hit()\n    toolbox.hit()\n\n\ndef start():\n    build()\n",
}


@pytest.fixture(scope="module")
def two_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a library and a repository that uses it."""
    folder = tmp_path_factory.mktemp("two")
    trees = [str(write_tree(folder / "sources" / name, tree)) for name, tree in (("library", LIBRARY), ("user", USER))]
    done = repoquarry(folder / "store", "index", *trees)
    assert done.returncode == 0, done.stderr
    return folder / "store"


def relations(store: Path, name: str, *options: str) -> dict[str, int]:
    """Distance of everything reached, by repository and name."""
    done = run_here(store, "show", name, *options, "--json")
    assert done.returncode == 0, done.stderr
    (meaning,) = json.loads(done.stdout)["meanings"]
    found = {}
    for item in meaning["relations"]:
        entity = item["entity"]
        found[f"{entity['repository'].removeprefix('repositories/')} {entity['qualname']}"] = item["hops"]
    return found


def test_callers_in_other_repositories(two_store: Path) -> None:
    assert relations(two_store, "hit", "--callers") == {"user build": 1}
    assert relations(two_store, "grip", "--callers", "--hops", "3") == {
        "library hit": 1,
        "user build": 2,
        "user start": 3,
    }
    assert relations(two_store, "grip", "--callers", "--hops", "3", "--repository", "library") == {"library hit": 1}
    text = run_here(two_store, "show", "hit", "--callers").stdout
    assert "user: builder.py:4-6" in text
    assert "note: followed into other repositories by what a package provides: user" in text
    assert "based on library" in text
    assert "based on user" in text


def test_callees_in_other_repositories(two_store: Path) -> None:
    found = relations(two_store, "build", "--callees", "--hops", "2")
    assert found["library hit"] == 1
    assert found["library grip"] == 2


def test_an_export_stays_in_its_repository(two_store: Path) -> None:
    done = run_here(two_store, "export", "library", "--format", "dot", "--around", "grip", "--hops", "3")
    assert "user:builder.py::build" not in done.stdout


def test_the_agent_says_so(two_store: Path) -> None:
    done = run_here(two_store, "ask", "Who calls hit?", "--json")
    answer = json.loads(done.stdout)["answer"]
    assert "Callers in other repositories" in answer["text"]
    assert "user: builder.py" in answer["text"]
    assert {entry["repository"] for entry in answer["places"]} >= {"repositories/user"}
    only = json.loads(run_here(two_store, "ask", "Who calls hit?", "--repository", "library", "--json").stdout)[
        "answer"
    ]
    assert "Callers in other repositories" not in only["text"]
