"""Answers "what does X do": its documentation, what it defines, what it uses, and what uses it."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from repoquarry.agent.decisions import Observation, ToolCall
from repoquarry.agent.questions.forms import X
from repoquarry.agent.questions.inquiry import Inquiry, Steps, exact, viewing
from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.agent.questions.subjects import subject_of
from repoquarry.agent.questions.wording import counted, names_of, times
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.reading.relations import CalleeReport, CallerReport, ImporterReport, ImportReport

_MEANINGS = 3
_PARTS = 12


def answer(inquiry: Inquiry) -> Steps:
    """Describe everything that the name means; a folder is described by its files."""
    subject = inquiry.question.subject
    folder = yield from _folder(inquiry, subject)
    if folder:
        return
    about = yield from subject_of(inquiry)
    if not about.meant:
        return
    shown = about.shown(_MEANINGS)
    for target in shown:
        yield from _describe(inquiry, target)
    lead = [] if about.named else [f"Nothing is called {subject!r}; the nearest is {names_of(shown)}."]
    if len(about.meant) > 1 and about.named:
        lead.append(f"{subject!r} means {len(about.meant)} things: {names_of(about.meant, places=True)}.")
    first = shown[0]
    lead.append(f"`{first.title}` ({first.where()}): {first.headline or 'it has no documentation of its own.'}")
    inquiry.draft.lead = " ".join(lead)


def _folder(inquiry: Inquiry, subject: str) -> Generator[tuple[ToolCall, ...], Sequence[Observation], bool]:
    """Describe a folder, when the subject names one; gives True then."""
    path = subject.strip("/").replace(".", "/") if " " not in subject else ""
    for repository in inquiry.repositories if path else ():
        if not any(str(row["path"]) == path for row in inquiry.reader.directories(repository)):
            continue
        result = yield from inquiry.call("tree", f"what is in {path}", path=path, repository=repository, depth=10)
        modules = [item for item in result.records if isinstance(item, DefinitionRecord)] if result else []
        code = [item for item in modules if not item.is_test]
        inquiry.draft.lead = f"`{path}/` in {repository} holds {counted(len(modules), 'file')}; its most important are {names_of(code[:5])}."
        for item in code[:_PARTS]:
            inquiry.draft.add(item, item.importance, "It is among the most important files of the folder.")
        return True
    return False


def _describe(inquiry: Inquiry, target: DefinitionRecord) -> Steps:
    about: dict[str, object] = {"name": exact(target), "repository": target.repository}
    module: dict[str, object] = {"module": target.path, "repository": target.repository}
    wanted: list[tuple[str, dict[str, object]]]
    if target.label == "Module":
        wanted = [
            ("tree", {"path": target.path, "repository": target.repository}),
            ("imports", module),
            ("importers", module),
        ]
    else:
        wanted = [viewing(target), ("callees", about), ("callers", about)]
    results = yield from inquiry.calls(f"what {target.title} is and does", *wanted)
    inquiry.draft.add(target, 10.0, "It is what is asked about.")
    parts = [item for item in inquiry.reader.with_members([target]) if item.id != target.id]
    _outline(inquiry, target, parts)
    for report in [record for result in results if result for record in result.records]:
        if isinstance(report, ImportReport):
            _imports(inquiry, target, report)
        elif isinstance(report, ImporterReport):
            _importers(inquiry, target, report)
        elif isinstance(report, CalleeReport):
            ends = list({edge.end.id: edge.end for edge in report.edges}.values())
            if ends:
                inquiry.draft.paragraphs.append(f"`{target.title}` calls {names_of(ends, 10)}.")
        elif isinstance(report, CallerReport):
            _callers(inquiry, target, report)


def _outline(inquiry: Inquiry, target: DefinitionRecord, parts: list[DefinitionRecord]) -> None:
    if target.docstring and target.docstring.strip() != target.headline:
        inquiry.draft.paragraphs.append(f"`{target.title}` says of itself: {' '.join(target.docstring.split())}")
    top = [
        item for item in parts if item.qualname.count(".") == (target.qualname.count(".") + 1 if target.qualname else 0)
    ]
    if not top:
        return
    lines = [
        f"- {item.kind} `{item.name}{item.signature}` (line {item.start_line}){': ' + item.headline if item.headline else ''}"
        for item in top[:_PARTS]
    ]
    more = f"\n- and {len(top) - _PARTS} more" if len(top) > _PARTS else ""
    inquiry.draft.paragraphs.append(f"`{target.title}` defines:\n\n" + "\n".join(lines) + more)
    for item in sorted(top, key=lambda item: (-item.importance, -item.calls_in))[:8]:
        inquiry.draft.add(
            item,
            1.0 + min(item.calls_in, 50) / 50,
            f"It is defined in `{target.title}` and called {times(item.calls_in)}.",
        )


def _imports(inquiry: Inquiry, target: DefinitionRecord, report: ImportReport) -> None:
    packages = sorted({name.qualname.split(".")[0] for name in report.external})
    inside = list({edge.end.id: edge.end for edge in report.inside}.values())
    said = [f"{names_of(inside, 8)} of the repository"] if inside else []
    if packages:
        said.append(", ".join(f"`{name}`" for name in packages[:10]) + " from outside")
    if said:
        inquiry.draft.paragraphs.append(f"`{target.title}` uses {'; '.join(said)}.")


def _importers(inquiry: Inquiry, target: DefinitionRecord, report: ImporterReport) -> None:
    code = [item for item in report.dependents if not item.module.is_test]
    tests = len(report.dependents) - len(code)
    if not report.dependents:
        inquiry.draft.paragraphs.append(f"Nothing in the repository imports `{target.title}`.")
        return
    names = names_of([item.module for item in code], 8)
    tested = f"; {counted(tests, 'test file')} use it" if tests else ""
    inquiry.draft.paragraphs.append(f"`{target.title}` is used by {counted(len(code), 'file')}: {names}{tested}.")
    for rank, item in enumerate(code[:5]):
        inquiry.draft.add(item.module, 0.8 / (rank + 1), f"It depends on `{target.path}`.")


def _callers(inquiry: Inquiry, target: DefinitionRecord, report: CallerReport) -> None:
    edges = [edge for hop in report.edges for edge in hop]
    starts = list({edge.start.id: edge.start for edge in edges if not edge.start.is_test}.values())
    if starts:
        inquiry.draft.paragraphs.append(f"`{target.title}` is called by {names_of(starts, 8)}.")
    for edge in edges[:5]:
        inquiry.draft.add(edge.start, 0.3 if edge.start.is_test else 0.8, f"It calls `{target.title}`.")
    inquiry.draft.bear(report.possible)


_EXPLAINED = rf"{X}(?: does| do| is| in detail| in short)?"
QUESTION = QuestionKind(
    plan="find everything the name means, read its documentation and outline, and say what it uses and what uses it",
    forms=(
        rf"\bwhat (?:does|do) {X} do",
        rf"\bwhat (?:is|are) {X} (?:for|about|responsible for|used for)\b.*",
        rf"\bwhat(?:'s| is) the (?:purpose|role|responsibility|job) of {X}",
        r"^\s*(?:explain|describe|summari[sz]e|document|give (?:me )?an overview of)(?: to me)?(?: what)? "
        + _EXPLAINED,
        rf"\bhow (?:does|do) {X} work",
    ),
    answer=answer,
)
