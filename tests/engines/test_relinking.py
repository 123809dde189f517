"""On every engine, users of a library are joined to what is the best match whatever is deleted, changed or comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph import repository_links
from repoquarry.ingest.graph.repository_links import delete_repository
from repoquarry.ingest.pipeline import index_repository, reconcile
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

_ASKED = {"old": "toolbox==1.0", "below": "toolbox<3", "any": "toolbox"}


def _library(version: str, name: str = "toolbox") -> dict[str, str | bytes]:
    return {
        "pyproject.toml": f'[project]\nname = "{name}"\nversion = "{version}"\n',
        "toolbox/__init__.py": "def hit():\n    pass\n",
    }


def _user(asked: str) -> dict[str, str | bytes]:
    return {
        "pyproject.toml": f'[project]\nname = "user"\ndependencies = ["{asked}"]\n',
        "user.py": "import toolbox\n\n\ndef build():\n    toolbox.hit()\n",
    }


class Fleet:
    """A store and the trees that are indexed into it."""

    def __init__(self, store: Store, root: Path) -> None:
        self.store, self._root = store, root

    def index(self, name: str, files: dict[str, str | bytes]) -> None:
        index_repository(str(write_tree(self._root / name, files)), self.store, IngestSettings(workers=1), name=name)

    def joined(self) -> dict[str, str]:
        """User -> the version whose function it calls."""
        text = (
            "MATCH (e:External {qualname: 'toolbox.hit'})-[:PROVIDES]->(f:Function) RETURN e.repository, f.repository"
        )
        rows = self.store.engine.run(text, {}, QueryLimits()).rows
        assert len({row[0] for row in rows}) == len(rows)  # nobody is joined to two
        return {str(user): str(library).partition("@")[2] for user, library in rows}


@pytest.fixture
def fleet(engine_settings: StoreSettings, tmp_path: Path) -> Iterator[Fleet]:
    with Store.open(engine_settings, writable=True) as store:
        opened = Fleet(store, tmp_path / "trees")
        for name, asked in _ASKED.items():
            opened.index(name, _user(asked))
        for version in ("1.0", "2.0", "3.0"):
            opened.index(f"toolbox@{version}", _library(version))
        yield opened


def test_deleted_and_back(fleet: Fleet) -> None:
    everything = {"old": "1.0", "below": "2.0", "any": "3.0"}
    assert fleet.joined() == everything
    delete_repository("toolbox@2.0", fleet.store)
    assert fleet.joined() == {"old": "1.0", "below": "1.0", "any": "3.0"}
    delete_repository("toolbox@3.0", fleet.store)
    assert fleet.joined() == dict.fromkeys(_ASKED, "1.0")
    delete_repository("toolbox@1.0", fleet.store)
    assert fleet.joined() == {}
    for version in ("3.0", "2.0", "1.0"):
        fleet.index(f"toolbox@{version}", _library(version))
    assert fleet.joined() == everything


def test_changed_version_in_a_manifest_or_no_package_at_all(fleet: Fleet) -> None:
    fleet.index("toolbox@3.0", _library("1.5"))
    assert fleet.joined() == {"old": "1.0", "below": "2.0", "any": "2.0"}
    fleet.index(
        "toolbox@2.0", {"pyproject.toml": "[tool.other]\n"}
    )  # no package any more, while its functions are there
    assert fleet.joined() == {"old": "1.0", "below": "3.0", "any": "3.0"}
    fleet.index("toolbox@2.0", _library("2.0"))
    assert fleet.joined() == {"old": "1.0", "below": "2.0", "any": "2.0"}


def _index_killed_at(place: tuple[object, str], fleet: Fleet, name: str, files: dict[str, str | bytes]) -> None:
    """Index until `place` is called, which happens once the graph is written."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(*place, killed)
        with pytest.raises(KeyboardInterrupt):
            fleet.index(name, files)


_BEFORE_LINKS_MOVE = (repository_links, "relink_dependents")
_BEFORE_PUBLICATION = (PendingRevision, "publish")


@pytest.mark.parametrize("place", [_BEFORE_LINKS_MOVE, _BEFORE_PUBLICATION], ids=lambda place: place[1])
def test_names_that_a_killed_run_took_away_are_linked_elsewhere(fleet: Fleet, place: tuple[object, str]) -> None:
    _index_killed_at(place, fleet, "toolbox@2.0", {"pyproject.toml": "[tool.other]\n"})
    reconcile(fleet.store)
    assert fleet.joined() == {"old": "1.0", "below": "1.0", "any": "3.0"}


def test_deletion_of_names_that_were_never_published_moves_links_back(fleet: Fleet) -> None:
    before = fleet.joined()
    fleet.index("toolbox@5.0", {"pyproject.toml": "[tool.other]\n", "toolbox/__init__.py": ""})
    assert fleet.joined() == before
    _index_killed_at(_BEFORE_PUBLICATION, fleet, "toolbox@5.0", _library("5.0"))
    assert fleet.joined() == {**before, "any": "5.0"}
    delete_repository("toolbox@5.0", fleet.store)
    assert fleet.joined() == before


def test_ambiguous_name_is_linked_after_one_candidate_is_removed(fleet: Fleet) -> None:
    for version in ("2.0", "3.0"):
        delete_repository(f"toolbox@{version}", fleet.store)
    fleet.index("fork", _library("1.0"))  # the same version of the same package: open for everybody
    assert fleet.joined() == {}
    delete_repository("fork", fleet.store)
    assert fleet.joined() == dict.fromkeys(_ASKED, "1.0")


def test_a_killed_deletion_is_done_by_repeating_it(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Store, "delete", killed)
        with pytest.raises(KeyboardInterrupt):
            delete_repository("toolbox@3.0", fleet.store)
    fleet.index("toolbox@2.0", {"more.py": "x = 1\n"})  # while it is stored it counts
    assert fleet.joined()["any"] == "3.0"
    delete_repository("toolbox@3.0", fleet.store)
    assert fleet.joined() == {"old": "1.0", "below": "2.0", "any": "2.0"}
    with pytest.raises(NotFoundError):
        delete_repository("toolbox@3.0", fleet.store)
