"""A version that nobody chose is never needed: every command takes the bare name of a repository, and means the newest version."""

import json
from pathlib import Path

import pytest

from repoquarry.graphstore.repository_names import match_repository
from repoquarry.server.cli.commands import COMMANDS
from tests.e2e.service import run_here, write_tree

WALKS = {
    "ask": ("ask", "who calls help_out?", "-r", "NAME"),
    "check": ("check", "import-cycles", "-r", "NAME"),
    "context": ("context", "NAME"),
    "diff": ("diff", "NAME", "tool-1.9"),
    "duplicates": ("duplicates", "NAME"),
    "explore": ("explore", "help_out", "-r", "NAME"),
    "export": ("export", "NAME", "--format", "graphml"),
    "impact": ("impact", "NAME", "--symbol", "help_out"),
    "locate": ("locate", "help", "-r", "NAME"),
    "search": ("search", "help", "-r", "NAME"),
    "show": ("show", "help_out", "-r", "NAME"),
    "task": ("task", "who calls help_out?", "-r", "NAME"),
    "tool": ("tool", "tree", "repository=NAME"),
    "ui": ("ui", "NAME", "--change", "worktree", "--export", "change.html"),
}
"""A call with a repository's name by command."""
WITHOUT = {
    "index", "watch", "list", "batch", "choose", "query", "queries", "files", "mcp", "install", "uninstall", "serve", "evaluate",
    "version", "provision", "delete", "interfaces",
}  # fmt: skip
"""Commands that name no stored repository, or that ask before they act (`delete`), or install packages (`provision`)."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("versions")
    for name in ("tool-1.9", "tool-1.10", "tool@main", "single-2.0"):
        write_tree(
            folder / name, {"a.py": f"def help_out():\n    return {name!r}\n\n\ndef start():\n    return help_out()\n"}
        )
        assert run_here(folder / "store", "index", str(folder / name), "--name", name).returncode == 0
    return folder / "store"


def test_each_command_is_walked() -> None:
    assert set(WALKS) | WITHOUT == set(COMMANDS)


@pytest.mark.parametrize("command", WALKS)
@pytest.mark.parametrize(("name", "chosen"), [("single", "single-2.0"), ("tool", "tool-1.10"), ("Tool", "tool-1.10")])
def test_a_bare_name_is_enough(store: Path, tmp_path: Path, command: str, name: str, chosen: str) -> None:
    arguments = [part.replace("NAME", name) for part in WALKS[command]]
    if command == "ui":
        arguments[-1] = str(tmp_path / "change.html")
    done = run_here(store, *arguments)
    text = done.stdout + done.stderr
    if command in ("ui", "task"):  # the folders have no history, and there is no chat model
        assert "NOT_FOUND" not in text
        assert "AMBIGUOUS" not in text
        return
    assert done.returncode == 0, text
    said = f"{name} is {chosen}, the newest of 3 versions"
    assert done.stderr.count(said) == (name != "single"), text


def test_deleting_never_chooses_a_version(store: Path) -> None:
    done = run_here(store, "delete", "tool", "--yes")
    assert done.returncode == 10
    assert "tool-1.9" in done.stderr
    assert len(json.loads(run_here(store, "list", "--json").stdout)["repositories"]) == 4


@pytest.mark.parametrize(
    ("stored", "chosen"),
    [
        (["x-1.9", "x-1.10"], "x-1.10"),
        (["x-2.0rc1", "x-1.0"], "x-2.0rc1"),
        (["x-2.0", "x-2.0rc1"], "x-2.0"),
        (["x@main", "x@v0.1"], "x@v0.1"),
        (["x@main", "x@other"], "x@other"),
        (["x", "x-3.0"], "x"),
    ],
)
def test_the_newest_version_is_meant(stored: list[str], chosen: str) -> None:
    assert match_repository(stored, "x") == chosen
