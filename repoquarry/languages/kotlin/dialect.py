"""`KotlinDialect`: packages, extension functions, receivers and collections of Kotlin; entry point of call resolution."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.attribution import attribute_lowered
from repoquarry.languages.declared_types.dialect import Meaning, NameLookup
from repoquarry.languages.declared_types.namespaces import NamespaceDialect
from repoquarry.languages.declared_types.overloads import choose_by_arguments, extends, find_base
from repoquarry.languages.declared_types.types import (
    ClassType,
    Context,
    FunctionValue,
    OutsideType,
    OutsideValue,
    SpaceValue,
    Symbol,
    Type,
    arguments_by_name,
    substitute,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import AttributionResult, ModuleMap
from repoquarry.languages.kotlin.lowering import RECEIVER


class KotlinDialect(NamespaceDialect):
    """Kotlin."""

    library = "kotlin"
    has_implicit_receiver = True
    has_scoped_receivers = True
    constructs_by_class = True
    separates_fields = True

    # ---- packages

    def find_parent(self, space: str) -> str | None:
        """The library is seen everywhere; packages around are not."""
        return self.library if space != self.library else None

    def find_import(self, names: NameLookup, path: Sequence[str], _unit: int, _space: str) -> Meaning:
        """Return the package, or the declaration in a package or class, of an imported path."""
        whole = ".".join(path)
        if self.is_space(whole):
            return SpaceValue(whole)
        for length in range(len(path) - 1, 0, -1):
            space = ".".join(path[:length])
            found = names.spaces[space].get(path[length]) if space in names.spaces else None
            for name in path[length + 1 :]:
                if name != "Companion":
                    found = found[0].members.get(name) if found else None
            if found:
                return found
        declared = names.spaces[self.library].get(path[-1]) if self.library in names.spaces else None
        return declared if declared and path[0] in ("kotlin", "kotlinx", "java") else OutsideValue(whole)

    def find_outside(self, space: str, name: str) -> OutsideValue | None:
        """Stubs declare a part of the library."""
        return OutsideValue(f"{self.library}.{name}") if space == self.library and name[:1].isupper() else None

    # ---- members

    def find_extensions(self, names: NameLookup, name: str, receiver: Type, context: Context) -> tuple[Symbol, ...]:
        """Return extension functions for a type, its bases and interfaces, or those in scope for an unknown one."""
        if receiver is not None:
            fitting = [one for one in names.extensions.get(name, ()) if extends(names, one, receiver)]
            own = [one for one in fitting if not names.is_stub(one)]
            if fitting:
                return tuple(own or fitting)
        if isinstance(receiver, ClassType) or name not in names.extensions:
            return ()
        # Of a receiver that is not known, the extension in scope is the likeliest meaning.
        value = names.find(name, context)[0]
        symbols = value.symbols if isinstance(value, FunctionValue) else ()
        return symbols if all(one.has(tree.EXTENSION) and not names.is_stub(one) for one in symbols) else ()

    def choose_overloads(self, symbols: tuple[Symbol, ...], count: int, types: Sequence[Type]) -> tuple[Symbol, ...]:
        """Choose by the number of arguments, then by their types."""
        return choose_by_arguments(self.names, symbols, count, types)

    def is_constructor(self, symbol: Symbol, _cls: Symbol) -> bool:
        """Return whether a member constructs its class."""
        return symbol.has(tree.CONSTRUCTOR)

    def literal_receiver(self, expected: Sequence[Type]) -> Type:
        """Return the receiver of a function literal for `T.() -> R`."""
        first = expected[0] if expected else None
        return first.arguments[0] if isinstance(first, OutsideType) and first.name == RECEIVER else None

    # ---- collections

    def sequence_type(self, names: NameLookup, element: Type) -> Type:
        """Return the type of a list."""
        found = names.spaces[self.library].get("List") if self.library in names.spaces else None
        return ClassType(found[0], (element,)) if found else None

    def find_element(self, type_: Type) -> Type:
        """Return the result of the operator `get`."""
        member = self.names.members.find(type_, "get")
        if member is None:
            return None
        return substitute(self.names.signature_of(member.symbols[0]).result, member.by_name)

    def iterate(self, type_: Type) -> Type:
        """Return the type of the elements of an iterable."""
        found = find_base(self.names, type_, "Iterable")
        return found.arguments[0] if found is not None and found.arguments else None

    def find_components(self, type_: Type) -> Sequence[Type]:
        """Return what a value of a data class is taken apart into: its properties in order."""
        if not isinstance(type_, ClassType):
            return (type_,)
        by_name = arguments_by_name(type_)
        fields = (group[0] for group in type_.symbol.members.values() if group[0].kind == tree.FIELD)
        return [substitute(self.names.type_of(one), by_name) for one in fields]


def attribute(files: Sequence[FileFacts], modules: ModuleMap) -> AttributionResult:
    """Return targets of calls, bases and overriding methods of a program."""
    return attribute_lowered(files, modules, KotlinDialect)
