"""The lazy table of policies: adding one is a file in this folder and a line here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Final, cast

from repoquarry.agent.errors import UnknownNameError
from repoquarry.agent.policies.base import Policy, PolicyContext

POLICIES: Final[Mapping[str, str]] = {
    "deterministic": "repoquarry.agent.policies.deterministic",
    "chat": "repoquarry.agent.policies.chat",
}


def check_policy(name: str) -> None:
    """Raises: UnknownNameError, which lists the known ones."""
    if name not in POLICIES:
        raise UnknownNameError("policy", name, POLICIES)


def load_policy(name: str, context: PolicyContext) -> Policy:
    """A policy for one task. Raises: UnknownNameError; AgentError when it cannot serve (no chat model set up, say)."""
    check_policy(name)
    return cast(Policy, importlib.import_module(POLICIES[name]).create(context))
