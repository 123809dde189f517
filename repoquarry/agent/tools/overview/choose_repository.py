"""Tool `choose_repository`: which repositories fit a task in words, and why."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.repository_catalogs import RepositoryOffer, offers
from repoquarry.agent.repository_ranking import rank_repositories
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows
from repoquarry.execution.errors import ToolError


class ChooseRepositoryArguments(Arguments, frozen=True):
    """For what."""

    text: Annotated[str, Meta(description="the task in words: what goes in, what is to come out")]
    limit: Annotated[int, Meta(description="repositories", ge=1, le=20)] = 3


def run(context: ToolContext, arguments: ChooseRepositoryArguments) -> ToolResult:
    found = rank_repositories(context.reader, context.repositories, arguments.text)
    best = found[: arguments.limit]
    lines = [
        f"{number}. {one.repository} [{one.score:.2f}] {'; '.join(one.reasons)}" for number, one in enumerate(best, 1)
    ]
    indexed = [item.source for item in context.reader.repositories()]
    offered: list[RepositoryOffer] = []
    try:
        offered = offers(context.settings, arguments.text, indexed)[: arguments.limit]
    except ToolError as error:  # what is indexed can be chosen from all the same
        lines.append(str(error))
    lines += [f"not indexed: {one.name}: {one.description}; index it with `{one.command}`" for one in offered]
    summary = f"{len(best)} of {len(found)} repositories that fit; when the first fails, go on to the next and say so"
    return ToolResult(rows(summary, lines), summary, records=(*best, *offered))


TOOL = Tool(
    "choose_repository",
    "Rank the repositories for a task in words, with what speaks for each: README, entry points, what its code does.",
    ChooseRepositoryArguments,
    run,
)
