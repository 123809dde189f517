"""Answers "who calls X": resolved calls, then calls that may mean it, then how much stays unknown."""

from __future__ import annotations

from repoquarry.agent.questions.inquiry import Inquiry, Steps, exact
from repoquarry.agent.questions.subjects import meant_or_nearest
from repoquarry.agent.questions.wording import counted, names_of, sites
from repoquarry.agent.records import Definition
from repoquarry.agent.tools.callers import CallerReport

_MEANINGS = 4
_LISTED = 15


def answer(inquiry: Inquiry) -> Steps:
    """Find everything the name means and who calls each."""
    subject = inquiry.question.subject
    targets, named = yield from meant_or_nearest(inquiry, subject, ("Function", "Class"))
    if not targets:
        yield from _outside(inquiry, subject)
        return
    shown = targets[:_MEANINGS] if named else targets[:1]
    reports = yield from inquiry.calls(
        "who calls it",
        *(("callers", {"name": exact(item), "repository": item.repository}) for item in shown),
    )
    found = [report for result in reports if result for report in result.records if isinstance(report, CallerReport)]
    direct = {edge.start.id for report in found for hop in report.edges for edge in hop}
    total = sum(edge.count for report in found for hop in report.edges for edge in hop)
    possible = {(site.caller.id, site.name): site for report in found for site in report.possible}
    lead = [
        f"{names_of(shown)} is called from {counted(len(direct), 'place')} at {counted(total, 'resolved call site')}."
    ]
    if not named:
        lead.insert(0, f"Nothing is called {subject!r}; the nearest is {names_of(shown)}.")
    if possible:
        lead.append(
            f"{counted(sum(site.count for site in possible.values()), 'further call site')} of the same name could not be "
            "resolved: each may or may not mean it."
        )
    inquiry.draft.lead = " ".join(lead)
    _meanings(inquiry, targets)
    for report in found:
        _report(inquiry, report)
    inquiry.draft.bear(list(possible.values()))


def _report(inquiry: Inquiry, report: CallerReport) -> None:
    """Callers as findings, surest and most frequent first; possible ones with a lower score."""
    target = report.targets[0]
    for hop in report.edges:
        for edge in hop:
            weight = edge.confidence * (0.3 if edge.start.is_test else 1.0)
            reason = f"calls {target.title} at {sites(edge.lines)} ({edge.how}, confidence {edge.confidence:.2f})"
            inquiry.draft.add(edge.start, weight * (1 + min(edge.count, 9) / 10), reason)
    for site in report.possible:
        weight = 0.05 if site.caller.is_test else 0.1
        reason = f"may call it: `.{site.name}` at {sites(site.lines)}, {site.reason}"
        inquiry.draft.add(site.caller, weight, reason)
    lines = [f"- `{edge.start.title}` ({edge.start.path}, {sites(edge.lines)})" for hop in report.edges for edge in hop]
    if lines:
        more = f"\n- and {len(lines) - _LISTED} more" if len(lines) > _LISTED else ""
        inquiry.draft.paragraphs.append(f"Callers of `{target.title}`:\n\n" + "\n".join(lines[:_LISTED]) + more)
    if report.inherited:
        inquiry.draft.paragraphs.append(
            f"`{target.title}` is related by overriding to {names_of(report.inherited)}: a call of one of these may run another."
        )


def _meanings(inquiry: Inquiry, targets: list[Definition]) -> None:
    if len(targets) > 1:
        inquiry.draft.paragraphs.append(f"The name means {len(targets)} things: {names_of(targets, places=True)}.")


def _outside(inquiry: Inquiry, subject: str) -> Steps:
    """Callers of something that is not defined in the repository."""
    result = yield from inquiry.call("callers", "whether it is called from outside", name=subject)
    reports = [item for item in result.records if isinstance(item, CallerReport)] if result else []
    for report in reports:
        for call in report.outside:
            reason = f"calls {call.qualname} at {sites(call.lines)}"
            inquiry.draft.add(call.caller, 0.3 if call.caller.is_test else 1.0, reason)
        for site in report.possible:
            inquiry.draft.add(site.caller, 0.1, f"may call it: `.{site.name}` at {sites(site.lines)}, {site.reason}")
        inquiry.draft.bear(report.possible)
        full = sorted({call.qualname for call in report.outside})
        if full:
            inquiry.draft.lead = (
                f"`{subject}` is defined outside ({', '.join(f'`{name}`' for name in full)}) and is called from "
                f"{counted(len(report.outside), 'place')} here."
            )
        else:
            inquiry.draft.lead = f"No resolved call reaches `{subject}`; it is not defined in what is indexed."
    if not reports:
        inquiry.draft.not_found.append(subject)
