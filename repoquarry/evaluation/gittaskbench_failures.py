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
    UNKNOWN = "unknown"
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
    """`answered`, `budget_reached`, `cancelled` or `failed`; `unknown` if only the output is known."""
    error: str = ""
    error_reason: str = ""
    commands: tuple[RecordedCommand, ...] = ()
    failed_tools: tuple[tuple[str, str], ...] = ()
    """Tool and message of failed calls."""
    produced: tuple[str, ...] = ()
    """Files in `outputs`."""
    written: tuple[str, ...] = ()
    """Texts that the agent wrote into files, in order."""
    reads: int = 0
    """Calls of tools that read the repository."""


_PATTERNS: Final = {key: re.compile(pattern) for key, pattern in _TABLES["patterns"].items()}
_INSTALLS: Final = re.compile(_TABLES["commands"]["installs"])
_READS: Final = re.compile(_TABLES["commands"]["reads"])
_CONCLUSION: Final = re.compile(r"^[\w.]*(Error|Exception|Interrupt|Exit|Timeout|NotFound)\b.*", re.MULTILINE)
_INTERRUPTED: Final = re.compile(r"KeyboardInterrupt|interrupted|cancelled", re.IGNORECASE)
_MODULE: Final = re.compile(r"(?:No module named|cannot import name '?\w+'? from) '?([\w.]+)")
_CONSTANT: Final = re.compile(
    r"^\s*(\w*(mock|dummy|fake|hard_?coded|placeholder|synthetic)\w*)\s?=\s?[\[{(\"']", re.IGNORECASE | re.MULTILINE
)
_CONFESSION: Final = re.compile(_TABLES["commands"]["confession"], re.IGNORECASE)
_WRITES: Final = r"\b(?:dump|dumps|write\w*|extend|append|print|DataFrame|to_\w+)\([^)\n]*\b%s\b"
_REDIRECTS: Final = re.compile(r"\bpython\S*\s[^|;&>]*\.py\b[^|;&>]*(?<![\d&])>\s*\S*output\S*")
_ELSEWHERE: Final = re.compile(r"(?:\s--?o(?:ut\w*)?(?:[-_]\w+)*[= ]|[^&\d]>\s*)(?!\S*outputs\b)[\w./]*\w\.\w+")
_CODE: Final = re.compile(r"^\s*(import|from) \w|\bpython\S* |\bdef \w+\(", re.MULTILINE)
_TOOLS_OF_THE_ENVIRONMENT: Final = ("provision", "install")
_KILLED, _STOPPED, _INTERRUPT = (137, -9), 124, (130, -2)


def classify(record: RunRecord, grade: Grade, modules: Collection[str] = (), internal: Collection[str] = ()) -> Failure:
    """Return the failure class.

    `modules` are names of the repository and of its importable modules, to find a bypass;
    `internal` are names of all its modules, at any depth.
    """
    if grade.result:
        return Failure(FailureClass.NONE, "")
    return next(_matches(record, grade, modules, {*modules, *internal}))


def _matches(record: RunRecord, grade: Grade, modules: Collection[str], internal: Collection[str]) -> Iterator[Failure]:
    """Yield every failure class that applies, most decisive first."""
    yield from _by_output(record, grade, modules)
    if record.state == "unknown":
        yield Failure(FailureClass.UNKNOWN, f"no run is known{': ' * bool(record.error)}{record.error[:200]}")
    failures = [command for command in record.commands if command.exit_code != 0 or command.stopped]
    last = failures[-1] if failures else None
    yield from _by_inaction(record, last)
    yield from _by_tools(record)
    if last:
        yield _by_command(last, modules, internal)
    if record.state in ("budget_reached", "failed", "cancelled"):
        yield Failure(FailureClass.RUNTIME, f"the task finished as {record.state}: {record.error[:200]}", "E4.2")
    for command in reversed(record.commands):
        if found := _ELSEWHERE.search(command.text):
            yield Failure(FailureClass.INSTRUCTIONS, f"a result lies outside outputs: {found.group().strip()}", "E5.1")
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
    if record.state != "unknown":
        yield Failure(FailureClass.COMPREHENSION, "the output has the requested form but is incorrect", "")


def find_bypass(record: RunRecord, modules: Collection[str]) -> str:
    """Return how an output came about without the repository; empty if nothing shows that."""
    commands = [command.text for command in record.commands]
    texts = [*record.written, *commands]
    names = set(filter(None, map(_normalized, modules)))
    if reason := _made_of_constants("\n".join(texts), names):
        return reason
    for log in filter(None, map(_REDIRECTS.search, commands)):
        return f"the output is the redirected log of a script: {log.group()[:100]}"
    mentioned = _normalized(" ".join(texts))
    if names and any(map(_CODE.search, texts)) and not any(name in mentioned for name in names):
        return f"no command and no code runs or imports the repository ({', '.join(sorted(modules)[:3])})"
    return ""


