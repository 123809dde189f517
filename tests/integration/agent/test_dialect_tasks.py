"""One task in each recorded dialect of a provider or gateway: parallel calls, a failing tool, an overflow, a 429 and a resume.

The stand-in refuses what `data/dialects.toml` says that the real one refuses, and what the protocol of chat completions forbids.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from repoquarry.agent.loop.run import Facilities, run_task
from repoquarry.agent.settings import AgentSettings, ModelSettings
from repoquarry.agent.task import Budget, EventKind, TaskEvent, TaskRequest, TaskState
from repoquarry.graphstore.store import Store
from repoquarry.ingest.sources.revision_trees import TreeCache
from tests.integration.agent.killing_checkpoints import KilledError
from tests.integration.agent.test_chat import finish
from tests.scripted_chat import Reply, ScriptedChat, scripted_chat

FILE = Path(__file__).parent / "data" / "dialects.toml"
DIALECTS: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["dialect"]
PAGE = Path(__file__).parents[3] / "docs" / "guides" / "chat-models.md"
QUESTION = "Where is a payment retried?"
LIMIT = 24_000


class Provider:
    """Stand-in of one provider: it answers a request by the next step of its script if the request keeps to its rules."""

    def __init__(self, dialect: dict[str, Any]) -> None:
        self.dialect = dialect
        self.refused: list[str] = []
        self.steps = iter(
            (
                self._error("limited", dialect.get("limited_status", 429)),
                self._calls(("view", {"target": "Shop.pay"}), ("search", {"text": "pay"})),
                self._calls(("view", {"target": "nothing_of_this_name"})),
                self._error("overflow", dialect.get("overflow_status", 400), in_stream=dialect.get("in_stream", False)),
                finish(),
            )
        )

    def answer(self, request: dict[str, Any]) -> Reply:
        for option in self.dialect.get("rejects", ()):
            if option in request:
                return self._refuse(option, self.dialect["rejection"].replace("OPTION", option))
        if problem := next(self._problems(request["messages"]), None):
            return self._refuse(*problem)
        return next(self.steps)

    def _problems(self, messages: list[dict[str, Any]]) -> Any:
        """Yield the rules that a conversation breaks, with the body of the refusal."""
        waiting: list[str] = []
        for before, message in zip([{"role": ""}, *messages], messages, strict=False):
            if message["role"] == "tool":
                if message["tool_call_id"] not in waiting:
                    yield "result without call", '{"error": {"message": "tool message without a call"}}'
                waiting.remove(message["tool_call_id"])
                continue
            if waiting:
                yield "call without result", '{"error": {"message": "a tool call has no result"}}'
            calls = message.get("tool_calls") or []
            waiting = [call["id"] for call in calls]
            if self.dialect.get("is_strict") and message["role"] == "user" and before["role"] == "tool":
                yield "order", _mistral("Unexpected role 'user' after role 'tool'", "3230")
            if self.dialect.get("is_strict") and (
                bad := [id_ for id_ in waiting if not re.fullmatch("[a-zA-Z0-9]{9}", id_)]
            ):
                yield (
                    "ids",
                    _mistral(f"Tool call id was {bad[0]} but must be a-z, A-Z, 0-9, with a length of 9.", "3280"),
                )
            needed = self.dialect.get("needs", "")
            if calls and needed and not (needed in message or all(needed in call for call in calls)):
                yield needed, self.dialect["missing"]

    def _refuse(self, rule: str, body: str) -> Reply:
        self.refused.append(rule)
        return Reply(status=self.dialect.get("rejection_status", 400), error_body=json.loads(body))

    def _error(self, kind: str, status: int, *, in_stream: bool = False) -> Reply:
        body = json.loads(self.dialect[kind].replace("LIMIT", str(LIMIT)))
        after = self.dialect.get("retry_after", "") if kind == "limited" else ""
        return Reply(status=status, error_body=body, in_stream=in_stream, retry_after=after)

    def _calls(self, *calls: tuple[str, dict[str, Any]]) -> Reply:
        return Reply(
            calls=calls,
            extra=self.dialect.get("message", {}),
            call_extra=self.dialect.get("call", {}),
            as_objects=self.dialect.get("sends_objects", False),
        )


def _mistral(message: str, code: str) -> str:
    return json.dumps(
        {"object": "error", "message": message, "type": "invalid_function_call", "param": None, "code": code}
    )


def settings(chat: ScriptedChat, dialect: dict[str, Any]) -> AgentSettings:
    options: dict[str, Any] = {"base_url": chat.base_url, "api_key": "none"}
    if dialect.get("model", "").startswith("azure"):
        options = {"azure_endpoint": chat.base_url, "api_key": "none", "api_version": "2024-10-21"}
    name = dialect.get("model", "openai:scripted")
    return AgentSettings(model=ModelSettings(name, options, retry_seconds=0.05, timeout_seconds=10, fallback=False))


@pytest.mark.parametrize("dialect", DIALECTS, ids=[one["name"] for one in DIALECTS])
def test_a_task_is_done_in_every_dialect(
    dialect: dict[str, Any], indexed: Store, trees: TreeCache, tmp_path: Path
) -> None:
    provider, events, kills = Provider(dialect), list[TaskEvent](), [True]

    def emit(event: TaskEvent) -> None:
        events.append(event)
        if event.kind is EventKind.TOOL_RETURNED and event.data["failed"] and kills:
            kills.pop()
            raise KilledError

    task = TaskRequest(QUESTION, ("webshop",), "chat", budget=Budget(steps=5))
    calls: dict[str, Any] = {"emit": emit, "cancelled": lambda: False, "approve": lambda asked: False}
    facilities = Facilities("one", trees=trees, checkpoints=tmp_path / "one.db")
    with scripted_chat(*[provider.answer] * 12) as chat:
        given = settings(chat, dialect)
        with pytest.raises(KilledError):
            run_task(task, indexed, given, facilities=facilities, **calls)
        result = run_task(task, indexed, given, facilities=facilities, **calls)
    assert result.state is TaskState.ANSWERED, result.error
    assert result.text == "It is retried in Shop.pay."
    kinds = [event.kind for event in events]
    assert EventKind.TASK_RESUMED in kinds
    assert EventKind.MODEL_RETRIED in kinds
    assert [event.data["tool"] for event in events if event.kind is EventKind.TOOL_CALLED][-3:].count("view") == 2
    allowed = [*dialect.get("rejects", ()), *(["ids", "order"] if dialect.get("is_strict") else [])]
    assert set(provider.refused) <= set(allowed), provider.refused
    assert max(map(provider.refused.count, provider.refused), default=0) <= 2  # once in each process
    assert set(dialect.get("rejects", ())) <= set(provider.refused)
    assert ("ids" in provider.refused) == dialect.get("is_strict", False)
    first_turns = [
        next((one for one in request["messages"] if one.get("tool_calls")), None) for request in chat.requests
    ]
    turn = next(one for one in first_turns if one)
    assert dialect.get("message", {}).items() <= turn.items()
    assert len(turn["tool_calls"]) == 2
    assert all(dialect.get("call", {}).items() <= call.items() for call in turn["tool_calls"])


def test_the_page_lists_every_dialect_with_its_sources() -> None:
    text = PAGE.read_text(encoding="utf-8")
    wanted = {
        "OpenAI",
        "Azure",
        "Anthropic",
        "Gemini",
        "DeepSeek",
        "Mistral",
        "Ollama",
        "llama.cpp",
        "vLLM",
        "LM Studio",
        "LiteLLM",
    }
    assert {one["name"] for one in DIALECTS} == wanted
    for one in DIALECTS:
        assert f"| {one['name']} |" in text
        assert len(one["sources"]) >= 2
