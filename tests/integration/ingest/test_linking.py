"""Repositories are joined where one uses what another defines, in whichever order they are indexed."""

from __future__ import annotations

from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.integration.ingest.conftest import Rows, write_tree

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


def test_a_name_that_two_repositories_offer_is_not_joined(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    for name in ("library", "fork"):
        index_repository(str(write_tree(tmp_path / name, LIBRARY)), store, settings)
    index_repository(str(write_tree(tmp_path / "user", USER)), store, settings)
    assert rows(LINKS) == []


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
