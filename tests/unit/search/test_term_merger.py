"""Files put together: numbers as numpy's own functions give them, and what is said of a field gone once it is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from repoquarry.graphstore.search.index.places import DefinitionSpans
from repoquarry.graphstore.search.index.postings import build_postings
from repoquarry.graphstore.search.index.term_extraction import count_file_terms
from repoquarry.graphstore.search.index.term_merger import TermMerger, _numbered, write_terms


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


def test_what_is_said_of_files_is_given_up_while_they_are_put_together(tmp_path: Path) -> None:
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
