"""Repositories are joined where one uses what another defines, in whichever order they are indexed."""

from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.integration.ingest.conftest import Rows
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

LIBRARY: dict[str, str | bytes] = {
    "pyproject.toml": '[project]\nname = "toolbox"\n',
    "toolbox/__init__.py": "from toolbox.hammer import Hammer, hit\n",
    "toolbox/hammer.py": "class Hammer:\n    def swing(self):\n        pass\n\n\ndef hit():\n    Hammer().swing()\n",
    "tests/test_hammer.py": "def helper():\n    pass\n",
}
USER: dict[str, str | bytes] = {
    "pyproject.toml": '[project]\nname = "builder"\ndependencies = ["toolbox>=1"]\n',
    "builder.py": "import toolbox\nimport tests.test_hammer\nfrom toolbox.hammer import Hammer\n\n\ndef build():\n"
    "    toolbox.hit()\n    Hammer()\n    toolbox.absent()\n    tests.test_hammer.helper()\n",
}
LINKS = (
    "MATCH (e:External)-[:PROVIDES]->(d) WHERE e.repository = 'user' "
    "RETURN e.qualname, labels(d)[0], d.id ORDER BY e.qualname"
)
EXPECTED = [
    ("toolbox", "Module", "library:toolbox/__init__.py"),
    ("toolbox.hammer", "Module", "library:toolbox/hammer.py"),
    ("toolbox.hammer.Hammer", "Class", "library:toolbox/hammer.py::Hammer"),
    ("toolbox.hit", "Function", "library:toolbox/hammer.py::hit"),
]


@pytest.mark.parametrize("order", [("library", "user"), ("user", "library")])
def test_the_order_does_not_matter(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows, order: tuple[str, str]
) -> None:
    write_tree(tmp_path / "library", LIBRARY)
    write_tree(tmp_path / "user", USER)
    for name in order:
        index_repository(str(tmp_path / name), store, settings)

    found = rows(LINKS)
    assert [row for row in found if row in EXPECTED] == found
    assert {row[0] for row in found} >= {"toolbox", "toolbox.hit"}
    through = "MATCH (a:Repository)-[:DEPENDS_ON]->(p:Package)<-[:PROVIDES]-(b:Repository) RETURN a.id, p.id, b.id"
    assert rows(through) == [("user", "package:pypi/toolbox", "library")]


