"""Errors of the agent; the class says what the caller can do next."""

from __future__ import annotations

from repoquarry.execution.errors import ExecutionError, ToolError


class ApprovalDeniedError(ToolError):
    """A person declined the action: find another way, or say in the answer what would be needed."""

    reason = "APPROVAL_DENIED"


class ModelUnavailableError(ExecutionError):
    """The chat model could not be reached or kept failing: resume the task later, or choose the policy without a model.

    `retry_after_seconds`: what the provider asks to wait, 0 if it does not say. `is_final`: another attempt makes no sense.
    """

    reason = "MODEL_UNAVAILABLE"

    def __init__(self, message: str, *, retry_after_seconds: float = 0.0, is_final: bool = False) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
        self.is_final = is_final


class ModelRejectedError(ExecutionError):
    """The provider rejects the request itself (key, model name, context length): correct the settings."""

    reason = "MODEL_REJECTED"


class ModelOverflowError(ModelRejectedError):
    """The request is longer than the model's context: fold the conversation and retry. `limit`: named tokens, or 0."""

    def __init__(self, message: str, limit: int = 0) -> None:
        super().__init__(message)
        self.limit = limit


class ModelRequiredError(ExecutionError):
    """The task cannot be done without a chat model: set one up and choose the policy `chat`."""

    reason = "MODEL_REQUIRED"


class EvaluationError(ExecutionError):
    """The data of an evaluation cannot be used: the message names the file and line to correct."""

    reason = "EVALUATION_INVALID"
