"""Questions to a really indexed repository, answered without a model: the right places, with reasons that hold."""

from __future__ import annotations

import pytest

from repoquarry.agent.events import EventKind
from repoquarry.agent.task import TaskState
from tests.integration.agent.conftest import Ask


def test_where_is_something_handled(ask: Ask) -> None:
    asked = ask("Where is a failed payment retried?", "webshop")
    assert asked.result.state is TaskState.ANSWERED
    best = asked.result.places[0]
    assert (best.path, best.qualname, best.start_line) == ("webshop/shop.py", "Shop.pay", 23)
    assert best.end_line == 31
    assert any("Line " in reason for reason in best.reasons)
    assert "`Shop.pay` (`webshop/shop.py:23-31`)" in asked.result.text


def test_a_stack_trace_leads_to_its_frames(ask: Ask) -> None:
    trace = (
        "Ordering fails:\n\nTraceback (most recent call last):\n"
        '  File "/srv/app/webshop/views.py", line 14, in place_order\n    total = Shop().order("x", 1)\n'
        '  File "/srv/app/webshop/shop.py", line 19, in order\n    total = self.prices[item].amount() * count\n'
        "KeyError: 'x'"
    )
    asked = ask(trace, "webshop")
    assert asked.names()[0] == "Shop.order"
    assert "place_order" in asked.names()[:4]
    assert any("stack trace" in reason for reason in asked.result.places[0].reasons)


def test_a_flow_question_finds_the_way_and_its_middle(ask: Ask) -> None:
    asked = ask("How does a request reach a view?", "webshop")
    assert asked.of(EventKind.PLAN)[0].data["question"] == "flow"
    assert "Handler.handle" in asked.names()[:3]
    assert "webshop/http/handler.py" in asked.result.text
    assert any(event.data["tool"] == "call_paths" for event in asked.of(EventKind.TOOL_CALLED))


def test_a_flow_between_names_lists_the_path_with_lines(ask: Ask) -> None:
    asked = ask("How does `Server.serve` reach `find_view`?", "webshop")
    assert "`Server.serve` calls (line 20) `Server.answer`" in asked.result.text
    assert "`Handler.handle`, which calls (line 12) `find_view`" in asked.result.text.replace(
        " in `webshop/http/handler.py`", ""
    )


def test_callers_are_listed_with_lines_then_possible_ones(ask: Ask) -> None:
    asked = ask("Who calls Shop.order?", "webshop")
    names = asked.names()
    assert {"place_order", "test_order"} <= set(names)
    assert names.index("place_order") < names.index("test_order") < names.index("close")
    close = next(place for place in asked.result.places if place.qualname == "close")
    assert "may call it" in close.why
    assert [(name.name, name.sites) for name in asked.result.unresolved] == [("order", 1)]
    assert "1 further call site of the same name" in asked.result.text
    assert "1 call site of `order`" in asked.result.text


def test_callers_of_something_outside(ask: Ask) -> None:
    asked = ask("who calls time.sleep?", "webshop")
    assert asked.names() == ["Shop.pay"]
    assert "defined outside" in asked.result.text


def test_a_name_that_means_several_things_is_answered_with_all(ask: Ask) -> None:
    asked = ask("who calls close?")
    assert "means 2 things" in asked.result.text
    assert "webshop/shop.py" in asked.result.text
    assert "letters.py" in asked.result.text
    assert "post" in asked.names()
    assert set(asked.result.repositories) <= {"webshop", "letters"}


def test_impact_follows_callers_overriding_methods_and_tests(ask: Ask) -> None:
    asked = ask("What happens if I change Price.amount?", "webshop")
    names = asked.names()
    assert "Shop.order" in names
    assert {"SalePrice.amount", "LastDayPrice.amount"} <= set(names)
    assert "Tests to run: `test_order`" in asked.result.text


def test_subclasses_at_every_level(ask: Ask) -> None:
    asked = ask("Which classes inherit from Price?", "webshop")
    assert asked.names() == ["SalePrice", "LastDayPrice"]
    assert "2 classes inherit from `Price` over 2 levels" in asked.result.text
    outside = ask("Which classes inherit from Exception?", "webshop")
    assert outside.names() == ["PaymentError"]


