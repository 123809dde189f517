"""The strict form of a conversation, and the limits that refusals name."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from repoquarry.agent.model.message_forms import build_strict_form, is_form_refused
from repoquarry.agent.model.provider_errors import find_overflow


def test_ids_are_short_and_notes_belong_to_the_result_before_them() -> None:
    call = {"name": "view", "args": {}, "id": "call-12"}
    messages = [
        HumanMessage("Where?"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("found", tool_call_id="call-12"),
        HumanMessage("one call is left"),
    ]
    task, turn, result = build_strict_form(messages)
    assert task.text == "Where?"
    assert isinstance(turn, AIMessage)
    assert isinstance(result, ToolMessage)
    assert turn.tool_calls[0]["id"] == result.tool_call_id == "c00000000"
    assert result.text == "found\n\none call is left"
    assert messages[2].text == "found"


@pytest.mark.parametrize(
    ("text", "is_refused"),
    [
        ("Tool call id was call-1 but must be a-z, A-Z, 0-9, with a length of 9.", True),
        ("Unexpected role 'user' after role 'tool'", True),
        ("conversation roles must alternate user and assistant roles", True),
        ("Unexpected role 'tool' after role 'user'", False),
        ("no such model", False),
    ],
)
def test_form_is_refused(text: str, is_refused: bool) -> None:
    assert is_form_refused(text) is is_refused


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load", 4096),
        ("exceed context limit: 179413 + 32768 > 200000, decrease input length", 200000),
        ("prompt is too long: 202609 tokens > 200000 maximum", 200000),
        ("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens.", 272000),
        ("This model's maximum context length is 8192 tokens. However, you requested 254457 tokens", 8192),
        ("request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it", 8192),
        ("input exceeds context length", 0),
        ("too large for model with 32768 maximum context length", 32768),
    ],
)
def test_limit_is_not_the_size_of_the_request(text: str, limit: int) -> None:
    assert find_overflow(ValueError(text), text) == limit
