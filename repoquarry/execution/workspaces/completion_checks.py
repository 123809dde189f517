"""Completion checks of a task: required files, commands that must succeed, and output files that the answer names."""

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
"""Characters after a name that make it a pattern."""


@dataclass(frozen=True)
class CompletionCheck:
    """Completion check: about a file, or a command that has to succeed."""

    path: str = ""
    """Required file of the workspace; empty for a check by command."""
    not_empty: bool = False
    pattern: str = ""
    """Regular expression that has to match in the first 16 MiB of the file; empty for any text."""
    command: str = ""
    """Shell command that has to exit with code 0."""

    def __str__(self) -> str:
        if self.command:
            return f"`{self.command}` ends with success"
        parts = [f"{self.path} is there", *(["is not empty"] if self.not_empty else [])]
        return " and ".join([*parts, *([f"matches /{self.pattern}/"] if self.pattern else [])])


@dataclass(frozen=True)
class CompletionCheckOutcome:
    """Outcome of a completion check; `why` describes a failure."""

    check: str
    held: bool
    why: str = ""


def validate(checks: Sequence[CompletionCheck]) -> None:
    """Validate checks. Raises: TaskRejectedError for an empty check or a rejected pattern."""
    for check in checks:
        if bool(check.path) == bool(check.command):
            raise TaskRejectedError("a completion check needs either a path or a command")
        try:
            if check.pattern:
                find_matches(check.pattern, [], seconds=_MATCH_SECONDS)
        except (RegexSearchError, TimeoutError) as error:
            raise TaskRejectedError(f"invalid pattern {check.pattern[:80]!r} of a check: {error}") from error


def run_checks(checks: Sequence[CompletionCheck], workspace: Workspace) -> tuple[CompletionCheckOutcome, ...]:
    """Run the checks; commands run in the workspace like those of the task."""
    return tuple(CompletionCheckOutcome(str(check), not (why := _failure(check, workspace)), why) for check in checks)


def find_missing_outputs(text: str, workspace: Workspace) -> list[CompletionCheckOutcome]:
    """Find the outputs that an answer names and that were not produced; patterns of names, such as `outputs/*.png`, are skipped."""
    named = dict.fromkeys(found[0] for found in _OUTPUT.finditer(text) if text[found.end() :][:1] not in _WILDCARDS)
    return [
        CompletionCheckOutcome(f"{path}, which the answer names, is there", held=False, why=f"{path} was not produced")
        for path in named
        if not _exists(path, workspace)
    ]


def _exists(path: str, workspace: Workspace) -> bool:
    """Return whether the path is a file, or a folder that contains files."""
    if list_files(workspace.root, path, most=1, checksums=False).files:
        return True
    with contextlib.suppress(ToolError), open_regular(workspace.root, path):
        return True
    return False


def _failure(check: CompletionCheck, workspace: Workspace) -> str:
    """Describe why a check fails; empty if it passes."""
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
