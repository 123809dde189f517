"""What a language's own attribution found -> the edges of `Resolution`."""

from __future__ import annotations

import importlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

from repoquarry.ingest.resolution.imports import symbols_of
from repoquarry.ingest.resolution.model import (
    CallEdge,
    Calls,
    EntryPoint,
    ImportEdge,
    Inherits,
    Override,
    Reference,
    Resolution,
    UnresolvedCall,
)
from repoquarry.languages.attributed import Attributed, Target
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import Attribution, Family
from repoquarry.languages.modules import Modules
from repoquarry.languages.registry import load

#: so many definitions are listed as candidates of an unresolved call, as in the kernel's report
MAX_CANDIDATES = 10


def attributed(files: Sequence[FileFacts], modules: Modules, family: Family, method: Attribution) -> Resolution:
    """The resolution of a family's files by the attribution of their language."""
    found: Attributed = importlib.import_module(method.resolver).attribute(files)
    edges = _Edges(files, family, found)
    return Resolution(
        symbols=symbols_of(files),
        modules=list(modules.infos),
        imports=edges.imports(),
        calls=Calls.of(edges.calls()),
        unresolved=edges.unresolved(),
        inherits=sorted(
            {Inherits(cls, edges.number(base), position) for cls, base, position in found.inherits},
            key=lambda one: (one.cls, one.base, one.position),
        ),
        overrides=[Override(*one) for one in sorted(set(found.overrides))],
        references=edges.references(),
        exports=[],
        entry_points=edges.entry_points(),
        budget_hit=False,
        externals=list(edges.externals),
    )


class _Edges:
    """Gathers sites into edges."""

    def __init__(self, files: Sequence[FileFacts], family: Family, found: Attributed) -> None:
        self._files = files
        self._family = family
        self._found = found
        names = {target for _, target, *_ in (*found.calls, *found.references, *found.inherits, *found.imports)}
        self.externals = {name: at for at, name in enumerate(sorted(name for name in names if isinstance(name, str)))}

    def number(self, target: Target) -> int:
        """A symbol, or the complement of an external's position."""
        return ~self.externals[target] if isinstance(target, str) else target

    def calls(self) -> list[CallEdge]:
        """One edge for each caller and callee, named after the surest of its sites."""
        sites: dict[tuple[int, int], dict[tuple[int, int], tuple[float, str]]] = defaultdict(dict)
        for at, (caller, target, line, rule, count) in enumerate(self._found.calls):
            share = self._family.rules[rule][0 if count <= 1 else 1 if count == 2 else 2 if count <= 4 else 3]
            sites[caller, self.number(target)][line, at] = share, self._family.shown.get(rule, rule)
        return [
            CallEdge(caller, callee, len(own), tuple(sorted(line for line, _ in own)), *_surest(own.values()))
            for (caller, callee), own in sorted(sites.items())
        ]

    def unresolved(self) -> list[UnresolvedCall]:
        """One record for each caller, name and reason."""
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

    def references(self) -> list[Reference]:
        """One edge for each source, target and way."""
        lines: dict[tuple[int, int, str], list[int]] = defaultdict(list)
        for source, target, line, how in self._found.references:
            if source != target:
                lines[source, self.number(target), how].append(line)
        return [
            Reference(source, target, len(own), tuple(sorted(own)), how)
            for (source, target, how), own in sorted(lines.items())
        ]

    def imports(self) -> list[ImportEdge]:
        """One edge for each importing file, target and way."""
        found: dict[tuple[int, int, str], tuple[set[str], set[int]]] = defaultdict(lambda: (set(), set()))
        for source, target, name, line, how in self._found.imports:
            names, lines = found[source, self.number(target), how]
            names.update([name] if name else ())
            lines.add(line)
        return [
            ImportEdge(source, target, tuple(sorted(names)), tuple(sorted(lines)), how)
            for (source, target, how), (names, lines) in sorted(found.items())
        ]

    def entry_points(self) -> list[EntryPoint]:
        """What the language says that is started from outside."""
        out: set[tuple[int, str, str]] = set(self._found.entry_points)
        symbol = 0
        for facts in self._files:
            language = load(facts.language)
            out.update((symbol, kind, text) for kind, text, _ in facts.entry_points)
            keys = {one.key: at for at, one in enumerate(facts.definitions, symbol + 1)}
            for one in facts.definitions:
                in_test = keys.get(one.parent, -1) in self._found.test_classes
                out.update((keys[one.key], kind, text) for kind, text in language.entry_points(facts, one, in_test))
            symbol += 1 + len(facts.definitions)
        return [EntryPoint(*one) for one in sorted(out)]


def _surest(sites: Iterable[tuple[float, str]]) -> tuple[str, float]:
    share, how = max(sites)
    return how, share
