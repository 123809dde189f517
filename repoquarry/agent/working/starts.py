"""Ways to start a repository's code: what its manifest, its modules and its README say, in the order in which they are tried."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from repoquarry.agent.views.view import relevance
from repoquarry.agent.working.readme import Command, launchings, readme_commands
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.languages.language import README, LaunchTarget
from repoquarry.languages.registry import is_source, language_for

CODE: Final = "code"
"""Folder of the workspace below which repositories are checked out."""

_README: Final = "command in the README"


@dataclass(frozen=True)
class Start:
    """One way to start the code of a repository, without arguments for the files of a task."""

    kind: str
    command: tuple[str, ...]
    """Words in front of the arguments."""

    folder: str
    """Folder of the workspace in which it is run."""

    path: str
    """File of the repository that it starts, or that tells of it."""

    qualname: str = ""
    line: int = 0
    examples: tuple[tuple[str, ...], ...] = ()
    """Arguments that the README gives it, those first whose text speaks most of the task."""

    instead: tuple[str, ...] = ()
    """Command that does the same where its program is not installed; empty where there is none."""

    rank: int = 0
    """As `LaunchCommand.rank`."""

    def __str__(self) -> str:
        return f"`{shlex.join(self.command)}` ({self.kind}, `{self.path}`)"


def code_folder(repository: str) -> str:
    """Folder of the workspace for the tree of a repository."""
    return f"{CODE}/{repository}"


def starts_of(reader: CodeReader, repository: str, task: str) -> list[Start]:
    """All ways to start a repository, by kind; within a kind those with examples first, then by what speaks for the task."""
    readme, commands = readme_commands(reader, repository)
    commands = _by_relevance(commands, task)
    found: dict[tuple[str, ...], Start] = {}
    about: dict[tuple[str, ...], str] = {}
    for item in reader.entry_points((repository,)):
        for start in _defined(reader, item):
            found.setdefault(start.command, start)
            about.setdefault(start.command, f"{item.title} {item.headline} {shlex.join(start.command)}")
    for words in (command.words for command in commands):
        known = next((key for key in found if words[: len(key)] == key), None)
        length = len(known or ())
        if known is None:
            known, length = _program_of(found, words[0]), 1
        if known is not None:
            arguments = words[length:]
            if arguments:
                found[known] = replace(found[known], examples=(*found[known].examples, arguments))
        elif length := _own_command(reader, repository, words):
            shown, folder = words[:length], code_folder(repository)
            found[shown] = Start(_README, shown, folder, readme, examples=(words[length:],), rank=README)
            about[shown] = shlex.join(words)
    scores = dict(zip(found, relevance([about[key] for key in found], task), strict=True))
    return sorted(
        found.values(),
        key=lambda one: (one.rank, not one.examples, -scores[one.command], len(one.path), one.command),
    )


def _program_of(found: Collection[tuple[str, ...]], name: str) -> tuple[str, ...] | None:
    """The start that a README means by the name of a package, where no manifest makes a command of that name."""
    for launching in launchings():
        for last in launching.programs:
            if (command := launching.module_command(f"{name}.{last}" if last else name)) in found:
                return command
    return None


def _by_relevance(commands: Sequence[Command], task: str) -> list[Command]:
    """Commands whose text speaks most of the task first, else in the order of the README."""
    scores = relevance([command.about for command in commands], task)
    return [commands[number] for number in sorted(range(len(scores)), key=lambda number: -scores[number])]


def _defined(reader: CodeReader, item: DefinitionRecord) -> Iterator[Start]:
    """The ways to start a definition or module, as its language says."""
    launching = None if item.is_test or not is_source(item.path) else language_for(item.path).launching
    module = reader.module(item.repository, item.path) if launching is not None else None
    if launching is None or module is None:
        return
    for point in item.entry_points:
        kind, _, text = point.partition(": ")
        startable = LaunchTarget(item.path, module.name, item.qualname, kind, text)
        found = launching.launch(startable, partial(_has_module, reader, item.repository))
        if found is not None:
            folder = "/".join(part for part in (code_folder(item.repository), found.folder) if part)
            line = item.start_line
            yield Start(
                found.what,
                found.command,
                folder,
                item.path,
                item.qualname,
                line,
                instead=found.instead,
                rank=found.rank,
            )


def _has_module(reader: CodeReader, repository: str, path: str) -> bool:
    return reader.module(repository, path) is not None


def _own_command(reader: CodeReader, repository: str, words: tuple[str, ...]) -> int:
    """How many words of a README's command start a file of the repository; 0 where it starts something else."""
    has_file = partial(_has_module, reader, repository)
    launching = next((one for one in launchings() if one.program == words[0]), None)
    if launching is not None and len(words) > 1:
        return launching.own(words, has_file)
    return 1 if words[0].startswith("./") and has_file(words[0][2:]) else 0
