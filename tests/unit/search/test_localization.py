"""Localisation: exact names, words, the graph; what is demoted; reasons."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from repoquarry.graphstore.errors import NotFoundError, QueryRefusedError
from repoquarry.graphstore.model.graph_tables import RelationshipTable, RepositoryGraph
from repoquarry.graphstore.search.index.builder import build_index
from repoquarry.graphstore.search.index.commit_index import propagate_evidence
from repoquarry.graphstore.search.localization import locate, rank_by
from repoquarry.graphstore.search.localization_features import (
    DEFINITION_WEIGHTS,
    DEMOTIONS,
    FILE_WEIGHTS,
    Evidence,
    gather,
)
from repoquarry.graphstore.search.mentions import extract_mentions
from repoquarry.graphstore.search.requests import LocateRequest


def first(library: Any, text: str) -> tuple[str, str]:
    answer = locate(library, LocateRequest(text))
    return answer.files[0].path, answer.definitions[0].qualname


def index_with(library: Any, *more: RelationshipTable) -> None:
    """Index the repository `r` with more relationships than those of its tree."""
    graph = library.graph("r")
    graph = RepositoryGraph("r", graph.nodes, [*graph.relationships, *more])
    build_index(graph, library.texts["r"].__getitem__, library.indexes.index_folder("r"))


def test_words_lead_to_file_and_definition(shop: Any) -> None:
    assert first(shop, "Sum of the price times quantity of all items is wrong") == ("shop/cart.py", "Cart.total_price")


def test_a_path_names_its_file(shop: Any) -> None:
    answer = locate(shop, LocateRequest("Crash, see https://git.example/blob/main/shop/parsing/http_headers.py#L3"))
    assert answer.files[0].path == "shop/parsing/http_headers.py"
    assert "path given in the task" in answer.files[0].reasons


def test_a_dotted_name_is_followed_through_packages(make_library: Callable[..., Any]) -> None:
    texts = {
        "lib/__init__.py": "from lib.inner.deep import Engine\n",
        "lib/inner/deep.py": "class Engine:\n    def start(self):\n        return 1\n",
        "lib/other.py": "class Starter:\n    def start(self):\n        return 2\n",
    }
    answer = locate(make_library({"lib": texts}), LocateRequest("`lib.Engine.start` hangs"))
    assert answer.definitions[0].qualname == "Engine.start"
    assert "dotted name given in the task" in answer.definitions[0].reasons


def test_the_frame_nearest_to_the_failure_counts_most(shop: Any) -> None:
    trace = (
        'Boom\n\nTraceback (most recent call last):\n  File "/x/shop/parsing/http_headers.py", line 1, in retry\n'
        '  File "/x/shop/cart.py", line 14, in total_price\nKaputt'
    )
    assert first(shop, trace) == ("shop/cart.py", "Cart.total_price")
    evidence = gather(shop.indexes.open("shop"), extract_mentions(trace), None)
    places = shop.indexes.open("shop").places
    near = evidence.places["frame"][places.by_id["shop:shop/cart.py::Cart.total_price"]]
    far = evidence.places["frame"][places.by_id["shop:shop/parsing/http_headers.py::retry"]]
    assert near == 1.0
    assert 0 < far < near


def test_tests_and_prose_come_last(shop: Any) -> None:
    answer = locate(
        shop, LocateRequest("test_total_price fails: cart of widgets, see README.md and tests/test_cart.py")
    )
    order = [place.path for place in answer.files]
    assert order.index("shop/cart.py") < order.index("tests/test_cart.py")
    assert order.index("shop/cart.py") < order.index("README.md")
    assert answer.definitions[0].path == "shop/cart.py"


def test_evidence_spreads_along_calls(make_library: Callable[..., Any]) -> None:
    """The first of two helpers without a shared word is the one that the task's names call."""
    helper = "def {name}(x):\n    return x\n"
    texts = {
        "a.py": "def publish_report():\n    return alpha(1)\n",
        "b.py": helper.format(name="alpha"),
        "c.py": helper.format(name="gamma"),
    }
    library = make_library({"r": texts})
    calls = RelationshipTable(
        "CALLS", "Function", "Function", ["r:a.py::publish_report"], ["r:b.py::alpha"], {"count": [1]}
    )
    index_with(library, calls)
    answer = locate(library, LocateRequest("publish_report gives nonsense"))
    assert [place.qualname for place in answer.definitions] == ["publish_report", "alpha", "gamma"]
    assert "close in the graph to code named in the task" in answer.definitions[1].reasons


