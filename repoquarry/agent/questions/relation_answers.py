"""Answers without a chat model about relations of code: callers, callees, implementations, tests and impact."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from repoquarry.agent.questions.code_answers import find_lines
from repoquarry.agent.questions.reply import (
    Finding,
    QuestionScope,
    Reply,
    Subject,
    certainty,
    find_place,
    join_names,
    one_sentence,
    sample_folder,
)
from repoquarry.code.calls import (
    CallerReport,
    find_callees,
    find_callers,
    find_external_callers,
    find_override_family,
)
from repoquarry.code.impact import CodeChange, analyze_impact
from repoquarry.code.records import DefinitionRecord, EdgeRecord, UnresolvedSite
from repoquarry.code.regression_tests import build_test_commands
from repoquarry.code.relations import ClassReport, find_external_subclasses, find_subclasses
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.call_views import CANDIDATE
from repoquarry.graphstore.model.values import Node, count_noun, get_str
from repoquarry.languages.registry import languages_without_calls

_DEPTH = 20
_MAX_TEST_FILES = 5
_SHOWN_CLASSES = 12
_NAME_CALLED = re.compile(r"(\w+)\s*\(")
_COMMENT = re.compile(r"\s*(?://|#|/?\*|--)")
_DEPENDENCES = {
    "overrides": "is overridden by",
    "inherits": "inherits from",
    "references": "refers to",
    "its file": "contains",
    "part of it": "contains",
    "member": "belongs to",
    "possible call": "has an unresolved call that may reach",
}


def answer_callers(scope: QuestionScope, subject: Subject) -> Reply:
    """List direct calls, production code first, then unresolved calls of the same name."""
    try:
        report = _find_callers(scope, subject)
    except NotFoundError:
        return Reply(f"Not in the index: {subject.title} is neither defined nor called here.")
    edges = [*report.direct, *report.cross_repository]
    findings = _edge_findings(scope, edges, incoming=True)
    findings += [find_place(scope, call.caller, f"calls `{call.qualname}`", call.lines) for call in report.external]
    findings.sort(key=lambda one: (one.is_test, bool(sample_folder(one.place.path))))
    if not findings and (mentions := _list_mentions(scope, subject)):
        return mentions
    origin = "" if subject.definitions else ", which is external code,"
    lead = f"{subject.title}{origin} has {_count_callers(edges, len(report.external))}."
    if not findings:
        lead = f"No resolved call reaches {subject.title}{origin}."
    elif through := sorted({item.title for item in report.override_family}):
        lead += f" A call of {join_names(through, 3)} may also reach it through overriding."
    return _with_possible(scope, Reply(lead, tuple(findings)), report.possible)


def _list_mentions(scope: QuestionScope, subject: Subject) -> Reply | None:
    """List the definitions that mention the subject, in languages whose calls are not resolved; None in other languages."""
    languages = languages_without_calls(item.path for item in subject.definitions)
    if not languages:
        return None
    own = {(item.path, item.qualname) for item in subject.definitions}
    found: dict[tuple[str, str], Finding] = {}
    for name in sorted({item.name for item in subject.definitions}):
        mention = re.compile(rf"(?!{_COMMENT.pattern}).*\b{re.escape(name)}\b")
        for one in find_lines(scope, name, mention.match):
            if (one.place.path, one.place.qualname) not in own:
                found.setdefault((one.place.path, one.place.qualname), one)
    lead = f"Calls in {' and '.join(languages)} are not resolved; {subject.title} is mentioned in {count_noun(len(found), 'definition')}."
    return Reply(lead, tuple(sorted(found.values(), key=lambda one: one.is_test)))


def _find_callers(scope: QuestionScope, subject: Subject) -> CallerReport:
    """Find calls from all repositories of the question. Raises: NotFoundError for a name that is neither defined nor called."""
    if not subject.definitions:
        return find_external_callers(scope.reader, subject.phrase, scope.repositories)
    others = [id_ for id_ in scope.repositories if id_ != subject.definitions[0].repository]
    # The name of a file alone means the definitions in the file.
    called = [
        member
        for item in subject.exact
        for member in ([item] if item.label != "Module" else scope.reader.members(item))
    ]
    return find_callers(scope.reader, called, scope.repositories, callers_in=others)


def _count_callers(edges: Sequence[EdgeRecord], external: int) -> str:
    callers = {edge.start.id: edge.start for edge in edges}
    files = {item.path for item in callers.values()}
    tests = sum(item.is_test for item in callers.values())
    in_files = f" in {count_noun(len(files), 'file')}" if len(files) > 1 else ""
    in_tests = f", {tests} of them in tests" if tests else ""
    in_tests = ", all in tests" if tests and tests == len(callers) + external else in_tests
    return f"{count_noun(len(callers) + external, 'caller')}{in_files}{in_tests}"


def _edge_findings(scope: QuestionScope, edges: Iterable[EdgeRecord], *, incoming: bool) -> list[Finding]:
    """Build one finding per far end of some edges, by its most confident edge; callers show the line of the first call."""
    best: dict[str, tuple[DefinitionRecord, EdgeRecord]] = {}
    for edge in sorted(edges, key=lambda edge: -edge.confidence):
        far = edge.start if incoming else edge.end
        best.setdefault(far.id, (far, edge))
    found = []
    for far, edge in sorted(best.values(), key=lambda one: _rank_edge(*one)):
        reason = ("" if incoming else one_sentence(far.headline)) or certainty(edge.confidence, edge.how)
        found.append(find_place(scope, far, reason, edge.lines if incoming else (), edge.confidence))
    return found


def _rank_edge(far: DefinitionRecord, edge: EdgeRecord) -> tuple[bool, bool, int, str]:
    is_unsure = edge.confidence < 0.5 or edge.how == CANDIDATE
    return far.is_test or bool(sample_folder(far.path)), is_unsure, -edge.count, far.id


def _with_possible(scope: QuestionScope, reply: Reply, possible: Sequence[UnresolvedSite]) -> Reply:
    """Add unresolved calls: as findings after the known ones, and as a note."""
    if not possible:
        return reply
    count = count_noun(sum(site.count for site in possible), "unresolved call")
    note = f"{count} of {join_names(site.name for site in possible)} may also reach it."
    known = {(one.place.path, one.place.qualname) for one in reply.findings}
    extra = (find_place(scope, site.caller, "unresolved call of the same name", site.lines) for site in possible)
    fresh = tuple(one for one in extra if (one.place.path, one.place.qualname) not in known)
    return Reply(reply.lead, (*reply.findings, *fresh), (*reply.notes, note), tuple(possible), reply.max_shown)


def answer_callees(scope: QuestionScope, subject: Subject) -> Reply:
    """List what a definition calls, external code and unresolved calls included; by name where calls are not resolved."""
    functions = [item for item in subject.definitions if item.label == "Function"]
    inner = {item.id for one in functions for item in scope.reader.members(one)}
    if languages := languages_without_calls(item.path for item in subject.definitions):
        lines = (line for item in subject.definitions for line in scope.reader.lines(item))
        named = scope.reader.named({name for line in lines for name in _NAME_CALLED.findall(line)}, scope.repositories)
        own = {item.id for item in subject.definitions}
        found = sorted((item for item in named if item.id not in own and not item.is_test), key=lambda item: item.id)
        lead = f"Calls in {' and '.join(languages)} are not resolved; {subject.title} calls {count_noun(len(found), 'definition')} by name."
        return Reply(lead, tuple(find_place(scope, item) for item in found))
    # A function often passes on a callback that makes its calls.
    report = find_callees(scope.reader, [*subject.exact, *scope.reader.definitions(inner)])
    findings = _edge_findings(scope, [edge for edge in report.edges if edge.end.id not in inner], incoming=False)
    external = sorted(report.external, key=lambda item: (-item.count, item.qualname))
    tests = sum(one.is_test for one in findings) if not any(item.is_test for item in subject.definitions) else 0
    in_tests = f" ({tests} of them in tests)" if tests else ""
    lead = f"{subject.title} calls {count_noun(len(findings), 'definition')} of its repository{in_tests}"
    lead += f", and externally {join_names((item.qualname for item in external), 8)}." if external else "."
    total = count_noun(sum(site.count for site in report.unresolved), "unresolved call").capitalize()
    notes = (f"{total}: {join_names(site.name for site in report.unresolved)}.",) if report.unresolved else ()
    return Reply(lead, tuple(findings), notes, report.unresolved)


def answer_implementations(scope: QuestionScope, subject: Subject) -> Reply:
    """List subclasses at every level and overriding methods; bases as a note."""
    functions = [item for item in subject.definitions if item.label == "Function"]
    classes = [item for item in subject.definitions if item.label == "Class"]
    if not subject.definitions:
        return _list_external_subclasses(scope, subject)
    if classes or not functions:
        return _describe_classes(scope, subject, find_subclasses(scope.reader, classes, _DEPTH))
    ids = [item.id for item in functions]
    direct = {edge.end.id for edge in scope.reader.overriding(ids)}
    above = {edge.start.id: edge.start.title for edge in scope.reader.overridden(ids)}
    family = [item for item in find_override_family(scope.reader, functions) if item.id not in above]
    family.sort(key=lambda item: (item.is_test, item.id not in direct, item.id))
    lead = f"{count_noun(len(family), 'method').capitalize()} {'overrides' if len(family) == 1 else 'override'} {subject.title}."
    findings = (find_place(scope, item, "overrides it" + " indirectly" * (item.id not in direct)) for item in family)
    return Reply(lead, tuple(findings), (f"It overrides {join_names(above.values())}.",) if above else ())


def _describe_classes(scope: QuestionScope, subject: Subject, report: ClassReport) -> Reply:
    findings = [find_place(scope, item, f"inherits from `{name}`") for name, item in report.external]
    for depth, edge in ((n, edge) for n, level in enumerate(report.levels, 1) for edge in level):
        reason = "" if depth == 1 and not report.external else f"inherits from `{edge.end.title}`"
        findings.append(find_place(scope, edge.start, reason))
    unique = list({(one.place.path, one.place.qualname): one for one in findings}.values())
    unique.sort(key=lambda one: (one.is_test, bool(sample_folder(one.place.path))))
    tests = sum(one.is_test for one in unique)
    lead = f"{count_noun(len(unique), 'class').capitalize()} {'inherits' if len(unique) == 1 else 'inherit'} from {subject.title}"
    lead += f", {tests} of them in tests." if 0 < tests < len(unique) else ", all in tests." if tests else "."
    if not unique and any(item.path.endswith(".go") for item in subject.definitions):
        lead = f"Unknown: types of go implement {subject.title} without naming it."
    bases = join_names(edge.end.title for edge in report.bases)
    notes = (f"{subject.title} itself inherits from {bases}.",) if bases else ()
    return Reply(lead, tuple(unique), notes, max_shown=_SHOWN_CLASSES)


def _list_external_subclasses(scope: QuestionScope, subject: Subject) -> Reply:
    """List the classes below external code, also by the name in their first line: an imported base may have another name there."""
    try:
        reply = _describe_classes(
            scope, subject, find_external_subclasses(scope.reader, subject.phrase, scope.repositories, _DEPTH)
        )
    except NotFoundError:
        reply = Reply("")
    base = re.compile(rf"\bclass\b.*(?:\bextends\b|\bimplements\b|\(|:)[^{{]*\b{re.escape(subject.phrase)}\b")
    known = {(one.place.path, one.place.qualname) for one in reply.findings}
    written = [
        one
        for one in find_lines(scope, subject.phrase, base.search)
        if (one.place.path, one.place.qualname) not in known
    ]
    findings = (*reply.findings, *written)
    if not findings:
        return Reply(f"Not in the index: no class {subject.title} is defined or inherited from here.")
    verb = "inherits" if len(findings) == 1 else "inherit"
    lead = f"{count_noun(len(findings), 'class').capitalize()} {verb} from external code called {subject.title}."
    return Reply(lead if written else reply.lead, findings, max_shown=_SHOWN_CLASSES)


def answer_bases(scope: QuestionScope, subject: Subject) -> Reply:
    """List the bases of classes, or the methods that a method overrides."""
    ids = [item.id for item in subject.definitions]
    edges = [*scope.reader.bases(ids), *scope.reader.overridden(ids)]
    bases = {item.id: item for edge in edges for item in (edge.start if edge.kind == "OVERRIDES" else edge.end,)}
    nodes = (node for row in scope.reader.store.execute_named("bases_of", ids=[*ids]).rows for node in row)
    external = [
        get_str(node.properties.get("qualname"))
        for node in nodes
        if isinstance(node, Node) and "External" in node.labels
    ]
    names = join_names([*(item.title for item in bases.values()), *external])
    lead = f"{subject.title} inherits from {names}." if names else f"{subject.title} has no base in the index."
    return Reply(lead, tuple(find_place(scope, item) for item in bases.values()))


def answer_tests(scope: QuestionScope, subject: Subject) -> Reply:
    """List test files that reach the subject, and a command that runs them."""
    report = analyze_impact(scope.reader, CodeChange(_owners(subject), subject.definitions), _owners(subject))
    named = {file.entity.id for file in report.test_files if _is_named_after(file.entity, subject.definitions)}
    reaching = [file for file in report.test_files if file.tests or file.entity.id in named]
    reaching = sorted(reaching or report.test_files, key=lambda file: file.entity.id not in named)
    findings = []
    for file in reaching:
        reason = join_names((test.entity.title for test in file.tests), 3) or file.how
        line = (file.tests[0].entity.start_line,) if file.tests else ()
        findings.append(find_place(scope, file.entity, reason, line, file.confidence))
    tests, files = sum(len(file.tests) for file in reaching), count_noun(len(findings), "file")
    lead = (
        f"{count_noun(tests, 'test').capitalize()} in {files} {'reaches' if tests == 1 else 'reach'} {subject.title}."
    )
    if not findings:
        indexed = count_noun(report.indexed_test_files, "test file")
        return Reply(f"No indexed test reaches {subject.title} ({indexed} indexed).")
    if not tests:
        lead = f"No test is known to reach {subject.title}; {count_noun(len(findings), 'test file')} may concern it."
    return Reply(lead, tuple(findings), _test_command(file.entity for file in reaching))


def _is_named_after(module: DefinitionRecord, definitions: Sequence[DefinitionRecord]) -> bool:
    """Return whether the name of a test file contains the name of a definition or of its file."""
    stem = _letters(module.path.rpartition("/")[2])
    stems = (_letters(item.path.rpartition("/")[2].partition(".")[0]) for item in definitions)
    return any(name in stem for name in (*stems, *(_letters(item.name) for item in definitions)) if len(name) > 3)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def _test_command(modules: Iterable[DefinitionRecord]) -> tuple[str, ...]:
    commands = build_test_commands([item.path for item in itertools.islice(modules, _MAX_TEST_FILES)])
    return tuple(f"Run them with: `{command}`" for command in commands)


def answer_impact(scope: QuestionScope, subject: Subject) -> Reply:
    """List what depends on the subject, nearest first, and the tests to run."""
    if mentions := _list_mentions(scope, subject):
        return mentions
    report = analyze_impact(scope.reader, CodeChange(_owners(subject), subject.definitions), scope.repositories)
    own = {item.id for item in scope.reader.with_members(subject.definitions)}
    ranked = sorted(
        (item for item in report.affected if item.entity.id not in own),
        key=lambda item: (bool(sample_folder(item.entity.path)), item.hops, -item.confidence, item.entity.id),
    )
    titles = {item.id: item.title for item in scope.reader.definitions(one.via_id for one in ranked if one.via_id)}
    findings = []
    for item in ranked:
        how = f"{_DEPENDENCES.get(item.how, item.how)} `{titles[item.via_id]}`" if item.via_id in titles else item.how
        findings.append(find_place(scope, item.entity, how))
    files, direct = {item.entity.path for item in ranked}, sum(item.hops == 1 for item in ranked)
    lead = (
        f"{count_noun(len(ranked), 'definition').capitalize()} in {count_noun(len(files), 'file')} may be affected by a change of "
        f"{subject.title}, {direct} of them directly."
    )
    if not ranked:
        lead = f"No indexed code outside tests depends on {subject.title}."
    tests = [file.entity for file in report.test_files if file.tests]
    return Reply(lead, tuple(findings), (*_test_command(tests), *report.notes))


def _owners(subject: Subject) -> tuple[str, ...]:
    return tuple(sorted({item.repository for item in subject.definitions}))
