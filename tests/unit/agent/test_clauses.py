"""Questions are read clause by clause; an intent applies only if every word of its clause is understood."""

import time

import pytest

from repoquarry.agent.questions.clauses import Clause, read_question
from repoquarry.agent.questions.intents import INTENTS, Intent, SubjectKind

_NAMES = {"Model", "save", "run", "retry", "get_object", "Default"}


def read(text: str) -> list[Clause]:
    return read_question(text, ("shop", "celery-5.4.0"), _NAMES.__contains__)


@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.name)
def test_the_example_of_every_intent_is_read_as_that_intent(intent: Intent) -> None:
    [clause] = read(intent.example.replace("X", "`Some.name`"))
    assert clause.intent is intent
    assert clause.phrase == ("Some.name" if "X" in intent.example else "")


def test_there_are_eleven_intents_and_each_needs_what_its_example_has() -> None:
    assert len(INTENTS) == len({intent.name for intent in INTENTS}) == 11
    assert all(
        "X" in one.example
        for one in INTENTS
        if one.subject not in (SubjectKind.NONE, SubjectKind.OPTIONAL, SubjectKind.CLAUSE)
    )


@pytest.mark.parametrize(
    ("text", "intent", "phrase", "holder"),
    [
        ("who calls `Model.save`?", "callers", "Model.save", ""),
        ("what does retry() call?", "callees", "retry()", ""),
        ("who calls the save method of Model?", "callers", "save", "Model"),
        ("who calls Model's save method?", "callers", "save", "Model"),
        ("what is the default of timeout in Model?", "value", "timeout", "Model"),
        ("who calls run?", "callers", "run", ""),
        ("Who calls Default?", "callers", "Default", ""),
        ("what is the default download timeout?", "value", "download timeout", ""),
        ("is eval called anywhere?", "callers", "eval", ""),
        ("what are the main parts of shop?", "summary", "", ""),
        ("how do I write a custom bootstep?", "how to", "", ""),
        ("which base classes does Model inherit from?", "implementers", "Model", ""),
        ("where is `utils/text.py`?", "definition", "utils/text.py", ""),
    ],
)
def test_a_clause_has_an_intent_and_a_subject(text: str, intent: str, phrase: str, holder: str) -> None:
    [clause] = read(text)
    assert clause.intent is not None
    assert (clause.intent.name, clause.phrase, clause.holder) == (intent, phrase, holder)


@pytest.mark.parametrize(
    "text",
    [
        "who calls save with an empty list before the transaction ends?",
        "does `save` call `retry` through `run`?",
        "which tests of `save` do not mock the database?",
        "how are redirects followed?",
        "why is `save` slow?",
        "where is `save` used?",
        "which functions are never called?",
        "are there import cycles?",
        "who last changed `save`?",
        "hello",
    ],
)
def test_a_clause_with_further_content_has_no_intent(text: str) -> None:
    assert [clause.intent for clause in read(text)] == [None]


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("who calls `save` and what does it call?", [("callers", "save"), ("callees", "save")]),
        ("callers and callees of `save`", [("callers", "save"), ("callees", "save")]),
        ("where is `save` defined? which tests cover it?", [("definition", "save"), ("tests", "save")]),
        ("where is `save` raised; are there import cycles", [("raised", "save"), (None, "")]),
        ("who calls `save` and why?", [("callers", "save")]),
        ("who calls `save`? who calls `save`?", [("callers", "save")]),
        ("who calls `save` and who catches it?", [("callers", "save"), (None, "")]),
    ],
)
def test_clauses_are_split_and_a_pronoun_means_the_last_subject(
    text: str, read_as: list[tuple[str | None, str]]
) -> None:
    assert [(clause.intent.name if clause.intent else None, clause.phrase) for clause in read(text)] == read_as


def test_a_clause_without_an_intent_has_the_subject_in_place_of_its_pronoun() -> None:
    assert read("who calls `save` and who catches it?")[1].text == "who catches `save`"


def test_a_repository_is_named_with_or_without_its_version() -> None:
    assert [read("who calls `save` in celery?")[0].repositories, read("who calls `save`?")[0].repositories] == [
        ("celery-5.4.0",),
        (),
    ]
    [clause] = read("what is shop?")
    assert clause.intent is not None
    assert (clause.intent.name, clause.phrase, clause.repositories) == ("summary", "", ("shop",))


def test_a_long_text_is_an_issue_and_no_question() -> None:
    assert read("who calls f? " + "It fails. " * 60)[0].intent is None


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "how does " * 50, "a." * 250, "who " * 99, "/" * 500, "what ( " * 60, "`" * 599]
)
def test_reading_takes_no_time(text: str) -> None:
    started = time.process_time()
    read(text)
    assert time.process_time() - started < 5