def test_propagated_evidence_never_grows(shop: Any) -> None:
    index = shop.indexes.open("shop")
    evidence = np.zeros(len(index.places), dtype=np.float32)
    evidence[index.places.by_id["shop:shop/cart.py::Cart.total_price"]] = 1.0
    reached = propagate_evidence(index.steps, evidence)
    assert 0.5 < float(reached.sum()) <= 1.0001
    assert reached[index.places.by_id["shop:shop/cart.py::Cart"]] > 0


def test_a_part_of_the_evidence_can_be_left_out(shop: Any) -> None:
    index = shop.indexes.open("shop")
    evidence = gather(index, extract_mentions("shop/parsing/http_headers.py"), None)
    place = index.places.by_path["shop/parsing/http_headers.py"]
    rest = Evidence({**evidence.files, "path": 0 * evidence.files["path"]}, evidence.places)
    whole, without = rank_by(index, evidence), rank_by(index, rest)
    assert whole.files[place] - without.files[place] == pytest.approx(FILE_WEIGHTS["path"], rel=1e-3)


def test_answers_are_bounded_and_bad_tasks_refused(shop: Any) -> None:
    answer = locate(shop, LocateRequest("cart price items", max_files=1, max_definitions=2))
    assert (len(answer.files), len(answer.definitions)) == (1, 2)
    with pytest.raises(QueryRefusedError):
        locate(shop, LocateRequest(" \n"))
    with pytest.raises(NotFoundError):
        locate(shop, LocateRequest("x", ("nowhere",)))


def test_many_repositories_answer_together(town: Any) -> None:
    answer = locate(town, LocateRequest("withdraw money of an Account takes too much"))
    assert answer.files[0].id == "bank:bank/account.py"
    assert {place.repository for place in answer.files} == {"shop", "bank"}


def test_callers_and_bases_of_named_definitions_rank_higher(make_library: Callable[..., Any]) -> None:
    """The members that count without a shared word are those that call the task's names, or that those inherit."""
    texts = {
        "a.py": "class Base:\n    def keep(self):\n        return 1\n\n\nclass Named(Base):\n    def other(self):\n        return 2\n"
    }
    library = make_library({"r": texts})
    index_with(
        library,
        RelationshipTable("INHERITS", "Class", "Class", ["r:a.py::Named"], ["r:a.py::Base"], {}),
        RelationshipTable("CALLS", "Function", "Class", ["r:a.py::Base.keep"], ["r:a.py::Named"], {"count": [1]}),
    )
    index = library.indexes.open("r")
    keep, other = (index.places.by_id[f"r:a.py::{name}"] for name in ("Base.keep", "Named.other"))
    features = gather(index, extract_mentions("`Named` is wrong"), None).places
    assert features["in_base_of_named"][keep] > 0
    assert features["calls_named"][keep] > 0
    assert features["in_base_of_named"][other] == features["calls_named"][other] == 0


def test_frame_of_a_nested_function_counts_for_the_enclosing_one(make_library: Callable[..., Any]) -> None:
    text = "def outer():\n    def inner():\n        return 1\n    return inner\n\n\ndef other():\n    return 2\n"
    library = make_library({"r": {"pkg/a.py": text}})
    trace = 'Boom\n\nTraceback (most recent call last):\n  File "/x/pkg/a.py", line 3, in inner\nKaputt'
    evidence = gather(library.indexes.open("r"), extract_mentions(trace), None)
    places = library.indexes.open("r").places
    frame = {places.qualname(place): float(evidence.places["frame"][place]) for place in range(1, len(places))}
    assert frame == {"outer": 1.0, "outer.inner": 1.0, "other": 0.0}


