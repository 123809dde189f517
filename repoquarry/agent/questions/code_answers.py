"""Answers about one definition or value: where it is defined, its default, where it is raised, and its summary."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from repoquarry.agent.questions.reply import (
    Finding,
    QuestionScope,
    Reply,
    Subject,
    find_place,
    join_names,
    join_words,
    one_sentence,
)
from repoquarry.agent.task import Place
from repoquarry.graphstore.model.values import count_noun, get_str
from repoquarry.graphstore.reading.constants import Constant, find_constants, find_values, is_named
from repoquarry.graphstore.reading.records import DefinitionRecord, RepositoryRecord
from repoquarry.graphstore.reading.relations import find_callers
from repoquarry.graphstore.search.text_analysis import terms

_MAX_CONSTANTS = 5
_MIN_SCORE_SHARE: Final = 0.5
"""Share of the best score that a further constant must reach."""
_RAISE = re.compile(
    r"^\s*(?:\}?\s*(?:else|case\b.*:)\s*)?(?:raise|throw)\b\s*(?:new\s+)?(?P<name>[\w.:]+)?|\bthrow\s+(?:new\s+)?(?P<inner>[\w.:]+)"
)
_LISTED_MEMBERS = 8
_DOCSTRING = re.compile(r"""\A\s*(?:#[^\n]*\s*)*[rRuU]?(?P<quote>\"{3}|'{3})(?P<text>.*?)(?P=quote)""", re.DOTALL)
_MIN_DESCRIPTION_WORDS = 4
_MAX_MODULES = 2_000
_MAX_LINE = 2_000
"""Characters of a line; expressions that search it may take quadratic time."""


def answer_definition(scope: QuestionScope, subject: Subject) -> Reply:
    """List the definitions that the name refers to."""
    findings = tuple(find_place(scope, item, one_sentence(item.headline)) for item in subject.definitions)
    best = subject.definitions[0]
    lead = f"{subject.title} is the {best.kind} at `{best.where()}`."
    if len(findings) > 1:
        lead = f"`{subject.phrase}` is defined in {count_noun(len(findings), 'place')}; the first is `{best.where()}`."
    return Reply(lead, findings)


def answer_value(scope: QuestionScope, subject: Subject) -> Reply:
    """List the constants, settings and parameter defaults that match the words, best first; keys of configuration files follow.

    Definitions of the subject are the class or function in which the value is set. A key comes first where no constant has its name.
    """
    found = find_values(scope.reader, subject.phrase, scope.repositories)
    if subject.definitions:
        found = [item for item in found if any(_is_inside(item, outer) for outer in subject.definitions)]
    chosen = _choose_constants(found, subject.phrase)
    if not chosen:
        holder = f" in `{subject.definitions[0].title}`" if subject.definitions else ""
        return Reply(f"Nothing that is set to a literal{holder} matches `{subject.phrase}`.")
    best = chosen[0]
    lead = f"`{best.name}` is `{best.value}`{_follow_constant(scope, best)}."
    missing = set(terms(subject.phrase)).difference(terms(f"{best.name} {best.comment} {best.path}"))
    if missing and best.score < 1:
        lead = f"No setting matches all words of `{subject.phrase}`; the nearest is `{best.name}`, which is `{best.value}`."
    elif len({item.value for item in chosen if item.name == best.name}) > 1:
        lead = f"`{best.name}` is set in {count_noun(len(chosen), 'place')}, to different values; the best match is `{best.value}`."
    return Reply(lead, tuple(_constant_finding(scope, item) for item in chosen))


def _is_inside(item: Constant, outer: DefinitionRecord) -> bool:
    return (item.repository, item.path) == (
        outer.repository,
        outer.path,
    ) and outer.start_line <= item.line <= outer.end_line


def _follow_constant(scope: QuestionScope, item: Constant) -> str:
    """Describe the value of the constant that another one is set to; empty for a literal."""
    name = item.value.rpartition(".")[2]
    if not name.isidentifier() or not name.isupper():
        return ""
    found = [other for other in find_constants(scope.reader, name, [item.repository]) if other.name == name]
    return f", which is `{found[0].value}` (`{found[0].path}:{found[0].line}`)" if found else ""


def _choose_constants(found: list[Constant], phrase: str) -> list[Constant]:
    """Choose the best constant of each name; a name that is asked for exactly excludes the others."""
    exact = [item for item in found if is_named(item, phrase)]
    by_place: dict[tuple[str, str, str], Constant] = {}
    for item in exact or found:
        if item.score >= _MIN_SCORE_SHARE * found[0].score or exact:
            by_place.setdefault((item.name, item.value, item.path), item)
    return list(by_place.values())[:_MAX_CONSTANTS]


def _constant_finding(scope: QuestionScope, item: Constant) -> Finding:
    why = one_sentence(item.comment)
    line = scope.reader.text(item.repository, item.path).split("\n")[item.line - 1].strip()
    place = Place(item.repository, item.path, item.name, item.line, item.line, item.score, why, (why,) if why else ())
    return Finding(place, item.line, line)


def find_lines(scope: QuestionScope, name: str, is_match: Callable[[str], object]) -> Iterator[Finding]:
    """Yield the definition around each line of code that contains a name and matches; minified lines are skipped."""
    for repository, path in scope.reader.store.execute_named("code_paths", repositories=[*scope.repositories]).rows:
        text = scope.reader.store.source_text(get_str(repository), get_str(path))
        if name not in text:
            continue
        scope.check_cancelled()
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) <= _MAX_LINE and name in line and is_match(line):
                item = scope.reader.innermost(get_str(repository), get_str(path), number)
                if item is not None:
                    yield find_place(scope, item, "", (number,))


