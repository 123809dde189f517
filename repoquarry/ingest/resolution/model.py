"""Data model of a resolution: symbols and externals (names outside the repository), and edges such as calls, imports, inheritance.

Calls are stored as arrays (`CallTable`; one row is a `CallEdge`), because records took half of the time after the native
solver and most of the memory between processes.

Numbers `>= 0` index `Resolution.symbols`; numbers `< 0` are complements of indexes into `Resolution.externals`. All
lists are sorted, so that equal input gives equal bytes, whatever the order of files and the number of workers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.model.call_views import CANDIDATE, LIKELY, site_confidence
from repoquarry.languages.facts import Definition
from repoquarry.languages.family import ExternalOrigin, ModuleInfo

Numbers = NDArray[np.int32]
Cut = tuple[Numbers, Numbers]
"""Start of each part and the end of the last, with the parts' values."""


CallRule = tuple[str, float, int]
"""`how`, `confidence` and `targets` of an edge."""


class CallEdge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`caller` (function, class or module) calls `callee`."""

    caller: int
    callee: int
    count: int
    """Number of call sites."""
    lines: tuple[int, ...]
    """Line of each site, sorted."""
    how: str
    """Most confident rule of the sites (`LanguageFamily.rules`)."""
    confidence: float
    """Share of the calls of that site that run `callee` (docs/explanation/call-resolution.md); at most 1 over all targets."""
    targets: int = 1
    """Number of targets of that site of which one runs."""


class CallTable(msgspec.Struct, frozen=True, array_like=True):
    """Sorted call edges; numbers are int32 in native byte order."""

    caller_bytes: bytes
    callee_bytes: bytes
    rule_bytes: bytes
    """Position in `rules` by edge."""
    rules: list[CallRule]
    """Distinct rules, sorted."""
    start_bytes: bytes
    """Start of each edge's lines, and the end of the last."""
    line_bytes: bytes

    @classmethod
    def of(cls, edges: Iterable[CallEdge]) -> CallTable:
        """Create the table from records with one line per site."""
        ordered = sorted(edges, key=msgspec.structs.astuple)
        rules = sorted({(edge.how, edge.confidence, edge.targets) for edge in ordered})
        number = {rule: at for at, rule in enumerate(rules)}
        return cls(
            _bytes([edge.caller for edge in ordered]),
            _bytes([edge.callee for edge in ordered]),
            _bytes([number[edge.how, edge.confidence, edge.targets] for edge in ordered]),
            rules,
            _bytes(np.cumsum([0, *(len(edge.lines) for edge in ordered)])),
            _bytes([line for edge in ordered for line in edge.lines]),
        )

    @classmethod
    def of_columns(
        cls, callers: Numbers, callees: Numbers, rule_of: Numbers, rules: Sequence[CallRule], cut: Cut
    ) -> CallTable:
        """Create the table from columns sorted by caller and callee; `rule_of` indexes `rules`, which may contain
        duplicates."""
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
        """Number of call sites by edge."""
        return np.diff(self.starts)

    @property
    def is_likely(self) -> NDArray[np.bool_]:
        """Whether each edge is a finding, alone or in a set of targets."""
        rules = [
            how != CANDIDATE and site_confidence(how, targets, confidence) >= LIKELY
            for how, confidence, targets in self.rules
        ]
        return np.array(rules, dtype=np.bool_)[self.rule_of]

    def chosen(self, rows: NDArray[Any], callers: Numbers, callees: Numbers) -> CallTable:
        """Return the edges of these rows in this order, with other ends."""
        cuts, lines = self.lines_of(rows)
        used, numbers = np.unique(self.rule_of[rows], return_inverse=True)
        rules = [self.rules[at] for at in used.tolist()]
        ends_and_rules = _bytes(callers), _bytes(callees), _bytes(numbers), rules
        return CallTable(*ends_and_rules, _bytes(cuts), _bytes(lines))

    def lines_of(self, rows: NDArray[Any]) -> Cut:
        """Return the lines of these edges."""
        starts = self.starts[:-1][rows]
        sizes = self.starts[1:][rows] - starts
        cuts = np.concatenate([[0], np.cumsum(sizes)])
        return cuts, self.lines[np.repeat(starts - cuts[:-1], sizes) + np.arange(cuts[-1])]


def merge_call_tables(parts: Sequence[CallTable]) -> CallTable:
    """Concatenate tables, whose ends are final."""
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
    """Replace the ends of the calls and sort."""
    rows = np.lexsort((callees, callers))
    made = calls.chosen(rows, callers[rows], callees[rows])
    same = (made.callers[1:] == made.callers[:-1]) & (made.callees[1:] == made.callees[:-1])
    # The other columns order edges with equal ends.
    return CallTable.of(made) if same.any() else made


def renumber(numbers: Numbers, chosen: NDArray[np.bool_], number: Callable[[int], int]) -> Numbers:
    """Replace chosen numbers; `number` is called once for each, in edge order."""
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


class SolverBudget(msgspec.Struct, frozen=True):
    """Limits of the fixpoint. When one is exceeded, resolution ends early and reports the rest as unresolved."""

    steps: int = 0
    """Propagated facts in total; 0 derives it from the size of the repository."""
    targets_per_site: int = 64
    """Maximum targets of a call site; others are unresolved with the reason `budget`."""
    objects_per_variable: int = 32
    """Maximum objects of a variable; its call sites are then marked `budget`."""
    memory_bytes: int = 0
    """Maximum memory of the fixpoint; 0 means no limit."""
    milliseconds: int = 0
    """Maximum run time of the fixpoint; 0 means no limit."""


