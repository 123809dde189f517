"""Recall, precision and F1 of sets, for one instance and over many, and pass rates; by language, category and number of nodes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True)
class Retrieval:
    """How one predicted set compares with the one that is right."""

    recall: float
    precision: float
    f1: float


NOTHING = Retrieval(0.0, 0.0, 0.0)


def compare(right: Collection[str], predicted: Collection[str]) -> Retrieval:
    """Compare two sets; what has no denominator is 0, as in scikit-learn, which the benchmark uses."""
    hits = len(set(right) & set(predicted))
    recall = hits / len(set(right)) if right else 0.0
    precision = hits / len(set(predicted)) if predicted else 0.0
    f1 = 2 * hits / (len(set(right)) + len(set(predicted))) if hits else 0.0
    return Retrieval(recall, precision, f1)


@dataclass(frozen=True)
class Scored:
    """What is known of one instance's prediction. None where it could not be computed or does not apply."""

    instance_id: str
    language: str
    category: str
    node_count: int
    """Nodes that the accepted fix changes."""
    files: Retrieval
    nodes: Retrieval | None
    published_files: Retrieval
    """By the rules of the benchmark's code; see `patches`."""
    published_nodes: Retrieval | None
    resolved: bool | None = None
    problem: str = ""


def mean(found: Iterable[Retrieval | None]) -> dict[str, float | int] | None:
    """Macro average over the instances that have a value; None where none has."""
    rows = [row for row in found if row is not None]
    if not rows:
        return None
    return {
        "recall": fmean(row.recall for row in rows),
        "precision": fmean(row.precision for row in rows),
        "f1": fmean(row.f1 for row in rows),
        "instances": len(rows),
    }


def summary(rows: Sequence[Scored]) -> dict[str, object]:
    """All averages over some instances, and the share that was resolved of those whose tests were run."""
    tested = [row.resolved for row in rows if row.resolved is not None]
    return {
        "instances": len(rows),
        "files": mean(row.files for row in rows),
        "nodes": mean(row.nodes for row in rows),
        "published_files": mean(row.published_files for row in rows),
        "published_nodes": mean(row.published_nodes for row in rows),
        "tested": len(tested),
        "pass_rate": sum(tested) / len(tested) if tested else None,
    }


_STRATA: Mapping[str, Callable[[Scored], str]] = {
    "language": lambda row: row.language or "unknown",
    "category": lambda row: row.category or "unknown",
    "nodes": lambda row: _size(row.node_count),
}


def _size(nodes: int) -> str:
    return "0" if not nodes else "1" if nodes == 1 else "2-3" if nodes < 4 else "4-9" if nodes < 10 else "10+"


def strata(rows: Sequence[Scored]) -> dict[str, dict[str, dict[str, object]]]:
    """`summary` by language, by category and by number of changed nodes."""
    found: dict[str, dict[str, dict[str, object]]] = {}
    for name, key in _STRATA.items():
        groups: dict[str, list[Scored]] = {}
        for row in rows:
            groups.setdefault(key(row), []).append(row)
        found[name] = {group: summary(members) for group, members in sorted(groups.items())}
    return found
