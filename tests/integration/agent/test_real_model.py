"""A real model on a real server of the OpenAI protocol, such as llama.cpp's: `REPOQUARRY_TEST_CHAT_URL=http://127.0.0.1:8080/v1`.

A small model solves nothing: the test asserts what the product does around it.
"""

from __future__ import annotations

import os
import time

import pytest

from repoquarry.agent.events import EventKind
from repoquarry.agent.settings import AgentSettings, ModelSettings
from repoquarry.agent.task import Budget, TaskState
from tests.integration.agent.conftest import Ask

_URL = os.environ.get("REPOQUARRY_TEST_CHAT_URL", "")
_MODEL = os.environ.get("REPOQUARRY_TEST_CHAT_MODEL", "smollm2")
pytestmark = pytest.mark.skipif(not _URL, reason="needs a chat model: REPOQUARRY_TEST_CHAT_URL")


def _settings(limit: int) -> AgentSettings:
    options = {"base_url": _URL, "api_key": "none"}
    return AgentSettings(model=ModelSettings(f"openai:{_MODEL}", options, context_tokens=limit, output_tokens=200))


@pytest.mark.parametrize("limit", [2_048, 8_192])
def test_a_real_server_accepts_the_requests_and_the_answer_is_grounded_or_marked(ask: Ask, limit: int) -> None:
    budget = Budget(steps=3, seconds=240.0)
    asked = ask("Where is a payment retried?", "webshop", policy="chat", settings=_settings(limit), budget=budget)
    assert asked.result.state in (TaskState.ANSWERED, TaskState.BUDGET_REACHED)
    assert "rejects" not in asked.result.fallback
    assert asked.of(EventKind.MODEL_CALLED) or asked.result.fallback
    marked = asked.result.text.startswith(("Not grounded", "Answered without the model", "Cut short"))
    assert marked or asked.result.places
    for event in asked.of(EventKind.MODEL_CALLED):
        assert int(str(event.data["input_tokens"])) + int(str(event.data["output_tokens"])) <= limit


def test_cancelling_does_not_wait_for_a_real_server(ask: Ask) -> None:
    started = time.monotonic()
    cancelled = lambda: time.monotonic() - started > 3.0  # noqa: E731
    asked = ask("Explain Shop.", "webshop", policy="chat", settings=_settings(8_192), cancelled=cancelled)
    assert asked.result.state is TaskState.CANCELLED
    assert time.monotonic() - started < 15.0