class Symbol(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Location in the repository: a definition, or the module if the key is empty."""

    path: str
    key: str


class ImportEdge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`source` (symbol of a module) imports `target` (symbol of a module, or an external)."""

    source: int
    target: int
    names: tuple[str, ...]
    """Imported names as the target has them; empty for plain imports, `*` for all."""
    lines: tuple[int, ...]
    how: str
    """`import`, `from`, `star`, `dynamic` or `typing`."""
    deferred: bool
    """True if none of the statements runs while the module is loaded."""


class UnresolvedCall(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Call sites of `caller` with unknown callee."""

    caller: int
    name: str
    """Called name: the last part before the bracket; empty if it is not a name."""
    count: int
    lines: tuple[int, ...]
    reason: str
    """`unknown receiver`, `dynamic attribute`, `unknown name`, `unknown value`, `outside the repository`,
    `many targets` (unrelated ones: the candidates), `budget`, `and N overrides` (of a target), `and N callbacks` (passed to a
    parameter) or `excluded: ` with the reason of a file."""
    candidates: tuple[int, ...]
    """Definitions of this name in the repository, at most `MAX_CANDIDATES`: possible targets."""


class InheritanceEdge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`cls` has `base` as its `position`-th base (0-based); external bases included."""

    cls: int
    base: int
    position: int
    line: int
    """Line of the base, or of the name of a class that does not write it in its head."""

    @classmethod
    def of(cls, owner: int, base: int, position: int, written: Definition | None) -> InheritanceEdge:
        """Create the edge of the class that `written` defines."""
        lines, default = (written.base_lines, written.name_line) if written else ((), 1)
        return InheritanceEdge(owner, base, position, lines[position] if position < len(lines) else default)


class OverrideEdge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`method` overrides `overridden`, the nearest method of its name in the linearized ancestors."""

    method: int
    overridden: int


class ReferenceEdge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`source` mentions `target` without a call."""

    source: int
    target: int
    count: int
    lines: tuple[int, ...]
    how: str
    """`annotation`, `decorator` (applied to `source`), `handler` (passed, stored as a value or registered), `raises`, `route`
    (a test client names the path of a handler), `scip` (an index of a compiler or type checker) or `value`."""


class VariableUse(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`source` reads, assigns or imports a variable, of the module or class `owner`, or imports the definition `owner`."""

    source: int
    owner: int
    name: str
    """Name of the variable; empty for the definition itself."""
    lines: tuple[int, ...]
    kinds: tuple[str, ...]
    """`import`, `read` and `write`, sorted."""
    how: str
    """`name`, `self` (an attribute of the method's receiver) or `receiver` (of another value)."""


UseSites = dict[tuple[int, int, str], set[tuple[int, str, str]]]
"""(source, owner, name) -> (line, kind, how) of each site."""


def merge_uses(sites: UseSites) -> list[VariableUse]:
    """Merge the sites of each source and variable."""
    return [
        VariableUse(
            *place,
            tuple(sorted({line for line, _, _ in own})),
            tuple(sorted({kind for _, kind, _ in own})),
            min(how for _, _, how in own),
        )
        for place, own in sorted(sites.items())
    ]


def merge_imports(sites: Iterable[tuple[int, int, str, int, str, bool]]) -> list[ImportEdge]:
    """Merge imports, given as (source, target, name or empty, line, kind, deferred), into one edge per source, target and kind."""
    found: dict[tuple[int, int, str], tuple[set[str], set[int], set[bool]]] = defaultdict(lambda: (set(), set(), set()))
    for source, target, name, line, how, is_deferred in sites:
        names, lines, deferred = found[source, target, how]
        names.update([name] if name else ())
        lines.add(line)
        deferred.add(is_deferred)
    return [
        ImportEdge(source, target, tuple(sorted(names)), tuple(sorted(lines)), how, all(deferred))
        for (source, target, how), (names, lines, deferred) in sorted(found.items())
    ]


class ExportedName(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`module` exports `name`, which means `target`: listed by the module, or re-exported."""

    module: int
    name: str
    target: int


class EntryPoint(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`target` is called from outside the repository's code."""

    target: int
    kind: str
    """`main`, `script`, `route`, `command`, `test`, `suite` (a group of tests), `fixture` or `hook`."""
    name: str
    """Name as written: path of the route, decorator, name of the test."""


class Resolution(msgspec.Struct, frozen=True):
    symbols: list[Symbol]
    """Symbols by family, in path order; the definitions of a file follow its module."""
    externals: list[str]
    """Full dotted names; built-ins as `builtins.len`. A name that two families use occurs twice."""
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
    """True if the fixpoint ended early: a larger budget would resolve more calls."""
    origins: list[ExternalOrigin] = []
    """Origin of each external."""
    uses: list[VariableUse] = []
    """Uses of variables, sorted."""

    def runs(self) -> Iterator[tuple[str, int, int]]:
        """Yield path, first symbol and end of each file."""
        starts = [at for at, symbol in enumerate(self.symbols) if not symbol.key]
        for start, end in pairwise((*starts, len(self.symbols))):
            yield self.symbols[start].path, start, end

    def path_key(self, target: int) -> tuple[str, str] | None:
        """Return (path, key) of a target inside the repository; None for an external."""
        return (self.symbols[target].path, self.symbols[target].key) if target >= 0 else None

    def external(self, target: int) -> str | None:
        """Return the dotted name of an external target; None for one inside the repository."""
        return self.externals[~target] if target < 0 else None
