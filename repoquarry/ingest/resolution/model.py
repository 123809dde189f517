"""`Resolution` and its edge records; the table of calls.

As records they took half the time of what comes after the kernel and most of the memory between processes; whoever sums, joins or
renumbers them does so on arrays. `CallEdge` is what one row reads as.

Everything that an edge can point at is a number: `>= 0` is an index into `Resolution.symbols` (a place in the
repository), `< 0` is the
complement of an index into `Resolution.externals` (a dotted name outside it): `externals[~target]`. All lists are
sorted, so that equal
input gives equal output byte for byte, whatever the order of files and the number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.languages.family import ModuleInfo

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


class CallTable(msgspec.Struct, frozen=True, array_like=True):
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
    def of(cls, edges: Iterable[CallEdge]) -> CallTable:
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
    ) -> CallTable:
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

    def chosen(self, rows: NDArray[Any], callers: Numbers, callees: Numbers) -> CallTable:
        """The edges of these rows in this order, with other ends."""
        cuts, lines = self.lines_of(rows)
        used, numbers = np.unique(self.rule_of[rows], return_inverse=True)
        rules = [self.rules[at] for at in used.tolist()]
        ends_and_rules = _bytes(callers), _bytes(callees), _bytes(numbers), rules
        return CallTable(*ends_and_rules, _bytes(cuts), _bytes(lines))

    def lines_of(self, rows: NDArray[Any]) -> Cut:
        """The lines of these edges."""
        starts = self.starts[:-1][rows]
        sizes = self.starts[1:][rows] - starts
        cuts = np.concatenate([[0], np.cumsum(sizes)])
        return cuts, self.lines[np.repeat(starts - cuts[:-1], sizes) + np.arange(cuts[-1])]


def merge_call_tables(parts: Sequence[CallTable]) -> CallTable:
    """The edges of several, which have their final ends, those of each behind those of the one before."""
    rules = sorted({rule for part in parts for rule in part.rules})
    number = {rule: at for at, rule in enumerate(rules)}
    firsts = np.cumsum([0, *(len(part.lines) for part in parts)])
    starts = [part.starts[:-1] + first for part, first in zip(parts, firsts, strict=False)]
    return CallTable(
        b"".join(part.caller_bytes for part in parts),
        b"".join(part.callee_bytes for part in parts),
        b"".join(
            _bytes(np.array([number[rule] for rule in part.rules], dtype=np.int32)[part.rule_of]) for part in parts
        ),
        rules,
        _bytes(np.concatenate([*starts, firsts[-1:]])),
        b"".join(part.line_bytes for part in parts),
    )


def sort_calls(calls: CallTable, callers: Numbers, callees: Numbers) -> CallTable:
    """`calls` with other ends, sorted."""
    rows = np.lexsort((callees, callers))
    made = calls.chosen(rows, callers[rows], callees[rows])
    same = (made.callers[1:] == made.callers[:-1]) & (made.callees[1:] == made.callees[:-1])
    return CallTable.of(made) if same.any() else made  # what the rest of an edge says decides between equal ends


def renumber(numbers: Numbers, chosen: NDArray[np.bool_], number: Callable[[int], int]) -> Numbers:
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


__all__ = [
    "LIKELY",
    "CallEdge",
    "CallTable",
    "EntryPoint",
    "ExportedName",
    "ImportEdge",
    "InheritanceEdge",
    "OverrideEdge",
    "ReferenceEdge",
    "Resolution",
    "SolverBudget",
    "Symbol",
    "UnresolvedCall",
]  # fmt: skip

#: An edge of this confidence or more is a finding, and counts as a call. Below, it is a possibility.
LIKELY = 0.5


class SolverBudget(msgspec.Struct, frozen=True):
    """Limits of the fixpoint. When one is hit, resolution ends early, says so, and the rest is reported as
    unresolved."""

    steps: int = 0
    """Propagated facts in total; 0 derives it from the size of the repository (see `solver.py`)."""
    targets_per_site: int = 64
    """A call site with more possible targets than this is reported as unresolved with the reason `budget`."""
    objects_per_variable: int = 32
    """A variable that may hold more than this stops receiving; its call sites are marked `budget`."""
    memory_bytes: int = 0
    """Most that the fixpoint may take before it fails; 0 for no limit."""
    milliseconds: int = 0
    """Longest that the fixpoint may run before it fails; 0 for no limit."""


class Symbol(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place in the repository: a definition, or with an empty key the module itself."""

    path: str
    key: str


