"""Two versions of a repository in one store, and the reach of a change: by the command, over the contract, and as a tool."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.service import run_here, run_json, succeed
from tests.source_trees import commit_tree, git, write_tree

LONG = "\n".join(f"    total = total * {n} + order[{n}]" for n in range(6))
BEFORE = {
    "pyproject.toml": '[project]\nname = "toolbox"\nversion = "1.4"\n',
    "toolbox/__init__.py": "from toolbox.hammer import hit\n",
    "toolbox/hammer.py": (
        "class Hammer:\n    def swing(self, force):\n        return grip(force)\n\n\n"
        "def hit(force):\n    return Hammer().swing(force)\n\n\n"
        "def grip(force):\n    return force\n\n\n"
        "def unused():\n    return 0\n\n\n"
        "def bend(force):\n    return force - 1\n"
    ),
    "toolbox/nails.py": f"def count(order):\n    total = 1\n{LONG}\n    return total\n\n\ndef lonely():\n    return 2\n",
    "tests/test_hammer.py": (
        "from toolbox.hammer import hit\n\n\ndef test_hit():\n    assert hit(1) == 1\n\n\ndef test_nothing():\n    assert True\n"
    ),
    "tests/test_nails.py": "from toolbox.nails import count\n\n\ndef test_count():\n    assert count([1] * 6)\n",
    "tests/test_other.py": "def test_other():\n    assert 1 + 1 == 2\n",
}
AFTER = {
    **{path: text for path, text in BEFORE.items() if path != "toolbox/nails.py"},
    "pyproject.toml": '[project]\nname = "toolbox"\nversion = "2.0"\n',
    "toolbox/hammer.py": (
        "class Hammer:\n    def swing(self, force, *, times=1):\n        return force * times\n\n\n"
        "def hit(force):\n    return Hammer().swing(force)\n\n\n"
        "def grip(force):\n    # Only a comment.\n    return force\n\n\n"
        "def bend(force):\n    return force + 1\n\n\n"
        "def added():\n    return grip(2)\n"
    ),
    "toolbox/pins.py": f"def tally(order):\n    total = 1\n{LONG}\n    return total\n\n\ndef lonely():\n    return 2\n",
}
USER = {
    "pyproject.toml": '[project]\nname = "builder"\ndependencies = ["toolbox>=1,<2"]\n',
    "builder.py": "import toolbox\n\n\ndef build():\n    return toolbox.hit(3)\n",
    "test_builder.py": "from builder import build\n\n\ndef test_build():\n    assert build()\n",
}


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A store with two versions of a library, the earlier in git, and a repository that uses it; and the folder of sources."""
    folder = tmp_path_factory.mktemp("versions")
    trees = {"toolbox-1": BEFORE, "toolbox-2": AFTER, "builder": USER}
    paths = [write_tree(folder / "sources" / name, tree) for name, tree in trees.items()]
    commit_tree(paths[0], "One")
    for chosen in ([paths[0], paths[2]], [paths[1]]):
        succeed(folder / "store", "index", *map(str, chosen))
    return folder / "store", folder / "sources"


def end(change: Mapping[str, Any], side: str) -> str | None:
    found = change.get(side)
    return f"{found['path']}::{found.get('qualname', '')}" if found else None


