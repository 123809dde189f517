"""Answers "which tests cover X": test files by the tests in them that reach it, use it, or are named and worded like it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from repoquarry.agent.decisions import Observation, ToolCall
from repoquarry.agent.questions.forms import X, any_of
from repoquarry.agent.questions.inquiry import Inquiry, Steps, exact
from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.agent.questions.subjects import meanings, nearest
from repoquarry.agent.questions.wording import counted, names_of
from repoquarry.graphstore.reading.records import DefinitionRecord, PlaceHit
from repoquarry.graphstore.reading.relations import CallerReport, ImporterReport
from repoquarry.graphstore.search.text_analysis import terms

_TARGETS = 4
_DESCRIBED = 12
_SPOKEN = 20
_HOPS = 2
_REACHING, _NAMED, _WORDED, _USING = 3.0, 3.0, 2.0, 1.0
"""Weights of what speaks for a test file: its tests reach the subject, its name says it, its words do, it imports it."""

Reached = Generator[tuple[ToolCall, ...], Sequence[Observation], None]


@dataclass
class _File:
    """A test file with what speaks for it."""

    module: DefinitionRecord
    reaching: dict[str, DefinitionRecord] = field(default_factory=dict)
    worded: float = 0.0
    uses: bool = False


def answer(inquiry: Inquiry) -> Steps:
    """Find what is tested, then the tests that reach it and those that speak of it."""
    subject = inquiry.question.subject
    meant = yield from meanings(inquiry, subject)
    targets = sorted((item for item in meant if not item.is_test), key=lambda item: item.qualname.count("."))
    if not targets:
        targets = yield from _described(inquiry, subject)
    files: dict[str, _File] = {}
    yield from _reaching(inquiry, targets[:_TARGETS], files)
    yield from _worded(inquiry, subject, files)
    ranked = sorted(files.values(), key=lambda one: (-_score(one, subject, targets, files), one.module.id))
    for one in ranked:
        inquiry.draft.add(one.module, _score(one, subject, targets, files), _reason(one, subject))
    _explain(inquiry, ranked, targets)


def _described(
    inquiry: Inquiry, subject: str
) -> Generator[tuple[ToolCall, ...], Sequence[Observation], list[DefinitionRecord]]:
    """What a phrase describes: definitions and files whose names say most of it."""
    found = yield from nearest(inquiry, subject, ("Class", "Function", "Module"), _DESCRIBED)
    wanted = set(terms(subject))
    said = {item.id: len(wanted & set(terms(" ".join(item.segments)))) for item in found}
    most = max(said.values(), default=0)
    return [item for item in found if said[item.id] == most and most]


def _reaching(inquiry: Inquiry, targets: Sequence[DefinitionRecord], files: dict[str, _File]) -> Reached:
    """Tests that call the targets or what calls them, and test files that import their files."""
    code = [item for item in targets if item.label != "Module"]
    calls = [("callers", {"name": exact(item), "repository": item.repository, "hops": _HOPS}) for item in code]
    owners = {(item.repository, item.path): None for item in targets}
    uses = [("importers", {"module": path, "repository": repository}) for repository, path in owners]
    if not calls and not uses:
        return
    results = yield from inquiry.calls("which tests reach it", *calls, *uses)
    for report in [record for result in results if result for record in result.records]:
        if isinstance(report, CallerReport):
            for edge in (edge for hop in report.edges for edge in hop if edge.start.is_test):
                one = _file(inquiry, edge.start, files)
                if one is not None:
                    one.reaching[edge.start.id] = edge.start
        elif isinstance(report, ImporterReport):
            for dependent in report.dependents:
                one = _file(inquiry, dependent.module, files) if dependent.module.is_test else None
                if one is not None:
                    one.uses = True


def _worded(inquiry: Inquiry, subject: str, files: dict[str, _File]) -> Reached:
    """Test files that speak of the subject."""
    about = {"text": subject, "tests": "only", "limit": _SPOKEN}
    results = yield from inquiry.calls(
        "tests that speak of it",
        *(("search", {**about, "labels": labels}) for labels in (["Module"], ["Class", "Function"])),
    )
    for result in results:
        hits = [hit for hit in result.records if isinstance(hit, PlaceHit)] if result else []
        top = max((hit.score for hit in hits), default=1.0) or 1.0
        for hit in hits:
            one = _file(inquiry, hit.definition, files) if hit.definition else None
            if one is not None:
                one.worded = max(one.worded, hit.score / top)


def _file(inquiry: Inquiry, item: DefinitionRecord, files: dict[str, _File]) -> _File | None:
    key = f"{item.repository}:{item.path}"
    if key not in files:
        module = inquiry.reader.module(item.repository, item.path)
        if module is None:
            return None
        files[key] = _File(module)
    return files[key]


def _score(one: _File, subject: str, targets: Sequence[DefinitionRecord], files: dict[str, _File]) -> float:
    most = max((len(file.reaching) for file in files.values()), default=0) or 1
    own = set(terms(one.module.path))
    meant = [
        set(terms(subject)),
        *(set(terms(item.path.rpartition("/")[2].partition(".")[0])) for item in targets[:_TARGETS]),
    ]
    named = max((len(words & own) / len(words) for words in meant if words), default=0.0)
    return float(
        _REACHING * (len(one.reaching) / most) ** 0.5 + _NAMED * named + _WORDED * one.worded + _USING * one.uses
    )


def _reason(one: _File, subject: str) -> str:
    if one.reaching:
        tests = names_of(sorted(one.reaching.values(), key=lambda item: item.start_line), 3)
        return f"{counted(len(one.reaching), 'test').capitalize()} in it {_verb(len(one.reaching))} {subject}: {tests}."
    return f"It imports what {subject} is part of." if one.uses else f"Its words speak of {subject}."


def _verb(number: int) -> str:
    return "reaches" if number == 1 else "reach"


def _explain(inquiry: Inquiry, ranked: Sequence[_File], targets: Sequence[DefinitionRecord]) -> None:
    subject = inquiry.question.subject
    if not ranked:
        inquiry.draft.lead = f"No indexed test reaches {subject!r} or speaks of it."
        return
    best = ranked[0]
    what = names_of(targets[:1], places=True) if targets else f"{subject!r}"
    total = sum(len(one.reaching) for one in ranked)
    counts = f" {counted(total, 'test')} in {counted(sum(bool(one.reaching) for one in ranked), 'file')} {_verb(total)} {what}."
    inquiry.draft.lead = f"`{best.module.path}` tests it first of all.{counts if total else ''}"


_COVER = any_of(r"""
    cover\w* | check\w* | exercis\w* | test\w* | verif\w* | use\w* | call\w* | hit\w* | touch\w* | run\w* | validat\w* | reach\w*
    are there for | exist for | for | of | concern\w* | guard\w* | assert\w* | deal with
