"""Answers without a chat model about code itself: definitions, errors, summaries, entry points."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from repoquarry.agent.questions.reply import (
    Finding,
    QuestionScope,
    Reply,
    Subject,
    find_place,
    join_names,
    join_words,
    one_sentence,
    sample_folder,
)
from repoquarry.code.calls import find_callers
from repoquarry.code.records import DefinitionRecord, RepositoryRecord
from repoquarry.graphstore.model.values import count_noun, get_str
from repoquarry.graphstore.repository_names import bare_id

_RAISE = re.compile(
    r"^\s*(?:\}?\s*(?:else|case\b.*:)\s*)?(?:raise|throw)\b\s*(?:new\s+)?(?P<name>[\w.:]+)?|\bthrow\s+(?:new\s+)?(?P<inner>[\w.:]+)"
)
_DOCSTRING = re.compile(r"""\A\s*(?:#[^\n]*\s*)*[rRuU]?(?P<quote>\"{3}|'{3})(?P<text>.*?)(?P=quote)""", re.DOTALL)
_ROOT_MODULE = re.compile(r"(?:__init__|index|lib|mod)\.\w+$")
_SCRIPTS = ("console_script", "script")
_KINDS = (*_SCRIPTS, "main", "command", "route")
"""Kinds of entry points in the order of the answer; hooks come after them."""
_MIN_DESCRIPTION_WORDS = 4
_LISTED_MEMBERS = 8
_CORE_CLASSES = 6
_MAX_FOLDERS, _MAX_KINDS = 5, 4
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
    """List the statements that raise an exception, by its name, or the lines that contain the text of an error."""
    name = subject.definitions[0].name if subject.definitions else subject.phrase
    if not re.fullmatch(r"[\w.:]+", name):
        found = _product_first(find_lines(scope, name, bool))
        return Reply(
            f"The text is in {count_noun(len(found), 'line')} of code, in {_join_places(found)}.", tuple(found)
        )
    name = re.split(r"[.:]+", name)[-1]

    def raises(line: str) -> bool:
        match = _RAISE.search(line)
        return match is not None and re.split(r"[.:]+", match["name"] or match["inner"] or "")[-1] == name

    found = _product_first(find_lines(scope, name, raises))
    if found:
        return Reply(
            f"{subject.title} is raised by {count_noun(len(found), 'statement')} in {_join_places(found)}.",
            tuple(found),
        )
    without_new = r"(?<![\w.])" if name[:1].isupper() else "(?!)"
    created = re.compile(rf"(?:\bnew\s+|{without_new}){re.escape(name)}\s*\(").search
    found = _product_first(find_lines(scope, name, created))
    lead = f"No statement raises {subject.title} by name"
    is_created = bool(found) and not found[0].is_test
    return Reply(lead + (f"; it is created in {count_noun(len(found), 'line')}." if is_created else "."), tuple(found))


def _product_first(findings: Iterator[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda one: (one.is_test, bool(sample_folder(one.place.path))))


def _join_places(findings: Sequence[Finding]) -> str:
    return join_names((one.place.qualname or one.place.path for one in findings), 3)


def answer_summary(scope: QuestionScope, subject: Subject) -> Reply:
    """Summarize a repository, a module, a class or a function."""
    if not subject.definitions:
        return _summarize_repositories(scope)
    item = subject.definitions[0]
    article = "an" if item.kind[:1] in "aeiou" else "a"
    documented = one_sentence(item.headline or item.summary)
    lead = f"{subject.title} is {article} {item.kind} of {item.repository}"
    lead += f": {documented}" if documented else " without documentation."
    notes = []
    members = [] if item.label == "Function" else [one for one in scope.reader.members(item) if _is_direct(item, one)]
    if public := [one.name for one in members if not one.name.startswith("_") and one.kind != "lambda"]:
        notes.append(f"It defines {join_names(public, _LISTED_MEMBERS)}.")
    if calls := scope.reader.calls_from([item.id]) if item.label == "Function" else []:
        notes.append(f"It calls {join_names(edge.end.title for edge in calls)}.")
    if item.label != "Module":
        callers = {edge.start.id for edge in find_callers(scope.reader, [item], scope.repositories).direct}
        notes.append(f"It has {count_noun(len(callers), 'caller')}.")
    places = tuple(find_place(scope, one) for one in subject.definitions)
    return Reply(lead, places, (" ".join(notes),) if notes else ())


def _is_direct(item: DefinitionRecord, member: DefinitionRecord) -> bool:
    outer = f"{item.qualname}." if item.qualname else ""
    return member.id != item.id and "." not in member.qualname.removeprefix(outer)


def _is_product(item: DefinitionRecord) -> bool:
    return not item.is_test and not sample_folder(item.path)


def _list_modules(scope: QuestionScope, repositories: Sequence[str]) -> list[DefinitionRecord]:
    return [item for item in scope.reader.modules(repositories, limit=_MAX_MODULES) if _is_product(item)]


def _summarize_repositories(scope: QuestionScope) -> Reply:
    """Describe repositories, with their core classes, important modules and folders."""
    leads, findings = [], []
    for repository in scope.reader.repositories():
        if repository.id not in scope.repositories:
            continue
        languages = f" of {join_words(repository.languages[:3])}" if repository.languages else ""
        size = f"{count_noun(repository.files, 'file')} and {count_noun(repository.lines, 'line')}{languages}"
        modules = _list_modules(scope, [repository.id])
        classes = [item for item in scope.reader.core_classes([repository.id]) if _is_product(item)]
        core = (
            f" Its core classes are {join_names((item.title for item in classes), _CORE_CLASSES)}." if classes else ""
        )
        described = _describe_repository(scope, repository, modules)
        lead = f"{repository.id}: {described} It has {size}." if described else f"{repository.id} has {size}."
        leads.append(f"{lead}{core}{_describe_layers(modules)}")
        shown = (*classes[:_CORE_CLASSES], *modules[:4])
        findings += [find_place(scope, item, one_sentence(item.headline)) for item in shown]
    return Reply("\n".join(leads), tuple(findings), max_shown=_CORE_CLASSES + 4)


def _describe_layers(modules: Sequence[DefinitionRecord]) -> str:
    """Name the folders with the most important modules; empty for a repository of one folder."""
    weight: dict[str, float] = {}
    for item in modules:
        folder = item.path.rpartition("/")[0]
        weight[folder] = weight.get(folder, 0.0) + item.importance
    folders = sorted(filter(None, weight), key=lambda folder: (-weight[folder], folder))[:_MAX_FOLDERS]
    return f" Its most important folders are {join_names(folders, _MAX_FOLDERS)}." if len(folders) > 1 else ""


def _describe_repository(
    scope: QuestionScope, repository: RepositoryRecord, modules: Sequence[DefinitionRecord]
) -> str:
    """Return the description of a repository: of its manifest or README, otherwise of its top package; empty for none."""
    if repository.summary:
        return one_sentence(repository.summary)
    packages = [item for item in modules if _ROOT_MODULE.match(item.path.rpartition("/")[2])]
    for item in sorted(packages, key=lambda item: (item.path.count("/"), item.path))[:1]:
        match = _DOCSTRING.search(scope.reader.text(item.repository, item.path))
        for paragraph in (match["text"] if match else "").split("\n\n"):
            if len(paragraph.split()) >= _MIN_DESCRIPTION_WORDS:
                return one_sentence(paragraph)
    return ""


def answer_entry_points(scope: QuestionScope, subject: Subject) -> Reply:
    """List console scripts first, then main programs and other entry points outside tests; samples come last."""
    found = [item for item in scope.reader.entry_points(scope.repositories) if not item.is_test]
    scripts = {item.id: [name for name in item.entry_points if name.startswith(_SCRIPTS)] for item in found}

    def rank(item: DefinitionRecord) -> tuple[bool, int, str]:
        own = {name.partition(":")[0] for name in item.entry_points}
        return (
            bool(sample_folder(item.path)),
            next((n for n, kind in enumerate(_KINDS) if kind in own), len(_KINDS)),
            item.id,
        )

    ranked = sorted(found, key=rank)
    findings = tuple(find_place(scope, item, ", ".join(item.entry_points)) for item in ranked)
    kinds = Counter(name.partition(":")[0].replace("_", " ") for item in found for name in item.entry_points)
    counted = (
        f" ({', '.join(f'{count} {kind}' for kind, count in kinds.most_common(_MAX_KINDS))})" if len(kinds) > 1 else ""
    )
    names = [name.partition(": ")[2] for item in ranked for name in scripts[item.id]]
    started = {name.partition(":")[0] for item in found if not sample_folder(item.path) for name in item.entry_points}
    if not started - {"hook", "test"}:
        library = _describe_library(scope)
        own = f" The code has {len(found)} handlers of events and samples{counted}." if found else ""
        return Reply(library.lead + own, (*library.findings, *findings))
    verb = "scripts are" if len(names) > 1 else "script is"
    lead = f"{count_noun(len(found), 'entry point').capitalize()}{counted}"
    return Reply(lead + (f"; the console {verb} {join_names(names)}." if names else ", no console script."), findings)


def _describe_library(scope: QuestionScope) -> Reply:
    """Say that nothing is started from outside, and name the modules that importers begin with."""
    modules = _list_modules(scope, scope.repositories)
    stems = {bare_id(id_).lower() for id_ in scope.repositories}
    roots = [
        one
        for one in modules
        if one.path.rpartition("/")[2].partition(".")[0].lower() in stems and one.path.count("/") < 2
    ]
    roots = roots or [one for one in modules if _ROOT_MODULE.match(one.path.rpartition("/")[2])]
    depth = min((item.path.count("/") for item in roots), default=0)
    roots = [item for item in roots if item.path.count("/") == depth]
    lead = "No console script, main function or other entry point of the product is known."
    if roots:
        lead += f" It is used as a library: importers begin with {join_names(item.path for item in roots)}."
    return Reply(lead, tuple(find_place(scope, item, one_sentence(item.headline)) for item in roots))
