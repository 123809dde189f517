"""The call edges of a repository as columns: there are more of them than of all else that resolution finds together.

As records they took half the time of what comes after the kernel and most of the memory between processes; whoever sums, joins or
renumbers them does so on arrays. `CallEdge` is what one row reads as.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]
Cut = tuple[Numbers, Numbers]
"""Where each of some parts begins and at last where all end, and what is cut there."""


class CallEdge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`caller` (function, class or module) calls `callee`."""

    caller: int
    callee: int
    count: int
    """Call sites."""
    lines: tuple[int, ...]
    """One for each site, sorted."""
    how: str
    """The rule that found the surest of the sites: a name of `repoquarry.ingest.resolution.rules.RULES`."""
    confidence: float
    """Calibrated: of edges at 0.9, nine in ten are right (see docs/benchmarks.md)."""


class Calls(msgspec.Struct, frozen=True, array_like=True):
    """Sorted call edges; numbers are int32 in the machine's order."""

    caller_bytes: bytes
    callee_bytes: bytes
    rule_bytes: bytes
    """Of each edge a position in `rules`."""
    rules: list[tuple[str, float]]
    """`how` and `confidence` of those that occur, sorted."""
    start_bytes: bytes
    """Of each edge where its lines begin, and at last where all end."""
    line_bytes: bytes

    @classmethod
    def of(cls, edges: Iterable[CallEdge]) -> Calls:
        """Those of records, each of which has as many lines as sites."""
        ordered = sorted(edges, key=msgspec.structs.astuple)
        rules = sorted({(edge.how, edge.confidence) for edge in ordered})
        number = {rule: at for at, rule in enumerate(rules)}
        return cls(
            _bytes([edge.caller for edge in ordered]),
            _bytes([edge.callee for edge in ordered]),
            _bytes([number[edge.how, edge.confidence] for edge in ordered]),
            rules,
            _bytes(np.cumsum([0, *(len(edge.lines) for edge in ordered)])),
            _bytes([line for edge in ordered for line in edge.lines]),
        )

    @classmethod
    def of_columns(
        cls, callers: Numbers, callees: Numbers, rule_of: Numbers, rules: Sequence[tuple[str, float]], cut: Cut
    ) -> Calls:
        """Those of columns that are sorted by caller and callee; `rule_of` says places in `rules`, which may name some twice."""
        known = sorted(set(rules))
        number = {rule: at for at, rule in enumerate(known)}
        places = np.array([number[rule] for rule in rules], dtype=np.int32)
        return cls(_bytes(callers), _bytes(callees), _bytes(places[rule_of]), known, *map(_bytes, cut))

    def __len__(self) -> int:
        return len(self.caller_bytes) >> 2

    def __iter__(self) -> Iterator[CallEdge]:
        lines, starts = self.lines.tolist(), self.starts.tolist()
        columns = self.callers.tolist(), self.callees.tolist(), self.rule_of.tolist(), starts, starts[1:]
        for caller, callee, rule, start, end in zip(*columns, strict=False):
            yield CallEdge(caller, callee, end - start, tuple(lines[start:end]), *self.rules[rule])

    @property
    def callers(self) -> Numbers:
        return _numbers(self.caller_bytes)

    @property
    def callees(self) -> Numbers:
        return _numbers(self.callee_bytes)

    @property
    def rule_of(self) -> Numbers:
        return _numbers(self.rule_bytes)

    @property
    def starts(self) -> Numbers:
        return _numbers(self.start_bytes)

    @property
    def lines(self) -> Numbers:
        return _numbers(self.line_bytes)

    @property
    def counts(self) -> Numbers:
        """Call sites of each edge."""
        return np.diff(self.starts)

    @property
    def confidences(self) -> NDArray[np.float64]:
        """Of each edge."""
        return np.array([sure for _, sure in self.rules], dtype=np.float64)[self.rule_of]

    def chosen(self, rows: NDArray[Any], callers: Numbers, callees: Numbers) -> Calls:
        """The edges of these rows in this order, with other ends."""
        cuts, lines = self.lines_of(rows)
        used, numbers = np.unique(self.rule_of[rows], return_inverse=True)
        rules = [self.rules[at] for at in used.tolist()]
        ends_and_rules = _bytes(callers), _bytes(callees), _bytes(numbers), rules
        return Calls(*ends_and_rules, _bytes(cuts), _bytes(lines))

    def lines_of(self, rows: NDArray[Any]) -> Cut:
        """The lines of these edges."""
        starts = self.starts[:-1][rows]
        sizes = self.starts[1:][rows] - starts
        cuts = np.concatenate([[0], np.cumsum(sizes)])
        return cuts, self.lines[np.repeat(starts - cuts[:-1], sizes) + np.arange(cuts[-1])]


def united(parts: Sequence[Calls]) -> Calls:
    """The edges of several, which have their final ends, those of each behind those of the one before."""
    rules = sorted({rule for part in parts for rule in part.rules})
    number = {rule: at for at, rule in enumerate(rules)}
    firsts = np.cumsum([0, *(len(part.lines) for part in parts)])
    starts = [part.starts[:-1] + first for part, first in zip(parts, firsts, strict=False)]
    return Calls(
        b"".join(part.caller_bytes for part in parts),
        b"".join(part.callee_bytes for part in parts),
        b"".join(
            _bytes(np.array([number[rule] for rule in part.rules], dtype=np.int32)[part.rule_of]) for part in parts
        ),
        rules,
        _bytes(np.concatenate([*starts, firsts[-1:]])),
        b"".join(part.line_bytes for part in parts),
    )


def in_order(calls: Calls, callers: Numbers, callees: Numbers) -> Calls:
    """`calls` with other ends, sorted."""
    rows = np.lexsort((callees, callers))
    made = calls.chosen(rows, callers[rows], callees[rows])
    same = (made.callers[1:] == made.callers[:-1]) & (made.callees[1:] == made.callees[:-1])
    return Calls.of(made) if same.any() else made  # what the rest of an edge says decides between equal ends


def renumbered(numbers: Numbers, chosen: NDArray[np.bool_], number: Callable[[int], int]) -> Numbers:
    """`numbers` with the chosen ones replaced; `number` is asked for each of them once, in the order of the edges."""
    distinct, first, places = np.unique(numbers[chosen], return_index=True, return_inverse=True)
    table = np.zeros(len(distinct), dtype=np.int32)
    for at in np.argsort(first).tolist():
        table[at] = number(int(distinct[at]))
    found = numbers.copy()
    found[chosen] = table[places]
    return found


def _numbers(data: bytes) -> Numbers:
    return np.frombuffer(data, dtype=np.int32)


def _bytes(numbers: NDArray[Any] | Sequence[int]) -> bytes:
    return np.asarray(numbers, dtype=np.int32).tobytes()
