"""Chooses the repositories that are worth searching when there are many, without opening their indexes.

Each index carries its terms and their document frequencies; the choice reads a few numbers of each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from repoquarry.graphstore.search.library import Library

MOST_SEARCHED: Final = 8
"""Repositories that a ranked search looks into."""
_HALF: Final = 30.0
"""Places holding a term at which a repository has half of the credit for it.

Source: the df component of CORI, Callan, Lu and Croft 1995, whose constant is larger because its documents are.
"""


def choose(library: Library, wanted: Sequence[str], terms: Sequence[str]) -> list[str]:
    """Return at most MOST_SEARCHED of the wanted repositories (all of them when none are named), best first.

    Raises: NotFoundError for an unknown repository.
    """
    names = list(dict.fromkeys(wanted)) or list(library.repositories())
    if len(names) <= MOST_SEARCHED:
        return names
    held = np.array([library.indexes.document_frequencies(name, terms) for name in names], dtype=np.float64)
    holders = np.count_nonzero(held, axis=0)
    rarity = np.where(holders > 0, np.log1p((len(names) + 0.5) / np.maximum(holders, 1)), 0.0)
    scores = (held / (held + _HALF)) @ rarity / math.log1p(len(names) + 0.5)
    best = np.lexsort((np.arange(len(names)), -scores))[:MOST_SEARCHED]
    return [names[place] for place in best if scores[place] > 0]
