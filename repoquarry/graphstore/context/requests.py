"""What is asked of a context and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_TOKENS = 8_000


@dataclass(frozen=True)
class ContextRequest:
    """A launchpad text for one repository, or for one task in it."""

    repository: str
    budget_tokens: int = DEFAULT_TOKENS
    """The whole text never has more, counted by `repoquarry.graphstore.tokens`."""
    task: str | None = None


@dataclass(frozen=True)
class ContextBlock:
    """One of the four blocks: `readme`, `modules`, `code` or `paths`."""

    name: str
    text: str
    tokens: int
    ids: tuple[str, ...]
    """Nodes whose text or summary the block holds, in order."""


@dataclass(frozen=True)
class RepositoryContext:
    """The text, how many tokens it has, and what it is made of."""

    text: str
    tokens: int
    blocks: tuple[ContextBlock, ...]
