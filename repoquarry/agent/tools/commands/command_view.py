"""What the tools that run commands have in common: the outcome of a command as a log, kept whole in the workspace."""

from __future__ import annotations

from dataclasses import dataclass

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import ToolContext
from repoquarry.agent.tools.commands.frames import frames_in
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.isolation.commands import CommandOutcome


@dataclass(frozen=True)
class CommandRecord:
    """A command that was run."""

    command: str
    outcome: CommandOutcome
    log: str
    """File of the workspace with its output; empty when it had none or there was no room."""


def show_outcome(context: ToolContext, command: str, outcome: CommandOutcome) -> ToolResult:
    """The output under a line that says how the command ended."""
    ending = f"stopped: {outcome.stopped}" if outcome.stopped else f"exit code {outcome.exit_code}"
    notes = [f"{command}: {ending} after {outcome.seconds:.1f} s"]
    if outcome.dropped_bytes:
        notes.append(f"{outcome.dropped_bytes} bytes of output were not kept")
    if outcome.left_running:
        notes.append(f"{outcome.left_running} processes that it left running were killed")
    log = context.folder().keep_log(outcome.output) if outcome.output else ""
    summary = "; ".join(notes)
    heading = f"{summary}; output in {log}" if log else summary
    places, frames = frames_in(context, outcome.output) if outcome.exit_code else ((), "")
    view = ToolView(ViewKind.LOG, outcome.output, "\n".join(filter(None, (heading, frames))))
    return ToolResult(view, summary, places, (CommandRecord(command, outcome, log),))
