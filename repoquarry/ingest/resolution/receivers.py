"""Evidence about the receivers of calls in one file, read from its constraint graph: names, assigned values, declared types, used members."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import FileFacts

_MAX_DEPTH: Final = 6
"""Maximum number of operations between a receiver and a value that counts as evidence about it."""
_PASSED_ON: Final = (op.COPY, op.NARROW, op.GUARD, op.SLICE, op.UNPACK, op.AWAIT, op.ENTER, op.EACH, op.ITEM)
"""Operations whose result is their first operand, an element of it, or what it becomes."""
_TAKEN_FROM: Final = frozenset({op.EACH, op.ITEM, op.UNPACK, op.AWAIT, op.ENTER})
_UNTYPED: Final = frozenset(
    (
        "Any",
        "any",
        "unknown",
        "object",
        "Object",
        "None",
        "null",
        "undefined",
        "Optional",
        "Union",
        "Annotated",
        "Final",
        "ClassVar",
        "typing",
    )
)
"""Names in declared types that say nothing about the class."""

IsExternal = Callable[[str, int], bool]
"""`is_external(module, level)`: whether an import leads out of the repository."""


class Call(NamedTuple):
    """A call of a method."""

    offset: int
    line: int
    owner: int
    """Index of the definition around it; -1 for the module."""
    name: str


class Receiver(NamedTuple):
    """Evidence about the receiver of a call."""

    name: str
    """Last name of the receiver as written; empty for other expressions."""
    values: frozenset[str]
    """Names in what is assigned to the receiver or what it is an element of."""
    types: frozenset[str]
    """Names in its declared types."""
    is_external: bool
    """The receiver or its value comes from an import of external code."""
    is_result: bool
    """The receiver may be the result of a call, or an element of one."""
    is_imported: bool
    """The receiver itself, or its first name, is imported from external code."""
    members: frozenset[str]
    """Members that the function around the call uses on it."""
    positional: int
    """Number of positional arguments; -1 where some are unpacked."""
    keywords: frozenset[str]


class _Evidence:
    """Names that are collected while values are followed."""

    def __init__(self) -> None:
        self.values: set[str] = set()
        self.types: set[str] = set()
        self.is_external = False
        self.is_result = False
        self.is_element = False
        """The receiver is an element of what was found last."""
        self.is_apart = False
        """The receiver is a member of what was found last, or the result of a call of it."""
        self.is_called = False
        """A call lies between the receiver and what was found last."""
        self.is_imported = False
        self.seen: set[int] = set()


class ReceiverReader:
    """Reader of the calls of one file."""

    def __init__(self, facts: FileFacts, is_external: IsExternal) -> None:
        graph = facts.graph
        self._facts, self._is_external = facts, is_external
        self._array = np.frombuffer(graph.code, dtype=np.int32)
        self._code: list[int] = self._array.tolist()
        self._first: list[int] = np.frombuffer(graph.first, dtype=np.int32).tolist()
        self._symbols = graph.symbols.texts()

    def calls(self, names: set[str]) -> Iterator[Call]:
        """Yield the calls of methods with some names."""
        code, symbols = self._code, self._symbols
        for offset in np.frombuffer(self._facts.graph.roots, dtype=np.int32).tolist():
            if code[offset] != op.CALL or code[offset + 7] < 0 or code[offset + 6] & (op.DECORATES | op.HANDLES):
                continue
            name = symbols[code[offset + 7]]
            if name in names:
                yield Call(offset, code[offset + 4], code[offset + 5], name)

    def receiver(self, call: Call) -> Receiver | None:
        """Return the evidence about the receiver of a call; None where nothing is read from it, or where it is a class above."""
        code = self._code
        read = self._first[code[call.offset + 3]]
        if read < 0 or code[read] != op.ATTR:
            return None
        variable = code[read + 2]
        held = self._first[variable]
        if held >= 0 and code[held] == op.SUPER:
            return None
        found = _Evidence()
        self._follow(variable, found, _MAX_DEPTH)
        name = self._names.get(call.offset, "")
        if held >= 0 and code[held] == op.ATTR:
            name = self._symbols[code[held + 3]]
            self._follow_attribute(name, found)
        arguments = code[call.offset + 9 : call.offset + 9 + 2 * code[call.offset + 8] : 2]
        is_open = op.SPLAT in arguments or op.KEYWORDS in arguments
        return Receiver(
            name,
            frozenset(found.values),
            frozenset(found.types - _UNTYPED),
            found.is_external,
            found.is_result,
            found.is_imported,
            frozenset(self._members.get(self._place(variable, call.owner), ())),
            -1 if is_open else sum(one == op.POSITIONAL for one in arguments),
            frozenset(self._symbols[one] for one in arguments if one >= 0),
        )

    # ---- values

    def _operations(self, variable: int) -> Iterator[int]:
        offset = self._first[variable]
        while offset >= 0:
            yield offset
            offset = self._code[offset + 1]

    def _follow(self, variable: int, found: _Evidence, depth: int) -> None:
        """Collect the names in what a variable holds."""
        if depth == 0 or variable in found.seen:
            return
        found.seen.add(variable)
        code = self._code
        for offset in self._operations(variable):
            kind = code[offset]
            if kind in _PASSED_ON:
                was_element, found.is_element = found.is_element, found.is_element or kind in _TAKEN_FROM
                self._follow(code[offset + 2], found, depth - 1)
                found.is_element = was_element
            elif kind == op.ATTR:
                was_apart, found.is_apart = found.is_apart, True
                self._follow(code[offset + 2], found, depth - 1)
                found.is_apart = was_apart
            elif kind == op.CALL:
                self._follow_call(offset, found, depth - 1)
            elif kind in (op.TYPED, op.DECLARED):
                if not found.is_apart:
                    self._collect_types(code[offset + 2], found.types, _MAX_DEPTH, with_arguments=found.is_element)
                if kind == op.DECLARED:
                    self._follow(code[offset + 4], found, depth - 1)
            elif kind in (op.FROM, op.IMPORT, op.NAME, op.CLASS):
                self._take_name(offset, found)

    def _follow_call(self, offset: int, found: _Evidence, depth: int) -> None:
        code, was_apart, was_called = self._code, found.is_apart, found.is_called
        found.is_apart = found.is_called = found.is_result = True
        self._follow(code[offset + 3], found, depth)
        found.is_apart, found.is_called = was_apart, was_called
        if found.is_apart:
            return
        start = offset + 9
        for at in range(start, start + 2 * code[offset + 8], 2):
            self._collect_types(code[at + 1], found.values, 2)

    def _take_name(self, offset: int, found: _Evidence) -> None:
        if not found.is_apart:
            found.values.add(self._name_of(offset))
        if self._is_outside(offset):
            found.is_external = True
            found.is_imported |= not found.is_called

    def _name_of(self, offset: int) -> str:
        code, kind = self._code, self._code[offset]
        if kind == op.CLASS:
            return self._facts.definitions[code[offset + 2]].name
        return self._symbols[code[offset + (4 if kind == op.FROM else 2)]].rpartition(".")[2]

    def _is_outside(self, offset: int) -> bool:
        code, kind = self._code, self._code[offset]
        if kind == op.FROM:
            return self._is_external(self._symbols[code[offset + 2]], code[offset + 3])
        return kind == op.IMPORT and self._is_external(self._symbols[code[offset + 2]], 0)

    def _collect_types(self, variable: int, names: set[str], depth: int, *, with_arguments: bool = False) -> None:
        """Collect the names of a type, or of a class that is passed as an argument.

        Type arguments are those of elements, and of types that stand for their arguments.
        """
        code = self._code
        for offset in self._operations(variable) if depth else ():
            kind = code[offset]
            if kind in (op.FROM, op.NAME, op.CLASS):
                names.add(self._name_of(offset))
            elif kind == op.ATTR:
                names.add(self._symbols[code[offset + 3]])
            elif kind == op.COPY:
                self._collect_types(code[offset + 2], names, depth - 1, with_arguments=with_arguments)
            elif kind == op.TYPEARGS:
                heads = set[str]()
                self._collect_types(code[offset + 2], heads, depth - 1)
                names |= heads
                for argument in (
                    code[offset + 4 : offset + 4 + code[offset + 3]] if with_arguments or heads <= _UNTYPED else ()
                ):
                    self._collect_types(argument, names, depth - 1, with_arguments=with_arguments)

    def _follow_attribute(self, name: str, found: _Evidence) -> None:
        """Collect the names in what the file assigns to, or declares for, attributes of a name."""
        imported = found.is_imported
        for variable in self._attributes.get(name, ()):
            self._follow(variable, found, _MAX_DEPTH)
        found.is_imported = imported

    # ---- indexes of the file

    @cached_property
    def _names(self) -> dict[int, str]:
        """Offset of a call -> name of the local variable whose method it calls."""
        pairs = np.frombuffer(self._facts.graph.receivers, dtype=np.int32).tolist()
        return {offset: self._symbols[name] for offset, name in zip(pairs[::2], pairs[1::2], strict=True)}

    @cached_property
    def _attributes(self) -> dict[str, list[int]]:
        """Name of an attribute -> variables that are assigned to it, or declared in a class."""
        found: dict[str, list[int]] = defaultdict(list)
        code = self._code
        for offset in np.frombuffer(self._facts.graph.roots, dtype=np.int32).tolist():
            if code[offset] == op.SETATTR:
                found[self._symbols[code[offset + 3]]].append(code[offset + 4])
        scopes = np.frombuffer(self._facts.graph.scopes, dtype=np.int32).tolist()
        for scope, name, variable in zip(scopes[::3], scopes[1::3], scopes[2::3], strict=True):
            if scope >= 0:
                found[self._symbols[name]].append(variable)
        return found

    def _place(self, variable: int, owner: int) -> tuple[int, str]:
        """Return a key of a receiver that is the same for each reading of it in one function."""
        code = self._code
        for _ in range(_MAX_DEPTH):
            offset = self._first[variable]
            if offset >= 0 and code[offset] in (op.COPY, op.NARROW) and code[offset + 1] < 0:
                variable = code[offset + 2]
            elif offset >= 0 and code[offset] == op.ATTR:
                return owner, self._symbols[code[offset + 3]]
            else:
                break
        return variable, ""

    @cached_property
    def _members(self) -> dict[tuple[int, str], set[str]]:
        """Receiver -> members that are used on it."""
        found: dict[tuple[int, str], set[str]] = defaultdict(set)
        first = np.frombuffer(self._facts.graph.first, dtype=np.int32)
        offsets = first[first >= 0]
        for offset in offsets[self._array[offsets] == op.ATTR].tolist():
            variable, name, owner = self._code[offset + 2], self._code[offset + 3], self._code[offset + 5]
            found[self._place(variable, owner)].add(self._symbols[name])
        return found
