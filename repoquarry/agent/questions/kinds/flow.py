"""Answers "how does A reach B": the call paths between the two ends, and the modules that lie on the way.

Frameworks hide such ways: a call through a variable has no edge, so the two ends are often not joined. But A comes into being
somewhere, and from where it is made calls lead to what handles it. So paths are searched from the makers of A and from what stands for
A, to what stands for B and to the definitions whose own lines speak of both. What many of these paths pass is on the way.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Generator, Sequence

from repoquarry.agent.decisions import Observation, ToolCall
from repoquarry.agent.questions.forms import X, Y, any_of
from repoquarry.agent.questions.inquiry import Inquiry, Steps, evidence, exact, viewing
from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.agent.questions.kinds.where import locate, look_up
from repoquarry.agent.questions.subjects import Found, meanings, nearest
from repoquarry.agent.questions.wording import counted, names_of, quoted_lines
from repoquarry.graphstore.reading.paths import Intermediate
from repoquarry.graphstore.reading.records import CallPath, DefinitionRecord
from repoquarry.graphstore.reading.relations import CallerReport
from repoquarry.graphstore.search.text_analysis import terms

FoundPaths = Generator[tuple[ToolCall, ...], Sequence[Observation], list[CallPath]]

_ENDS = 8
_BETWEEN = 40
_LOCATED = 60
_CLASSES = 12
_TEST_SHARE = 0.3
_LAST_SHARE = 0.5
_STEP_DECAY = 0.85
"""Weights of the evidence, set by reading answers about two web frameworks; they decide the order of places and nothing else."""
_SPEAKS = "It speaks of both"
_PATHS_SHOWN = 3
_LIKELY = 0.005
"""Likelihood below which a path is not told: it strings unrelated calls together."""
_PASSED = 60
_BOTH = 3.0
_CENTRAL = 6.0
_SILENT = 0.2
_HOPS = 6
_MODULES = 5


def answer(inquiry: Inquiry) -> Steps:
    """Locate both ends and what lies between, then search the ways."""
    question = inquiry.question
    yield from look_up(inquiry)
    yield from locate(inquiry, inquiry.task, definitions=_LOCATED, weight=1.0)
    starts = yield from _end(inquiry, question.subject)
    ends = yield from _end(inquiry, question.goal)
    made_of = question.moved or question.subject
    makers = yield from _makers(inquiry, made_of)
    middle = yield from nearest(inquiry, f"{question.subject} {question.goal}", limit=_BETWEEN)
    located = [finding.definition for finding in inquiry.draft.ranked()]
    for item in {item.id: item for item in (*starts, *ends, *middle, *located)}.values():
        _weigh_between(inquiry, item)
    paths = yield from _paths(inquiry, starts, ends)
    between = [item for item in _speaking_of_both(inquiry) if item.id not in {maker.id for maker in makers}]
    made = yield from _paths(inquiry, makers, between[:_BETWEEN])
    joined = _weigh_paths(inquiry, paths, "between the ends", 3.0)
    way = f"from where {made_of!r} is made to what speaks of {question.goal!r}"
    made = _weigh_paths(inquiry, made, way, 6.0)
    yield from _central(inquiry, [*starts, *makers], ends)
    yield from _read(inquiry)
    _explain(inquiry, joined, made)


def _makers(inquiry: Inquiry, phrase: str) -> Found:
    """What makes a thing of the class that a phrase is the name of: callers of its constructors, tests left out."""
    last = terms(phrase)[-1:]
    classes = yield from nearest(inquiry, phrase, ("Class",), _CLASSES)
    wanted = [item for item in classes if last and terms(item.name)[-1:] == last]
    if not wanted:
        return []
    calls = (("callers", {"name": exact(item), "repository": item.repository, "hops": 2}) for item in wanted)
    results = yield from inquiry.calls(f"where a {phrase} is made", *calls)
    found: dict[str, DefinitionRecord] = {}
    for report in [record for result in results if result for record in result.records]:
        if not isinstance(report, CallerReport) or not report.edges:
            continue
        own = {target.id for target in report.targets}
        inner = {edge.start.id for edge in report.edges[0] if any(edge.start.id.startswith(f"{one}.") for one in own)}
        edges = [edge for edge in report.edges[0] if edge.start.id not in inner]
        edges += [edge for edge in report.edges[1] if edge.end.id in inner] if len(report.edges) > 1 else []
        for edge in edges:
            if not edge.start.is_test and edge.start.label == "Function":
                found[edge.start.id] = edge.start
                inquiry.draft.add(edge.start, 0.5, f"It makes a `{edge.end.constructed}`.")
    return list(found.values())[:_ENDS]


def _speaking_of_both(inquiry: Inquiry) -> list[DefinitionRecord]:
    """Functions whose lines speak of both ends, most first."""
    both = sorted(inquiry.draft.findings.values(), key=lambda item: -_both(item.reasons))
    return [item.definition for item in both if _both(item.reasons) and item.definition.label == "Function"]


def _both(reasons: Sequence[tuple[float, str]]) -> float:
    return max((score for score, reason in reasons if reason.startswith(_SPEAKS)), default=0.0)


def _central(inquiry: Inquiry, starts: Sequence[DefinitionRecord], ends: Sequence[DefinitionRecord]) -> Steps:
    """What walks from both ends pass, as far as it speaks of them."""
    if not starts or not ends:
        return
    arguments = {"starts": [exact(item) for item in starts], "ends": [exact(item) for item in ends], "limit": _PASSED}
    result = yield from inquiry.call("between", "what lies between the two ends", **arguments)
    for record in result.records if result else ():
        if isinstance(record, Intermediate) and record.definition.label == "Function":
            item = record.definition
            share = (_TEST_SHARE if item.is_test else 1.0) * (_SILENT + (1 - _SILENT) * _speaks(inquiry, item))
            reason = f"Calls between {inquiry.question.subject!r} and {inquiry.question.goal!r} pass through it."
            inquiry.draft.add(item, _CENTRAL * record.score * share, reason)


def _words(inquiry: Inquiry) -> set[str]:
    """The terms of both ends and of what goes from one to the other."""
    question = inquiry.question
    return set(terms(f"{question.subject} {question.goal} {question.moved}"))


def _speaks(inquiry: Inquiry, item: DefinitionRecord) -> float:
    """Share of the words of both ends that a definition says."""
    wanted = _words(inquiry)
    said = set(terms("\n".join(inquiry.reader.lines(item)))) | set(terms(item.qualname))
    return len(wanted & said) / len(wanted) if wanted else 0.0


def _end(inquiry: Inquiry, phrase: str) -> Found:
    """What stands for one end: all that its name means, and the functions whose own name says what they do to it."""
    named = yield from meanings(inquiry, phrase)
    code = sorted((item for item in named if not item.is_test), key=lambda item: item.label != "Class")
    if code and code[0].label == "Class":
        return [item for item in code if item.label == "Class"][:_ENDS]
    wanted = set(terms(phrase))
    described = yield from nearest(inquiry, phrase, limit=_BETWEEN)
    said = {item.id: len(wanted & set(terms(item.name))) for item in described}
    doing = [item for item in described if said[item.id] == max(said.values()) > 0]
    doing.sort(key=lambda item: -item.calls_in)
    return [*code, *(doing or described)][:_ENDS]


def _paths(inquiry: Inquiry, starts: Sequence[DefinitionRecord], ends: Sequence[DefinitionRecord]) -> FoundPaths:
    start_ids, end_ids = [exact(item) for item in starts], [exact(item) for item in ends]
    if not start_ids or not end_ids:
        return []
    result = yield from inquiry.call(
        "call_paths", "ways between the two ends", starts=start_ids, ends=end_ids, hops=_HOPS
    )
    return [path for path in result.records if isinstance(path, CallPath)] if result else []


def _weigh_between(inquiry: Inquiry, item: DefinitionRecord) -> None:
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
        both = math.sqrt(first * second) * (_TEST_SHARE if item.is_test else 1.0)
        inquiry.draft.add(item, _BOTH * both, f"{_SPEAKS} {inquiry.question.subject!r} and {inquiry.question.goal!r}.")


def _weigh_paths(inquiry: Inquiry, paths: Sequence[CallPath], which: str, weight: float) -> list[CallPath]:
    """What likely ways lead through is central to them. Returns the paths, likeliest first."""
    worth = {path: _likelihood(inquiry, path) for path in paths}
    total = sum(worth.values())
    passed: dict[str, float] = {}
    for path in paths:
        for step in path.steps:
            # the last step was chosen because it speaks of both: that a way leads to it says less
            share = _LAST_SHARE if step is path.steps[-1] else 1.0
            passed[step.id] = passed.get(step.id, 0.0) + worth[path] * share
    for item in {step.id: step for path in paths for step in path.steps}.values():
        number = sum(item in path.steps for path in paths)
        share = math.sqrt(passed[item.id] / total) if total else 0.0
        share *= _SILENT + (1 - _SILENT) * _speaks(inquiry, item)
        inquiry.draft.add(item, weight * share, f"It lies on {counted(number, 'call path')} {which}.")
    return sorted((path for path in paths if worth[path] >= _LIKELY), key=lambda path: -worth[path])


def _likelihood(inquiry: Inquiry, path: CallPath) -> float:
    """How likely a path is the way that is meant: sure edges, few steps, and steps that speak of what goes along it."""
    wanted = _words(inquiry)
    speaking = sum(bool(wanted.intersection(terms("\n".join(inquiry.reader.lines(step))))) for step in path.steps)
    tests = any(step.is_test for step in path.steps)
    coherence = speaking / len(path.steps)
    handed = sum(edge.kind == "REFERENCES" for edge in path.edges)  # a function handed over may never be called there
    return (path.confidence * coherence * 0.5**handed) ** 2 * _STEP_DECAY ** len(path.edges) * (0.1 if tests else 1.0)


def _read(inquiry: Inquiry) -> Steps:
    """Read the best places for lines that speak of both ends."""
    top = [finding for finding in inquiry.draft.ranked() if finding.definition.qualname][:5]
    views = [viewing(finding.definition) for finding in top]
    if not views:
        return
    results = yield from inquiry.calls("read the places on the way", *views)
    wanted = _words(inquiry)
    for finding, result in zip(top, results, strict=True):
        lines = evidence(inquiry, finding.definition, wanted) if result else []
        if lines:
            finding.add(0.2, quoted_lines(lines))


def _explain(inquiry: Inquiry, paths: Sequence[CallPath], made: Sequence[CallPath]) -> None:
    question, ranked = inquiry.question, inquiry.draft.ranked()
    likeliest = next(iter([*paths, *made]), None)
    on_the_way = [(step.repository, step.path) for step in likeliest.steps] if likeliest else []
    best_first = [(finding.definition.repository, finding.definition.path) for finding in ranked]
    central = list(dict.fromkeys([*on_the_way, *best_first]))[:_MODULES]
    if central:
        named = ", ".join(f"`{path}`" for _, path in central)
        inquiry.draft.lead = (
            f"The way from {question.subject!r} to {question.goal!r} leads through {named}; its centre is "
            f"{names_of([finding.definition for finding in ranked[:3]], places=True)}."
        )
    _paths_told(inquiry, "Resolved call paths between the ends", paths)
    _paths_told(
        inquiry,
        f"Resolved calls from where {question.moved or question.subject!r} is made to what speaks of {question.goal!r}",
        made,
    )
    if not paths:
        inquiry.draft.paragraphs.append(
            f"No path of resolved calls goes all the way from what is called {question.subject!r} to what is called "
            f"{question.goal!r}: somewhere on it a call goes through a value that is only known at run time."
        )


def _paths_told(inquiry: Inquiry, title: str, paths: Sequence[CallPath]) -> None:
    """List the likeliest paths, one for each course through the files."""
    courses: dict[tuple[str, ...], CallPath] = {}
    for path in paths:
        courses.setdefault(tuple(step.title for step in path.steps), path)
    shown = [f"- {_path_line(path)}" for path in list(courses.values())[:_PATHS_SHOWN]]
    if shown:
        inquiry.draft.paragraphs.append(f"{title} ({len(paths)} found):\n\n" + "\n".join(shown))


def _path_line(path: CallPath) -> str:
    words = [f"`{path.edges[0].start.title}`"]
    for edge in path.edges:
        verb = {"CALLS": "calls", "OVERRIDES": "is replaced by"}.get(edge.kind, "hands over")
        at = f" (line {edge.lines[0]})" if edge.lines else ""
        words.append(f"{verb}{at} `{edge.end.title}` in `{edge.end.path}`")
    return ", which ".join([f"{words[0]} {words[1]}", *words[2:]])


_MOVED = any_of(r"""
    passed | sent | routed | dispatched | delivered | handed | forwarded
    turned | converted | transformed | translated | mapped | parsed | compiled | rendered | made | built
