"""Parser of natural-language questions: splits clauses, and matches each with an intent and the name that it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from repoquarry.agent.questions.intents import FUNCTION_WORDS, INTENTS, Intent, SubjectKind, split_words

MAX_QUESTION_CHARACTERS = 600
_END = re.compile(r"[?;\n]+|\.\s+(?=[A-Z])")
_AND = re.compile(r",?\s+(?:and|then|and then|also)\s+", re.IGNORECASE)
_TOKEN = re.compile(r"`[^`]+`|\"[^\"]+\"|'[^']+'(?=\W|$)|[^\s,]+")
_CODE = re.compile(r"[\w)][._/:]+\w|_|\w\(\)|^[A-Z]\w*[a-z]\w*[A-Z]|[a-z]\d*[A-Z]|^[A-Z][A-Z\d]{2,}$|\\")
_REFERENCE = re.compile(r"\b(?:it|its|they|them|their|that|this|those|these)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|them|they)\b", re.IGNORECASE)
_ASKS = re.compile(r"(?:who|what|which|where|when|how|why|is|are|does|do|can)\b", re.IGNORECASE)
_HOLDERS = split_words("of in on from inside within")
_BEFORE_REPOSITORIES = _HOLDERS | split_words("for is does about explain describe the summarize")
_CONTRACTED = split_words("what who where how let it that here")
_QUALIFIERS = split_words("the a method function attribute property field argument parameter class module file defined")
_BARE = split_words("why how where when so")
"""Clauses after "and" that ask for prose, which needs a model."""
_VERSION = re.compile(r"[-@_]v?\d[\w.]*$")
_SUFFIX = re.compile(r"\.(?:js|java|py|rs|go|net|rb)$")
"""End of the name of a project, as in `mustache.java`, whose repository may be named without it."""


@dataclass(frozen=True)
class Clause:
    """One clause of a question as it is understood."""

    text: str
    intent: Intent | None
    """None for wording that no intent fits."""
    answer: str = ""
    """Name of the answer."""
    phrase: str = ""
    """Name or words that the clause is about; empty for the repositories as a whole."""
    holder: str = ""
    """Class or file that the named code belongs to."""
    repositories: tuple[str, ...] = ()
    """Repositories that the clause names; empty for all of the question."""


@dataclass(frozen=True)
class _Token:
    text: str
    is_code: bool


def read_question(text: str, repositories: Sequence[str], has_name: Callable[[str], bool]) -> list[Clause]:
    """Read the clauses of a question. `has_name` returns whether a definition has a name."""
    if len(text) > MAX_QUESTION_CHARACTERS:
        return [Clause(text, None)]
    clauses: list[Clause] = []
    for part in filter(str.strip, _END.split(text)):
        clauses += _read_sentence(part.strip(), repositories, has_name, clauses)
    # The answer with a value says where it is set.
    values = {clause.phrase for clause in clauses if clause.intent and clause.intent.name == "value"}
    clauses = [one for one in clauses if not (one.intent and one.intent.name == "definition" and one.phrase in values)]
    unique = {
        (clause.answer, clause.phrase, clause.holder, clause.repositories) if clause.intent else clause.text: clause
        for clause in clauses
    }
    return list(unique.values()) if any(clause.intent for clause in clauses) else [Clause(text, None)]


def _read_sentence(
    text: str, repositories: Sequence[str], has_name: Callable[[str], bool], before: Sequence[Clause]
) -> list[Clause]:
    """Split a sentence at "and" where every part is a question of its own; a part without a subject has that of a neighbor."""
    last = next((clause.phrase for clause in reversed(before) if clause.phrase), "")
    parts = [part for part in _AND.split(text) if part.strip(" ?").lower() not in _BARE]
    if len(parts) > 1:
        found: list[Clause] = []
        for part in parts:
            previous = next((clause.phrase for clause in reversed(found) if clause.phrase), last)
            clause = _read_clause(part, repositories, has_name, previous)
            if clause.intent is None and not found:
                following = _read_clause(parts[-1], repositories, has_name, last)
                clause = _read_clause(f"{part} of `{following.phrase}`", repositories, has_name, last)
            if clause.intent is None and previous:
                clause = replace(clause, text=_PRONOUN.sub(f"`{previous}`", clause.text))
            found.append(clause)
        if any(clause.intent for clause in found) and all(
            clause.intent or _ASKS.match(clause.text) for clause in found
        ):
            return found
    return [_read_clause(parts[0] if len(parts) == 1 else text, repositories, has_name, last)]


def _read_clause(text: str, repositories: Sequence[str], has_name: Callable[[str], bool], last: str) -> Clause:
    tokens = [
        replace(token, is_code=True) if place and _is_name(token.text, has_name) else token
        for place, token in enumerate(_tokenize(text))
    ]
    own = _match(text, tokens, last) if _names_class(tokens, repositories, has_name) else None
    if own is not None and own.intent is not None and own.intent.subject is not SubjectKind.OPTIONAL:
        return own
    tokens, named = _take_repositories(tokens, repositories)
    clause = _match(text, tokens, last)
    if clause.intent is None:
        # A common word such as "run" may be the name.
        for place in range(len(tokens) - 1, -1, -1):
            word = tokens[place].text
            if not tokens[place].is_code and word.lower() not in _NEVER_NAMES and has_name(word):
                marked = [*tokens[:place], _Token(word, is_code=True), *tokens[place + 1 :]]
                clause = _match(text, marked, "")
                if clause.intent is not None:
                    break
    return replace(clause, repositories=named)


def _names_class(tokens: Sequence[_Token], repositories: Sequence[str], has_name: Callable[[str], bool]) -> bool:
    """Return whether "of NAME" names a class that has the name of its repository in another case."""
    names = {token.text for before, token in pairwise(tokens) if before.text == "of" and token.text[:1].isupper()}
    return any(has_name(name) for name in names.difference(repositories))


def _is_name(word: str, has_name: Callable[[str], bool]) -> bool:
    """Return whether a capitalized word is the name of a definition or of a built-in exception."""
    return word[:1].isupper() and (word.endswith(("Error", "Exception")) or has_name(word))


_NEVER_NAMES = split_words(
    "a an the of in on at to for from by with is are was were be do does did can who what which where when how why and or it i me"
)


_MODIFIERS = split_words(
    "never not no nobody nothing without used uses unused dead unreachable circular cyclic cycle cycles most least more less last recently lately"
    " owns owner owners author authors wrote maintains changed complex complicated slow fast why when"
)
"""Words that ask something else of a subject and are never its name."""


def _tokenize(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        word = match.group()
        if word[0] in "`\"'" and word[-1] == word[0] and len(word) > 2:
            yield _Token(word[1:-1].strip(), is_code=True)
            continue
        word = word.strip("()!,:\"'*") if not word.endswith("()") else word.lstrip("(\"'*")
        word = word.rstrip(".")
        possessive = word.endswith(("'s", "’s")) and word[:-2].lower() not in _CONTRACTED
        word = word[:-2] if possessive or word.lower() in {"what's", "who's", "where's", "how's", "what’s"} else word
        if word:
            yield _Token(word, is_code=_CODE.search(word) is not None)
            if possessive:
                yield _Token("'s", is_code=False)


def _take_repositories(tokens: list[_Token], repositories: Sequence[str]) -> tuple[list[_Token], tuple[str, ...]]:
    """Take "in NAME" out of a clause where NAME is a repository, with or without its version."""
    ids: dict[str, str] = {}
    for id_ in repositories:
        ids.setdefault(_VERSION.sub("", id_).lower(), id_)
        ids[id_.lower()] = id_
    for place, token in enumerate(tokens):
        found = ids.get(token.text.lower()) or ids.get(_SUFFIX.sub("", token.text.lower()))
        is_held = place and tokens[place - 1].text.lower() in _BEFORE_REPOSITORIES
        if found and is_held:
            start = place - 1 if tokens[place - 1].text.lower() in _HOLDERS else place
            kept = [] if start < place else [_Token("project", is_code=False)]
            return [*tokens[:start], *kept, *tokens[place + 1 :]], (found,)
    return tokens, ()


def _match(text: str, tokens: Sequence[_Token], last: str) -> Clause:
    """Return the clause with the first intent that fits."""
    for intent in INTENTS:
        if intent.subject is SubjectKind.CLAUSE:
            answer = next((answer for pattern, answer in intent.variants if pattern.search(text)), "")
            if answer:
                return Clause(text, intent, answer)
            continue
        spans = _spans(tokens, intent)
        if spans is None:
            continue
        skeleton, phrase, holder = spans
        if not phrase and last and intent.subject is not SubjectKind.NONE and _REFERENCE.search(skeleton):
            skeleton, phrase = _REFERENCE.sub("X", skeleton, count=1), last
        if intent.subject is SubjectKind.NONE and phrase:
            continue
        if not phrase and intent.subject not in (SubjectKind.NONE, SubjectKind.OPTIONAL):
            continue
        for pattern, answer in intent.variants:
            if pattern.search(skeleton):
                return Clause(text, intent, answer, phrase, holder)
    return Clause(text, None)


def _spans(tokens: Sequence[_Token], intent: Intent) -> tuple[str, str, str] | None:
    """Return (clause with `X` for its subject, subject, holder of the subject); None for more than one subject."""
    allowed = FUNCTION_WORDS | intent.words | {"'s"}
    groups = [
        (is_word, list(group))
        for is_word, group in groupby(tokens, key=lambda token: not token.is_code and token.text.lower() in allowed)
    ]
    spans = [(place, group) for place, (is_word, group) in enumerate(groups) if not is_word]
    if any(not token.is_code and token.text.lower() in _MODIFIERS for _, group in spans for token in group):
        return None
    phrases = [" ".join(token.text for token in group) for _, group in spans]
    if len(spans) > 2:
        return None
    if len(spans) == 2:
        first, second = spans[0][0], spans[1][0]
        between = [token.text.lower() for _, group in groups[first + 1 : second] for token in group]
        if set(between) <= {"'s"} | _QUALIFIERS and "'s" in between:
            phrases = [phrases[1], phrases[0]]
        elif not (set(between) <= _HOLDERS | _QUALIFIERS and _HOLDERS & set(between)):
            return None
        groups = [*groups[:first], (False, []), *groups[second + 1 :]]
    words = [" ".join(token.text.lower() for token in group) if is_word else "X" for is_word, group in groups]
    return " ".join(words), phrases[0] if phrases else "", phrases[1] if len(phrases) > 1 else ""
