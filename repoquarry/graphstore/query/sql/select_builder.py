"""Builder of one SELECT: its FROM with the tables of entities whose properties are read, and its conditions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.query.cypher.syntax.ast import Direction
from repoquarry.graphstore.query.sql.sql_types import (
    KIND_BITS,
    LABEL_NUMBERS,
    LABELS,
    TYPE_NUMBERS,
    TYPES,
    SqlType,
    quote,
)

ALL_LABELS = frozenset(LABELS)
ALL_TYPES = frozenset(TYPES)
_ATOM = re.compile(r'[\w.$"~]+(::\w+(\[\])?)?')


@dataclass(frozen=True)
class Value:
    """Compiled expression. `names` are the possible labels or types of an entity."""

    sql: str
    type: SqlType
    names: frozenset[str] = frozenset()
    owner: Select | None = field(default=None, compare=False)
    """SELECT whose FROM an entity's table may join; None inside of a lambda."""
    nullable: bool = True

    @property
    def is_atom(self) -> bool:
        """Return whether the text may be repeated at no cost."""
        return _ATOM.fullmatch(self.sql) is not None


def all_names(found: SqlType) -> frozenset[str]:
    return ALL_TYPES if found.kind == "relationship" else ALL_LABELS


def names_test(sql: str, kind: str, names: Iterable[str]) -> str:
    """Return the condition that an id has one of the labels or types."""
    numbers = sorted((TYPE_NUMBERS if kind == "relationship" else LABEL_NUMBERS)[name] for name in names)
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    tests = [f"{sql} BETWEEN {low << KIND_BITS} AND {((high + 1) << KIND_BITS) - 1}" for low, high in spans]
    if not tests:
        return f"({sql} < 0)"
    return f"({' OR '.join(tests)})"


@dataclass
class EntityTable:
    """Rows of nodes or relationships of some labels or types in a FROM; `columns` are the properties that are read.

    Relationships have their ends as `a` and `b`, in the direction of reading.
    """

    alias: str
    kind: str
    names: frozenset[str]
    direction: Direction = Direction.OUT
    columns: set[str] = field(default_factory=set)

    @property
    def id(self) -> str:
        return f"{self.alias}.{'nid' if self.kind == 'node' else 'rid'}"

    def column(self, name: str) -> str:
        self.columns.add(name)
        return f"{self.alias}.{quote(name)}"

    def sql(self) -> str:
        if self.kind == "node":
            return f"{self._nodes()} {self.alias}"
        return f"{self._relationships()} {self.alias}"

    def _nodes(self) -> str:
        if len(self.names) == 1:
            return f'"n_{next(iter(self.names))}"'
        parts = [
            f'SELECT {self._columns("nid", NODE_LABELS[name].by_name)} FROM "n_{name}"' for name in sorted(self.names)
        ]
        return f"({' UNION ALL '.join(parts) or self._nothing('nid')})"

    def _relationships(self) -> str:
        parts: list[str] = []
        for name in sorted(self.names):
            properties = {**RELATIONSHIP_TYPES[name].by_name, "s": None, "t": None}
            forward = f'SELECT {self._columns("rid, s AS a, t AS b", properties)} FROM "r_{name}"'
            backward = f'SELECT {self._columns("rid, t AS a, s AS b", properties)} FROM "r_{name}"'
            parts += {
                Direction.OUT: [forward],
                Direction.IN: [backward],
                Direction.BOTH: [forward, backward + " WHERE s <> t"],
            }[self.direction]
        return f"({' UNION ALL '.join(parts) or self._nothing('rid', 'a', 'b')})"

    def _columns(self, ids: str, known: Mapping[str, object]) -> str:
        read = [quote(n) if n in known else f"NULL AS {quote(n)}" for n in sorted(self.columns)]
        return ", ".join([ids, *read])

    def _nothing(self, *ids: str) -> str:
        columns = [f"NULL::BIGINT AS {name}" for name in ids] + [f"NULL AS {quote(n)}" for n in sorted(self.columns)]
        return f"SELECT {', '.join(columns)} WHERE FALSE"


