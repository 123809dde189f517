"""Every rule of every dialect does to its example what the table says."""

from __future__ import annotations

import pytest

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher import dialects
from repoquarry.graphstore.query.cypher.dialect import DialectRule
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES

_PARAMETERS: dict[str, Value] = {"id": "x", "key": "name", "rows": [{"type": "a"}], "a b": 1}
_RULES = [(name, rule) for name in dialects.names() for rule in dialects.load(name).rules if rule.example]


@pytest.mark.parametrize(("engine", "rule"), _RULES, ids=[f"{name} {rule.construct}" for name, rule in _RULES])
def test_the_example_of_a_rule_meets_the_rule(engine: str, rule: DialectRule) -> None:
    if rule.change is not None:
        assert rule.construct in admit(rule.example, _PARAMETERS, engine).rewrites
        return
    with pytest.raises(QueryRefusedError) as refusal:
        admit(rule.example, _PARAMETERS, engine)
    assert refusal.value.reason in (rule.reason, "type_mismatch")


@pytest.mark.parametrize("engine", dialects.names())
def test_every_function_of_neo4j_either_passes_or_is_refused_with_a_reason(engine: str) -> None:
    dialect = dialects.load(engine)
    assert dialect.functions.isdisjoint(dialect.missing_functions)
    assert dialect.functions | set(dialect.missing_functions) == set(SIGNATURES)


def test_an_unknown_dialect_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="kglite, neo4j"):
        admit("RETURN 1 AS x", {}, "nosuch")
