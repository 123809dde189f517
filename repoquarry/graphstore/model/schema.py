"""Schema of the property graph: node labels, relationship types and their properties with descriptions, read from schema.tsv.

All other modules use these names: the writer, the engines' constraints, the semantic checks of Cypher, the service's GetSchema and the
generated schema page. Line numbers are 1-based and inclusive. Paths are relative to the repository's root, with forward slashes. Required
properties are set on every node or relationship of their kind; the others are absent (null) if unknown, never an empty placeholder.

`id` is a node's only MERGE key and unique within its label. `title`, `type` and `label` are not property names because embedded engines
reserve them.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


class PropertyKind(enum.Enum):
    """Type of a property's values; every engine supports all of them."""

    STRING = "string"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    STRINGS = "list of strings"
    INTEGERS = "list of integers"


@dataclass(frozen=True)
class Property:
    name: str
    kind: PropertyKind
    meaning: str
    required: bool = False


@dataclass(frozen=True)
class NodeLabel:
    """Node label with its properties; `properties` includes the three that every node has."""

    name: str
    meaning: str
    properties: tuple[Property, ...]

    @property
    def by_name(self) -> Mapping[str, Property]:
        return {prop.name: prop for prop in self.properties}


@dataclass(frozen=True)
class RelationshipType:
    name: str
    meaning: str
    start: tuple[str, ...]
    end: tuple[str, ...]
    properties: tuple[Property, ...] = field(default=())

    @property
    def by_name(self) -> Mapping[str, Property]:
        return {prop.name: prop for prop in self.properties}


def _read_schema(text: str) -> tuple[Mapping[str, NodeLabel], Mapping[str, RelationshipType]]:
    """Read the labels and relationship types of schema.tsv, whose first line describes its form."""
    groups: dict[str, list[Property]] = {}
    labels: dict[str, NodeLabel] = {}
    relationship_types: dict[str, RelationshipType] = {}
    for section in re.split(r"\n(?=\w)", text)[1:]:
        head, *lines = section.splitlines()
        kind, name, ends, meaning = f"{head}\t\t".split("\t")[:4]
        properties: list[Property] = []
        for line in lines:
            if line.startswith("\t+"):
                properties += groups[line[2:]]
            else:
                _, key, values, about = line.split("\t")
                properties.append(Property(key, PropertyKind(values.rstrip("!")), about, values.endswith("!")))
        if kind == "node":
            labels[name] = NodeLabel(name, meaning, tuple(properties))
        elif kind == "relationship":
            start, end = (tuple(side.split()) for side in ends.split(">"))
            relationship_types[name] = RelationshipType(name, meaning, start, end, tuple(properties))
        else:
            groups[name] = properties
    return labels, relationship_types


NODE_LABELS, RELATIONSHIP_TYPES = _read_schema(Path(__file__).with_suffix(".tsv").read_text("utf-8"))

SEARCH_INDEXES: Mapping[str, tuple[str, ...]] = {
    **{f"{label}_embedding": (label,) for label in ("Function", "Class", "Module", "Document")},
    "repoquarry_text": ("Function", "Class", "Module", "Document"),
}
"""Labels of the nodes in each index of the search procedures; an index of vectors has one label."""

DAY_PROPERTIES = frozenset({"commit_date", "last_changed"})
"""Properties whose strings are days, such as `2026-01-31`."""

TIME_PROPERTIES = frozenset({"indexed_at"})
"""Properties whose strings are times, such as `2026-01-31T09:30:00Z`; they differ between graphs of equal inputs."""


def properties_of_relationship(name: str) -> Mapping[str, Property]:
    """The properties of a relationship type by name. Raises: KeyError for an unknown type."""
    return RELATIONSHIP_TYPES[name].by_name


def properties_of_node(name: str) -> Mapping[str, Property]:
    """The properties of a node label by name. Raises: KeyError for an unknown label."""
    return NODE_LABELS[name].by_name
