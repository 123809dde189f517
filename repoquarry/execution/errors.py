"""Errors of execution, by what the caller can do next."""

from __future__ import annotations

from collections.abc import Iterable


class ExecutionError(Exception):
    """Root of the errors of execution and of the agent. `reason` is a stable code (see docs/errors.md)."""

    reason = "AGENT_FAILED"


class TaskRejectedError(ExecutionError):
    """The task cannot be run as it was asked: correct the request. Nothing was done."""

    reason = "TASK_INVALID"


class UnknownNameError(TaskRejectedError):
    """A policy, tool or question of that name does not exist; the message lists the known ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(sorted(known))
        super().__init__(f"no {kind} is called {name!r}; known: {', '.join(self.known) or 'none'}")


class ToolError(ExecutionError):
    """A tool could not do what it was asked: the policy reads the message and may try otherwise."""

    reason = "TOOL_FAILED"


class OutsideWorkspaceError(ToolError):
    """A path leads out of the task's workspace: name one inside it."""

    reason = "OUTSIDE_WORKSPACE"


class UploadRejectedError(TaskRejectedError):
    """What was sent is not the file that was announced, or is not one at all: send it again."""

    reason = "UPLOAD_INVALID"


class UploadNotFoundError(TaskRejectedError):
    """No uploaded file of that name is kept for this caller: upload it again."""

    reason = "UPLOAD_NOT_FOUND"


class FileLimitError(TaskRejectedError):
    """Files take more room than the settings allow: send less, or raise the limit that the message names."""

    reason = "FILE_LIMIT"


class IsolationUnavailableError(ExecutionError):
    """No isolation of commands works here, or not the one that is set: the message says why and what to set."""

    reason = "ISOLATION_UNAVAILABLE"


class EnvironmentUnavailableError(ExecutionError):
    """Environments cannot be made as things stand: the message says what is missing and how to get it."""

    reason = "ENVIRONMENT_UNAVAILABLE"


class TaskCancelledError(ExecutionError):
    """The caller cancelled the task; what was found so far is in the events."""

    reason = "CANCELLED"
