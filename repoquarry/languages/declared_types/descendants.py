"""`Descendants`: methods that only classes below a type have: below a class, a mixed-in module, or an interface outside the program."""

from __future__ import annotations

from collections import defaultdict

from repoquarry.languages.declared_types.name_resolver import NameResolver
from repoquarry.languages.declared_types.types import (
    UNION,
    ClassType,
    OutsideType,
    ParameterType,
    Symbol,
    Type,
)

MAX_TARGETS = 64
"""More methods than so many are no answer."""


class Descendants:
    """Classes by their bases, whose names may be outside the program."""

    def __init__(self, names: NameResolver) -> None:
        self._names = names
        self._count = -1
        self._overriding: dict[tuple[Symbol, str], list[Symbol]] = {}
        self._below: defaultdict[Symbol | str, list[Symbol]] = defaultdict(list)

    def find(self, type_: Type, name: str) -> tuple[Symbol, ...]:
        """Return the methods of a name of all classes below a type that itself has none."""
        found: dict[Symbol, None] = {}
        pending = list(type_.bounds) if isinstance(type_, ParameterType) else [type_]
        if isinstance(type_, ParameterType) and type_.name == UNION and not pending:
            return ()
        seen: set[Symbol | str] = set()
        while pending:
            one = pending.pop()
            key = one.symbol if isinstance(one, ClassType) else one.name if isinstance(one, OutsideType) else None
            for cls in self._classes_below(key) if key is not None and key not in seen else ():
                own = self._names.members.find(ClassType(cls), name, is_call=True)
                found.update(dict.fromkeys(own.symbols) if own is not None else {})
                pending.append(ClassType(cls))
            if key is not None:
                seen.add(key)
        return tuple(found) if len(found) <= MAX_TARGETS else ()

    def overriding(self, cls: Symbol, name: str) -> list[Symbol]:
        """Return the methods of a name that classes below a class declare themselves."""
        if (cls, name) not in self._overriding:
            found: dict[Symbol, None] = {}
            pending, seen = [cls], {cls}
            while pending:
                for below in self._classes_below(pending.pop()):
                    if below not in seen:
                        seen.add(below)
                        pending.append(below)
                        found.update(dict.fromkeys(below.members.get(name, ())))
            self._overriding[cls, name] = list(found)
        return self._overriding[cls, name]

    def _classes_below(self, key: Symbol | str) -> list[Symbol]:
        classes = self._names.program.classes
        if self._count != len(classes):
            self._count = len(classes)
            self._below.clear()
            self._overriding.clear()
            for cls in classes:
                for base in self._names.members.declared_bases(cls):
                    if isinstance(base, ClassType):
                        self._below[base.symbol].append(cls)
                    elif isinstance(base, OutsideType):
                        self._below[base.name].append(cls)
        return self._below.get(key, [])
