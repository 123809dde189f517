"""Tool `imports`: what a file imports, inside the repository and outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows, several
from repoquarry.graphstore.reading.records import DefinitionRecord, EdgeRecord, ExternalName


class ImportsArguments(Arguments, frozen=True):
    """Of which file."""

    module: Annotated[str, Meta(description="file or module: path, end of a path, or dotted name")]
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""


@dataclass(frozen=True)
class ImportReport:
    """Imports of everything that a module's name means."""

    modules: tuple[DefinitionRecord, ...]
    inside: tuple[EdgeRecord, ...]
    outside: tuple[ExternalName, ...]


def run(context: ToolContext, arguments: ImportsArguments) -> ToolResult:
    modules = context.resolve(arguments.module, arguments.repository, ("Module",))
    ids = [item.id for item in modules]
    inside, outside = context.reader.imports_from(ids), context.reader.outside_imports(ids)
    lines = [
        f"{edge.start.path}:{edge.lines[0] if edge.lines else '?'} {edge.end.path}: {edge.how or 'whole module'}"
        for edge in inside
    ]
    lines += [f"outside: {name.qualname}" for name in outside]
    report = ImportReport(tuple(modules), tuple(inside), tuple(outside))
    note = several(arguments.module, modules)
    heading = f"imports of {arguments.module}" + (f"\n{note}" if note else "")
    summary = f"{len(inside)} modules of the repository, {len(outside)} names from outside"
    return ToolResult(rows(heading, lines), summary, tuple(Place.of(edge.end) for edge in inside), (report,))


TOOL = Tool("imports", "What a file imports, inside the repository and outside it.", ImportsArguments, run)
