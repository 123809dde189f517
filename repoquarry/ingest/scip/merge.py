"""Merge of SCIP indexes into a resolution: what agrees stays as it is, what we lack is added with the rule `scip`, the rest is counted.

An index names the declared target of a name. Where our targets override it, both agree. Where we name another definition, the index is
right at a site of its own; at lines with several calls of one name, both stay.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import msgspec

from repoquarry.graphstore.model.call_views import SCIP
from repoquarry.ingest.resolution.model import (
    CallEdge,
    CallTable,
    InheritanceEdge,
    OverrideEdge,
    ReferenceEdge,
    Resolution,
    UnresolvedCall,
)
from repoquarry.ingest.scip import scip_pb2 as scip
from repoquarry.ingest.scip.documents import (
    CheckedDocument,
    Occurrence,
    PathFinder,
    ReadSymbol,
    ReadText,
    check_document,
    implementations,
)
from repoquarry.ingest.scip.index_file import ScipFile
from repoquarry.ingest.scip.symbols import CONSTRUCTORS, parse_symbol
from repoquarry.languages.facts import Definition, FileFacts

CONFIDENCE = 0.98
"""Confidence of edges that only an index has: assumed, not fitted."""


@dataclass(frozen=True)
class ScipReport:
    """What one index said about the repository."""

    tool: str
    """Name and version of the tool."""
    file: str
    documents: int
    """Number of its documents that are indexed files."""
    stale: int
    """Number of those that changed after the index was written; only what still stands in its place counts."""
    agreed: int = 0
    """Call sites at which we have the same target."""
    added: int = 0
    """Call sites whose target only the index knows."""
    disagreed: int = 0
    """Call sites for which we had another target."""
    references: int = 0
    inherits: int = 0
    overrides: int = 0


@dataclass
class _Sites:
    """Calls of one file by line."""

    edges: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    """(caller, callee) by line."""
    unresolved: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Positions in the list of unresolved calls by line."""


