"""Observers of RPCs and background work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

End = Callable[[str], None]
"""Called once with how it ended: the name of a gRPC status code, or of a state of work."""


class Observer(Protocol):
    """Is told when something begins, and gives what is to be called at its end. Used by several threads."""

    def call(self, service: str, method: str, metadata: Mapping[str, str]) -> End:
        """A call of an RPC; `metadata` are the texts among what the client sent along."""
        ...

    def work(self, kind: str) -> End:
        """A job or task that a thread of this process begins to run."""
        ...


@dataclass
class ObservedOutcome:
    """How something ended; set before the observed block is left."""

    name: str


@contextmanager
def observed_work(observers: Sequence[Observer], kind: str, unforeseen: str) -> Iterator[ObservedOutcome]:
    """Tell the observers of work; `unforeseen` is how it ended where nothing else is said."""
    outcome = ObservedOutcome(unforeseen)
    ends = [observer.work(kind) for observer in observers]
    try:
        yield outcome
    finally:
        for end in ends:
            end(outcome.name)
