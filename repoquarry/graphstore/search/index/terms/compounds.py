"""The terms that search indexes: the stemmed parts of each word, and beside them the whole of a word that has parts.

`--collect-only`, `collect_only` and `collectOnly` share their parts with half of a repository, but as one name they are
rare: who writes the name in a task means what bears it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import Final

from repoquarry.graphstore.text import identifier_parts, part_terms

WORD: Final = r"\w+(?:-\w+)*"
"""Pattern of one word as written; words joined by hyphens are one."""
_WORD: Final = re.compile(WORD)
_MARK: Final = "="
"""Begins the term of a whole, which must not be taken for a part of the same letters."""
_SHORTEST_WHOLE: Final = 5
"""Letters of a plain word that may stand for a joined name."""
_MOST_PARTS: Final = 4
"""Parts of a name that somebody may write as one plain word."""


def words(text: str) -> list[str]:
    """Return the words of a text as written."""
    found: list[str] = _WORD.findall(text)
    return found


def terms_of_word(word: str) -> tuple[str, ...]:
    """Return the terms of one word: its parts as in `word_terms`, and the whole where it has several parts."""
    parts = identifier_parts(word)
    return part_terms(parts) if len(parts) < 2 else (*part_terms(parts), _MARK + "".join(parts))


index_terms = lru_cache(maxsize=1 << 14)(terms_of_word)
"""As `terms_of_word`, for those who ask for the same words again."""


def terms(text: str) -> list[str]:
    """Return the terms of a text in order."""
    return list(chain.from_iterable(map(index_terms, words(text))))


def query_terms(text: str) -> list[str]:
    """Return the terms of a task: as indexed, and beside them how others may have written a word.

    `isnull` is looked for as the whole of `IsNull` as well, and `GroupBy` as the plain word `groupby`.
    """
    return [term for word in words(text) for term in (*index_terms(word), *_otherwise(word))]


@lru_cache(maxsize=1 << 14)
def _otherwise(word: str) -> tuple[str, ...]:
    parts = identifier_parts(word)
    if len(parts) == 1 and len(parts[0]) >= _SHORTEST_WHOLE:
        return (_MARK + parts[0],)
    return part_terms(["".join(parts)]) if 2 <= len(parts) <= _MOST_PARTS else ()
