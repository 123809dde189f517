"""Checkpoints that kill their task: the walk ends as at `kill -9`, when the nth checkpoint is on disk or the nth node begins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver


class KilledError(BaseException):
    """End of the process, which nothing in the product catches."""


@contextmanager
def killed_at(checkpoint: int) -> Iterator[None]:
    """Kill the task of the block when it has written so many checkpoints."""
    put, written = SqliteSaver.put, count(1)

    def put_and_kill(self: SqliteSaver, *given: Any, **named: Any) -> Any:
        config = put(self, *given, **named)
        if next(written) == checkpoint:
            raise KilledError
        return config

    SqliteSaver.put = put_and_kill  # type: ignore[method-assign]
    try:
        yield
    finally:
        SqliteSaver.put = put  # type: ignore[method-assign]