""")
_GOES = any_of(rf"""
    reach(?:es)? | gets? to | gets? into | arrives? at | arrives? in | becomes? | ends? up in | ends? up at | ends? up as
    flows? to | flows? into | (?:get )?{_MOVED}(?: \w+)? to | (?:get )?{_MOVED}(?: \w+)? into | makes? it to | makes? it into
    travels? to | travels? through | turns? into | triggers? | leads? to | results? in | calls? | finds? its way to
    finds? its way into
""")
_TRAVELS = any_of("get | go | come | travel | move | flow | pass | make it | find its way | make its way | be passed")
QUESTION = QuestionKind(
    plan="locate both ends, search call paths between them, read what speaks of both, and name the modules on the way",
    forms=(
        rf"\b(?:how|where) (?:does|do|did|can|will) (?P<w>.+?) {_TRAVELS} from {X} (?:in)?to {Y}",
        rf"\b(?:how|where) (?:does|do|is|are|can|will|did) {X} {_GOES} {Y}",
        rf"\b(?:path|paths|way|route|flow|chain|trace|journey)\b.*?\bfrom {X} (?:to|into) {Y}",
        rf"\bwhat happens (?:between|from) {X} (?:and|to|until) {Y}",
        rf"\bwhat happens (?:when|after|once) {X} (?:is|are|gets?) (?P<y>\w.+?)",
    ),
    answer=answer,
)
