"""Ranking of the code that a natural-language question is about: stack frames, named code, then localization results reranked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from repoquarry.code.name_resolution import find_name
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord, matches_qualname
from repoquarry.graphstore.errors import TextsElsewhereError
from repoquarry.graphstore.search.localization import locate
from repoquarry.graphstore.search.mentions import parse_stack_frames
from repoquarry.graphstore.search.requests import LocateAnswer, LocateRequest, SearchMode, SearchRequest, WithTests
from repoquarry.graphstore.search.retrieval import search
from repoquarry.graphstore.search.text_analysis import terms

_MAX_LOCATED = 20
_MAX_LINES = 400
"""Number of lines of a definition that are compared with a question."""
_LOCATED, _COVERED, _NAMED = 3.0, 1.5, 1.0
"""Weights of a place's localization score, of the question's terms in its lines, and of a name in the question."""
_IN_TEST, _IN_COPY, _IS_FILE = 1.0, 1.0, 1.0
"""Reductions for a test, for built, bundled or declared code, and for a file, which counts as a whole."""
_NAMING = frozenset({"named in the task", "dotted name given in the task", "path given in the task"})
_COPY = re.compile(
    r"(?:^|/)(?:dist|build|vendor|third_party|node_modules|generated|examples?|samples?)/|\.min\.|\.d\.[cm]?ts$"
)
_NAME = re.compile(r"`([^`\s]+)`|\b(\w+(?:\.\w+)+)\b|\b(\w*[a-z]\w*[A-Z]\w*|\w+_\w+)\b")
_PROSE = re.compile(r"\s*(?:#|//|/?\*|[rR]?(?:\"\"\"|'''))")
_MAX_WORDS = 4
_MAX_MEMBERS = 3
"""Number of members of one class before the class itself is the place."""
_MAX_DOCUMENTS, _SEARCHED_DOCUMENTS = 5, 25
_NO_DOCUMENTATION = re.compile(
    r"(?:^|/)(?:\.[^/]+/|(?:tests?|__tests__|fixtures|testdata)/|(?:\d+[-_.])?(?:changes|change[-_]?logs?|history|news(?:fragments?)?|releases|release[-_]?notes?|whats[-_]?new"
    r"|licen[cs]es?|copying|notice|authors|code[-_]of[-_]conduct|(?:issue|pull[-_]request)[-_]template)(?![a-z]))",
    re.IGNORECASE,
)
"""Paths of prose that describes the project's history, rules or forms, and not its code."""


@dataclass(frozen=True)
class QuestionPlace:
    """A definition or file that a question is about."""

    definition: DefinitionRecord
    reason: str
    """Why it is a place of the question, as a fragment."""
    line: int = 0
    """1-based number of the line that shares most words with the question; 0 if no line does."""
    source: str = ""


def rank_places(
    reader: CodeReader, question: str, repositories: Sequence[str]
) -> tuple[list[QuestionPlace], list[DefinitionRecord]]:
    """Return the places of a question, best first, and the best document that matches it."""
    wanted = dict.fromkeys(terms(question))
    located = locate(reader.store, LocateRequest(question, tuple(repositories), max_definitions=_MAX_LOCATED))
    reasons = {place.id: place.reasons for place in reversed((*located.definitions, *located.files))}
    traced = [item for item, _ in find_traced(reader, question, repositories)]
    mentioned = _find_mentioned(reader, question, repositories)
    scores = _score_located(reader, located, set(wanted))
    ranked = sorted(scores, key=lambda item: (-scores[item], item.id))
    places = []
    for item in _unify(reader, [*traced, *mentioned, *ranked]):
        reason = "in the stack trace" if item in traced else "named in the question" if item in mentioned else ""
        shared = _shared_words(question, set(terms(_text(reader, item)))) if not reason else ""
        line, source = _find_decisive_line(reader, item, set(wanted))
        places.append(QuestionPlace(item, reason or shared or next(iter(reasons.get(item.id, ())), ""), line, source))
    return places, find_documents(reader, question, repositories, SearchMode.HYBRID)[:1]


def _score_located(reader: CodeReader, located: LocateAnswer, wanted: set[str]) -> dict[DefinitionRecord, float]:
    """Score localized places by their rank, the share of the question's terms in their lines, and names in the question."""
    found = (*located.definitions, *located.files)
    best = {place.label: place.score for place in reversed(found)}
    by_id = {item.id: item for item in reader.definitions(place.id for place in found)}
    scores = {}
    for place in found:
        if (item := by_id.get(place.id)) is None:
            continue
        score = _LOCATED * place.score / (best[place.label] or 1) + _NAMED * bool(_NAMING & set(place.reasons))
        if item.qualname:
            own = set(terms(f"{_text(reader, item)} {' '.join(item.segments)}"))
            score += _COVERED * len(wanted & own) / (len(wanted) or 1)
        score -= _IN_TEST * item.is_test + _IN_COPY * bool(_COPY.search(item.path)) + _IS_FILE * (not item.qualname)
        scores[item] = score
    return scores