""")
_PART = "(?: " + any_of("files? | cases? | functions? | modules? | suites?") + ")?"
_EDIT = r"(?:\w+ )?(?:chang\w+ |touch\w+ |edit\w+ )?"
_KIND = r"(?:unit |integration |functional |end[- ]to[- ]end |automated |existing |the )*"
QUESTION = QuestionKind(
    plan="find what is tested, the tests that reach it along calls, and the test files that speak of it",
    forms=(
        rf"\b(?:which|what|how many|are there|any|find|show|list) (?:me |all )?{_KIND}tests?{_PART}(?: that| which)? {_COVER} {X}",
        rf"\b(?:is|are|was) {X} (?:\w+ly |also |ever |well |unit )?(?:tested|covered by)\b.*",
        rf"\bwhere (?:is|are|do|does|can i find) (?:the )?{_KIND}tests? (?:for|of|that {_COVER}) {X}",
        rf"\b(?:where|how) (?:is|are|do we|does it) {X} (?:being |get )?(?:\w+ly |unit )?tested",
        rf"^\W*{_KIND}tests? (?:for|of|covering) {X}",
        rf"\b(?:which|what) tests? (?:should|do|must|would|to) (?:\w+ )?(?:need to )?run (?:for|when|if|after) {_EDIT}{X}",
    ),
    answer=answer,
)
