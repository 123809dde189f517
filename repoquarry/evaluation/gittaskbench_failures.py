"""Failure classes of GitTaskBench tasks, from the grade of their output and the log of their commands and code.

Source: GitTaskBench (arXiv 2508.18993), table 12. The first matching rule decides, so the order of rules is part of the definition.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from repoquarry.evaluation import load_tables
from repoquarry.evaluation.gittaskbench_grading import Grade


class FailureClass(enum.StrEnum):
    """Primary failure class: environment setup, workflow planning, repository comprehension, runtime, instructions."""

    NONE = ""
    ENVIRONMENT = "E1"
    PLANNING = "E2"
    COMPREHENSION = "E3"
    RUNTIME = "E4"
    INSTRUCTIONS = "E5"


_TABLES: Final = load_tables("failure_rules")
SECONDARY: Final[Mapping[str, str]] = _TABLES["secondary"]


class Failure(NamedTuple):
    """Failure class of a task and its evidence; all empty for a passed task."""

    primary: FailureClass
    rule: str
    """Rule that decided, with the deciding line."""
    secondary: str = ""
    """Key of `SECONDARY`; empty where the record does not tell."""


@dataclass(frozen=True)
class RecordedCommand:
    """Command of a task, with its result."""

    text: str
    exit_code: int
    stopped: str
    output: str
    """End of its output."""


@dataclass(frozen=True)
class RunRecord:
    """History of a task, from its events."""

    state: str
    """`answered`, `budget_reached`, `cancelled` or `failed`."""
    error: str = ""
    error_reason: str = ""
    commands: tuple[RecordedCommand, ...] = ()
    failed_tools: tuple[tuple[str, str], ...] = ()
    """Tool and message of failed calls."""
    produced: tuple[str, ...] = ()
    """Files in `outputs`."""
    written: tuple[str, ...] = ()
    """Texts that the agent wrote into files, in order."""


_ENVIRONMENT: Final = {name: re.compile(pattern) for name, pattern in _TABLES["environment"].items()}
_MISUSE: Final = {name: re.compile(pattern) for name, pattern in _TABLES["misuse"].items()}
_LIMIT: Final = re.compile(
    r"out of memory|MemoryError|time ?out|time limit|over its|memory limit|Killed", re.IGNORECASE
)
_INTERRUPTED: Final = re.compile(r"KeyboardInterrupt|interrupted|cancelled", re.IGNORECASE)
_INSTALLS: Final = re.compile(
    r"^\s*(\w+=\S+ )*(sudo )?(python\S* -m )?(pip3?|conda|mamba|uv|apt|apt-get|npm) (pip )?(install|add)\b"
)
_READS: Final = re.compile(r"^\s*(cd|ls|cat|head|tail|less|more|find|grep|rg|tree|pwd|wc|file|stat|echo|mkdir)\b")
_CONSTANTS: Final = re.compile(
    r"^\s*\w*(mock|dummy|fake|hard_?coded|placeholder|synthetic)\w* ?= ?[\[{(\"']|\b(mock data|hard-?coded|bypass\w*)\b", re.IGNORECASE | re.MULTILINE
)  # fmt: skip
_REDIRECTS: Final = re.compile(r"\bpython\S*\s[^|;&>]*\.py\b[^|;&>]*(?<![\d&])>\s*\S*output\S*")
_CODE: Final = re.compile(r"^\s*(import|from) \w|\bpython\S* |\bdef \w+\(", re.MULTILINE)
_TOOLS_OF_THE_ENVIRONMENT: Final = ("provision", "install")


def classify(record: RunRecord, grade: Grade, modules: Collection[str] = ()) -> Failure:
    """Return the failure class; `modules` are names of the repository and of its importable modules, to find a bypass."""
    if grade.result:
        return Failure(FailureClass.NONE, "")
    return next(_matches(record, grade, modules))


def _matches(record: RunRecord, grade: Grade, modules: Collection[str]) -> Iterator[Failure]:
    """Yield every failure class that applies, most decisive first."""
    yield from _by_output(record, grade, modules)
    last = next((command for command in reversed(record.commands) if command.exit_code != 0 or command.stopped), None)
    if record.commands and all(_INSTALLS.search(command.text) for command in _actions(record)):
        yield _by_inaction(record, last)
    for kind, patterns in ((FailureClass.ENVIRONMENT, _ENVIRONMENT), (FailureClass.COMPREHENSION, _MISUSE)):
        if kind is FailureClass.COMPREHENSION:
            yield from _by_tools(record)
        for secondary, pattern in patterns.items():
            if last and pattern.search(last.output):
                yield Failure(kind, f"the last failed command: {_line(last, pattern)}", secondary)
    if last:
        evidence = f"{last.stopped}\n{last.output}"
        is_limited = bool(_LIMIT.search(evidence)) and not re.search("KeyboardInterrupt", evidence)
        secondary = "E4.1" if is_limited else "E4.2" if _INTERRUPTED.search(evidence) else ""
        yield Failure(
            FailureClass.RUNTIME, f"the last failed command: {last.stopped or f'exit code {last.exit_code}'}", secondary
        )
    if record.state in ("budget_reached", "failed", "cancelled"):
        yield Failure(FailureClass.RUNTIME, f"the task finished as {record.state}: {record.error[:200]}", "E4.2")
    yield Failure(FailureClass.PLANNING, "all commands succeeded, but none produced an output", "E2.1")


def _by_output(record: RunRecord, grade: Grade, modules: Collection[str]) -> Iterator[Failure]:
    if record.produced and not grade.output:
        yield Failure(FailureClass.INSTRUCTIONS, "files were produced, but none has a name that is graded", "E5.1")
    if not grade.output:
        return
    if grade.grader and not grade.crashed:
        yield Failure(FailureClass.NONE, f"not graded: {grade.grader[:200]}")
    if reason := find_bypass(record, modules):
        yield Failure(FailureClass.INSTRUCTIONS, reason, "E5.2")
    if grade.crashed:
        yield Failure(
            FailureClass.INSTRUCTIONS, f"the test script crashes on the output: {grade.comments[:200]}", "E5.1"
        )
    if not grade.process:
        yield Failure(FailureClass.INSTRUCTIONS, "the test script rejects the form of the output", "E5.1")
    yield Failure(FailureClass.COMPREHENSION, "the output has the requested form but is incorrect", "")


def find_bypass(record: RunRecord, modules: Collection[str]) -> str:
    """Return how an output came about without the repository; empty if nothing shows that."""
    commands = [command.text for command in record.commands]
    texts = [*record.written, *commands]
    names = {re.sub(r"[\W_]", "", name).lower() for name in modules}
    for found in (match for text in texts for match in _CONSTANTS.finditer(text)):
        word = (found[1] or "").lower()
        # A repository may be about fake data.
        if not word or not any(name.startswith(word) for name in names):
            return f"the output is made of constants: {found.group().strip()[:100]}"
    for log in filter(None, map(_REDIRECTS.search, commands)):
        return f"the output is the redirected log of a script: {log.group()[:100]}"
    code = [text for text in texts if _CODE.search(text)]
    mentioned = re.sub(r"[\W_]", "", " ".join(texts)).lower()
    if names and code and not any(name in mentioned for name in names):
        return f"no command and no code runs or imports the repository ({', '.join(sorted(modules)[:3])})"
    return ""


def _actions(record: RunRecord) -> list[RecordedCommand]:
    return [command for command in record.commands if not _READS.search(command.text)]


def _by_inaction(record: RunRecord, last: RecordedCommand | None) -> Failure:
    if any(_INSTALLS.search(command.text) for command in record.commands):
        is_broken = last is not None and any(pattern.search(last.output) for pattern in _ENVIRONMENT.values())
        if last is not None and is_broken:
            return Failure(FailureClass.ENVIRONMENT, f"an installation failed: {last.text[:100]}", "E1.2")
        return Failure(FailureClass.PLANNING, "the task ended after installations", "E2.1")
    if record.state == "budget_reached" or last:
        return Failure(FailureClass.RUNTIME, f"the task finished as {record.state} while it only read files", "E4.2")
    return Failure(FailureClass.PLANNING, "the task ended after it read files", "E2.2")


def _by_tools(record: RunRecord) -> Iterator[Failure]:
    tool = next((one for one in reversed(record.failed_tools) if one[0] in _TOOLS_OF_THE_ENVIRONMENT), None)
    if tool and not any(command.exit_code == 0 for command in record.commands):
        yield Failure(FailureClass.ENVIRONMENT, f"{tool[0]} failed and no command succeeded: {tool[1][:200]}", "E1.2")
    if not record.commands:
        yield Failure(FailureClass.PLANNING, "no command was run", "E2.1")


def _line(command: RecordedCommand, pattern: re.Pattern[str]) -> str:
    return next((line.strip()[:200] for line in reversed(command.output.splitlines()) if pattern.search(line)), "")
