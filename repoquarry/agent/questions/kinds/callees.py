"""Answers "what does X call": inside the repository, outside it, and what could not be resolved."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from repoquarry.agent.decisions import Observation, ToolCall
from repoquarry.agent.questions.forms import X, any_of
from repoquarry.agent.questions.inquiry import Inquiry, Steps, exact
from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.agent.questions.subjects import subject_of
from repoquarry.agent.questions.wording import certainty, counted, names_of, sites
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.reading.relations import CalleeReport

_MEANINGS = 4
_OUTSIDE = 12
_FEW = 5
_FURTHER = 0.5
"""Weight of a call by something that is called, against a direct one."""

Reports = Generator[tuple[ToolCall, ...], Sequence[Observation], list[CalleeReport]]


def answer(inquiry: Inquiry) -> Steps:
    """Find everything the name means and what each calls; what calls little hands on, so it is followed one call further."""
    about = yield from subject_of(inquiry)
    if not about.meant:
        return
    shown = about.shown(_MEANINGS)
    reports = yield from _callees(inquiry, shown, "what it calls")
    inside = {edge.end.id: edge.end for report in reports for edge in report.edges}
    outside = {name.qualname for report in reports for name in report.external}
    inquiry.draft.lead = (
        f"{names_of(shown)} calls {counted(len(inside), 'definition')} of the repository and "
        f"{counted(len(outside), 'name')} outside it."
    )
    if len(about.meant) > 1:
        inquiry.draft.paragraphs.append(
            f"The name means {len(about.meant)} things: {names_of(about.meant, places=True)}."
        )
    _add(inquiry, reports, 1.0)
    if 0 < len(inside) < _FEW:
        further = yield from _callees(inquiry, list(inside.values()), "what these call in turn")
        _add(inquiry, further, _FURTHER)
        for report in further:
            ends = {edge.end.id: edge.end for edge in report.edges}
            if ends:
                called = names_of(list(ends.values()), 10)
                inquiry.draft.paragraphs.append(f"{names_of(report.targets)} in turn calls {called}.")
    if outside:
        shown_names = ", ".join(f"`{name}`" for name in sorted(outside)[:_OUTSIDE])
        more = f" and {len(outside) - _OUTSIDE} more" if len(outside) > _OUTSIDE else ""
        inquiry.draft.paragraphs.append(f"Outside the repository it calls {shown_names}{more}.")


def _callees(inquiry: Inquiry, definitions: Sequence[DefinitionRecord], why: str) -> Reports:
    results = yield from inquiry.calls(
        why, *(("callees", {"name": exact(item), "repository": item.repository}) for item in definitions)
    )
    return [report for result in results if result for report in result.records if isinstance(report, CalleeReport)]


def _add(inquiry: Inquiry, reports: Sequence[CalleeReport], weight: float) -> None:
    for report in reports:
        for edge in report.edges:
            reason = f"`{edge.start.title}` calls it at {sites(edge.lines)}{certainty(edge.confidence)}."
            inquiry.draft.add(edge.end, weight * edge.confidence * (1 + min(edge.count, 9) / 10), reason)
        inquiry.draft.bear(report.unresolved)


_EVENTUALLY = "(?:" + any_of("end up | eventually | ultimately | indirectly | directly | finally") + " )?"
QUESTION = QuestionKind(
    plan="find everything the name means and list what it calls inside, outside, and unresolved",
    forms=(
        rf"\b(?:what|which) (?:\w+ )?(?:does|do|will|would) {X} {_EVENTUALLY}(?:call|invoke|use|run|trigger|depend on)(?:ing)?",
        rf"\bcallees of {X}",
    ),
    answer=answer,
)
