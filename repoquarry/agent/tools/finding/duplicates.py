"""Tool `duplicates`: the same code elsewhere, of one function or between the task's repositories."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows, several
from repoquarry.graphstore.reading.duplicates import (
    MEANINGS,
    DuplicateGroup,
    GroupRange,
    find_duplicates,
    find_longest_duplicates,
    load_body_hashes,
)

_SHOWN = 6


class DuplicatesArguments(Arguments, frozen=True):
    """Of what."""

    name: Annotated[
        str,
        Meta(
            description="function whose copies are wanted: name, dotted name, `path::qualname` or `path:line`; "
            "empty for the longest code that several repositories have"
        ),
    ] = ""
    repository: Annotated[
        str,
        Meta(description="repository id that the function, or one of the copies, is in; empty for any of the task's"),
    ] = ""
    lines: Annotated[int, Meta(description="without a name: fewest lines of a function", ge=1)] = 10
    limit: Annotated[int, Meta(description="groups of copies", ge=1, le=200)] = 20


def run(context: ToolContext, arguments: DuplicatesArguments) -> ToolResult:
    store, page = context.reader.store, GroupRange(0, arguments.limit)
    notes, short = "", 0
    if arguments.name:
        functions = context.resolve(arguments.name, arguments.repository, ("Function",))[:MEANINGS]
        hashes = load_body_hashes(store, (item.id for item in functions))
        short = len(functions) - len(hashes)
        notes = several(arguments.name, functions)
        found = find_duplicates(store, list(hashes.values()), context.repositories, page)
        heading = f"same code as {arguments.name}"
    else:
        context.chosen(arguments.repository)
        found = find_longest_duplicates(store, context.repositories, arguments.repository, arguments.lines, page)
        heading = f"code that {arguments.repository or 'one repository'} and others have"
    lines = [line for duplicate in found for line in _lines(duplicate)]
    places = tuple(Place.of(item) for duplicate in found for item in duplicate.definitions)
    summary = f"{len(found)} groups of functions with the same code"
    summary += f"; {short} of that name too short to compare" if short else ""
    return ToolResult(rows("\n".join(filter(None, [heading, notes, summary])), lines), summary, places, tuple(found))


def _lines(duplicate: DuplicateGroup) -> list[str]:
    shown = [f"  {item.repository} {item.where()} {item.title}" for item in duplicate.definitions[:_SHOWN]]
    more = duplicate.copies - len(shown)
    return [duplicate.heading(), *shown, *([f"  and {more} more"] if more else [])]


TOOL = Tool(
    "duplicates",
    "The same code elsewhere: copies of a function, or the longest functions that several repositories have.",
    DuplicatesArguments,
    run,
)
