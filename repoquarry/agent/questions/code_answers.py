"""Answers without a chat model about code itself: definitions, values, raised exceptions, summaries, entry points."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from repoquarry.agent.questions.document_answers import quote_default
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
from repoquarry.code.calls import find_callers
from repoquarry.code.constants import Constant, find_constants, find_values, is_named, iterate_constants
from repoquarry.code.records import DefinitionRecord, RepositoryRecord
from repoquarry.graphstore.model.values import count_noun, get_str
from repoquarry.graphstore.search.index.name_lookup import SAMPLE_FOLDERS
from repoquarry.operations.result import Place

_MAX_CONSTANTS = 5
_MAX_DOCSTRING = 4_000
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
    """State the value of a name; definitions of the subject are the class or function in which the value is set.

    Only a constant or key with the whole name is stated; others that share its words are listed as near.
    """
    holder = f" in `{subject.definitions[0].title}`" if subject.definitions else ""
    phrases = [subject.phrase] if subject.definitions else [subject.phrase, f"default {subject.phrase}"]
    found: list[Constant] = []
    named: list[Constant] = []
    for phrase in phrases:
        values = find_values(scope.reader, phrase, scope.repositories)
        if subject.definitions:
            values = [item for item in values if any(_is_inside(item, outer) for outer in subject.exact)]
        found += values
        own = [item for item in values if is_named(item, phrase)]
        named += sorted(own, key=lambda item: bool(sample_folder(item.path)))
        if any(not sample_folder(item.path) for item in named):
            break
    named = _unique(sorted(named, key=lambda item: bool(sample_folder(item.path))))
    makers = [maker for item in subject.exact for maker in scope.reader.constructors(item)]
    named = [item for item in named if any(_is_inside(item, maker) for maker in makers)] or named
    if not named:
        return _report_no_value(scope, subject, holder, found)
    best = named[0]
    sample = sample_folder(best.path)
    lead = f"`{best.full_name}` is `{best.value}`{_follow_constant(scope, best)}."
    if sample:
        lead = f"`{best.full_name}` is set to `{best.value}` in {sample} (`{best.path}`); no other code sets it to a literal."
    elif len({item.value for item in named if not sample_folder(item.path)}) > 1:
        lead = f"`{best.name}` is set in {count_noun(len(named), 'place')}, to different values; the first is `{best.value}`"
        lead += f"{_follow_constant(scope, best)}."
    return Reply(lead, tuple(_constant_finding(scope, item) for item in named))


def _report_no_value(scope: QuestionScope, subject: Subject, holder: str, found: Sequence[Constant]) -> Reply:
    """Say that no literal was found for a name, with the sentence of its documentation, or else with what is near in words."""
    lead = f"No assignment of a literal to `{subject.phrase}`{holder} was found."
    if documented := _find_documented(scope, subject):
        place = (find_place(scope, documented[0]),)
        return Reply(
            f"{lead} The documentation of `{documented[0].title}` says: “{documented[1]}”", place, is_exact=False
        )
    if quoted := quote_default(scope, subject.phrase):
        return Reply(f"{lead} {quoted}", is_exact=False)
    near = _unique(sorted(found, key=lambda item: bool(sample_folder(item.path))))
    places = tuple(_constant_finding(scope, item) for item in near)
    return Reply(f"{lead} Near in words:" if near else lead, places, is_exact=False)


def answer_defaults(scope: QuestionScope, subject: Subject) -> Reply:
    """List the initial values of the fields of a class, or the defaults of the parameters of a function."""
    values = []
    for item in subject.exact:
        inner = [one for one in scope.reader.members(item) if one.id != item.id and one.label == "Function"]
        makers = {one.id for one in scope.reader.constructors(item)}
        text = scope.reader.text(item.repository, item.path)
        for one in iterate_constants(item.repository, item.path, text, None):
            around = [other for other in inner if other.start_line <= one.line <= other.end_line]
            in_head = item.label == "Function" and one.line <= _end_of_head(scope, item)
            is_field = item.label == "Class" and all(other.id in makers for other in around)
            if _is_inside(one, item) and (in_head or is_field):
                values.append(one)
    values = _unique(values, len(values))
    noun = "field" if subject.exact[0].label == "Class" else "parameter"
    if not values:
        return Reply(
            f"No {noun} of {subject.title} is set to a literal.", tuple(find_place(scope, one) for one in subject.exact)
        )
    named = [f"`{one.name}` is `{one.value}`" for one in values[:_MAX_CONSTANTS]]
    more = [f"{len(values) - _MAX_CONSTANTS} more"] if len(values) > _MAX_CONSTANTS else []
    have = "has" if len(values) == 1 else "have"
    lead = f"{count_noun(len(values), noun).capitalize()} of {subject.title} {have} a literal default: {join_words([*named, *more])}."
    return Reply(lead, tuple(_constant_finding(scope, item) for item in values))


def _end_of_head(scope: QuestionScope, item: DefinitionRecord) -> int:
    """Return the last line of the signature of a function."""
    for offset, line in enumerate(scope.reader.lines(item)):
        if line.split(" #")[0].rstrip().endswith((":", "{", "=>")):
            return item.start_line + offset
    return item.end_line


def sample_folder(path: str) -> str:
    """Return "an example", "documentation" or "a benchmark" for a file in such a folder; empty for the product."""
    folders = SAMPLE_FOLDERS.intersection(path.lower().split("/")[:-1])
    if not folders:
        return ""
    kinds = {"doc": "documentation", "ben": "a benchmark", "asv": "a benchmark", "fix": "a test", "tes": "a test"}
    return kinds.get(min(folders)[:3], "an example")


def _find_documented(scope: QuestionScope, subject: Subject) -> tuple[DefinitionRecord, str] | None:
    """Find the sentence with a default and a number in the documentation of a function or class of the name."""
    name = subject.phrase.rpartition(".")[2]
    if subject.definitions:
        candidates = [one for item in subject.exact for one in scope.reader.members(item) if one.name == name]
        candidates += subject.exact
    else:
        candidates = scope.reader.named([name], scope.repositories) if name.isidentifier() else []
    for item in sorted(candidates, key=lambda one: (one.is_test, bool(sample_folder(one.path)), -one.importance)):
        for sentence in re.split(r"(?<=[.!?])\s+", " ".join(item.docstring[:_MAX_DOCSTRING].split())):
            if "default" in sentence.lower() and re.search(r"\d", sentence):
                return item, sentence
    return None


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


def _unique(found: Iterable[Constant], limit: int = _MAX_CONSTANTS) -> list[Constant]:
    """Return the first constants, one of each name, value and file."""
    by_place: dict[tuple[str, str, str], Constant] = {}
    for item in found:
        by_place.setdefault((item.full_name, item.value, item.path), item)
    return list(by_place.values())[:limit]


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
    """List the statements that raise an exception, by its name, or the lines that contain the text of an error."""
    name = subject.definitions[0].name if subject.definitions else subject.phrase
    is_text = not re.fullmatch(r"[\w.:]+", name)

    def raises(line: str) -> bool:
        match = _RAISE.search(line)
        raised = (match["name"] or match["inner"] or "") if match else ""
        return re.split(r"[.:]+", raised)[-1] == name

    name = name if is_text else re.split(r"[.:]+", name)[-1]
    findings = sorted(
        find_lines(scope, name, bool if is_text else raises),
        key=lambda finding: (finding.is_test, bool(sample_folder(finding.place.path))),
    )
    inside = join_names(dict.fromkeys(finding.place.qualname or finding.place.path for finding in findings), 3)
    if is_text:
        lead = f"The text is in {count_noun(len(findings), 'line')} of code, in {inside}."
    elif findings:
        lead = f"{subject.title} is raised by {count_noun(len(findings), 'statement')} in {inside}."
    else:
        lead = f"No statement raises {subject.title} by name."
        created = re.compile(
            rf"(?:\bnew\s+|(?<![\w.]){'' if name[:1].isupper() else '(?!)'}){re.escape(name)}\s*\("
        ).search
        findings = sorted(find_lines(scope, name, created), key=lambda finding: finding.is_test)
        if findings and not findings[0].is_test:
            lead = f"No statement raises {subject.title} by name; it is created in {count_noun(len(findings), 'line')}."
    return Reply(lead, tuple(findings))


def answer_summary(scope: QuestionScope, subject: Subject) -> Reply:
    """Summarize a repository, a module, a class or a function."""
    if not subject.definitions:
        return _summarize_repositories(scope)
    item = subject.definitions[0]
    documented = one_sentence(item.headline or item.summary)
    lead = (
        f"{subject.title} is {_article(item.kind)} {item.kind} of {item.repository}: {documented}"
        if documented
        else (f"{subject.title} is {_article(item.kind)} {item.kind} of {item.repository} without documentation.")
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
        callers = {edge.start.id for edge in find_callers(scope.reader, [item], scope.repositories).direct}
        notes.append(f"It has {count_noun(len(callers), 'caller')}.")
    return Reply(
        lead, tuple(find_place(scope, one) for one in subject.definitions), (" ".join(notes),) if notes else ()
    )


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeiou" else "a"


def _is_direct(item: DefinitionRecord, member: DefinitionRecord) -> bool:
    outer = f"{item.qualname}." if item.qualname else ""
    return member.id != item.id and "." not in member.qualname.removeprefix(outer)


def _summarize_repositories(scope: QuestionScope) -> Reply:
    """Describe repositories, with their core classes, important modules and entry points."""
    leads, findings = [], []
    for repository in scope.reader.repositories():
        if repository.id not in scope.repositories:
            continue
        languages = f" of {join_words(repository.languages[:3])}" if repository.languages else ""
        size = f"{count_noun(repository.files, 'file')} and {count_noun(repository.lines, 'line')}{languages}"
        modules = [
            item
            for item in scope.reader.modules([repository.id], limit=_MAX_MODULES)
            if not item.is_test and not sample_folder(item.path)
        ]
        classes = [
            item
            for item in scope.reader.core_classes([repository.id])
            if not item.is_test and not sample_folder(item.path)
        ]
        lead = f"{repository.id}: {_describe_repository(scope, repository, modules)} It has {size}."
        lead += (
            f" Its core classes are {join_names((item.title for item in classes), _CORE_CLASSES)}." if classes else ""
        )
        leads.append(lead + _describe_layers(modules))
        findings += [find_place(scope, item, one_sentence(item.headline)) for item in classes[:_CORE_CLASSES]]
        findings += [find_place(scope, item, one_sentence(item.headline)) for item in modules[:4]]
    return Reply("\n".join(leads), tuple(findings), max_shown=_CORE_CLASSES + 4)


def _describe_layers(modules: Sequence[DefinitionRecord]) -> str:
    """Name the folders with the most important modules; empty for a repository of one folder."""
    weight: dict[str, float] = {}
    for item in modules:
        folder = item.path.rpartition("/")[0]
        weight[folder] = weight.get(folder, 0.0) + item.importance
    folders = sorted(filter(None, weight), key=lambda folder: (-weight[folder], folder))[:_MAX_FOLDERS]
    return f" Its most important folders are {join_names(folders, _MAX_FOLDERS)}." if len(folders) > 1 else ""


_CORE_CLASSES = 6
_MAX_FOLDERS = 5


def _describe_repository(
    scope: QuestionScope, repository: RepositoryRecord, modules: Sequence[DefinitionRecord]
) -> str:
    """Return the description of a repository: of its manifest or README, otherwise of its top package."""
    if repository.summary:
        return one_sentence(repository.summary)
    packages = [item for item in modules if _ROOT_MODULE.match(item.path.rpartition("/")[2])]
    for item in sorted(packages, key=lambda item: (item.path.count("/"), item.path))[:1]:
        match = _DOCSTRING.search(scope.reader.text(item.repository, item.path))
        for paragraph in (match["text"] if match else "").split("\n\n"):
            if len(paragraph.split()) >= _MIN_DESCRIPTION_WORDS:
                return one_sentence(paragraph)
    return "it has no description."


_SCRIPTS = ("console_script", "script")


def answer_entry_points(scope: QuestionScope, subject: Subject) -> Reply:
    """List console scripts first, then other entry points outside tests."""
    found = [item for item in scope.reader.entry_points(scope.repositories) if not item.is_test]
    scripts_by_id = {item.id: [name for name in item.entry_points if name.startswith(_SCRIPTS)] for item in found}
    ranked = sorted(found, key=lambda item: (not scripts_by_id[item.id], "main" not in str(item.entry_points), item.id))
    findings = [find_place(scope, item, ", ".join(item.entry_points)) for item in ranked]
    names = join_names(name.partition(": ")[2] for item in ranked for name in scripts_by_id[item.id])
    if not found:
        return _describe_library(scope)
    verb = "s are" if sum(map(len, scripts_by_id.values())) > 1 else " is"
    lead = f"{count_noun(len(found), 'entry point').capitalize()}" + (
        f"; the console script{verb} {names}." if names else ", no console script."
    )
    return Reply(lead, tuple(findings))


def _describe_library(scope: QuestionScope) -> Reply:
    """Say that nothing is started from outside, and name the modules that importers begin with."""
    modules = [item for item in scope.reader.modules(scope.repositories, limit=_MAX_MODULES) if not item.is_test]
    roots = [
        item for item in modules if _ROOT_MODULE.match(item.path.rpartition("/")[2]) and not sample_folder(item.path)
    ]
    depth = min((item.path.count("/") for item in roots), default=0)
    roots = [item for item in roots if item.path.count("/") == depth]
    lead = "No console script, main function or other entry point is known."
    if roots:
        lead += f" It is used as a library: importers begin with {join_names(item.path for item in roots)}."
    return Reply(lead, tuple(find_place(scope, item, one_sentence(item.headline)) for item in roots))


_ROOT_MODULE = re.compile(r"(?:__init__|index|lib|mod)\.\w+$")
