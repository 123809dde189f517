"""Questions to a really indexed repository, answered without a model: the right places, with reasons that hold."""

from __future__ import annotations

import pytest

from repoquarry.agent.task import EventKind, TaskState
from tests.integration.agent.conftest import Ask


def test_other_wordings_are_answered_with_places_and_commands(ask: Ask) -> None:
    asked = ask("Where is a failed payment retried?", "webshop")
    assert asked.result.state is TaskState.ANSWERED
    best = asked.result.places[0]
    assert (best.path, best.qualname, best.start_line, best.end_line) == ("webshop/shop.py", "Shop.pay", 23, 31)
    assert asked.result.text.startswith("The documentation has a section “Retrying payments” (`docs/retry.md:1`).")
    assert best.why == "contains `failed`, `payment` and `retried`"
    assert "Callers of Shop.pay" in asked.result.text
    assert "`repoquarry explore 'webshop/shop.py::Shop.pay' -r webshop`" in asked.result.text


def test_a_stack_trace_leads_to_its_frames(ask: Ask) -> None:
    trace = (
        "Ordering fails:\n\nTraceback (most recent call last):\n"
        '  File "/srv/app/webshop/views.py", line 14, in place_order\n    total = Shop().order("x", 1)\n'
        '  File "/srv/app/webshop/shop.py", line 19, in order\n    total = self.prices[item].amount() * count\n'
        "KeyError: 'x'"
    )
    asked = ask(trace, "webshop")
    assert asked.names()[:2] == ["Shop.order", "place_order"]


def test_callers_are_listed_with_lines_then_likely_ones_then_tests(ask: Ask) -> None:
    asked = ask("Who calls Shop.order?", "webshop")
    assert asked.names()[:3] == ["place_order", "close", "test_order"]
    assert "likely" in asked.result.places[1].why
    assert [(name.name, name.sites) for name in asked.result.unresolved] == [("order", 1)]
    assert "1 unresolved call of `order` may also reach it" in asked.result.text
    assert "Shop().order(" in asked.result.text
    assert asked.result.relevant_names == ("order",)  # not of its callers


@pytest.mark.parametrize(
    ("text", "names", "shown"),
    [
        ("who calls time.sleep?", ["Shop.pay"], "external code"),
        ("What happens if I change Price.amount?", {"Shop.order"}, "python -m pytest tests/test_shop.py"),
        ("Which classes inherit from Price?", ["LastDayPrice", "SalePrice"], "2 classes inherit from `Price`."),
        ("Which classes inherit from Exception?", ["PaymentError"], ""),
        ("what does SalePrice inherit from?", set(), "`SalePrice` inherits from `Price`."),
        ("what overrides Price.amount?", ["LastDayPrice.amount", "SalePrice.amount"], ""),
        ("What does Shop.pay call?", {"Shop.charge"}, "`time.sleep`"),
        ("What does module webshop/shop.py do?", {"webshop/shop.py"}, "Orders and payments."),
        ("What does Handler do?", {"Handler"}, "Finds the view for a request and calls it."),
        ("what is webshop?", set(), "webshop: "),
        ("How do I place an order from Python?", {"README.md"}, ""),
        ("where is PaymentError raised?", ["Shop.charge", "Shop.pay"], "raise PaymentError"),
        ("What does frobnicate_all call?", set(), "Not in the index: nothing is called `frobnicate_all`."),
        ("What does ordr call?", set(), "Nearest names: `order`"),
        ("What is the default number of unicorns?", set(), "No assignment of a literal"),
    ],
)
def test_a_question_names_places_and_says_why(ask: Ask, text: str, names: set[str] | list[str], shown: str) -> None:
    """A list has all places, a set some of them."""
    asked = ask(text, "webshop")
    assert sorted(asked.names()) == names if isinstance(names, list) else names <= set(asked.names())
    assert shown in asked.result.text


@pytest.mark.parametrize(
    ("text", "repository"),
    [("Where is a letter brought to the post office?", "letters"), ("Where is a payment retried?", "webshop")],
)
def test_the_right_repository_of_several_is_found(ask: Ask, text: str, repository: str) -> None:
    assert ask(text).result.places[0].repository == repository


def test_an_ambiguous_name_is_answered_with_its_candidates(ask: Ask) -> None:
    asked = ask("who calls close?")
    assert "`close` is ambiguous: 2 definitions" in asked.result.text
    assert {(place.repository, place.qualname) for place in asked.result.places} == {
        ("webshop", "close"),
        ("letters", "Letter.close"),
    }


def test_clauses_are_answered_one_after_the_other(ask: Ask) -> None:
    asked = ask("Who calls Shop.order and what does it call?", "webshop")
    assert asked.of(EventKind.PLAN)[0].data["question"] == "callers, callees"
    first, second = asked.result.text.index("`Shop.order` has"), asked.result.text.index("`Shop.order` calls")
    assert first < second


def test_a_greeting_is_answered_with_what_can_be_asked(ask: Ask) -> None:
    text = ask("hello", "webshop").result.text
    assert "- who calls X?" in text
    assert text.count("\n- ") == 11


@pytest.mark.parametrize("text", ["?", "zzzz qqqq xxxx", "где обрабатывается повтор?", "a" * 5_000])
def test_any_text_gets_an_answer(ask: Ask, text: str) -> None:
    asked = ask(text, "webshop")
    assert asked.result.state is TaskState.ANSWERED
    assert asked.result.text


def test_the_same_question_gets_the_same_answer(ask: Ask) -> None:
    first, second = ask("How does a request reach a view?"), ask("How does a request reach a view?")
    assert first.result == second.result
    assert [_timeless(event.data) for event in first.events] == [_timeless(event.data) for event in second.events]


def _timeless(data: object) -> dict[str, object]:
    assert isinstance(data, dict)
    return {key: value for key, value in data.items() if key != "seconds"}


def test_a_default_is_answered_with_the_constant_and_its_value(ask: Ask) -> None:
    asked = ask("What is the default payment timeout?", "webshop")
    assert asked.of(EventKind.PLAN)[0].data["question"] == "value"
    assert asked.result.text.startswith("`PAYMENT_TIMEOUT` is `20`.")
    assert asked.result.places[0].qualname == "PAYMENT_TIMEOUT"
    assert "econds that the bank may take" in asked.result.places[0].why


def test_tests_of_something_are_named_by_file(ask: Ask) -> None:
    for text in ("Which tests cover Shop.order?", "is Shop.order tested?", "where are the tests for Shop.order?"):
        asked = ask(text, "webshop")
        assert asked.of(EventKind.PLAN)[0].data["question"] == "tests"
        assert asked.names()[0] == "tests/test_shop.py"
        assert "`test_order`" in asked.result.places[0].why
