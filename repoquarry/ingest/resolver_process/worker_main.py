"""Main function of the resolver process."""

from __future__ import annotations

import gc
import hashlib

import msgspec

from repoquarry.ingest.artifacts import decode_facts
from repoquarry.ingest.memory_tuning import mmap_large_allocations
from repoquarry.ingest.resolver_process.cached_resolution import FamilyResolution, digest_inputs
from repoquarry.languages.facts import FileFacts
from repoquarry.processes.workers import open_worker_pipes, read_frame, write_frame

DONE, FAILED = b"+", b"-"
"""How an answer begins."""


class ResolveRequest(msgspec.Struct, array_like=True, frozen=True):
    """What comes before the facts."""

    steps: int
    configuration: dict[str, bytes]
    rules: bytes
    """As `waiting.rules_of` makes it."""
    known: tuple[bytes, ...]
    """Digests of parts that the parent has."""


class ResolveResponse(msgspec.Struct, array_like=True, frozen=True):
    """What comes back where nothing failed."""

    digest: bytes
    """Of all that it follows from, as `digest_inputs` makes it: that of the facts that were given."""
    parts: list[FamilyResolution]


def serve() -> None:
    """Read the facts, resolve them, and answer with a part for each family; with its digest alone where the parent has it."""
    incoming, outgoing = open_worker_pipes()
    mmap_large_allocations()
    gc.disable()  # the process ends with its one answer: there is nothing worth collecting before
    from repoquarry.ingest.resolution import prepare  # here, as whoever waits for an answer imports this module too

    head = read_frame(incoming)
    if head is None:
        return  # the parent is gone
    files = {}
    while frame := read_frame(incoming):
        facts = decode_facts(frame)
        files[facts.path] = facts, hashlib.sha256(frame).digest()
        prepare(facts)
    if frame is None:
        return  # the parent is gone
    try:
        answer = DONE + msgspec.msgpack.encode(_answer(msgspec.msgpack.decode(head, type=ResolveRequest), files))
    except MemoryError:
        raise  # the parent tells which limit was reached
    except Exception as exc:  # told to the parent, which says it to the user
        answer = FAILED + f"{type(exc).__name__}: {exc}"[:500].encode()
    write_frame(outgoing, answer)


def _answer(asked: ResolveRequest, given: dict[str, tuple[FileFacts, bytes]]) -> ResolveResponse:
    """`given` are facts and their digests by path. Raises: KernelError."""
    from repoquarry.ingest.resolution import SolverBudget, by_family, resolve_family

    files = [given[path] for path in sorted(given)]
    parts = []
    for family, own in by_family(facts for facts, _ in files):
        digest = digest_inputs(asked.rules, [given[facts.path][1] for facts in own])
        if digest in asked.known:
            parts.append(FamilyResolution.known(digest))
        else:
            found = resolve_family(family, own, asked.configuration, budget=SolverBudget(steps=asked.steps))
            parts.append(FamilyResolution.of(digest, found))
    return ResolveResponse(digest_inputs(asked.rules, [digest for _, digest in files]), parts)
