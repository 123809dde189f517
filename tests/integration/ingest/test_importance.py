"""Importance of stored modules: score profiles, and detection of tests."""

import math
import re
from pathlib import Path

import pytest

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.score_profiles import DEGREES_APART, FEATURES, PAPER
from repoquarry.graphstore.model.values import Node, Value
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.integration.ingest.conftest import Rows
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

_INWARD = """
    MATCH (a)-[r:CALLS]->(b) WHERE b.path = 'shop/core.py' AND a.path <> b.path AND NOT a.is_test RETURN sum(r.count) AS sites
"""


def rows(store: Store) -> dict[str, dict[str, Value]]:
    found = store.execute_named("modules_below", repositories=["shop"])
    return {node.id: dict(node.properties) for (node,) in found.rows if isinstance(node, Node)}


def index(shop: Path, store: Store, profile: str) -> bool:
    return index_repository(str(shop), store, IngestSettings(workers=1, score_profile=profile)).unchanged


def test_another_profile_makes_a_new_graph_with_its_own_features(shop: Path, store: Store) -> None:
    assert not index(shop, store, "paper")
    paper = rows(store)
    assert store.repository("shop")["score_profile"] == "paper"
    assert index(shop, store, "paper")
    assert not index(shop, store, "degrees")
    assert store.repository("shop")["score_profile"] == "degrees"
    degrees = rows(store)
    for found, profile in ((paper, PAPER), (degrees, DEGREES_APART)):
        for id_, row in found.items():
            values = {name: float(str(row[name])) for name in FEATURES}
            assert row["importance"] == pytest.approx(profile.importance(values, is_test=id_.startswith("shop:tests/")))
    core = paper["shop:shop/core.py"]
    text = (shop / "shop" / "core.py").read_text()
    words = sum(len(re.findall(rf"\b{word}\b", text)) for word in ("if", "for", "while", "except"))
    depth = max((len(indent) for indent in re.findall(r"^( *)def ", text, re.MULTILINE)), default=0)
    assert core["complexity"] == pytest.approx(min(words / 50, 1) + min(depth / 20, 1) * 0.3)


def test_degrees_are_those_of_the_calls_in_the_graph(shop: Path, store: Store) -> None:
    index(shop, store, "degrees")
    (sites,) = store.query(_INWARD).rows[0]
    assert isinstance(sites, int)
    assert sites > 0
    assert rows(store)["shop:shop/core.py"]["inward"] == pytest.approx(0.5 * math.log1p(sites))
    assert rows(store)["shop:tests/test_core.py"]["inward"] == 0.0


def test_an_unknown_profile_is_answered_with_the_known_ones(shop: Path, store: Store) -> None:
    with pytest.raises(NotFoundError, match="unknown score profile 'mine'; known: degrees, paper"):
        index(shop, store, "mine")


FILES: dict[str, str | bytes] = {
    "web/__init__.py": "",
    "web/commands.py": "from web.test import get_runner\n\n\ndef run():\n    return get_runner()\n",
    "web/test/__init__.py": "from web.test.runner import get_runner\n",
    "web/test/runner.py": "def get_runner():\n    return 1\n",
    "web/test/test_runner.py": "def helper():\n    return 1\n",
    "web/test/cases.py": "from web.test import test_runner\n\n\ndef helper():\n    return test_runner\n",
    "testing/approx.py": "class TestApprox:\n    def test_near(self):\n        def check(): ...\n\n    def testFar(self): ...\n",
    "testing/fakes.py": "def fake():\n    return 1\n\n\ndef testify():\n    return 1\n",
}


def test_tools_for_testing_are_code_and_tests_elsewhere_are_tests(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    index_repository(str(write_tree(tmp_path / "web", FILES)), store, settings)
    found = rows("MATCH (m:Module) WHERE m.is_test RETURN m.path AS path ORDER BY path")
    assert [path for (path,) in found] == [
        "testing/approx.py",
        "testing/fakes.py",
        "web/test/cases.py",
        "web/test/test_runner.py",
    ]
    methods = rows("MATCH (f:Function) WHERE f.is_test AND f.path = 'testing/approx.py' RETURN count(f) AS n")
    assert methods == [(3,)]
