"""Answers "what does X call": inside the repository, outside it, and what could not be resolved."""

from __future__ import annotations

from repoquarry.agent.questions.inquiry import Inquiry, Steps, exact
from repoquarry.agent.questions.subjects import meant_or_nearest
from repoquarry.agent.questions.wording import counted, names_of, sites
from repoquarry.agent.tools.callees import CalleeReport

_MEANINGS = 4
_OUTSIDE = 12


def answer(inquiry: Inquiry) -> Steps:
    """Find everything the name means and what each calls."""
    subject = inquiry.question.subject
    targets, named = yield from meant_or_nearest(inquiry, subject, ())
    if not targets:
        inquiry.draft.not_found.append(subject)
        return
    shown = targets[:_MEANINGS] if named else targets[:1]
    results = yield from inquiry.calls(
        "what it calls",
        *(("callees", {"name": exact(item), "repository": item.repository}) for item in shown),
    )
    reports = [report for result in results if result for report in result.records if isinstance(report, CalleeReport)]
    inside = {edge.end.id for report in reports for edge in report.edges}
    outside = {name.qualname for report in reports for name in report.outside}
    inquiry.draft.lead = (
        f"{names_of(shown)} calls {counted(len(inside), 'definition')} of the repository and "
        f"{counted(len(outside), 'name')} outside it."
    )
    if len(targets) > 1:
        inquiry.draft.paragraphs.append(f"The name means {len(targets)} things: {names_of(targets, places=True)}.")
    for report in reports:
        for edge in report.edges:
            reason = (
                f"called by {edge.start.title} at {sites(edge.lines)} ({edge.how}, confidence {edge.confidence:.2f})"
            )
            inquiry.draft.add(edge.end, edge.confidence * (1 + min(edge.count, 9) / 10), reason)
        inquiry.draft.bear(report.unresolved)
    if outside:
        shown_names = ", ".join(f"`{name}`" for name in sorted(outside)[:_OUTSIDE])
        more = f" and {len(outside) - _OUTSIDE} more" if len(outside) > _OUTSIDE else ""
        inquiry.draft.paragraphs.append(f"Outside the repository it calls {shown_names}{more}.")
