"""The kernel's arrays as the edges of `Resolution`."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from repoquarry.ingest.resolution.model import (
    Calls,
    EntryPoint,
    Export,
    ImportEdge,
    Inherits,
    Override,
    Reference,
    Resolution,
    Symbol,
    UnresolvedCall,
)
from repoquarry.ingest.resolution.native import abi
from repoquarry.ingest.resolution.native.program import ProgramInput
from repoquarry.languages.registry import load

#: target of an import of what is no file, as `kNoTarget` in `kernel/report/structure.h`
_NO_TARGET = -(1 << 31)


class Edges:
    """Reads the kernel's answer for a program."""

    def __init__(self, program: ProgramInput, answer: abi.Answer) -> None:
        self.program = program
        self._answer = answer
        self.output = answer.output
        self.names = abi.GivenTexts(self.output.names)

    def resolution(self) -> Resolution:
        """Everything."""
        files, output = self.program.files, self.output
        symbols = []
        for facts in files:
            symbols.append(Symbol(facts.path, ""))
            symbols += [Symbol(facts.path, definition.key) for definition in facts.definitions]
        return Resolution(
            symbols=symbols,
            externals=[self.names[name] for name in abi.read_ints(output.externals)],
            modules=list(self.program.modules.infos),
            imports=self._imports(),
            calls=self._calls(),
            unresolved=self._unresolved(),
            inherits=[Inherits(*row) for row in abi.read_rows(output.inherits, 3)],
            overrides=[Override(*row) for row in abi.read_rows(output.overrides, 2)],
            references=self._references(),
            exports=self._exports(),
            entry_points=self._entry_points(),
            budget_hit=bool(output.budget_hit),
        )

    def _module(self, unit: int) -> int:
        """The symbol of a module."""
        return self.program.definitions[unit] + unit

    # ---- calls and mentions

    def _calls(self) -> Calls:
        output, names = self.output, self.names
        confidence = self.program.confidence
        callers, callees, how, sure = abi.read_array(output.calls).reshape(-1, 4).T
        distinct, rule_of = np.unique(how.astype(np.int64) * len(confidence) + sure, return_inverse=True)
        rules = [(names[one // len(confidence)], confidence[one % len(confidence)]) for one in distinct.tolist()]
        cut = abi.read_array(output.call_from), abi.read_array(output.call_lines)
        return Calls.of_columns(callers, callees, rule_of, rules, cut)

    def _unresolved(self) -> list[UnresolvedCall]:
        output, names = self.output, self.names
        rows = abi.read_rows(output.unresolved, 3)
        lines = abi.read_parts(output.unresolved_lines, output.unresolved_from)
        candidates = abi.read_parts(output.candidates, output.candidates_from)
        return [
            UnresolvedCall(caller, names[name], len(own), own, names[reason], possible)
            for (caller, name, reason), own, possible in zip(rows, lines, candidates, strict=True)
        ]

    def _references(self) -> list[Reference]:
        output, names = self.output, self.names
        rows = abi.read_rows(output.references, 3)
        lines = abi.read_parts(output.reference_lines, output.reference_from)
        return [
            Reference(source, target, len(own), own, names[how])
            for (source, target, how), own in zip(rows, lines, strict=True)
        ]

    # ---- imports and exports

    def _imports(self) -> list[ImportEdge]:
        """One edge for each module and imported thing, by how it is imported."""
        found: dict[tuple[int, int, str], tuple[set[str], set[int]]] = defaultdict(lambda: (set(), set()))
        targets = abi.read_rows(self.output.import_targets, 2)
        for unit, facts in enumerate(self.program.files):
            source = self._module(unit)
            for entry, (target, is_submodule) in zip(facts.imports, targets, strict=False):
                if target == _NO_TARGET:
                    continue
                names, lines = found[source, target, entry.how]
                if entry.name and not is_submodule:
                    names.add(entry.name)
                lines.add(entry.line)
        for source, target, line in abi.read_rows(self.output.included, 3):
            found[source, target, "dynamic"][1].add(line)
        return [
            ImportEdge(source, target, tuple(sorted(names)), tuple(sorted(lines)), how)
            for (source, target, how), (names, lines) in sorted(found.items())
        ]

    def _exports(self) -> list[Export]:
        """What modules offer, as `PointsTo.offered` says."""
        parts = abi.read_parts(self.output.export_targets, self.output.export_from)
        out = {
            (self._module(unit), name, target)
            for (unit, name), targets in zip(self.program.exports, parts, strict=True)
            for target in targets
        }
        return [Export(*entry) for entry in sorted(out)]

    # ---- entry points

    def _entry_points(self) -> list[EntryPoint]:
        """What is started from outside: scripts, routes, commands, tests, fixtures, hooks."""
        tests = set(abi.read_ints(self.output.test_classes))
        registered = abi.read_rows(self.output.registered, 3)
        out = {(symbol, self.names[kind], self.names[name]) for symbol, kind, name in registered}
        decorated: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for symbol, depth, kind in abi.read_rows(self.output.decorated, 3):
            decorated[symbol].append((depth, self.names[kind]))
        for unit, facts in enumerate(self.program.files):
            module = self._module(unit)
            out.update((module, kind, text) for kind, text, _ in facts.entry_points)
            entry_points = load(facts.language).entry_points
            keys: dict[str, int] = {}
            for symbol, definition in enumerate(facts.definitions, module + 1):
                keys[definition.key] = symbol
                in_test = keys.get(definition.parent, -1) in tests
                out.update((symbol, kind, text) for kind, text in entry_points(facts, definition, in_test))
                written = definition.decorators
                for depth, made in decorated.get(symbol, ()):
                    out.add((symbol, made, written[-1 - depth].text if depth < len(written) else ""))
        return [EntryPoint(*entry) for entry in sorted(out)]
