"""Why a task failed, in the benchmark's five classes, by rules that look at the record of the run alone."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass

from repoquarry.agent.evaluation.gittaskbench.grading import Grade


class FailureClass(enum.StrEnum):
    """Source: the benchmark's paper, error analysis."""

    NONE = ""
    ENVIRONMENT = "E1"
    """Environment setup: packages, interpreters or libraries of the system are missing."""
    PLANNING = "E2"
    """Workflow planning: nothing was run that could have made an output."""
    COMPREHENSION = "E3"
    """Repository comprehension: its code is used in a way that it does not allow, or makes something else than what was asked."""
    RUNTIME = "E4"
    """Runtime: a command failed, took too long or too much."""
    INSTRUCTIONS = "E5"
    """Instruction following: an output was made, and not in the form that was asked for."""


@dataclass(frozen=True)
class Command:
    """One command of a task."""

    text: str
    exit_code: int
    stopped: str
    output: str
    """Its end."""


@dataclass(frozen=True)
class RunRecord:
    """What happened in a task, as far as its events tell."""

    state: str
    """`answered`, `budget_reached`, `cancelled` or `failed`."""
    error: str = ""
    error_reason: str = ""
    commands: tuple[Command, ...] = ()
    failed_tools: tuple[tuple[str, str], ...] = ()
    """Tool and message of calls that failed."""
    produced: tuple[str, ...] = ()
    """Files in `outputs`."""


_ENVIRONMENT = re.compile(
    r"ModuleNotFoundError|No module named|cannot open shared object file|No matching distribution|Could not find a version|Failed to build"
    r"|command not found|No solution found when resolving|ResolutionImpossible|error: subprocess-exited-with-error|: not found$",
    re.MULTILINE,
)
_MISUSE = re.compile(
    r"AttributeError|TypeError: .*(argument|positional|keyword)|cannot import name|unrecognized arguments|No such option|no such command"
    r"|invalid choice|KeyError|NotImplementedError",
    re.IGNORECASE,
)
_TOOLS_OF_THE_ENVIRONMENT = ("provision", "install")


def classify(record: RunRecord, grade: Grade) -> tuple[FailureClass, str]:
    """The class and the rule that decided it, in words. Rules are asked in this order; the first that fits counts."""
    if grade.result:
        return FailureClass.NONE, ""
    if record.produced and not grade.output:
        return FailureClass.INSTRUCTIONS, "files were produced, and none under a name that is graded"
    if grade.output and not grade.process and not grade.grader:
        return FailureClass.INSTRUCTIONS, "the test script does not accept the form of the output"
    if grade.output and grade.process:
        return FailureClass.COMPREHENSION, "the output has the form that was asked for and is not right"
    last = _last_failure(record.commands)
    if last and _ENVIRONMENT.search(last.output):
        return (
            FailureClass.ENVIRONMENT,
            f"the last failed command lacks something that was not installed: {_line(last, _ENVIRONMENT)}",
        )
    tool = next((one for one in reversed(record.failed_tools) if one[0] in _TOOLS_OF_THE_ENVIRONMENT), None)
    if tool and not any(command.exit_code == 0 for command in record.commands):
        return FailureClass.ENVIRONMENT, f"{tool[0]} failed and no command succeeded: {tool[1][:200]}"
    if not record.commands:
        return FailureClass.PLANNING, "no command was run"
    if last and _MISUSE.search(last.output):
        return (
            FailureClass.COMPREHENSION,
            f"the last failed command uses code in a way that it refuses: {_line(last, _MISUSE)}",
        )
    if last:
        return FailureClass.RUNTIME, f"the last failed command: {last.stopped or f'exit code {last.exit_code}'}"
    if record.state in ("budget_reached", "failed", "cancelled"):
        return FailureClass.RUNTIME, f"the task ended as {record.state}: {record.error[:200]}"
    return FailureClass.PLANNING, "all commands succeeded, and none made an output"


def _last_failure(commands: Sequence[Command]) -> Command | None:
    return next((command for command in reversed(commands) if command.exit_code != 0 or command.stopped), None)


def _line(command: Command, pattern: re.Pattern[str]) -> str:
    return next((line.strip()[:200] for line in reversed(command.output.splitlines()) if pattern.search(line)), "")