BUNDLED = {
    "pkg/packages/urllib3/pool.py": True,
    "pkg/packages/__init__.py": False,
    "pkg/extern/six.py": True,
    "dist/node/shop.cjs": True,
    "dist/wheel.py": False,
    "src/dist/shop.ts": False,
    "pkg/static/admin/jquery-3.5.1.js": True,
    "pkg/static/vendor.js": False,
    "pkg/static/js/jquery.js": True,
    "packages/core/src/index.js": False,
    "src/jquery.js": False,
    "docs/release-1.2.js/x.py": False,
}


def test_copies_of_other_projects_are_recognized(make_library: Callable[..., Any]) -> None:
    library = make_library({"r": dict.fromkeys(BUNDLED, "x = 1\n")})
    index = library.indexes.open("r")
    assert dict(zip(index.places.columns.paths, index.names_lookup.bundled.tolist(), strict=True)) == BUNDLED


def test_function_around_a_whole_file_comes_after_its_own_definitions(make_library: Callable[..., Any]) -> None:
    rows = "\n".join(f"  var unrelated{number} = {number};" for number in range(120))
    text = f"(function () {{\n{rows}\n  function formatPrice(value) {{ return value; }}\n}})();\n"
    library = make_library({"r": {"lib/price.js": text}})
    answer = locate(library, LocateRequest("price format is wrong: value unrelated"))
    assert answer.definitions[0].qualname.endswith("formatPrice")


def test_called_class_brings_its_constructor(make_library: Callable[..., Any]) -> None:
    text = "class Basket:\n    def __init__(self, size):\n        self.size = size\n\n    def clear(self):\n        self.size = 0\n"
    library = make_library({"r": {"a.py": text}})
    evidence = gather(library.indexes.open("r"), extract_mentions("`Basket(3)` raises"), None)
    places = library.indexes.open("r").places
    found = {places.qualname(place) for place in range(len(places)) if evidence.places["constructor"][place] > 0}
    assert found == {"Basket.__init__"}


def test_helper_called_by_the_named_function_is_found(make_library: Callable[..., Any]) -> None:
    text = "def publish():\n    return alpha(1)\n\n\ndef alpha(x):\n    return x\n\n\ndef beta(x):\n    return x\n"
    library = make_library({"r": {"a.py": text}})
    calls = RelationshipTable("CALLS", "Function", "Function", ["r:a.py::publish"], ["r:a.py::alpha"], {"count": [1]})
    index_with(library, calls)
    assert "called by code named in the task" in str(locate(library, LocateRequest("`publish` is wrong")))


def test_best_definition_lifts_its_file(make_library: Callable[..., Any]) -> None:
    index = make_library({"r": {"a.py": "def f():\n    return 1\n", "b.py": "x = 1\n"}}).indexes.open("r")
    evidence = gather(index, extract_mentions("nothing"), None)
    files = rank_by(index, evidence).files
    assert files[index.places.by_path["a.py"]] > files[index.places.by_path["b.py"]]


def test_explained_features_sum_up_to_the_score(shop: Any) -> None:
    task = "pay with the till at src/shop/till.py fails, see the test and README"
    plain, explained = (locate(shop, LocateRequest(task, max_files=100, explain=explain)) for explain in (False, True))
    assert not any(place.features for place in (*plain.files, *plain.definitions))
    assert [place.id for place in plain.files] == [place.id for place in explained.files]
    for places, weights in ((explained.files, FILE_WEIGHTS), (explained.definitions, DEFINITION_WEIGHTS)):
        assert places
        for place in places:
            assert {*weights, *DEMOTIONS} <= {feature.name for feature in place.features}
            total = sum(feature.value * feature.weight for feature in place.features)
            assert total == pytest.approx(place.score, abs=1e-3), place
    assert any(one.name == "test" and one.value for place in explained.files for one in place.features)
