"""Values that policies, question answering, tools and the LangGraph loop exchange: tool calls, their results and records, answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from repoquarry.agent.task import UnresolvedName
from repoquarry.code.excerpts.text_view import TextView, ViewKind
from repoquarry.code.records import UnresolvedSite
from repoquarry.execution.isolation.commands import CommandOutcome
from repoquarry.operations.result import OperationResult, Place


@dataclass(frozen=True)
class ToolCall:
    """A call that a policy wants made. `id` is its own; `problem` answers it without calling, when it is malformed."""

    id: str
    tool: str
    arguments: Mapping[str, object]
    why: str = ""
    problem: str = ""
    step: int = 0
    """Number of the call within its task, from 1; 0 while the call has none."""


@dataclass(frozen=True)
class CommandRecord:
    """A finished command."""

    command: str
    outcome: CommandOutcome
    log: str
    """Workspace file with its output; empty if there was no output or no space."""


@dataclass(frozen=True)
class ToolResult(OperationResult):
    """Result of a tool, which may have had an effect."""

    command: CommandRecord | None = None
    """Command that was run, if the tool runs one."""

    repository: str = ""
    """Repository that the call added to the task; empty if it added none."""

    failed: bool = False
    """True for an error; its summary is the message."""

    @classmethod
    def from_text(cls, text: str, *, failed: bool = False, repository: str = "") -> ToolResult:
        """Build the result whose view is its summary."""
        return cls(TextView(ViewKind.ROWS, text), text, repository=repository, failed=failed)


@dataclass(frozen=True)
class Folded:
    """A call that is no longer in the conversation, with all that it brought."""

    call: ToolCall
    text: str


@dataclass(frozen=True)
class Answer:
    """Answer with ranked places. Without `is_grounded` nothing that tools returned supports the text."""

    text: str
    places: tuple[Place, ...] = ()
    unresolved: tuple[UnresolvedName, ...] = ()
    repositories: tuple[str, ...] = ()
    is_grounded: bool = True
    found: bool = True
    """True if the repositories hold an answer."""
    relevant_names: tuple[str, ...] = ()
    """Short names whose unresolved calls may affect the answer."""


def count_unresolved(sites: Iterable[UnresolvedSite]) -> tuple[UnresolvedName, ...]:
    """Count unresolved calls by repository and name; each site counts once."""
    unique: dict[tuple[str, str], UnresolvedSite] = {}
    for site in sites:
        unique.setdefault((site.caller.id, site.name), site)
    names: dict[tuple[str, str], UnresolvedName] = {}
    for site in unique.values():
        key = (site.caller.repository, site.name)
        known = names.get(key, UnresolvedName(*key, 0))
        names[key] = UnresolvedName(*key, known.sites + site.count, tuple(sorted({site.reason, *known.reasons})))
    return tuple(names.values())


@dataclass(frozen=True)
class CallRecord:
    """Finished call. `key` is equal for calls of one tool with equal arguments."""

    id: str
    key: str
    failed: bool
    is_new: bool = False
    """True if the call named a place that no call before it named."""

    has_effect: bool = False
    is_repeated: bool = False
    """True if the call was refused, because its result is known."""


def count_steps(state: Mapping[str, Any]) -> int:
    """Number of tool calls that a task has made, by its state."""
    return sum(not record.is_repeated for record in state.get("history", ()))
