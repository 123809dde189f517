"""Finder of the Python interpreters on this machine, and their order of preference for a repository."""

from __future__ import annotations

import functools
import glob
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from repoquarry.languages.manifests.python_requirements import Certainty, PythonStatement
from repoquarry.processes.programs import run_program

_RELEASE_DAYS: Final = (
    *("2016-12-23", "2018-06-27", "2019-10-14", "2020-10-05", "2021-10-04", "2022-10-24", "2023-10-02", "2024-10-07"),
    "2025-10-07",
)
RELEASED: Final = {
    (3, minor): datetime.fromisoformat(day).replace(tzinfo=UTC) for minor, day in enumerate(_RELEASE_DAYS, 6)
}
"""First release of each minor version. Source: the release schedules of PEP 494 to 745."""
_SETTLED_DAYS: Final = 365
"""Packages need about a year before most have wheels for a new interpreter."""
_OLDEST: Final = (3, 6)
_LOOK = (
    "import json, platform, sys; print(json.dumps([list(sys.version_info[:3]), sys.base_prefix, "
    "platform.python_implementation()]))"
)
_SECONDS = 20


@dataclass(frozen=True)
class Interpreter:
    """Python interpreter on this machine."""

    path: Path
    version: tuple[int, int, int]
    prefix: Path
    """Installation folder of the interpreter and its standard library."""

    @property
    def minor(self) -> tuple[int, int]:
        return self.version[:2]

    def __str__(self) -> str:
        return ".".join(map(str, self.version))


def find_interpreters(extra: Sequence[str] = ()) -> tuple[Interpreter, ...]:
    """Find one interpreter for each minor version, oldest first; `extra` are paths or patterns of programs."""
    found: dict[tuple[int, int], Interpreter] = {}
    for path in _candidates(extra):
        interpreter = _inspect(path)
        if interpreter and interpreter.minor >= _OLDEST:
            found.setdefault(interpreter.minor, interpreter)
    return tuple(found[minor] for minor in sorted(found))


def _candidates(extra: Sequence[str]) -> Iterator[str]:
    """Yield the interpreters named in the settings, this process's own, those of pyenv and uv, and those on PATH."""
    for pattern in extra:
        yield from sorted(glob.glob(os.path.expanduser(pattern)))
    yield getattr(sys, "_base_executable", sys.executable)
    pyenv = os.environ.get("PYENV_ROOT") or "~/.pyenv"
    uv = os.environ.get("UV_PYTHON_INSTALL_DIR") or "~/.local/share/uv/python"
    for pattern in (f"{pyenv}/versions/*/bin/python3", f"{uv}/cpython-*/bin/python3", "/opt/python/*/bin/python3"):
        yield from sorted(glob.glob(os.path.expanduser(pattern)), reverse=True)
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        # A shim chooses by the current folder, and a relative folder may belong to a repository.
        if os.path.isabs(folder) and not folder.endswith("/shims"):
            yield from sorted(glob.glob(f"{folder}/python3.[0-9]*[0-9]"))


@functools.cache
def _inspect(path: str) -> Interpreter | None:
    real = os.path.realpath(path)
    try:
        asked = run_program([real, "-I", "-S", "-c", _LOOK], seconds=_SECONDS)
        version, prefix, implementation = json.loads(asked.output)
    except (OSError, ValueError):
        return None
    if implementation != "CPython" or len(version) != 3:
        return None
    return Interpreter(Path(real), (version[0], version[1], version[2]), Path(prefix).resolve())


def order_interpreters(
    available: Sequence[Interpreter], statements: Sequence[PythonStatement], date: datetime | None, oldest_without: int
) -> list[tuple[Interpreter, str]]:
    """Order the interpreters by preference, each with its reason.

    `oldest_without`: first minor version of Python 3 that lacks a needed module; 99 if there is none.
    """
    groups = [
        [statement for statement in statements if statement.certainty is certainty]
        for certainty in (Certainty.REQUIRED, Certainty.CHOSEN, Certainty.STATED, Certainty.HINT)
    ]
    required, chosen, stated, hinted = groups
    settled = _settled(available, date)

    def rank(interpreter: Interpreter) -> tuple[bool, bool, bool, bool, bool, int]:
        distance = abs(interpreter.minor[1] - settled[1])
        newer = interpreter.minor > settled  # Older interpreters have more wheels of that time.
        return (
            interpreter.minor[1] >= oldest_without,
            not all(_fits(statement, interpreter) for statement in required),
            bool(chosen) and not any(_fits(statement, interpreter) for statement in chosen),
            bool(stated or hinted) and not any(_fits(statement, interpreter) for statement in (*stated, *hinted)),
            newer,
            distance,
        )

    return [(interpreter, _why(interpreter, groups, settled, date)) for interpreter in sorted(available, key=rank)]


def _settled(available: Sequence[Interpreter], date: datetime | None) -> tuple[int, int]:
    """Return the newest version that was a year old at the date; without a date, the second newest available one."""
    if date is None:
        versions = sorted(interpreter.minor for interpreter in available)
        return versions[max(len(versions) - 2, 0)] if versions else _OLDEST
    known = [minor for minor, released in RELEASED.items() if (date - released).days >= _SETTLED_DAYS]
    return max(known, default=_OLDEST)


def admits(specifier: str, version: str) -> bool:
    """Return whether a specifier admits a version of Python; an invalid one, such as `>=2.7.*`, excludes nothing."""
    try:
        return version in SpecifierSet(specifier.replace(" ", ""))
    except InvalidSpecifier:
        return True


def _fits(statement: PythonStatement, interpreter: Interpreter) -> bool:
    return admits(statement.specifier, str(interpreter))


def _why(
    interpreter: Interpreter,
    groups: Sequence[Sequence[PythonStatement]],
    settled: tuple[int, int],
    date: datetime | None,
) -> str:
    reasons = []
    words = ("required", "named", "stated as tried", "used")
    for statements, word in zip(groups, words, strict=True):
        fitting = next((statement for statement in statements if _fits(statement, interpreter)), None)
        if fitting:
            reasons.append(f"{word} by {fitting.origin} ({fitting.specifier})")
        elif statements and word == "required":
            reasons.append(
                f"though {statements[0].origin} requires {statements[0].specifier}, which no interpreter matches"
            )
    if interpreter.minor == settled:
        reasons.append("in general use on " + date.date().isoformat() if date else "in general use")
    return "; ".join(reasons) or "the nearest version on this machine"
