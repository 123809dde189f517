"""Reader of the native points-to solver's result: converts its arrays to the edges of a `Resolution` (calls, inheritance, ...)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from repoquarry.ingest.resolution.families import find_entry_points, symbols_of
from repoquarry.ingest.resolution.kernel_input import ProgramInput
from repoquarry.ingest.resolution.model import (
    CallTable,
    EntryPoint,
    ExportedName,
    InheritanceEdge,
    OverrideEdge,
    ReferenceEdge,
    Resolution,
    UnresolvedCall,
    VariableUse,
    merge_imports,
)
from repoquarry.languages.facts import Definition
from repoquarry.languages.family import UNKNOWN_KEY
from repoquarry.native import resolution_abi

#: target of an import that is not a file, as `kNoTarget` in `kernel/report/structure.h`
_NO_TARGET = -(1 << 31)
#: kinds of a use by the bits of `VariableUses::Kind` in `kernel/report/variable_uses.h`, and how by `VariableUses::How`
_USE_KINDS = [
    tuple(kind for bit, kind in enumerate(("import", "read", "write")) if bits >> bit & 1) for bits in range(8)
]
_USE_FORMS = ("name", "receiver", "self")


class KernelResultReader:
    """Reader of the kernel's result for a program."""

    def __init__(self, program: ProgramInput, answer: resolution_abi.KernelResult) -> None:
        self.program = program
        self._modules = list(accumulate((1 + len(facts.definitions) for facts in program.files), initial=0))
        self._answer = answer
        self.output = answer.output
        self.names = resolution_abi.LazyTexts(self.output.names)

    def resolution(self) -> Resolution:
        output = self.output
        return Resolution(
            symbols=symbols_of(self.program.files),
            externals=[self.names[name] for name in resolution_abi.read_ints(output.externals)],
            modules=list(self.program.modules.infos),
            imports=merge_imports(self._import_sites()),
            calls=self._calls(),
            unresolved=self._unresolved(),
            inherits=[
                InheritanceEdge.of(cls, base, position, self._definition(cls))
                for cls, base, position in resolution_abi.read_rows(output.inherits, 3)
            ],
            overrides=[OverrideEdge(*row) for row in resolution_abi.read_rows(output.overrides, 2)],
            references=self._references(),
            exports=self._exports(),
            entry_points=self._entry_points(),
            uses=self._uses(),
            budget_hit=bool(output.budget_hit),
        )

    def _definition(self, symbol: int) -> Definition:
        """Return the definition of a symbol; None for modules."""
        unit = bisect_right(self._modules, symbol) - 1
        return self.program.files[unit].definitions[symbol - self._modules[unit] - 1]

    # ---- calls and mentions

    def _calls(self) -> CallTable:
        output, names = self.output, self.names
        rows = resolution_abi.read_array(output.calls).reshape(-1, 6)
        callers, callees = rows[:, 0], rows[:, 1]
        distinct, rule_of = np.unique(rows[:, [2, 4, 5]], axis=0, return_inverse=True)
        rules = [(names[how], share / 1000, targets) for how, targets, share in distinct.tolist()]
        cut = resolution_abi.read_array(output.call_from), resolution_abi.read_array(output.call_lines)
        return CallTable.of_columns(callers, callees, rule_of.reshape(-1).astype(np.int32), rules, cut)

    def _unresolved(self) -> list[UnresolvedCall]:
        output, names = self.output, self.names
        rows = resolution_abi.read_rows(output.unresolved, 3)
        lines = resolution_abi.read_parts(output.unresolved_lines, output.unresolved_from)
        candidates = resolution_abi.read_parts(output.candidates, output.candidates_from)
        return [
            UnresolvedCall(caller, names[name], len(own), own, names[reason], possible)
            for (caller, name, reason), own, possible in zip(rows, lines, candidates, strict=True)
        ]

    def _references(self) -> list[ReferenceEdge]:
        output, names = self.output, self.names
        rows = resolution_abi.read_rows(output.references, 3)
        lines = resolution_abi.read_parts(output.reference_lines, output.reference_from)
        return [
            ReferenceEdge(source, target, len(own), own, names[how])
            for (source, target, how), own in zip(rows, lines, strict=True)
        ]

    # ---- imports and exports

    def _import_sites(self) -> Iterator[tuple[int, int, str, int, str, bool]]:
        written = (
            (module, one)
            for module, facts in zip(self._modules, self.program.files, strict=False)
            for one in facts.imports
        )
        targets = resolution_abi.read_rows(self.output.import_targets, 2)
        for (module, one), (target, is_submodule) in zip(written, targets, strict=True):
            if target != _NO_TARGET:
                yield module, target, "" if is_submodule else one.name, one.line, one.how, one.deferred
        for source, target, line in resolution_abi.read_rows(self.output.included, 3):
            yield source, target, "", line, "dynamic", False

    def _exports(self) -> list[ExportedName]:
        """Return the exported names of modules (`PointsToConfig.offered`)."""
        parts = resolution_abi.read_parts(self.output.export_targets, self.output.export_from)
        targets_by_export = dict(zip(self.program.exports, parts, strict=True))
        out: set[tuple[int, str, int]] = set()
        for (unit, name), targets in targets_by_export.items():
            computed = (
                ()
                if name in (self.program.files[unit].exports or ())
                else targets_by_export.get((unit, UNKNOWN_KEY), ())
            )
            out.update((self._modules[unit], name, target) for target in set(targets).difference(computed))
        return [ExportedName(*entry) for entry in sorted(out)]

    def _uses(self) -> list[VariableUse]:
        output, names = self.output, self.names
        rows = resolution_abi.read_rows(output.uses, 5)
        lines = resolution_abi.read_parts(output.use_lines, output.use_from)
        return [
            VariableUse(source, owner, names[name], own, _USE_KINDS[kinds], _USE_FORMS[how])
            for (source, owner, name, kinds, how), own in zip(rows, lines, strict=True)
        ]

    # ---- entry points

    def _entry_points(self) -> list[EntryPoint]:
        """Return all entry points: scripts, routes, commands, tests, fixtures, hooks."""
        names, output = self.names, self.output
        out = find_entry_points(self.program.files, set(resolution_abi.read_ints(output.test_classes)))
        out.update(
            (symbol, names[kind], names[name]) for symbol, kind, name in resolution_abi.read_rows(output.registered, 3)
        )
        for symbol, depth, kind in resolution_abi.read_rows(output.decorated, 3):
            written = self._definition(symbol).decorators
            out.add((symbol, names[kind], written[-1 - depth].text if depth < len(written) else ""))
        return [EntryPoint(*entry) for entry in sorted(out)]
