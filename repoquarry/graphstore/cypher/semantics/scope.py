"""Variables in sight and what a check has found so far; shared by the checks of expressions and of clauses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.semantics.types import Type
from repoquarry.graphstore.cypher.syntax import ast
from repoquarry.graphstore.cypher.syntax.tokens import refuse
from repoquarry.graphstore.errors import QueryRefusedError

Scope: TypeAlias = dict[str, Type]
"""Variables in sight with their types, in the order in which they came into sight."""

PropertyTypes: TypeAlias = Callable[[Type, str], Type]
"""What a property of a subject of this type can be."""


_STORED = types.Type(types.EVERY - {types.MAP, types.NODE, types.RELATIONSHIP, types.PATH}, types.Type(
    types.EVERY - {types.LIST, types.MAP, types.NODE, types.RELATIONSHIP, types.PATH}
))  # fmt: skip


def stored(subject: Type, key: str) -> Type:
    """Neo4j's view: a property of a node or relationship can be anything that can be stored, an entry of a map anything."""
    is_entity = bool(subject.kinds) and subject.kinds <= {types.NODE, types.RELATIONSHIP}
    return _STORED if is_entity else types.ANY


@dataclass
class Findings:
    """Where one check writes down what it learns; `types` is by the identity of the expression's node."""

    text: str
    parameters: Mapping[str, Type]
    property_types: PropertyTypes = stored
    strict: bool = True
    types: dict[int, Type] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    rebound: set[int] = field(default_factory=set)
    """Relationships in patterns whose variable was bound before, by the identity of the pattern's part."""
    stars: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """What `*` stands for, by the identity of the projection."""
    kept: list[ast.Node] = field(default_factory=list)
    """Nodes made during the check, kept alive so that their identity stays theirs."""

    def error(self, node: ast.Node, reason: str, message: str) -> QueryRefusedError:
        return refuse(self.text, max(node.start, 0), reason, message)

    def expect(self, node: ast.Node, found: Type, wanted: Type) -> None:
        """Raises: QueryRefusedError `type_mismatch` when no value of `found` can be a `wanted`."""
        if not self.strict or not found.kinds:
            return
        if wanted.holds(*found.kinds) and not self._items_clash(found, wanted):
            return
        raise self.mismatch(node, found, wanted)

    @staticmethod
    def _items_clash(found: Type, wanted: Type) -> bool:
        only_lists = found.kinds == wanted.kinds == {types.LIST}
        if not only_lists or found.item is None or wanted.item is None or not found.item.kinds:
            return False
        return not wanted.item.holds(*found.item.kinds)

    def mismatch(self, node: ast.Node, found: Type, wanted: Type) -> QueryRefusedError:
        message = f"Type mismatch: expected {wanted.describe()} but was {found.describe()}"
        return self.error(node, "type_mismatch", message)
