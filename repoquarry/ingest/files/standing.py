"""Where the definitions of a file stand, by its facts: what its text is cut along before the graph is known.

Numbers, lines and beginnings of documentation are those of the finished graph (`graph/outline`, `search/index/gathering`); should they ever
differ, the search index is made anew from that.
"""

from __future__ import annotations

import numpy as np

from repoquarry.graphstore.search.index.standing import Standing
from repoquarry.ingest.graph.docstrings import first_sentence
from repoquarry.languages.facts import FileFacts

_HEAD = 200
"""Characters of a summary's first line, as the places of a search index keep it."""


def standing_of(facts: FileFacts) -> Standing:
    """Where the definitions of a source file stand."""
    ordered = sorted(facts.definitions, key=lambda found: (found.start_line, -found.end_line, found.key))
    number = {found.key: place for place, found in enumerate(ordered, 1)}
    return Standing(
        facts.path,
        [found.key for found in ordered],
        [(first_sentence(found.docstring) or "").strip().split("\n", 1)[0][:_HEAD] for found in ordered],
        np.array([found.start_line for found in ordered], dtype=np.int32),
        np.array([found.end_line for found in ordered], dtype=np.int32),
        np.array([number.get(found.parent, 0) for found in ordered], dtype=np.int32),
        np.array([found.kind != "class" for found in ordered], dtype=np.int32),
    )


def standing_of_prose(path: str) -> Standing:
    """A document defines nothing."""
    none = np.zeros(0, dtype=np.int32)
    return Standing(path, [], [], none, none, none, none)