class _Merger:
    def __init__(self, resolution: Resolution, files: Sequence[FileFacts]) -> None:
        self._resolution = resolution
        self.paths = {facts.path: facts for facts in files}
        self._numbers = {(symbol.path, symbol.key): at for at, symbol in enumerate(resolution.symbols)}
        self._calls: dict[tuple[int, int], CallEdge] = {(one.caller, one.callee): one for one in resolution.calls}
        self._lost: dict[tuple[int, int], set[int]] = defaultdict(set)
        self._gained: dict[tuple[int, int], set[int]] = defaultdict(set)
        self._answered: dict[int, set[int]] = defaultdict(set)
        self._overridden = {one.method: one.overridden for one in resolution.overrides}
        self._runs: dict[int, list[int]] = {}
        self._sites = self._sites_by_file()
        self._references: dict[tuple[int, int], set[int]] = defaultdict(set)
        self._related = {(one.source, one.target) for one in resolution.references}
        self._related |= {(one.source, one.owner) for one in resolution.uses if not one.name}
        self._related |= {(one.cls, one.base) for one in resolution.inherits} | self._calls.keys()
        symbols = resolution.symbols
        self._mentioned = {
            (symbols[one.source].path, line, one.target) for one in resolution.references for line in one.lines
        }
        self._inherits: list[InheritanceEdge] = []
        self._overrides: list[OverrideEdge] = []

    def _sites_by_file(self) -> dict[str, _Sites]:
        found: dict[str, _Sites] = defaultdict(_Sites)
        symbols = self._resolution.symbols
        for (caller, callee), edge in self._calls.items():
            for line in edge.lines:
                found[symbols[caller].path].edges[line].append((caller, callee))
        for at, call in enumerate(self._resolution.unresolved):
            for line in call.lines:
                found[symbols[call.caller].path].unresolved[line].append(at)
        return found

    def define(self, document: CheckedDocument, symbol_of: ReadSymbol) -> Iterator[tuple[str, int]]:
        """Yield each symbol that the document defines with our definition."""
        by_line: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for one in self.paths[document.path].definitions:
            by_line[one.name_line].append((one.name, one.key))
        for item in document.occurrences:
            if item.is_definition and (symbol := symbol_of(item.symbol)) is not None:
                keys = [key for name, key in by_line[item.line] if name in (item.word, symbol.name)]
                if len(keys) == 1 and symbol.descriptors[-1].suffix in ("#", "()", ".", "!"):
                    yield item.symbol, self._numbers[document.path, keys[0]]

    def take(self, document: CheckedDocument, targets: dict[str, int], counts: Counter[str]) -> None:
        """Compare the references of a document with our edges."""
        facts = self.paths[document.path]
        skipped = {
            (one.name_line, one.name) for one in facts.definitions
        }  # An index names a second definition by the first.
        imported = {one.line for one in facts.imports}
        spans = _Spans(facts)
        alike = Counter((item.line, item.word) for item in document.occurrences if not item.is_definition)
        for item in document.occurrences:
            target = targets.get(item.symbol)
            if target is None or item.is_definition or (item.line, item.word) in skipped:
                continue
            is_single = alike[item.line, item.word] == 1
            if self._take_call(document.path, item, target, spans, counts, is_single=is_single):
                continue
            if not item.is_import and item.line not in imported:
                self._refer(document.path, item, target, spans)

    def _take_call(
        self, path: str, item: Occurrence, target: int, spans: _Spans, counts: Counter[str], *, is_single: bool
    ) -> bool:
        """Compare one site; return whether it is a call."""
        edges, waiting = self._sites[path].edges[item.line], self._sites[path].unresolved[item.line]
        if any(self._is_same(callee, target) for _, callee in edges):
            counts["agreed"] += 1
            return True
        others = [edge for edge in edges if self._is_named(edge[1], item.word)]
        unknown = [at for at in waiting if self._resolution.unresolved[at].name == item.word]
        if not others and not unknown and not item.is_called:
            return False
        callers = {edge[0] for edge in others} | {self._resolution.unresolved[at].caller for at in unknown}
        caller = callers.pop() if len(callers) == 1 else self._numbers[path, spans.owner(item.line)]
        for callee in self._run_by(target):
            self._gained[caller, callee].add(item.line)
        if others and not unknown:
            counts["disagreed"] += 1
            for edge in others if is_single else ():
                self._lost[edge].add(item.line)
        else:
            counts["added"] += 1
        for at in unknown:
            self._answered[at].add(item.line)
        return True

    def _run_by(self, target: int) -> list[int]:
        """Return what a call of the target runs: a class, and its constructor where it writes one."""
        if target not in self._runs:
            symbol = self._resolution.symbols[target]
            names = (*CONSTRUCTORS, symbol.key.rpartition(".")[2])
            own = [self._numbers.get((symbol.path, f"{symbol.key}.{name}")) for name in names]
            self._runs[target] = [target, *(number for number in own if number is not None)]
        return self._runs[target]

    def _is_same(self, callee: int, target: int) -> bool:
        """Return whether the callee is the target, overrides it, or is its constructor."""
        wanted, seen = {self._name(number) for number in self._run_by(target)}, set[int]()
        while callee >= 0 and callee not in seen:
            if self._name(callee) in wanted:
                return True
            seen.add(callee)
            callee = self._overridden.get(callee, -1)
        return False

    def _name(self, number: int) -> tuple[str, str]:
        """Return path and qualified name: definitions of one name are one symbol of an index."""
        symbol = self._resolution.symbols[number]
        return symbol.path, symbol.key.partition("#")[0]

    def _is_named(self, callee: int, word: str) -> bool:
        if callee < 0:
            return self._resolution.externals[~callee].rpartition(".")[2] == word
        parts = self._resolution.symbols[callee].key.partition("#")[0].split(".")
        return parts[-1] == word or (len(parts) > 1 and parts[-1] in CONSTRUCTORS and parts[-2] == word)

    def _refer(self, path: str, item: Occurrence, target: int, spans: _Spans) -> None:
        source = self._numbers[path, spans.owner(item.line)]
        if (path, item.line, target) in self._mentioned:
            return  # by a definition around it: annotations of parameters belong to the class
        if source != target and (source, target) not in self._related:
            self._references[source, target].add(item.line)

    def relate(self, pairs: Sequence[tuple[int, int]]) -> Counter[str]:
        """Add bases and overridden methods that we lack, given as pairs of definitions; return their numbers."""
        counts: Counter[str] = Counter()
        bases: Counter[int] = Counter(one.cls for one in self._resolution.inherits)
        known = {(one.cls, one.base) for one in self._resolution.inherits}
        for own, other in dict.fromkeys(pairs):
            first, second = self._definition(own), self._definition(other)
            if first is None or second is None or own == other:
                continue
            if first.kind == second.kind == "class":
                if (own, other) not in known:
                    self._inherits.append(InheritanceEdge.of(own, other, bases[own], first))
                    bases[own] += 1
                    counts["inherits"] += 1
            elif "class" not in (first.kind, second.kind) and own not in self._overridden:
                self._overridden[own] = other
                self._overrides.append(OverrideEdge(own, other))
                counts["overrides"] += 1
        return counts

    def _definition(self, number: int) -> Definition | None:
        symbol = self._resolution.symbols[number]
        return next((one for one in self.paths[symbol.path].definitions if one.key == symbol.key), None)

    @property
    def reference_count(self) -> int:
        return sum(map(len, self._references.values()))

    def merged(self) -> Resolution:
        """Return the resolution with all changes."""
        found = self._resolution
        references = [
            ReferenceEdge(source, target, len(lines), tuple(sorted(lines)), SCIP)
            for (source, target), lines in self._references.items()
            if (source, target) not in self._gained
        ]
        return msgspec.structs.replace(
            found,
            calls=CallTable.of(self._merged_calls()),
            unresolved=self._remaining(),
            inherits=sorted([*found.inherits, *self._inherits], key=msgspec.structs.astuple),
            overrides=sorted([*found.overrides, *self._overrides], key=msgspec.structs.astuple),
            references=sorted([*found.references, *references], key=msgspec.structs.astuple),
        )

    def _merged_calls(self) -> list[CallEdge]:
        edges = []
        for ends in self._calls.keys() | self._gained.keys():
            edge = self._calls.get(ends) or CallEdge(*ends, 0, (), SCIP, CONFIDENCE)
            lines = Counter(edge.lines)
            for line in self._lost.get(ends, ()):
                lines[line] -= 1
            for line in self._gained.get(ends, ()):
                lines[line] = max(1, lines[line])
            kept = tuple(sorted(lines.elements()))
            if kept:
                edges.append(msgspec.structs.replace(edge, count=len(kept), lines=kept))
        return edges

    def _remaining(self) -> list[UnresolvedCall]:
        calls = []
        for at, call in enumerate(self._resolution.unresolved):
            lines = tuple(line for line in call.lines if line not in self._answered.get(at, ()))
            if lines:
                calls.append(msgspec.structs.replace(call, count=len(lines), lines=lines))
        return calls


