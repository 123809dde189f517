"""Commands that a README shows, each with the text around it that says what the command is for."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.languages.language import Launcher
from repoquarry.languages.registry import all_languages

_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_PROMPT: Final = re.compile(r"^\s*(?:[$%>]\s+)?")
_PROMPTED: Final = re.compile(r"^\s*[$%>]\s")
_HEADING: Final = re.compile(r"#{1,6} |([=\-~^\"'*+.])\1{2,}\s*$")
"""A heading of Markdown, or the line below one of reStructuredText."""

_DIRECTIVE: Final = re.compile(r"\s*(?:\.\. |::$)")
_BEFORE: Final = 8
_AFTER: Final = 30
"""Most lines of text in front of a command and behind it that count as being about it."""


@dataclass(frozen=True)
class Command:
    """One command of a README."""

    words: tuple[str, ...]
    about: str
    """The paragraph in front of it, the command itself, and what stands behind it up to the next command or heading."""


@cache
def launchings() -> tuple[Launcher, ...]:
    """How code of each language is started, of those that say so."""
    return tuple(one.launching for one in all_languages() if one.launching is not None)


def readme_commands(reader: CodeReader, repository: str) -> tuple[str, list[Command]]:
    """Path of the README, and the commands in its blocks of code, each once."""
    record = next((item for item in reader.repositories() if item.id == repository), None)
    if record is None or not record.readme:
        return "", []
    try:
        text = reader.text(repository, record.readme)
    except NotFoundError:
        return record.readme, []
    found: dict[tuple[str, ...], Command] = {}
    for command in commands_of(text):
        found.setdefault(command.words, command)
    return record.readme, list(found.values())


def commands_of(text: str) -> Iterator[Command]:
    """The commands in the blocks of code of a text."""
    lines = text.replace("\\\n", " ").split("\n")
    blocks = list(_blocks(lines))
    for place, block in enumerate(blocks):
        following = blocks[place + 1] if place + 1 < len(blocks) else None
        before, after = _before(lines, block), _after(lines, block, following)
        prompted = [number for number in block if _PROMPTED.match(lines[number])]
        numbers = prompted or list(block)  # beside prompts, what has none was printed
        for number, end in zip(numbers, [*numbers[1:], block.stop], strict=True):
            if words := _words(lines[number]):
                yield Command(words, "\n".join([*before, *lines[number:end], *after]))


def _words(line: str) -> tuple[str, ...]:
    """A command in words; empty where the line is none."""
    with contextlib.suppress(ValueError):  # no command: its quotes do not close
        words = shlex.split(_PROMPT.sub("", line, count=1), comments=True)
        called = next((one for one in launchings() if words and one.interpreter.fullmatch(words[0])), None)
        if called is not None and len(words) > 1:
            return (called.program, *words[1:])
        if called is None:
            return tuple(words)
    return ()


def _blocks(lines: Sequence[str]) -> Iterator[range]:
    """Numbers of the lines of fenced and indented blocks, and of lines behind a prompt; no blank ones at their ends."""
    fenced = False
    start: int | None = None
    for number, line in enumerate([*lines, ""]):
        marks = bool(_FENCE.match(line))
        fenced ^= marks
        code = not marks and bool(line.strip()) and (fenced or line.startswith(("    ", "\t", "$ ")))
        if code and start is None:
            start = number
        elif not code and start is not None and not (fenced and not marks):
            end = next(at for at in range(number, start, -1) if lines[at - 1].strip())
            yield range(start, end)
            start = None


def _before(lines: Sequence[str], block: range) -> list[str]:
    """The paragraph in front of a block of code."""
    end = block.start
    while end and _leads(lines[end - 1]):
        end -= 1
    start = end
    while start and end - start < _BEFORE and lines[start - 1].strip() and not _HEADING.match(lines[start - 1]):
        start -= 1
    return list(lines[start:end])


def _after(lines: Sequence[str], block: range, following: range | None) -> list[str]:
    """What stands behind a block up to the next heading, without the paragraph that leads to the next block."""
    limit = min(block.stop + _AFTER, len(lines))
    if following is not None and following.start < limit:
        limit = following.start
        while limit > block.stop and _leads(lines[limit - 1]):
            limit -= 1
        limit -= len(_before(lines, following))
    end = next((at for at in range(block.stop, limit) if _HEADING.match(lines[at])), limit)
    return list(lines[block.stop : end])


def _leads(line: str) -> bool:
    """Whether a line stands between a paragraph and the block of code that it leads to."""
    return not line.strip() or bool(_FENCE.match(line) or _DIRECTIVE.match(line))
