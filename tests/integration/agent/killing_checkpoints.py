"""Checkpoints that kill their task: the walk ends as at `kill -9`, when the nth checkpoint is on disk or the nth node begins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver


class KilledError(BaseException):
    """End of the process, which nothing in the product catches."""


@contextmanager
def killed_at(count: int, method: str = "put") -> Iterator[None]:
    """Kill the task of the block when it has written so many checkpoints, or with `put_writes` so many results of nodes."""
    write, written = getattr(SqliteSaver, method), iter(range(1, count + 1))

    def write_and_kill(self: SqliteSaver, *given: Any, **named: Any) -> Any:
        config = write(self, *given, **named)
        if next(written, 0) == count:
            raise KilledError
        return config

    setattr(SqliteSaver, method, write_and_kill)
    try:
        yield
    finally:
        setattr(SqliteSaver, method, write)
