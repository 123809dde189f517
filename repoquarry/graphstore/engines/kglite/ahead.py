"""A graph file that is loaded before it is asked for, by a thread: the engine's library does that without holding up Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

Load = Callable[[str], Any]
"""A graph of its own from a file, given by its name."""


class ReadAhead:
    """Graphs that are being loaded, each for whoever takes it first."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._begun: dict[str, Future[Any]] = {}

    @contextmanager
    def reading(self, file: str) -> Iterator[None]:
        """Begin to load a file; what nobody has taken inside is dropped."""
        with ThreadPoolExecutor(1, thread_name_prefix="graph-ahead") as executor:
            self._begun[file] = executor.submit(self._load, file)
            try:
                yield
            finally:
                self._begun.pop(file, None)

    def take(self, file: str) -> Any:
        """The graph of a file, which is the caller's to change; loaded now where it was not begun. Raises: as `load`."""
        begun = self._begun.pop(file, None)
        return begun.result() if begun is not None else self._load(file)