def _made_of_constants(text: str, names: Collection[str]) -> str:
    """Return the evidence that invented values are the result: the text says so, or it writes them unchanged."""
    for found in _CONFESSION.finditer(text):
        # A repository may be about fake data.
        if not any(name.startswith(found[1].lower()) for name in names if found[1]):
            return f"the output is made of constants: {found.group().strip()[:100]}"
    for found in _CONSTANT.finditer(text):
        is_subject = any(name.startswith(found[2].lower()) for name in names)
        if not is_subject and re.search(_WRITES % re.escape(found[1]), text):
            return f"the output is made of constants: {found.group().strip()[:100]}"
    return ""


def _by_inaction(record: RunRecord, last: RecordedCommand | None) -> Iterator[Failure]:
    """Yield failures of runs in which nothing but reading and installing was done, or nothing since the last failure."""
    actions = [command for command in record.commands if not _READS.search(command.text)]
    installs = [command for command in actions if _INSTALLS.search(command.text)]
    if not record.commands and (record.reads and not record.written and not record.failed_tools):
        yield Failure(FailureClass.PLANNING, "the task ended after it read files", "E2.2")
    if not record.commands or len(installs) < len(actions):
        yield from _after_repair(actions, last)
        return
    if record.state in ("cancelled", "failed"):
        yield Failure(FailureClass.RUNTIME, f"the task finished as {record.state}: {record.error[:200]}", "E4.2")
    if installs and last and (record.state == "budget_reached" or _is_environment(last)):
        yield _by_command(last, (), ())
    if installs or record.written:
        yield Failure(FailureClass.PLANNING, "the task ended before it ran anything but installations", "E2.1")
    yield Failure(FailureClass.PLANNING, "the task only read files", "E2.2")


def _after_repair(actions: list[RecordedCommand], last: RecordedCommand | None) -> Iterator[Failure]:
    if last not in actions or not _is_environment(last):
        return
    later = actions[len(actions) - actions[::-1].index(last) :]
    if later and all(_INSTALLS.search(command.text) for command in later):
        yield Failure(
            FailureClass.PLANNING, f"nothing was run again after the installation: {later[-1].text[:100]}", "E2.1"
        )


def _is_environment(command: RecordedCommand) -> bool:
    return any(pattern.search(command.output) for key, pattern in _PATTERNS.items() if key.startswith("E1"))


def _by_tools(record: RunRecord) -> Iterator[Failure]:
    tool = next((one for one in reversed(record.failed_tools) if one[0] in _TOOLS_OF_THE_ENVIRONMENT), None)
    if tool and not any(command.exit_code == 0 for command in record.commands):
        yield Failure(FailureClass.ENVIRONMENT, f"{tool[0]} failed and no command succeeded: {tool[1][:200]}", "E1.2")
    if not record.commands:
        yield Failure(FailureClass.PLANNING, "no command was run", "E2.1")


def _by_command(last: RecordedCommand, modules: Collection[str], internal: Collection[str]) -> Failure:
    """Return the class of a failed command: its limits, then its last exception, then all its output."""
    is_install = bool(_INSTALLS.search(last.text))
    if not is_install and (limit := _limit(last)):
        return limit
    conclusions = [found.group() for found in _CONCLUSION.finditer(last.output)]
    for text in (*conclusions[-1:], last.output):
        if own := _own_module(text, modules, internal):
            # `python -m` prints the name without quotes.
            return Failure(
                FailureClass.COMPREHENSION, f"the last failed command: {own}", "E3.2" if "'" in own else "E3.1"
            )
        for key, pattern in _PATTERNS.items():
            if pattern.search(text):
                secondary = key if "." in key else "E1.2" if is_install else ""
                return Failure(FailureClass(key[:2]), f"the last failed command: {_line(text, pattern)}", secondary)
    if is_install:
        return Failure(FailureClass.ENVIRONMENT, f"an installation failed: {last.text[:100]}", "E1.2")
    return Failure(FailureClass.RUNTIME, f"the last failed command: {last.stopped or f'exit code {last.exit_code}'}")


def _limit(last: RecordedCommand) -> Failure | None:
    """Return the failure of a command that was stopped from outside."""
    lines = last.output.strip().splitlines()[-1:]
    evidence = "\n".join([last.stopped, *lines])
    if _INTERRUPTED.search(evidence) or last.exit_code in _INTERRUPT:
        return Failure(FailureClass.RUNTIME, f"the last failed command: {evidence.strip()[:200]}", "E4.2")
    if last.stopped or last.exit_code in (*_KILLED, _STOPPED):
        reason = last.stopped or f"exit code {last.exit_code}"
        return Failure(FailureClass.RUNTIME, f"the last failed command: {reason}", "E4.1")
    return None


def _own_module(text: str, modules: Collection[str], internal: Collection[str]) -> str:
    """Return the message of a failed import within the repository; its package itself may only be not installed."""
    for found in _MODULE.finditer(text):
        top, *rest = found[1].split(".")
        if top not in internal or found[1].endswith("__main__"):
            continue
        if rest or found.group().startswith("cannot") or top not in modules:
            return found.group()
    return ""


def _normalized(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _line(text: str, pattern: re.Pattern[str]) -> str:
    return next((line.strip()[:200] for line in reversed(text.splitlines()) if pattern.search(line)), "")
