"""Exceptions of sandboxed commands, workspaces and provisioning, one class per remedy; base class of the agent's exceptions."""

from __future__ import annotations

from collections.abc import Iterable


class ExecutionError(Exception):
    """Root of the errors of execution and of the agent. `reason` is a stable code (see docs/reference/errors.md)."""

    reason = "AGENT_FAILED"


class TaskRejectedError(ExecutionError):
    """Invalid task request; nothing was done."""

    reason = "TASK_INVALID"


class UnknownNameError(TaskRejectedError):
    """A policy, tool or question of that name does not exist; the message lists the known ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(sorted(known))
        super().__init__(f"no {kind} is called {name!r}; known: {', '.join(self.known) or 'none'}")


class ToolError(ExecutionError):
    """A tool failed: the policy reads the message and may try another call."""

    reason = "TOOL_FAILED"


class ToolArgumentsError(ToolError):
    """The arguments do not fit the tool: the message names the field and what was expected."""

    reason = "TOOL_ARGUMENTS_INVALID"


class OutsideWorkspaceError(ToolError):
    """A path leads out of the task's workspace: name one inside it."""

    reason = "OUTSIDE_WORKSPACE"


class UploadRejectedError(TaskRejectedError):
    """The upload differs from the announced file, or is not a regular file: send it again."""

    reason = "UPLOAD_INVALID"


class UploadNotFoundError(TaskRejectedError):
    """The caller has no uploaded file of that name: upload it again."""

    reason = "UPLOAD_NOT_FOUND"


class FileLimitError(TaskRejectedError):
    """Files exceed a limit of the settings: send less, or raise the limit that the message names."""

    reason = "FILE_LIMIT"


class IsolationUnavailableError(ExecutionError):
    """No isolation, or not the configured one, works on this machine: the message states why and what to set."""

    reason = "ISOLATION_UNAVAILABLE"


class EnvironmentUnavailableError(ExecutionError):
    """Environments cannot be provisioned on this machine: the message states what is missing and how to get it."""

    reason = "ENVIRONMENT_UNAVAILABLE"


class TaskCancelledError(ExecutionError):
    """The caller cancelled the task; its events contain the results so far."""

    reason = "CANCELLED"
