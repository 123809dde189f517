"""What the tools that run commands have in common: the outcome of a command as a log."""

from __future__ import annotations

from repoquarry.agent.commands import Outcome
from repoquarry.agent.tools.base import ToolResult
from repoquarry.agent.views import View, ViewKind


def show_outcome(what: str, outcome: Outcome) -> ToolResult:
    """The output under a line that says how the command ended."""
    ending = f"stopped: {outcome.stopped}" if outcome.stopped else f"exit code {outcome.exit_code}"
    notes = [f"{what}: {ending} after {outcome.seconds:.1f} s"]
    if outcome.dropped_bytes:
        notes.append(f"{outcome.dropped_bytes} bytes of output were not kept")
    if outcome.left_running:
        notes.append(f"{outcome.left_running} processes that it left running were killed")
    return ToolResult(View(ViewKind.LOG, outcome.output, "; ".join(notes)), "; ".join(notes), records=(outcome,))
