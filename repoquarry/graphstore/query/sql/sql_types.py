"""Static types of compiled expressions, their SQL types, and conversions between them.

A node or relationship is an integer until the result is read: its label or type in the upper bits, then the number of its
repository, then its row. So a label test is a test of a range, and a table is joined only where a property is read.

A value whose type is known only at run time is a text with a tag (`dynamic_values`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, PropertyKind

KIND_BITS: Final = 48
"""Position of the label or type in an id."""

REPOSITORY_BITS: Final = 30
"""Position of the number of the repository in an id, above the row."""

LABELS: Final = tuple(NODE_LABELS)
TYPES: Final = tuple(RELATIONSHIP_TYPES)
LABEL_NUMBERS: Final = {name: number for number, name in enumerate(LABELS)}
TYPE_NUMBERS: Final = {name: number for number, name in enumerate(TYPES)}


@dataclass(frozen=True, slots=True)
class SqlType:
    """Type of a compiled expression; `item` of a list, `fields` of a map with known keys."""

    kind: str
    item: SqlType | None = None
    fields: tuple[tuple[str, SqlType], ...] = ()

    @property
    def items(self) -> SqlType:
        return self.item if self.item is not None else ANY

    @property
    def is_number(self) -> bool:
        return self.kind in ("integer", "float")

    @property
    def is_entity(self) -> bool:
        return self.kind in ("node", "relationship")

    @property
    def is_list(self) -> bool:
        return self.kind == "list"

    @property
    def is_dynamic(self) -> bool:
        return self.kind == "any"

    @property
    def is_plain(self) -> bool:
        """Return whether SQL compares values of this type like Cypher."""
        return self.kind in _NAMES and self.kind not in ("any", "path")


NULL, BOOLEAN, INTEGER, FLOAT, STRING, NODE, RELATIONSHIP, PATH, ANY = map(
    SqlType, ("null", "boolean", "integer", "float", "string", "node", "relationship", "path", "any")
)
_NAMES = {
    "null": "BIGINT",
    "boolean": "BOOLEAN",
    "integer": "BIGINT",
    "float": "DOUBLE",
    "string": "VARCHAR",
    "node": "BIGINT",
    "relationship": "BIGINT",
    "path": "STRUCT(ns BIGINT[], rs BIGINT[])",
    "any": "VARCHAR",
}


def list_of(item: SqlType) -> SqlType:
    return SqlType("list", item)


def map_of(fields: Iterable[tuple[str, SqlType]]) -> SqlType:
    return SqlType("map", None, tuple(fields))


_KINDS = {
    PropertyKind.STRING: STRING,
    PropertyKind.INTEGER: INTEGER,
    PropertyKind.FLOAT: FLOAT,
    PropertyKind.BOOLEAN: BOOLEAN,
    PropertyKind.STRINGS: list_of(STRING),
    PropertyKind.INTEGERS: list_of(INTEGER),
}
NODE_PROPERTIES: Final = {p.name: _KINDS[p.kind] for label in NODE_LABELS.values() for p in label.properties}
RELATIONSHIP_PROPERTIES: Final = {
    p.name: _KINDS[p.kind] for kind in RELATIONSHIP_TYPES.values() for p in kind.properties
}


def property_type(kind: PropertyKind) -> SqlType:
    """Return the type of a stored property."""
    return _KINDS[kind]


def sql_name(found: SqlType) -> str:
    """Return the type's name in SQL."""
    if found.kind == "list":
        return sql_name(found.items) + "[]"
    if found.kind == "map":
        return f"STRUCT({', '.join(f'{quote(key)} {sql_name(item)}' for key, item in found.fields)})"
    return _NAMES[found.kind]


def quote(name: str) -> str:
    """Quote an identifier."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """Quote a text of our own, such as a label; texts of users are parameters."""
    return "'" + value.replace("'", "''") + "'"


def are_field_names(keys: Iterable[str]) -> bool:
    """Return whether a map of these keys has a type in SQL, whose names ignore case and end at NUL."""
    names = list(keys)
    return bool(names) and len({name.lower() for name in names}) == len(names) and not any("\0" in n for n in names)


def unify(types: Iterable[SqlType]) -> SqlType:
    """Return the type of a value that may have each of the types."""
    found = NULL
    for other in types:
        found = _unify_two(found, other)
    return found


def _unify_two(left: SqlType, right: SqlType) -> SqlType:
    if left == right or right == NULL:
        return left
    if left == NULL:
        return right
    if left.is_list and right.is_list:
        return list_of(_unify_two(left.items, right.items))
    if left.kind == right.kind == "map" and [k for k, _ in left.fields] == [k for k, _ in right.fields]:
        pairs = zip(left.fields, right.fields, strict=True)
        return map_of((key, _unify_two(item, other)) for (key, item), (_, other) in pairs)
    return ANY


def convert(sql: str, found: SqlType, wanted: SqlType) -> str:
    """Convert a value to a type that `unify` returned for its own one and others."""
    if found == wanted:
        return sql
    if found == NULL:
        return f"NULL::{sql_name(wanted)}"
    if wanted.is_dynamic:
        return encode(sql, found)
    if wanted.is_list:
        if found.items == NULL:
            return f"{sql}::{sql_name(wanted)}"
        return f"list_transform({sql}, lambda y: {convert('y', found.items, wanted.items)})"
    if wanted.kind == "map":
        parts = zip(found.fields, wanted.fields, strict=True)
        entries = (f"{text(k)}: {convert(f'y.{quote(k)}', have, want)}" for (k, have), (_, want) in parts)
        return f"list_transform([{sql}], lambda y: CASE WHEN y IS NOT NULL THEN {{{', '.join(entries)}}} END)[1]"
    raise TypeError(f"no conversion from {found.kind} to {wanted.kind}")


_TAGS = {"integer": "i", "float": "f", "string": "s", "node": "n", "relationship": "r"}


def encode(sql: str, found: SqlType) -> str:
    """Convert a value to the text that `dynamic_values.decode` reads."""
    if found.is_dynamic:
        return sql
    if found == NULL:
        return "NULL::VARCHAR"
    if found.kind == "boolean":
        return f"('b' || ({sql})::INTEGER)"
    if found.kind in _TAGS:
        return f"('{_TAGS[found.kind]}' || ({sql}))"
    if found.kind == "path":
        return f"('p' || to_json({sql})::VARCHAR)"
    if found.is_list:
        inner = sql if found.items.is_dynamic else f"list_transform({sql}, lambda y: {encode('y', found.items)})"
        return f"('l' || to_json({inner})::VARCHAR)"
    entries = ", ".join(f"{text(key)}: {encode(f'm.{quote(key)}', item)}" for key, item in found.fields)
    body = f"'m' || to_json({{{entries}}})::VARCHAR" if found.fields else "'m{}'"
    return f"list_transform([{sql}], lambda m: CASE WHEN m IS NOT NULL THEN {body} END)[1]"
