"""Asks a chat model, whichever provider serves it: retries, cancellation, token counts and errors in one place.

The only file that knows langchain; imported when a task asks for a chat model and not before. Answers are taken whole: piecewise
ones are put together by each provider's package in its own way, and some of them mend a call that was cut off in the middle.
"""

from __future__ import annotations

import json
import logging
import queue
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx  # noqa: F401  # openai takes it from sys.modules, where another thread's import may not be complete
from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    messages_from_dict,
    messages_to_dict,
)

from repoquarry.agent.decisions import ToolCall
from repoquarry.agent.errors import ModelRejectedError, ModelUnavailableError
from repoquarry.agent.events import EventKind
from repoquarry.agent.loading import LOADING
from repoquarry.agent.policies.base import Emit
from repoquarry.agent.policies.prices import cost_of
from repoquarry.agent.settings import ModelSettings
from repoquarry.agent.task import TokenUsage
from repoquarry.execution.errors import ExecutionError, TaskCancelledError
from repoquarry.graphstore import token_counting

_log = logging.getLogger(__name__)
_RETRIED = frozenset({408, 409, 425, 429, *range(500, 600)})
_KEYS = re.compile(r"\b(?:sk|pk|key|api)-[\w*.-]{4,}", re.IGNORECASE)
_SECRET_OPTION = re.compile(r"key|token|secret|password|header", re.IGNORECASE)
_WAIT_STEP_SECONDS = 0.05

Message = BaseMessage


@dataclass(frozen=True)
class Reply:
    """What the model said. `message` goes back into the conversation as it is."""

    message: Message
    text: str
    calls: tuple[ToolCall, ...]
    refusal: str
    usage: TokenUsage


class ChatModel:
    """One configured model for one task."""

    def __init__(
        self,
        settings: ModelSettings,
        tools: Sequence[dict[str, Any]],
        emit: Emit,
        cancelled: Callable[[], bool],
        seconds_left: Callable[[], float | None],
    ) -> None:
        self._settings = settings
        self._schemas = list(tools)
        self._emit = emit
        self._cancelled = cancelled
        self._seconds_left = seconds_left
        self._model = open_model(settings)

    def ask(self, conversation: Sequence[Message], *, with_tools: bool = True) -> Reply:
        """The model's next message.

        Raises: ModelUnavailableError after the last attempt; ModelRejectedError; TaskCancelledError.
        """
        wait = self._settings.retry_seconds
        attempts = max(1, self._settings.attempts)
        for attempt in range(1, attempts + 1):
            started = time.monotonic()
            try:
                message = self._request(conversation, with_tools=with_tools)
            except ExecutionError:
                raise
            except Exception as error:  # every provider has its own exceptions; all are translated here
                problem = self._without_secrets(f"{type(error).__name__}: {error}")
                if not _worth_retrying(error):
                    raise ModelRejectedError(f"{self._settings.name} rejects the request: {problem}") from error
                if attempt == attempts:
                    raise ModelUnavailableError(
                        f"{self._settings.name} failed {attempts} times, last with {problem}"
                    ) from error
                _log.info("model_retried attempt=%d kind=%s", attempt, type(error).__name__)
                data = {"model": self._settings.name, "attempt": attempt, "error": problem, "wait_seconds": wait}
                self._emit(EventKind.MODEL_RETRIED, data)
                self._sleep(wait)
                wait *= 2
            else:
                return self._read(message, conversation, time.monotonic() - started, attempt)
        raise AssertionError("the last attempt returns or raises")

    def _request(self, conversation: Sequence[Message], *, with_tools: bool) -> AIMessage:
        """Send one request from a thread of its own, so that cancelling does not wait for the provider.

        A request that is given up ends by itself at its timeout; nobody reads its answer.
        """
        asked = self._model.bind_tools(self._schemas) if with_tools and self._schemas else self._model
        answers: queue.SimpleQueue[BaseMessage | Exception] = queue.SimpleQueue()

        def send() -> None:
            try:
                answers.put(asked.invoke(list(conversation)))
            except Exception as error:  # handed to the waiting thread, which tells the kinds apart
                answers.put(error)

        threading.Thread(target=send, name="chat-request", daemon=True).start()
        while True:
            self._check()
            try:
                answer = answers.get(timeout=_WAIT_STEP_SECONDS)
            except queue.Empty:
                continue
            if isinstance(answer, Exception):
                raise answer
            if not isinstance(answer, AIMessage):
                raise ModelRejectedError(f"{self._settings.name} answered with a {answer.type} message")
            return answer

    def _check(self) -> None:
        if self._cancelled():
            raise TaskCancelledError("the task was cancelled")
        left = self._seconds_left()
        if left is not None and left <= 0:
            raise ModelUnavailableError(f"{self._settings.name} was still answering when the task's time was used up")

    def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._check()
            time.sleep(_WAIT_STEP_SECONDS)

    def _read(self, message: AIMessage, asked: Sequence[Message], seconds: float, attempt: int) -> Reply:
        reported = message.usage_metadata
        if reported:
            usage = TokenUsage(input=reported["input_tokens"], output=reported["output_tokens"])
        else:
            usage = TokenUsage(input=self._count(asked), output=token_counting.count_tokens(_written(message)))
        cost = cost_of(self._settings.prices, self._settings.name, usage.input, usage.output)
        usage += TokenUsage(cost=cost or 0.0, unpriced=int(cost is None))
        self._emit(
            EventKind.MODEL_CALLED,
            {
                "model": self._settings.name,
                "input_tokens": usage.input,
                "output_tokens": usage.output,
                "estimated": not reported,
                "cost": cost,
                "seconds": round(seconds, 3),
                "attempt": attempt,
            },
        )
        refusal = message.additional_kwargs.get("refusal") or ""
        return Reply(message, _text(message), _calls(message), str(refusal), usage)

    def _count(self, conversation: Sequence[Message]) -> int:
        return token_counting.count_tokens(json.dumps(self._schemas)) + sum(
            token_counting.count_tokens(_text(one)) for one in conversation
        )

    def _without_secrets(self, text: str) -> str:
        for name, value in self._settings.options.items():
            if _SECRET_OPTION.search(name) and isinstance(value, str) and value:
                text = text.replace(value, "[secret]")
        return _KEYS.sub("[secret]", text)