class _Spans:
    """Innermost definitions of a file by line."""

    def __init__(self, facts: FileFacts) -> None:
        self._spans = [(one.start_line, one.end_line, one.key) for one in facts.definitions]

    def owner(self, line: int) -> str:
        """Return the key of the innermost definition around a line; empty for the module."""
        around = [span for span in self._spans if span[0] <= line <= span[1]]
        return max(around, key=lambda span: (span[0], -span[1]), default=(0, 0, ""))[2]


def merge_indexes(
    resolution: Resolution,
    files: Sequence[FileFacts],
    indexes: Sequence[ScipFile],
    root: Path,
    read: ReadText,
    check: Callable[[], None] = lambda: None,
) -> tuple[Resolution, list[ScipReport]]:
    """Merge indexes of the tree at `root`; `read` returns the indexed text of a path, `check` raises when the run is cancelled.

    Raises: ScipRejectedError for a damaged index.
    """
    merger = _Merger(resolution, files)
    reports = [_merge_index(merger, index, root, read, check) for index in indexes]
    return (merger.merged(), reports) if reports else (resolution, [])


def _merge_index(merger: _Merger, index: ScipFile, root: Path, read: ReadText, check: Callable[[], None]) -> ScipReport:
    """Read the index twice: a document may name what a later one defines, and all of them together do not fit into memory."""
    symbol_of, tool, stale, documents = cache(parse_symbol), "", 0, 0
    defined: dict[str, set[int]] = defaultdict(set)
    pairs: list[tuple[str, str]] = []
    finder = PathFinder(root, "", merger.paths)
    for part in index.read():
        check()
        if isinstance(part, scip.Metadata):
            tool = f"{part.tool_info.name} {part.tool_info.version}".strip()
            finder = PathFinder(root, part.project_root, merger.paths)
        elif (path := finder.find(part.relative_path)) is not None:
            document = check_document(part, path, read, symbol_of)
            documents, stale = documents + 1, stale + document.is_stale
            for name, number in merger.define(document, symbol_of):
                defined[name].add(number)
            pairs.extend(implementations(part))
    # Some tools give nested functions of different methods one symbol: nothing is known of its references.
    targets = {name: numbers.pop() for name, numbers in defined.items() if len(numbers) == 1}
    counts = merger.relate([(targets[a], targets[b]) for a, b in pairs if a in targets and b in targets])
    before = merger.reference_count
    for part in index.read():
        check()
        if isinstance(part, scip.Document) and (path := finder.find(part.relative_path)) is not None:
            merger.take(check_document(part, path, read, symbol_of), targets, counts)
    counts["references"] = merger.reference_count - before
    return ScipReport(tool or "unknown tool", index.shown, documents, stale, **counts)
