"""`NamespaceDialect`: languages whose spaces are dotted namespaces or packages that several files share."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.dialect import Dialect, NameLookup
from repoquarry.languages.declared_types.types import (
    Context,
    Found,
    OutsideType,
    OutsideValue,
    SpaceValue,
    TypeValue,
    Value,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import ModuleMap


class NamespaceDialect(Dialect):
    """A language with namespaces."""

    library = ""
    """Space of the stubs."""
    types: frozenset[str] = frozenset()
    """Types of the language itself."""

    def __init__(self, files: Sequence[FileFacts], modules: ModuleMap, conditions: Sequence[str]) -> None:
        super().__init__(files, modules, conditions)
        self._prefixes: set[str] = set()
        """Namespaces, and those around them."""

    def is_space(self, space: str) -> bool:
        """Return whether a name is that of a namespace of the program, or begins one."""
        if not self._prefixes:
            for one in self.names.spaces:
                parts = one.split(".")
                self._prefixes.update(".".join(parts[:end]) for end in range(1, len(parts) + 1))
            self._prefixes.discard(self.library)
        return space in self._prefixes

    def find_undeclared(self, space: str, name: str) -> Value:
        """A type of the language, a namespace, seen from inside to outside, or a type of a library by its name."""
        if name in self.types:
            return TypeValue(OutsideType(name))
        around: str | None = space
        while around is not None:
            inside = f"{around}.{name}".strip(".")
            if self.is_space(inside):
                return SpaceValue(inside)
            around = around.rpartition(".")[0] if around else None
        return OutsideValue(name) if name[:1].isupper() else None

    def find_value(self, _names: NameLookup, value: Value) -> Value:
        """A member of an enumeration is a value of it."""
        if isinstance(value, TypeValue) and value.named_by is not None and value.named_by.kind == tree.VARIANT:
            return value.type
        return value

    def find_first(self, names: NameLookup, parts: Sequence[str], context: Context) -> Found:
        """Return what the first part of a path means."""
        return names.find(parts[0], context)

    def find_subspace(self, _names: NameLookup, space: str, name: str) -> str | None:
        """Return a namespace in a namespace."""
        inside = f"{space}.{name}"
        return inside if self.is_space(inside) else None
