"""Finds what a phrase of a question means: as a name when it is one, else by searching for it."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from repoquarry.agent.decisions import Observation, ToolCall
from repoquarry.agent.questions.inquiry import Inquiry
from repoquarry.graphstore.reading.records import DefinitionRecord, Meaning, PlaceHit
from repoquarry.graphstore.search.text_analysis import terms

Found = Generator[tuple[ToolCall, ...], Sequence[Observation], list[DefinitionRecord]]


def meanings(inquiry: Inquiry, phrase: str, labels: Sequence[str] = ()) -> Found:
    """Everything a phrase means by name, best first; empty when it is no name. Names in a longer phrase count as well."""
    candidates = (
        [phrase] if phrase and " " not in phrase else [name for name in inquiry.question.names if name in phrase]
    )
    if " " in phrase and not candidates:
        candidates = [phrase.replace(" ", "_"), "".join(word.capitalize() for word in phrase.split())]
    if not candidates:
        return []
    result = yield from inquiry.call("definitions", f"what {phrase} means", names=candidates)
    records = [record for record in result.records if isinstance(record, Meaning)] if result else []
    found = [item for record in records for item in record.definitions]
    if not any(item.label == "Class" and not item.is_test for item in found):
        found = [*_spelled(inquiry, phrase), *found]
    return [item for item in found if not labels or item.label in labels]


def _spelled(inquiry: Inquiry, phrase: str) -> list[DefinitionRecord]:
    """Classes that prose means by a phrase: "item exporters" is `ItemExporter`, "queryset" is `QuerySet`."""
    joined = re.sub(r"[\s_()-]+", "", phrase)
    singular = joined.removesuffix("s")
    found = inquiry.reader.spelled(dict.fromkeys((joined, singular)), inquiry.repositories)
    return sorted(
        (item for item in found if item.label == "Class" and not item.is_test), key=lambda item: -item.importance
    )


def nearest(inquiry: Inquiry, phrase: str, labels: Sequence[str] = ("Class", "Function"), limit: int = 10) -> Found:
    """Definitions that a phrase describes, by words and meaning; best first, tests left out."""
    arguments = {"text": phrase, "labels": list(labels), "tests": "exclude", "limit": limit}
    result = yield from inquiry.call("search", f"what {phrase!r} describes", **arguments)
    hits = [hit for hit in result.records if isinstance(hit, PlaceHit)] if result else []
    return [hit.definition for hit in hits if hit.definition is not None]


@dataclass(frozen=True)
class Subject:
    """What a question is about: what its words mean as a name, best first, else the nearest to them."""

    meant: list[DefinitionRecord]
    named: bool

    def shown(self, most: int) -> list[DefinitionRecord]:
        """Those that an answer tells of."""
        return self.meant[:most] if self.named else self.meant[:1]


def subject_of(inquiry: Inquiry) -> Generator[tuple[ToolCall, ...], Sequence[Observation], Subject]:
    """Find the subject of the question; the answer says so when there is nothing of it."""
    phrase = inquiry.question.subject
    if named := (yield from meanings(inquiry, phrase)):
        return Subject(named, named=True)
    wanted = set(terms(phrase))
    found = yield from nearest(inquiry, phrase, limit=5)
    close = [item for item in found if wanted & set(terms(" ".join(item.segments)))]
    if not close:
        inquiry.draft.not_found.append(phrase)
    return Subject(close, named=False)
