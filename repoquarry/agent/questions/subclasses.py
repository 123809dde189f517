"""Answers "which classes inherit from X", at every level, for classes of the repository and for those outside it."""

from __future__ import annotations

from repoquarry.agent.questions.inquiry import Inquiry, Steps, exact
from repoquarry.agent.questions.subjects import meanings, nearest
from repoquarry.agent.questions.wording import counted, names_of
from repoquarry.agent.records import Definition
from repoquarry.agent.tools.subclasses import ClassReport

_MEANINGS = 4
_LISTED = 40


def answer(inquiry: Inquiry) -> Steps:
    """Find every class that the name means and what inherits from it."""
    subject = inquiry.question.subject
    targets = yield from meanings(inquiry, subject, ("Class",))
    wanted: list[dict[str, object]] = [{"name": exact(t), "repository": t.repository} for t in targets[:_MEANINGS]]
    results = yield from inquiry.calls(
        "what inherits from it", *(("subclasses", one) for one in wanted or [{"name": subject}])
    )
    reports = [report for result in results if result for report in result.records if isinstance(report, ClassReport)]
    if not reports:
        yield from _instead(inquiry, subject)
        return
    below: dict[str, Definition] = {}
    for report in reports:
        below.update(_findings(inquiry, report))
    levels = max((len(report.levels) + bool(report.outside) for report in reports), default=0)
    what = names_of(targets) if targets else f"`{subject}`, which is defined outside,"
    tests = sum(item.is_test for item in below.values())
    inquiry.draft.lead = f"{counted(len(below), 'class')} inherit from {what} over {counted(levels, 'level')}" + (
        f", {tests} of them in tests." if tests else "."
    )
    if len(targets) > 1:
        inquiry.draft.paragraphs.append(f"The name means {len(targets)} classes: {names_of(targets, places=True)}.")
    for report in reports:
        _tree(inquiry, report)


def _findings(inquiry: Inquiry, report: ClassReport) -> dict[str, Definition]:
    below: dict[str, Definition] = {}
    for name, item in report.outside:
        below[item.id] = item
        inquiry.draft.add(item, _weight(item, 1), f"inherits from {name}")
    for level, edges in enumerate(report.levels, 2 if report.outside else 1):
        for edge in edges:
            below[edge.start.id] = edge.start
            how = "directly" if level == 1 else f"at level {level}"
            again = edge.start.id in inquiry.draft.findings  # by a second base: no better an answer for that
            weight = 0.0 if again else _weight(edge.start, level)
            inquiry.draft.add(edge.start, weight, f"inherits {how}, from {edge.end.title}")
    return below


def _weight(item: Definition, level: int) -> float:
    return (0.4 if item.is_test else 1.0) / level + min(item.importance, 20.0) / 100


def _tree(inquiry: Inquiry, report: ClassReport) -> None:
    lines = [f"- `{item.title}` ({item.where()}) from `{name}`" for name, item in report.outside]
    for level, edges in enumerate(report.levels, 1 if report.outside else 0):
        lines += [
            f"{'  ' * level}- `{edge.start.title}` ({edge.start.where()}) from `{edge.end.title}`" for edge in edges
        ]
    if lines:
        more = f"\n- and {len(lines) - _LISTED} more" if len(lines) > _LISTED else ""
        inquiry.draft.paragraphs.append("By level:\n\n" + "\n".join(lines[:_LISTED]) + more)
    if report.bases:
        bases = names_of([edge.end for edge in report.bases], places=True)
        inquiry.draft.paragraphs.append(f"`{report.targets[0].title}` itself inherits from {bases}.")


def _instead(inquiry: Inquiry, subject: str) -> Steps:
    """Say that nothing of that name is inherited from, and name the classes that the words describe."""
    inquiry.draft.not_found.append(subject)
    found = yield from nearest(inquiry, subject, ("Class",), 5)
    for rank, item in enumerate(found):
        inquiry.draft.add(item, 0.5 / (rank + 1), f"its words are near {subject!r}")
    inquiry.draft.lead = f"No class {subject!r} is defined or inherited from here." + (
        f" Nearest by words: {names_of(found)}." if found else ""
    )
