"""Resolution of calls for each language family (languages that share an analysis): builds one `Resolution` per family, and merges them.

Some families have only imports resolved, Java's calls come from inferred types, others from the native solver. Definitions of stub files
become `External` nodes by their full name; edges of the stubs themselves are dropped. Merging keeps lists sorted.
"""

from __future__ import annotations

import importlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from zipfile import ZipFile

import msgspec
import numpy as np

from repoquarry.ingest.resolution.model import (
    CallEdge,
    CallRule,
    CallTable,
    EntryPoint,
    ExportedName,
    InheritanceEdge,
    Numbers,
    OverrideEdge,
    ReferenceEdge,
    Resolution,
    Symbol,
    UnresolvedCall,
    UseSites,
    VariableUse,
    merge_call_tables,
    merge_imports,
    merge_uses,
    renumber,
    sort_calls,
)
from repoquarry.languages.facts import FileFacts, Import
from repoquarry.languages.family import AttributionConfig, AttributionResult, LanguageFamily, ModuleMap, Target
from repoquarry.languages.model_files import Model
from repoquarry.languages.registry import is_source, language_for, load

#: begins the paths of stubs, which no path of a repository does
PREFIX = "/"


Edge = TypeVar("Edge", bound=msgspec.Struct)


@cache
def stubs_of(location: str) -> tuple[FileFacts, ...]:
    """Extract the sources of a folder or zip archive in path order; their paths are relative to it and begin with
    a slash."""
    return tuple(
        language_for(path).extract(PREFIX + path, content)
        for path, content in sorted(_read_stubs(Path(location)))
        if is_source(path)
    )


def interfaces_of(models: Sequence[Model], suffix: str, files: Sequence[FileFacts]) -> list[FileFacts]:
    """Extract the interfaces of models, for packages of which a file imports something."""
    roots = {".".join(one.module.split(".")[:2]) for facts in files for one in facts.imports}
    texts = [
        (package, text)
        for model in models
        for package, text in model.contents.interface.items()
        if ".".join(package.split(".")[:2]) in roots
    ]
    return [_interface(package, text, suffix) for package, text in sorted(texts)]


@cache
def _interface(package: str, text: str, suffix: str) -> FileFacts:
    path = f"{PREFIX}{package}{suffix}"
    return language_for(path).extract(path, text.encode())


def _read_stubs(location: Path) -> Iterator[tuple[str, bytes]]:
    if location.is_dir():
        for path in location.rglob("*"):
            if path.is_file():
                yield path.relative_to(location).as_posix(), path.read_bytes()
        return
    with ZipFile(location) as archive:
        for name in archive.namelist():
            yield name, archive.read(name)


def without_stubs(found: Resolution, program: Sequence[FileFacts], files: int) -> Resolution:
    """Return the resolution of the first `files` files of a program, whose other files are stubs."""
    own = sum(1 + len(facts.definitions) for facts in program[:files])
    names = _names(found, program, files)
    externals = {name: number for number, name in enumerate(found.externals)}

    def moved(target: int) -> int:
        return target if target < own else ~externals.setdefault(names[target - own], len(externals))

    def kept(edges: Iterable[Edge], source: str, target: str) -> list[Edge]:
        return [
            msgspec.structs.replace(edge, **{target: moved(getattr(edge, target))})
            for edge in edges
            if getattr(edge, source) < own
        ]

    return Resolution(
        symbols=found.symbols[:own],
        modules=found.modules[:files],
        imports=kept(found.imports, "source", "target"),
        calls=_stub_calls(found.calls, own, moved),
        unresolved=[
            msgspec.structs.replace(one, candidates=tuple(target for target in one.candidates if target < own))
            for one in found.unresolved
            if one.caller < own
        ],
        inherits=kept(found.inherits, "cls", "base"),
        overrides=[one for one in found.overrides if one.method < own and one.overridden < own],
        references=kept(found.references, "source", "target"),
        exports=kept(found.exports, "module", "target"),
        entry_points=[one for one in found.entry_points if one.target < own],
        budget_hit=found.budget_hit,
        externals=list(externals),
        uses=[one for one in found.uses if one.source < own and one.owner < own],
    )


def _stub_calls(found: CallTable, own: int, moved: Callable[[int], int]) -> CallTable:
    rows = np.flatnonzero(found.callers < own)
    callers, callees = found.callers[rows], found.callees[rows]
    kept = found.chosen(rows, callers, callees)
    return sort_calls(kept, callers, renumber(callees, callees >= own, moved))


