"""Fields of assistant messages and tool calls that LangChain drops (reasoning, signatures): kept from replies, sent back unchanged.

Some providers refuse a conversation whose assistant messages lack what they wrote there. Replies of OpenAI-compatible servers are read
around LangChain's conversion; the packages of other providers keep their own fields.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk

_DELTAS: Final = "provider_deltas"
"""Key of the unknown fields of each chunk in a received message."""
_FIELDS: Final = "provider_fields"
"""Key of the joined fields in a message of the conversation."""
_MESSAGE: Final = frozenset(
    ("role", "content", "tool_calls", "function_call", "refusal", "audio", "annotations", "id", "name")
)
_CALL: Final = frozenset(("index", "id", "type", "function"))
_FUNCTION: Final = frozenset(("name", "arguments"))


def keep_provider_fields(model: BaseChatModel) -> BaseChatModel:
    """Let a model of LangChain's OpenAI package keep the fields that it does not know; other models are returned as they are."""
    base = sys.modules.get("langchain_openai.chat_models.base")
    if base is not None and isinstance(model, base.BaseChatOpenAI):
        # A server may send arguments as an object; they are made a string after this warning.
        warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)
        kind: type[BaseChatModel] = type(model)
        model.__class__ = _faithful(kind)
    return model


def join_fields(received: Mapping[str, Any], call_ids: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return the additional fields of a message for the conversation.

    `received` are those of the reply; `call_ids` pairs the ids of its calls with new ones, which replace them everywhere.
    """
    kept = {key: value for key, value in received.items() if key not in ("tool_calls", "function_call", _DELTAS)}
    joined: dict[str, Any] = {}
    for delta in received.get(_DELTAS) or ():
        joined = _join(joined, delta)
    if joined:
        kept[_FIELDS] = joined
    return cast("dict[str, Any]", _rename(kept, {old: new for old, new in call_ids if old}))


def _rename(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _rename(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_rename(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def _join(first: Any, second: Any) -> Any:
    """Join the values of two chunks: strings and lists are continued, tables joined; of others the last counts."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first | {key: _join(first[key], value) if key in first else value for key, value in second.items()}
    if isinstance(first, str) and isinstance(second, str):
        return first + second
    if isinstance(first, list) and isinstance(second, list):
        return first + second
    return second


@cache
def _faithful(kind: type[BaseChatModel]) -> type[BaseChatModel]:
    """Return a subclass of a class of LangChain's OpenAI package that keeps unknown fields."""

    def convert(self: Any, chunk: dict[str, Any], *arguments: Any) -> ChatGenerationChunk | None:
        deltas = [choice["delta"] for choice in chunk.get("choices") or () if isinstance(choice.get("delta"), dict)]
        for delta in deltas:
            _write_arguments(delta)
        converted = kind._convert_chunk_to_generation_chunk(self, chunk, *arguments)  # type: ignore[attr-defined]
        unknown = _unknown(deltas[0]) if deltas else {}
        if unknown and converted is not None and isinstance(converted.message, AIMessageChunk):
            converted.message.additional_kwargs[_DELTAS] = [unknown]
        return cast("ChatGenerationChunk | None", converted)

    def payload(self: Any, input_: Any, **arguments: Any) -> dict[str, Any]:
        built: dict[str, Any] = kind._get_request_payload(self, input_, **arguments)  # type: ignore[attr-defined]
        messages = self._convert_input(input_).to_messages()
        if len(rows := built.get("messages") or ()) == len(messages):
            for message, row in zip(messages, rows, strict=True):
                if isinstance(message, AIMessage) and (fields := message.additional_kwargs.get(_FIELDS)):
                    _add_fields(row, fields)
        return built

    methods = {"_convert_chunk_to_generation_chunk": convert, "_get_request_payload": payload, "__module__": __name__}
    return type(kind.__name__, (kind,), methods)


def _write_arguments(delta: dict[str, Any]) -> None:
    """Write the arguments of calls that are objects as the strings of the protocol."""
    for call in delta.get("tool_calls") or ():
        function = call.get("function")
        if isinstance(function, dict) and isinstance(function.get("arguments"), dict | list):
            function["arguments"] = json.dumps(function["arguments"])


def _unknown(delta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a chunk that LangChain does not know, those of calls by the position of the call."""
    found: dict[str, Any] = {}
    if fields := _others(delta, _MESSAGE):
        found["message"] = fields
    calls = dict(_unknown_of_calls(delta.get("tool_calls") or ()))
    return found | ({"calls": calls} if calls else {})


def _unknown_of_calls(calls: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, call in enumerate(calls):
        fields = _others(call, _CALL)
        if function := _others(call.get("function") or {}, _FUNCTION):
            fields["function"] = function
        if fields:
            yield str(call.get("index", number)), fields


def _others(value: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if key not in known and item is not None}


def _add_fields(row: dict[str, Any], fields: Mapping[str, Any]) -> None:
    row.update({key: value for key, value in fields.get("message", {}).items() if key not in row})
    calls = row.get("tool_calls") or []
    for position, extra in fields.get("calls", {}).items():
        if position.isdecimal() and int(position) < len(calls):
            function = calls[int(position)]["function"] | extra.get("function", {})
            calls[int(position)].update({**extra, "function": function})
