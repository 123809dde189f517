"""Interface of observers, such as metrics and traces, that are notified of starts and ends of RPCs and of background work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

End = Callable[[str], None]
"""Callback at the end, with the name of a gRPC status code or of a state of work."""


class Observer(Protocol):
    """Observer that is notified of a start and returns a callback for the end. Used by several threads."""

    def call(self, service: str, method: str, metadata: Mapping[str, str]) -> End:
        """Observe a call of an RPC; `metadata` is the text metadata of the client."""
        ...

    def work(self, kind: str) -> End:
        """Observe a job or task that this process starts to run."""
        ...


@dataclass
class ObservedOutcome:
    """Outcome of observed work; set before the end of the block."""

    name: str


@contextmanager
def observed_work(observers: Sequence[Observer], kind: str, default: str) -> Iterator[ObservedOutcome]:
    """Notify the observers of work; `default` is its outcome unless another is set."""
    outcome = ObservedOutcome(default)
    ends = [observer.work(kind) for observer in observers]
    try:
        yield outcome
    finally:
        for end in ends:
            end(outcome.name)
