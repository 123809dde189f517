"""Lines of code by their text: statements that raise, and mentions of a name in languages without resolved calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from repoquarry.agent.questions.reply import Finding, QuestionScope, Reply, Subject, find_place
from repoquarry.graphstore.model.values import count_noun, get_str
from repoquarry.languages.registry import languages_without_calls

_MAX_LINE = 2_000
"""Characters of a line; expressions that search it may take quadratic time."""
_NAME_CALLED = re.compile(r"(\w+)\s*\(")
_COMMENT = re.compile(r"\s*(?://|#|/?\*|--)")


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


def list_mentions(scope: QuestionScope, subject: Subject) -> Reply | None:
    """List the definitions that mention the subject, in languages whose calls are not resolved; None in other languages."""
    languages = languages_without_calls(item.path for item in subject.definitions)
    if not languages:
        return None
    names = {item.name for item in subject.definitions}
    own = {(item.path, item.qualname) for item in subject.definitions}
    found: dict[tuple[str, str], Finding] = {}
    for name in sorted(names):
        mention = re.compile(rf"(?!{_COMMENT.pattern}).*\b{re.escape(name)}\b")
        for finding in find_lines(scope, name, mention.match):
            found.setdefault((finding.place.path, finding.place.qualname), finding)
    findings = sorted((one for key, one in found.items() if key not in own), key=lambda one: one.is_test)
    lead = f"Calls in {' and '.join(languages)} are not resolved; {subject.title} is mentioned in {count_noun(len(findings), 'definition')}."
    return Reply(lead, tuple(findings))


def list_callees_by_name(scope: QuestionScope, subject: Subject) -> Reply | None:
    """List the definitions whose names are called in the subject, in languages whose calls are not resolved; None in other languages."""
    languages = languages_without_calls(item.path for item in subject.definitions)
    if not languages:
        return None
    names = {
        name for item in subject.definitions for line in scope.reader.lines(item) for name in _NAME_CALLED.findall(line)
    }
    own = {item.id for item in subject.definitions}
    found = [item for item in scope.reader.named(names, scope.repositories) if item.id not in own and not item.is_test]
    lead = f"Calls in {' and '.join(languages)} are not resolved; {subject.title} calls {count_noun(len(found), 'definition')} by name."
    findings = tuple(find_place(scope, item) for item in sorted(found, key=lambda item: item.id))
    return Reply(lead, findings)
