"""Pairs of words side by side in code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from repoquarry.graphstore.search import LocateRequest, locate
from repoquarry.graphstore.search.index.term_extraction import adjacent_pairs

ESCAPING = '''def render(value):
    """Trailing underscore of a name."""
    return strip_trailing(underscore_of(value))


def other(value):
    return trailing(value)
'''


def test_pairs_pass_over_function_words_and_stop_at_the_end_of_a_line() -> None:
    assert list(adjacent_pairs("Escape of the trailing_underscore\nagain")) == ["escap trail", "trail underscor"]


def held(library: Any, pair: str) -> list[str]:
    index = library.indexes.open("r")
    scores = index.bigrams.score({pair: 1.0, "never written": 1.0})
    return [index.places.qualname(place) for place in np.flatnonzero(scores).tolist()]


def test_a_pair_belongs_to_the_code_around_it(make_library: Callable[..., Any]) -> None:
    library = make_library({"r": {"a.py": ESCAPING}})
    assert held(library, "trail underscor") == ["render"]
    assert held(library, "underscor trail") == [], "order matters"
    assert held(library, "underscor name") == [], "documentation is no code"
    assert held(library, "valu return") == [], "a line ends a row of words"


def test_words_said_in_a_row_lead_to_the_code_that_has_them_in_a_row(make_library: Callable[..., Any]) -> None:
    apart = "def apart(x):\n    trailing = x\n    return underscore(trailing)\n"
    filler = "".join(f"def unrelated_{n}():\n    return trailing({n})\n\n\n" for n in range(300))
    library = make_library({"r": {"a.py": apart, "b.py": ESCAPING, "filler.py": filler}})
    answer = locate(library, LocateRequest("A trailing underscore is lost"))
    assert answer.definitions[0].qualname == "render"
    assert "shares a phrase with the task" in answer.definitions[0].reasons
