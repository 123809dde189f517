"""One line of provenance: the repositories of an answer, their state, and the one clause that matters most.

`based on shop@4f1c2ab83d05 (clean, current); 6 unresolved calls may add callers`
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from repoquarry.graphstore.model.values import Value, count_noun, get_str
from repoquarry.graphstore.repository_names import bare_id
from repoquarry.languages.registry import CALLS_UNKNOWN
from repoquarry.v1 import basis_pb2 as pb

_HASH_LENGTH = 12
_RELEASE = re.compile(r"v?\d[\w.+-]*")
_UNCHECKED = {"git": "git address", "archive": "archive", "package": "package"}
"""Words for kinds of sources that are never compared with the index."""
_STATES = {pb.Freshness.STATE_CURRENT: "current", pb.Freshness.STATE_STALE: "stale"}
_NAMED = 3
_MAX_NAMES = 50
"""Characters of the names of a few repositories; with more only their number is stated."""


@dataclass(frozen=True)
class BasisNotes:
    """Sentences about the data behind an answer, by what they report."""

    elsewhere: str = ""
    """Another working tree of the repository is indexed, not this one."""
    answer: Sequence[str] = ()
    """Notes on this answer."""
    store: Sequence[str] = ()
    """Notices of the store, such as vectors of another embedder."""


def summarize_basis(
    basis: pb.AnswerBasis, sources: Sequence[Mapping[str, Value]], notes: BasisNotes, gained: str
) -> str:
    """Return the line of provenance; `sources` are the properties of the first repositories, in the order of the basis.

    `gained` are the relations that unresolved calls may add, "callers" or "callees"; empty if they are not counted.
    """
    if not basis.repositories:
        return ""
    clause = _find_clause(basis, sources, notes, gained)
    return f"based on {_describe_repositories(basis, sources)}" + (f"; {clause}" if clause else "")


def _describe_repositories(basis: pb.AnswerBasis, sources: Sequence[Mapping[str, Value]]) -> str:
    if basis.repository_count == 1:
        return _describe_one(basis.repositories[0], sources[0])
    states = Counter(_STATES.get(entry.freshness.state, "not checked") for entry in basis.repositories)
    states["not checked"] += basis.repository_count - len(basis.repositories)
    present = {state: count for state, count in states.items() if count}
    shown = [f"all {state}" for state in present]
    if len(present) > 1:
        shown = [f"{present[state]} {state}" for state in ("current", "stale", "not checked") if state in present]
    names = ", ".join(entry.repository.rpartition("/")[2] for entry in basis.repositories)
    is_short = basis.repository_count <= _NAMED and len(names) <= _MAX_NAMES
    return f"{names if is_short else f'{basis.repository_count:,} repositories'} ({', '.join(shown)})"


def _describe_one(entry: pb.RepositoryBasis, source: Mapping[str, Value]) -> str:
    id_, ref = entry.repository.rpartition("/")[2], get_str(source.get("ref"))
    is_versioned = bare_id(id_) != id_
    version = ref if _RELEASE.fullmatch(ref) else entry.commit[:_HASH_LENGTH] or entry.revision[:_HASH_LENGTH]
    name = id_ if is_versioned else f"{id_}@{version}"
    if kind := _UNCHECKED.get(get_str(source.get("source_kind"))):
        return f"{name} ({kind})"
    tree = "uncommitted changes" if entry.dirty else "clean" if entry.commit else "no git"
    tree = "git unreadable" if entry.freshness.git_problem else tree
    return f"{name} ({tree}, {_STATES.get(entry.freshness.state, 'state unknown')})"


def _find_clause(basis: pb.AnswerBasis, sources: Sequence[Mapping[str, Value]], notes: BasisNotes, gained: str) -> str:
    """Return the first clause that applies, most serious first; empty for none."""
    entries = basis.repositories
    problem = next((entry.freshness.git_problem for entry in entries if entry.freshness.git_problem), "")
    without_calls = next((note for note in notes.answer if note.endswith(CALLS_UNKNOWN)), "")
    relevant = sum(entry.unresolved_calls.relevant for entry in entries) if gained else 0
    unresolved = f"{count_noun(relevant, 'unresolved call')} may add {gained}" if relevant else ""
    candidates = (
        notes.elsewhere,
        problem,
        *notes.store[:1],
        _describe_stale(entries),
        _find_unknown(entries, sources),
        without_calls,
        unresolved,
    )
    return next(filter(None, candidates), "")


def _describe_stale(entries: Sequence[pb.RepositoryBasis]) -> str:
    stale = [entry for entry in entries if entry.freshness.state == pb.Freshness.STATE_STALE]
    if not stale:
        return ""
    if len(entries) > 1:
        names = [entry.repository.rpartition("/")[2] for entry in stale]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        return f"re-index {', '.join(names[:_NAMED])}{more}"
    fresh = stale[0].freshness
    counts = [("commit", fresh.commits), ("file", fresh.files)]
    parts = [count_noun(count, noun) for noun, count in counts if count]
    return f"out of date by {', '.join(parts)}; re-index" if parts else "re-index"


def _find_unknown(entries: Sequence[pb.RepositoryBasis], sources: Sequence[Mapping[str, Value]]) -> str:
    """Return why the freshness of a folder is unknown; empty if it is known, and for sources that are never compared."""
    for entry, source in zip(entries, sources, strict=False):
        is_unknown = entry.freshness.state == pb.Freshness.STATE_UNKNOWN
        if is_unknown and get_str(source.get("source_kind")) not in _UNCHECKED:
            return entry.freshness.note
    return ""
