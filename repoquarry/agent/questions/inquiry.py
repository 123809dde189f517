"""What a question works with: calls to tools written as plain sequential code, and the answer as it grows.

A question is a generator: it yields calls and is sent what they brought. That lets each kind of question read like the steps a
person would take, while the graph makes every call, counts it and may stop between any two.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field

from repoquarry.agent.decisions import Observation, ToolCall, ToolResult
from repoquarry.agent.questions.question import Question, Steps
from repoquarry.agent.task import Place, UnresolvedName
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.records import DefinitionRecord, UnresolvedSite
from repoquarry.graphstore.search.text_analysis import terms

Called = Generator[tuple[ToolCall, ...], Sequence[Observation], ToolResult | None]


__all__ = ["Draft", "Finding", "Inquiry", "Steps", "evidence", "exact"]


@dataclass
class Finding:
    """A definition that belongs in the answer, with what speaks for it."""

    definition: DefinitionRecord
    score: float = 0.0
    reasons: list[tuple[float, str]] = field(default_factory=list)

    def add(self, score: float, reason: str) -> None:
        """Count a reason once."""
        if all(reason != known for _, known in self.reasons):
            self.score += score
            self.reasons.append((score, reason))

    def place(self) -> Place:
        ranked = tuple(reason for _, reason in sorted(self.reasons, key=lambda item: -item[0]))
        item = self.definition
        about = f"{' '.join(item.headline.split()).rstrip('.')}." if item.docstring else ""
        why = " ".join(filter(None, (about, *ranked[:1]))) or f"It is the {item.kind} `{item.title}`."
        return Place.of(item, why, round(self.score, 4), ranked)


@dataclass
class Draft:
    """The answer while it grows: findings by id, and paragraphs in order."""

    lead: str = ""
    paragraphs: list[str] = field(default_factory=list)
    findings: dict[str, Finding] = field(default_factory=dict)
    files: dict[tuple[str, str], Place] = field(default_factory=dict)
    """Places that are no definitions, such as documents."""

    constants: list[Place] = field(default_factory=list)

    unresolved: dict[tuple[str, str], UnresolvedName] = field(default_factory=dict)
    counted_sites: set[tuple[str, str]] = field(default_factory=set)
    """(caller's id, called name) of the unresolved calls that are counted already."""

    not_found: list[str] = field(default_factory=list)

    def add(self, definition: DefinitionRecord, score: float, reason: str) -> None:
        """Put a definition into the answer, or give it one more reason."""
        self.findings.setdefault(definition.id, Finding(definition)).add(score, reason)

    def ranked(self) -> list[Finding]:
        """Findings, best first."""
        return sorted(self.findings.values(), key=lambda item: (-item.score, item.definition.id))

    def places(self) -> tuple[Place, ...]:
        """All places, best first."""
        found = [*(finding.place() for finding in self.ranked()), *self.files.values(), *self.constants]
        return tuple(sorted(found, key=lambda place: -place.score))

    def bear(self, sites: Sequence[UnresolvedSite]) -> None:
        """Note unresolved calls that bear on the answer."""
        for site in sites:
            if (site.caller.id, site.name) in self.counted_sites:
                continue
            self.counted_sites.add((site.caller.id, site.name))
            key = (site.caller.repository, site.name)
            known = self.unresolved.get(key)
            reasons = {site.reason, *(known.reasons if known else ())}
            count = site.count + (known.sites if known else 0)
            self.unresolved[key] = UnresolvedName(*key, count, tuple(sorted(reasons)))


@dataclass
class Inquiry:
    """One question being answered. `reader` is for following up what tools returned, never for finding anything new."""

    task: str
    question: Question
    repositories: tuple[str, ...]
    reader: CodeReader
    draft: Draft = field(default_factory=Draft)
    _count: int = 0

    def call(self, tool: str, why: str, **arguments: object) -> Called:
        """Call one tool; gives its result, or None when it failed."""
        results = yield from self.calls(why, (tool, arguments))
        return results[0]

    def calls(
        self, why: str, *wanted: tuple[str, Mapping[str, object]]
    ) -> Generator[tuple[ToolCall, ...], Sequence[Observation], list[ToolResult | None]]:
        """Call several tools at once; gives their results in order."""
        made = []
        for tool, arguments in wanted:
            self._count += 1
            made.append(ToolCall(f"call-{self._count}", tool, arguments, why))
        observed = yield tuple(made)
        by_call = {observation.call.id: observation.result for observation in observed}
        return [by_call.get(call.id) for call in made]

    def terms(self) -> set[str]:
        """What the task speaks of, as stemmed terms."""
        return set(terms(self.task))


def exact(definition: DefinitionRecord) -> str:
    """The form of a definition's name that tools take for it alone."""
    return definition.id if definition.qualname else definition.path


def viewing(definition: DefinitionRecord) -> tuple[str, dict[str, object]]:
    """The tool that shows the source of a class or function, and what it is asked for."""
    tool = "view_class" if definition.label == "Class" else "view_function"
    return tool, {"name": exact(definition), "repository": definition.repository}


def evidence(inquiry: Inquiry, definition: DefinitionRecord, wanted: set[str], limit: int = 2) -> list[tuple[int, str]]:
    """Lines of a definition that speak most of `wanted` terms: (number, text), in order."""
    scored = []
    for offset, line in enumerate(inquiry.reader.lines(definition)):
        matches = len(wanted.intersection(terms(line)))
        if matches:
            scored.append((-matches, definition.start_line + offset, line.strip()))
    return sorted((number, line) for _, number, line in sorted(scored)[:limit])