def test_links_outlive_a_new_index_of_either_side(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    library = write_tree(tmp_path / "library", LIBRARY)
    user = write_tree(tmp_path / "user", USER)
    index_repository(str(user), store, settings)
    revision = index_repository(str(library), store, settings).revision
    before = rows(LINKS)
    assert before

    write_tree(library, {"toolbox/hammer.py": str(LIBRARY["toolbox/hammer.py"]) + "\n\ndef more():\n    pass\n"})
    assert index_repository(str(library), store, settings).revision != revision
    assert rows(LINKS) == before
    write_tree(user, {"builder.py": str(USER["builder.py"]) + "\n"})
    index_repository(str(user), store, settings)
    assert rows(LINKS) == before

    write_tree(library, {"toolbox/__init__.py": "", "toolbox/hammer.py": "class Hammer:\n    pass\n"})
    index_repository(str(library), store, settings)
    assert {row[0] for row in rows(LINKS)} == {"toolbox", "toolbox.hammer", "toolbox.hammer.Hammer"}


def test_links_are_no_part_of_the_revision(tmp_path: Path, store: Store, settings: IngestSettings) -> None:
    user = write_tree(tmp_path / "user", USER)
    alone = index_repository(str(user), store, settings).revision
    index_repository(str(write_tree(tmp_path / "library", LIBRARY)), store, settings)
    write_tree(user, {"builder.py": "x = 1\n"})
    index_repository(str(user), store, settings)
    write_tree(user, {"builder.py": USER["builder.py"]})
    assert index_repository(str(user), store, settings).revision == alone


def test_the_locked_version_stands_beside_the_requirement(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    lock = '[[package]]\nname = "toolbox"\nversion = "1.4"\n'
    user = write_tree(tmp_path / "user", {**USER, "uv.lock": lock})
    asked = "MATCH (:Repository)-[d:DEPENDS_ON]->(p:Package {name: 'toolbox'}) RETURN d.requirement, d.locked"
    index_repository(str(user), store, settings)
    assert rows(asked) == [(">=1", "1.4")]
    (user / "uv.lock").write_text(lock.replace("1.4", "1.5"))
    index_repository(str(user), store, settings)
    assert rows(asked) == [(">=1", "1.5")]


def _of_version(version: str) -> dict[str, str | bytes]:
    return {**LIBRARY, "pyproject.toml": f'[project]\nname = "toolbox"\nversion = "{version}"\n'}


def _locked_to(version: str) -> dict[str, str | bytes]:
    return {**USER, "uv.lock": f'[[package]]\nname = "toolbox"\nversion = "{version}"\n'}


_VERSIONS: dict[str, dict[str, str | bytes]] = {
    "toolbox@1.0": _of_version("1.0"),
    "toolbox@2.0": _of_version("2.0"),
    "old": _locked_to("1.0"),
    "new": _locked_to("2.0"),
    "any": USER,
    "below": {**USER, "pyproject.toml": '[project]\nname = "builder"\ndependencies = ["toolbox<2"]\n'},
}
_JOINED = "MATCH (e:External)-[:PROVIDES]->(d) RETURN DISTINCT e.repository AS user, d.repository AS library ORDER BY user, library"
_CHOSEN = [("any", "toolbox@2.0"), ("below", "toolbox@1.0"), ("new", "toolbox@2.0"), ("old", "toolbox@1.0")]


@pytest.mark.parametrize(
    "order",
    [
        ("toolbox@1.0", "toolbox@2.0", "old", "new", "any", "below"),
        ("old", "new", "any", "below", "toolbox@2.0", "toolbox@1.0"),
        ("old", "toolbox@1.0", "new", "any", "toolbox@2.0", "below"),
        ("toolbox@2.0", "any", "old", "below", "toolbox@1.0", "new"),
    ],
)
def test_each_is_joined_to_the_version_that_it_asks_for_in_any_order(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows, order: tuple[str, ...]
) -> None:
    for name in order:
        index_repository(str(write_tree(tmp_path / name, _VERSIONS[name])), store, settings, name=name)
    assert rows(_JOINED) == _CHOSEN
    names = "MATCH (e:External)-[:PROVIDES]->(d) WHERE e.repository = 'old' RETURN e.qualname ORDER BY e.qualname"
    assert {row[0] for row in rows(names)} >= {"toolbox", "toolbox.hit"}


def test_links_move_when_a_lock_file_or_a_version_changes(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    for name in ("old", "toolbox@1.0", "toolbox@2.0"):
        index_repository(str(write_tree(tmp_path / name, _VERSIONS[name])), store, settings, name=name)
    for version in ("2.0", "1.0", "2.0"):
        write_tree(tmp_path / "old", _locked_to(version))
        index_repository(str(tmp_path / "old"), store, settings, name="old")
        assert rows(_JOINED) == [("old", f"toolbox@{version}")]
        index_repository(
            str(write_tree(tmp_path / "old", {"more.py": f"x = {version}\n"})), store, settings, name="old"
        )
        assert rows(_JOINED) == [("old", f"toolbox@{version}")]
    write_tree(tmp_path / "toolbox@1.0", _of_version("2.0"))
    index_repository(str(tmp_path / "toolbox@1.0"), store, settings, name="toolbox@1.0")
    assert rows(_JOINED) == []  # two have the version


def test_a_run_that_was_killed_before_it_moved_links_moves_them_later(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("old", "any", "toolbox@1.0"):
        index_repository(str(write_tree(tmp_path / name, _VERSIONS[name])), store, settings, name=name)
    newer = write_tree(tmp_path / "toolbox@2.0", _VERSIONS["toolbox@2.0"])

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("repoquarry.ingest.graph.repository_links.relink_dependents", killed)
        with pytest.raises(KeyboardInterrupt):
            index_repository(str(newer), store, settings, name="toolbox@2.0")
    assert ("any", "toolbox@1.0") in rows(_JOINED)
    index_repository(str(newer), store, settings, name="toolbox@2.0")
    assert rows(_JOINED) == [("any", "toolbox@2.0"), ("old", "toolbox@1.0")]


def test_an_indexed_dependency_decides_what_its_calls_give(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    finder = "class Query[T]:\n    pass\n"  # a module that the interpreter's parser may refuse is left out
    library = {
        "pyproject.toml": '[project]\nname = "finder"\n',
        "finder/__init__.py": "from finder.core import find\n",
        "finder/new.py": finder,
        "finder/core.py": "from typing import TypeVar\nT = TypeVar('T')\ndef find(kind: type[T]) -> T: ...\n",
    }
    user = {
        "pyproject.toml": '[project]\nname = "reader"\ndependencies = ["finder"]\n',
        "reader.py": "from finder import find\nclass Book:\n    def read(self): ...\ndef go():\n    find(Book).read()\n",
    }
    calls = "MATCH (:Function {name: 'go'})-[c:CALLS]->(b:Function) RETURN b.qualname, c.how"
    write_tree(tmp_path / "user", user)
    write_tree(tmp_path / "library", library)
    first = index_repository(str(tmp_path / "user"), store, settings)
    assert rows(calls) == []
    index_repository(str(tmp_path / "library"), store, settings)
    second = index_repository(str(tmp_path / "user"), store, settings)
    assert rows(calls) == [("Book.read", "model:interface")]
    assert second.revision != first.revision
    assert index_repository(str(tmp_path / "user"), store, settings).unchanged
    write_tree(tmp_path / "library", {**library, "finder/core.py": "def find(kind): ...\n"})
    index_repository(str(tmp_path / "library"), store, settings)
    index_repository(str(tmp_path / "user"), store, settings)
    assert rows(calls) == []
