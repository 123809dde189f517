"""Answers "how does A reach B": the call paths between the two ends, and the modules that lie on the way.

Frameworks hide such ways: a call through a variable has no edge. So three things are laid together: paths in the call graph
between what stands for A and what stands for B, definitions whose own lines speak of both ends, and how central a place is
among all these. What several of them agree on is on the way.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Generator, Sequence

from agent.policies.base import Observation, ToolCall
from agent.questions.inquiry import Inquiry, Steps, evidence, exact
from agent.questions.subjects import Found, meanings, nearest
from agent.questions.where import locate, look_up
from agent.questions.wording import counted, names_of
from agent.records import CallPath, Definition
from agent.tools.callees import CalleeReport
from agent.tools.callers import CallerReport
from graphstore.text import terms

FoundPaths = Generator[tuple[ToolCall, ...], Sequence[Observation], list[CallPath]]

_ENDS = 8
_BETWEEN = 16
_PATHS_SHOWN = 3
_HOPS = 8
_MODULES = 5


def answer(inquiry: Inquiry) -> Steps:
    """Locate both ends and what lies between, then search the ways."""
    question = inquiry.question
    yield from look_up(inquiry)
    yield from locate(inquiry, inquiry.task)
    starts = yield from _end(inquiry, question.subject)
    ends = yield from _end(inquiry, question.goal)
    middle = yield from nearest(inquiry, f"{question.subject} {question.goal}", limit=_BETWEEN)
    paths = yield from _paths(inquiry, starts, ends)
    around = yield from _neighbours(inquiry, middle)
    candidates = {item.id: item for item in (*starts, *ends, *middle, *around, *(s for p in paths for s in p.steps))}
    candidates.update({finding.definition.id: finding.definition for finding in inquiry.draft.ranked()[:_BETWEEN]})
    for item in candidates.values():
        _weigh_between(inquiry, item)
    _weigh_paths(inquiry, paths)
    yield from _read(inquiry)
    _explain(inquiry, paths)


def _end(inquiry: Inquiry, phrase: str) -> Found:
    """What stands for one end: all that its name means, else what its words describe."""
    named = yield from meanings(inquiry, phrase)
    if named:
        return named[:_ENDS]
    described = yield from nearest(inquiry, phrase, limit=_ENDS)
    return described


def _paths(inquiry: Inquiry, starts: Sequence[Definition], ends: Sequence[Definition]) -> FoundPaths:
    start_ids, end_ids = [exact(item) for item in starts], [exact(item) for item in ends]
    if not start_ids or not end_ids:
        return []
    result = yield from inquiry.call(
        "call_paths", "ways between the two ends", starts=start_ids, ends=end_ids, hops=_HOPS
    )
    return [path for path in result.records if isinstance(path, CallPath)] if result else []


def _neighbours(inquiry: Inquiry, middle: Sequence[Definition]) -> Found:
    """What calls and is called by the places that speak of both ends."""
    wanted = [
        (tool, {"name": exact(item), "repository": item.repository})
        for item in middle[:4]
        for tool in ("callers", "callees")
    ]
    found: dict[str, Definition] = {}
    if wanted:
        results = yield from inquiry.calls("what is around the places between", *wanted)
        for record in [record for result in results if result for record in result.records]:
            if isinstance(record, CallerReport):
                found.update({edge.start.id: edge.start for hop in record.edges for edge in hop})
                inquiry.draft.bear(record.possible)
            elif isinstance(record, CalleeReport):
                found.update({edge.end.id: edge.end for edge in record.edges})
    return [item for item in found.values() if not item.is_test]


def _weigh_between(inquiry: Inquiry, item: Definition) -> None:
    """A definition that speaks of both ends lies between them; names and documentation say more than lines."""
    if item.label == "Module":
        return
    start, goal = set(terms(inquiry.question.subject)), set(terms(inquiry.question.goal))
    counts = Counter(terms("\n".join(inquiry.reader.lines(item))))
    told = set(terms(f"{item.qualname} {item.signature} {item.docstring}"))

    def weight(wanted: set[str]) -> float:
        found = [
            counts[term] / (counts[term] + 2.0) + (term in told) for term in wanted if counts[term] or term in told
        ]
        return sum(found) / len(wanted) if wanted else 0.0

    first, second = weight(start), weight(goal)
    if first and second:
        both = math.sqrt(first * second) * (0.3 if item.is_test else 1.0)
        inquiry.draft.add(
            item, 2.0 * both, f"speaks of both {inquiry.question.subject!r} and {inquiry.question.goal!r}"
        )


def _weigh_paths(inquiry: Inquiry, paths: Sequence[CallPath]) -> None:
    """What many ways lead through is central to them."""
    passed = Counter(step.id for path in paths for step in path.steps)
    for item in {step.id: step for path in paths for step in path.steps}.values():
        share = passed[item.id] / len(paths)
        inquiry.draft.add(
            item, (0.2 if item.is_test else 1.5) * share, f"on {counted(passed[item.id], 'call path')} between the ends"
        )


def _read(inquiry: Inquiry) -> Steps:
    """Read the best places for lines that speak of both ends."""
    top = [finding for finding in inquiry.draft.ranked() if finding.definition.qualname][:5]
    views = [
        (
            "view_class" if finding.definition.label == "Class" else "view_function",
            {"name": exact(finding.definition), "repository": finding.definition.repository},
        )
        for finding in top
    ]
    if not views:
        return
    results = yield from inquiry.calls("read the places on the way", *views)
    wanted = set(terms(f"{inquiry.question.subject} {inquiry.question.goal}"))
    for finding, result in zip(top, results, strict=True):
        lines = evidence(inquiry, finding.definition, wanted) if result else []
        if lines:
            finding.add(0.2, "; ".join(f"line {number}: `{line[:120]}`" for number, line in lines))


def _explain(inquiry: Inquiry, paths: Sequence[CallPath]) -> None:
    question, ranked = inquiry.question, inquiry.draft.ranked()
    modules: dict[tuple[str, str], float] = {}
    for rank, finding in enumerate(ranked[:30]):
        key = (finding.definition.repository, finding.definition.path)
        modules[key] = modules.get(key, 0.0) + finding.score / (1 + rank / 5)
    central = sorted(modules, key=lambda key: (-modules[key], key))[:_MODULES]
    if central:
        named = ", ".join(f"`{path}`" for _, path in central)
        inquiry.draft.lead = (
            f"The way from {question.subject!r} to {question.goal!r} leads through {named}; its centre is "
            f"{names_of([finding.definition for finding in ranked[:3]], places=True)}."
        )
    if paths:
        shown = "\n".join(f"- {_path_line(path)}" for path in paths[:_PATHS_SHOWN])
        inquiry.draft.paragraphs.append(f"Resolved call paths between the ends ({len(paths)} found):\n\n{shown}")
    else:
        inquiry.draft.paragraphs.append(
            "No path of resolved calls joins the two ends: somewhere on the way a call goes through a value that is only "
            "known at run time. The places below speak of both ends or stand next to those that do."
        )


def _path_line(path: CallPath) -> str:
    words = [f"`{path.edges[0].start.title}`"]
    for edge in path.edges:
        verb = {"CALLS": "calls", "OVERRIDES": "is replaced by"}.get(edge.kind, "hands over")
        at = f" (line {edge.lines[0]})" if edge.lines else ""
        words.append(f"{verb}{at} `{edge.end.title}` in `{edge.end.path}`")
    return ", which ".join([f"{words[0]} {words[1]}", *words[2:]])
