"""The events of a task: one table says which kinds there are and which data each carries.

Both policies run through the same graph, which is the only emitter, so a client cannot tell them apart by their events.
The table is checked against every event that is made: a client may rely on each key being there.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass


class EventKind(enum.Enum):
    """The kinds of event, in the order in which a task meets them."""

    TASK_STARTED = "task_started"
    TASK_RESUMED = "task_resumed"
    PLAN = "plan"
    MODEL_CALLED = "model_called"
    MODEL_RETRIED = "model_retried"
    TOOL_CALLED = "tool_called"
    APPROVAL_REQUESTED = "approval_requested"
    APPROVAL_DECIDED = "approval_decided"
    COMMAND_ENDED = "command_ended"
    TOOL_RETURNED = "tool_returned"
    SELECTION = "selection"
    CHECKED = "checked"
    BUDGET_REACHED = "budget_reached"
    ANSWER = "answer"
    TASK_CANCELLED = "task_cancelled"
    TASK_FAILED = "task_failed"


FIELDS: Mapping[EventKind, Mapping[str, str]] = {
    EventKind.TASK_STARTED: {
        "text": "the task as given",
        "repositories": "ids of the repositories that it may use",
        "policy": "name of the policy",
        "steps": "budget: tool calls, 0 for no limit",
        "tokens": "budget: tokens, 0 for no limit",
        "seconds": "budget: wall-clock time, 0 for no limit",
    },
    EventKind.TASK_RESUMED: {
        "steps": "tool calls that were made before the service stopped",
        "seconds": "time that the task had run",
    },
    EventKind.PLAN: {
        "question": "kind of question that the policy takes the task for",
        "subjects": "names, paths and terms that it will look for",
        "text": "what it is going to do, in words",
    },
    EventKind.MODEL_CALLED: {
        "model": "name of the chat model",
        "input_tokens": "tokens sent",
        "output_tokens": "tokens written",
        "estimated": "whether the tokens were counted here because the provider did not report them",
        "cost": "what it cost, by the price table of the settings; nothing for a model that it does not name",
        "seconds": "time of the request",
        "attempt": "1 for the first attempt",
    },
    EventKind.MODEL_RETRIED: {
        "model": "name of the chat model",
        "attempt": "the attempt that failed",
        "error": "what went wrong, without secrets",
        "wait_seconds": "time until the next attempt",
    },
    EventKind.TOOL_CALLED: {
        "call": "id of the call within the task",
        "tool": "name of the tool",
        "arguments": "its arguments",
        "step": "number of the step, from 1",
        "why": "why the policy calls it; may be empty",
    },
    EventKind.APPROVAL_REQUESTED: {
        "approval": "id of the request, to be named in the decision",
        "call": "id of the call that waits",
        "tool": "name of the tool",
        "arguments": "its arguments",
        "effect": "what it would do, in words",
    },
    EventKind.APPROVAL_DECIDED: {
        "approval": "id of the request",
        "granted": "whether it was granted",
        "automatic": "whether the task was set to approve by itself",
        "reason": "why it was refused; empty where nobody said",
    },
    EventKind.COMMAND_ENDED: {
        "call": "id of the call that ran it",
        "command": "the command, at most 2,000 characters",
        "exit_code": "its exit code; negative when a signal ended it",
        "stopped": "why it was stopped; empty when it ended by itself",
        "seconds": "time that it ran",
        "head": "first characters of its output, at most 2,000",
        "tail": "last characters of its output behind the head, at most 2,000",
        "left_out": "characters between head and tail",
        "log": "file of the workspace with the output; empty when there was none",
    },
    EventKind.TOOL_RETURNED: {
        "call": "id of the call",
        "tool": "name of the tool",
        "failed": "whether it failed; then `summary` is the message",
        "summary": "one line on what came back",
        "tokens": "tokens of the output before selection",
        "places": "places that it names, at most 20, as `path:line qualname`",
        "seconds": "time of the call",
    },
    EventKind.SELECTION: {
        "call": "id of the call whose output was cut",
        "method": "`subtrees`, `chunks`, `head_and_tail` or `rows`",
        "tokens_before": "tokens of the whole output",
        "tokens_after": "tokens that stayed",
        "kept": "what stayed, in words",
    },
    EventKind.CHECKED: {
        "checks": "completion checks: check in words, held, why not",
    },
    EventKind.BUDGET_REACHED: {
        "budget": "`steps`, `tokens` or `seconds`",
        "limit": "its limit",
    },
    EventKind.ANSWER: {
        "text": "the answer, Markdown",
        "places": "ranked places: repository, path, qualname, start_line, end_line, score, why, reasons",
        "unresolved": "unresolved calls that bear on it: repository, name, sites, reasons",
        "steps": "tool calls made",
        "read_tokens": "tokens of tool output that the policy was given",
        "input_tokens": "tokens sent to the chat model",
        "output_tokens": "tokens that the chat model wrote",
        "cost": "what the priced requests to the chat model cost",
        "unpriced_calls": "requests to a chat model that the price table does not name",
        "files": "files that were produced, those in `outputs/`: path, size, sha256, executable",
        "checks": "completion checks at the end: check in words, held, why not",
    },
    EventKind.TASK_CANCELLED: {"steps": "tool calls made until then"},
    EventKind.TASK_FAILED: {"reason": "stable word for the failure", "message": "what happened and what to do"},
}


@dataclass(frozen=True)
class TaskEvent:
    """Something that happened in a task. `data` is plain JSON with exactly the keys of `FIELDS[kind]`."""

    kind: EventKind
    data: Mapping[str, object]

    def __post_init__(self) -> None:
        expected = FIELDS[self.kind].keys()
        if self.data.keys() != expected:
            raise ValueError(f"event {self.kind.value} carries {sorted(self.data)}, not {sorted(expected)}")
