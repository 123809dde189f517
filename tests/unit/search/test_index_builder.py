"""The index: what it counts, that it is whole or absent, and that it is rebuilt when it is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.search import IndexBuilder, SearchIndex, build_index
from repoquarry.graphstore.search.embeddings.embedder import Embedder
from repoquarry.graphstore.search.index.place_extraction import extract_places
from repoquarry.graphstore.search.index.place_vectors import embed_places
from repoquarry.graphstore.search.index.places import DefinitionSpans
from repoquarry.graphstore.search.index.term_extraction import FileTerms, count_file_terms
from repoquarry.graphstore.search.text_analysis import terms


def count(index: SearchIndex, field: str, term: str, id: str) -> int:
    number = int(index.vocabulary.numbers([term])[0])
    place = np.array([index.places.by_id[id]], dtype=np.int32)
    return int(getattr(index, field).count(number, place)[0])


def test_text_belongs_to_its_innermost_definition_and_to_the_functions_around_it(shop: Any) -> None:
    index = shop.indexes.open("shop")
    headers = "shop:shop/parsing/http_headers.py"
    assert count(index, "body", "join", f"{headers}::parse_request_headers.fold") == 1
    assert count(index, "body", "join", f"{headers}::parse_request_headers") == 1
    assert count(index, "body", "join", headers) == 0
    assert count(index, "whole", "join", headers) == 1
    assert count(index, "body", "quantiti", "shop:shop/cart.py::Cart") == 0
    assert count(index, "body", "quantiti", "shop:shop/cart.py::Cart.addItem") == 2


def test_names_are_split_and_the_own_name_counts_most(shop: Any) -> None:
    index = shop.indexes.open("shop")
    assert count(index, "names", "item", "shop:shop/cart.py::Cart.addItem") == 2
    assert count(index, "names", "cart", "shop:shop/cart.py::Cart.addItem") == 2  # path and class
    assert count(index, "names", "http", "shop:shop/parsing/http_headers.py::retry") == 1


def test_document_frequencies_are_those_of_the_text(shop: Any) -> None:
    index = shop.indexes.open("shop")
    numbers = index.vocabulary.numbers([terms("price")[0], "nowhere"])
    assert index.body.frequencies(numbers).tolist() == [2, 0]  # the method and its test
    assert index.document_frequencies[numbers[0]] == 2


def test_an_index_that_is_missing_or_damaged_is_built_again(shop: Any) -> None:
    first = shop.indexes.open("shop")
    assert shop.indexes.open("shop") is first
    shop.indexes.close()
    (first.folder / "header.msgpack").write_bytes(b"\xc1")
    assert len(shop.indexes.open("shop").places) == len(first.places)
    assert shop.graphs_read == 2


def test_a_build_that_is_cancelled_leaves_nothing(shop: Any, tmp_path: Path) -> None:
    class CancelledError(Exception):
        pass

    def cancel(done: int, total: int) -> None:
        if done == 2:
            raise CancelledError

    folder = tmp_path / "indexes" / "r1"
    with pytest.raises(CancelledError):
        build_index(shop.graph("shop"), shop.texts["shop"].__getitem__, folder, progress=cancel)
    assert list(folder.parent.iterdir()) == []


def test_building_twice_gives_the_same_bytes(shop: Any, tmp_path: Path) -> None:
    for name in ("a", "b", "b"):
        build_index(shop.graph("shop"), shop.texts["shop"].__getitem__, tmp_path / name)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def _bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _known(graph: RepositoryGraph, texts: Callable[[str], str], moved: int) -> Iterator[tuple[str, FileTerms]]:
    """What is known of all texts, with their definitions so many lines too far up."""
    places = extract_places(graph)
    for file in range(places.file_count):
        found = places.standing(file)
        standing = replace(found, end_lines=found.end_lines - moved)
        yield standing.path, FileTerms.decode(count_file_terms(standing, texts(standing.path)).encode())


@pytest.mark.parametrize("moved", [0, 1])
def test_texts_indexed_beforehand_give_the_same_bytes(
    shop: Any, tmp_path: Path, embedder: Embedder, moved: int
) -> None:
    graph, texts, files = shop.graph("shop"), shop.texts["shop"].__getitem__, list[int]()
    build_index(graph, texts, tmp_path / "whole" / "r1", embedder)
    with IndexBuilder(tmp_path / "drafted", texts, embedder, progress=lambda done, total: files.append(done)) as draft:
        known = list(_known(graph, texts, moved))
        places = extract_places(graph)
        first = places.columns.paths[0]
        vectors = {} if moved else {first: embed_places([places.standing(0)], [texts(first)], embedder)[0]}
        draft.index_texts(known)
        draft.index_vectors(vectors, lambda path: places.standing(places.by_path[path]))
        seen = len(files)
        draft.finish(graph, tmp_path / "drafted" / "r1")
    assert _bytes_of(tmp_path / "drafted" / "r1") == _bytes_of(tmp_path / "whole" / "r1")
    assert (len(files) > seen) is bool(moved), (
        "texts are read a second time only when their definitions stand elsewhere"
    )


def test_a_draft_that_is_not_finished_leaves_nothing(shop: Any, tmp_path: Path) -> None:
    with IndexBuilder(tmp_path / "indexes", shop.texts["shop"].__getitem__) as draft:
        known = _known(shop.graph("shop"), shop.texts["shop"].__getitem__, 0)
        draft.index_texts(known)
        draft.index_vectors({}, dict[str, DefinitionSpans]().__getitem__)
    assert list((tmp_path / "indexes").iterdir()) == []


def test_an_empty_repository_and_odd_texts_can_be_indexed(make_library: Callable[..., Any]) -> None:
    library = make_library(
        {"empty": {}, "odd": {"a.py": "", "b.py": "\n\n", "ü.py": "größe = 'naïve'\r\n", "c.md": "\0"}}
    )
    assert len(library.indexes.open("empty").places) == 0
    assert len(library.indexes.open("odd").places) == 4
