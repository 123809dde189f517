"""Puts the values that a task states into a command line: in place of a README's own values, and behind options that are called like them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.agent.working.usage import Option, Usage
from repoquarry.agent.working.values import Value, fitting

TEXT_WORDS: Final = ("message", "msg", "text", "string", "secret", "phrase", "watermark", "payload")
"""What arguments are called that take any text."""

_TYPES: Final = ("TEXT", "STRING", "STR", "INTEGER", "FLOAT", "BOOLEAN")
_JOINED: Final = re.compile(r"(--?\w[\w-]*)=(.+)", re.DOTALL)
_PAGES: Final = re.compile(r"\d[\d,-]*")


@dataclass(frozen=True)
class Filled:
    """Words of a command line, and how far they say what the task says."""

    words: tuple[str, ...]
    unmet: int
    """Values of the task that have no place, and texts that are still the example's own."""


@dataclass(frozen=True)
class _Place:
    number: int
    prefix: str
    """What of the word stands before the value."""
    names: tuple[str, ...]
    text: bool
    """Whether it takes any text, and so is no choice of the program's."""


def filled(words: Sequence[str], files: Collection[int], values: Sequence[Value], usage: Usage | None) -> Filled:
    """An example with the task's values in it; `files` are the numbers of the words that are paths."""
    found = list(words)
    places = [place for number in range(len(words)) if number not in files and (place := _place(words, number, usage))]
    left = list(values)
    for place in list(places):
        value = fitting(place.names, left)
        if value and (not value.is_pages or _PAGES.fullmatch(words[place.number][len(place.prefix) :])):
            found[place.number] = place.prefix + value.text
            places.remove(place)
            left.remove(value)
    open_texts = [place for place in places if place.text]
    strings = [value for value in left if not value.is_pages]
    if len(open_texts) == len(strings) == 1:
        found[open_texts[0].number] = open_texts[0].prefix + strings[0].text
        left.remove(strings[0])
        open_texts = []
    return Filled(tuple(found), len(left) + len(open_texts))


def _place(words: Sequence[str], number: int, usage: Usage | None) -> _Place | None:
    """The value that a word is or holds; None for options, and for words that are neither behind one nor a text."""
    word = words[number]
    before = words[number - 1] if number else ""
    if joined := _JOINED.fullmatch(word):
        names, prefix, value = _called(joined[1], usage), f"{joined[1]}=", joined[2]
    elif word.startswith("-"):
        return None
    else:
        names, prefix, value = _called(before, usage) if before.startswith("-") else (), "", word
    text = bool(re.search(r"\s", value)) or _takes_text(names)
    return _Place(number, prefix, names, text) if names or text else None


def _called(option: str, usage: Usage | None) -> tuple[str, ...]:
    """All that a program calls an option."""
    known = next((one for one in usage.options if option in one.names), None) if usage else None
    return _names_of(known) if known else (option,)


def _names_of(option: Option) -> tuple[str, ...]:
    """All that an option is called; what stands for a type in the help of click is no name."""
    return option.names if option.value in _TYPES else (*option.names, option.value)


def _takes_text(names: Sequence[str]) -> bool:
    return any(word in TEXT_WORDS for name in names for word in re.findall(r"[a-z]+", name.lower()))


def by_name(usage: Usage, values: Sequence[Value]) -> tuple[list[str], list[str], int]:
    """Options with the task's values: those of one value, those of many, which have to stand last, and how many values have none."""
    single: list[str] = []
    many: list[str] = []
    left = list(values)
    for option in usage.options:
        if not option.value or option.choices:
            continue
        names = _names_of(option)
        strings = [value for value in left if not value.is_pages]
        value = fitting(names, left) or (strings[0] if len(strings) == 1 and _takes_text(names) else None)
        if value is not None:
            (many if _takes_many(option) else single).extend((option.names[-1], value.text))
            left.remove(value)
    return single, many, len(left)


def _takes_many(option: Option) -> bool:
    return "..." in option.value
