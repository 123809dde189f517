"""`RustDialect`: paths, modules, traits of the language and patterns of Rust; entry point of call resolution."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.attribution import attribute_lowered
from repoquarry.languages.declared_types.dialect import Dialect, Evaluation, Meaning, NameLookup
from repoquarry.languages.declared_types.lowered_tree import Node
from repoquarry.languages.declared_types.overloads import choose_by_arguments, find_base
from repoquarry.languages.declared_types.types import (
    MAX_DEPTH,
    ClassType,
    Context,
    Found,
    FunctionType,
    OutsideType,
    OutsideValue,
    ParameterType,
    SpaceValue,
    Symbol,
    Type,
    TypeValue,
    Value,
    arguments_by_name,
    fill_arguments,
    substitute,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import AttributionResult, ModuleMap
from repoquarry.languages.rust.syntax import SLICE
from repoquarry.languages.structural.rules import words

_LIBRARY = "std"
"""Space of the stubs; their names need no import."""
_LIBRARIES = frozenset({"std", "core", "alloc"})
_RELATIVE = frozenset({"crate", "self", "super", "$crate"})
_CONVERSIONS = frozenset({"collect", "sum", "product", "parse", "into", "try_into"})
"""Methods whose type argument is their result."""
_MACROS = words(
    """assert assert_eq assert_ne compile_error debug_assert debug_assert_eq debug_assert_ne eprint eprintln format_args include
    include_bytes option_env panic print println thread_local todo unimplemented unreachable write writeln"""
)
_ANY = "AnyValue"
"""Stub of methods that values of nearly all types have."""


class RustDialect(Dialect):
    """Rust."""

    own_types = frozenset({"Self"})
    imports_per_file = False
    separates_fields = True

    def __init__(self, files: Sequence[FileFacts], modules: ModuleMap, conditions: Sequence[str]) -> None:
        super().__init__(files, modules, conditions)
        self._units = {info.name: unit for unit, info in reversed([*enumerate(modules.infos)])}
        self._crates = {name for name in self._units if "." not in name and "-" not in name} - _LIBRARIES
        self._other_units = self._find_other_builds(conditions)
        self._found: dict[tuple[str, tuple[str, ...], bool], Meaning] = {}
        self._busy: set[tuple[str, tuple[str, ...], bool]] = set()
        self._macros: dict[str, list[Symbol]] | None = None

    # ---- modules

    def space_of(self, unit: int) -> str:
        """Return the full name of a module."""
        return self.modules.infos[unit].name

    def space_inside(self, space: str, name: str) -> str:
        """Return the full name of a module inside a file."""
        return f"{space}.{name}"

    def find_parent(self, space: str) -> str | None:
        """The names of the prelude are seen everywhere."""
        return _LIBRARY if space != _LIBRARY else None

    def find_outside(self, space: str, name: str) -> OutsideValue | None:
        """Stubs declare a part of the library."""
        return OutsideValue(f"{_LIBRARY}.{name}") if space == _LIBRARY and name[:1].isupper() else None

    def find_declared(self, names: NameLookup, full_name: str) -> Meaning:
        """Types of the library are known by their last name, also where other crates pass them on."""
        first, *_, last = full_name.split(".")
        if first in _LIBRARIES or last[:1].isupper():
            return names.spaces[_LIBRARY].get(last) if _LIBRARY in names.spaces else None
        return None

    def find_subspace(self, names: NameLookup, space: str, name: str) -> str | None:
        """Return a module of a module, also one that is imported there."""
        if f"{space}.{name}" in self._units or f"{space}.{name}" in names.spaces:
            return f"{space}.{name}"
        unit = self._units.get(space)
        declared = self.modules.targets.get((unit, f"self::{name}", 0)) if unit is not None else None
        if isinstance(declared, int):
            return self.modules.infos[declared].name
        path = names.imports.get(space, {}).get(name)
        found = self._resolve(names, path, space, wants_space=True) if path is not None else None
        return found.space if isinstance(found, SpaceValue) else None

    def find_import(self, names: NameLookup, path: Sequence[str], _unit: int, space: str) -> Meaning:
        """Return what a path of a `use` declaration means."""
        return self._resolve(names, path, space)

    def _resolve(self, names: NameLookup, path: Sequence[str], space: str, *, wants_space: bool = False) -> Meaning:
        """Return what a path means in a module; paths in terms of themselves mean nothing."""
        key = space, tuple(path), wants_space
        if key in self._found:
            return self._found[key]
        if key in self._busy:
            return None
        self._busy.add(key)
        try:
            found = self._walk(names, path, space, wants_space=wants_space)
        finally:
            self._busy.discard(key)
        if not self._busy:
            self._found[key] = found
        return found

    def _walk(self, names: NameLookup, path: Sequence[str], space: str, *, wants_space: bool) -> Meaning:
        parts = list(path)
        value: Meaning = self._start(names, parts, space)
        while parts and value is not None:
            name = parts.pop(0)
            if isinstance(value, SpaceValue):
                below = self.find_subspace(names, value.space, name) if parts or wants_space else None
                found: Meaning = SpaceValue(below) if below is not None else names.find_in_space(value.space, name)
                if found is None and (below := self.find_subspace(names, value.space, name)) is not None:
                    found = SpaceValue(below)
                value = found
            elif isinstance(value, OutsideValue):
                full_name = f"{value.name}.{name}"
                value = self.find_declared(names, full_name) or OutsideValue(full_name)
            else:
                value = value[0].members.get(name) if value[0].kind == tree.CLASS else None
        return value

    def _start(self, names: NameLookup, parts: list[str], space: str) -> Meaning:
        """Take the first parts of a path and return what they mean."""
        first = parts[0]
        if first in _RELATIVE:
            return SpaceValue(self._relative(parts, space))
        if first == "":
            parts.pop(0)
        elif len(parts) > 1 and (below := self.find_subspace(names, space, first)) is not None:
            parts.pop(0)
            return SpaceValue(below)
        elif first in names.spaces.get(space, ()) or f"{space}.{first}" in self._units:
            return SpaceValue(space)
        if not parts:
            return None
        name = parts.pop(0)
        if name in self._crates:
            return SpaceValue(name)
        if len(parts) and first != "" and (own := names.find_in_space(space, name)) is not None:
            return own
        return OutsideValue(name)

    def _relative(self, parts: list[str], space: str) -> str:
        while parts and parts[0] in _RELATIVE:
            part = parts.pop(0)
            if part == "super":
                space = space.rpartition(".")[0]
            elif part != "self":
                space = space.partition(".")[0]
        return space

    def find_first(self, names: NameLookup, parts: Sequence[str], context: Context) -> Found:
        """A relative path, a macro, a type parameter, a module or a name."""
        first = parts[0]
        if first in _RELATIVE and len(parts) > 1:
            return SpaceValue(self._relative([first], context.space)), "module"
        if first.endswith("!"):
            return self._find_macro(names, first, context)
        if first == "Self":
            return TypeValue(names.own_type(context.cls, context)), "class"
        if len(parts) == 1:
            return names.find(first, context)
        if first == "":
            return (SpaceValue(parts[1]), "module") if parts[1] in self._crates else (OutsideValue(""), "module")
        local = context.find_local(first)
        if local is not None and isinstance(local[0], TypeValue | SpaceValue):
            return local
        if first not in context.generic and first not in context.renamed:
            below = self.find_subspace(names, context.space, first)
            if below is not None:
                return SpaceValue(below), "module"
        hidden, context.scopes = context.scopes, [{}]
        found = names.find(first, context)
        context.scopes = hidden
        if found[0] is not None:
            return found
        if first in self._crates:
            return SpaceValue(first), "module"
        return (OutsideValue(first), "module") if first[:1].islower() else found

    def _find_macro(self, names: NameLookup, name: str, context: Context) -> Found:
        """Macros are seen in the whole crate, and in those that use it."""
        if self._macros is None:
            self._macros = {}
            for space in names.spaces.values():
                for one, symbols in space.items():
                    if one.endswith("!"):
                        self._macros.setdefault(one, []).extend(symbols)
        declared = self._macros.get(name, [])
        crate = context.space.partition(".")[0]
        own = [one for one in declared if one.space.partition(".")[0] == crate] or declared
        if own:
            return names.value_of(own, context, "name")
        if name[:-1] in _MACROS:
            return OutsideValue(f"{_LIBRARY}.{name}"), "name"
        path = names.imports.get(context.space, {}).get(name[:-1])
        return (OutsideValue(".".join(path) + "!"), "name") if path else (None, "unknown name")

    # ---- declarations

    def choose_visible(self, symbols: list[Symbol], context: Context) -> list[Symbol]:
        """Choose what the usual build has; functions of other builds stay for `split_builds`."""
        if symbols[0].kind == tree.FUNCTION:
            return symbols
        return [one for one in symbols if self._is_usual(one)] or symbols

    def split_builds(
        self, symbols: tuple[Symbol, ...], context: Context
    ) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]]:
        """Functions with attributes that the usual build does not fulfill are possible."""
        usual = tuple(one for one in symbols if self._is_usual(one))
        return (usual, tuple(one for one in symbols if one not in usual)) if usual else (symbols, ())

    def _is_usual(self, symbol: Symbol) -> bool:
        return not symbol.has(tree.OTHER_BUILD) and symbol.unit not in self._other_units

    def _find_other_builds(self, conditions: Sequence[str]) -> set[int]:
        """Return the files of modules that the usual build leaves out: a file lists them as its condition."""
        targets = self.modules.targets
        pairs = ((unit, module) for unit, condition in enumerate(conditions) for module in condition.split())
        return {found for unit, module in pairs if isinstance(found := targets.get((unit, module, 0)), int)}

    def choose_overloads(self, symbols: tuple[Symbol, ...], count: int, types: Sequence[Type]) -> tuple[Symbol, ...]:
        """Functions of several implementations of one trait differ in the types of their parameters; own ones come first."""
        inherent = tuple(one for one in symbols if one.block is None or one.block[0].trait is None)
        return choose_by_arguments(self.names, inherent or symbols, count, types)

    def receiver_type(self, cls: Symbol, bounds: tuple[Type, ...]) -> Type:
        """`Self` of a trait is whatever implements the trait."""
        own = ClassType(cls, bounds)
        return ParameterType("Self", (own,)) if cls.has(tree.ABSTRACT) else own

    def find_extensions(self, names: NameLookup, name: str, receiver: Type, context: Context) -> tuple[Symbol, ...]:
        """Methods of traits that are implemented for a type outside, or for all types; then those that nearly all have."""
        found: list[Symbol] = []
        if receiver is None:
            return ()
        for one in names.extensions.get(name, ()):
            if one.block is None or one.declaration.receiver == "":
                continue
            owner = names.read_type(one.block[0].owner, one.block[1])
            if isinstance(owner, ParameterType):
                bounds = (bound.symbol for bound in owner.bounds if isinstance(bound, ClassType))
                if all(names.is_stub(one) or names.members.view_as(receiver, one) for one in bounds):
                    found.append(one)
            elif isinstance(owner, OutsideType) and _same_name(owner, receiver):
                found.append(one)
        if found:
            return tuple(found)
        library = names.spaces[_LIBRARY].get(_ANY) if _LIBRARY in names.spaces else None
        return tuple(library[0].members.get(name, ())) if library else ()

    # ---- values

    def find_value(self, names: NameLookup, value: Value) -> Value:
        """A type without fields is a value, and one with positional fields is a function."""
        if not isinstance(value, TypeValue) or not isinstance(value.type, ClassType):
            return value
        holder = (
            value.named_by if value.named_by is not None and value.named_by.kind == tree.VARIANT else value.type.symbol
        )
        if "0" not in holder.members:
            return value.type
        types = [
            names.type_of(holder.members[str(at)][0]) for at in range(len(holder.members)) if str(at) in holder.members
        ]
        return FunctionType(tuple(types), value.type)

    def evaluate_call(self, evaluator: Evaluation, node: Node, context: Context) -> Found | None:
        """A conversion to the type in its type argument."""
        _, function, arguments, written, _ = node
        if function[0] != tree.MEMBER or not written or function[2] not in _CONVERSIONS:
            return None
        receiver = evaluator.evaluate(function[1], context)[0]
        evaluator.types(arguments, context)
        type_ = evaluator.names.read_type(written[0], context)
        element = self.iterate(receiver) if isinstance(receiver, ClassType | ParameterType) else None
        if function[2] == "parse":
            result = evaluator.names.spaces[_LIBRARY].get("Result") if _LIBRARY in evaluator.names.spaces else None
            return (ClassType(result[0], (type_,)), "receiver") if result else (None, "unknown value")
        library = evaluator.names.spaces.get(_LIBRARY, {})
        collected = ClassType(library[SLICE][0], (element,)) if SLICE in library else None
        return self.complete(type_, collected), "receiver"

    def complete(self, declared: Type, given: Type) -> Type:
        """Results of several values collect as the result of a collection of them."""
        found = fill_arguments(declared, given)
        if isinstance(found, ClassType) and found.symbol.name in ("Result", "Option") and isinstance(given, ClassType):
            inner = given.arguments[0] if given.arguments else None
            if isinstance(inner, ClassType) and inner.symbol is found.symbol and inner.arguments:
                whole = ClassType(given.symbol, inner.arguments[:1])
                return ClassType(found.symbol, (fill_arguments(found.arguments[0], whole), *found.arguments[1:]))
        return found

    def sequence_type(self, names: NameLookup, element: Type) -> Type:
        """Arrays, slices and vectors have the methods of slices."""
        found = names.spaces[_LIBRARY].get(SLICE) if _LIBRARY in names.spaces else None
        return ClassType(found[0], (element,)) if found else None

    def dereference(self, names: NameLookup, type_: Type) -> Type:
        """Return the target of `Deref`."""
        found = find_base(self.names, type_, "Deref")
        return found.arguments[-1] if found is not None and found.arguments else None

    def find_element(self, type_: Type) -> Type:
        """Return the output of `Index`, through as many references as needed."""
        return self._argument(type_, "Index")

    def iterate(self, type_: Type) -> Type:
        """Return the item of an iterator, or of what becomes one."""
        return self._argument(type_, "Iterator") or self._argument(type_, "IntoIterator")

    def _argument(self, type_: Type, trait: str) -> Type:
        for _ in range(MAX_DEPTH):
            found = find_base(self.names, type_, trait)
            if found is not None and found.arguments:
                return found.arguments[0] if trait == "IntoIterator" else found.arguments[-1]
            below = find_base(self.names, type_, "Deref")
            if below is None or not below.arguments:
                return None
            type_ = below.arguments[-1]
        return None

    def find_variant_parts(
        self, names: NameLookup, parts: Sequence[str], type_: Type, context: Context
    ) -> Sequence[Type]:
        """Return the types of the positional fields of a variant or structure."""
        value = names.walk(parts, context)[0]
        if isinstance(value, FunctionType):
            return value.parameters
        if not isinstance(value, TypeValue) or not isinstance(value.type, ClassType):
            return ()
        owner = value.type.symbol
        holder = value.named_by if value.named_by is not None and value.named_by.kind == tree.VARIANT else owner
        for _ in range(MAX_DEPTH):
            if type_ is None or (isinstance(type_, ClassType) and type_.symbol is owner):
                break
            type_ = self.dereference(names, type_)
        by_name = arguments_by_name(type_ or value.type)
        positions = range(len(holder.members))
        return [
            substitute(names.type_of(holder.members[str(at)][0]), by_name)
            for at in positions
            if str(at) in holder.members
        ]


def _same_name(one: OutsideType, other: Type) -> bool:
    return isinstance(other, OutsideType) and one.name.rpartition(".")[2] == other.name.rpartition(".")[2]


def attribute(files: Sequence[FileFacts], modules: ModuleMap) -> AttributionResult:
    """Return targets of calls, bases, implemented traits and imports of a program."""
    return attribute_lowered(files, modules, RustDialect)
