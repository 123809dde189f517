"""Facts -> resolved graph: what every import, base class and call site reaches, for all files of one repository at once.

`resolve` is pure and deterministic. Its heart is a flow-insensitive assignment graph (`engine.py` and what builds on it) over the
constraints that the language extractors emitted; it asks only for what some call site needs, which is why it is quick.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from repoquarry.ingest.facts import FileFacts
from repoquarry.ingest.resolution.model import (
    Budget,
    CallEdge,
    EntryPoint,
    Export,
    ImportEdge,
    Inherits,
    ModuleInfo,
    Override,
    Reference,
    Resolution,
    Symbol,
    UnresolvedCall,
)
from repoquarry.ingest.resolution.modules import Modules
from repoquarry.ingest.resolution.program import Program
from repoquarry.ingest.resolution.report import Report
from repoquarry.ingest.resolution.solver import Solver
from repoquarry.ingest.resolution.structure import Structure

__all__ = [
    "Budget",
    "CallEdge",
    "EntryPoint",
    "Export",
    "ImportEdge",
    "Inherits",
    "ModuleInfo",
    "Override",
    "Reference",
    "Resolution",
    "Symbol",
    "UnresolvedCall",
    "resolve",
]


def resolve(
    files: Sequence[FileFacts], *, roots: Sequence[str] | None = None, budget: Budget | None = None
) -> Resolution:
    """The resolved graph of one repository; the order of `files` does not matter.

    `roots` adds source roots (folders from which modules are imported) to those that are found.
    """
    with _collector_paused():
        return _resolve(files, roots, budget or Budget())


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Millions of small long-lived values and no cycles among them: looking for cycles again and again doubles the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _resolve(files: Sequence[FileFacts], roots: Sequence[str] | None, budget: Budget) -> Resolution:
    ordered = sorted(files, key=lambda facts: facts.path)
    modules = Modules(ordered, roots)
    solver = Solver(Program(ordered, modules), budget)
    solver.solve()
    report = Report(solver, budget.targets_per_site)
    structure = Structure(report)
    calls, unresolved = report.calls()
    imports, inherits = structure.imports(), structure.inherits()
    references = structure.references()
    symbols = []
    for unit in solver.program.units:
        symbols.append(Symbol(unit.facts.path, ""))
        symbols += [Symbol(unit.facts.path, definition.key) for definition in unit.facts.definitions]
    return Resolution(
        symbols=symbols,
        externals=list(report.externals),
        modules=modules.infos,
        imports=imports,
        calls=calls,
        unresolved=unresolved,
        inherits=inherits,
        overrides=structure.overrides(),
        references=references,
        exports=structure.exports(),
        entry_points=structure.entry_points(),
        budget_hit=solver.budget_hit,
    )
