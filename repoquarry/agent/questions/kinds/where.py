"""Answers "where is X handled", bug reports, and everything that is no other kind of question.

Names and stack frames in the task are looked up exactly, the whole text is located by words, meaning and the graph, calls
around the best places are followed, and the best are read: what their lines say of the task decides among them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from repoquarry.agent.questions.inquiry import Finding, Inquiry, Steps, evidence, exact, viewing
from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.agent.questions.wording import counted, names_of, quoted_lines, sentence
from repoquarry.graphstore.reading.records import DefinitionRecord, Meaning, PlaceHit
from repoquarry.graphstore.reading.relations import CalleeReport, CallerReport
from repoquarry.graphstore.search.mentions import StackFrame
from repoquarry.graphstore.search.text_analysis import terms

_NAMES = 12
_FRAMES = 10
_FOLLOWED = 4
_READ = 6
_TEST_SHARE = 0.3


def answer(inquiry: Inquiry) -> Steps:
    """Look up, locate, follow, read, rank."""
    yield from look_up(inquiry)
    yield from locate(inquiry, inquiry.task)
    yield from follow(inquiry)
    yield from read(inquiry)
    _lead(inquiry)


def look_up(inquiry: Inquiry) -> Steps:
    """What the names and stack frames in the task mean exactly."""
    frames = inquiry.question.frames[:_FRAMES]
    traced = {part for frame in frames for part in (frame.function, frame.path, frame.path.rpartition("/")[2])}
    names = [name for name in inquiry.question.names if name.strip("/") not in traced][:_NAMES]
    tails = [tail for frame in frames for tail in _tails(frame)]
    wanted = list(dict.fromkeys([*names, *tails]))
    if not wanted:
        return
    result = yield from inquiry.call("definitions", "names and stack frames in the task", names=wanted)
    records = [record for record in result.records if isinstance(record, Meaning)] if result else []
    meant = {record.name: record.definitions for record in records}
    for name in names:
        _named(inquiry, name, meant.get(name, ()))
    for number, frame in enumerate(frames):
        found = next((meant[tail] for tail in _tails(frame) if meant.get(tail)), ())
        nearness = ((len(frames) - number) / len(frames)) ** 2
        for item in found:
            reason = f"It is in the stack trace: {frame.path.rpartition('/')[2]}, line {frame.line}."
            inquiry.draft.add(item, 6.0 * nearness * _share(inquiry, item), reason)


def _named(inquiry: Inquiry, name: str, meant: Sequence[DefinitionRecord]) -> None:
    if not meant and f"`{name}`" in inquiry.task:
        inquiry.draft.not_found.append(name)
    means = "" if len(meant) == 1 else f", which means {len(meant)} things"
    for item in meant:
        weight = 3.0 / math.sqrt(len(meant)) * _share(inquiry, item)
        inquiry.draft.add(item, weight, f"The question names it: `{name}`{means}.")


def _tails(frame: StackFrame) -> list[str]:
    """Ends of a frame's path with its line, longest first: traces hold absolute paths, whose root is not known here."""
    parts = frame.path.strip("/").split("/")
    return [f"{'/'.join(parts[-length:])}:{frame.line}" for length in range(min(5, len(parts)), 0, -1)]


def locate(inquiry: Inquiry, text: str, definitions: int = 25, weight: float = 3.0) -> Steps:
    """Files and definitions by words, meaning and the graph; `weight` is what the best definition counts."""
    why = "files and definitions that fit the task"
    result = yield from inquiry.call("locate", why, text=text, definitions=definitions)
    hits = [hit for hit in result.records if isinstance(hit, PlaceHit)] if result else []
    best = {label: max((h.score for h in hits if _is(h, label)), default=1.0) or 1.0 for label in (True, False)}
    for hit in hits:
        if hit.definition is None:
            continue
        file = _is(hit, True)
        counts = hit.score / best[file] * (weight / 3 if file else weight)
        reason = sentence(hit.reasons[:2]) or "Its words fit the question."
        inquiry.draft.add(hit.definition, counts * _share(inquiry, hit.definition), reason)
    _raise_within_files(inquiry, hits, best[True])


def _is(hit: PlaceHit, file: bool) -> bool:
    return (hit.definition is not None and hit.definition.label == "Module") is file


