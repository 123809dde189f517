"""Context window of a chat model: finds its size, counts tokens, folds older steps into a list, and truncates tool output."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from urllib.parse import urljoin

import httpx
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from repoquarry.agent.decisions import Folded, ToolCall
from repoquarry.agent.settings import ModelSettings
from repoquarry.graphstore import token_counting

_log = logging.getLogger(__name__)
_REPORT_SECONDS: Final = 5.0
_REPORT_NAMES: Final = frozenset(("max_model_len", "context_length", "context_window", "max_context_length", "n_ctx"))
"""Names under which vLLM, llama.cpp, OpenRouter, Groq and LM Studio report the context."""
OPENING: Final = 2
"""Messages that stay as they are: instructions and task."""
_MESSAGE_TOKENS: Final = 6
_LINE: Final = 160
_LINES: Final = 60
_SHORT_TOKENS: Final = 100
_SMALL_CONTEXT: Final = 16_000
_OPENED: Final = "opened_by_service"
_EVIDENCE: Final = "Evidence for this task, from `explore`:"
_HEAD: Final = "Earlier steps, folded to save tokens. `recall` finds text in their output:"


@dataclass(frozen=True)
class ContextWindow:
    """Tokens of one request. `limit` is the model's context, 0 for no limit; `ratio` its tokens per token that is counted here."""

    limit: int
    schemas: Sequence[dict[str, Any]]
    """Declared tools."""

    output_tokens: int
    ratio: float = 1.0

    @cached_property
    def schema_tokens(self) -> int:
        return count_schemas(self.schemas)

    @staticmethod
    def count(messages: Sequence[BaseMessage]) -> int:
        """Count the tokens of messages."""
        return sum(map(count_message, messages))

    @property
    def max_output(self) -> int:
        """Tokens that the reply may have, at most a quarter of the context."""
        return min(self.output_tokens or self.limit // 4, self.limit // 4) if self.limit else self.output_tokens

    @property
    def room(self) -> int:
        """Tokens for messages; 0 for no limit."""
        if not self.limit:
            return 0
        return max(int((self.limit - self.max_output) / self.ratio) - self.schema_tokens, _SHORT_TOKENS)

    @property
    def max_view(self) -> int:
        """Tokens of all results of one step, a quarter of the context; 0 for no limit."""
        return int(self.limit / self.ratio) // 4 if self.limit else 0


def mark_opening(call: ToolCall) -> AIMessage:
    """Return the message of a call that the service makes before the model's first turn."""
    made = {"id": call.id, "name": call.tool, "args": dict(call.arguments)}
    return AIMessage("", tool_calls=[made], additional_kwargs={_OPENED: True})


def join_opening(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return the messages of a request: results of calls that the service made are part of the task, not turns of the model."""
    joined: list[BaseMessage] = []
    opened: set[str] = set()
    for message in messages:
        if isinstance(message, AIMessage) and message.additional_kwargs.get(_OPENED):
            opened |= {call["id"] or "" for call in message.tool_calls}
        elif isinstance(message, ToolMessage) and message.tool_call_id in opened:
            task = joined.pop() if joined and isinstance(joined[-1], HumanMessage) else HumanMessage("")
            joined.append(HumanMessage(f"{task.text}\n\n{_EVIDENCE}\n{message.text}".lstrip()))
        else:
            joined.append(message)
    return joined


def is_small(limit: int) -> bool:
    """Return whether a context is too small for all tools and for the four blocks."""
    return 0 < limit < _SMALL_CONTEXT


def count_schemas(schemas: Sequence[Mapping[str, Any]]) -> int:
    """Tokens of the declared tools."""
    return token_counting.count_tokens(json.dumps(list(schemas), separators=(",", ":"))) if schemas else 0


def count_message(message: BaseMessage) -> int:
    """Tokens of a message with the calls in it."""
    calls = getattr(message, "tool_calls", ())
    text = message.content if isinstance(message.content, str) else json.dumps(message.content, default=str)
    named = "".join(call["name"] + json.dumps(call["args"]) for call in calls)
    return _MESSAGE_TOKENS + token_counting.count_tokens(text + named)


def fold(messages: Sequence[BaseMessage], room: int, notes: str) -> tuple[list[BaseMessage], list[Folded]]:
    """Fold older steps to a list until half of `room` is free, and shorten what is still too long.

    Large steps change the prefix seldom, so that providers find it in their caches. Returns the messages and what was folded.
    """
    sizes = [count_message(message) for message in messages]
    if not room or sum(sizes) <= room:
        return list(messages), []
    end = _find_fold(messages, sizes, room)
    folded = _folded(messages[OPENING:end])
    humans = [str(message.content) for message in messages[OPENING:end] if message.type == "human"]
    summaries = [text for text in humans if text.startswith(_HEAD)]
    lines = [line for text in summaries for line in text.splitlines() if line.startswith("- ")]
    lines += [f"- {_format_folded(item)}" for item in folded]
    kept = [*messages[:OPENING], *messages[end:]]
    if lines:
        skipped = [f"- … {len(lines) - _LINES} earlier calls"] if len(lines) > _LINES else []
        told = [f"Your notes:\n{notes}\n"] if notes else []
        summary = "\n".join([_HEAD, *told, *skipped, *lines[-_LINES:]])
        kept[OPENING:OPENING] = [HumanMessage(token_counting.truncate_end(summary, room // 4))]
    return _shorten(kept, room), folded


def drop_blocks(message: BaseMessage) -> SystemMessage:
    """Remove the four blocks of repositories from the opening."""
    return SystemMessage(
        re.sub(r"<repository .*?</repository>\n*", "", str(message.content), flags=re.DOTALL), id=message.id
    )


def _find_fold(messages: Sequence[BaseMessage], sizes: Sequence[int], room: int) -> int:
    """Find the message of the model at which the part begins that stays."""
    starts = [number for number, message in enumerate(messages) if message.type == "ai" and number > OPENING]
    for start in starts:
        if sum(sizes[start:]) <= room // 2 - sum(sizes[:OPENING]):
            return start
    return starts[-1] if starts else OPENING


def _folded(messages: Sequence[BaseMessage]) -> list[Folded]:
    called = {
        call["id"]: ToolCall(call["id"] or "", call["name"], call["args"])
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    }
    return [
        Folded(called[message.tool_call_id], str(message.content))
        for message in messages
        if isinstance(message, ToolMessage) and message.tool_call_id in called
    ]


def _format_folded(item: Folded) -> str:
    arguments = ", ".join(f"{name}={value!r}" for name, value in item.call.arguments.items())
    first = next((line for line in item.text.splitlines() if line.strip()), "(nothing)")
    return f"{f'{item.call.tool}({arguments})'[:_LINE]} -> {first[:_LINE]}"


def _shorten(messages: Sequence[BaseMessage], room: int) -> list[BaseMessage]:
    """Shorten tool output, the oldest first, then arguments of calls; the newest output keeps a quarter of the tokens."""
    kept = list(messages)
    over = sum(map(count_message, kept)) - room
    newest = max((number for number, message in enumerate(kept) if message.type == "ai"), default=0)
    outputs = sum(message.type == "tool" for message in kept[newest:]) or 1
    for number, message in enumerate(kept):
        if over <= 0:
            break
        limit = max(_SHORT_TOKENS, room // 4 // outputs) if number > newest else _SHORT_TOKENS
        short = _shorten_arguments(message) if message.type == "ai" else message
        if message.type == "tool" and count_message(message) > limit + _MESSAGE_TOKENS:
            head = token_counting.truncate_end(str(message.content), limit - 20)
            short = message.model_copy(update={"content": f"{head}\n[the rest was omitted to save tokens]"})
        over -= count_message(message) - count_message(short)
        kept[number] = short
    return kept


def _shorten_arguments(message: BaseMessage) -> BaseMessage:
    """Cut long strings in the calls of an older message, such as the text of a written file."""
    calls = [
        {
            **call,
            "args": {
                name: token_counting.truncate_end(value, _SHORT_TOKENS) + " […]"
                if isinstance(value, str) and len(value) > 8 * _SHORT_TOKENS
                else value
                for name, value in call["args"].items()
            },
        }
        for call in getattr(message, "tool_calls", ())
    ]
    return message.model_copy(update={"tool_calls": calls}) if calls else message


def find_reported_context(settings: ModelSettings) -> int:
    """Ask the server of `base_url` for the context of its model, without failing; 0 if the server does not report any."""
    address = settings.options.get("base_url")
    if not isinstance(address, str):
        return 0
    key = settings.options.get("api_key")
    headers = {"Authorization": f"Bearer {key}"} if isinstance(key, str) else {}
    model = settings.name.partition(":")[2]
    base = address.rstrip("/") + "/"
    found: list[int] = []
    with httpx.Client(headers=headers, timeout=_REPORT_SECONDS) as client:
        for url in (urljoin(base, "models"), urljoin(base, "../props")):  # The second is llama.cpp's own.
            try:
                answer = client.get(url)
                found += _find_limits(answer.json(), model) if answer.is_success else ()
            except (httpx.HTTPError, ValueError) as error:
                _log.debug("context_unreported error=%s", type(error).__name__)
    return min(found, default=0)


def _find_limits(value: Any, model: str) -> Iterator[int]:
    """Find named limits anywhere in a report; in a list of models only those of ours."""
    if isinstance(value, list):
        ours = [item for item in value if isinstance(item, dict) and item.get("id") == model]
        for item in ours or value[:1] if len(value) == 1 else ours:
            yield from _find_limits(item, model)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name in _REPORT_NAMES and isinstance(item, int) and not isinstance(item, bool) and item > 0:
                yield item
            else:
                yield from _find_limits(item, model)
