"""Completion offers what the schema has at a position, and nothing inside texts and comments."""

import pytest

from repoquarry.graphstore.query.cypher.completion import MAX_ITEMS, complete_query


@pytest.mark.parametrize(
    ("before", "item", "kind"),
    [
        ("MATCH (n:Cl", "Class", "label"),
        ("MATCH (n:Class|Fu", "Function", "label"),
        ("MATCH (a)-[r:CA", "CALLS", "relationship"),
        ("MATCH (a)-[:CALLS|IMP", "IMPORTS", "relationship"),
        ("MATCH (n:Class) WHERE n.na", "name", "property"),
        ("MATCH (n:Class {qual", "qualname", "property"),
        ("MATCH (n:Class) RETURN n.name OR", "ORDER BY", "keyword"),
        ("MATCH (some_node) RETURN some", "some_node", "variable"),
        ("RETURN toLo", "toLower(", "function"),
        ("MATCH (n) WHERE n:Mod", "Module", "label"),
    ],
)
def test_the_first_item_fits(before: str, item: str, kind: str) -> None:
    found = complete_query(before, len(before))
    assert (found.items[0].text, found.items[0].kind) == (item, kind)
    assert item.lower().startswith(before[found.start :].lower())


def test_properties_are_those_of_the_label_wherever_it_stands() -> None:
    text = "MATCH (r:Repository) WHERE r. RETURN r"
    names = {item.text for item in complete_query(text, text.index(". ") + 1).items}
    assert "commit" in names
    assert "signature" not in names


@pytest.mark.parametrize("before", ["RETURN 'n.na", 'RETURN "MATCH (n:', "// MATCH (n:", "/* MATCH (n:"])
def test_texts_and_comments_complete_nothing(before: str) -> None:
    assert complete_query(before, len(before)).items == ()


def test_positions_outside_are_cut_and_items_bounded() -> None:
    assert complete_query("RETURN 1", 10_000).start == 7
    assert len(complete_query("", 0).items) == MAX_ITEMS
