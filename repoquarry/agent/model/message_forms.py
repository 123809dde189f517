"""Stricter forms of a conversation, for servers that refuse the usual one: ids of calls, and notes behind results of tools.

Mistral's models and their templates take only ids of nine letters and digits, and no message of the user behind a result.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

_REFUSED: Final = re.compile(
    r"tool.?call.?id.{0,80}length of 9|unexpected role '?user'? after role '?tool'?|roles? must alternate",
    re.IGNORECASE,
)
_ID_LETTERS: Final = 9


def is_form_refused(text: str) -> bool:
    """Return whether a server refuses the form of the messages, so that the strict form may be taken."""
    return _REFUSED.search(text) is not None


def build_strict_form(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return the messages with short ids of calls; notes of the service behind a result of a tool become its last paragraph."""
    ids: dict[str, str] = {}
    strict: list[BaseMessage] = []
    for message in messages:
        if isinstance(message, AIMessage) and message.tool_calls:
            calls = [{**call, "id": _shorten(call["id"] or "", ids)} for call in message.tool_calls]
            strict.append(message.model_copy(update={"tool_calls": calls}))
        elif isinstance(message, ToolMessage):
            strict.append(message.model_copy(update={"tool_call_id": _shorten(message.tool_call_id, ids)}))
        elif isinstance(message, HumanMessage) and strict and isinstance(strict[-1], ToolMessage):
            strict[-1] = strict[-1].model_copy(update={"content": f"{strict[-1].text}\n\n{message.text}"})
        else:
            strict.append(message)
    return strict


def _shorten(id_: str, ids: dict[str, str]) -> str:
    return ids.setdefault(id_, f"c{len(ids):0{_ID_LETTERS - 1}d}")
