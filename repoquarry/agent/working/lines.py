"""Command lines for a task's files, in the order in which they are tried.

First what the README shows with the task's files and values in place of its own, then what the options and arguments of the program's
help are called, then by position; but those that say all that the task says before those that leave something out. Nothing is guessed
for arguments whose names say nothing.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from repoquarry.agent.working.files import SUFFIXES, TaskFiles
from repoquarry.agent.working.filling import by_name, filled
from repoquarry.agent.working.starts import Start
from repoquarry.agent.working.usage import Option, Usage
from repoquarry.agent.working.values import Value

_OUTPUT_WORDS: Final = frozenset((
    "o", "output", "out", "outfile", "outfilename", "outputfile", "outpath", "outdir",
    "dest", "destination", "dst", "target", "save", "result", "export",
))  # fmt: skip
_INPUT_WORDS: Final = frozenset((
    "i", "input", "in", "infile", "infilename", "inputfile", "source",
    "src", "file", "filename", "files", "path", "document",
))  # fmt: skip
_FOLDER_WORDS: Final = frozenset(["dir", "directory", "folder", "outdir"])
_PARTS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_FILE_WORD: Final = re.compile(r"https?://\S+|[^\s=-][^\s=]*\.[A-Za-z]\w{0,4}|<[\w -]+>")
_FORMAT_WORDS: Final = frozenset(["format", "type", "fmt"])
_MOST: Final = 6


@dataclass(frozen=True)
class CommandLine:
    """A command that is to make the output."""

    command: str
    folder: str
    why: str
    """Where its arguments come from."""


def lines_for(start: Start, usage: Usage | None, files: TaskFiles, values: Sequence[Value] = ()) -> list[CommandLine]:
    """Command lines that start may make the output with, the surest first; at most six."""
    at = _Relative(start.folder, files, values)
    found: dict[str, CommandLine] = {}
    every = [*_of_examples(start, usage, at), *_of_help(usage, at), *_by_position(usage, at)]
    for one in sorted(every, key=lambda one: one.unmet):
        command = shlex.join([*start.command, *one.words]) + one.redirection
        found.setdefault(command, CommandLine(command, start.folder, one.why))
    return list(found.values())[:_MOST]


@dataclass(frozen=True)
class _Arguments:
    """Words, redirection in the shell's words, and where they come from."""

    words: Sequence[str]
    redirection: str
    why: str
    unmet: int
    """Values and inputs of the task that they leave out, and texts in them that are not the task's."""


class _Relative:
    """The task's files as a command in a folder of the workspace names them."""

    def __init__(self, folder: str, files: TaskFiles, values: Sequence[Value]) -> None:
        self.values = values
        self.inputs = [posixpath.relpath(path, folder) for path in files.inputs]
        self.folder = posixpath.commonpath(self.inputs) if len(self.inputs) > 1 else ""
        """What holds all of several inputs; empty for one."""
        self.output = posixpath.relpath(files.output, folder)
        self.suffix = files.suffix
        self.written = f" > {shlex.quote(self.output)}"


def _of_examples(start: Start, usage: Usage | None, at: _Relative) -> Iterator[_Arguments]:
    for example in start.examples:
        for given in [[at.folder], at.inputs] if at.folder else [at.inputs]:
            found = _filled(example, usage, at, given)
            if found is not None:
                yield found


def _filled(example: Sequence[str], usage: Usage | None, at: _Relative, given: Sequence[str]) -> _Arguments | None:
    """An example with the task's files and values in place of its own; None where that cannot be done surely.

    `given` are the task's inputs, or the folder that holds them all.
    """
    if any(word in ("|", "&&", "||", ";", "<", ">>") or word.startswith("2>") for word in example):
        return None
    words = list(example)
    redirection = ""
    if ">" in words:
        words, redirection = words[: words.index(">")], at.written
    places = [number for number, word in enumerate(words) if _FILE_WORD.fullmatch(word)]
    outputs = [] if redirection else _output_places(words, places, given)
    inputs = [number for number in places if number not in outputs]
    if len(outputs) > 1 or not inputs or len(inputs) > max(len(given), 1) or not given:
        return None
    for number, path in zip(inputs, given, strict=False):
        words[number] = path
    for number in outputs:
        words[number] = at.output
    said = filled(words, places, at.values, usage)
    stated = " and what it states" if said.words != tuple(words) else ""
    why = f"the README's example, with the files of the task{stated}"
    left_out = len(given) - len(inputs)
    return _Arguments(said.words, redirection or ("" if outputs else at.written), why, said.unmet + left_out)


