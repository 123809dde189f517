"""What a chat model is told and said: kept whole as long as it fits, folded and shortened when it has become long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from repoquarry.agent.decisions import Folded, ToolCall
from repoquarry.agent.policies.chat_model import Message, from_plain, human, to_plain, tool_returned
from repoquarry.agent.policies.folding import foldable, folded_message
from repoquarry.graphstore import token_counting

_FULL = 0.8
"""Share of the context from which the conversation is folded."""

_SHORT_TOKENS = 100
"""What stays of an old tool output when the conversation has to be shortened."""

_OPENING = 2
"""Messages that begin it and stay as they are: the instructions and the task."""


class Conversation:
    """The messages of one task. `folded` gets the calls that are taken out of it, so that they can be recalled."""

    def __init__(self, opening: Sequence[Message], folded: list[Folded], limit: int) -> None:
        self._messages = list(opening)
        self._folded = folded
        self._limit = limit
        """Tokens of the model's context; 0 for no limit."""

    @property
    def is_opening(self) -> bool:
        """Whether the model has said nothing yet."""
        return len(self._messages) == _OPENING

    def add(self, *messages: Message) -> None:
        self._messages += messages

    def remembered(self) -> Any:
        return to_plain(self._messages)

    def restore(self, memory: Any) -> None:
        self._messages = from_plain(memory)

    def close_calls(self, why: str) -> None:
        """Every call has to be answered, or the provider rejects the conversation: those that are waited for, and `finish`."""
        answered = {getattr(message, "tool_call_id", "") for message in self._messages}
        newest = next((message for message in reversed(self._messages) if message.type == "ai"), None)
        for call in getattr(newest, "tool_calls", ()):
            if call["id"] not in answered:
                self._messages.append(tool_returned(call["id"], why, failed=True))

    def fold(self) -> None:
        """Fold the older part of the conversation when it has become long; its text stays to be recalled."""
        sizes = [token_counting.count_tokens(str(message.content)) for message in self._messages]
        if not self._limit or sum(sizes) <= self._limit * _FULL:
            return
        end = foldable([message.type for message in self._messages], sizes, _OPENING, self._limit)
        asked = {
            call["id"]: ToolCall(call["id"], call["name"], call["args"])
            for message in self._messages[_OPENING:end]
            for call in getattr(message, "tool_calls", ())
        }
        folded = [
            Folded(asked[call], str(message.content))
            for message in self._messages[_OPENING:end]
            if (call := getattr(message, "tool_call_id", "")) in asked
        ]
        if not folded:
            return
        self._folded.extend(folded)
        self._messages[_OPENING:end] = [human(folded_message(self._folded))]

    def shortened(self) -> list[Message]:
        """The conversation within the model's context: the oldest tool outputs give way first."""
        sizes = [token_counting.count_tokens(str(message.content)) for message in self._messages]
        kept = list(self._messages)
        newest = max((number for number, message in enumerate(kept) if message.type == "ai"), default=0)
        over = sum(sizes) - self._limit if self._limit else 0
        for number, message in enumerate(kept):
            if over <= 0 or number > newest:  # what was just asked for is never cut
                break
            if message.type == "tool" and sizes[number] > _SHORT_TOKENS:
                head = token_counting.truncate_end(str(message.content), _SHORT_TOKENS)
                kept[number] = message.model_copy(update={"content": f"{head}\n[the rest was left out to save tokens]"})
                over -= sizes[number] - _SHORT_TOKENS
        return kept
