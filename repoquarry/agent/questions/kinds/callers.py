"""Answers "who calls X": resolved calls, then calls that may mean it, then how much stays unknown."""

from __future__ import annotations

from repoquarry.agent.questions.forms import X, any_of
from repoquarry.agent.questions.inquiry import Inquiry, Steps, exact
from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.agent.questions.question import Question
from repoquarry.agent.questions.subjects import meanings
from repoquarry.agent.questions.wording import certainty, counted, names_of, sites, times
from repoquarry.graphstore.reading.records import DefinitionRecord, EdgeRecord
from repoquarry.graphstore.reading.relations import CallerReport
from repoquarry.graphstore.search.text_analysis import terms

_MEANINGS = 4
_LISTED = 15
_TEST_SHARE = 0.3
_FAR = 1.5
_SAID = 1.0
"""Weight of speaking of what the question says beside the name, against being a caller."""


def answer(inquiry: Inquiry) -> Steps:
    """Find everything the name means and who calls each."""
    subject = _name(inquiry.question)
    targets = yield from meanings(inquiry, subject, ("Function", "Class"))
    if not targets:
        yield from _outside(inquiry, subject)
        return
    shown = targets[:_MEANINGS]
    hops = 2 if _beside(inquiry.question) else 1
    reports = yield from inquiry.calls(
        "who calls it",
        *(("callers", {"name": exact(item), "repository": item.repository, "hops": hops}) for item in shown),
    )
    found = [report for result in reports if result for report in result.records if isinstance(report, CallerReport)]
    calls = {(edge.start.id, edge.lines): edge.count for report in found for edge in _edges(report)}
    total, direct = sum(calls.values()), {caller for caller, _ in calls}
    possible = {(site.caller.id, site.name): site for report in found for site in report.possible}
    places = (
        f"is called {times(total)} from {counted(len(direct), 'place')}" if total else "is called nowhere that is known"
    )
    lead = [f"{names_of(shown)} {places}."]
    if possible:
        unsure = sum(site.count for site in possible.values())
        lead.append(
            f"{counted(unsure, 'further call site').capitalize()} of the same name could not be resolved and may mean it or not."
        )
    inquiry.draft.lead = " ".join(lead)
    if len(targets) > 1:
        inquiry.draft.paragraphs.append(f"The name means {len(targets)} things: {names_of(targets, places=True)}.")
    for report in found:
        _report(inquiry, report)
    for target in shown:
        _uses(inquiry, target)
    inquiry.draft.bear(list(possible.values()))


def _name(question: Question) -> str:
    """The name in what is asked: "subprocess.run to start programs" is about `subprocess.run`."""
    named = [name for name in question.names if name in question.subject]
    return named[0] if " " in question.subject and named else question.subject


def _said(inquiry: Inquiry, caller: DefinitionRecord) -> float:
    """How much a caller speaks of what the question says beside the name."""
    beside = _beside(inquiry.question)
    if not beside:
        return 0.0
    return _SAID * len(beside & set(terms("\n".join(inquiry.reader.lines(caller))))) / len(beside)


def _report(inquiry: Inquiry, report: CallerReport) -> None:
    """Callers as findings, surest and most frequent first; possible ones with a lower score."""
    target = report.targets[0]
    edges = sorted(_edges(report), key=lambda edge: (edge.start.is_test, -edge.confidence))
    for edge in edges:
        weight = edge.confidence * (_TEST_SHARE if edge.start.is_test else 1.0)
        reason = f"It calls `{target.title}` at {sites(edge.lines)}{certainty(edge.confidence)}."
        inquiry.draft.add(edge.start, weight * (1 + min(edge.count, 9) / 10 + _said(inquiry, edge.start)), reason)
    for edge in (edge for hop in report.edges[1:] for edge in hop if not edge.start.is_test):
        reason = f"It reaches `{target.title}` through `{edge.end.title}`, which it calls at {sites(edge.lines)}."
        inquiry.draft.add(edge.start, edge.confidence * _said(inquiry, edge.start) * _FAR, reason)
    for site in report.possible:
        weight = 0.05 if site.caller.is_test else 0.1
        reason = f"It may call it: `.{site.name}` at {sites(site.lines)} could not be resolved ({site.reason})."
        inquiry.draft.add(site.caller, weight, reason)
    lines = [f"- `{edge.start.title}` ({edge.start.path}, {sites(edge.lines)})" for edge in edges]
    if lines:
        more = f"\n- and {len(lines) - _LISTED} more" if len(lines) > _LISTED else ""
        inquiry.draft.paragraphs.append(f"Callers of `{target.title}`:\n\n" + "\n".join(lines[:_LISTED]) + more)
    for edge in report.cross_repository:
        reason = f"calls {target.title} of {target.repository} from repository {edge.start.repository} at {sites(edge.lines)}"
        inquiry.draft.add(edge.start, 0.9 * edge.confidence, reason)
    if report.cross_repository:
        callers = [
            f"- `{edge.start.title}` ({edge.start.repository}: {edge.start.path}, {sites(edge.lines)})"
            for edge in report.cross_repository
        ]
        inquiry.draft.paragraphs.append(
            "Callers in other repositories, which use it as a package:\n\n" + "\n".join(callers[:_LISTED])
        )
    if report.override_family:
        inquiry.draft.paragraphs.append(
            f"`{target.title}` is related by overriding to {names_of(report.override_family)}: a call of one of these may run another."
        )


