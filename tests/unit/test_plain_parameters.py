"""Parameters get names that every parser reads, and nothing else of a query changes."""

from repoquarry.graphstore.graph_engine import with_plain_parameters
from repoquarry.graphstore.model.values import Value


def test_plain_names_change_nothing() -> None:
    text = "MATCH (n) WHERE n.name = $name RETURN n SKIP $skip LIMIT $limit"
    given: dict[str, Value] = {"name": "a", "skip": 1, "limit": 2}
    assert with_plain_parameters(text, given) == (text, given)


def test_odd_names_are_replaced_wherever_they_stand_for_a_parameter() -> None:
    text = "RETURN $`two words` + $größe AS `$größe`, '$größe \\' $größe' AS s, $größer AS t // $größe\n, $given1 AS u"
    changed, given = with_plain_parameters(text, {"two words": 1, "größe": 2, "größer": 3, "given1": 4})
    assert changed == (
        "RETURN $given2 + $given3 AS `$größe`, '$größe \\' $größe' AS s, $given4 AS t // $größe\n, $given1 AS u"
    )
    assert given == {"given2": 1, "given3": 2, "given4": 3, "given1": 4}


def test_a_backtick_in_a_name_is_written_twice() -> None:
    assert with_plain_parameters("RETURN $`a``b` AS x", {"a`b": 1}) == ("RETURN $given1 AS x", {"given1": 1})
