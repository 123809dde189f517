"""Reads what a program says of its own arguments: the help that argparse, click, docopt and their kin print."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Final

from repoquarry.languages.registry import all_languages

_USAGE: Final = re.compile(r"^\s*usage:?", re.IGNORECASE)
_SECTION: Final = re.compile(r"^([A-Z][\w ]*|[a-z][\w ]*):\s*$")
_OPTION: Final = re.compile(r"^\s{1,12}(-\S.*?)(?:\s{2,}(\S.*))?$")
_NAME: Final = re.compile(r"(--?\w[\w-]*)(?:[ =](\S.*))?")
_ENTRY: Final = re.compile(r"^\s{2,8}([\w<\[{][^\s]*)(?:\s{2,}(\S.*))?$")
_CHOICES: Final = re.compile(r"\{([^}]+)\}|\[([^\]|]+\|[^\]]+)\]")
_BRACKETED_OPTION: Final = re.compile(r"\[-[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]|\(-[^()]*\)")
_BARE_OPTION: Final = re.compile(r"(?<!\S)--?\w[\w-]*(?:=\S+|\s+[A-Z<{][^\s\]]*)?")
_NO_FILES: Final = frozenset({"options", "option", "args", "command", "commands", "subcommand", "flags"})


@dataclass(frozen=True)
class Option:
    """An option; `value` is the placeholder of its value, empty for a switch."""

    names: tuple[str, ...]
    value: str = ""
    choices: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True)
class Positional:
    """An argument by position."""

    name: str
    many: bool = False
    about: str = ""


@dataclass(frozen=True)
class Usage:
    """What a program takes."""

    options: tuple[Option, ...] = ()
    positionals: tuple[Positional, ...] = ()
    subcommands: tuple[tuple[str, str], ...] = ()
    """Name, and what is said of it."""


def read_usage(text: str, command: Sequence[str]) -> Usage | None:
    """What the help of a command says; None where it is no help."""
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if _USAGE.match(line)), -1)
    if first < 0:
        return None
    end = next((n for n in range(first + 1, len(lines)) if not lines[n].strip()), len(lines))
    shown = " ".join([_USAGE.sub("", lines[first], count=1), *lines[first + 1 : end]])
    sections = _sections(lines[end:])
    subcommands = tuple(
        entry for name, entries in sections.items() if name.endswith("commands") for entry in entries
    ) or _choice_of_commands(shown, sections)
    names = {name for name, _ in subcommands}
    about = {name: said for entries in sections.values() for name, said in entries}
    positionals = () if subcommands else tuple(_positionals(shown, command, about))
    return Usage(_options(lines), tuple(one for one in positionals if one.name not in names), subcommands)


def _sections(lines: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Entries of each section of a help that are no options, by the section's title in small letters."""
    found: dict[str, list[tuple[str, str]]] = {}
    title = ""
    for line in lines:
        if match := _SECTION.match(line):
            title = match[1].lower()
        elif title and (entry := _ENTRY.match(line)) and not entry[1].startswith("{"):
            found.setdefault(title, []).append((entry[1], entry[2] or ""))
    return found


def _choice_of_commands(shown: str, sections: dict[str, list[tuple[str, str]]]) -> tuple[tuple[str, str], ...]:
    """Subcommands as argparse shows them: `{a,b} ...`."""
    match = re.search(r"\{([\w,-]+)\}\s*\.\.\.", shown)
    if match is None:
        return ()
    about = {name: said for entries in sections.values() for name, said in entries}
    return tuple((name, about.get(name, "")) for name in match[1].split(","))


def _options(lines: Sequence[str]) -> tuple[Option, ...]:
    found: list[Option] = []
    for line in lines:
        if match := _OPTION.match(line):
            found.append(_option(match[1], match[2] or ""))
        elif found and line.startswith(" " * 13) and line.strip():
            last = found[-1]
            found[-1] = Option(last.names, last.value, last.choices, f"{last.about} {line.strip()}".strip())
    return tuple(one for one in found if one.names)


def _option(written: str, about: str) -> Option:
    names, value = [], ""
    for part in re.split(r",\s+(?=-)", written):
        if match := _NAME.fullmatch(part.strip()):
            names.append(match[1])
            value = match[2] or value
    choices = _CHOICES.search(value)
    listed = re.split(r"[,|]", choices[1] or choices[2]) if choices else []
    return Option(tuple(names), value, tuple(one.strip() for one in listed), about)


@cache
def _program_words() -> frozenset[str]:
    """Words by which the help of a program names itself in the languages that it may be written in."""
    return frozenset(word for one in all_languages() if one.launching is not None for word in one.launching.words)


def _positionals(shown: str, command: Sequence[str], about: dict[str, str]) -> list[Positional]:
    """Arguments by position, as the line of usage has them."""
    rest = _BARE_OPTION.sub(" ", _BRACKETED_OPTION.sub(" ", shown))
    own = {PurePosixPath(word).name for word in command} | _program_words()
    found: dict[str, Positional] = {}
    words = rest.split()
    for number, word in enumerate(words):
        name = word.strip("[]<>()").removesuffix("...").strip("[]<>()")
        if number == 0 or not name or name in own or name.lower() in _NO_FILES or not re.match(r"\w", name):
            continue
        many = word.endswith("...") or (number + 1 < len(words) and words[number + 1].strip("[]") == "...")
        found[name] = Positional(name, many or name in found, about.get(name, ""))
    return list(found.values())
