"""Parser of chat model replies: text, tool calls and stop reason without thinking, and a cleaned message for later requests."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

from langchain_core.messages import AIMessage

from repoquarry.agent.decisions import ToolCall
from repoquarry.agent.model.provider_fields import join_fields

FINISH: Final = "finish"
MAX_CALLS: Final = 16
"""Maximum number of calls of one message that are made."""
_THINKING: Final = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_CALL_MARKUP: Final = re.compile(r"</?(?:tool_calls?|function_call|tools)>|```(?:json|tool_call)?|<\|python_tag\|>")
_CUT: Final = frozenset({"length", "max_tokens", "MAX_TOKENS", "model_length"})
_FILTERED: Final = frozenset({"content_filter", "SAFETY", "refusal"})
_WHY_CHARACTERS: Final = 200
_MAX_NAME_CHARACTERS: Final = 200
_MAX_NUMBER: Final = 2**63
_MAX_ARGUMENT_CHARACTERS: Final = 200_000


@dataclass(frozen=True)
class Reply:
    """Reply of a model. `calls` are without `finish`."""

    text: str
    """Text without thinking and without calls."""

    calls: tuple[ToolCall, ...]
    finish: ToolCall | None
    refusal: str
    is_cut: bool
    """True if the reply ended at the limit on its tokens."""


def read_reply(message: AIMessage, tools: Collection[str], first: int) -> tuple[AIMessage, Reply]:
    """Read a reply, and return it as the conversation keeps it.

    Calls are numbered from `first`, because models repeat or omit ids. Malformed calls carry their problem.
    """
    text = str(message.text)
    found = [(call["name"], call["args"], "") for call in message.tool_calls]
    found += [
        (call["name"] or "", {}, f"the arguments are not a JSON object: {(call['args'] or '')[:200]!r}")
        for call in message.invalid_tool_calls
    ]
    said = strip_thinking(text)
    if not found:
        in_text = list(_calls_in_text(said, tools))
        found = [(name, arguments, "") for name, arguments, _ in in_text]
        for _, _, span in reversed(in_text):
            said = said[: span[0]] + said[span[1] :]
        said = _CALL_MARKUP.sub("", said).strip() if in_text else said
    is_cut = stop_reason(message) in _CUT or not stop_reason(message)  # a stream that broke off has no reason
    why = said[:_WHY_CHARACTERS]
    calls = [_call(f"call-{first + number}", *one, why, is_cut=is_cut) for number, one in enumerate(found)]
    refusal = str(message.additional_kwargs.get("refusal") or "")
    if stop_reason(message) in _FILTERED:
        refusal = refusal or said or "its provider filtered the reply"
    ended = next((call for call in calls if call.tool == FINISH), None)
    reply = Reply(said, tuple(call for call in calls if call.tool != FINISH), ended, refusal, is_cut)
    return _kept(message, text, calls), reply


def strip_thinking(text: str) -> str:
    """Remove what a model wrote as its thinking."""
    return _THINKING.sub("", text).strip()


def clean_message(message: AIMessage) -> AIMessage:
    """Replace what neither checkpoints nor requests can carry: lone surrogates, huge numbers, deep nesting."""
    if isinstance(message.content, str):
        message.content = clean(message.content)[:_MAX_ARGUMENT_CHARACTERS]
    else:
        message.content = _clean(message.content)
    message.tool_calls = [_clean_call(call) for call in message.tool_calls]
    message.invalid_tool_calls = [_clean_call(call) for call in message.invalid_tool_calls]
    message.additional_kwargs = _clean(message.additional_kwargs)
    return message


def _clean_call(call: Any) -> Any:
    return {**call, "name": clean(call["name"] or ""), "args": _clean(call["args"])}


def stop_reason(message: AIMessage) -> str:
    """Return why the model stopped, in the provider's words; empty if the provider does not say."""
    data = message.response_metadata
    return str(data.get("finish_reason") or data.get("stop_reason") or data.get("done_reason") or "")


def clean(text: str) -> str:
    """Replace lone surrogates, which neither files nor requests can carry."""
    return text.encode("utf-8", "replace").decode()


def _clean(value: Any, depth: int = 0) -> Any:
    """Clean decoded JSON: strings, nesting and numbers."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict) and depth < 32:
        return {clean(str(key)): _clean(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list) and depth < 32:
        return [_clean(item, depth + 1) for item in value]
    if isinstance(value, dict | list) or (isinstance(value, int | float) and not abs(value) < _MAX_NUMBER):
        return str(value)[:200]  # neither checkpoints nor requests can carry such numbers
    return value


def _call(id_: str, name: str, arguments: dict[str, Any], problem: str, why: str, *, is_cut: bool) -> ToolCall:
    if problem and is_cut:
        problem = "the call was cut at the limit on tokens of a reply; send it in smaller pieces"
    if len(str(arguments)) > _MAX_ARGUMENT_CHARACTERS:
        arguments, problem = {}, f"the arguments have more than {_MAX_ARGUMENT_CHARACTERS} characters; send less"
    if name == "more_tools" and isinstance(tool := arguments.get("tool"), str) and tool:
        name, arguments = tool, arguments.get("arguments", {})
        if not isinstance(arguments, dict):
            arguments, problem = {}, problem or "more_tools: `arguments` has to be an object"
    return ToolCall(id_, name[:_MAX_NAME_CHARACTERS], arguments, why, problem)


def _kept(message: AIMessage, text: str, calls: list[ToolCall]) -> AIMessage:
    """Return the message with valid calls under our ids."""
    content = message.content if isinstance(message.content, list) else text
    if isinstance(content, list):
        ids = iter(call.id for call in calls)
        content = [
            {**block, "id": next(ids, block.get("id"))}
            if isinstance(block, dict) and block.get("type") == "tool_use"
            else block
            for block in content
        ]
    received = [*(call["id"] for call in message.tool_calls), *(call["id"] for call in message.invalid_tool_calls)]
    extra = join_fields(
        message.additional_kwargs, [(old or "", call.id) for old, call in zip(received, calls, strict=False)]
    )
    made = [
        {"name": re.sub(r"[^\w-]", "_", call.tool)[:64] or "unknown", "args": dict(call.arguments), "id": call.id}
        for call in calls
    ]
    return AIMessage(content, tool_calls=made, additional_kwargs=extra, response_metadata={})


def _calls_in_text(text: str, tools: Collection[str]) -> Iterator[tuple[str, dict[str, Any], tuple[int, int]]]:
    """Find calls of known tools that are written as JSON objects in the text."""
    decoder, start = json.JSONDecoder(), text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        if (call := _written_call(value, tools)) is not None:
            yield *call, (start, end)
        start = text.find("{", end)


def _written_call(value: Any, tools: Collection[str]) -> tuple[str, dict[str, Any]] | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("function"), dict):
        value = value["function"]
    name = value.get("name") or value.get("tool")
    arguments = next((value[key] for key in ("arguments", "parameters", "args", "input") if key in value), None)
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return None
    if not isinstance(name, str) or name not in tools or not isinstance(arguments, dict):
        return None
    return name, _clean(arguments)
