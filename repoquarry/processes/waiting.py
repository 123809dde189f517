"""Waiting for a pipe, with poll() and not with select(): a busy server has descriptors above select()'s limit of 1,024."""

from __future__ import annotations

import select

READABLE, WRITABLE = select.POLLIN, select.POLLOUT


def ready(descriptor: int, event: int, seconds: float) -> bool:
    """Whether there is something to read (or room to write) within this time; an end that was closed counts as both."""
    waiting = select.poll()
    waiting.register(descriptor, event)
    return bool(waiting.poll(1000 * seconds))
