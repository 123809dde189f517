"""How a task with files is done without a model: a state machine over one repository after the other.

For each: list its entry points, provision it, ask an entry point for its help, run a few command lines with the task's files, check the
output. What it knows between two calls is in `Progress`, and what calls bring is read from their texts alone, because their records are
not remembered over a restart.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from repoquarry.agent.decisions import Act, Answer, Observation, Plan, ToolCall
from repoquarry.agent.policies.base import PolicyContext
from repoquarry.agent.repository_catalogs import offers
from repoquarry.agent.repository_ranking import RankedRepository, rank_repositories
from repoquarry.agent.views.view import relevance
from repoquarry.agent.working.files import files_of
from repoquarry.agent.working.lines import lines_for
from repoquarry.agent.working.progress import Attempt, Progress, RepositoryWork, Stage
from repoquarry.agent.working.report import report
from repoquarry.agent.working.starts import Start, code_folder, starts_of
from repoquarry.agent.working.usage import Usage, read_usage
from repoquarry.agent.working.values import values_of
from repoquarry.execution.errors import ToolError
from repoquarry.execution.workspaces.completion_checks import CompletionCheck

_REPOSITORIES: Final = 3
_STARTS: Final = 3
_SUBCOMMANDS: Final = 2
_HELP_SECONDS: Final = 120.0
_SHOWN_LINES: Final = 8
_NOT_FOUND: Final = 127
"""Exit code of a shell that does not find a program."""

_ENDING: Final = re.compile(r": (?:exit code (-?\d+)|stopped: ([^;\n]*?)) after [\d.]+ s")
_IS_HELP: Final = r"(?i)\A(?!\s*usage\b)"
"""Matches what is no help text: a program that prints its help has not made the output."""

_LACKING: Final = re.compile(r"^(?:ModuleNotFoundError|ImportError): .*", re.MULTILINE)
"""Ends the traceback of a program that no arguments will make run."""

_PLAN: Final = (
    "find the entry point of the repository, provision it, run it on the files of the task, and check the output"
)


class WorkingPolicy:
    """Puts the repositories of one task to work."""

    resumable = True

    def __init__(self, context: PolicyContext) -> None:
        self._context = context
        self._text = context.request.text
        self._files = files_of(context.request)
        self._values = values_of(self._text, self._files)
        only = len(context.repositories) == 1
        works = [RepositoryWork(context.repositories[0])] if only else []
        self._progress = Progress(Stage.LOOK if only else Stage.CHOOSE, works)
        self._held: tuple[str, ...] = ()

    def decide(self, observations: Sequence[Observation]) -> Act | Answer:
        first = self._progress.calls == 0
        for observation in observations:
            self._hear(observation)
        if self._progress.stage in (Stage.DONE, Stage.FAILED):
            return report(self._progress, self._files, self._held, note=self._offered())
        plan = Plan("work", (*self._files.inputs, self._files.output), _PLAN) if first else None
        return Act((self._call(),), plan)

    def conclude(self, observations: Sequence[Observation], reason: str) -> Answer:
        for observation in observations:
            self._hear(observation)
        return report(self._progress, self._files, self._held, reason)

    def _offered(self) -> str:
        """Repositories that are not indexed and may do what failed, with the commands that index them."""
        if self._progress.stage is not Stage.FAILED:
            return ""
        indexed = [item.source for item in self._context.reader.repositories()]
        try:
            found = offers(self._context.settings, self._text, indexed)[:_REPOSITORIES]
        except ToolError as error:
            return f"Other repositories could not be looked up: {error}."
        listed = "\n".join(f"- {one.name}: {one.description}: `{one.command}`" for one in found)
        return f"Not indexed, and may fit; index one and ask again:\n\n{listed}" if found else ""

    def unfinished(self, problem: str) -> bool:
        """Try the next command line where the output was taken for good; without one there is nothing more to try."""
        if self._progress.stage is not Stage.DONE:
            return False
        self._failed(Attempt(self._progress.lines[0].command, problem, "", ""))
        return True

    def remembered(self) -> dict[str, Any]:
        return {"progress": msgspec.to_builtins(self._progress), "held": list(self._held)}

    def restore(self, memory: Any) -> None:
        self._progress = msgspec.convert(memory["progress"], Progress)
        self._held = tuple(memory["held"])

    def _call(self) -> ToolCall:
        """The call of the stage."""
        progress = self._progress
        progress.calls += 1
        tool, why, arguments = self._asked()
        return ToolCall(f"call-{progress.calls}", tool, arguments, why)

    def _asked(self) -> tuple[str, str, Mapping[str, object]]:
        progress = self._progress
        match progress.stage:
            case Stage.CHOOSE:
                arguments: dict[str, object] = {"text": self._text, "limit": _REPOSITORIES}
                return "choose_repository", "which repositories fit the task", arguments
            case Stage.LOOK:
                return "entry_points", "how the repository is started", {"repository": progress.current.repository}
            case Stage.PROVISION:
                name = progress.current.repository
                arguments = {"repository": name, "folder": code_folder(name)}
                return "provision", "what its code needs", arguments
            case Stage.HELP:
                start = progress.starts[0]
                command = shlex.join([*start.command, "--help"])
                arguments = {"command": command, "folder": start.folder, "seconds": _HELP_SECONDS}
                return "run_command", f"what arguments the {start.kind} takes", arguments
            case Stage.RUN:
                line = progress.lines[0]
                return "run_command", line.why, {"command": self._cleaned(line.command), "folder": line.folder}
            case _:
                command = f"rm -rf -- {shlex.quote(self._files.output)}"
                return "run_command", "nothing wrong is to be delivered", {"command": command}

    def _cleaned(self, command: str) -> str:
        """A command that does not find what one before it wrote."""
        if not self._progress.current.attempts:
            return command
        output = shlex.quote(f"{'../' * _depth(self._progress.lines[0].folder)}{self._files.output}")
        return f"rm -rf -- {output} && {command}"

    def _hear(self, observation: Observation) -> None:
        if observation.result is None and observation.text.endswith("was not approved"):
            self._progress.stopped = f"{observation.text}: `{observation.call.arguments.get('command', '')}`"
            self._progress.stage = Stage.FAILED
            return
        match self._progress.stage:
            case Stage.CHOOSE:
                self._chosen(observation)
            case Stage.LOOK:
                self._looked()
            case Stage.PROVISION:
                self._provisioned(observation)
            case Stage.HELP:
                self._helped(observation)
            case Stage.RUN:
                self._ran(observation)
            case _:
                self._progress.stage = self._progress.after

    def _chosen(self, observation: Observation) -> None:
        records = observation.result.records if observation.result else ()
        found = [item for item in records if isinstance(item, RankedRepository)]
        found = found or rank_repositories(self._context.reader, self._context.repositories, self._text)
        self._progress.repositories = [RepositoryWork(one.repository, one.reasons) for one in found[:_REPOSITORIES]]
        self._progress.stage = Stage.LOOK if found else Stage.FAILED

    def _looked(self) -> None:
        repository = self._progress.current.repository
        self._progress.starts = starts_of(self._context.reader, repository, self._text)[:_STARTS]
        if self._progress.starts:
            self._progress.stage = Stage.PROVISION
        else:
            self._give_up(
                "no entry point was found that can be started here: its manifest names no command, no module is made to be run, "
                "and no command in its README starts one of its files."
            )

    def _provisioned(self, observation: Observation) -> None:
        if observation.result is None:
            self._give_up(observation.text.rstrip(".") + ".")
        else:
            self._progress.stage = Stage.HELP

    def _helped(self, observation: Observation) -> None:
        """Read the help: subcommands are entry points of their own, tried before the next one."""
        start = self._progress.starts[0]
        code, _ = _ending(observation)
        if code == _NOT_FOUND and start.instead:
            self._progress.starts[0] = replace(start, command=start.instead, instead=())
            return
        if code and (lacking := _LACKING.search(observation.text)):
            why = f"it cannot be started: {lacking[0]}"
            self._progress.current.attempts.append(
                _attempt(str(observation.call.arguments["command"]), why, observation.text)
            )
            self._next_start()
            return
        usage = read_usage(observation.text, start.command)
        if usage is not None and usage.subcommands and not any(start.examples):
            self._progress.starts[:1] = self._subcommands(start, usage)
            return
        self._progress.lines = lines_for(start, usage, self._files, self._values)
        if self._progress.lines:
            self._progress.stage = Stage.RUN
        else:
            command = str(observation.call.arguments["command"])
            why = "its help names no argument that could be the task's files"
            self._progress.current.attempts.append(_attempt(command, why, observation.text))
            self._next_start()

    def _subcommands(self, start: Start, usage: Usage) -> list[Start]:
        """The subcommands that speak for the task most."""
        scores = relevance([f"{name} {about}" for name, about in usage.subcommands], self._text)
        ranked = sorted(range(len(scores)), key=lambda number: (-scores[number], number))
        named = [usage.subcommands[number][0] for number in ranked[:_SUBCOMMANDS]]
        return [replace(start, command=(*start.command, name), instead=()) for name in named]

    def _ran(self, observation: Observation) -> None:
        code, why = _ending(observation)
        command = self._progress.lines[0].command
        if code == 0:
            asked = (
                CompletionCheck(self._files.output, not_empty=True, pattern=_IS_HELP),
                *self._context.request.checks,
            )
            outcomes = self._context.verify(asked)
            failed = [f"{one.check}: {one.why}" for one in outcomes if not one.held]
            if not failed:
                named = [f"`{self._files.output}` is there, is not empty and is no help text"]
                self._held = (*named, *(one.check for one in outcomes[1:]))
                self._progress.stage = Stage.DONE
                return
            why = f"it ended with exit code 0, but {'; '.join(failed)}"
        self._failed(_attempt(command, why, observation.text))

    def _failed(self, attempt: Attempt) -> None:
        """Go on behind a command line that did not make the output."""
        progress = self._progress
        progress.current.attempts.append(attempt)
        progress.lines = progress.lines[1:]
        if progress.lines:
            progress.stage = Stage.RUN
        else:
            self._next_start()

    def _next_start(self) -> None:
        self._progress.starts = self._progress.starts[1:]
        if self._progress.starts:
            self._progress.stage = Stage.HELP
        else:
            self._give_up("no command line of its entry points made the output.")

    def _give_up(self, problem: str) -> None:
        """Go on to the next repository, without what this one left."""
        progress = self._progress
        progress.current.problem = problem
        ran = bool(progress.current.attempts)
        following = Stage.FAILED
        if progress.at + 1 < len(progress.repositories):
            progress.at += 1
            following = Stage.LOOK
        progress.after, progress.stage = following, Stage.CLEAN if ran else following


def _ending(observation: Observation) -> tuple[int | None, str]:
    """Exit code of a command, None without one, and how it ended in words."""
    if observation.result is None:
        return None, observation.text
    heading = observation.text[len(f"$ {observation.call.arguments['command']}") :]
    match = _ENDING.match(heading)
    if match is None:
        return None, "how it ended is not known"
    if match[1] is None:
        return None, f"it was stopped: {match[2]}"
    return int(match[1]), f"it ended with exit code {match[1]}"


def _attempt(command: str, why: str, text: str) -> Attempt:
    """A failed command with head and tail of its output."""
    lines = text.split("\n")[1:]
    head, rest = lines[:_SHOWN_LINES], lines[_SHOWN_LINES:]
    return Attempt(command, why, "\n".join(head), "\n".join(rest[-_SHOWN_LINES:]))


def _depth(folder: str) -> int:
    return 0 if folder == "." else folder.count("/") + 1
