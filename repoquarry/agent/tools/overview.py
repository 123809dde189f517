"""Tools that give an overview: repositories, their trees and entry points, and the launchpad text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.repository_catalogs import RepositoryOffer, offers
from repoquarry.agent.repository_ranking import rank_repositories
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, ToolContext, rows
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.reading.context import ContextRequest, build_context
from repoquarry.graphstore.reading.files import TreeNode, read_tree
from repoquarry.graphstore.reading.records import DefinitionRecord

_MAX_FILES = 200


class RepositoriesArguments(Arguments, frozen=True):
    """None."""


def run_repositories(context: ToolContext, arguments: RepositoriesArguments) -> ToolResult:
    found = [item for item in context.reader.repositories() if item.id in context.repositories]
    lines = [
        f"{item.id}: {item.summary or 'no description'} ({', '.join(item.languages) or 'no code'}, {item.files} files, "
        f"{item.lines} lines, {item.unresolved_calls} unresolved calls, README {item.readme or 'none'})"
        for item in found
    ]
    return ToolResult(rows("repositories", lines), f"{len(found)} repositories", records=tuple(found))


class ChooseRepositoryArguments(Arguments, frozen=True):
    """For what."""

    text: Annotated[str, Meta(description="the task in words: what goes in, what is to come out")]
    limit: Annotated[int, Meta(description="repositories", ge=1, le=20)] = 3


def run_choose_repository(context: ToolContext, arguments: ChooseRepositoryArguments) -> ToolResult:
    found = rank_repositories(context.reader, context.repositories, arguments.text)
    best = found[: arguments.limit]
    lines = [
        f"{number}. {one.repository} [{one.score:.2f}] {'; '.join(one.reasons)}" for number, one in enumerate(best, 1)
    ]
    indexed = [item.source for item in context.reader.repositories()]
    offered: list[RepositoryOffer] = []
    try:
        offered = offers(context.settings, arguments.text, indexed)[: arguments.limit]
    except ToolError as error:  # The indexed repositories are listed all the same.
        lines.append(str(error))
    lines += [f"not indexed: {one.name}: {one.description}; index it with `{one.command}`" for one in offered]
    summary = f"{len(best)} of {len(found)} repositories that fit; when the first fails, go on to the next and say so"
    return ToolResult(rows(summary, lines), summary, records=(*best, *offered))


class ContextArguments(Arguments, frozen=True):
    """Of which repository, how long, and for what."""

    repository: Annotated[str, Meta(description="repository id")]
    tokens: Annotated[int, Meta(description="budget of the text", ge=200, le=32_000)] = 7_500
    task: Annotated[str, Meta(description="task to choose the blocks for; empty for the repository as a whole")] = ""


def run_context(context: ToolContext, arguments: ContextArguments) -> ToolResult:
    (repository,) = context.chosen(arguments.repository)
    built = build_context(context.reader.store, ContextRequest(repository, arguments.tokens, arguments.task or None))
    ids = [item for block in built.blocks if block.name in ("code", "modules") for item in block.ids]
    found = context.reader.definitions(ids)
    view = ToolView(ViewKind.DOCUMENT, built.text, f"context of {repository}")
    summary = f"{built.tokens} tokens: " + ", ".join(f"{block.name} {block.tokens}" for block in built.blocks)
    return ToolResult(view, summary, tuple(Place.of(item) for item in found), tuple(found))


class TreeArguments(Arguments, frozen=True):
    """Where and how deep."""

    path: Annotated[str, Meta(description="folder or file, relative to the root; empty for the root")] = ""
    repository: Annotated[str, Meta(description="repository id; needed when the task has several")] = ""
    depth: Annotated[int, Meta(description="folders below the path that are shown", ge=1, le=10)] = 2


def run_tree(context: ToolContext, arguments: TreeArguments) -> ToolResult:
    repository = context.one(arguments.repository)
    try:
        root = read_tree(context.reader, repository, arguments.path, depth=arguments.depth).root
    except NotFoundError as error:
        raise ToolError(f"{repository} holds no indexed folder or file {arguments.path!r}") from error
    nodes = list(_iterate_tree(root))
    found = context.reader.definitions(node.node.id for node in nodes if "Module" in node.node.labels)
    path = str(root.node.properties.get("path") or ".")
    if "Module" in root.node.labels:
        inside = context.reader.inside(repository, path)
        view = rows(f"{repository}: {path}, {found[0].headline or 'no documentation'}", _outline(inside))
        places = tuple(Place.of(item) for item in inside[:20])
        return ToolResult(view, f"{path} defines {len(inside)} classes and functions", places, tuple(inside))
    folders = [node.node.properties for node in nodes if "Directory" in node.node.labels]
    folders.sort(key=lambda folder: str(folder["path"]))
    modules = sorted(found, key=lambda item: (-item.importance, item.id))[:_MAX_FILES]
    lines = [f"{folder['path']}/  {folder['files']} files, {folder['lines']} lines" for folder in folders]
    lines += [f"{item.path}  importance {item.importance:.1f}  {item.headline}" for item in modules]
    summary = f"{len(folders)} folders and {len(modules)} files below {path if path != '.' else 'the root'}"
    return ToolResult(rows(f"{repository}: {path}", lines), summary, records=tuple(modules))


def _iterate_tree(node: TreeNode) -> Iterator[TreeNode]:
    yield node
    for child in node.children:
        yield from _iterate_tree(child)


def _outline(inside: Sequence[DefinitionRecord]) -> list[str]:
    return [
        f"{'  ' * item.qualname.count('.')}{item.start_line}-{item.end_line} {item.kind} {item.name}{item.signature}"
        f"{'  # ' + item.headline if item.headline else ''}"
        for item in inside
    ]
