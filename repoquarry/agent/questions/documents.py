"""What the documents of a repository say of something: the sections that speak of it most, the best document first."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from repoquarry.agent.decisions import Observation, ToolCall
from repoquarry.agent.questions.inquiry import Inquiry
from repoquarry.agent.task import Place
from repoquarry.agent.views.truncation import Section, sections_of
from repoquarry.agent.views.view import relevance
from repoquarry.graphstore.reading.records import PlaceHit
from repoquarry.graphstore.search.text_analysis import terms

_QUOTED_LINES = 14
_HEADING = 3.0
"""How much a heading that says all of it raises a section."""


@dataclass(frozen=True)
class Passage:
    """A section of a document; `fits` is 1.0 for the document or the section that fits best, 0.0 for one that does not."""

    section: Section
    document_fits: float
    section_fits: float


Passages = Generator[tuple[ToolCall, ...], Sequence[Observation], list[Passage]]


def passages(inquiry: Inquiry, text: str, documents: int = 20, mode: str = "hybrid") -> Passages:
    """The best section of each document that fits `text`, as the tool `search` compares; those first that fit best with their documents."""
    result = yield from inquiry.call(
        "search", "what the documents say", text=text, labels=["Document"], tests="exclude", limit=documents, mode=mode
    )
    hits = [hit for hit in result.records if isinstance(hit, PlaceHit)] if result else []
    found = [(hit, part) for hit in hits for part in _sections(inquiry, hit)]
    fits = relevance([part.text for _, part in found], text)
    wanted = set(terms(text))
    fits = [
        fit * (1 + _HEADING * _covered(wanted, part.heading) ** 2) for fit, (_, part) in zip(fits, found, strict=True)
    ]
    best, top = max(fits, default=0.0) or 1.0, max((hit.score for hit in hits), default=1.0) or 1.0
    chosen: dict[tuple[str, str], Passage] = {}
    for (hit, part), fit in sorted(zip(found, fits, strict=True), key=lambda pair: -pair[1]):
        chosen.setdefault((hit.repository, hit.path), Passage(part, hit.score / top, fit / best))
    return sorted(chosen.values(), key=lambda item: -(item.document_fits + item.section_fits))


def _covered(wanted: set[str], text: str) -> float:
    return len(wanted & set(terms(text))) / len(wanted) if wanted else 0.0


def _sections(inquiry: Inquiry, hit: PlaceHit) -> list[Section]:
    return sections_of(hit.repository, hit.path, inquiry.reader.text(hit.repository, hit.path))


def quoted(section: Section) -> str:
    """The first lines of a section as a quotation."""
    lines = list(section.lines[:_QUOTED_LINES])
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(f"> {line}" if line else ">" for line in lines)


def add_document(inquiry: Inquiry, part: Section, score: float) -> None:
    """Put a document into the answer, by the section that fits."""
    named = f' under "{part.heading}"' if part.heading else ""
    why = f"The documentation speaks of it{named}."
    inquiry.draft.files[part.repository, part.path] = Place(
        part.repository, part.path, "", part.start, part.end, round(score, 4), why, (why,)
    )