class Select:
    """FROM and WHERE of one SELECT."""

    def __init__(self, new_name: Callable[[str], str]) -> None:
        self._new_name = new_name
        self._items: list[tuple[str, str | EntityTable, str]] = []
        self._conditions: list[str] = []
        self._tables: dict[str, EntityTable] = {}
        self.order = ""
        """Column whose order `collect` keeps; empty if the rows have no order."""

    @property
    def is_empty(self) -> bool:
        return not self._items

    def add(self, source: str | EntityTable) -> None:
        """Add a table, subquery or LATERAL subquery by a cross join."""
        self._items.append(("CROSS JOIN", source, ""))

    def add_optional(self, source: str, condition: str = "TRUE") -> None:
        if self.is_empty:
            self._items.append(("", f"(SELECT 1) {self._new_name('z')}", ""))
        self._items.append(("LEFT JOIN", source, condition))

    def require(self, condition: str) -> None:
        """Add a condition."""
        self._conditions.append(condition)

    def bind_conditions(self) -> None:
        """Apply the conditions so far below what is joined next, since no filter passes a lateral join."""
        if self._conditions and self._items:
            condition = " AND ".join(f"({c})" for c in self._conditions)
            self._items.append(("JOIN", f"(SELECT 1) {self._new_name('z')}", condition))
            self._conditions = []

    def scan(self, kind: str, names: frozenset[str], direction: Direction = Direction.OUT) -> EntityTable:
        """Add a table of entities."""
        table = EntityTable(self._new_name("n" if kind == "node" else "r"), kind, names, direction)
        self.add(table)
        self._tables[table.id] = table
        return table

    def table_of(self, entity: Value) -> EntityTable | None:
        """Return the table with the properties of an entity, joined at the first use; None if it cannot be joined here."""
        found = self._tables.get(entity.sql)
        if found is not None:
            return found
        if "(SELECT" in entity.sql or "lambda" in entity.sql:
            return None
        table = EntityTable(self._new_name("e"), entity.type.kind, entity.names)
        how = "LEFT JOIN" if entity.nullable else "JOIN"
        if self.is_empty:
            self._items.append(("", f"(SELECT 1) {self._new_name('z')}", ""))
        self._items.append((how, table, f"{table.id} = {entity.sql}"))
        self._tables[entity.sql] = table
        return table

    def owns(self, value: Value) -> bool:
        return value.owner is self

    def seal(self, values: Sequence[Value], extra: str = "") -> tuple[Select, list[Value], str]:
        """Nest this SELECT as the FROM of another one.

        Returns that one, `values` as its columns, and the name of the column `extra`, such as an unnest().
        """
        alias, columns = self._new_name("q"), dict[str, str]()
        for value in values:
            columns.setdefault(value.sql, self._new_name("c"))
        order = self.order
        if order:
            columns.setdefault(order, self._new_name("c"))
        shown = [f"{sql} AS {name}" for sql, name in columns.items()]
        added = self._new_name("c")
        if extra:
            shown.append(f"{extra} AS {added}")
        outer = Select(self._new_name)
        outer.add(f"(SELECT {', '.join(shown) or '1 AS one'}{self.body()}) {alias}")
        if order:
            outer.order = f"{alias}.{columns[order]}"
        moved = [replace(value, sql=f"{alias}.{columns[value.sql]}", owner=outer) for value in values]
        return outer, moved, f"{alias}.{added}"

    def body(self) -> str:
        """Return FROM and WHERE; nothing may be added afterwards."""
        parts: list[str] = []
        for how, source, condition in self._items:
            shown = source if isinstance(source, str) else source.sql()
            parts.append(f"{how} {shown}{f' ON {condition}' if condition else ''}" if parts else shown)
        text = f" FROM {' '.join(parts)}" if parts else ""
        if self._conditions:
            text += " WHERE " + " AND ".join(f"({c})" for c in self._conditions)
        return text


@dataclass(frozen=True)
class Scope:
    """Variables in scope, and the SELECT in which an expression stands (None inside of a lambda)."""

    variables: Mapping[str, Value]
    select: Select | None
    subject: Value | None = None
    """Subject of the enclosing CASE."""

    def with_variables(self, **added: Value) -> Scope:
        return replace(self, variables={**self.variables, **added})

    def inside(self, select: Select | None) -> Scope:
        return replace(self, select=select)