def _names(found: Resolution, program: Sequence[FileFacts], files: int) -> list[str]:
    """Return the full names of stub symbols."""
    names: list[str] = []
    for info, facts in zip(found.modules[files:], program[files:], strict=True):
        names.append(info.name)
        names += [f"{info.name}.{one.qualname}" if info.name else one.qualname for one in facts.definitions]
    return names


def symbols_of(files: Sequence[FileFacts]) -> list[Symbol]:
    """Return the symbols of files in the order of `Resolution`: per file the module, then its definitions."""
    return [
        Symbol(facts.path, key)
        for facts in files
        for key in ("", *(definition.key for definition in facts.definitions))
    ]


def import_edges(files: Sequence[FileFacts], modules: ModuleMap) -> Resolution:
    """Resolve imports alone, by `modules.targets`."""
    starts = list(accumulate((1 + len(facts.definitions) for facts in files), initial=0))
    externals: dict[str, int] = {}
    imports = merge_imports(
        (starts[unit], target, entry.name, entry.line, entry.how, entry.deferred)
        for unit, facts in enumerate(files)
        for entry in facts.imports
        for target in _targets(unit, entry, modules, starts, externals)
    )
    return Resolution(
        symbols=symbols_of(files),
        externals=list(externals),
        modules=list(modules.infos),
        imports=imports,
        calls=CallTable.of([]),
        unresolved=[],
        inherits=[],
        overrides=[],
        references=[],
        exports=_exports(files, starts),
        entry_points=[EntryPoint(*entry) for entry in sorted(find_entry_points(files))],
        budget_hit=False,
    )


def _targets(
    unit: int, entry: Import, modules: ModuleMap, starts: Sequence[int], externals: dict[str, int]
) -> list[int]:
    """Return the symbols of the imported files, or the complement of an external's number.

    The result is empty for a folder without members and for imports that the language does not resolve.
    """
    key = unit, entry.module, entry.level
    if key not in modules.targets:
        return []
    place = modules.targets[key]
    if isinstance(place, int):
        return [starts[place]] if place != unit else []
    if isinstance(place, str):
        return [starts[member] for member in modules.members.get(place, ()) if member != unit]
    return [~externals.setdefault(entry.module, len(externals))] if entry.module else []


def _exports(files: Sequence[FileFacts], starts: Sequence[int]) -> list[ExportedName]:
    """Return the exported names of files that define them."""
    return sorted(
        (
            ExportedName(starts[unit], definition.qualname, starts[unit] + 1 + at)
            for unit, facts in enumerate(files)
            if facts.exports
            for at, definition in enumerate(facts.definitions)
            if not definition.parent and definition.qualname in facts.exports
        ),
        key=lambda export: (export.module, export.name, export.target),
    )


def find_entry_points(files: Sequence[FileFacts], test_classes: Collection[int] = ()) -> set[tuple[int, str, str]]:
    """Find the entry points (symbol, kind, name) by name, location or decorators; `test_classes` are symbols."""
    found: set[tuple[int, str, str]] = set()
    module = 0
    for facts in files:
        found.update((module, kind, text) for kind, text, _ in facts.entry_points)
        entry_points = load(facts.language).entry_points
        keys: dict[str, int] = {}
        for symbol, definition in enumerate(facts.definitions, module + 1):
            keys[definition.key] = symbol
            in_test = keys.get(definition.parent) in test_classes
            found.update((symbol, kind, text) for kind, text in entry_points(facts, definition, in_test))
        module += 1 + len(facts.definitions)
    return found


#: so many definitions are listed as candidates of an unresolved call, as in the kernel's report
MAX_CANDIDATES = 10


