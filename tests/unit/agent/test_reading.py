"""Questions and names are read as people write them."""

from __future__ import annotations

import time

import pytest

from repoquarry.agent.questions.reading import read_question
from repoquarry.graphstore.reading.records import NameReference, parse_name
from repoquarry.graphstore.search.mentions import StackFrame, parse_stack_frames


@pytest.mark.parametrize(
    ("text", "kind", "subject", "goal"),
    [
        ("Where is retry handled?", "where", "", ""),
        ("Where is the database connection created?", "where", "", ""),
        ("who calls `Model.save`?", "callers", "Model.save", ""),
        ("Where is the RetryMiddleware used?", "callers", "RetryMiddleware", ""),
        ("which functions use get_object_or_404?", "callers", "get_object_or_404", ""),
        ("callers of the function f", "callers", "f", ""),
        ("what does retry() call?", "callees", "retry()", ""),
        ("How does a request reach a view?", "flow", "request", "view"),
        ("how do requests get routed to handlers", "flow", "requests", "handlers"),
        ("How is a template compiled to nodes?", "flow", "template", "nodes"),
        ("show the path from main to Server.serve", "flow", "main", "Server.serve"),
        ("What happens when a spider is closed?", "flow", "spider", "closed"),
        ("What happens if I change QuerySet.filter?", "impact", "QuerySet.filter", ""),
        ("what breaks if I rename the method `get_response`", "impact", "get_response", ""),
        ("what happens when someone changes the signature of f?", "impact", "f", ""),
        ("what depends on utils.py?", "impact", "utils.py", ""),
        ("what does module django/core/handlers/base.py do?", "module", "django/core/handlers/base.py", ""),
        ("What is the purpose of Signal?", "module", "Signal", ""),
        ("how does the scheduler work?", "module", "scheduler", ""),
        ("Explain BaseHandler", "module", "BaseHandler", ""),
        ("How does a request get from the spider to the downloader?", "flow", "spider", "downloader"),
        ("what raises ValueError?", "callers", "ValueError", ""),
        ("is eval called anywhere?", "callers", "eval", ""),
        ("which code starts programs?", "where", "", ""),
        ("Which functions does Shop.pay end up calling?", "callees", "Shop.pay", ""),
        ("which unit tests check the websocket support?", "tests", "websocket support", ""),
        ("Is the parser tested?", "tests", "parser", ""),
        ("tests for the parser", "tests", "parser", ""),
        ("what is the default download timeout?", "values", "download timeout", ""),
        ("which settings control concurrency, with defaults?", "values", "concurrency", ""),
        ("how long does a session live by default?", "values", "does a session live", ""),
        ("how many retries are made?", "values", "retries are made", ""),
        ("what kinds of exporters are there?", "subclasses", "exporters", ""),
        ("how do I write a plugin?", "howto", "write a plugin", ""),
        ("How to write a plugin", "howto", "write a plugin", ""),
        ("is there a guide to plugins?", "howto", "plugins", ""),
        ("How do I run a server on several processes?", "howto", "run a server on several processes", ""),
        ("Which classes inherit from Field?", "subclasses", "Field", ""),
        ("what are the subclasses of builtins.Exception", "subclasses", "builtins.Exception", ""),
        ("use this repository to split my PDF", "usage", "split my PDF", ""),
        ("How do I run this?", "usage", "this", ""),
    ],
)
def test_sentence_forms(text: str, kind: str, subject: str, goal: str) -> None:
    question = read_question(text)
    assert (question.kind, question.subject, question.goal) == (kind, subject, goal)


def test_a_long_text_is_an_issue_and_no_question() -> None:
    assert read_question("who calls f? " + "It fails. " * 60).kind == "where"


def test_names_of_code_are_found_in_prose() -> None:
    text = "Calling `save` on MyModel raises ValueError in django/db/models/base.py:12, see get_or_create() and a.b.C."
    assert read_question(text).names == (
        "save", "MyModel", "ValueError", "django/db/models/base.py:12", "get_or_create", "a.b.C",
    )  # fmt: skip
    assert read_question("Where is the class Mailer defined?").names == ("Mailer",)


def test_stack_frames_are_read_in_order() -> None:
    text = 'File "/srv/a/b.py", line 3, in f\n  x()\n  File "C:\\\\code\\\\c.py", line 14, in g.<locals>.h\nKeyError'
    assert list(parse_stack_frames(text)) == [
        StackFrame("C://code//c.py", 14, "g.<locals>.h", 0),
        StackFrame("/srv/a/b.py", 3, "f", 1),
    ]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("Model.save", NameReference(("Model", "save"))),
        ("`Model.save()`", NameReference(("Model", "save"))),
        ("@property", NameReference(("property",))),
        ("pkg/base.py", NameReference(path="pkg/base.py")),
        ("./pkg/base.py:120", NameReference(path="pkg/base.py", line=120)),
        ("pkg\\base.py", NameReference(path="pkg/base.py")),
        ("base.py", NameReference(path="base.py")),
        ("shop:pkg/base.py::A.b#2", NameReference(path="pkg/base.py", qualname="A.b")),
        ("pkg/base.py::A.b", NameReference(path="pkg/base.py", qualname="A.b")),
        ("", NameReference()),
    ],
)
def test_targets(text: str, target: NameReference) -> None:
    assert parse_name(text) == target


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "how does " * 50, "a." * 20_000, "who " * 99, "/" * 10_000, "what ( " * 60]
)
def test_reading_takes_no_time(text: str) -> None:
    started = time.process_time()
    read_question(text)
    parse_name(text)
    assert time.process_time() - started < 10
