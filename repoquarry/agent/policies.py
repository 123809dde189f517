"""Policies: who decides what a task does next. Both are paths through the same graph."""

from __future__ import annotations

from typing import Final

from repoquarry.agent.errors import ModelRequiredError
from repoquarry.agent.loading import LOADING
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import TaskRequest
from repoquarry.execution.errors import UnknownNameError

DETERMINISTIC: Final = "deterministic"
CHAT: Final = "chat"
POLICIES: Final = (DETERMINISTIC, CHAT)


def check_policy(task: TaskRequest, settings: AgentSettings) -> None:
    """Check that the policy of a task can serve it.

    Raises: UnknownNameError; ModelRejectedError if no chat model can be opened; ModelRequiredError for a workspace without a model.
    """
    if task.policy not in POLICIES:
        raise UnknownNameError("policy", task.policy, POLICIES)
    if task.policy == CHAT:
        with LOADING:
            from repoquarry.agent.model.client import open_model  # loads langchain

        open_model(settings.model)
    elif task.workspace:
        raise ModelRequiredError(
            "a task that writes files or runs commands needs a chat model: set one up (agent.model.name) and ask for "
            "the policy 'chat'; a question without a workspace is answered without a model"
        )
