"""Answers to questions without a chat model: each clause by its intent, or retrieved evidence where no intent matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from repoquarry.agent.decisions import Answer, count_unresolved
from repoquarry.agent.questions.clauses import Clause, find_subjects, read_question
from repoquarry.agent.questions.code_answers import answer_definition, answer_value
from repoquarry.agent.questions.intents import INTENTS, SubjectKind
from repoquarry.agent.questions.relation_answers import answer_implementations
from repoquarry.agent.questions.reply import Finding, QuestionScope, Reply, Subject, find_place
from repoquarry.code.excerpts.evidence_pack import EvidenceRequest, build_evidence_pack
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord, relevant_names
from repoquarry.graphstore.model.values import count_noun
from repoquarry.graphstore.search.text_analysis import terms
from repoquarry.operations.result import Place

_MAX_CANDIDATES = 10
_MAX_SEARCHED_CHARACTERS = 80
_DOCUMENT_RANK = 4
"""Number of places before the documents."""
_COLUMNS = 80
_SOURCE_LINE = re.compile(r" *\d+  ")


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
        return _find_evidence(scope, clause.text)
    if not clause.phrase:
        return answer(scope, Subject(""))
    if intent.subject is SubjectKind.WORDS:
        return _answer_words(scope, clause)
    subjects = find_subjects(scope, clause.phrase, clause.holder)
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
        return _find_evidence(scope, clause.text)
    return _report_unknown(scope, clause)


def _select_overridden(
    scope: QuestionScope, subjects: tuple[tuple[DefinitionRecord, ...], ...]
) -> tuple[tuple[DefinitionRecord, ...], ...]:
    """Leave out the methods that override another candidate: the question is about the overridden one."""
    ids = [group[0].id for group in subjects]
    overriding = {edge.end.id for edge in scope.reader.overridden(ids) if edge.start.id in ids}
    return tuple(group for group in subjects if group[0].id not in overriding)


def _answer_words(scope: QuestionScope, clause: Clause) -> Reply:
    """Answer a clause about words; "timeout of Session.send" and "Session.send.timeout" name where a value is set."""
    name, holder = clause.phrase, clause.holder
    if not holder and "." in name and " " not in name:
        holder, _, name = name.rpartition(".")
    groups = find_subjects(scope, holder) if holder else ()
    definitions = tuple(item for group in groups for item in group)
    phrase = name if definitions else " ".join(filter(None, (clause.holder, clause.phrase)))
    return answer_value(scope, Subject(phrase, definitions))


def _list_candidates(scope: QuestionScope, name: str, items: Sequence[DefinitionRecord]) -> Reply:
    ranked = sorted(items, key=lambda item: (item.label == "Module", -item.calls_in - item.importance, item.id))
    lead = f"`{name}` is ambiguous: {count_noun(len(ranked), 'definition')}. Ask again with one of these names, or with a path."
    return Reply(
        lead,
        tuple(find_place(scope, item, f"{item.kind} of {item.repository}") for item in ranked),
        max_shown=_MAX_CANDIDATES,
    )


def _report_unknown(scope: QuestionScope, clause: Clause) -> Reply:
    text, findings = _build_pack(scope, clause.phrase)
    lead, _, body = text.partition("\n\n")
    return Reply(lead, tuple(findings), body=body)


def _find_evidence(scope: QuestionScope, text: str) -> Reply:
    """Return the evidence pack of a wording that no intent fits, and commands that follow it up."""
    content = [word for word in terms(text) if word not in _GREETINGS]
    body, findings = _build_pack(scope, text) if content else ("", [])
    if not findings:
        examples = "\n".join(f"- {intent.example}" for intent in INTENTS)
        lead = "No match in the index." if content else "Ask about code."
        return Reply(
            f"{lead} Questions that can be answered without a model (X is a name from the code):\n\n{examples}"
        )
    lead = "Without a model, this question is answered with evidence and not in prose."
    commands = _suggest_commands(findings, text)
    return Reply(lead, tuple(findings), (commands,) if commands else (), body=body)


_GREETINGS = frozenset(terms("hello hi hey thanks thank please help test ok yes no good morning you"))


def _suggest_commands(findings: Sequence[Finding], text: str) -> str:
    best = next((one.place for one in findings if one.place.qualname), None)
    commands = []
    if best is not None:
        name = f"{best.path}::{best.qualname}"
        commands = [
            f"repoquarry explore '{name}' -r {best.repository}",
            f"repoquarry impact --symbol '{name}' -r {best.repository}",
        ]
    words = text.replace("`", "")
    if len(words) <= _MAX_SEARCHED_CHARACTERS and "'" not in words:
        commands.append(f"repoquarry search '{words}'")
    return "Continue with:\n" * bool(commands) + "\n".join(f"- `{command}`" for command in commands)


def _build_pack(scope: QuestionScope, text: str) -> tuple[str, list[Finding]]:
    """Return the evidence pack of a text and its places."""
    pack = build_evidence_pack(scope.reader, EvidenceRequest(text, scope.repositories))
    findings = []
    documents = [item for item in pack.places if item.label == "Document"]
    code = [item for item in pack.places if item.label != "Document"]
    for item in (*code[:_DOCUMENT_RANK], *documents, *code[_DOCUMENT_RANK:]):
        why = pack.why_by_id.get(item.id, "")
        findings.append(Finding(Place.of(item, why, 0.0, (why,) if why else ()), is_test=item.is_test))
    lines = (_cut_source(line) for line in pack.text.split("\n"))
    return "\n".join(lines), findings


def _cut_source(line: str) -> str:
    """Cut a numbered line of source to the columns of a terminal."""
    is_long = len(line) > _COLUMNS and _SOURCE_LINE.match(line)
    return f"{line[: _COLUMNS - 1]}…" if is_long else line
