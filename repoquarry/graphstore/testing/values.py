"""Values survive storing and reading unchanged on every engine: every string, 64-bit integers, all floats, lists, nulls."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.fixtures import EngineOpener
from repoquarry.graphstore.testing.sample_graphs import GraphBuilder, sample_graph
from repoquarry.graphstore.testing.untrusted_queries import ask_outside

_ALL = QueryLimits(seconds=60, rows=0, bytes=0)
_AWKWARD = [
    "", " ", " lead", "trail ", "\t\n\r\x0b", "\x00", "\x01\x1f\x7f\x85", '["x"]', "['x']", "[1, 2]", "[]", "{}", '{"a": 1}',
    "null", "None", "NaN", "nan", "true", "True", "123", "-0", "1e5", "0x1f", "2020-01-01", "2020-01-01T00:00:00Z", "12:00",
    "P1D", '"quoted"', "'quoted'", "`back`", "back\\slash", "\\u0041", "$parameter", "// comment", "𝕌🐍", "\ud7ff\ue000\uffff",
    "e\u0301", "\u202eright to left", "İı", "\U0010ffff",
]  # fmt: skip
_TEXT = st.one_of(st.sampled_from(_AWKWARD), st.text(max_size=40))
_WHOLE = st.one_of(st.sampled_from([0, 1, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63)]), st.integers(-(2**63), 2**63 - 1))
_REAL = st.one_of(
    st.sampled_from([0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308, 0.1]), st.floats()
)
_CASES = st.lists(
    st.fixed_dictionaries(
        {
            "name": _TEXT,
            "docstring": st.none() | _TEXT,
            "decorators": st.none() | st.lists(_TEXT, max_size=4),
            "calls_in": _WHOLE,
            "importance": _REAL,
            "is_test": st.booleans(),
            "lines": st.lists(_WHOLE, max_size=4),
            "how": _TEXT,
            "confidence": _REAL,
        }
    ),
    min_size=1,
    max_size=30,
)


@pytest.fixture(scope="module")
def values_engine(open_engine: EngineOpener, shared_engine_settings: StoreSettings) -> Iterator[GraphEngine]:
    """One engine for all examples: each of them replaces the repository of the one before."""
    opened = open_engine(shared_engine_settings, writable=True)
    try:
        yield opened
    finally:
        opened.close()


def _graph(cases: list[dict[str, Value]]) -> RepositoryGraph:
    b = GraphBuilder("values")
    b.repository_node()
    module = b.module("values.py")
    first = b.define("Function", module, "first", 1)
    for number, case in enumerate(cast("Sequence[Mapping[str, Any]]", cases)):
        class_ = b.node(
            "Class", f"class{number:03}", str(case["name"]), path="values.py", qualname="C", start_line=1, end_line=2,
            language="python", kind="class", docstring=case["docstring"], decorators=case["decorators"],
            importance=case["importance"], is_test=case["is_test"], calls_in=case["calls_in"],
        )  # fmt: skip
        b.join("CALLS", first, class_, count=1, lines=case["lines"], how=case["how"], confidence=case["confidence"])
    return b.build()


def _same(given_: Value, found: Value) -> bool:
    """Equal in kind and value; NaN equals NaN, and -0.0 is not 0.0."""
    return type(given_) is type(found) and repr(given_) == repr(found)


@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(cases=_CASES)
def test_every_value_survives(values_engine: GraphEngine, cases: list[dict[str, Value]]) -> None:
    values_engine.replace_repository(_graph(cases))
    text = """
        MATCH (:Function)-[r:CALLS]->(c:Class)
        RETURN c.name AS name, c.docstring AS docstring, c.decorators AS decorators, c.calls_in AS calls_in,
               c.importance AS importance, c.is_test AS is_test, r.lines AS lines, r.how AS how, r.confidence AS confidence,
               c AS node, r AS relation
        ORDER BY c.id
    """
    found = values_engine.run(text, {}, _ALL)
    assert len(found.rows) == len(cases)
    for case, row in zip(cases, found.rows, strict=True):
        *cells, node, relation = row
        for name, cell in zip(found.columns, cells, strict=False):
            assert _same(case[name], cell), (name, case[name], cell)
        assert isinstance(node, Node)
        assert isinstance(relation, Relationship)
        for name in ("name", "docstring", "decorators", "importance", "calls_in"):
            assert _same(case[name], node.properties.get(name))
        assert _same(case["lines"], relation.properties["lines"])


@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=_TEXT, whole=_WHOLE, real=_REAL, texts=st.lists(_TEXT, max_size=4))
def test_parameters_come_back_unchanged(
    values_engine: GraphEngine, text: str, whole: int, real: float, texts: list[str]
) -> None:
    given_: dict[str, Value] = {"text": text, "whole": whole, "real": real, "texts": list(texts)}
    given_["map"] = {"inner": [text, None, True, {"deeper": whole}]}
    returned = "RETURN $text AS text, $whole AS whole, $real AS real, $texts AS texts, $map AS map"
    for found in (values_engine.run(returned, given_, _ALL), ask_outside(values_engine, returned, given_, _ALL)):
        for name, cell in zip(found.columns, found.rows[0], strict=True):
            assert _same(given_[name], cell), (name, given_[name], cell)


def test_nodes_relationships_and_paths_have_one_form(values_engine: GraphEngine) -> None:
    values_engine.replace_repository(sample_graph())
    text = """
        MATCH p = (m:Module {path: 'shop/app.py'})-[:DEFINES]->(f:Function {name: 'total'})<-[r:CALLS]-(c)
        RETURN p, r, [f.name, c] AS list, {caller: c} AS map, startNode(r).id AS start ORDER BY c.id
    """
    expected = ["shop:shop/app.py::main", "shop:tests/test_app.py::test_total"]
    for found in (values_engine.run(text, {}, _ALL), ask_outside(values_engine, text, {}, _ALL)):
        assert [row[4] for row in found.rows] == expected
        path, call, items, mapped, _ = found.rows[0]
        assert isinstance(path, Path)
        assert [node.id for node in path.nodes] == ["shop:shop/app.py", "shop:shop/app.py::total", expected[0]]
        assert [step.type for step in path.relationships] == ["DEFINES", "CALLS"]
        assert call == path.relationships[1]
        assert call == Relationship(
            "CALLS", expected[0], "Function", "shop:shop/app.py::total", "Function",
            {"count": 2, "lines": [12, 14], "how": "import", "confidence": 1.0, "targets": 0},
        )  # fmt: skip
        caller = path.nodes[2]
        assert caller.labels == ("Function",)
        assert items == ["total", caller]
        assert mapped == {"caller": caller}
        assert set(caller.properties) == {
            "id", "repository", "name", "path", "start_line", "end_line", "qualname", "language", "kind", "signature",
            "entry_points", "is_async", "is_test", "is_generator", "is_abstract", "branches", "calls_in", "calls_out",
        }  # fmt: skip
