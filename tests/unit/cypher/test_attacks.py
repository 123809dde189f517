"""Nothing but one bounded reading query passes the gate, on any dialect."""

from __future__ import annotations

import pytest

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.query.cypher import dialects
from repoquarry.graphstore.query.cypher.gate import admit
from tests.unit.cypher.attacks import ATTACKS


def test_there_are_at_least_a_hundred_attacks() -> None:
    assert len({query for _, query in ATTACKS}) >= 100


@pytest.mark.parametrize("engine", dialects.names())
@pytest.mark.parametrize(("reason", "query"), ATTACKS, ids=[query[:50] for _, query in ATTACKS])
def test_attack_is_refused_with_its_reason_and_place(engine: str, reason: str, query: str) -> None:
    with pytest.raises(QueryRefusedError) as refusal:
        admit(query, {}, engine)
    assert refusal.value.reason == reason
    assert refusal.value.line is not None
    assert refusal.value.column is not None
    assert refusal.value.line >= 1
    assert refusal.value.column >= 1


def test_an_escaped_quote_cannot_end_a_string_for_the_engine() -> None:
    passed = admit("MATCH (n) WHERE n.name = 'a\\u0027 DELETE n //' RETURN n.name", {}, "neo4j")
    assert passed.text == "MATCH (n) WHERE n.name = 'a\\' DELETE n //' RETURN n.name AS `n.name`"
