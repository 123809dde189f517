"""Answers "use this repository to do Y": what the README says of it, where to start, and the code that does it."""

from __future__ import annotations

from repoquarry.agent.questions.documents import add_document, quoted
from repoquarry.agent.questions.forms import WHO, X, any_of
from repoquarry.agent.questions.inquiry import Inquiry, Steps
from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.agent.questions.kinds.where import locate
from repoquarry.agent.questions.question import Question
from repoquarry.agent.questions.wording import names_of
from repoquarry.agent.views.truncation import Section, sections_of
from repoquarry.agent.views.view import relevance
from repoquarry.graphstore.reading.records import DefinitionRecord, PlaceHit, RepositoryRecord

_ENTRY_POINTS = 6
_CORE = 6


def answer(inquiry: Inquiry) -> Steps:
    """For each repository its way in; then the code for the goal."""
    goal = inquiry.question.subject or inquiry.task
    result = yield from inquiry.call("repositories", "what each repository is about")
    records = [item for item in result.records if isinstance(item, RepositoryRecord)] if result else []
    yield from locate(inquiry, goal)
    chosen = {finding.definition.repository for finding in inquiry.draft.ranked()[:5]} or {item.id for item in records}
    about = [item for item in records if item.id in chosen]
    for record in about:
        yield from _introduce(inquiry, record, goal)
    _lead(inquiry, about, goal)


def _introduce(inquiry: Inquiry, record: RepositoryRecord, goal: str) -> Steps:
    results = yield from inquiry.calls(
        f"how {record.id} is used",
        ("entry_points", {"repository": record.id}),
        ("context", {"repository": record.id, "task": goal}),
        ("search", {"text": goal, "labels": ["Document"], "repository": record.id, "limit": 3}),
    )
    points, context, documents = results
    started = [item for item in points.records if isinstance(item, DefinitionRecord)] if points else []
    for rank, item in enumerate(started[:_ENTRY_POINTS]):
        inquiry.draft.add(item, 1.5 / (1 + rank / 3), f"It is an entry point ({', '.join(item.entry_points)}).")
    core = [item for item in context.records if isinstance(item, DefinitionRecord) and item.is_core] if context else []
    for rank, item in enumerate(core[:_CORE]):
        inquiry.draft.add(item, 1.0 / (1 + rank / 3), "It is a core class of the repository.")
    paths = [hit.path for hit in documents.records if isinstance(hit, PlaceHit)] if documents else []
    yield from _documents(inquiry, record, [record.readme, *paths] if record.readme else paths, goal)
    if started:
        named = "; ".join(f"`{item.title}` ({', '.join(item.entry_points)})" for item in started[:_ENTRY_POINTS])
        inquiry.draft.paragraphs.append(f"{record.id} is started through {named}.")
    if core:
        inquiry.draft.paragraphs.append(f"Its core classes are {names_of(core, _CORE)}.")


def _documents(inquiry: Inquiry, record: RepositoryRecord, paths: list[str], goal: str) -> Steps:
    """Quote the part of the README, and of the document that fits best, that speaks of the goal."""
    wanted = list(dict.fromkeys(paths))[:2]
    if not wanted:
        return
    results = yield from inquiry.calls(
        "what the documents say", *(("view_file", {"path": path, "repository": record.id}) for path in wanted)
    )
    for path, result in zip(wanted, results, strict=True):
        if result is None:
            continue
        part = _best_section(record.id, path, inquiry.reader.text(record.id, path), goal)
        if part is not None:
            inquiry.draft.paragraphs.append(f"`{path}` from line {part.start}:\n\n{quoted(part)}")
            add_document(inquiry, part, 2.0)


def _best_section(repository: str, path: str, text: str, goal: str) -> Section | None:
    """The section of a document that fits a goal best."""
    found = sections_of(repository, path, text)
    texts = [part.text for part in found]
    wanted, usual = relevance(texts, goal), relevance(texts, "usage quick start install example")
    return max(
        zip(found, wanted, usual, strict=True),
        key=lambda item: (2 * item[1] + item[2], -item[0].start),
        default=(None,),
    )[0]


def _lead(inquiry: Inquiry, about: list[RepositoryRecord], goal: str) -> None:
    if not about:
        return
    said = "; ".join(f"{item.id} ({(item.summary or 'no description').rstrip('.')})" for item in about)
    code = [finding.definition for finding in inquiry.draft.ranked() if not finding.definition.is_test][:3]
    lead = f"For {goal!r}, start with {said}"
    inquiry.draft.lead = lead + (f". The code to begin with is {names_of(code, places=True)}." if code else ".")


_THIS = "(?:this|the)"
_START = any_of("use | run | start | install | launch | set up | get started")


def _always(_: Question) -> bool:
    return True


QUESTION = QuestionKind(
    plan="read the README for the goal, find entry points and core classes, and locate the code that does it",
    forms=(
        rf"\b(?:use|using|with) {_THIS} (?:repository|repo|library|package|project|code(?:base)?)\b(?: to)? ?{X}",
        rf"\bhow (?:do|can|would|should) {WHO} {_START}\b ?(?P<x>(?:this|it|the (?:repository|repo|library|package|project|program|service))\b.*?|)",
    ),
    answer=answer,
    accepts=_always,
)
