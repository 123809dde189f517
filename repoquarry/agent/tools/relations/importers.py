"""Tool `importers`: which files import a file, and how strongly they depend on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows, several
from repoquarry.graphstore.reading.records import DefinitionRecord, EdgeRecord


class ImportersArguments(Arguments, frozen=True):
    """Of which file."""

    module: Annotated[str, Meta(description="file or module: path, end of a path, or dotted name")]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""


@dataclass(frozen=True)
class Dependent:
    """A file that depends on another one. `weight` is the coupling: imports, calls and inheritance between the two."""

    module: DefinitionRecord
    weight: float
    imports: EdgeRecord | None


@dataclass(frozen=True)
class ImporterReport:
    """Dependents of everything that a module's name means, the strongest first."""

    modules: tuple[DefinitionRecord, ...]
    dependents: tuple[Dependent, ...]


def run(context: ToolContext, arguments: ImportersArguments) -> ToolResult:
    modules = context.resolve(arguments.module, arguments.repository, ("Module",))
    ids = [item.id for item in modules]
    edges = {edge.start.id: edge for edge in context.reader.imports_to(ids)}
    weights = {item.id: (item, weight) for item, _, weight in context.reader.dependents(ids)}
    for edge in edges.values():
        weights.setdefault(edge.start.id, (edge.start, 0.0))
    found = [Dependent(item, weight, edges.get(item.id)) for item, weight in weights.values()]
    found.sort(key=lambda item: (item.module.is_test, -item.weight, item.module.id))
    lines = [
        f"{item.module.path}  coupling {item.weight:.1f}  imports {item.imports.how if item.imports else 'nothing directly'}"
        for item in found
    ]
    note = several(arguments.module, modules)
    heading = f"importers of {arguments.module}" + (f"\n{note}" if note else "")
    report = ImporterReport(tuple(modules), tuple(found))
    return ToolResult(
        rows(heading, lines), f"{len(found)} files depend on it", tuple(Place.of(d.module) for d in found), (report,)
    )


TOOL = Tool("importers", "Which files import or otherwise depend on a file, strongest first.", ImportersArguments, run)
