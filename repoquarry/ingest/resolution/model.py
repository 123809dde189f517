"""What resolution finds: the edges of the graph, as values.

Everything that an edge can point at is a number: `>= 0` is an index into `Resolution.symbols` (a place in the
repository), `< 0` is the
complement of an index into `Resolution.externals` (a dotted name outside it): `externals[~target]`. All lists are
sorted, so that equal
input gives equal output byte for byte, whatever the order of files and the number of workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec

from repoquarry.ingest.resolution.calls import CallEdge, Calls
from repoquarry.languages.modules import ModuleInfo

__all__ = [
    "LIKELY", "Budget", "CallEdge", "Calls", "EntryPoint", "Export", "ImportEdge", "Inherits", "Override", "Reference", "Resolution", "Symbol",
    "UnresolvedCall",
]  # fmt: skip

#: An edge of this confidence or more is a finding, and counts as a call. Below, it is a possibility.
LIKELY = 0.5


class Budget(msgspec.Struct, frozen=True):
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


class Inherits(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`cls` names `base` as its `position`-th base (0-based); external bases included."""

    cls: int
    base: int
    position: int


class Override(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`method` overrides `overridden`, the nearest method of that name in its class's linearised ancestors."""

    method: int
    overridden: int


class Reference(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`source` mentions `target` without calling it."""

    source: int
    target: int
    count: int
    lines: tuple[int, ...]
    how: str
    """`annotation`, `decorator` (applied to `source`), `handler` (passed, stored as a value or registered), `raises` or
    `value`."""


class Export(msgspec.Struct, frozen=True, array_like=True, gc=False):
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
    calls: Calls
    unresolved: list[UnresolvedCall]
    inherits: list[Inherits]
    overrides: list[Override]
    references: list[Reference]
    exports: list[Export]
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
