"""Answers about a repository as a whole: entry points, import cycles, functions never called, complexity, and owners."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from repoquarry.agent.questions.reply import Finding, QuestionScope, Reply, Subject, find_place, join_names
from repoquarry.agent.task import Place
from repoquarry.graphstore.model.values import Value, count_noun, get_int, get_str, get_str_list
from repoquarry.languages.registry import unknown_calls

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
    return Reply(lead, tuple(findings), ("Imports inside functions and for type checking count as well.",))


def answer_uncalled(scope: QuestionScope, subject: Subject) -> Reply:
    """List functions without any known caller, use, override, entry point or unresolved call of the same name."""
    found = scope.reader.definitions(_query_ids(scope, "dead_code"))
    known = [item for item in found if not unknown_calls([item.path])]
    notes = tuple(filter(None, [unknown_calls(item.path for item in found)]))
    if notes and not known:
        return Reply("Functions without a caller are unknown.", notes=notes)
    findings = tuple(
        find_place(scope, item) for item in sorted(known, key=lambda item: (not item.name.startswith("_"), item.id))
    )
    if not findings:
        return Reply("Every function outside tests has a known caller, use or unresolved call of its name.")
    private = sum(item.name.startswith("_") for item in known)
    have = "has" if len(findings) == 1 else "have"
    lead = (
        f"{count_noun(len(findings), 'function').capitalize()} {have} no known caller, {private} of them private; "
        "public ones may be called by code that is not indexed."
    )
    return Reply(lead, findings, notes)


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
        within = {item.id for item in scope.reader.with_members(subject.definitions)}
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


def _query_ids(scope: QuestionScope, query: str) -> list[str]:
    rows: list[tuple[Value, ...]] = []
    for repository in scope.repositories:
        rows += scope.reader.store.execute_named(query, repository=repository, limit=_MAX_LISTED).rows
    return [get_str(row[0]) for row in rows]
