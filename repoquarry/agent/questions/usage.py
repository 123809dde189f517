"""Answers "use this repository to do Y": what the README says of it, where to start, and the code that does it."""

from __future__ import annotations

import re

from repoquarry.agent.questions.inquiry import Inquiry, Steps
from repoquarry.agent.questions.where import locate
from repoquarry.agent.questions.wording import names_of
from repoquarry.agent.records import Definition, Hit, RepositoryRecord
from repoquarry.agent.relevance import relevance
from repoquarry.agent.task import Place

_EXCERPT_LINES = 14
_ENTRY_POINTS = 6
_CORE = 6
_MARKED = re.compile(r"#{1,6}\s+\S")


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
    started = [item for item in points.records if isinstance(item, Definition)] if points else []
    for rank, item in enumerate(started[:_ENTRY_POINTS]):
        inquiry.draft.add(item, 1.5 / (1 + rank / 3), f"entry point: {', '.join(item.entry_points)}")
    core = [item for item in context.records if isinstance(item, Definition) and item.is_core] if context else []
    for rank, item in enumerate(core[:_CORE]):
        inquiry.draft.add(item, 1.0 / (1 + rank / 3), "core class of the repository")
    paths = [hit.path for hit in documents.records if isinstance(hit, Hit)] if documents else []
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
        start, excerpt = _excerpt(inquiry.reader.text(record.id, path), goal)
        inquiry.draft.paragraphs.append(f"`{path}` from line {start}:\n\n{_quoted(excerpt)}")
        end = start + excerpt.count("\n")
        inquiry.draft.files[record.id, path] = Place(
            record.id, path, "", start, end, 2.0, "what the documentation says of it", ("document that fits the goal",)
        )


def _excerpt(text: str, goal: str) -> tuple[int, str]:
    """The section of a document that fits a goal best: number of its first line, and its first lines."""
    lines = text.split("\n")
    starts = _headings(lines) or [0]
    ends = [*starts[1:], len(lines)]
    sections = ["\n".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    wanted, usual = relevance(sections, goal), relevance(sections, "usage quick start install example")
    best = max(range(len(sections)), key=lambda number: (2 * wanted[number] + usual[number], -number))
    shown = lines[starts[best] : ends[best]][:_EXCERPT_LINES]
    return starts[best] + 1, "\n".join(shown).rstrip()


def _headings(lines: list[str]) -> list[int]:
    """Numbers of the headings: marked as in Markdown, or underlined as in reStructuredText; not in blocks of code."""
    found, fenced = [], False
    for number, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and (_MARKED.match(line) or _underlined(lines, number)):
            found.append(number)
    return found


def _underlined(lines: list[str], number: int) -> bool:
    following = lines[number + 1].strip() if number + 1 < len(lines) else ""
    return (
        bool(lines[number].strip()) and len(following) >= 3 and len(set(following)) == 1 and following[0] in "=-~^*\"'"
    )


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def _lead(inquiry: Inquiry, about: list[RepositoryRecord], goal: str) -> None:
    if not about:
        return
    said = "; ".join(f"{item.id} ({(item.summary or 'no description').rstrip('.')})" for item in about)
    code = [finding.definition for finding in inquiry.draft.ranked() if not finding.definition.is_test][:3]
    lead = f"For {goal!r}, start with {said}"
    inquiry.draft.lead = lead + (f". The code to begin with is {names_of(code, places=True)}." if code else ".")