def _unify(reader: CodeReader, ranked: Sequence[DefinitionRecord]) -> list[DefinitionRecord]:
    """Keep one of several places of the same name. Lambdas and anonymous classes become the definition around them, and further
    members of a class with several places become the class.
    """
    unique: dict[tuple[str, str], DefinitionRecord] = {}
    members: Counter[tuple[str, str]] = Counter()
    for item in ranked:
        named = _find_outer(reader, item, item.qualname.partition("<")[0].rstrip("."))
        outer = named.qualname.rpartition(".")[0]
        if (named.repository, named.title) not in unique and outer:
            members[named.path, outer] += 1
            if members[named.path, outer] > _MAX_MEMBERS:
                named = _find_outer(reader, named, outer)
        unique.setdefault((named.repository, named.title), named)
    return list(unique.values())


def _find_outer(reader: CodeReader, item: DefinitionRecord, qualname: str) -> DefinitionRecord:
    """Return the definition with a qualified name in the file of another one; that one itself where there is none."""
    if not qualname or qualname == item.qualname:
        return item
    return next((one for one in reader.inside(item.repository, item.path) if one.qualname == qualname), item)


def _text(reader: CodeReader, item: DefinitionRecord) -> str:
    try:
        return "\n".join(reader.lines(item)[:_MAX_LINES]) if item.qualname else ""
    except TextsElsewhereError:
        return ""


def _shared_words(question: str, own: set[str]) -> str:
    """Name the words of a question that a text contains; empty for none."""
    words = dict.fromkeys(re.findall(r"\w{3,}", question))
    shared = [f"`{word}`" for word in words if (found := terms(word)) and set(found) <= own][:_MAX_WORDS]
    return f"contains {' and '.join(filter(None, [', '.join(shared[:-1]), shared[-1]]))}" if shared else ""


def _find_decisive_line(reader: CodeReader, item: DefinitionRecord, wanted: set[str]) -> tuple[int, str]:
    """Return number and text of the line of code of a definition that shares most terms with a question, after its first line."""
    lines = _text(reader, item).split("\n")
    scored = [
        (len(wanted.intersection(terms(line))), -number)
        for number, line in enumerate(lines)
        if number and not _PROSE.match(line)
    ]
    most, number = max(scored, default=(0, 0))
    return (item.start_line - number, lines[-number]) if most else (0, "")


def find_documents(
    reader: CodeReader, text: str, repositories: Sequence[str], mode: SearchMode
) -> list[DefinitionRecord]:
    """Find the documents that match some words, best first, without templates, changelogs, licenses and hidden folders."""
    request = SearchRequest(
        text,
        mode,
        tuple(repositories),
        labels=("Document",),
        tests=WithTests.EXCLUDE,
        has_snippets=False,
        page_size=_SEARCHED_DOCUMENTS,
    )
    return [
        DefinitionRecord(
            hit.id, "Document", hit.repository, hit.path, "", hit.path, "document", hit.start_line, hit.end_line
        )
        for hit in search(reader.store, request).hits
        if not _NO_DOCUMENTATION.search(hit.path)
    ][:_MAX_DOCUMENTS]


def _find_mentioned(reader: CodeReader, question: str, repositories: Sequence[str]) -> list[DefinitionRecord]:
    """Find the definitions whose qualified or marked name the question contains."""
    found = []
    for name in dict.fromkeys("".join(groups) for groups in _NAME.findall(question)):
        parts = tuple(name.split("."))
        items = reader.named([parts[-1]], repositories)
        exact = [item for item in items if matches_qualname(item.segments, parts) and not item.is_test]
        found += exact if len(exact) <= 2 else []
    return found


def find_traced(
    reader: CodeReader, text: str, repositories: Sequence[str], is_own: Callable[[str], bool] = lambda path: True
) -> list[tuple[DefinitionRecord, int]]:
    """Find the definitions of a stack trace and their lines in it, nearest to the failure first.

    `is_own` returns False for the path of a file that no repository has.
    """
    found: list[tuple[DefinitionRecord, int]] = []
    for frame in filter(lambda frame: is_own(frame.path), parse_stack_frames(text)):
        parts = frame.path.replace("//", "/").strip("/").split("/")
        tails = [f"{'/'.join(parts[-length:])}:{frame.line}" for length in range(min(5, len(parts)), 0, -1)]
        resolved = (find_name(reader, tail, repositories) for tail in tails)
        nodes = next((one.nodes for one in resolved if one), ())
        found += [(item, frame.line) for item in reader.definitions(node.id for node in nodes)]
    return found
