"""Commands that run test files, one for each test runner."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_SCRIPT: Final = re.compile(r"\.[cm]?[jt]sx?$")
_DEFAULT_SCRIPT_RUNNER: Final = "npm test --"
_SCRIPT_RUNNERS: Final[Mapping[str, str]] = {
    "vitest": "npx vitest run",
    "jest": "npx jest",
    "mocha": "npx mocha",
    "ava": "npx ava",
}
"""Commands by the package that provides them, the preferred one first."""


@dataclass(frozen=True)
class _Runner:
    command: str
    format_path: Callable[[str], str] = str
    """Return the argument of a test file; several files may share one."""
    separator: str = " "


def _folder_argument(path: str) -> str:
    return f"./{path.rpartition('/')[0]}"


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


_RUNNERS: Final[Mapping[str, _Runner]] = {
    ".py": _Runner("python -m pytest"),
    ".go": _Runner("go test", _folder_argument),
    ".java": _Runner("mvn test -Dtest=", _stem, ","),
    ".php": _Runner("vendor/bin/phpunit"),
    ".rb": _Runner("bundle exec rspec"),
}


def build_test_commands(paths: Sequence[str], packages: Collection[str] = ()) -> list[str]:
    """Return one command for each known test runner, to be run in the root of the repository.

    `packages` are the dependencies of the repository, which decide the runner of JavaScript and TypeScript.
    """
    scripts = (command for package, command in _SCRIPT_RUNNERS.items() if package in packages)
    script_runner = _Runner(next(scripts, _DEFAULT_SCRIPT_RUNNER))
    arguments: dict[_Runner, dict[str, None]] = {}
    for path in paths:
        runner = script_runner if _SCRIPT.search(path) else _RUNNERS.get(path[path.rfind(".") :])
        if runner is not None:
            arguments.setdefault(runner, {})[shlex.quote(runner.format_path(path))] = None
    return [_join(runner, list(found)) for runner, found in arguments.items()]


def _join(runner: _Runner, arguments: Sequence[str]) -> str:
    first = "" if runner.command.endswith("=") else " "
    return f"{runner.command}{first}{runner.separator.join(arguments)}"
