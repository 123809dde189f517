"""Names of repositories on the command line: the id, the id in another case, and the id without its version, in every command."""

import shlex
from pathlib import Path

import pytest

from tests.e2e.service import run_here, succeed
from tests.source_trees import write_tree

_FILES = {
    "kit/tool.py": "def bend(force):\n    return force\n\n\ndef use():\n    return bend(2)\n",
    "tests/test_tool.py": "from kit.tool import use\n\n\ndef test_use():\n    assert use()\n",
}
_LINES = (
    "show bend -r NAME",
    "show bend --callers -r NAME",
    "show bend --owners -r NAME",
    "explore bend -r NAME",
    "search force -r NAME",
    "locate 'bend the force' -r NAME",
    "context NAME --tokens 200",
    "diff NAME NAME",
    "duplicates NAME",
    "impact NAME --symbol bend",
    "impact NAME --symbol bend --format junit-list",
    "check import-cycles -r NAME",
    "export NAME --format callgraph-json",
    "export NAME --format dot --around bend",
    "ask 'Who calls bend?' -r NAME --quiet",
)


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    succeed(folder / "store", "index", str(write_tree(folder / "sources", _FILES)), "--name", "kit@1.2")
    return folder / "store"


@pytest.mark.parametrize("line", _LINES)
def test_command_accepts_every_form_of_a_repository_name(line: str, kit: Path) -> None:
    answers = [run_here(kit, *shlex.split(line.replace("NAME", name))) for name in ("kit@1.2", "kit", "KIT", "Kit@1.2")]
    assert answers[0].returncode == 0, answers[0].stderr
    assert [answer.stdout for answer in answers[1:]] == [answers[0].stdout] * 3
    unknown = run_here(kit, *shlex.split(line.replace("NAME", "kid")))
    assert unknown.returncode == 3, unknown.stderr
    assert "no repository 'kid' is indexed" in unknown.stderr


def test_deletion_accepts_a_repository_name_without_its_version(tmp_path: Path) -> None:
    store = tmp_path / "store"
    succeed(store, "index", str(write_tree(tmp_path / "sources", _FILES)), "--name", "kit@1.2")
    assert "deleted kit:" in succeed(store, "delete", "kit", "--yes").stdout
    assert run_here(store, "delete", "kit", "--yes").returncode == 3