def answer_raised(scope: QuestionScope, subject: Subject) -> Reply:
    """List the statements that raise an exception, by its name."""
    name = subject.definitions[0].name if subject.definitions else subject.phrase.rpartition(".")[2]

    def raises(line: str) -> bool:
        match = _RAISE.search(line)
        raised = (match["name"] or match["inner"] or "") if match else ""
        return re.split(r"[.:]+", raised)[-1] == name

    findings = sorted(find_lines(scope, name, raises), key=lambda finding: finding.is_test)
    if not findings:
        lead = f"No statement raises {subject.title} by name."
    else:
        inside = dict.fromkeys(finding.place.qualname or finding.place.path for finding in findings)
        lead = f"{subject.title} is raised by {count_noun(len(findings), 'statement')} in {join_names(inside, 3)}."
    return Reply(lead, tuple(findings))


def answer_raises(scope: QuestionScope, subject: Subject) -> Reply:
    """List the statements in a definition that raise exceptions."""
    findings = []
    names = []
    for item in subject.definitions:
        for offset, line in enumerate(scope.reader.lines(item)):
            if match := _RAISE.search(line):
                number = item.start_line + offset
                findings.append(find_place(scope, item, "", (number,)))
                names.append((match["name"] or match["inner"] or "the current exception").rpartition(".")[2])
    if not findings:
        return Reply(f"No statement in {subject.title} raises an exception; what it calls may.")
    return Reply(f"{subject.title} itself raises {join_names(names)}.", tuple(findings))


def answer_summary(scope: QuestionScope, subject: Subject) -> Reply:
    """Summarize a repository, a module, a class or a function."""
    if not subject.definitions:
        return _summarize_repositories(scope)
    item = subject.definitions[0]
    documented = one_sentence(item.headline or item.summary)
    lead = (
        f"{subject.title} is a {item.kind} of {item.repository}: {documented}"
        if documented
        else (f"{subject.title} is a {item.kind} of {item.repository} without documentation.")
    )
    notes = []
    members = [one for one in scope.reader.members(item) if _is_direct(item, one)] if item.label != "Function" else []
    public = [one.name for one in members if not one.name.startswith("_") and one.kind != "lambda"]
    if public:
        notes.append(f"It defines {join_names(public, _LISTED_MEMBERS)}.")
    calls = scope.reader.calls_from([item.id]) if item.label == "Function" else []
    if calls:
        notes.append(f"It calls {join_names(edge.end.title for edge in calls)}.")
    if item.label != "Module":
        callers = find_callers(scope.reader, [item], scope.repositories).edges
        count = len({edge.start.id for edge in callers[0]}) if callers else 0
        notes.append(f"It has {count_noun(count, 'caller')}.")
    return Reply(
        lead, tuple(find_place(scope, one) for one in subject.definitions), (" ".join(notes),) if notes else ()
    )


def _is_direct(item: DefinitionRecord, member: DefinitionRecord) -> bool:
    outer = f"{item.qualname}." if item.qualname else ""
    return member.id != item.id and "." not in member.qualname.removeprefix(outer)


def _summarize_repositories(scope: QuestionScope) -> Reply:
    leads, findings = [], []
    for repository in scope.reader.repositories():
        if repository.id not in scope.repositories:
            continue
        languages = f" of {join_words(repository.languages[:3])}" if repository.languages else ""
        size = f"{count_noun(repository.files, 'file')} and {count_noun(repository.lines, 'line')}{languages}"
        modules = [item for item in scope.reader.modules([repository.id], limit=_MAX_MODULES) if not item.is_test]
        leads.append(f"{repository.id}: {_describe_repository(scope, repository, modules)} It has {size}.")
        findings += [find_place(scope, item, one_sentence(item.headline)) for item in modules[:4]]
    return Reply("\n".join(leads), tuple(findings))


def _describe_repository(
    scope: QuestionScope, repository: RepositoryRecord, modules: Sequence[DefinitionRecord]
) -> str:
    """Return the description of a repository: of its manifest or README, otherwise of its top package."""
    if repository.summary:
        return one_sentence(repository.summary)
    packages = [
        item for item in modules if item.path.rpartition("/")[2].startswith(("__init__", "index", "lib", "mod"))
    ]
    for item in sorted(packages, key=lambda item: (item.path.count("/"), item.path))[:1]:
        match = _DOCSTRING.search(scope.reader.text(item.repository, item.path))
        for paragraph in (match["text"] if match else "").split("\n\n"):
            if len(paragraph.split()) >= _MIN_DESCRIPTION_WORDS:
                return one_sentence(paragraph)
    return "it has no description."
