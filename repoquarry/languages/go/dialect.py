"""`GoDialect`: packages, builds, built-in functions and iteration of Go; entry point of call resolution."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Sequence

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.attribution import attribute_lowered
from repoquarry.languages.declared_types.dialect import Dialect, Evaluation, Meaning, NameLookup
from repoquarry.languages.declared_types.lowered_tree import Node
from repoquarry.languages.declared_types.types import (
    Context,
    Found,
    FunctionType,
    OutsideType,
    OutsideValue,
    SpaceValue,
    Symbol,
    TupleType,
    Type,
    TypeValue,
    Value,
    as_type,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import AttributionResult, ModuleMap
from repoquarry.languages.go.builds import find_system, is_in_build
from repoquarry.languages.structural.rules import words

_TYPES = words(
    """any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16
    uint32 uint64 uintptr"""
)
_TYPE_OF_ARGUMENT = frozenset({"new", "make"})
_SAME_TYPE = frozenset({"append", "min", "max"})
_FUNCTIONS = _TYPE_OF_ARGUMENT | _SAME_TYPE | words("cap clear close complex copy delete imag len panic print println real recover")  # fmt: skip
_INT = OutsideType("int")
_VERSION = re.compile(r"v\d+")
_AFFIXES = re.compile(r"^go-|\.v\d+$|[-.]go$")


class GoDialect(Dialect):
    """Go."""

    has_structural_interfaces = True

    def __init__(self, files: Sequence[FileFacts], modules: ModuleMap, conditions: Sequence[str]) -> None:
        super().__init__(files, modules, conditions)
        self._spaces: dict[str, str] = {}
        """Import path -> space."""
        for path, units in modules.members.items():
            names = Counter(name for unit in units if (name := files[unit].namespace) and name != "main")
            package = names.most_common(1)[0][0] if names else files[units[0]].namespace
            self._spaces[path] = next(self.space_of(unit) for unit in units if files[unit].namespace in (package, ""))
        self._systems = [find_system(one.path, condition) for one, condition in zip(files, conditions, strict=True)]

    # ---- packages

    def space_of(self, unit: int) -> str:
        """A package is a folder and a name: tests may have a package of their own in the same folder."""
        facts = self.files[unit]
        return f"{posixpath.dirname(facts.path)}#{facts.namespace}"

    def own_names(self, path: Sequence[str]) -> Sequence[str]:
        """A package is imported by the name in its files, which is mostly the last part of its path."""
        space = self._spaces.get(path[0])
        if space is not None:
            return [space.rpartition("#")[2]]
        parts = [part for part in path[0].split("/") if not _VERSION.fullmatch(part)]
        return [_AFFIXES.sub("", part) for part in reversed(parts) if "." not in part or part == parts[-1]]

    def find_outside(self, space: str, name: str) -> OutsideValue | None:
        """Stubs declare a part of their packages."""
        is_offered = space.startswith("/") and name[:1].isupper()
        return OutsideValue(f"{space[1:].rpartition('#')[0]}.{name}") if is_offered else None

    def find_import(self, _names: NameLookup, path: Sequence[str], _unit: int, _space: str) -> Meaning:
        """Return the package of a path."""
        space = self._spaces.get(path[0])
        return SpaceValue(space) if space is not None else OutsideValue(path[0])

    def choose_visible(self, symbols: list[Symbol], context: Context) -> list[Symbol]:
        """Choose the types and variables of the build of a file."""
        return symbols if symbols[0].kind == tree.FUNCTION else list(self.split_builds(tuple(symbols), context)[0])

    def split_builds(
        self, symbols: tuple[Symbol, ...], context: Context
    ) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]]:
        """A file for one system sees what is built there; others see what is built for Linux, and may see the rest."""
        if len(symbols) < 2:
            return symbols, ()
        own = tuple(one for one in symbols if one.unit == context.unit)
        if own:
            return own, ()
        system = self._systems[context.unit]
        built = tuple(one for one in symbols if self._is_built(one.unit, system)) or symbols
        everywhere = self._is_built(context.unit, "windows") and self._is_built(context.unit, "linux")
        return built, tuple(one for one in symbols if one not in built) if everywhere else ()

    def _is_built(self, unit: int, system: str) -> bool:
        return is_in_build(self.files[unit].path, self.conditions[unit], system)

    # ---- the language itself

    def find_builtin(self, name: str) -> Value:
        """Return a type of the language."""
        return TypeValue(OutsideType(name)) if name in _TYPES else None

    def evaluate_call(self, evaluator: Evaluation, node: Node, context: Context) -> Found | None:
        """Built-in functions, unless the program declares one of the name."""
        _, function, arguments, _, _ = node
        if function[0] != tree.NAME or function[1] not in _FUNCTIONS:
            return None
        name = function[1]
        if evaluator.names.find(name, context)[0] is not None:
            return None
        found = [evaluator.evaluate(one, context)[0] for one in arguments]
        first = found[0] if found else None
        if name in _TYPE_OF_ARGUMENT:
            outside = OutsideType(first.name) if isinstance(first, OutsideValue) else as_type(first)
            return (first.type if isinstance(first, TypeValue) else outside), "receiver"
        return (as_type(first) if name in _SAME_TYPE else _INT), "receiver"

    def iterate(self, type_: Type) -> Type:
        """Return the types of the variables of a `range` clause."""
        if isinstance(type_, FunctionType) and type_.parameters and isinstance(type_.parameters[0], FunctionType):
            return TupleType(type_.parameters[0].parameters)
        if not isinstance(type_, OutsideType):
            return None
        if type_.name in ("map", "chan"):
            return TupleType(type_.arguments)
        if type_.name == "string":
            return TupleType((_INT, OutsideType("rune")))
        return TupleType((_INT, type_.arguments[-1] if type_.arguments else None))


def attribute(files: Sequence[FileFacts], modules: ModuleMap) -> AttributionResult:
    """Return targets of calls, bases, implemented interfaces and imports of a program."""
    return attribute_lowered(files, modules, GoDialect)
