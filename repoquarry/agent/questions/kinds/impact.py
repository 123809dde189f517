"""Answers "what happens if I change X": callers of callers, overriding methods, subclasses, importers, uses, and tests."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.questions.forms import WHO, X, any_of
from repoquarry.agent.questions.inquiry import Inquiry, Steps, exact
from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.agent.questions.subjects import subject_of
from repoquarry.agent.questions.wording import counted, names_of, sites
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.reading.relations import CallerReport, ClassReport, ImporterReport

_MEANINGS = 3
_HOPS = 3
_TESTS = 8


def answer(inquiry: Inquiry) -> Steps:
    """Find everything the name means and follow what depends on it."""
    subject = inquiry.question.subject
    about = yield from subject_of(inquiry)
    if not about.meant:
        return
    shown = about.shown(_MEANINGS)
    reached: dict[str, tuple[DefinitionRecord, int]] = {}
    for target in shown:
        yield from _follow(inquiry, target, reached)
    if not about.named:
        inquiry.draft.paragraphs.append(f"Nothing is called {subject!r}; this is about the nearest, {names_of(shown)}.")
    if len(about.meant) > 1:
        inquiry.draft.paragraphs.append(
            f"The name means {len(about.meant)} things: {names_of(about.meant, places=True)}."
        )
    _summarise(inquiry, shown, reached)


def _follow(inquiry: Inquiry, target: DefinitionRecord, reached: dict[str, tuple[DefinitionRecord, int]]) -> Steps:
    about = {"name": exact(target), "repository": target.repository}
    module = {"module": target.path, "repository": target.repository}
    wanted: list[tuple[str, dict[str, object]]] = [("importers", {**module})]
    if target.label != "Module":
        wanted.append(("callers", {**about, "hops": _HOPS}))
    if target.label == "Class":
        wanted.append(("subclasses", {**about}))
    results = yield from inquiry.calls(f"what depends on {target.title}", *wanted)
    for report in _records(results):
        if isinstance(report, CallerReport):
            _callers(inquiry, target, report, reached)
        elif isinstance(report, ClassReport):
            for level, edges in enumerate(report.levels, 1):
                for edge in edges:
                    reached.setdefault(edge.start.id, (edge.start, level))
                    reason = f"It inherits from `{edge.end.title}`, so it inherits the change."
                    inquiry.draft.add(edge.start, 1.0 / level, reason)
        elif isinstance(report, ImporterReport) and target.label == "Module":
            for rank, dependent in enumerate(report.dependents):
                reached.setdefault(dependent.module.id, (dependent.module, 1))
                names = f", taking {dependent.imports.how}" if dependent.imports and dependent.imports.how else ""
                reason = f"It depends on `{target.path}`{names}."
                weight = 0.3 if dependent.module.is_test else 1.0
                inquiry.draft.add(dependent.module, weight / (1 + rank / 5), reason)
    users = [edge for edge in inquiry.reader.references_to([target.id]) if edge.start.id not in reached]
    for edge in users:
        reached.setdefault(edge.start.id, (edge.start, 1))
        inquiry.draft.add(edge.start, 0.6, f"It uses `{target.title}` ({edge.how}) at {sites(edge.lines)}.")


def _callers(
    inquiry: Inquiry, target: DefinitionRecord, report: CallerReport, reached: dict[str, tuple[DefinitionRecord, int]]
) -> None:
    for hop, edges in enumerate(report.edges, 1):
        for edge in edges:
            nearer = reached.setdefault(edge.start.id, (edge.start, hop))[1] < hop
            if nearer or edge.start.id == target.id:
                continue  # what it has to do with the change is said already
            weight = edge.confidence / hop * (0.3 if edge.start.is_test else 1.0)
            way = "It calls it" if hop == 1 else f"It calls `{edge.end.title}`, {counted(hop, 'call')} away,"
            inquiry.draft.add(edge.start, weight * (1 + min(edge.count, 9) / 10), f"{way} at {sites(edge.lines)}.")
    for item in report.override_family:
        reached.setdefault(item.id, (item, 1))
        inquiry.draft.add(
            item, 0.9, f"It replaces `{target.title}` or is replaced by it, so both have to keep one signature."
        )
    for site in report.possible:
        inquiry.draft.add(site.caller, 0.1, f"It may call it at {sites(site.lines)}: {site.reason}.")
    inquiry.draft.bear(report.possible)


def _summarise(
    inquiry: Inquiry, shown: Sequence[DefinitionRecord], reached: dict[str, tuple[DefinitionRecord, int]]
) -> None:
    code = [(item, hop) for item, hop in reached.values() if not item.is_test]
    tests = [item for item, _ in reached.values() if item.is_test]
    direct = [item for item, hop in code if hop == 1]
    files = {item.path for item, _ in code}
    outside = [item for item, _ in code if item.entry_points]
    lead = (
        f"Changing {names_of(shown)} affects {counted(len(direct), 'definition')} directly and "
        f"{counted(len(code), 'definition')} in {counted(len(files), 'file')} within {_HOPS} steps"
    )
    lead += (
        f", and {counted(len(tests), 'test definition')} that reach it." if tests else "; no indexed test reaches it."
    )
    inquiry.draft.lead = lead
    if outside:
        points = "; ".join(f"`{item.title}` ({', '.join(item.entry_points)})" for item in outside[:6])
        inquiry.draft.paragraphs.append(f"It is visible from outside through {points}.")
    if tests:
        named = names_of(sorted(tests, key=lambda item: item.id), _TESTS, places=True)
        inquiry.draft.paragraphs.append(f"Tests to run: {named}.")


def _records(results: Sequence[ToolResult | None]) -> list[object]:
    return [record for result in results if result for record in result.records]


_CHANGE = any_of(r"""
    chang\w* | modif\w* | remov\w* | delet\w* | renam\w* | edit\w*
    touch\w* | replac\w* | break\w* | refactor\w*
""")
_PART_CHANGED = (
    r"(?: the " + any_of(r"signature | name | behaviou?r | return value | arguments? | parameters?") + " of)?"
)
_HAPPENS = any_of("happens? | breaks? | is affected | be affected | needs? to change | else")
QUESTION = QuestionKind(
    plan="find everything the name means, follow callers, subclasses, overriding methods and importers, and find its tests",
    forms=(
        rf"\bwhat (?:would |will |could |might )?{_HAPPENS}\b.*?\b(?:if|when) {WHO} (?:\w+ )*?{_CHANGE}{_PART_CHANGED} {X}",
        rf"\b(?:impact|effects?|consequences?|blast radius) of {_CHANGE} {X}",
        rf"\bwhat (?:depends on|relies on|would break without|is affected by) {X}",
    ),
    answer=answer,
)