def resolve_by_types(
    files: Sequence[FileFacts],
    modules: ModuleMap,
    family: LanguageFamily,
    method: AttributionConfig,
    models: Sequence[Model] = (),
) -> Resolution:
    given = (files, modules, models) if method.has_models else (files, modules)
    found: AttributionResult = importlib.import_module(method.resolver).attribute(*given)
    edges = _AttributionEdges(files, family, found)
    by_symbol = [one for facts in files for one in (None, *facts.definitions)]
    return Resolution(
        symbols=symbols_of(files),
        modules=list(modules.infos),
        imports=merge_imports(
            (source, edges.number(target), name, line, how, deferred)
            for source, target, name, line, how, deferred in found.imports
        ),
        calls=CallTable.of(edges.calls() if method.has_calls else ()),
        unresolved=edges.unresolved() if method.has_calls else [],
        inherits=sorted(
            {InheritanceEdge.of(cls, edges.number(base), at, by_symbol[cls]) for cls, base, at in found.inherits},
            key=msgspec.structs.astuple,
        ),
        overrides=[OverrideEdge(*one) for one in sorted(set(found.overrides))],
        references=edges.references(),
        exports=_exports(files, list(accumulate((1 + len(facts.definitions) for facts in files), initial=0))),
        entry_points=[
            EntryPoint(*entry) for entry in sorted({*found.entry_points, *find_entry_points(files, found.test_classes)})
        ],
        budget_hit=False,
        externals=list(edges.externals),
        uses=edges.uses(),
    )


class _Implementations(NamedTuple):
    """Implementations of a method at a call site."""

    number: int
    is_declared: bool
    """The method that the call names has no body."""
    confidence: float
    """Figure of the method that the call names."""


class _AttributionEdges:
    """Collector that merges call sites to edges."""

    def __init__(self, files: Sequence[FileFacts], family: LanguageFamily, found: AttributionResult) -> None:
        self._files = files
        self._family = family
        self._found = found
        names = {target for _, target, *_ in (*found.calls, *found.references, *found.inherits, *found.imports)}
        self.externals = {name: at for at, name in enumerate(sorted(name for name in names if isinstance(name, str)))}

    def number(self, target: Target) -> int:
        """Return a symbol, or the complement of an external's position."""
        return ~self.externals[target] if isinstance(target, str) else target

    def calls(self) -> list[CallEdge]:
        """Merge sites into one edge per caller and callee, under the most confident rule."""
        sites: dict[tuple[int, int], dict[tuple[int, int], CallRule]] = defaultdict(dict)
        implementations = self._count_implementations()
        for at, (caller, target, line, rule, count) in enumerate(self._found.calls):
            share = self._family.rules[rule.partition(":")[0]][
                0 if count <= 1 else 1 if count == 2 else 2 if count <= 4 else 3
            ]
            found = self._family.shown.get(rule, rule), share, max(1, count)
            if own := implementations.get((caller, line, self._name(target))):
                found = self._share(found, target, rule, own)
            sites[caller, self.number(target)][line, at] = found
        return [
            CallEdge(caller, callee, len(own), tuple(sorted(line for line, _ in own)), *_surest(own.values()))
            for (caller, callee), own in sorted(sites.items())
        ]

    def _count_implementations(self) -> dict[tuple[int, int, str], _Implementations]:
        """Count the implementations that may run for a called method, by caller, line and name, where edges show such sets."""
        found: dict[tuple[int, int, str], _Implementations] = {}
        if self._family.shown.get("possible") != "dispatch":
            return found
        calls = [(caller, target, line, rule) for caller, target, line, rule, _ in self._found.calls]
        counts = Counter(
            (caller, line, self._name(target)) for caller, target, line, rule in calls if rule == "possible"
        )
        for caller, target, line, rule in calls:
            key = caller, line, self._name(target)
            if rule != "possible" and key in counts:
                found[key] = _Implementations(
                    counts[key], target in self._abstract, self._family.rules[rule.partition(":")[0]][0]
                )
        return found

    def _share(self, found: CallRule, target: Target, rule: str, own: _Implementations) -> CallRule:
        """Share the calls of a site among the implementations; a method without a body is only declared."""
        how, confidence, _ = found
        if rule != "possible":
            return (
                ("declared", confidence, own.number) if target in self._abstract else (how, confidence, own.number + 1)
            )
        left = 1.0 if own.is_declared else 1 - own.confidence
        return how, round(min(confidence, left / own.number), 3), own.number + (not own.is_declared)

    def _name(self, target: Target) -> str:
        return target.rpartition(".")[2] if isinstance(target, str) else self._names[target]

    @cached_property
    def _names(self) -> list[str]:
        """Name of each symbol, empty for modules."""
        return [name for facts in self._files for name in ("", *(one.name for one in facts.definitions))]

    @cached_property
    def _abstract(self) -> set[Target]:
        """Symbols of the methods without a body."""
        definitions = [one for facts in self._files for one in (None, *facts.definitions)]
        return {
            at for at, one in enumerate(definitions) if one is not None and one.is_abstract and one.kind == "method"
        }

    def unresolved(self) -> list[UnresolvedCall]:
        """Merge sites into one record per caller, name and reason."""
        lines: dict[tuple[int, str, str], list[int]] = defaultdict(list)
        for caller, name, line, reason in self._found.unresolved:
            lines[caller, name, reason].append(line)
        wanted = {name for _, name, _ in lines}
        named: dict[str, list[int]] = defaultdict(list)
        symbol = 0
        for facts in self._files:
            for at, one in enumerate(facts.definitions, symbol + 1):
                if one.name in wanted and one.kind != "class" and len(named[one.name]) < MAX_CANDIDATES:
                    named[one.name].append(at)
            symbol += 1 + len(facts.definitions)
        return [
            UnresolvedCall(caller, name, len(own), tuple(sorted(own)), reason, tuple(named[name]))
            for (caller, name, reason), own in sorted(lines.items())
        ]

    def references(self) -> list[ReferenceEdge]:
        """Merge mentions into one edge per source, target and kind."""
        lines: dict[tuple[int, int, str], list[int]] = defaultdict(list)
        for source, target, line, how in self._found.references:
            if source != target:
                lines[source, self.number(target), how].append(line)
        return [
            ReferenceEdge(source, target, len(own), tuple(sorted(own)), how)
            for (source, target, how), own in sorted(lines.items())
        ]

    def uses(self) -> list[VariableUse]:
        """Merge the sites of fields."""
        sites: UseSites = defaultdict(set)
        for source, owner, name, line, kind, how in self._found.uses:
            sites[source, owner, name].add((line, kind, how))
        return merge_uses(sites)


