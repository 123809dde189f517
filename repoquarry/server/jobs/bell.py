"""How those who wait for news of work are woken."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio


class Bell:
    """Wakes those who wait for news, in threads and in event loops. Who waits looks again itself; the bell carries nothing."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._rings = 0
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    @property
    def rings(self) -> int:
        """How often it has rung: read it before looking, and give it to `wait`, so that no ring is missed."""
        return self._rings

    def ring(self) -> None:
        with self._condition:
            self._rings += 1
            self._condition.notify_all()
            for loop, event in self._waiting:
                if not loop.is_closed():
                    loop.call_soon_threadsafe(event.set)

    def wait(self, seen: int, seconds: float) -> None:
        """Return when it rang after `seen`, or after that time."""
        with self._condition:
            self._condition.wait_for(lambda: self._rings != seen, seconds)

    async def wait_async(self, seen: int, seconds: float) -> None:
        """As `wait`, without holding a thread."""
        import asyncio

        entry = (asyncio.get_running_loop(), asyncio.Event())
        with self._condition:
            if self._rings != seen:
                return
            self._waiting.add(entry)
        try:
            await asyncio.wait_for(entry[1].wait(), seconds)
        except TimeoutError:
            return
        finally:
            with self._condition:
                self._waiting.discard(entry)
