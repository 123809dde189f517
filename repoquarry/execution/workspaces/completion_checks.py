"""Completion checks of a task."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.execution.errors import TaskRejectedError, ToolError
from repoquarry.execution.workspaces.files import OUTPUTS, list_files, open_regular
from repoquarry.execution.workspaces.workspace import Workspace
from repoquarry.processes.regex_search import RegexSearchError, find_matches

_MATCH_SECONDS: Final = 5.0
_READ_BYTES: Final = 16 * 1024 * 1024
_SAID: Final = 500
_OUTPUT: Final = re.compile(rf"(?<![\w/.-]){OUTPUTS}/[\w-]+(?:[./][\w-]+)*")
_WILDCARDS: Final = ("*", "?", "{", "<", "[", "%", "$", "\N{HORIZONTAL ELLIPSIS}")
"""Characters behind a name that make it a pattern."""


@dataclass(frozen=True)
class CompletionCheck:
    """One thing that has to hold: about a file, or a command that ends with success."""

    path: str = ""
    """File of the workspace that has to be there; empty for a check by command."""

    not_empty: bool = False
    pattern: str = ""
    """Regular expression that its text (the first 16 MiB) has to match somewhere; empty for any."""

    command: str = ""
    """Shell command that has to end with exit code 0."""

    def __str__(self) -> str:
        if self.command:
            return f"`{self.command}` ends with success"
        parts = [f"{self.path} is there", *(["is not empty"] if self.not_empty else [])]
        return " and ".join([*parts, *([f"matches /{self.pattern}/"] if self.pattern else [])])


@dataclass(frozen=True)
class CompletionCheckOutcome:
    """Whether a check held; `why` says what was found when it did not."""

    check: str
    held: bool
    why: str = ""


def validate(checks: Sequence[CompletionCheck]) -> None:
    """Raises: TaskRejectedError for a check that checks nothing or whose pattern is refused."""
    for check in checks:
        if bool(check.path) == bool(check.command):
            raise TaskRejectedError("a completion check names either a path or a command")
        try:
            if check.pattern:
                find_matches(check.pattern, [], seconds=_MATCH_SECONDS)
        except (RegexSearchError, TimeoutError) as error:
            raise TaskRejectedError(f"the pattern {check.pattern[:80]!r} of a check is refused: {error}") from error


def run_checks(checks: Sequence[CompletionCheck], workspace: Workspace) -> tuple[CompletionCheckOutcome, ...]:
    """How each check stands; commands run in the workspace as those of the task do."""
    return tuple(CompletionCheckOutcome(str(check), not (why := _failure(check, workspace)), why) for check in checks)


def find_missing_outputs(text: str, workspace: Workspace) -> list[CompletionCheckOutcome]:
    """Find the outputs that an answer names and that were not made; patterns of names, such as `outputs/*.png`, are left out."""
    named = dict.fromkeys(found[0] for found in _OUTPUT.finditer(text) if text[found.end() :][:1] not in _WILDCARDS)
    return [
        CompletionCheckOutcome(f"{path}, which the answer names, is there", held=False, why=f"{path} was not made")
        for path in named
        if not _exists(path, workspace)
    ]


def _exists(path: str, workspace: Workspace) -> bool:
    """Whether the path is a file, or a folder with files in it."""
    if list_files(workspace.root, path, most=1, checksums=False).files:
        return True
    with contextlib.suppress(ToolError), open_regular(workspace.root, path):
        return True
    return False


def _failure(check: CompletionCheck, workspace: Workspace) -> str:
    """Why a check does not hold; empty when it does."""
    try:
        return _command_failure(check, workspace) if check.command else _file_failure(check, workspace)
    except ToolError as error:
        return str(error)


def _command_failure(check: CompletionCheck, workspace: Workspace) -> str:
    outcome = workspace.run(check.command)
    if outcome.exit_code == 0 and not outcome.stopped:
        return ""
    return f"{outcome.stopped or f'exit code {outcome.exit_code}'}: {outcome.output[-_SAID:].strip()}"


def _file_failure(check: CompletionCheck, workspace: Workspace) -> str:
    with open_regular(workspace.root, check.path) as (file, status):
        if check.not_empty and not status.st_size:
            return f"{check.path} is empty"
        if not check.pattern:
            return ""
        text = file.read(_READ_BYTES).decode("utf-8", "replace")
    try:
        (found,) = find_matches(check.pattern, [text], seconds=_MATCH_SECONDS)
    except RegexSearchError as error:
        return f"/{check.pattern}/ is refused: {error}"
    except TimeoutError:
        return f"/{check.pattern}/ took longer than {_MATCH_SECONDS:g} s"
    return "" if found else f"/{check.pattern}/ matches nothing in {check.path}"
