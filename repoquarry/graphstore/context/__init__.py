"""The launchpad text of a repository: what an agent should read first, within a budget of tokens."""

from __future__ import annotations

from repoquarry.graphstore.context.building import build_context
from repoquarry.graphstore.context.requests import DEFAULT_TOKENS, ContextBlock, ContextRequest, RepositoryContext

__all__ = ["DEFAULT_TOKENS", "ContextBlock", "ContextRequest", "RepositoryContext", "build_context"]