def _edges(report: CallerReport) -> list[EdgeRecord]:
    """The direct calls, each once: that of a class and that of its constructor are one call."""
    return list({(edge.start.id, edge.lines): edge for hop in report.edges[:1] for edge in reversed(hop)}.values())


def _beside(question: Question) -> set[str]:
    """What a question says beside the name."""
    return set(terms(question.subject)) - set(terms(_name(question)))


def _uses(inquiry: Inquiry, target: DefinitionRecord) -> None:
    """Uses that are no calls: raising, decorating, handing over."""
    edges = inquiry.reader.references_to([target.id])
    for edge in edges:
        weight = 0.5 * edge.confidence * (_TEST_SHARE if edge.start.is_test else 1.0)
        inquiry.draft.add(edge.start, weight, f"It uses `{target.title}` ({edge.how}) at {sites(edge.lines)}.")
    lines = [f"- `{edge.start.title}` ({edge.start.path}, {edge.how}, {sites(edge.lines)})" for edge in edges]
    if lines:
        more = f"\n- and {len(lines) - _LISTED} more" if len(lines) > _LISTED else ""
        inquiry.draft.paragraphs.append(f"Other uses of `{target.title}`:\n\n" + "\n".join(lines[:_LISTED]) + more)


def _outside(inquiry: Inquiry, subject: str) -> Steps:
    """Callers of something that is not defined in the repository."""
    result = yield from inquiry.call("callers", "whether it is called from outside", name=subject)
    reports = [item for item in result.records if isinstance(item, CallerReport)] if result else []
    for report in reports:
        calls = sorted(report.external, key=lambda call: call.caller.is_test)
        for call in calls:
            weight = (_TEST_SHARE if call.caller.is_test else 1.0) * (1 + _said(inquiry, call.caller))
            inquiry.draft.add(call.caller, weight, f"It calls `{call.qualname}` at {sites(call.lines)}.")
        for site in report.possible:
            reason = f"It may call it: `.{site.name}` at {sites(site.lines)} could not be resolved ({site.reason})."
            inquiry.draft.add(site.caller, 0.1, reason)
        inquiry.draft.bear(report.possible)
        is_are = "is" if len({call.qualname for call in report.external}) == 1 else "are"
        full = " and ".join(f"`{name}`" for name in sorted({call.qualname for call in report.external}))
        lines = [f"- `{call.caller.title}` ({call.caller.path}, {sites(call.lines)})" for call in calls]
        if full:
            called_from = counted(len(lines), "place")
            inquiry.draft.lead = f"{full} {is_are} defined outside the repository and called from {called_from} in it."
            more = f"\n- and {len(lines) - _LISTED} more" if len(lines) > _LISTED else ""
            inquiry.draft.paragraphs.append(f"Callers of {full}:\n\n" + "\n".join(lines[:_LISTED]) + more)
        else:
            inquiry.draft.lead = f"No resolved call reaches `{subject}`; it is not defined in what is indexed."
    if not reports:
        inquiry.draft.not_found.append(subject)
        inquiry.draft.lead = f"Nothing here is called `{subject}`, and nothing calls it."


def _has_name(question: Question) -> bool:
    """ "Where is the connection created" holds no name, so there are no callers to be listed."""
    return bool(question.subject) and (" " not in question.subject or _name(question) != question.subject)


_CALLS = any_of(r"""
    calls? | calling | invok\w+ | uses? | using | runs? | running | triggers? | raises? | throws? | instantiates? | creates?
    constructs? | imports? | executes? | emits? | relies on | makes? use of
""")
_CALLED = any_of(
    r"called | invoked | used | instantiated | constructed | created | raised | thrown | executed | referenced"
)
QUESTION = QuestionKind(
    plan="find everything the name means, list resolved callers, then calls that may mean it, then what stays unknown",
    forms=(
        rf"\b(?:who|what|which \w+|does \w+|where do(?:es)? \w+) (?:all |else |ever )?{_CALLS}(?: to)? {X}",
        rf"\bwhere (?:is|are|does|do) {X} (?:get |being )?{_CALLED}(?: from)?\b.*",
        rf"\b(?:is|are) {X} (?:ever |still |actually )?{_CALLED}\b.*",
        rf"\b(?:callers|usages?|uses|users|call sites|references) (?:of|to) {X}",
    ),
    answer=answer,
    accepts=_has_name,
)
