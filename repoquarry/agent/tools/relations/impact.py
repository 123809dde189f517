"""Tool `impact`: what a change reaches, and which tests to run for it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.reading.impact import (
    AffectedDefinition,
    RankedFile,
    find_changed_definitions,
    propagate_impact,
    select_tests,
)
from repoquarry.graphstore.reading.patches import collect_changed_words, parse_patch
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.languages.registry import unknown_calls

_LEAST = 0.05
_MODULES = 1_000_000
_TESTS_SHOWN = 5


class ImpactArguments(Arguments, frozen=True):
    """What is changed."""

    names: Annotated[
        list[str], Meta(description="what is changed: names, dotted names, paths, `path::qualname` or `path:line`")
    ] = field(default_factory=list)
    patch: Annotated[
        str, Meta(description="instead of names, a unified diff of the indexed revision; needs repository")
    ] = ""
    repository: Annotated[str, Meta(description="repository id; empty looks in all of the task's")] = ""
    hops: Annotated[int, Meta(description="how far dependents are followed", ge=1, le=15)] = 6
    limit: Annotated[int, Meta(description="definitions, and files of tests", ge=1, le=200)] = 30


def run(context: ToolContext, arguments: ImpactArguments) -> ToolResult:
    touched, words = _touched(context, arguments)
    affected = propagate_impact(context.reader, touched, context.repositories, arguments.hops, _LEAST)
    owners = sorted({item.definition.repository for item in affected.values()})
    modules = [item for item in context.reader.modules(owners, limit=_MODULES) if item.is_test]
    files = select_tests(context.reader, affected, touched, modules, words)
    others = [item for item in affected.values() if item.hops and not item.definition.is_test]
    others.sort(key=lambda item: (-item.confidence, item.hops, item.definition.id))
    shown, tests = others[: arguments.limit], files[: arguments.limit]
    lines = [f"changed: {item.repository} {item.where()} {item.title}" for item in touched]
    lines += [_affected(item) for item in shown]
    lines += [_tests(file) for file in tests]
    summary = f"{len(others)} definitions affected, {len(files)} of {len(modules)} files of tests to run"
    heading = "\n".join(filter(None, ("impact of the change", summary, unknown_calls(item.path for item in touched))))
    places = [Place.of(item.definition, "", item.confidence) for item in shown]
    places += [Place.of(file.module, "", file.confidence) for file in tests]
    return ToolResult(rows(heading, lines), summary, tuple(places), (*shown, *tests))


def _touched(context: ToolContext, arguments: ImpactArguments) -> tuple[list[DefinitionRecord], frozenset[str]]:
    """What is changed, and the words of the changed lines."""
    if bool(arguments.names) == bool(arguments.patch):
        raise ToolError("say what is changed, by names or by a patch, and not by both")
    if arguments.names:
        found = [item for name in arguments.names for item in context.resolve(name, arguments.repository)]
        return list({item.id: item for item in found}.values()), frozenset()
    chosen = context.chosen(arguments.repository)
    if len(chosen) != 1:
        raise ToolError(f"a patch needs a repository; there are: {', '.join(chosen)}")
    try:
        changes = parse_patch(arguments.patch)
    except ValueError as error:
        raise ToolError(f"the patch cannot be read: {error}") from error
    touched = find_changed_definitions(context.reader, chosen[0], changes)
    if not touched:
        raise ToolError("the patch changes no indexed file: its paths are relative to the repository's root")
    return touched, collect_changed_words(changes)


def _affected(item: AffectedDefinition) -> str:
    found = item.definition
    return f"affected {item.confidence:.2f}: {found.repository} {found.where()} {found.title} ({item.how}, hop {item.hops})"


def _tests(file: RankedFile) -> str:
    names = ", ".join(test.definition.title for test in file.tests[:_TESTS_SHOWN])
    more = f" and {len(file.tests) - _TESTS_SHOWN} more" if len(file.tests) > _TESTS_SHOWN else ""
    return f"test {file.confidence:.2f}: {file.module.repository} {file.module.path} {names}{more} ({file.how})"


TOOL = Tool(
    "impact",
    "What a change reaches, in this repository and in those that use it, and which tests to run for it, with confidences.",
    ImpactArguments,
    run,
)