def _surest(sites: Iterable[CallRule]) -> CallRule:
    return max(sites, key=lambda one: (one[1], one[0], one[2]))


_LISTS = {
    "imports": ("source", "target"),
    "unresolved": ("caller",),
    "inherits": ("cls", "base"),
    "overrides": ("method", "overridden"),
    "references": ("source", "target"),
    "exports": ("module", "target"),
    "entry_points": ("target",),
    "uses": ("source", "owner"),
}
"""Fields that hold symbols or externals, by list of `Resolution`."""


class _AppendedPart(NamedTuple):
    """Part of a merged resolution, with the numbers of preceding symbols and externals."""

    part: Resolution
    symbols: int
    externals: int

    def number(self, number: int) -> int:
        return number + self.symbols if number >= 0 else number - self.externals

    def numbers(self, numbers: Numbers) -> bytes:
        return np.where(numbers >= 0, numbers + self.symbols, numbers - self.externals).astype(np.int32).tobytes()


def merge_resolutions(parts: Sequence[Resolution]) -> Resolution:
    """Merge the resolutions of disjoint sets of files."""
    if len(parts) == 1:
        return parts[0]
    ordered = sorted(parts, key=lambda part: -len(part.symbols))
    symbols = accumulate((len(part.symbols) for part in ordered), initial=0)
    externals = accumulate((len(part.externals) for part in ordered), initial=0)
    behind = list(map(_AppendedPart, ordered, symbols, externals))
    return Resolution(
        symbols=list(chain.from_iterable(part.symbols for part in ordered)),
        externals=list(chain.from_iterable(part.externals for part in ordered)),
        origins=list(chain.from_iterable(part.origins for part in ordered)),
        modules=sorted(chain.from_iterable(part.modules for part in parts), key=lambda info: info.path),
        calls=merge_call_tables([_calls(one) for one in behind]),
        budget_hit=any(part.budget_hit for part in parts),
        **{name: [record for one in behind for record in _records(one, name)] for name in _LISTS},
    )


def _calls(behind: _AppendedPart) -> CallTable:
    calls = behind.part.calls
    if not behind.symbols:
        return calls
    return msgspec.structs.replace(
        calls, caller_bytes=behind.numbers(calls.callers), callee_bytes=behind.numbers(calls.callees)
    )


def _records(behind: _AppendedPart, name: str) -> Iterator[Any]:
    records = getattr(behind.part, name)
    if not behind.symbols:
        yield from records
        return
    for record in records:
        moved: dict[str, Any] = {field: behind.number(getattr(record, field)) for field in _LISTS[name]}
        if isinstance(record, UnresolvedCall):
            moved["candidates"] = tuple(map(behind.number, record.candidates))
        yield msgspec.structs.replace(record, **moved)
