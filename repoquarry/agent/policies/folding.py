"""Long conversations are folded before the model's context is full: what was done stays as a list, what it brought can be recalled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from repoquarry.agent.decisions import Folded

_LINE: Final = 200
_LINES: Final = 150
_HEAD: Final = "Your steps so far, folded to save room. `recall` finds in what they brought:"


def folded_message(folded: Sequence[Folded]) -> str:
    """What stands in the conversation in place of the calls."""
    lines = [f"- {_shown(item)}" for item in folded[-_LINES:]]
    if len(folded) > _LINES:
        lines.insert(0, f"- … {len(folded) - _LINES} earlier calls")
    return "\n".join([_HEAD, *lines])


def _shown(item: Folded) -> str:
    arguments = ", ".join(f"{name}={value!r}" for name, value in item.call.arguments.items())
    first = next((line for line in item.text.splitlines() if line.strip()), "(nothing)")
    return f"{f'{item.call.tool}({arguments})'[:_LINE]} -> {first[:_LINE]}"


def foldable(kinds: Sequence[str], sizes: Sequence[int], first: int, limit: int) -> int:
    """Where the part begins that stays: at a message of the model, so that no answer to a call loses its call.

    `kinds` and `sizes` (tokens) are those of the messages; those before `first` stay as well. The part that stays has at most
    half of `limit` tokens where the newest exchange allows it. Returns `first` when nothing can be folded.
    """
    starts = [number for number, kind in enumerate(kinds) if kind == "ai" and number > first]
    room = limit // 2 - sum(sizes[:first])
    for start in starts:
        if sum(sizes[start:]) <= room:
            return start
    return starts[-1] if starts else first
