"""Answers to questions without a chat model: each clause by its intent, or retrieved evidence where no intent matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from repoquarry.agent.decisions import Answer, count_unresolved
from repoquarry.agent.questions.clauses import Clause, find_subjects, read_question
from repoquarry.agent.questions.code_answers import (
    answer_defaults,
    answer_definition,
    answer_raised,
    answer_summary,
    answer_value,
)
from repoquarry.agent.questions.document_answers import answer_with_evidence
from repoquarry.agent.questions.evidence import build_pack, find_command
from repoquarry.agent.questions.intents import INTENTS, SubjectKind
from repoquarry.agent.questions.relation_answers import answer_implementations
from repoquarry.agent.questions.reply import Finding, QuestionScope, Reply, Subject, find_place
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord, relevant_names
from repoquarry.graphstore.model.values import count_noun
from repoquarry.graphstore.search.text_analysis import terms
from repoquarry.operations.result import Place

_MAX_CANDIDATES = 10


class QuestionReader:
    """Reader of one question: its clauses, their plan and their answer."""

    def __init__(
        self, text: str, repositories: Sequence[str], reader: CodeReader, check_cancelled: Callable[[], None]
    ) -> None:
        self._text = text.strip()
        self._scope = QuestionScope(reader, tuple(repositories), check_cancelled)

        @cache
        def has_name(name: str) -> bool:
            return bool(reader.named([name], repositories))

        self._clauses = read_question(self._text, repositories, has_name)

    def plan(self) -> dict[str, Any]:
        """Describe how the question is understood: the data of the event `plan`."""
        intents = [clause.intent for clause in self._clauses]
        names = ", ".join(intent.name if intent else "evidence" for intent in intents)
        plan = "; ".join(dict.fromkeys(intent.plan if intent else "gather evidence" for intent in intents))
        subjects = list(dict.fromkeys(clause.phrase for clause in self._clauses if clause.phrase))
        return {"question": names, "subjects": subjects, "text": plan}

    def answer(self) -> Answer:
        """Answer every clause. Raises: TaskCancelledError, GraphStoreError."""
        replies = []
        for clause in self._clauses:
            self._scope.check_cancelled()
            replies.append(_answer_clause(self._scope, clause))
        unresolved = count_unresolved(site for reply in replies for site in reply.unresolved)
        places = _interleave([reply.findings for reply in replies])
        repositories = tuple(dict.fromkeys(place.repository for place in places)) or self._scope.repositories
        text = "\n\n".join(reply.format() for reply in replies)
        names = relevant_names(item for reply in replies for item in reply.subject)
        return Answer(text, places, unresolved, repositories, relevant_names=names)


def _interleave(groups: Sequence[Sequence[Finding]]) -> tuple[Place, ...]:
    """Merge the places of several replies, best first, with scores that keep this order."""
    longest = max(map(len, groups), default=0)
    merged = [group[n] for n in range(longest) for group in groups if n < len(group)]
    unique = {(one.place.repository, one.place.path, one.place.qualname, one.line): one.place for one in merged}
    return tuple(replace(place, score=round(1 / (1 + rank), 4)) for rank, place in enumerate(unique.values()))


def _answer_clause(scope: QuestionScope, clause: Clause) -> Reply:
    if clause.repositories:
        scope = replace(scope, repositories=clause.repositories)
    intent, answer = clause.intent, clause.answer
    if intent is None or answer is None:
        return _answer_evidence(scope, clause.text)
    if intent.subject is SubjectKind.CLAUSE:
        return answer(scope, Subject(clause.text))
    if not clause.phrase:
        return answer(scope, Subject(""))
    if answer is answer_raised:
        return _answer_error(scope, clause)
    if intent.subject is SubjectKind.WORDS:
        return _answer_words(scope, clause)
    wants_class = answer is answer_implementations and _ASKS_CLASSES.search(clause.text)
    subjects = find_subjects(scope, clause.phrase, clause.holder, "Class" if wants_class else "")
    if len(subjects) > 1 and answer is answer_implementations:
        subjects = _select_overridden(scope, subjects)
    if len(subjects) == 1 or (subjects and answer is answer_definition):
        definitions = tuple(item for group in subjects for item in group)
        return replace(answer(scope, Subject(clause.phrase, definitions)), subject=definitions)
    if subjects:
        return _list_candidates(scope, clause.phrase, [group[0] for group in subjects])
    if intent.subject is SubjectKind.DEFINITION_OR_EXTERNAL and " " not in clause.phrase:
        reply = answer(scope, Subject(clause.phrase))
        if reply.findings:
            return reply
    if " " in clause.phrase:
        return _answer_evidence(scope, clause.text)
    return _report_unknown(scope, clause)


def _select_overridden(
    scope: QuestionScope, subjects: tuple[tuple[DefinitionRecord, ...], ...]
) -> tuple[tuple[DefinitionRecord, ...], ...]:
    """Leave out the methods that override another candidate: the question is about the overridden one."""
    ids = [group[0].id for group in subjects]
    overriding = {edge.end.id for edge in scope.reader.overridden(ids) if edge.start.id in ids}
    return tuple(group for group in subjects if group[0].id not in overriding)


_ASKS_CLASSES = re.compile(r"\b(?:class(?:es)?|subclass\w*|interfaces?|types?|kinds)\b", re.IGNORECASE)


def _answer_words(scope: QuestionScope, clause: Clause) -> Reply:
    """Answer a clause about a value; "timeout of Session.send" and "Session.send.timeout" name where the value is set."""
    name, holder = clause.phrase, clause.holder
    if not holder and "." in name and " " not in name:
        holder, _, name = name.rpartition(".")
    groups = find_subjects(scope, holder) if holder else ()
    definitions = tuple(item for group in groups for item in group if not item.is_test)
    phrase = name if definitions else ".".join(filter(None, (holder, name)))
    if tail := re.search(rf"\b{re.escape(name)}\s+(name|class|size|type)\b", clause.text, re.IGNORECASE):
        phrase = name = f"{name} {tail[1]}"  # A word such as "name" is part of what is asked for.
    is_code = not name.islower() or re.search(r"\W|_", name) is not None or f"`{name}`" in clause.text
    if not holder and is_code and " " not in name:
        owners = tuple(item for group in find_subjects(scope, name) for item in group if item.label != "Module")
        if owners and all(item.name == name for item in owners):
            return answer_defaults(scope, Subject(name, owners))
    return answer_value(scope, Subject(phrase, definitions))


def _answer_error(scope: QuestionScope, clause: Clause) -> Reply:
    """Answer a clause about an exception, or about the quoted text of an error."""
    if " " in clause.phrase and not re.search(rf"[\"'`]\s*{re.escape(clause.phrase)}\s*[\"'`]", clause.text):
        return _answer_evidence(scope, clause.text)
    groups = find_subjects(scope, clause.phrase) if " " not in clause.phrase else ()
    reply = answer_raised(scope, Subject(clause.phrase, tuple(item for group in groups for item in group)))
    if reply.findings or groups:
        return reply
    return _answer_evidence(scope, clause.text) if " " in clause.phrase else _report_unknown(scope, clause)


def _list_candidates(scope: QuestionScope, name: str, items: Sequence[DefinitionRecord]) -> Reply:
    ranked = sorted(items, key=lambda item: (item.label == "Module", -item.calls_in - item.importance, item.id))
    lead = f"`{name}` is ambiguous: {count_noun(len(ranked), 'definition')}. Ask again with one of these names, or with a path."
    return Reply(
        lead,
        tuple(find_place(scope, item, f"{item.kind} of {item.repository}") for item in ranked),
        max_shown=_MAX_CANDIDATES,
    )


def _report_unknown(scope: QuestionScope, clause: Clause) -> Reply:
    """Answer a clause about a name that no definition has: a constant with its value, otherwise evidence."""
    if clause.answer in (answer_summary, answer_definition):
        value = answer_value(scope, Subject(clause.phrase))
        if value.findings and value.is_exact:
            return value
    text, findings = build_pack(scope, clause.phrase)
    lead, _, body = text.partition("\n\n")
    return Reply(lead, tuple(findings), body=body)


def _answer_evidence(scope: QuestionScope, text: str) -> Reply:
    """Return the evidence for a wording that no intent fits; without evidence list what can be asked."""
    if command := find_command(text):
        return Reply(f"`{command}` answers this.")
    has_content = any(word not in _GREETINGS for word in terms(text))
    reply = answer_with_evidence(scope, text) if has_content else Reply("Ask about code.")
    if reply.findings:
        return reply
    examples = "\n".join(f"- {intent.example}" for intent in INTENTS)
    return Reply(
        f"{reply.lead} Questions that can be answered without a model (X is a name from the code):\n\n{examples}"
    )


_GREETINGS = frozenset(terms("hello hi hey thanks thank please help test ok yes no good morning you"))
