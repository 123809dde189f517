"""Search queries for a task: its entities and nouns, rarest first, joined to several queries.

Source: RepoMaster (arXiv 2505.21577), section 3.1 and listing 2. Rarity is estimated by the tokenizer of chat models, which splits rare
words into more tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from repoquarry.graphstore import token_counting
from repoquarry.graphstore.search.text_analysis import terms

MAX_QUERY_CHARACTERS: Final = 256
_MAX_TERMS: Final = 6
_MAX_JOINED: Final = 4
_WORD: Final = re.compile(r"(?:\d[A-Z]|[^\W\d_])[\w+#.-]*")
_FILE: Final = re.compile(r"\S*/\S*|\S+\.\w{1,5}\b")
_SENTENCE_END: Final = re.compile(r"[.!?:]\s+|\n")
_ENTITY: Final = re.compile(r".*\d.*|[^\W\d_]+(?:-\w+)+|[A-Z]{2,}\w*|[A-Z]?[a-z]+[A-Z]\w*")
_COMMON_TEXT: Final = """
    a about after all also an and any are as at be best better by can clean code competition contents convert correct correctly create
    data detect do each ensure every extract file files find folder following for format from full generate get give given has have help high
    how i improve in input inputs into is it its keep kind kinds level like list long look make many me method methods model more most
    much must my name named natural need needs new of on one open or original other out output outputs own please process processing
    produce project provide quality read real remove repair repositories repository requirement requirements restore result results
    same save score show should simple single so solution solve some source specific such take task tasks text that the their them then
    there these this those to tool train turn type types use used user using value various want was way we were what when where which
    while whole with without work write you your
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())
"""Words that name no subject: function words, and verbs and nouns that most tasks contain."""


def list_subjects(task: str) -> list[str]:
    """List the words that a task is about, entities first, then by rarity; each stem once. Names of files are skipped."""
    subjects: dict[tuple[str, ...], str] = {}
    for word in _iterate_words(task):
        stems = tuple(terms(word))
        if stems and stems not in subjects:
            subjects[stems] = word
    return sorted(subjects.values(), key=lambda word: (_is_entity(word), *_rarity(word)), reverse=True)[:_MAX_TERMS]


def build_queries(task: str) -> list[str]:
    """Build the queries of a task, narrow ones first: the leading subjects together, their pairs, single ones."""
    subjects = list_subjects(task)[:_MAX_JOINED]
    queries = [subjects[:count] for count in (4, 3) if len(subjects) >= count]
    queries += [list(pair) for pair in combinations(subjects, 2)]
    queries += [[word] for word in subjects[:3]]
    return list(dict.fromkeys(" ".join(query)[:MAX_QUERY_CHARACTERS] for query in queries))


def _iterate_words(task: str) -> Iterator[str]:
    """Yield words without common ones, and without the imperatives that sentences begin with."""
    for sentence in _SENTENCE_END.split(_FILE.sub(" ", task)):
        for number, found in enumerate(_WORD.findall(sentence)):
            word = found.strip(".-")
            is_imperative = not number and word.istitle()
            if _is_entity(word) or (len(word) > 2 and word.lower() not in _COMMON and not is_imperative):
                yield word


def _is_entity(word: str) -> bool:
    return _ENTITY.fullmatch(word) is not None


def _rarity(word: str) -> tuple[int, int]:
    return token_counting.count_tokens(f" {word.lower()}"), len(word)