def _output_places(words: Sequence[str], places: Sequence[int], given: Sequence[str]) -> list[int]:
    """Which of the files in an example it writes: behind an output option, else the last one that is not like the input."""
    behind = [n for n in places if n and words[n - 1].startswith("-") and _words(words[n - 1]) & _OUTPUT_WORDS]
    if behind or len(places) < 2:
        return behind
    last = places[-1]
    return [last] if len(places) > len(given) else []


def _of_help(usage: Usage | None, at: _Relative) -> Iterator[_Arguments]:
    """With the options and arguments that the help calls input or output."""
    if usage is None:
        return
    why = "the options and arguments that its help names"
    formats = _format(usage, at)
    single, many, unmet = by_name(usage, at.values)
    for words in [[*formats, *_options(usage, at)], _options(usage, at)] if formats else [_options(usage, at)]:
        positional, complete, writes = _positional(usage, at)
        writes = writes or _option(usage, _OUTPUT_WORDS) is not None
        reads = bool(at.inputs) and (bool(positional) or _option(usage, _INPUT_WORDS - _OUTPUT_WORDS) is not None)
        if complete and (reads or (writes and not at.inputs)):
            whole = [*single, *words, *positional, *many]
            yield _Arguments(whole, "" if writes else at.written, why, unmet)


def _options(usage: Usage, at: _Relative) -> list[str]:
    """Options for input and output with their values."""
    words = []
    output = _option(usage, _OUTPUT_WORDS)
    if output is not None:
        words += [output.names[-1], _target(output.names[-1] + " " + output.value, at)]
    source = _option(usage, _INPUT_WORDS)
    if source is not None and source is not output and at.inputs and not usage.positionals:
        words += [source.names[-1], at.inputs[0]]
    return words


def _option(usage: Usage, wanted: frozenset[str]) -> Option | None:
    """The option with a value whose name holds one of the words; the one with fewest other words."""
    fitting = [
        (len(_words(name) - wanted), option)
        for option in usage.options
        if option.value and not option.choices
        for name in option.names[-1:]
        if any(_words(one) & wanted for one in option.names if one.startswith("--")) or _words(name) & wanted
    ]
    return min(fitting, key=lambda one: one[0], default=(0, None))[1]


def _positional(usage: Usage, at: _Relative) -> tuple[list[str], bool, bool]:
    """Values of the arguments by position; whether all have one, and whether one of them is the output."""
    words: list[str] = []
    left = list(at.inputs)
    has_output = _option(usage, _OUTPUT_WORDS) is not None
    writes = False
    for one in usage.positionals:
        names = _words(one.name)
        if names & _OUTPUT_WORDS and not writes:
            words.append(_target(one.name, at))
            writes = True
        elif left and one.many:
            words, left = [*words, *left], []
        elif left:
            words.append(left.pop(0))
        elif not writes and not has_output:
            words.append(at.output)
            writes = True
        else:
            return words, False, writes
    return words, True, writes


def _target(name: str, at: _Relative) -> str:
    """The output, or its folder where that is what the name asks for."""
    return posixpath.dirname(at.output) or "." if _words(name) & _FOLDER_WORDS else at.output


def _format(usage: Usage, at: _Relative) -> list[str]:
    """The option that chooses the format of the output, where it offers that of the output's suffix."""
    for option in usage.options:
        if _words(" ".join(option.names)) & _FORMAT_WORDS:
            for choice in option.choices:
                if SUFFIXES.get(choice.lower(), choice.lower()) == at.suffix:
                    return [option.names[-1], choice]
    return []


def _by_position(usage: Usage | None, at: _Relative) -> Iterator[_Arguments]:
    """Input and output by position, then input alone with what is printed as the output, then all by pipes."""
    if not at.inputs or (usage is not None and usage.subcommands):
        return
    unmet = len(at.values)
    yield _Arguments([*at.inputs, at.output], "", "input and output by position", unmet)
    yield _Arguments(at.inputs, at.written, "input by position, and what it prints as the output", unmet)
    piped = f" < {shlex.quote(at.inputs[0])}{at.written}"
    yield _Arguments([], piped, "input as what it reads, and what it prints as the output", unmet)


def _words(name: str) -> set[str]:
    """Words of a name in small letters, and the name without its marks."""
    bare = PurePosixPath(name).name if "/" in name else name
    return {part.lower() for part in _PARTS.findall(bare)} | {re.sub(r"\W|_", "", bare).lower()}
