"""Documentation lines inside definitions, and kinds of places by their names alone, in any language."""

from collections.abc import Callable
from typing import Any

import pytest

from repoquarry.graphstore.search.index.name_lookup import NameIndex
from repoquarry.graphstore.search.index.place_extraction import (
    extract_places,
    find_leading_comments,
    mark_documentation_lines,
)
from repoquarry.graphstore.search.index.places import qualname_of
from repoquarry.graphstore.search.localization_features import _bare_classes
from repoquarry.ingest.files.worker_main import spans_of_source
from repoquarry.languages.registry import language_for, load
from tests.unit.search.conftest import graph_of

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


def test_files_of_one_folder_and_stem_are_twins() -> None:
    places = extract_places(
        graph_of(
            "r",
            {"src/store.c": "int a;\n", "src/store.h": "int a;\n", "lib/store.c": "int b;\n", "src/cart.c": "int c;\n"},
        )
    )
    found = [[places.columns.paths[file] for file in twins] for twins in NameIndex(places).twins]
    assert found == [["src/store.c", "src/store.h"]]


def test_classes_without_functions_are_recognized() -> None:
    places = extract_places(
        graph_of("r", {"a.rs": "struct Bare { a: u8 }\nstruct Full;\nimpl Full { fn go(&self) {} }\nenum Kind { A }\n"})
    )
    bare = _bare_classes(places)
    assert {places.qualname(place) for place in range(len(places)) if bare[place]} == {"Bare", "Kind"}


@pytest.mark.parametrize(
    ("language", "path", "is_file_of_tests"),
    [
        ("javascript", "src/Cart.test.jsx", True),
        ("typescript", "src/__tests__/cart.ts", False),
        ("typescript", "src/contest.ts", False),
        ("go", "cart_test.go", True),
        ("kotlin", "src/main/CartTest.kt", True),
        ("java", "src/main/java/Latest.java", False),
    ],
)
def test_files_of_tests_by_name(language: str, path: str, is_file_of_tests: bool) -> None:
    from pathspec import GitIgnoreSpec

    assert GitIgnoreSpec.from_lines(load(language).tests.files).match_file(path) is is_file_of_tests


@pytest.mark.parametrize(
    ("key", "qualname"),
    [("K.#run", "K.#run"), ("K.#run#2", "K.#run"), ("K.run#12", "K.run"), ("#a", "#a"), ("run", "run")],
)
def test_qualname_of_a_private_member_keeps_its_name(key: str, qualname: str) -> None:
    assert qualname_of(key) == qualname
