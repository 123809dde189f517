"""`PhpDialect`: namespaces, receivers and constructors of PHP; entry point of call resolution."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.declared_types.attribution import attribute_lowered
from repoquarry.languages.declared_types.dialect import Meaning, NameLookup
from repoquarry.languages.declared_types.namespaces import NamespaceDialect
from repoquarry.languages.declared_types.types import (
    SELF,
    ClassType,
    Context,
    Found,
    OutsideValue,
    ParameterType,
    SpaceValue,
    Symbol,
    Type,
    Value,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import AttributionResult, ModuleMap
from repoquarry.languages.php.lowering import CONSTRUCTOR, CREATION
from repoquarry.languages.structural.rules import words


class PhpDialect(NamespaceDialect):
    """PHP."""

    own_types = frozenset({"self", "static"})
    types = words("string int float bool")
    learns_types = True
    overrides_by_name = True
    constructor_name = CONSTRUCTOR
    creation_name = CREATION

    # ---- namespaces

    def find_parent(self, space: str) -> str | None:
        """Functions are looked for at the top as well."""
        return "" if space else None

    def find_import(self, names: NameLookup, path: Sequence[str], _unit: int, _space: str) -> Meaning:
        """Return the class or function of a `use`."""
        space, name, whole = ".".join(path[:-1]), path[-1], ".".join(path)
        found = names.spaces[space].get(name) if space in names.spaces else None
        return found or (SpaceValue(whole) if self.is_space(whole) else OutsideValue(whole))

    def find_subspace(self, _names: NameLookup, space: str, name: str) -> str | None:
        """Return a namespace in a namespace."""
        inside = f"{space}.{name}".strip(".")
        return inside if self.is_space(inside) else None

    def find_outside(self, space: str, name: str) -> OutsideValue | None:
        """What a namespace does not declare is declared elsewhere."""
        return OutsideValue(f"{space}.{name}".strip("."))

    def find_first(self, names: NameLookup, parts: Sequence[str], context: Context) -> Found:
        """Return what the first part of a path means; an empty one is the top."""
        if not parts[0]:
            return SpaceValue(""), "module"
        if len(parts) > 1:
            # Before another part a name is a namespace, also where a class has it.
            keys = (context.unit, context.space)
            path = next((names.imports[key][parts[0]] for key in keys if parts[0] in names.imports.get(key, {})), None)
            return SpaceValue(".".join(path) if path else f"{context.space}.{parts[0]}".strip(".")), "module"
        return names.find(parts[0], context)

    def find_undeclared(self, space: str, name: str) -> Value:
        """A type of the language, a namespace below this one, or something outside."""
        found = super().find_undeclared(space, name)
        return found if found is not None or name.startswith("$") else OutsideValue(name)

    # ---- members

    def receiver_type(self, cls: Symbol, bounds: tuple[Type, ...]) -> Type:
        """Return the type of `$this`, which a method may return."""
        return ParameterType(SELF, (ClassType(cls, bounds),))


def attribute(files: Sequence[FileFacts], modules: ModuleMap) -> AttributionResult:
    """Return targets of calls, bases and overriding methods of a program."""
    return attribute_lowered(files, modules, PhpDialect)
