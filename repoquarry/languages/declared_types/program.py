"""`Program`: the declarations of all files by space and name, before any of their types is looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.dialect import Dialect
from repoquarry.languages.declared_types.lowered_tree import EXTENSION, PARTIAL, Declaration, LoweredFile
from repoquarry.languages.declared_types.types import Context, Symbol
from repoquarry.languages.facts import FileFacts

ScopeKey = int | str
"""File or space in which imports bind names."""


class OutsideMember(NamedTuple):
    """A declaration that belongs to a type which is named elsewhere: a method outside its class, or an implementation block."""

    declaration: Declaration
    unit: int
    space: str
    outer: Symbol | None


class Program:
    """All declarations."""

    def __init__(self, files: Sequence[FileFacts], dialect: Dialect) -> None:
        self.files = files
        self.dialect = dialect
        self.starts = list(accumulate((1 + len(facts.definitions) for facts in files), initial=0))
        self.spaces: defaultdict[str, dict[str, list[Symbol]]] = defaultdict(dict)
        self.imports: defaultdict[ScopeKey, dict[str, list[str]]] = defaultdict(dict)
        self.wildcards: defaultdict[ScopeKey, list[list[str]]] = defaultdict(list)
        self.functions: list[Symbol] = []
        self.classes: list[Symbol] = []
        self.variables: list[Symbol] = []
        self.outside_members: list[OutsideMember] = []
        self.extensions: defaultdict[str, list[Symbol]] = defaultdict(list)
        """Name -> functions that extend types which are not classes of the program."""

    def is_stub(self, symbol: Symbol) -> bool:
        """Return whether a symbol is declared in a stub."""
        return self.files[symbol.unit].path.startswith("/")

    def add(self, unit: int, lowered: LoweredFile) -> None:
        """Add the declarations of a file."""
        space = self.dialect.space_of(unit)
        key: ScopeKey = unit if self.dialect.imports_per_file else space
        self.imports[key].update(lowered.imports)
        names = [self.dialect.own_names(path) for path in lowered.modules]
        for rank in range(max(map(len, names), default=0)):
            for path, own in zip(lowered.modules, names, strict=True):
                if rank < len(own):
                    self.imports[key].setdefault(own[rank], path)
        self.wildcards[key] += lowered.wildcards
        for one in lowered.declarations:
            self.declare(one, unit, space, None)

    def declare(self, declaration: Declaration, unit: int, space: str, owner: Symbol | None) -> Symbol | None:
        """Add a declaration and its members; return None where it has no name of its own in the space."""
        if declaration.kind == tree.SPACE:
            inside = self.dialect.space_inside(space, declaration.name)
            self.spaces.setdefault(inside, {})
            self.imports[inside].update(declaration.imports)
            self.wildcards[inside] += declaration.wildcards
            for member in declaration.members:
                self.declare(member, unit, inside, owner)
            return None
        if declaration.kind == tree.IMPLEMENTATION or declaration.owner is not None:
            self.outside_members.append(OutsideMember(declaration, unit, space, owner))
            return None
        whole = self._find_part(declaration, space, owner)
        if whole is not None:
            if whole.number < 0 <= declaration.definition:
                whole.number, whole.unit = self.starts[unit] + 1 + declaration.definition, unit
            whole.extra_bases += [(base, Context(unit, space, whole, whole.generic)) for base in declaration.bases]
            for member in declaration.members:
                self.declare(member, unit, space, whole)
            return whole
        symbol = self.create(declaration, unit, space, owner)
        if owner is None:
            self.spaces[space].setdefault(symbol.name, []).append(symbol)
        return symbol

    def _find_part(self, declaration: Declaration, space: str, owner: Symbol | None) -> Symbol | None:
        """Return the class of which a declaration is another part."""
        if not declaration.flags & PARTIAL:
            return None
        same = owner.members[declaration.name] if owner is not None else self.spaces[space].get(declaration.name, [])
        count = len(declaration.type_parameters)
        return next((one for one in same if one.has(PARTIAL) and len(one.generic) == count), None)

    def create(self, declaration: Declaration, unit: int, space: str, owner: Symbol | None) -> Symbol:
        """Create a symbol with its members, as a member of its owner."""
        number = self.starts[unit] + 1 + declaration.definition if declaration.definition >= 0 else -1
        symbol = Symbol(declaration, unit, space, owner, number)
        if owner is not None:
            owner.members[symbol.name].append(symbol)
        if symbol.kind == tree.FUNCTION:
            self.functions.append(symbol)
            if symbol.has(EXTENSION):
                self.extensions[symbol.name].append(symbol)
        elif symbol.kind == tree.CLASS:
            self.classes.append(symbol)
        elif symbol.kind in (tree.VARIABLE, tree.FIELD):
            self.variables.append(symbol)
        for member in declaration.members:
            self.declare(member, unit, space, symbol)
        return symbol
