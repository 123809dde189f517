"""How alike file names are: `test_async_client.py` and `ClientTest.java` share a word with `client.py`, and what few files share says more."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from repoquarry.graphstore.code.records import Definition

_PART: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\dA-Z_]+|[A-Z]+|\d+")
_TELL_NOTHING: Final = frozenset({"test", "tests", "spec", "init", "index", "main", "conftest"})


def name_words(path: str) -> frozenset[str]:
    """The words of a file's name, lower case, without what says that it holds tests or stands for a folder."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return frozenset(word.lower() for word in _PART.findall(stem)) - _TELL_NOTHING


def name_likeness(paths: Iterable[str], modules: Sequence[Definition]) -> dict[str, float]:
    """By id, how alike the name of each file is to the most alike of some paths, 0 to 1; left out where no word is shared.

    The weighted Jaccard index of their words; a word weighs ln((n + 1) / (d + 0.5)), where d of the n files have it in their names.
    """
    named = {module.id: name_words(module.path) for module in modules}
    files_with = Counter(word for words in named.values() for word in words)
    changed = {name_words(path) for path in paths}

    def weight(words: Iterable[str]) -> float:
        return math.fsum(math.log((len(named) + 1) / (files_with[word] + 0.5)) for word in sorted(words))

    found: dict[str, float] = {}
    for id_, words in named.items():
        shares = [weight(words & other) / whole for other in changed if (whole := weight(words | other)) > 0]
        if (best := max(shares, default=0.0)) > 0:
            found[id_] = best
    return found
