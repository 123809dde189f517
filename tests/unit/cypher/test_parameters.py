"""Parameters and queries of odd shapes get an error of their own on every engine, never one from Python or a driver."""

import contextlib
import math
from collections.abc import Iterator

import pytest

from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.graph_engine import QueryLimits, with_plain_parameters
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.dialect import DIALECT_NAMES
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.cypher.semantics.types import type_of_value
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import sample_graph
from tests.steps import steps
from tests.unit.cypher.attacks import refusal


def _nested(levels: int, *, in_maps: bool = False) -> Value:
    value: Value = 1
    for _ in range(levels):
        value = {"a": value} if in_maps else [value]
    return value


_BAD: list[Value] = [
    "a\ud800b", ["\udfff"], {"\ud800": 1}, _nested(100), _nested(100, in_maps=True), _nested(5_000), 2**63, [-(2**70)],
]  # fmt: skip


@pytest.mark.parametrize("engine", DIALECT_NAMES)
@pytest.mark.parametrize("value", _BAD, ids=range(len(_BAD)))
def test_a_value_that_no_engine_takes_is_refused(engine: str, value: Value) -> None:
    assert refusal("RETURN $p AS x", {"p": value}, engine).reason == "bad_parameter"


@pytest.mark.parametrize("name", ["\ud800", "a\udc00"])
def test_a_name_that_cannot_be_sent_is_refused(name: str) -> None:
    assert "parameter" in str(refusal("RETURN 1 AS x", {name: 1}))


def test_numbers_that_are_not_finite_are_refused_where_they_would_compare_otherwise() -> None:
    admit("RETURN $p AS x", {"p": math.nan}, "neo4j")
    assert "NaN" in str(refusal("RETURN $p AS x", {"p": [math.inf]}))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("wide")
    with Store.open(StoreSettings(folder, embedding=None), writable=True) as opened:
        opened.engine.replace_repository(sample_graph("shop"))
        yield opened


_WIDE = {
    "300 properties": "MATCH (m:Module) RETURN " + ", ".join(f"m.p{i} AS c{i}" for i in range(300)),
    "900 patterns": "MATCH " + ", ".join(f"(a{i}:Module {{name: 'x'}})" for i in range(900)) + " RETURN count(*) AS n",
    "300 UNION": " UNION ".join(f"RETURN {i} AS x" for i in range(300)),
    "1000 parentheses": "RETURN " + "(" * 1000 + "1" + ")" * 1000 + " AS x",
    "1000 NOT": "RETURN " + "NOT " * 1000 + "true AS x",
    "1000 AND": "MATCH (m:Module) WHERE " + " AND ".join(f"m.lines <> {i}" for i in range(1000)) + " RETURN m.id",
    "sums of unknown values": "MATCH (m:Module) WITH {a: m.name} AS o RETURN " + " + ".join(["o.a"] * 100) + " AS x",
    "keys of unknown values": "WITH {a: 1} AS m RETURN m" + ".a" * 100 + " AS x",
}


@pytest.mark.parametrize("query", _WIDE.values(), ids=list(_WIDE))
def test_deep_and_wide_queries_answer_or_fail_with_a_graph_store_error(store: Store, query: str) -> None:
    with contextlib.suppress(GraphStoreError):
        assert store.query(query, limits=QueryLimits(seconds=20)).columns


def test_long_lists_of_one_type_are_checked_without_a_step_for_each_item() -> None:
    parameters: dict[str, Value] = {"p": [f"text {number}" for number in range(90_000)]}
    admit("UNWIND $p AS x RETURN count(x) AS n", parameters, "kglite")
    assert steps(lambda: admit("UNWIND $p AS x RETURN count(x) AS n", parameters, "kglite")) < 5_000


def test_the_type_of_a_list_counts_every_kind_of_item() -> None:
    mixed = type_of_value([1, "a", [1.5], ["b"], None, True])
    assert mixed == type_of_value([True, None, ["b"], [1.5], "a", 1])
    assert mixed != type_of_value([1, "a", [1.5], None, True])


def test_plain_names_change_nothing() -> None:
    text = "MATCH (n) WHERE n.name = $name RETURN n SKIP $skip LIMIT $limit"
    given: dict[str, Value] = {"name": "a", "skip": 1, "limit": 2}
    assert with_plain_parameters(text, given) == (text, given)


def test_odd_parameter_names_are_replaced_everywhere() -> None:
    text = "RETURN $`two words` + $größe AS `$größe`, '$größe \\' $größe' AS s, $größer AS t // $größe\n, $given1 AS u"
    changed, given = with_plain_parameters(text, {"two words": 1, "größe": 2, "größer": 3, "given1": 4})
    assert changed == (
        "RETURN $given2 + $given3 AS `$größe`, '$größe \\' $größe' AS s, $given4 AS t // $größe\n, $given1 AS u"
    )
    assert given == {"given2": 1, "given3": 2, "given4": 3, "given1": 4}


def test_a_backtick_in_a_name_is_written_twice() -> None:
    assert with_plain_parameters("RETURN $`a``b` AS x", {"a`b": 1}) == ("RETURN $given1 AS x", {"given1": 1})