def test_what_a_module_and_a_class_and_a_folder_do(ask: Ask) -> None:
    module = ask("What does module webshop/shop.py do?", "webshop")
    assert "Orders and payments." in module.result.text
    assert module.result.places[0].path == "webshop/shop.py"
    assert "`time` from outside" in module.result.text
    handler = ask("What does Handler do?", "webshop")
    assert handler.names()[0] == "Handler"
    assert "Finds the view for a request and calls it." in handler.result.text
    folder = ask("what does webshop/http do?", "webshop")
    assert "`webshop/http/` in webshop holds" in folder.result.text


def test_what_something_calls(ask: Ask) -> None:
    asked = ask("What does Shop.pay call?", "webshop")
    assert "Shop.charge" in asked.names()
    assert "`time.sleep`" in asked.result.text


def test_using_a_repository_starts_with_its_readme_and_entry_points(ask: Ask) -> None:
    asked = ask("Use this repository to place an order", "webshop")
    text = asked.result.text
    assert "> Shop().order(" in text
    assert "`main` (console_script: webshop)" in text or "webshop is started through `main`" in text
    paths = [place.path for place in asked.result.places]
    assert "README.md" in paths
    assert "webshop/shop.py" in paths


def test_the_right_repository_of_several_is_found(ask: Ask) -> None:
    assert ask("Where is a letter brought to the post office?").result.places[0].repository == "letters"
    assert ask("Where is a payment retried?").result.places[0].repository == "webshop"


def test_an_unknown_name_is_said_to_be_unknown(ask: Ask) -> None:
    asked = ask("Who calls frobnicate_all?", "webshop")
    assert "`frobnicate_all`" in asked.result.text
    assert asked.result.places == () or "Nothing is called" in asked.result.text


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
    assert asked.of(EventKind.PLAN)[0].data["question"] == "values"
    assert "`PAYMENT_TIMEOUT = 20` (`webshop/settings.py:3`)" in asked.result.text
    assert asked.result.places[0].qualname == "PAYMENT_TIMEOUT"
    assert "seconds that the bank may take" in asked.result.places[0].why
    amount = ask("how long does a session live?", "webshop")
    assert amount.names()[0] == "SESSION_LIFETIME"
    settings = ask("which settings are there for payment, with their values?", "webshop")
    assert {"PAYMENT_TIMEOUT", "PAYMENT_CURRENCY"} <= set(settings.names())
    assert "Nothing that is set" in ask("What is the default number of unicorns?", "webshop").result.text


def test_how_to_do_something_is_answered_with_the_documents(ask: Ask) -> None:
    asked = ask("How do I place an order from Python?", "webshop")
    assert asked.of(EventKind.PLAN)[0].data["question"] == "howto"
    assert asked.result.places[0].path == "README.md"
    assert 'under "Place an order from Python"' in asked.result.text
    assert "> Shop().order(" in asked.result.text


def test_tests_of_something_are_named_by_file(ask: Ask) -> None:
    for text in ("Which tests cover Shop.order?", "is Shop.order tested?", "where are the tests for Shop.order?"):
        asked = ask(text, "webshop")
        assert asked.of(EventKind.PLAN)[0].data["question"] == "tests"
        assert asked.names()[0] == "tests/test_shop.py"
        assert "`test_order`" in asked.result.places[0].why
    assert "No indexed test" in ask("which tests cover serialize_invoice?", "letters").result.text


def test_what_raises_something(ask: Ask) -> None:
    asked = ask("what raises PaymentError?", "webshop")
    assert {"Shop.pay", "Shop.charge"} <= set(asked.names())


def test_an_answer_names_five_places_and_its_reasons_are_sentences(ask: Ask) -> None:
    for text in ("Where is a failed payment retried?", "Who calls Shop.order?", "How does a request reach a view?"):
        places = ask(text, "webshop").result.places
        assert 0 < len(places) <= 5
        for place in places:
            for reason in place.reasons:
                assert reason[0].isupper() or reason[0] == "`", reason
                assert reason.endswith("."), reason


def test_what_lies_between_leaves_the_ends_behind(ask: Ask) -> None:
    asked = ask("How does `Server.serve` reach `find_view`?", "webshop")
    assert "Handler.handle" in asked.names()[:3]
    assert any(event.data["tool"] == "between" for event in asked.of(EventKind.TOOL_CALLED))
