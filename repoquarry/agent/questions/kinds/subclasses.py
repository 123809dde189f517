"""Answers "which classes inherit from X", at every level, for classes of the repository and for those outside it."""

from __future__ import annotations

from collections import Counter

from repoquarry.agent.questions.forms import X, any_of
from repoquarry.agent.questions.inquiry import Inquiry, Steps, exact
from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.agent.questions.subjects import Found, meanings, nearest
from repoquarry.agent.questions.wording import counted, names_of
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.reading.relations import ClassReport
from repoquarry.graphstore.search.text_analysis import terms

_MEANINGS = 4
_DESCRIBED = 20
_MEANT = 8
_LISTED = 40


def answer(inquiry: Inquiry) -> Steps:
    """Find every class that the name means and what inherits from it."""
    subject = inquiry.question.subject
    targets = yield from meanings(inquiry, subject, ("Class",))
    beside: set[str] = set()
    if not targets and " " in subject:
        targets = yield from _within(inquiry, subject)
        beside = set(terms(subject)) - {term for item in targets for term in terms(item.name)}
    if not targets and " " in subject:
        targets = yield from _described(inquiry, subject)
        beside = set()
    wanted: list[dict[str, object]] = [{"name": exact(t), "repository": t.repository} for t in targets[:_MEANINGS]]
    results = yield from inquiry.calls(
        "what inherits from it", *(("subclasses", one) for one in wanted or [{"name": subject}])
    )
    reports = [report for result in results if result for report in result.records if isinstance(report, ClassReport)]
    if not reports:
        yield from _instead(inquiry, subject)
        return
    below: dict[str, DefinitionRecord] = {}
    for report in reports:
        below.update(_findings(inquiry, report, beside))
    levels = max((len(report.levels) + bool(report.external) for report in reports), default=0)
    what = names_of(targets) if targets else f"`{subject}`, which is defined outside,"
    tests = sum(item.is_test for item in below.values())
    inquiry.draft.lead = f"{counted(len(below), 'class')} inherit from {what} over {counted(levels, 'level')}" + (
        f", {tests} of them in tests." if tests else "."
    )
    if len(targets) > 1:
        inquiry.draft.paragraphs.append(f"The name means {len(targets)} classes: {names_of(targets, places=True)}.")
    meant = [one.definition for one in inquiry.draft.ranked() if beside & set(terms(one.definition.id))]
    if meant:
        inquiry.draft.paragraphs.append(f"Those that {subject!r} describes: {names_of(meant, _MEANT, places=True)}.")
    for report in reports:
        _tree(inquiry, report)


def _within(inquiry: Inquiry, phrase: str) -> Found:
    """Classes that a word of a phrase names: "Dialect for PostgreSQL" is about `Dialect`."""
    for word in phrase.split():
        if word[:1].isupper():
            found = yield from meanings(inquiry, word, ("Class",))
            code = [item for item in found if not item.is_test]
            if code:
                return code
    return []


def _described(inquiry: Inquiry, phrase: str) -> Found:
    """The class that a phrase describes and that most inherit from: "item exporters" are what inherits from one base."""
    wanted = set(terms(phrase))
    found = yield from nearest(inquiry, phrase, ("Class",), _DESCRIBED)
    fitting = [item for item in found if wanted <= set(terms(" ".join(item.segments)))]
    bases = {edge.end.id: edge.end for edge in inquiry.reader.bases([item.id for item in fitting])}
    candidates = {item.id: item for item in (*fitting, *bases.values()) if not item.is_test}
    below: Counter[str] = Counter()
    for edge in inquiry.reader.subclasses(candidates):
        below[edge.end.id] += bool(wanted & set(terms(edge.start.name)))
    return [candidates[id_] for id_, number in below.most_common(1) if number]


def _findings(inquiry: Inquiry, report: ClassReport, beside: set[str]) -> dict[str, DefinitionRecord]:
    below: dict[str, DefinitionRecord] = {}
    for name, item in report.external:
        below[item.id] = item
        inquiry.draft.add(item, _weight(item, 1), f"It inherits from `{name}`.")
    for level, edges in enumerate(report.levels, 2 if report.external else 1):
        for edge in edges:
            below[edge.start.id] = edge.start
            how = "directly" if level == 1 else f"over {level} levels,"
            again = edge.start.id in inquiry.draft.findings  # by a second base: no better an answer for that
            weight = 0.0 if again else _weight(edge.start, level) + len(beside & set(terms(edge.start.id)))
            inquiry.draft.add(edge.start, weight, f"It inherits {how} from `{edge.end.title}`.")
    return below


def _weight(item: DefinitionRecord, level: int) -> float:
    return (0.4 if item.is_test else 1.0) / level + min(item.importance, 20.0) / 100


def _tree(inquiry: Inquiry, report: ClassReport) -> None:
    lines = [f"- `{item.title}` ({item.where()}) from `{name}`" for name, item in report.external]
    for level, edges in enumerate(report.levels, 1 if report.external else 0):
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
        inquiry.draft.add(item, 0.5 / (rank + 1), f"Its words are near {subject!r}.")
    inquiry.draft.lead = f"No class {subject!r} is defined or inherited from here." + (
        f" Nearest by words: {names_of(found)}." if found else ""
    )


_INHERIT = any_of(r"inherit\w* | deriv\w* | extend\w* | descend\w* | subclass\w* | implement\w*")
_EXIST = any_of("are there | exist | are available | are supported | are provided | are built in | are implemented")
QUESTION = QuestionKind(
    plan="find everything the name means and follow inheritance down to every level",
    forms=(
        rf"\b(?:which|what|how many) (?:\w+ )*?{_INHERIT}(?: directly| indirectly)?(?: from| of)? {X}",
        rf"\b(?:sub-?classes|descendants|children|implementations|implementers) of {X}",
        rf"\b(?:which|what) (?:sub-?classes|descendants|children|implementations) (?:does|do) {X} have",
        rf"\b(?:who|what) (?:inherits from|extends|subclasses|implements) {X}",
        rf"\b(?:which|what) (?:different )?(?:kinds?|types?|sorts?|variants?) of {X} (?:are|is|exist|do|does|can)\b.*",
        rf"\b(?:which|what) {X} {_EXIST}(?: (?:in|by|here|at all)\b.*)?",
    ),
    answer=answer,
)