def test_what_differs_between_two_versions(fleet: tuple[Path, Path]) -> None:
    found = run_json(fleet[0], "diff", "toolbox-1", "toolbox-2")
    told = {(change["kind"], end(change, "before"), end(change, "after")) for change in found["definitions"]}
    assert told == {
        ("signature", "toolbox/hammer.py::Hammer.swing", "toolbox/hammer.py::Hammer.swing"),
        ("body", "toolbox/hammer.py::bend", "toolbox/hammer.py::bend"),
        ("removed", "toolbox/hammer.py::unused", None),
        ("added", None, "toolbox/hammer.py::added"),
        ("moved", "toolbox/nails.py::count", "toolbox/pins.py::tally"),
        ("moved", "toolbox/nails.py::lonely", "toolbox/pins.py::lonely"),
        ("removed", "toolbox/nails.py::", None),
        ("added", None, "toolbox/pins.py::"),
    }
    same = {
        change["before"]["qualname"]: change.get("same_body", False)
        for change in found["definitions"]
        if change["kind"] == "moved"
    }
    assert same == {"count": True, "lonely": False}
    other = {change["after"]["qualname"] for change in found["definitions"] if change.get("body_changed")}
    assert other == {"Hammer.swing", "bend"}
    assert int(found["counts"]["body_changed"]) == 1
    edges = {
        (
            edge.get("appeared", False),
            edge["start"]["qualname"],
            edge["end"]["qualname"],
            edge.get("between_kept", False),
        )
        for edge in found["edges"]
        if edge["kind"] == "calls"
    }
    assert (False, "Hammer.swing", "grip", True) in edges
    assert (True, "added", "grip", False) in edges
    assert not [edge for edge in edges if edge[1:3] == ("hit", "Hammer.swing")]


def named_tests(found: Mapping[str, Any]) -> dict[str, list[str]]:
    return {
        f"{file['entity']['repository'].rpartition('/')[2]}:{file['entity']['path']}": [
            test["entity"]["qualname"] for test in file.get("tests", [])
        ]
        for file in found["test_files"]
    }


def test_what_a_changed_function_reaches(fleet: tuple[Path, Path]) -> None:
    found = run_json(fleet[0], "impact", "toolbox-1", "--symbol", "grip")
    affected = {
        item["entity"]["qualname"]: item["hops"] for item in found["affected"] if item["entity"].get("qualname")
    }
    assert {"Hammer.swing": 1, "hit": 2, "build": 3}.items() <= affected.items()
    named = named_tests(found)
    assert named["toolbox-1:tests/test_hammer.py"] == ["test_hit"]
    assert named["builder:test_builder.py"] == ["test_build"]
    assert "toolbox-1:tests/test_nails.py" not in named
    assert "toolbox-1:tests/test_other.py" not in named
    sure = [item["confidence"] for item in found["affected"]]
    assert sure == sorted(sure, reverse=True)
    assert all(0 < confidence < 1 for confidence in sure)


def test_the_working_tree_a_range_and_a_patch_say_the_same(fleet: tuple[Path, Path]) -> None:
    store, sources = fleet
    folder = sources / "toolbox-1"
    hammer = folder / "toolbox/hammer.py"
    assert not run_json(store, "impact", str(folder))["changed"]
    hammer.write_text(BEFORE["toolbox/hammer.py"].replace("return force\n", "return force + 0\n"))
    expected = named_tests(run_json(store, "impact", str(folder / "toolbox")))
    assert expected == named_tests(run_json(store, "impact", "toolbox-1", "--symbol", "grip"))
    patch = subprocess.run(["git", "diff"], cwd=folder, check=True, capture_output=True, text=True).stdout
    (sources / "change.patch").write_text(patch)
    assert named_tests(run_json(store, "impact", "toolbox-1", "--patch", str(sources / "change.patch"))) == expected
    git(folder, "commit", "-q", "-a", "-m", "Two")
    found = run_json(store, "impact", str(folder), "--range", "HEAD~1..HEAD")
    assert named_tests(found) == expected
    assert [item["qualname"] for item in found["changed"]] == ["grip"]


def test_refusals(fleet: tuple[Path, Path]) -> None:
    for command, reason in (
        (["impact", "toolbox-1", "--range", "HEAD"], "REQUEST_INVALID"),
        (["impact", "toolbox-1", "--range", "--output=/tmp/x..HEAD"], "REQUEST_INVALID"),
        (["impact", "toolbox-1", "--range", "HEAD..HEAD", "--symbol", "grip"], "REQUEST_INVALID"),
    ):
        done = run_here(fleet[0], *command)
        assert done.returncode != 0
        assert reason in done.stderr, done.stderr
