"""Answers without a chat model about code itself: definitions, values, raised exceptions, summaries, import cycles, owners."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
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
from repoquarry.code.calls import find_callers
from repoquarry.code.constants import Constant, find_constants, find_values, is_named
from repoquarry.code.records import DefinitionRecord, RepositoryRecord
from repoquarry.graphstore.model.values import count_noun, get_int, get_str, get_str_list
from repoquarry.graphstore.search.text_analysis import terms
from repoquarry.operations.result import Place

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
        found = [item for item in found if any(_is_inside(item, outer) for outer in subject.exact)]
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
    for item in subject.exact:
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
        callers = {edge.start.id for edge in find_callers(scope.reader, [item], scope.repositories).direct}
        notes.append(f"It has {count_noun(len(callers), 'caller')}.")
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


_MAX_LISTED = 10_000
_SCRIPTS = ("console_script", "script")
_MAX_OWNERS = 3
_MAX_COMMITS = 3


def answer_entry_points(scope: QuestionScope, subject: Subject) -> Reply:
    """List console scripts first, then other entry points outside tests."""
    found = [item for item in scope.reader.entry_points(scope.repositories) if not item.is_test]
    scripts_by_id = {item.id: [name for name in item.entry_points if name.startswith(_SCRIPTS)] for item in found}
    ranked = sorted(found, key=lambda item: (not scripts_by_id[item.id], "main" not in str(item.entry_points), item.id))
    findings = [find_place(scope, item, ", ".join(item.entry_points)) for item in ranked]
    names = join_names(name.partition(": ")[2] for item in ranked for name in scripts_by_id[item.id])
    lead = f"{count_noun(len(found), 'entry point').capitalize()}" + (
        f"; the console scripts are {names}." if names else ", no console script."
    )
    return Reply(lead, tuple(findings))


def answer_cycles(scope: QuestionScope, subject: Subject) -> Reply:
    """List rings of two or three modules that import one another."""
    rings = [
        (repository, get_str_list(ring))
        for repository in scope.repositories
        for (ring,) in scope.reader.store.execute_named("import_cycles", repository=repository).rows
    ]
    if not rings:
        return Reply("No import cycle: no two or three modules import one another.")
    rings.sort(key=lambda ring: (len(ring[1]), ring))
    findings = []
    for repository, ring in rings:
        why = "imports " + ", which imports ".join(f"`{path}`" for path in [*ring[1:], ring[0]])
        findings.append(Finding(Place(repository, ring[0], why=why, reasons=(why,))))
    pairs = sum(len(ring) == 2 for _, ring in rings)
    lead = (
        f"{count_noun(len(rings), 'import cycle').capitalize()}: {pairs} of two modules, {len(rings) - pairs} of three."
    )
    return Reply(lead, tuple(findings), ("Imports inside functions and for type checking do not count.",))


def answer_uncalled(scope: QuestionScope, subject: Subject) -> Reply:
    """List private and public functions without a known use, and count the others by the reason for which they may be in use."""
    private: list[str] = []
    public: list[str] = []
    others = Counter[str]()
    for repository in scope.repositories:
        for reason, count, found in scope.reader.store.execute_named(
            "dead_code", repository=repository, limit=_MAX_LISTED
        ).rows:
            if reason in ("", "public"):
                (public if reason else private).extend(get_str_list(found))
            else:
                others[get_str(reason)] += get_int(count)
    unresolved = others.pop("calls of its file are not resolved", 0)
    ids = [*private, *public]
    if unresolved and not ids and not others:
        return Reply("Functions without a caller are unknown.", notes=("No calls of these files are resolved.",))
    counts = [f"{count} {reason}" for reason, count in sorted(others.items(), key=lambda item: (-item[1], item[0]))]
    notes = [f"Without a known use too, and left out: {'; '.join(counts)}."] if counts else []
    if unresolved:
        notes.append(f"{count_noun(unresolved, 'function')} of files whose calls are not resolved are unknown.")
    if not ids:
        return Reply("Every function outside tests has a known caller or use, or may have one.", notes=tuple(notes))
    order = {name: number for number, name in enumerate(ids)}
    findings = tuple(
        find_place(scope, item) for item in sorted(scope.reader.definitions(ids), key=lambda item: order[item.id])
    )
    have = "has" if len(findings) == 1 else "have"
    lead = (
        f"{count_noun(len(findings), 'function').capitalize()} {have} no known caller or use, {len(private)} of them private; "
        "public ones may be called by code that is not indexed."
    )
    return Reply(lead, findings, tuple(notes))


def answer_complexity(scope: QuestionScope, subject: Subject) -> Reply:
    """Rank functions by their number of branches."""
    branches = {
        get_str(row[0]): get_int(row[1])
        for repository in scope.repositories
        for row in scope.reader.store.execute_named("most_branches", repository=repository, limit=_MAX_LISTED).rows
        if get_int(row[1])
    }
    found = scope.reader.definitions(branches)
    if subject.definitions:
        within = {item.id for item in scope.reader.with_members(subject.exact)}
        found = [item for item in found if item.id in within]
    found = sorted(found, key=lambda item: (item.is_test, -branches[item.id], item.id))
    if not found:
        return Reply("No function with branches is indexed.")
    best = found[0]
    lead = f"`{best.title}` is the most complex function, with {count_noun(branches[best.id], 'branch')} (`{best.where()}`)."
    findings = tuple(find_place(scope, item, count_noun(branches[item.id], "branch")) for item in found[:20])
    return Reply(lead, findings)


def answer_owners(scope: QuestionScope, subject: Subject) -> Reply:
    """List authors by their share of the work, and the last commits."""
    paths_by_repository: dict[str, set[str]] = {}
    for item in subject.definitions:
        paths_by_repository.setdefault(item.repository, set()).add(item.path)
    names: list[str] = []
    commits: list[str] = []
    missing: list[str] = []
    for repository in paths_by_repository or scope.repositories:
        history = scope.reader.store.history(repository)
        paths: Iterable[str] = paths_by_repository.get(repository, history.paths)
        owners = history.owners(paths)[:_MAX_OWNERS]
        names += [f"{owner.name} ({owner.share:.0%} of the work)" for owner in owners]
        newest = {commit.hash: commit for path in paths for commit in history.commits_of(path)}
        for commit in sorted(newest.values(), key=lambda commit: -commit.time)[:_MAX_COMMITS]:
            day = datetime.fromtimestamp(commit.time, UTC).date()
            commits.append(f"- {day} {commit.hash[:10]} {commit.author}: {commit.subject}")
        if not owners:
            missing.append(f"{repository}: {history.missing or 'no git history'}")
    about = f"{subject.title}" if subject.definitions else "the repository"
    if not names:
        return Reply(f"The authors of {about} are unknown ({'; '.join(missing)}).")
    lead = f"Most of the work on {about} is by {', '.join(names)}."
    notes = ["Last commits:\n" + "\n".join(commits)] if commits else []
    return Reply(lead, tuple(find_place(scope, item) for item in subject.definitions), tuple(notes))
