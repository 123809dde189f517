"""Documentation inside definitions is told from their code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from repoquarry.graphstore.search.index.place_extraction import find_leading_comments, mark_documentation_lines
from repoquarry.ingest.files.worker_main import spans_of_source
from repoquarry.languages.registry import language_for

SOURCE = '''"""Of the module: not inside a definition."""

class Cart:
    r"""
    What a customer wants
    to buy.
    """

    def add(self, item):
        """Put an item into the cart."""
        query = """Put an item into
        the database"""
        return query

    def total(self): return "Sum of all prices."

    @cached
    def price(self):
        \'\'\'Sum of the prices,

        and of nothing else.\'\'\'
        return 0

    def silent(self):
        # Says nothing.
        return 1
'''


def documented(library: Any, path: str) -> list[str]:
    index = library.indexes.open("r")
    text = library.source_text("r", path)
    lines = mark_documentation_lines(index.places.standing(index.places.by_path[path]), text)
    assert len(lines) == text.count("\n") + 1
    return [line.strip() for line, is_documentation in zip(text.split("\n"), lines, strict=True) if is_documentation]


def test_documentation_goes_from_quote_to_quote(make_library: Callable[..., Any]) -> None:
    assert documented(make_library({"r": {"cart.py": SOURCE}}), "cart.py") == [
        'r"""',
        "What a customer wants",
        "to buy.",
        '"""',
        '"""Put an item into the cart."""',
        "'''Sum of the prices,",
        "",
        "and of nothing else.'''",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("x = 1", []),
        ('def f():\n    "Says what."', ['"Says what."']),
        ("def f(): 'Says what.'\n", []),
        ("def f():\n    'Says what it is'\n    return 'it'\n", ["'Says what it is'"]),
    ],
)
def test_odd_texts_are_read(make_library: Callable[..., Any], text: str, found: list[str]) -> None:
    assert documented(make_library({"r": {"a.py": text}}), "a.py") == found


def test_code_is_searched_without_documentation(make_library: Callable[..., Any]) -> None:
    index = make_library({"r": {"cart.py": SOURCE}}).indexes.open("r")
    add = index.places.by_id["r:cart.py::Cart.add"]
    (customer, cart, database) = index.vocabulary.numbers(["custom", "cart", "databas"]).tolist()
    assert add in index.body.documents_with(cart)
    assert add not in index.code.documents_with(cart)
    assert add in index.code.documents_with(database)
    assert not len(index.code.documents_with(customer))


ABOVE = """package p

// Cart is what a customer
// wants to buy.
type Cart struct{}

/* Other. */
/*
 * Add puts an item in.
 */
func Add(item Item) {}

// stands apart

func Apart() {}
"""


def test_a_comment_above_a_definition_is_its_documentation_where_the_graph_took_it_for_that() -> None:
    facts = language_for("a.go").extract("a.go", ABOVE.encode())
    standing = spans_of_source(facts)
    found = {(standing.qualname(place), first, last) for place, first, last in find_leading_comments(standing, ABOVE)}
    assert found == {("Cart", 2, 3), ("Add", 7, 9)}
