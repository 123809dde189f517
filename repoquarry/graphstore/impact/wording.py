"""Which files have words of a change: the names that its lines speak of stand in the tests that look at the same thing."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from repoquarry.graphstore.code.reader import CodeReader
from repoquarry.graphstore.code.records import Definition

_WORD: Final = re.compile(r"[^\W\d]\w{2,}")


def words_of(lines: Iterable[str]) -> frozenset[str]:
    """Names and words of some lines, as they are written, of three characters or more."""
    return frozenset(word for line in lines for word in _WORD.findall(line))


def shared_words(reader: CodeReader, modules: Sequence[Definition], words: frozenset[str]) -> dict[str, float]:
    """By id, which share of the words each file has, 0 to 1; rare ones count for more.

    A word weighs ln((n + 1) / (d + 0.5)), the inverse document frequency, where d of the n files have it. Words that no file has do not
    count.
    """
    if not words:
        return {}
    sources = reader.store.sources  # not through the reader, which would keep every text
    found = {
        module.id: words.intersection(_WORD.findall(sources.text(module.repository, module.path))) for module in modules
    }
    files_with = Counter(word for held in found.values() for word in held)
    weights = {word: math.log((len(modules) + 1) / (count + 0.5)) for word, count in files_with.items()}
    total = math.fsum(weights.values())
    return {id_: math.fsum(weights[word] for word in held) / total for id_, held in found.items() if held}
