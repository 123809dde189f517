"""Calls between repositories: who uses a library's function is answered with the repositories that use it."""

from pathlib import Path

import pytest

from tests.e2e.service import run_here, run_json, succeed
from tests.source_trees import write_tree

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
    succeed(folder / "store", "index", *trees)
    return folder / "store"


def relations(store: Path, name: str, *options: str) -> dict[str, int]:
    """Distance of everything reached, by repository and name."""
    (meaning,) = run_json(store, "show", name, *options)["meanings"]
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
    assert "note: followed into other repositories through provided packages: user" in text
    assert "based on library" in text
    assert "based on user" in text


def test_an_export_stays_in_its_repository(two_store: Path) -> None:
    done = run_here(two_store, "export", "library", "--format", "dot", "--around", "grip", "--hops", "3")
    assert "user:builder.py::build" not in done.stdout
