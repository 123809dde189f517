"""The resolver's side of `resolving`: a process that is given all facts, answers once, and is ended."""

from __future__ import annotations

import gc

import msgspec

from repoquarry.graphstore.folder.compression import compress
from repoquarry.ingest.files.packed import decode_facts
from repoquarry.processes.frames import read_frame, write_frame
from repoquarry.processes.worker import own_pipes

DONE, FAILED = b"+", b"-"
"""How an answer begins."""


def serve(memory_bytes: int) -> None:
    """Read the facts, resolve them, and answer."""
    incoming, outgoing = own_pipes(memory_bytes)
    head = read_frame(incoming)
    if head is None:
        return  # the parent is gone
    from repoquarry.ingest.resolution import (  # here, as whoever waits for an answer imports this module too
        Budget,
        resolve,
    )

    steps, configuration = msgspec.msgpack.decode(head, type=tuple[int, dict[str, bytes]])
    files = []
    while frame := read_frame(incoming):
        files.append(decode_facts(frame))
    if frame is None:
        return  # the parent is gone
    gc.disable()  # the process ends with its one answer: there is nothing worth collecting before
    try:
        found = resolve(files, configuration=configuration, budget=Budget(steps=steps))
        answer = DONE + compress(msgspec.msgpack.encode(found))
    except Exception as exc:  # told to the parent, which says it to the user
        answer = FAILED + f"{type(exc).__name__}: {exc}"[:500].encode()
    write_frame(outgoing, answer)
