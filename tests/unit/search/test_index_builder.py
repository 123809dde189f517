"""Builder of the search index: from nothing, from the previous index, and its merging of terms."""

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.search.embeddings.embedder import Embedder
from repoquarry.graphstore.search.index.builder import IndexBuilder, PreviousIndex, ReusedFiles, build_index
from repoquarry.graphstore.search.index.place_extraction import extract_places
from repoquarry.graphstore.search.index.place_vectors import embed_places
from repoquarry.graphstore.search.index.places import DefinitionSpans
from repoquarry.graphstore.search.index.postings import build_postings
from repoquarry.graphstore.search.index.search_index import SearchIndex
from repoquarry.graphstore.search.index.term_extraction import FileTerms, count_file_terms
from repoquarry.graphstore.search.index.term_merger import TermMerger, _numbered, write_terms
from repoquarry.graphstore.search.text_analysis import terms


def count(index: SearchIndex, field: str, term: str, id: str) -> int:
    number = int(index.vocabulary.numbers([term])[0])
    postings = getattr(index, field)
    run = slice(postings.first[number], postings.first[number + 1]) if number >= 0 else slice(0)
    return int(postings.counts[run][postings.documents[run] == index.places.by_id[id]].sum())


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
    assert shop.indexes.document_frequencies("shop", [terms("price")[0], "nowhere"]) == [2, 0]


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
    """The index of all texts, with their definitions so many lines too far up."""
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


Files = dict[str, str]


def _file(rng: random.Random) -> str:
    words = ["price", "cart_item", "retry_headers", "joinPaths", "'could not open it'", f"word{rng.randrange(40)}"]
    parts = [f'"""{rng.choice(words)} {rng.choice(words)}."""' if rng.random() < 0.5 else ""]
    for number in range(rng.randrange(4)):
        said = " + ".join(rng.choices(words, k=rng.randrange(1, 5)))
        parts.append(f"def {rng.choice(['load', 'save'])}_{number}(x):\n    y = {said}\n    return y\n")
    return "\n".join(parts)


def _change(files: Files, rng: random.Random) -> Files:
    after = dict(files)
    for _ in range(rng.randrange(4)):
        path = rng.choice(sorted(after))
        match rng.randrange(4):
            case 0:
                after[path] = _file(rng)
            case 1:
                after[f"a{rng.randrange(9)}/{path.rsplit('/', 1)[-1]}"] = after.pop(path)
            case 2:
                after[f"m{rng.randrange(99)}.py"] = _file(rng)
            case _ if len(after) > 1:
                del after[path]
    return after


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("embeds", [False, True])
def test_it_has_the_bytes_of_a_new_one(
    make_library: Callable[..., Any], embedder: Embedder, tmp_path: Path, seed: int, embeds: bool
) -> None:
    rng, model = random.Random(seed), embedder if embeds else None
    before = {f"m{number}.py": _file(rng) for number in range(6)} | {"read.md": "# Prices\n\nof a cart item\n"}
    after = _change(before, rng)
    library = make_library({"before": before, "after": after})
    build_index(library.graph("before"), before.__getitem__, tmp_path / "before", model)
    build_index(library.graph("after"), after.__getitem__, tmp_path / "anew" / "r", model)
    keys = {path: _key(text) for path, text in before.items()}
    earlier = PreviousIndex.open(tmp_path / "before", keys, model.revision if model is not None else None)
    kept = frozenset(path for path, text in after.items() if earlier.holds(path, _key(text)))
    places, read = extract_places(library.graph("after")), list[str]()

    def text_of(path: str) -> str:
        read.append(path)
        return after[path]

    with IndexBuilder(tmp_path / "spliced", text_of, model) as draft:
        standings = [places.standing(places.by_path[path]) for path in sorted(after.keys() - kept)]
        files = [(one.path, count_file_terms(one, after[one.path])) for one in standings]
        draft.index_texts(files, ReusedFiles(earlier, kept))
        draft.index_vectors({}, lambda path: places.standing(places.by_path[path]))
        draft.finish(library.graph("after"), tmp_path / "spliced" / "r")
    found, expected = _bytes_of(tmp_path / "spliced" / "r"), _bytes_of(tmp_path / "anew" / "r")
    found.pop("header.msgpack"), expected.pop("header.msgpack")  # names the repository
    assert [name for name in expected if found.get(name) != expected[name]] == []
    assert set(read) <= after.keys() - kept, "a file that is kept is not read"


def test_damaged_index_and_index_of_another_model_are_refused(
    make_library: Callable[..., Any], embedder: Embedder, tmp_path: Path
) -> None:
    files = {"a.py": "def price(x):\n    return x\n"}
    build_index(make_library({"one": files}).graph("one"), files.__getitem__, tmp_path / "r", embedder)
    with pytest.raises(NotFoundError):
        PreviousIndex.open(tmp_path / "r", {}, "another model")
    counts = tmp_path / "r" / "body.counts.npy"
    counts.write_bytes(counts.read_bytes()[:-1] + b"\x7f")
    with pytest.raises(StoreCorruptError, match="body"):
        PreviousIndex.open(tmp_path / "r", {}, embedder.revision)


@pytest.mark.parametrize("size", [0, 1, 7, 5_000])
def test_digests_are_numbered_in_ascending_order(size: int) -> None:
    found = np.random.default_rng(size).integers(0, max(size // 3, 1), size).astype(np.uint64) << np.uint64(40)
    distinct, expected = np.unique(found, return_inverse=True)
    numbers, vocabulary = _numbered(found)
    assert numbers.tolist() == expected.tolist()
    assert vocabulary.sorted_digests.tolist() == distinct.tolist()


@pytest.mark.parametrize("size", [0, 1, 4_000])
def test_triples_in_any_order_are_added_up(size: int) -> None:
    random = np.random.default_rng(size)
    shape = (31, 57)
    documents, terms, counts = (random.integers(0, most, size, dtype=np.int32) for most in (*shape, 9))
    table = np.zeros(shape, dtype=np.int64)
    np.add.at(table, (documents, terms), counts)
    told = np.zeros(shape, dtype=bool)
    told[documents, terms] = True
    postings = build_postings(documents, terms, counts, shape)
    held_terms, held_documents = np.nonzero(told.T)
    assert postings.documents.tolist() == held_documents.tolist()
    assert postings.counts.tolist() == table[held_documents, held_terms].tolist()
    assert postings.first.tolist() == np.searchsorted(held_terms, np.arange(shape[1] + 1)).tolist()
    assert postings.lengths.tolist() == table.sum(axis=1).tolist()


def test_terms_of_files_are_released_while_they_are_merged(tmp_path: Path) -> None:
    nothing = np.zeros(0, dtype=np.int32)
    files = [
        count_file_terms(
            DefinitionSpans(path, (), (), nothing, nothing, nothing, nothing), f"alpha beta {path} 'gamma delta'\n"
        )
        for path in ("a.py", "b.py")
    ]
    merge = TermMerger(files)
    for _, postings in merge.fields():
        assert len(postings.documents)
    for pairs in merge.pairs():
        assert len(pairs.postings.documents)
    assert not merge._parts
    write_terms(files, tmp_path)
    assert not files
    assert (tmp_path / "vocabulary.npy").exists()
