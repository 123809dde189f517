"""Frames on a pipe: eight bytes of length, big-endian, then the message. Both ends use this module."""

from __future__ import annotations

import os
import queue
import struct
import threading
from typing import BinaryIO

HEADER = struct.Struct("!Q")


def write_frame(stream: BinaryIO, message: bytes) -> None:
    """Send one message and flush."""
    stream.write(HEADER.pack(len(message)))
    stream.write(message)
    stream.flush()


def incoming(stream: BinaryIO) -> queue.SimpleQueue[bytes]:
    """The messages that arrive on a child's input; the process ends at once when its parent is gone, whatever it does.

    A thread of its own reads, so that the end of the input is seen in the middle of work.
    """
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(stream, messages), name="frames", daemon=True).start()
    return messages


def _read(stream: BinaryIO, messages: queue.SimpleQueue[bytes]) -> None:
    while True:
        header = stream.read(HEADER.size)
        if len(header) < HEADER.size:
            os._exit(0)
        messages.put(stream.read(HEADER.unpack(header)[0]))