def _raise_within_files(inquiry: Inquiry, hits: Sequence[PlaceHit], best: float) -> None:
    """A definition in a file that fits as a whole fits better."""
    files = {(hit.repository, hit.path): hit.score / best for hit in hits if _is(hit, True)}
    for finding in list(inquiry.draft.findings.values()):
        item = finding.definition
        if item.qualname and (item.repository, item.path) in files:
            finding.add(
                files[item.repository, item.path] * _share(inquiry, item), "Its file fits the question as a whole."
            )


def follow(inquiry: Inquiry) -> Steps:
    """Spread along calls from the best places: what several of them call or are called by belongs together."""
    top = [finding for finding in inquiry.draft.ranked() if finding.definition.qualname][:_FOLLOWED]
    wanted = [
        (tool, {"name": exact(finding.definition), "repository": finding.definition.repository})
        for finding in top
        for tool in ("callers", "callees")
        if tool == "callees" or finding.definition.label != "Module"
    ]
    if not wanted:
        return
    results = yield from inquiry.calls("what is around the best places", *wanted)
    reports = [record for result in results if result for record in result.records]
    scores = {finding.definition.id: finding.score for finding in top}
    for report in reports:
        if isinstance(report, CallerReport) and report.targets:
            edges = [edge for hop in report.edges for edge in hop]
            base = 0.25 * scores.get(report.targets[0].id, 0.0) / math.sqrt(len(edges) or 1)
            for edge in edges:
                inquiry.draft.add(
                    edge.start, base * edge.confidence * _share(inquiry, edge.start), f"It calls `{edge.end.title}`."
                )
            inquiry.draft.bear(report.possible)
        elif isinstance(report, CalleeReport) and report.targets:
            base = 0.25 * scores.get(report.targets[0].id, 0.0) / math.sqrt(len(report.edges) or 1)
            for edge in report.edges:
                share = base * edge.confidence / (1 + math.log1p(edge.end.calls_in))  # what all call says little
                inquiry.draft.add(edge.end, share * _share(inquiry, edge.end), f"It is called by `{edge.start.title}`.")


def read(inquiry: Inquiry) -> Steps:
    """Read the best places and let what their lines say decide."""
    top = [finding for finding in inquiry.draft.ranked() if finding.definition.qualname][:_READ]
    wanted = [viewing(finding.definition) for finding in top]
    if not wanted:
        return
    results = yield from inquiry.calls("read the best places", *wanted)
    asked = inquiry.terms()
    for finding, result in zip(top, results, strict=True):
        if result is not None:
            weigh_lines(inquiry, finding, asked)


def weigh_lines(inquiry: Inquiry, finding: Finding, asked: set[str]) -> None:
    """Score a definition by how much of the task its lines speak of, and quote the best ones."""
    item = finding.definition
    said_terms = set(terms("\n".join(inquiry.reader.lines(item)) + " " + " ".join(item.segments)))
    covered = len(asked & said_terms) / len(asked) if asked else 0.0
    lines = evidence(inquiry, item, asked)
    if covered > 0:
        said = quoted_lines(lines) or f"It says {counted(len(asked & said_terms), 'word')} of the question."
        finding.add(1.5 * covered * _share(inquiry, item), said)


def _share(inquiry: Inquiry, item: DefinitionRecord) -> float:
    return _TEST_SHARE if item.is_test and "test" not in inquiry.terms() else 1.0


def _lead(inquiry: Inquiry) -> None:
    ranked = inquiry.draft.ranked()
    if not ranked:
        return
    best = ranked[0].definition
    rest = [finding.definition for finding in ranked[1:4] if finding.score > ranked[0].score / 3]
    said = f": {best.headline}" if best.headline else "."
    lead = f"The best match is `{best.title}` (`{best.where()}`){said}"
    if rest:
        lead += f" Next come {names_of(rest)}."
    files = {finding.definition.path for finding in ranked[:10]}
    lead += f" The ten best places lie in {counted(len(files), 'file')}."
    inquiry.draft.lead = lead


QUESTION = QuestionKind(
    plan="look up the names and stack frames in the task, locate it by words and meaning, follow calls around the best "
    "places, read them, and rank them",
    forms=(),
    answer=answer,
)