def system(text: str) -> Message:
    """What the model is told before the task."""
    return SystemMessage(text)


def human(text: str) -> Message:
    """What a person, or the agent in a person's place, says."""
    return HumanMessage(text)


def tool_returned(call: str, text: str, *, failed: bool) -> Message:
    """What a call of the model's brought."""
    return ToolMessage(text, tool_call_id=call, status="error" if failed else "success")


def open_model(settings: ModelSettings) -> BaseChatModel:
    """The configured model, which is not asked anything yet. Raises: ModelRejectedError."""
    if not settings.name:
        raise ModelRejectedError(
            "no chat model is configured; set the model's name, or ask for the policy 'deterministic'"
        )
    options: dict[str, Any] = {"max_retries": 0, **settings.options}
    if settings.timeout_seconds:
        options.setdefault("timeout", settings.timeout_seconds)
    try:
        with LOADING:
            model: BaseChatModel = init_chat_model(settings.name, **options)
    except Exception as error:  # a missing package, an unknown provider, a missing key: each its own exception
        raise ModelRejectedError(f"the chat model {settings.name!r} cannot be opened: {error}") from error
    return model


def to_plain(conversation: Sequence[Message]) -> list[dict[str, Any]]:
    """A conversation as plain JSON."""
    return messages_to_dict(list(conversation))


def from_plain(stored: list[dict[str, Any]]) -> list[Message]:
    """The conversation that `to_plain` gave."""
    return messages_from_dict(stored)


def _worth_retrying(error: Exception) -> bool:
    """Whether the same request may succeed later: what a status code says, else what the transport reports."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return status in _RETRIED
    kinds = {kind.__name__.lower() for kind in type(error).__mro__}
    return any(
        word in kind for kind in kinds for word in ("timeout", "connection", "protocol", "transport", "apierror")
    )


def _text(message: Message) -> str:
    """The text of a message; content may come in blocks, of which only text is read."""
    content = message.content
    if isinstance(content, str):
        return content
    parts = [block if isinstance(block, str) else str(block.get("text", "")) for block in content]
    return "".join(parts)


def _written(message: AIMessage) -> str:
    return _text(message) + "".join(json.dumps(call["args"]) + call["name"] for call in message.tool_calls)


def _calls(message: AIMessage) -> tuple[ToolCall, ...]:
    """The calls that a message asks for, malformed ones with their problem."""
    made = [ToolCall(call["id"] or "", call["name"], call["args"]) for call in message.tool_calls]
    for bad in message.invalid_tool_calls:
        problem = f"the arguments are no JSON object: {(bad['args'] or '')[:200]}"
        made.append(ToolCall(bad["id"] or "", bad["name"] or "", {}, problem=problem))
    return tuple(made)
