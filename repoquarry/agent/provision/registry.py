"""The table of languages whose repositories are provisioned: adding one is a folder beside this file and a line here."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast

from repoquarry.agent.errors import UnknownNameError
from repoquarry.agent.isolation.confinement import Isolation
from repoquarry.agent.provision.cache import EnvironmentCache
from repoquarry.agent.provision.course import Course
from repoquarry.agent.provision.report import Progress, Provisioned
from repoquarry.agent.provision.request import Request
from repoquarry.agent.provision.wheelhouse import with_local_wheels
from repoquarry.agent.settings import AgentSettings

LANGUAGES: Final[Mapping[str, str]] = {
    "python": "repoquarry.agent.provision.python.provisioning",
    "javascript": "repoquarry.agent.provision.javascript.provisioning",
}
_PYTHON: Final = (
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "*requirements*.txt",
    "environment*.y*ml",
    "Pipfile",
    "*.py",
)


def check_language(name: str) -> None:
    """Raises: UnknownNameError unless it is empty or in the table."""
    if name and name not in LANGUAGES:
        raise UnknownNameError("language that is provisioned", name, LANGUAGES)


def provision(
    request: Request,
    cache: EnvironmentCache,
    settings: AgentSettings,
    isolation: Isolation,
    report: Callable[[Progress], None],
    cancelled: Callable[[], bool],
) -> Provisioned:
    """Provision a repository for the language that is asked for, else that of its manifests.

    Raises: UnknownNameError; EnvironmentUnavailableError when no environment can be made on this machine at all; TaskCancelledError.
    """
    check_language(request.language)
    module = cast(Any, importlib.import_module(LANGUAGES[request.language or language_of(request.tree)]))
    course = Course(request, cache, with_local_wheels(settings), isolation, report, cancelled)
    return cast(Provisioned, module.provision(course))


def language_of(tree: Path) -> str:
    """JavaScript where package.json is all that the root says; Python where anything at the root speaks of it, or nothing does."""
    if (tree / "package.json").is_file() and not any(next(tree.glob(pattern), None) for pattern in _PYTHON):
        return "javascript"
    return "python"
