"""Ways to start a repository's code: what its manifest, its modules and its README say, in the order in which they are tried."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from repoquarry.agent.relevance import relevance
from repoquarry.graphstore.code.reader import CodeReader
from repoquarry.graphstore.code.records import Definition
from repoquarry.graphstore.errors import NotFoundError

CODE: Final = "code"
"""Folder of the workspace below which repositories are checked out."""

_SCRIPT, _MAIN, _README, _GUARDED = (
    "console script of the manifest",
    "`__main__` module",
    "command in the README",
    "script with a `__main__` guard",
)
_ORDER: Final = (_SCRIPT, _MAIN, _README, _GUARDED)
_BUILD_FILES: Final = ("setup.py", "conftest.py", "noxfile.py", "tasks.py", "manage.py")
_PYTHON: Final = re.compile(r"(?:python|py)[\d.]*")
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_PROMPT: Final = re.compile(r"^\s*(?:[$%>]\s+)?")


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
    """Arguments that the README gives it."""

    instead: tuple[str, ...] = ()
    """Command that does the same where its program is not installed; empty where there is none."""

    def __str__(self) -> str:
        return f"`{shlex.join(self.command)}` ({self.kind}, `{self.path}`)"


def code_folder(repository: str) -> str:
    """Folder of the workspace for the tree of a repository."""
    return f"{CODE}/{repository}"


def starts_of(reader: CodeReader, repository: str, task: str) -> list[Start]:
    """All ways to start a repository, by kind; within a kind those with examples first, then by what speaks for the task."""
    readme, commands = _readme_commands(reader, repository)
    found: dict[tuple[str, ...], Start] = {}
    about: dict[tuple[str, ...], str] = {}
    for item in reader.entry_points((repository,)):
        for start in _defined(reader, item):
            found.setdefault(start.command, start)
            about.setdefault(start.command, f"{item.title} {item.headline} {shlex.join(start.command)}")
    for words in commands:
        known = next((key for key in found if words[: len(key)] == key), None)
        if known is not None:
            arguments = words[len(known) :]
            if arguments:
                found[known] = replace(found[known], examples=(*found[known].examples, arguments))
        elif length := _own_command(reader, repository, words):
            found[words[:length]] = Start(
                _README, words[:length], code_folder(repository), readme, examples=(words[length:],)
            )
            about[words[:length]] = shlex.join(words)
    scores = dict(zip(found, relevance([about[key] for key in found], task), strict=True))
    return sorted(
        found.values(),
        key=lambda one: (_ORDER.index(one.kind), not one.examples, -scores[one.command], len(one.path), one.command),
    )


def _defined(reader: CodeReader, item: Definition) -> Iterator[Start]:
    """The ways to start a definition or module of Python."""
    if not item.path.endswith(".py") or item.is_test or PurePosixPath(item.path).name in _BUILD_FILES:
        return
    module = reader.module(item.repository, item.path)
    if module is None:
        return
    folder, dotted = _import_root(module), module.name
    for point in item.entry_points:
        kind, _, text = point.partition(": ")
        if kind == "console_script":
            call = f"import sys; from {dotted} import {item.qualname.partition('.')[0]}; sys.exit({item.qualname}())"
            instead = ("python", "-c", call) if item.qualname else ("python", "-m", dotted)
            yield Start(_SCRIPT, (text,), folder, item.path, item.qualname, item.start_line, instead=instead)
        elif kind == "main" and dotted.endswith(".__main__"):
            command = ("python", "-m", dotted.removesuffix(".__main__"))
            yield Start(_MAIN, command, folder, item.path, line=item.start_line)
        elif kind == "main" and reader.module(item.repository, str(PurePosixPath(item.path).parent / "__init__.py")):
            # started by its path it could import nothing relative to it, and its neighbours would hide modules of the same name
            yield Start(_GUARDED, ("python", "-m", dotted), folder, item.path, line=item.start_line)
        elif kind == "main":
            yield Start(_GUARDED, ("python", item.path), code_folder(item.repository), item.path, line=item.start_line)


def _import_root(module: Definition) -> str:
    """Folder of the workspace from which a module is imported by its dotted name."""
    parts = PurePosixPath(module.path).with_suffix("").parts
    depth = len(module.name.split(".")) + (parts[-1] == "__init__")
    return "/".join((code_folder(module.repository), *parts[: max(len(parts) - depth, 0)]))


def _own_command(reader: CodeReader, repository: str, words: tuple[str, ...]) -> int:
    """How many words of a README's command start a file of the repository; 0 where it starts something else."""
    if len(words) > 1 and _PYTHON.fullmatch(words[0]):
        if words[1] == "-m" and len(words) > 2:
            path = words[2].replace(".", "/")
            return 3 if any(reader.module(repository, name) for name in (f"{path}.py", f"{path}/__main__.py")) else 0
        return 2 if reader.module(repository, words[1].removeprefix("./")) else 0
    return 1 if words[0].startswith("./") and reader.module(repository, words[0][2:]) else 0


def _readme_commands(reader: CodeReader, repository: str) -> tuple[str, list[tuple[str, ...]]]:
    """Path of the README, and the commands in its blocks of code, split into words, each once."""
    record = next((item for item in reader.repositories() if item.id == repository), None)
    if record is None or not record.readme:
        return "", []
    try:
        text = reader.text(repository, record.readme)
    except NotFoundError:
        return record.readme, []
    return record.readme, list(dict.fromkeys(_commands(text)))


def _commands(text: str) -> Iterator[tuple[str, ...]]:
    for line in _code_lines(text.replace("\\\n", " ").split("\n")):
        with contextlib.suppress(ValueError):  # no command: its quotes do not close
            words = shlex.split(_PROMPT.sub("", line, count=1), comments=True)
            if words and not _PYTHON.fullmatch(words[0]):
                yield tuple(words)
            elif len(words) > 1:
                yield ("python", *words[1:])


def _code_lines(lines: Sequence[str]) -> Iterator[str]:
    """Lines of fenced and indented blocks, and lines behind a prompt."""
    fenced = False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
        elif fenced or line.startswith(("    ", "\t", "$ ")):
            yield line
