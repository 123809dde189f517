"""Messages in string literals are found by what a report quotes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from repoquarry.graphstore.search import LocateRequest, locate
from repoquarry.graphstore.search.index.places import DefinitionSpans
from repoquarry.graphstore.search.index.postings import digests
from repoquarry.graphstore.search.index.term_extraction import count_file_terms, pairs

RAISING = """class Config:
    def load(self, path):
        if not path:
            raise ValueError(
                "no number is assigned for %s: %s" % (self, path))
        return 'plain'
"""
OTHER = RAISING.replace("no number is assigned for", "assigned, but no number: for").replace("Config", "Setup")


def test_pairs_pass_over_function_words_and_stop_at_the_end_of_a_sentence() -> None:
    assert list(pairs("No number is assigned. For the table\nof contents")) == ["number assign"]
    assert list(pairs("the table of contents")) == ["tabl content"]


def test_literals_of_several_words_are_broken_where_values_are_filled_in() -> None:
    text = "f(\"cannot open file %s for reading\", 'x',\n `got ${value} many times`, 'word')"
    nothing = np.zeros(0, dtype=np.int32)
    found = count_file_terms(DefinitionSpans("a.js", (), (), nothing, nothing, nothing, nothing), text)
    said = [pair for part in ("cannot open file", "for reading", "got", "many times") for pair in pairs(part)]
    assert np.frombuffer(found.phrases, np.uint64).tolist() == digests(said).tolist()
    assert len(said) == 3


def test_a_quoted_message_leads_to_where_it_is_raised(make_library: Callable[..., Any]) -> None:
    filler = "".join(f"def unrelated_{n}():\n    return 'message {n} of something else'\n\n\n" for n in range(300))
    library = make_library({"r": {"a_setup.py": OTHER, "conf.py": RAISING, "filler.py": filler}})
    answer = locate(library, LocateRequest("Upgrade broke my build\n\nIt says: no number is assigned for table: foo"))
    assert (answer.files[0].path, answer.definitions[0].qualname) == ("conf.py", "Config.load")
    assert "contains a message quoted in the task" in answer.definitions[0].reasons


def test_a_message_belongs_to_the_definition_around_it(make_library: Callable[..., Any]) -> None:
    index = make_library({"r": {"conf.py": RAISING, "setup.py": OTHER}}).indexes.open("r")
    scores = index.phrases.score({"number assign": 1.0, "never written": 1.0})
    assert [index.places.qualname(place) for place in np.flatnonzero(scores).tolist()] == ["Config.load"]
