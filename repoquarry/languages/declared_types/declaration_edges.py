"""Graph edges from declarations: bases, overridden methods, implementations of structural interfaces, declared types, imports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.attribution_log import AttributionLog
from repoquarry.languages.declared_types.lowered_tree import Declaration
from repoquarry.languages.declared_types.name_resolver import NameResolver
from repoquarry.languages.declared_types.types import (
    MAX_DEPTH,
    ClassType,
    Context,
    FunctionType,
    OutsideType,
    ParameterType,
    Symbol,
    Type,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import ModuleMap, Target

MAX_TARGETS = 64
"""A call with more possible targets has an edge to the method that it names; its unresolved call states their number."""


class DeclarationEdges:
    """Collector of the edges of all classes and methods."""

    def __init__(self, names: NameResolver, log: AttributionLog) -> None:
        self._names = names
        self._log = log
        self._found = log.result
        self._implementations: defaultdict[Symbol, list[Symbol]] = defaultdict(list)
        """Method -> the methods that override it."""
        self._names_by_class: dict[Symbol, frozenset[str]] = {}
        self._implemented_by: dict[Symbol, list[Symbol]] = {}
        self._interfaces: list[Symbol] = []

    def add(self) -> None:
        """Add all of them."""
        self._interfaces = self._find_interfaces()
        classes = [one for one in self._names.program.classes if one.number >= 0 and not self._names.is_stub(one)]
        for cls in classes:
            count = self._add_bases(cls)
            self._add_field_types(cls)
            for interface in self._implemented(cls):
                if not self._names.is_stub(interface):
                    self._found.inherits.append((cls.number, interface.number, count))
                    count += 1
        for cls in classes:
            self._add_overrides(cls)
        self._add_possible()

    def _add_bases(self, cls: Symbol) -> int:
        """Add the written bases, and return the position of the next one."""
        bases = self._names.members.declared_bases(cls)
        for position, base in enumerate(bases):
            if isinstance(base, ClassType) and base.symbol is not cls and base.symbol.number >= 0:
                self._found.inherits.append((cls.number, base.symbol.number, position))
            elif isinstance(base, OutsideType):
                self._found.inherits.append((cls.number, base.name, position))
        return len(bases)

    def _add_field_types(self, cls: Symbol) -> None:
        context = self._names.context_of(cls, cls.number)
        self._log.mention_type(
            self._names.read_type(cls.declaration.type, context), cls.declaration.line, context, "annotation"
        )
        for group in cls.members.values():
            for field in group:
                if field.kind == tree.FIELD:
                    self._log.mention_type(self._names.type_of(field), field.declaration.line, context, "annotation")

    # ---- structural interfaces

    def _implemented(self, cls: Symbol) -> list[Symbol]:
        """Return the interfaces whose methods a class has, without those among its bases."""
        if cls not in self._implemented_by:
            above = {one.symbol for one in self._ancestors(cls)}
            methods = frozenset() if cls.has(tree.ABSTRACT) else self._method_names(cls)
            self._implemented_by[cls] = [
                interface
                for interface in (self._interfaces if methods else ())
                if (wanted := self._method_names(interface)) <= methods
                and interface not in above
                and self._fits(cls, interface, wanted)
            ]
        return self._implemented_by[cls]

    def _find_interfaces(self) -> list[Symbol]:
        """Return the interfaces with methods, where classes implement them without saying so."""
        if not self._names.dialect.has_structural_interfaces:
            return []
        classes = self._names.program.classes
        return [one for one in classes if one.has(tree.ABSTRACT) and one.number >= 0 and self._method_names(one)]

    def _method_names(self, cls: Symbol) -> frozenset[str]:
        if cls not in self._names_by_class:
            line = [cls, *(above.symbol for above in self._ancestors(cls))]
            groups = (item for one in line for item in one.members.items())
            self._names_by_class[cls] = frozenset(name for name, group in groups if group[0].kind == tree.FUNCTION)
        return self._names_by_class[cls]

    def _fits(self, cls: Symbol, interface: Symbol, wanted: Iterable[str]) -> bool:
        """Return whether all methods have the declared types."""
        lookup = self._names.members
        for name in wanted:
            own, other = lookup.find(ClassType(cls), name), lookup.find(ClassType(interface), name)
            if own is None or other is None or not self._agree(own.symbols[0], other.symbols[0]):
                return False
        return True

    def _agree(self, one: Symbol, other: Symbol) -> bool:
        """Return whether two methods may have the same types."""
        if self._names.dialect.overrides_by_name:
            return True
        mine, others = self._names.signature_of(one), self._names.signature_of(other)
        if len(mine.parameters) != len(others.parameters):
            return False
        pairs = zip((*mine.parameters, mine.result), (*others.parameters, others.result), strict=True)
        return all(_may_equal(first, second) for first, second in pairs)

    def _ancestors(self, cls: Symbol) -> list[ClassType]:
        """Return all bases of the program, nearest first."""
        found: list[ClassType] = []
        level = [ClassType(cls)]
        for _ in range(MAX_DEPTH):
            level = [
                base
                for one in level
                for base in self._names.members.bases(one)
                if isinstance(base, ClassType) and all(base.symbol is not known.symbol for known in found)
            ]
            found += level
        return found

    # ---- overrides

    def _add_overrides(self, cls: Symbol) -> None:
        """Add the nearest overridden method of each method, and those of the interfaces that a class implements."""
        above, by_name = [one.symbol for one in self._ancestors(cls)], self._names.dialect.overrides_by_name
        for interface in self._implemented(cls):
            self._implement(cls, interface)
        for name, group in cls.members.items():
            for method in group:
                if method.block is not None and method.block[0].trait is not None:
                    self._add_implemented(method, *method.block)
                    continue
                nearest = next((one for one in above if name in one.members), None)
                if (
                    method.kind == tree.FUNCTION
                    and nearest is not None
                    and not method.has(tree.CONSTRUCTOR if by_name else tree.STATIC | tree.CONSTRUCTOR)
                ):
                    self._pair(method, [one for one in nearest.members[name] if self._agree(method, one)])

    def _add_implemented(self, method: Symbol, block: Declaration, context: Context) -> None:
        """Pair a method with that of the trait that its block implements; code outside calls those of its own traits."""
        trait = self._names.read_type(block.trait, context)
        if isinstance(trait, ClassType) and not self._names.is_stub(trait.symbol):
            self._pair(method, trait.symbol.members.get(method.name, []))
        elif method.number >= 0 and method.kind == tree.FUNCTION and isinstance(trait, ClassType | OutsideType):
            name = trait.name if isinstance(trait, OutsideType) else f"{trait.symbol.space}.{trait.symbol.name}"
            self._found.entry_points.append((method.number, "hook", name))

    def _implement(self, cls: Symbol, interface: Symbol) -> None:
        """Pair the methods of an interface with those of a class; code outside calls those of its own interfaces."""
        for name in self._method_names(interface):
            own = self._names.members.find(ClassType(cls), name)
            declared = self._names.members.find(ClassType(interface), name)
            if own is None or declared is None:
                continue
            for method in own.symbols:
                if not self._names.is_stub(interface):
                    self._pair(method, list(declared.symbols))
                elif method.number >= 0:
                    full = self._names.dialect.find_outside(interface.space, interface.name)
                    self._found.entry_points.append((method.number, "hook", full.name if full is not None else name))

    def _pair(self, method: Symbol, overridden: list[Symbol]) -> None:
        for one in overridden:
            if one.kind == tree.FUNCTION and method.number >= 0 and one.number >= 0 and one is not method:
                self._found.overrides.append((method.number, one.number))
                if method not in self._implementations[one]:
                    self._implementations[one].append(method)

    def _add_possible(self) -> None:
        """Add the methods that a call of an abstract method may reach."""
        for caller, method, line in self._log.virtual:
            targets = self._implementations.get(method, [])
            if len(targets) > MAX_TARGETS:
                reason = f"and {len(targets)} overrides"
                self._found.unresolved.append((caller, method.name, line, reason))
                continue
            for one in targets:
                self._found.calls.append((caller, one.number, line, "possible", len(targets)))


def import_sites(
    files: Sequence[FileFacts], modules: ModuleMap, starts: Sequence[int]
) -> Iterator[tuple[int, Target, str, int, str, bool]]:
    """Yield the imports of all files but stubs: module, target, name or empty, line, how, deferred."""
    for unit, facts in enumerate(files):
        for entry in facts.imports if not facts.path.startswith("/") else ():
            place = modules.targets.get((unit, entry.module, entry.level))
            units = [place] if isinstance(place, int) else modules.members.get(place, ()) if place else ()
            inside = [one for one in units if not files[one].path.startswith("/")]
            targets: list[Target] = [starts[one] for one in inside if one != unit]
            if not inside and entry.module:
                targets = [entry.module]
            for target in targets:
                yield starts[unit], target, entry.name, entry.line, entry.how, entry.deferred


def _may_equal(one: Type, other: Type, depth: int = 0) -> bool:
    """Return whether two declared types are equal as far as they are known."""
    if one is None or other is None or depth > MAX_DEPTH or isinstance(one, ParameterType | FunctionType):
        return (one is None) == (other is None) or depth > 0
    if isinstance(other, ParameterType):
        return True
    if isinstance(one, ClassType) and isinstance(other, ClassType):
        return one.symbol is other.symbol
    if isinstance(one, OutsideType) and isinstance(other, OutsideType):
        pairs = zip(one.arguments, other.arguments, strict=False)
        return one.name == other.name and all(_may_equal(first, second, depth + 1) for first, second in pairs)
    return type(one) is type(other)
