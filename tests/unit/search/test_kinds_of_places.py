"""What localisation knows of places by their kinds and names alone, in any language."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from repoquarry.graphstore.search.index.name_lookup import NameIndex
from repoquarry.graphstore.search.index.place_extraction import extract_places
from repoquarry.graphstore.search.index.places import Places
from repoquarry.graphstore.search.localization_features import _bare_classes
from repoquarry.languages.registry import language_for, load
from tests.outline_graph import outline


def places_of(files: Mapping[str, str]) -> Places:
    facts = [language_for(path).extract(path, text.encode()) for path, text in sorted(files.items())]
    return extract_places(outline("r", facts, []))


def test_files_of_one_folder_and_stem_are_twins() -> None:
    places = places_of(
        {"src/store.c": "int a;\n", "src/store.h": "int a;\n", "lib/store.c": "int b;\n", "src/cart.c": "int c;\n"}
    )
    found = [[places.columns.paths[file] for file in twins] for twins in NameIndex(places).twins]
    assert found == [["src/store.c", "src/store.h"]]


def test_classes_without_functions_are_told_from_the_others() -> None:
    places = places_of(
        {"a.rs": "struct Bare { a: u8 }\nstruct Full;\nimpl Full { fn go(&self) {} }\nenum Kind { A }\n"}
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
