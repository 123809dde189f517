"""Answers to questions without a chat model: each clause by its intent, or retrieved evidence where no intent matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from repoquarry.agent.decisions import Answer, count_unresolved
from repoquarry.agent.questions import code_answers, relation_answers
from repoquarry.agent.questions.clauses import Clause, read_question
from repoquarry.agent.questions.evidence import answer_how_to, answer_with_evidence, build_pack, find_command
from repoquarry.agent.questions.intents import INTENTS, SubjectKind, split_words
from repoquarry.agent.questions.reply import Finding, QuestionScope, Reply, Subject, find_place, join_names
from repoquarry.agent.questions.subjects import Subjects, find_subjects
from repoquarry.agent.questions.value_answers import answer_value, answer_words, list_near_values
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import relevant_names
from repoquarry.graphstore.model.values import count_noun
from repoquarry.operations.result import Place

_MAX_CANDIDATES = 10
_ASKS_CLASSES = re.compile(r"\b(?:class(?:es)?|subclass\w*|interfaces?|types?|kinds)\b", re.IGNORECASE)
_GREETINGS = split_words("hello hi hey thanks thank please help test ok yes no good morning you")
_ANSWERS: Final[Mapping[str, Callable[[QuestionScope, Subject], Reply]]] = {
    "how_to": answer_how_to,
    "definition": code_answers.answer_definition,
    "raised": code_answers.answer_raised,
    "summary": code_answers.answer_summary,
    "entry_points": code_answers.answer_entry_points,
    "callers": relation_answers.answer_callers,
    "callees": relation_answers.answer_callees,
    "implementations": relation_answers.answer_implementations,
    "kinds": relation_answers.answer_implementations,
    "bases": relation_answers.answer_bases,
    "tests": relation_answers.answer_tests,
    "impact": relation_answers.answer_impact,
}


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
    if clause.intent is None:
        return _answer_evidence(scope, clause.text)
    if clause.answer == "value":
        return answer_words(scope, clause.text, clause.phrase, clause.holder)
    answer = _ANSWERS[clause.answer]
    if not clause.phrase:
        return answer(scope, Subject(clause.text if clause.intent.subject is SubjectKind.CLAUSE else ""))
    if clause.answer == "raised":
        return _answer_error(scope, clause)
    wants_class = clause.answer == "kinds" or (
        clause.answer == "implementations" and _ASKS_CLASSES.search(clause.text) is not None
    )
    is_kind = wants_class and clause.phrase.islower()
    subjects = find_subjects(scope, clause.phrase, clause.holder, wants_class=wants_class)
    if len(subjects.groups) > 1 and clause.answer in ("implementations", "kinds"):
        subjects = _select_implemented(scope, subjects)
    definitions = subjects.definitions
    if definitions and clause.answer == "definition":
        own = tuple(item for item in definitions if item.label != "Module" and item.kind != "constructor")
        definitions = own or definitions
    if len(subjects.groups) == 1 or (definitions and clause.answer == "definition"):
        reply = answer(scope, Subject(clause.phrase, definitions))
        if is_kind and not reply.findings:
            return _answer_evidence(scope, clause.text)
        return replace(reply, subject=definitions, notes=(*reply.notes, *_name_others(clause, subjects)))
    if definitions:
        return _list_candidates(scope, clause.phrase, subjects)
    if clause.intent.subject is SubjectKind.DEFINITION_OR_EXTERNAL and " " not in clause.phrase:
        reply = answer(scope, Subject(clause.phrase))
        if reply.findings:
            return reply
    is_prose = " " in clause.phrase or is_kind
    return _answer_evidence(scope, clause.text) if is_prose else _report_unknown(scope, clause)


def _name_others(clause: Clause, subjects: Subjects) -> tuple[str, ...]:
    """Name the members that have the same short name as the definition that the answer is about."""
    titles = [item.title for item in subjects.others if item.title != clause.phrase]
    return (
        (f"`{clause.phrase}` is also a name of {join_names(titles, 3)}, which this answer leaves out.",)
        if titles
        else ()
    )


def _select_implemented(scope: QuestionScope, subjects: Subjects) -> Subjects:
    """Leave out the methods that override another candidate, and the classes without subclasses beside one that has some."""
    ids = [group[0].id for group in subjects.groups]
    overriding = {edge.end.id for edge in scope.reader.overridden(ids) if edge.start.id in ids}
    groups = [group for group in subjects.groups if group[0].id not in overriding]
    extended = {edge.end.id for edge in scope.reader.subclasses([item.id for group in groups for item in group])}
    return Subjects(tuple([group for group in groups if any(item.id in extended for item in group)] or groups))


def _answer_error(scope: QuestionScope, clause: Clause) -> Reply:
    """Answer a clause about an exception, or about the quoted text of an error."""
    is_words = " " in clause.phrase
    if is_words and not re.search(rf"[\"'`]\s*{re.escape(clause.phrase)}\s*[\"'`]", clause.text):
        return _answer_evidence(scope, clause.text)
    definitions = () if is_words else find_subjects(scope, clause.phrase).definitions
    reply = code_answers.answer_raised(scope, Subject(clause.phrase, definitions))
    if reply.findings or definitions:
        return reply
    if not is_words:
        return _report_unknown(scope, clause)
    evidence = _answer_evidence(scope, clause.text)
    return replace(evidence, lead=f"No line of code has the text `{clause.phrase}`. {evidence.lead}")


def _list_candidates(scope: QuestionScope, name: str, subjects: Subjects) -> Reply:
    items = [group[0] for group in subjects.groups]
    ranked = sorted(items, key=lambda item: (item.label == "Module", -item.calls_in - item.importance, item.id))
    lead = f"`{name}` is ambiguous: {count_noun(len(ranked), 'definition')}. Ask again with one of these names, or with a path."
    places = tuple(find_place(scope, item, f"{item.kind} of {item.repository}") for item in ranked)
    return Reply(lead, places, max_shown=_MAX_CANDIDATES)


def _report_unknown(scope: QuestionScope, clause: Clause) -> Reply:
    """Answer a clause about a name that no definition has: a constant with its value, otherwise evidence."""
    if clause.answer in ("summary", "definition"):
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
    values = list_near_values(scope, text)
    has_content = not _GREETINGS.issuperset(re.findall(r"\w+", text.lower()))
    reply = answer_with_evidence(scope, text) if has_content else Reply("Ask about code.")
    if values is not None:
        return replace(
            reply, lead="\n\n".join((values.format(), reply.lead)), findings=(*values.findings, *reply.findings)
        )
    if reply.findings:
        return reply
    examples = "\n".join(f"- {intent.example}" for intent in INTENTS)
    return Reply(
        f"{reply.lead} Questions that can be answered without a model (X is a name from the code):\n\n{examples}"
    )
