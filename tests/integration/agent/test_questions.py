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
    assert asked.result.text.startswith("Without a model, this question is answered with evidence")
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


def test_callers_are_listed_with_lines_then_possible_ones(ask: Ask) -> None:
    asked = ask("Who calls Shop.order?", "webshop")
    assert asked.names()[:3] == ["place_order", "test_order", "close"]
    assert "unresolved call" in asked.result.places[2].why
    assert [(name.name, name.sites) for name in asked.result.unresolved] == [("order", 1)]
    assert "1 unresolved call of `order` may also reach it" in asked.result.text
    assert "Shop().order(" in asked.result.text


def test_callers_of_external_code(ask: Ask) -> None:
    asked = ask("who calls time.sleep?", "webshop")
    assert asked.names() == ["Shop.pay"]
    assert "external code" in asked.result.text


def test_an_ambiguous_name_is_answered_with_its_candidates(ask: Ask) -> None:
    asked = ask("who calls close?")
    assert "`close` is ambiguous: 2 definitions" in asked.result.text
    assert {(place.repository, place.qualname) for place in asked.result.places} == {
        ("webshop", "close"),
        ("letters", "Letter.close"),
    }


def test_impact_follows_callers_overriding_methods_and_tests(ask: Ask) -> None:
    asked = ask("What happens if I change Price.amount?", "webshop")
    names = asked.names()
    assert "Shop.order" in names
    assert "python -m pytest tests/test_shop.py" in asked.result.text


def test_subclasses_at_every_level(ask: Ask) -> None:
    asked = ask("Which classes inherit from Price?", "webshop")
    assert asked.names() == ["SalePrice", "LastDayPrice"]
    assert asked.result.text.startswith("2 classes inherit from `Price`.")
    outside = ask("Which classes inherit from Exception?", "webshop")
    assert outside.names() == ["PaymentError"]


def test_bases_and_overriding_methods(ask: Ask) -> None:
    assert ask("what does SalePrice inherit from?", "webshop").result.text.startswith(
        "`SalePrice` inherits from `Price`."
    )
    assert set(ask("what overrides Price.amount?", "webshop").names()) == {"SalePrice.amount", "LastDayPrice.amount"}


def test_what_something_calls(ask: Ask) -> None:
    asked = ask("What does Shop.pay call?", "webshop")
    assert "Shop.charge" in asked.names()
    assert "`time.sleep`" in asked.result.text


def test_summaries_of_a_module_a_class_and_a_repository(ask: Ask) -> None:
    module = ask("What does module webshop/shop.py do?", "webshop")
    assert "Orders and payments." in module.result.text
    assert module.result.places[0].path == "webshop/shop.py"
    assert "Finds the view for a request and calls it." in ask("What does Handler do?", "webshop").result.text
    assert ask("what is webshop?").result.text.startswith("webshop: ")


def test_clauses_are_answered_one_after_the_other(ask: Ask) -> None:
    asked = ask("Who calls Shop.order and what does it call?", "webshop")
    assert asked.of(EventKind.PLAN)[0].data["question"] == "callers, callees"
    first, second = asked.result.text.index("`Shop.order` has"), asked.result.text.index("`Shop.order` calls")
    assert first < second


def test_unresolved_calls_of_the_subject_are_relevant_and_of_its_callers_not(ask: Ask) -> None:
    result = ask("Who calls Shop.order?", "webshop").result
    assert (result.relevant_names, len(result.places) > 0) == (("order",), True)


def test_the_right_repository_of_several_is_found(ask: Ask) -> None:
    assert ask("Where is a letter brought to the post office?").result.places[0].repository == "letters"
    assert ask("Where is a payment retried?").result.places[0].repository == "webshop"


def test_an_unknown_name_is_said_to_be_unknown(ask: Ask) -> None:
    asked = ask("What does frobnicate_all call?", "webshop")
    assert asked.result.text.startswith("Not in the index: nothing is called `frobnicate_all`.")
    assert "Nearest names: `order`" in ask("What does ordr call?", "webshop").result.text


def test_a_greeting_is_answered_with_what_can_be_asked(ask: Ask) -> None:
    text = ask("hello", "webshop").result.text
    assert "- who calls X?" in text
    assert text.count("\n- ") == 15


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
    assert "Nothing that is set" in ask("What is the default number of unicorns?", "webshop").result.text


def test_documents_are_places_too(ask: Ask) -> None:
    assert "README.md" in ask("How do I place an order from Python?", "webshop").names()


def test_tests_of_something_are_named_by_file(ask: Ask) -> None:
    for text in ("Which tests cover Shop.order?", "is Shop.order tested?", "where are the tests for Shop.order?"):
        asked = ask(text, "webshop")
        assert asked.of(EventKind.PLAN)[0].data["question"] == "tests"
        assert asked.names()[0] == "tests/test_shop.py"
        assert "`test_order`" in asked.result.places[0].why


def test_statements_that_raise_something(ask: Ask) -> None:
    asked = ask("where is PaymentError raised?", "webshop")
    assert set(asked.names()) == {"Shop.charge", "Shop.pay"}
    assert "raise PaymentError" in asked.result.text
