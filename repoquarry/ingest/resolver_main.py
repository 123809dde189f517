"""Resolver process: reads parsed facts from its input pipe, resolves each language family, and sends the resolution back."""

from __future__ import annotations

import gc
import hashlib

import msgspec

from repoquarry.ingest.memory_tuning import mmap_large_allocations
from repoquarry.ingest.previous_state import FamilyResolution, decode_facts, digest_inputs
from repoquarry.languages.facts import FileFacts
from repoquarry.processes.workers import open_worker_pipes, read_frame, write_frame

DONE, FAILED = b"+", b"-"
"""First byte of an answer."""


class ResolveRequest(msgspec.Struct, array_like=True, frozen=True):
    """Request, sent before the facts."""

    steps: int
    configuration: dict[str, bytes]
    excluded: dict[str, str]
    """Reasons by path of source files that are not read."""
    rules: bytes
    """Digest of the rules (`PrestartedResolver.rules`)."""
    known: tuple[bytes, ...]
    """Digests of parts that the parent has."""


class ResolveResponse(msgspec.Struct, array_like=True, frozen=True):
    """Response of a successful run."""

    digest: bytes
    """Digest of the received inputs (`digest_inputs`)."""
    parts: list[FamilyResolution]


def serve() -> None:
    """Read the facts, resolve them, and send one part per family, or its digest if the parent has it."""
    incoming, outgoing = open_worker_pipes()
    mmap_large_allocations()
    # The process exits after one answer: collection frees nothing that matters.
    gc.disable()
    # Lazy import: the parent imports this module, too.
    from repoquarry.ingest.resolution import prepare

    head = read_frame(incoming)
    if head is None:
        # The parent has exited.
        return
    files = {}
    while frame := read_frame(incoming):
        facts = decode_facts(frame)
        files[facts.path] = facts, hashlib.sha256(frame).digest()
        prepare(facts)
    if frame is None:
        # The parent has exited.
        return
    try:
        answer = DONE + msgspec.msgpack.encode(_answer(msgspec.msgpack.decode(head, type=ResolveRequest), files))
    except MemoryError:
        # The parent names the limit that was exceeded.
        raise
    # The parent reports the error to the user.
    except Exception as exc:
        answer = FAILED + f"{type(exc).__name__}: {exc}"[:500].encode()
    write_frame(outgoing, answer)


def _answer(asked: ResolveRequest, given: dict[str, tuple[FileFacts, bytes]]) -> ResolveResponse:
    """Resolve facts and their digests by path. Raises: KernelError."""
    from repoquarry.ingest.resolution import SolverBudget, by_family, resolve_family

    files = [given[path] for path in sorted(given)]
    parts = []
    for family, own in by_family(facts for facts, _ in files):
        digest = digest_inputs(asked.rules, [given[facts.path][1] for facts in own])
        if digest in asked.known:
            parts.append(FamilyResolution(digest, b"", b""))
        else:
            found = resolve_family(
                family, own, asked.configuration, asked.excluded, budget=SolverBudget(steps=asked.steps)
            )
            parts.append(FamilyResolution.of(digest, found))
    return ResolveResponse(digest_inputs(asked.rules, [digest for _, digest in files]), parts)
