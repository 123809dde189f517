"""How much texts speak of a task: BM25 over stemmed parts of identifiers, within one handful of texts.

The indexes of `repoquarry.graphstore.search` rank a whole repository; this ranks the parts of one view, for which an index would cost
more than the answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from repoquarry.graphstore.text import terms

_SATURATION: Final = 1.2
_LENGTH: Final = 0.75
"""BM25's k1 and b at their customary values. Source: Robertson and Zaragoza 2009, section 3.2."""


def relevance(texts: Sequence[str], task: str) -> list[float]:
    """BM25 of each text for the terms of the task; 0.0 where none of them occurs."""
    wanted = set(terms(task))
    counts = [Counter(terms(text)) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    average = sum(lengths) / len(lengths) if lengths and any(lengths) else 1.0
    spread = Counter(term for count in counts for term in count.keys() & wanted)
    weights = {term: math.log(1 + (len(texts) - found + 0.5) / (found + 0.5)) for term, found in spread.items()}
    scores = []
    for count, length in zip(counts, lengths, strict=True):
        norm = _SATURATION * (1 - _LENGTH + _LENGTH * length / average)
        found_terms = sorted(count.keys() & wanted)
        scores.append(
            sum(weights[term] * count[term] * (_SATURATION + 1) / (count[term] + norm) for term in found_terms)
        )
    return scores