class ImportEdge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`source` (a module's symbol) imports `target` (a module's symbol or an external)."""

    source: int
    target: int
    names: tuple[str, ...]
    """What is taken from the target, as it is called there; empty for plain imports, `*` for all."""
    lines: tuple[int, ...]
    how: str
    """`import`, `from`, `star`, `dynamic` or `typing`."""


class UnresolvedCall(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Call sites of `caller` whose callee is not known."""

    caller: int
    name: str
    """The called name: the last part of what is written before the bracket; empty when it is no name."""
    count: int
    lines: tuple[int, ...]
    reason: str
    """`unknown receiver`, `dynamic attribute`, `unknown name`, `unknown value`, `outside the repository`,
    `many targets` (unrelated ones: the candidates) or `budget`."""
    candidates: tuple[int, ...]
    """Definitions in the repository that bear this name, at most `MAX_CANDIDATES`: possible, never asserted."""


class InheritanceEdge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`cls` names `base` as its `position`-th base (0-based); external bases included."""

    cls: int
    base: int
    position: int


class OverrideEdge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`method` overrides `overridden`, the nearest method of that name in its class's linearised ancestors."""

    method: int
    overridden: int


class ReferenceEdge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`source` mentions `target` without calling it."""

    source: int
    target: int
    count: int
    lines: tuple[int, ...]
    how: str
    """`annotation`, `decorator` (applied to `source`), `handler` (passed, stored as a value or registered), `raises` or
    `value`."""


class ExportedName(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`module` offers `name`, which is `target`: by listing it as its own, or by passing on what it imports."""

    module: int
    name: str
    target: int


class EntryPoint(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`target` is called from outside the repository's own code."""

    target: int
    kind: str
    """`main`, `script`, `route`, `command`, `test`, `suite` (a group of tests), `fixture` or `hook`."""
    name: str
    """What is written: the route's path, the decorator, the test's name."""


class Resolution(msgspec.Struct, frozen=True):
    """The resolved repository."""

    symbols: list[Symbol]
    """Family by family (`uniting.py`), in path order, the definitions of a file behind its module."""
    externals: list[str]
    """Full dotted names; built-ins as `builtins.len`. One that two families know stands twice."""
    modules: list[ModuleInfo]
    imports: list[ImportEdge]
    calls: CallTable
    unresolved: list[UnresolvedCall]
    inherits: list[InheritanceEdge]
    overrides: list[OverrideEdge]
    references: list[ReferenceEdge]
    exports: list[ExportedName]
    entry_points: list[EntryPoint]
    budget_hit: bool
    """The fixpoint ended early: more calls would have been resolved with a larger budget."""

    def runs(self) -> Iterator[tuple[str, int, int]]:
        """Of each file its path, and where its symbols begin and end."""
        starts = [at for at, symbol in enumerate(self.symbols) if not symbol.key]
        for start, end in pairwise((*starts, len(self.symbols))):
            yield self.symbols[start].path, start, end

    def path_key(self, target: int) -> tuple[str, str] | None:
        """(path, key) of a target inside the repository; None for an external."""
        return (self.symbols[target].path, self.symbols[target].key) if target >= 0 else None

    def external(self, target: int) -> str | None:
        """Dotted name of an external target; None for one inside the repository."""
        return self.externals[~target] if target < 0 else None
