"""What providers and gateways do with the protocol of chat completions, against a scripted server on the loopback interface."""

from __future__ import annotations

import warnings
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from repoquarry.agent.task import TaskState
from repoquarry.agent.tools.base import TOOLS, load_tool
from tests.integration.agent.conftest import Ask
from tests.integration.agent.test_chat import finish, look, model
from tests.integration.agent.test_model_edge import QUESTION, run, told
from tests.scripted_chat import Reply, scripted_chat

REASONING = "The shop retries in pay."
SIGNATURE = {"google": {"thought_signature": "c2lnbmF0dXJl"}}


def of_assistant(request: dict[str, Any]) -> list[dict[str, Any]]:
    return [message for message in request["messages"] if message["role"] == "assistant"]


def test_unknown_fields_of_messages_and_calls_are_sent_back_unchanged(ask: Ask) -> None:
    replies = [
        Reply(calls=[("view", {"target": "Shop.pay"})], extra={"reasoning_content": REASONING, "details": [{"a": 1}]}),
        Reply(
            calls=[("view", {"target": "Shop"}), ("search", {"text": "pay"})], call_extra={"extra_content": SIGNATURE}
        ),
        finish(),
    ]
    with scripted_chat(*replies) as chat:
        asked = run(ask, chat)
    assert asked.result.state is TaskState.ANSWERED
    first, second = of_assistant(chat.requests[2])
    assert first["reasoning_content"] == REASONING
    assert first["details"] == [{"a": 1}]
    assert "reasoning_content" not in second
    assert [call["extra_content"] for call in second["tool_calls"]] == [SIGNATURE] * 2


def test_first_request_has_no_turn_that_the_model_did_not_make(ask: Ask) -> None:
    with scripted_chat(look(), finish()) as chat:
        ask(QUESTION, "webshop", policy="chat", settings=model(chat))
    roles = [message["role"] for message in chat.requests[0]["messages"]]
    assert roles == ["system", "user"]
    evidence = chat.requests[0]["messages"][1]["content"]
    assert evidence.startswith(QUESTION)
    assert "webshop/shop.py" in evidence


def test_object_arguments_are_accepted(ask: Ask) -> None:
    with (
        scripted_chat(Reply(calls=[("view", {"target": "Shop.pay"})], as_objects=True), finish()) as chat,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error", UserWarning)
        asked = run(ask, chat)
    assert asked.result.state is TaskState.ANSWERED
    assert "def pay" in told(chat, 1)


ERROR_BODIES: dict[str, Any] = {
    "text": {"error": "the context length of only 1800 tokens is too small"},
    "detail": {"detail": "prompt is too long: context length 1800"},
    "list": [
        {"error": {"message": "The input exceeds the maximum number of tokens: maximum 1800", "status": "INVALID"}}
    ],
    "list of details": {"detail": [{"loc": ["body"], "msg": "too many tokens: context size 1800"}]},
    "message": {"object": "error", "message": "maximum context length is 1800 tokens"},
}


@pytest.mark.parametrize("in_stream", [False, True], ids=["status", "stream"])
@pytest.mark.parametrize("body", ERROR_BODIES.values(), ids=list(ERROR_BODIES))
def test_overflow_in_any_form_folds_the_conversation(ask: Ask, body: Any, in_stream: bool) -> None:
    if (in_stream and not isinstance(body, dict)) or (in_stream and "error" not in body):
        pytest.skip("the client reads errors of streams below this key only")
    refusal = Reply(status=400, error_body=body, in_stream=in_stream)
    with scripted_chat(look(), refusal, finish()) as chat:
        asked = run(ask, chat)
    assert asked.result.state is TaskState.ANSWERED, asked.result.text
    assert len(chat.requests) == 3


@pytest.mark.parametrize(
    "body", [{"error": "no such model"}, {"detail": "no such model"}, [{"error": {"message": "no such model"}}]]
)
def test_reason_of_a_refusal_is_shown_in_any_form(ask: Ask, body: Any) -> None:
    with scripted_chat(Reply(status=404, error_body=body)) as chat:
        asked = run(ask, chat)
    assert "no such model" in asked.result.error


def test_malformed_arguments_are_answered_with_the_reason_each_time(ask: Ask) -> None:
    replies = [Reply(calls=[("search", given)]) for given in ('"{\\"text\\": 1}"', "null", "[]")]
    with scripted_chat(*replies, look(), finish()) as chat:
        asked = run(ask, chat)
    assert asked.result.state is TaskState.ANSWERED
    for request in (1, 2, 3):
        assert "one JSON object with the arguments of search" in told(chat, request)
        assert "you have this already" not in told(chat, request)


def test_repeated_failure_is_not_called_a_result(ask: Ask) -> None:
    call = Reply(calls=[("view", {"target": "nothing_of_this_name"})])
    with scripted_chat(call, call, call, look(), finish()) as chat:
        run(ask, chat)
    assert "it failed already" in told(chat, 3)


@pytest.mark.parametrize("option", ["stream_options", "max_completion_tokens"])
def test_option_that_a_gateway_rejects_is_left_out(ask: Ask, option: str) -> None:
    refusal = Reply(status=400, error=f"Unrecognized request argument supplied: {option}")
    with scripted_chat(refusal, look(), finish()) as chat:
        asked = run(ask, chat)
    assert asked.result.state is TaskState.ANSWERED
    assert option in chat.requests[0]
    assert not any(option in request for request in chat.requests[1:])


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_requested_wait_of_a_provider_is_respected(ask: Ask, form: str) -> None:
    at = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    limited = Reply(status=429, error="slow down", retry_after="1" if form == "seconds" else at)
    with scripted_chat(limited, look(), finish()) as chat:
        asked = run(ask, chat)
    assert asked.result.state is TaskState.ANSWERED
    waits = [float(str(event.data["wait_seconds"])) for event in asked.events if "wait_seconds" in event.data]
    assert 0 < waits[0] <= 2


def test_reply_that_states_nothing_is_no_answer(ask: Ask) -> None:
    with scripted_chat(*[Reply(text="I will search for it now.")] * 6) as chat:
        asked = run(ask, chat)
    assert "I will search" not in asked.result.text
    assert asked.result.text.startswith("Answered without the model") or asked.result.state is TaskState.NO_ANSWER


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_every_parameter_of_a_tool_has_a_type(tool: str) -> None:
    def untyped(schema: dict[str, Any], path: str) -> list[str]:
        found = [] if {"type", "anyOf"} & schema.keys() else [path]
        for name, inner in schema.get("properties", {}).items():
            found += untyped(inner, f"{path}.{name}")
        if isinstance(schema.get("items"), dict):
            found += untyped(schema["items"], f"{path}[]")
        return found + [item for inner in schema.get("anyOf", ()) for item in untyped(inner, path)]

    assert untyped(load_tool(tool).schema(), tool) == []
