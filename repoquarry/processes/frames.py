"""Frames on a pipe: eight bytes of length, big-endian, then the message. Both ends use this module."""

from __future__ import annotations

import os
import queue
import struct
import threading
import time
from collections.abc import Callable, Iterable
from itertools import islice
from typing import IO

from repoquarry.processes.waiting import READABLE, ready

HEADER = struct.Struct("!Q")
_MAX_FRAME = 1 << 32
_LOOK_SECONDS = 0.2
_AT_ONCE = 256
"""Messages that are joined before they are sent."""


def write_frame(stream: IO[bytes], message: bytes) -> None:
    """Send one message and flush. Raises: OSError when the other side is gone."""
    stream.write(HEADER.pack(len(message)))
    stream.write(message)
    stream.flush()


def write_frames(stream: IO[bytes], messages: Iterable[bytes]) -> None:
    """Send many messages and flush: in few writes, each of which may wait for a busy interpreter. Raises: OSError as `write_frame`."""
    waiting = iter(messages)
    while some := list(islice(waiting, _AT_ONCE)):
        stream.write(b"".join(part for message in some for part in (HEADER.pack(len(message)), message)))
        stream.flush()


def read_frame(stream: IO[bytes], seconds: float = 0.0, look: Callable[[], None] | None = None) -> bytes | None:
    """One message of a stream that nothing else reads; None at its end.

    `look` is called several times a second while waiting and may raise. Raises: TimeoutError (`seconds` 0: never).
    """
    deadline = time.monotonic() + seconds if seconds else None
    head = _exactly(stream, HEADER.size, deadline, look)
    if head is None:
        return None
    length = HEADER.unpack(head)[0]
    return _exactly(stream, length, deadline, look) if length <= _MAX_FRAME else None


def _exactly(stream: IO[bytes], count: int, deadline: float | None, look: Callable[[], None] | None) -> bytes | None:
    descriptor, parts, missing = stream.fileno(), [], count
    while missing:
        if deadline is not None or look is not None:
            _wait(descriptor, deadline, look)
        part = os.read(descriptor, min(missing, 1 << 20))
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _wait(descriptor: int, deadline: float | None, look: Callable[[], None] | None) -> None:
    """Wait until there is something to read. Raises: TimeoutError."""
    while not ready(descriptor, READABLE, _LOOK_SECONDS):
        if look is not None:
            look()
        if deadline is not None and time.monotonic() > deadline:
            raise TimeoutError


def incoming(stream: IO[bytes]) -> queue.SimpleQueue[bytes]:
    """The messages that arrive on a child's input; the process ends at once when its parent is gone, whatever it does.

    A thread of its own reads, so that the end of the input is seen in the middle of work.
    """
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(stream, messages), name="frames", daemon=True).start()
    return messages


def _read(stream: IO[bytes], messages: queue.SimpleQueue[bytes]) -> None:
    while True:
        header = stream.read(HEADER.size)
        if len(header) < HEADER.size:
            os._exit(0)
        messages.put(stream.read(HEADER.unpack(header)[0]))
