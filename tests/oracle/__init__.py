"""The resolver in Python, which the kernel is laid beside: same rules, same order of work, no part of the product."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.ingest.resolution.model import CallTable, Resolution, SolverBudget, Symbol
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.python.module_resolution import ModuleSearch
from tests.oracle.resolver.program import Program
from tests.oracle.resolver.report.report import Report
from tests.oracle.resolver.report.structure import Structure
from tests.oracle.resolver.solver import Solver


def solve(files: Sequence[FileFacts], budget: SolverBudget | None = None) -> Solver:
    """The solved program."""
    ordered = sorted(files, key=lambda facts: facts.path)
    solver = Solver(Program(ordered, ModuleSearch(ordered, None)), budget or SolverBudget())
    solver.solve()
    return solver


def report(solver: Solver, budget: SolverBudget | None = None) -> Resolution:
    """What `repoquarry.ingest.resolution.resolve` gives, of a program that is solved."""
    reading = Report(solver, (budget or SolverBudget()).targets_per_site)
    structure = Structure(reading)
    calls, unresolved = reading.calls()
    imports, inherits = structure.imports(), structure.inherits()
    references = structure.references()
    symbols = []
    for unit in solver.program.units:
        symbols.append(Symbol(unit.facts.path, ""))
        symbols += [Symbol(unit.facts.path, definition.key) for definition in unit.facts.definitions]
    return Resolution(
        symbols=symbols,
        externals=list(reading.externals),
        modules=list(solver.program.modules.infos),
        imports=imports,
        calls=CallTable.of(calls),
        unresolved=unresolved,
        inherits=inherits,
        overrides=structure.overrides(),
        references=references,
        exports=structure.exports(),
        entry_points=structure.entry_points(),
        budget_hit=solver.budget_hit,
    )
