"""Values that the embedded engine must not answer end a query with a reason in our words, and rewrites do not grow without bound."""

from collections.abc import Iterator

import pytest

from repoquarry.graphstore.errors import GraphStoreError, QueryFailedError, QueryLimitError, QueryRefusedError
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure, failing_expression, parse_failures
from repoquarry.graphstore.query.cypher.syntax.render import expression
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import sample_graph


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(StoreSettings(tmp_path_factory.mktemp("failures"), embedding=None), writable=True) as opened:
        opened.engine.replace_repository(sample_graph("shop"))
        yield opened


@pytest.mark.parametrize(
    ("query", "failure"),
    [
        ("UNWIND [0.0] AS z RETURN 0.0 / z AS x", RuntimeFailure.NOT_A_NUMBER),
        ("UNWIND [1e10] AS f RETURN toString(f) AS x", RuntimeFailure.EXPONENT),
        ("UNWIND ['[1]'] AS t RETURN reverse(t) AS x", RuntimeFailure.LIST_LIKE_STRING),
        ("UNWIND ['1234567890.1234567'] AS t RETURN toInteger(t) AS x", RuntimeFailure.TEXT_AS_NUMBER),
        ("UNWIND ['1f'] AS t RETURN toFloat(t) AS x", RuntimeFailure.TEXT_AS_NUMBER),
        ("UNWIND ['\\u00a0x'] AS t RETURN trim(t) AS x", RuntimeFailure.WHITE_SPACE),
        ("UNWIND [1e15] AS f RETURN round(f + 0.125, 2) AS x", RuntimeFailure.TOO_LARGE_TO_ROUND),
        ("MATCH (a:Module) MATCH p = shortestPath((a)-[*..2]-(a)) RETURN p", RuntimeFailure.SAME_ENDS),
    ],
)
def test_a_value_that_cannot_be_answered_is_refused_with_its_reason(
    store: Store, query: str, failure: RuntimeFailure
) -> None:
    with pytest.raises(QueryRefusedError) as caught:
        store.query(query)
    assert caught.value.reason == "value_not_portable"
    assert failure.message in str(caught.value)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("UNWIND range(1, 1000000000) AS x RETURN x", QueryLimitError),
        ("UNWIND range(1, 5000) AS x RETURN size(range(x, x + 5000)) AS n", QueryLimitError),
        ("UNWIND [0] AS z RETURN 1 / z AS x", QueryFailedError),
        ("UNWIND [-1] AS n RETURN left('abc', n) AS x", QueryFailedError),
    ],
)
def test_runtime_failures_hide_messages_of_the_engine(store: Store, query: str, kind: type[GraphStoreError]) -> None:
    with pytest.raises(kind) as caught:
        store.query(query)
    assert "Cypher execution error" not in str(caught.value)
    assert "max_work_units" not in str(caught.value)


def test_an_engines_message_tells_which_failure_it_was() -> None:
    for failure in RuntimeFailure:
        largest, number = expression(failing_expression(failure)).split(" + ")
        assert parse_failures(f"Integer overflow in addition: {largest} + {number} is outside the range") is failure
    assert parse_failures("Integer overflow in addition: 9223372036854775807 + 1 is outside the range") is None


def test_long_sums_of_values_of_unknown_type_stay_short() -> None:
    def sent(terms: int) -> int:
        total = " + ".join(f"row.c{i}" for i in range(terms))
        return len(admit(f"UNWIND $rows AS row RETURN {total} AS x", {"rows": [{"c0": 1}]}, "kglite").text)

    assert sent(20) < 12 * sent(4)
