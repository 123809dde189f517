"""Resolution of an edit that moves lines and changes nothing that the solver reads: comments, layout, names of locals, prose.

The facts of such a file are equal to the previous ones except for lines. Every old line has one new line, in the same order, so that
the solver would do the same steps: the previous resolution with new lines is exactly what it would find.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.ingest.previous_state import CachedResolution, FamilyResolution, decode_facts, digest_inputs
from repoquarry.languages import constraints as op
from repoquarry.languages.family import PointsToConfig
from repoquarry.languages.registry import family_name, load

if TYPE_CHECKING:
    from repoquarry.ingest.resolution.model import (
        CallTable,
        ImportEdge,
        ReferenceEdge,
        Resolution,
        UnresolvedCall,
        VariableUse,
    )
    from repoquarry.languages.facts import Definition, FileFacts

_Edge = TypeVar("_Edge", "UnresolvedCall", "ImportEdge", "ReferenceEdge", "VariableUse")

MAX_FILES = 20
"""Maximum number of changed files: more are a change of another kind."""
_LENGTHS = {
    op.COPY: 3, op.ATTR: 6, op.ITEM: 7, op.CONST: 4, op.FUNC: 3, op.CLASS: 3, op.NAME: 3, op.IMPORT: 4, op.FROM: 7, op.EACH: 5,
    op.AWAIT: 5, op.ENTER: 5, op.OPER: 7, op.TYPED: 4, op.NARROW: 5, op.SLICE: 6, op.UNPACK: 6, op.SETATTR: 7, op.SETITEM: 8,
    op.STAR: 4, op.MENTION: 6, op.RAISE: 5, op.DECLARED: 5, op.SENT: 3, op.PROPERTY: 4, op.SUPER: 4, op.INHERITS: 4,
    op.PARAMETER: 5, op.GUARD: 6, op.BRACKETS: 4, op.DELATTR: 6,
}  # fmt: skip
"""Numbers of an operation, as `operand_kinds` of the kernel; the others have a count."""
_COUNTS = {op.CALL: (8, 2), op.CONTAINER: (3, 2), op.TYPEARGS: (3, 1)}
"""Position of the count, and numbers of each counted operand."""
_LINES = {
    op.ATTR: 4, op.CALL: 4, op.ITEM: 5, op.FROM: 5, op.EACH: 3, op.AWAIT: 3, op.ENTER: 3, op.OPER: 5, op.UNPACK: 4, op.SLICE: 4,
    op.SETATTR: 5, op.SETITEM: 6, op.RAISE: 3, op.DELATTR: 4, op.MENTION: 3,
}  # fmt: skip
"""Position of the line."""


def shift_lines(
    packed: Mapping[str, bytes], previous: Mapping[str, bytes], cached: CachedResolution, rules: bytes
) -> CachedResolution | None:
    """Return the resolution of `packed` facts by path, which differ from those of `cached` in the files of `previous` alone.

    None unless all changes are of lines.
    """
    lines_by_path = {
        path: map_lines(decode_facts(old), decode_facts(packed[path]))
        for path, old in previous.items()
        if path in packed
    }
    moved = {path: lines for path, lines in lines_by_path.items() if lines is not None}
    if len(moved) < len(previous):
        return None
    families: dict[str, list[str]] = {}
    for path in sorted(packed):
        families.setdefault(family_name(path), []).append(path)
    hashes = {path: hashlib.sha256(facts).digest() for path, facts in packed.items()}
    before = hashes | {path: hashlib.sha256(facts).digest() for path, facts in previous.items()}
    groups = [(digest_inputs(rules, map(before.__getitem__, paths)), paths) for paths in families.values()]
    if [digest for digest, _ in groups] != [part.digest for part in cached.parts]:
        return None
    parts = []
    for part, (_, paths) in zip(cached.parts, groups, strict=True):
        own = {path: moved[path] for path in paths if path in moved}
        shifted = _shift_part(part, own, digest_inputs(rules, map(hashes.__getitem__, paths)))
        if shifted is None:
            return None
        parts.append(shifted)
    return CachedResolution(tuple(parts), digest_inputs(rules, map(hashes.__getitem__, sorted(packed))))


def _shift_part(
    part: FamilyResolution, lines_by_path: Mapping[str, Mapping[int, int]], digest: bytes
) -> FamilyResolution | None:
    if not lines_by_path:
        return part
    resolution = part.resolution()
    shifted = _Shift(resolution, lines_by_path).shifted() if resolution is not None else None
    return FamilyResolution.of(digest, shifted) if shifted is not None else None


def map_lines(old: FileFacts, new: FileFacts) -> dict[int, int] | None:
    """Map the lines of facts to those of other facts; None if the facts differ in more than lines, or their order changes."""
    family = load(old.language).family
    if family is None or not isinstance(family.method, PointsToConfig) or old.own or new.own:
        return None
    before, after = _LineMask(old), _LineMask(new)
    if before.content != after.content:
        return None
    found = dict(zip(before.lines, after.lines, strict=True))
    ordered = [found[line] for line in sorted(found)]
    is_function = all(found[line] == other for line, other in zip(before.lines, after.lines, strict=True))
    return found if is_function and all(one < other for one, other in pairwise(ordered)) else None


class _LineMask:
    """Facts of one file, with its lines taken out in a fixed order; without what resolution does not read."""

    def __init__(self, facts: FileFacts) -> None:
        self.lines: list[int] = []
        graph = facts.graph
        self.content = (
            (
                facts.path,
                facts.language,
                facts.module_name,
                facts.is_package,
                facts.is_stub,
                facts.namespace,
                facts.exports,
            ),
            [self._definition(one) for one in facts.definitions],
            [msgspec.structs.replace(one, line=self._take(one.line)) for one in facts.imports],
            [(kind, text, self._take(line)) for kind, text, line in facts.entry_points],
            [msgspec.structs.replace(one, line=self._take(one.line)) for one in facts.variables],
            [msgspec.structs.replace(one, line=self._take(one.line)) for one in facts.lambdas],
            self._code(graph.code),
            self._mentions(facts.mentions),
            (graph.symbols, graph.first, graph.roots, graph.scopes, graph.functions),
        )

    def _take(self, line: int) -> int:
        """Take a line out; 0 is no line."""
        if line:
            self.lines.append(line)
        return min(line, 1)

    def _definition(self, one: Definition) -> Definition:
        places = [self._take(line) for line in (one.start_line, one.name_line, one.end_line, *one.base_lines)]
        return msgspec.structs.replace(
            one,
            start_line=places[0],
            name_line=places[1],
            end_line=places[2],
            base_lines=tuple(places[3:]),
            docstring="",
            branches=0,
            indent=0,
            calls=0,
        )

    def _code(self, code: bytes) -> array[int]:
        numbers, at = array("i", code), 0
        while at < len(numbers):
            operation = numbers[at]
            if (position := _LINES.get(operation)) is not None:
                numbers[at + position] = self._take(numbers[at + position])
            if operation in _COUNTS:
                count, width = _COUNTS[operation]
                at += count + 1 + width * numbers[at + count]
            else:
                at += _LENGTHS[operation]
        return numbers

    def _mentions(self, mentions: bytes) -> array[int]:
        numbers = array("i", mentions)
        for at in range(1, len(numbers), 3):
            sign = -1 if numbers[at] < 0 else 1
            numbers[at] = sign * self._take(abs(numbers[at]))
        return numbers


class UnknownLineError(LookupError):
    """A line of the resolution that the facts of its file do not state."""


class _Shift:
    """A resolution, and the new lines of some of its files."""

    def __init__(self, found: Resolution, lines_by_path: Mapping[str, Mapping[int, int]]) -> None:
        self._found = found
        self._lines: dict[int, Mapping[int, int]] = {}
        """New lines by symbol of the changed files."""
        for path, start, end in found.runs():
            if path in lines_by_path:
                self._lines.update(dict.fromkeys(range(start, end), lines_by_path[path]))

    def shifted(self) -> Resolution | None:
        """Return the resolution with new lines; None if a line is not one of its file's facts."""
        found = self._found
        try:
            return msgspec.structs.replace(
                found,
                calls=self._calls(found.calls),
                unresolved=[self._replace(one, one.caller) for one in found.unresolved],
                imports=[self._replace(one, one.source) for one in found.imports],
                references=[self._replace(one, one.source) for one in found.references],
                uses=[self._replace(one, one.source) for one in found.uses],
                inherits=[
                    msgspec.structs.replace(one, line=self._new(self._lines[one.cls], [one.line])[0])
                    if one.cls in self._lines
                    else one
                    for one in found.inherits
                ],
            )
        except UnknownLineError:
            return None

    def _replace(self, edge: _Edge, source: int) -> _Edge:
        lines = self._lines.get(source)
        return msgspec.structs.replace(edge, lines=self._new(lines, edge.lines)) if lines is not None else edge

    def _new(self, lines: Mapping[int, int], old: Iterable[int]) -> tuple[int, ...]:
        try:
            return tuple([lines[line] for line in old])
        except KeyError as exc:
            raise UnknownLineError from exc

    def _calls(self, calls: CallTable) -> CallTable:
        numbers, starts = calls.lines.copy(), calls.starts
        for row in self._rows(calls.callers):
            part = slice(int(starts[row]), int(starts[row + 1]))
            numbers[part] = self._new(self._lines[int(calls.callers[row])], numbers[part].tolist())
        return msgspec.structs.replace(calls, line_bytes=numbers.tobytes())

    def _rows(self, callers: NDArray[np.int32]) -> Iterator[int]:
        """Yield the rows of the callers in changed files."""
        chosen = np.isin(callers, np.fromiter(self._lines, np.int32, len(self._lines)))
        yield from map(int, np.flatnonzero(chosen))
