"""What depends on changed definitions, hop by hop: the confidence of a path is the product of those of its edges.

An edge has the confidence that resolution gave it, times a weight of its kind: a caller runs what it calls, while a module that
imports another one may use any part of it. Everything keeps its best path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.code.reader import CodeReader
from repoquarry.graphstore.code.records import Definition, Edge

WEIGHTS: Final[Mapping[str, float]] = {
    "CALLS": 0.95,
    "OVERRIDES": 0.9,
    "INHERITS": 0.8,
    "REFERENCES": 0.6,
    "IMPORTS": 0.6,
}
"""Share of a change's confidence that a step of a kind hands on, besides the confidence of the edge."""
_ANNOTATION: Final = 0.2
_CONSTRUCTOR: Final = 1.0
_ENCLOSING: Final = 0.9
_OWNER: Final = 0.3
_FILE: Final = 0.3
_MEMBER: Final = 0.5
_POSSIBLE: Final = 0.25
"""Steps that no relationship stands for: from a constructor to its class, from an inner function to the outer one, from a method to its
class, from a definition to its file, from a class to its methods, and to an unresolved call of a name."""
MAX_FRONTIER: Final = 2_000
"""Definitions of one hop that are followed, those of the highest confidence."""


@dataclass(frozen=True)
class Affected:
    """Something that a change reaches. `via` is what it depends on, by id; empty for what was changed itself."""

    definition: Definition
    confidence: float
    hops: int
    how: str
    via: str = ""


def affected_by(
    reader: CodeReader, touched: Sequence[Definition], repositories: Sequence[str], hops: int, least: float
) -> dict[str, Affected]:
    """Everything that is reached within so many hops with a confidence of at least `least`, by id; what was touched has 1.0.

    Calls are followed into those of `repositories` that use another one.
    """
    found = {item.id: Affected(item, 1.0, 0, "changed") for item in touched}
    _reach(found, _possible(reader, touched, repositories), 1, least)
    frontier = sorted(found)
    for hop in range(1, hops + 1):
        steps = _steps(reader, [found[id_] for id_ in frontier], repositories)
        improved = _reach(found, steps, hop, least)
        frontier = sorted(improved, key=lambda id_: (-found[id_].confidence, id_))[:MAX_FRONTIER]
        if not frontier:
            break
    return found


def _reach(found: dict[str, Affected], steps: Iterable[Affected], hop: int, least: float) -> set[str]:
    """Keep what is surer than before; the ids of these."""
    improved = set()
    for step in steps:
        id_, known = step.definition.id, found.get(step.definition.id)
        if step.confidence >= least and (known is None or step.confidence > known.confidence + 1e-9):
            found[id_] = Affected(step.definition, step.confidence, hop, step.how, step.via)
            improved.add(id_)
    return improved


def _steps(reader: CodeReader, sources: Sequence[Affected], repositories: Sequence[str]) -> Iterator[Affected]:
    sure = {item.definition.id: item.confidence for item in sources}
    ids = list(sure)
    for edges in (
        reader.calls_to(ids),
        reader.calls_from_elsewhere(ids, repositories),
        reader.overridden(ids),
        reader.subclasses(ids),
        reader.references_to(ids),
        reader.imports_to(ids),
    ):
        for edge in edges:
            confidence = sure[edge.end.id] * edge.confidence * _weight(edge)
            yield Affected(edge.start, confidence, 0, edge.kind.lower(), edge.end.id)
    yield from _around(reader, sources)


def _weight(edge: Edge) -> float:
    return _ANNOTATION if edge.kind == "REFERENCES" and edge.how == "annotation" else WEIGHTS[edge.kind]


def _around(reader: CodeReader, sources: Sequence[Affected]) -> Iterator[Affected]:
    """Steps along the code tree: to what a definition is a part of, and from a class to its methods."""
    for source in sources:
        item = source.definition
        if item.label == "Module":
            continue
        outer = _outer(reader, item)
        if outer is not None:
            share = _ENCLOSING if outer.label == "Function" else _CONSTRUCTOR if item.kind == "constructor" else _OWNER
            yield Affected(outer, source.confidence * share, 0, "part of it", item.id)
        if source.hops == 0:
            module = reader.module(item.repository, item.path)
            if module is not None:
                yield Affected(module, source.confidence * _FILE, 0, "its file", item.id)
            if item.label == "Class":
                yield from _members(reader, source)


def _outer(reader: CodeReader, item: Definition) -> Definition | None:
    name = item.qualname.rpartition(".")[0]
    found = [other for other in reader.inside(item.repository, item.path) if other.qualname == name] if name else []
    return found[0] if found else None


def _members(reader: CodeReader, source: Affected) -> Iterator[Affected]:
    prefix = f"{source.definition.qualname}."
    for other in reader.inside(source.definition.repository, source.definition.path):
        if other.qualname.startswith(prefix):
            yield Affected(other, source.confidence * _MEMBER, 0, "member", source.definition.id)


def _possible(reader: CodeReader, touched: Sequence[Definition], repositories: Sequence[str]) -> Iterator[Affected]:
    """Who calls a changed name where the call could not be resolved."""
    named = {item.name: item.id for item in touched if item.label == "Function" and not item.is_test}
    if named:
        for site in reader.unresolved_named(named, repositories):
            yield Affected(site.caller, _POSSIBLE, 0, "possible call", named[site.name])
