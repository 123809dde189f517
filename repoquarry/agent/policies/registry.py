"""The lazy table of policies: adding one is a file in this folder and a line here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import ModuleType
from typing import Final, cast

from repoquarry.agent.loading import LOADING
from repoquarry.agent.policies.base import Policy, PolicyContext
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import TaskRequest
from repoquarry.execution.errors import UnknownNameError

POLICIES: Final[Mapping[str, str]] = {
    "deterministic": "repoquarry.agent.policies.deterministic",
    "chat": "repoquarry.agent.policies.chat",
}


def check_policy(task: TaskRequest, settings: AgentSettings) -> None:
    """Raises: UnknownNameError, which lists the known ones; ExecutionError when it cannot serve (no chat model set up, say)."""
    _module(task.policy).check(task, settings)


def load_policy(name: str, context: PolicyContext) -> Policy:
    """A policy for one task. Raises: UnknownNameError; ExecutionError when it cannot serve (no chat model set up, say)."""
    return cast(Policy, _module(name).create(context))


def _module(name: str) -> ModuleType:
    if name not in POLICIES:
        raise UnknownNameError("policy", name, POLICIES)
    with LOADING:
        return importlib.import_module(POLICIES[name])
