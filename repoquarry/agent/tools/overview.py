"""Tools that give an overview: repositories, their trees and entry points, and the launchpad text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.repository_catalogs import RepositoryOffer, offers
from repoquarry.agent.repository_ranking import rank_repositories
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import ToolContext, rows
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.reading.context import ContextRequest, build_context
from repoquarry.graphstore.reading.files import TreeNode, read_tree
from repoquarry.graphstore.reading.records import DefinitionRecord

_MAX_FILES = 200
_MAX_CHOSEN = 3
_CONTEXT_TOKENS = 7_500


def list_repositories(context: ToolContext) -> ToolResult:
    found = [item for item in context.reader.repositories() if item.id in context.repositories]
    lines = [
        f"{item.id}: {item.summary or 'no description'} ({', '.join(item.languages) or 'no code'}, {item.files} files, "
        f"{item.lines} lines, {item.unresolved_calls} unresolved calls, README {item.readme or 'none'})"
        for item in found
    ]
    return ToolResult(rows("repositories", lines), f"{len(found)} repositories", records=tuple(found))


def choose_repository(context: ToolContext, text: str) -> ToolResult:
    found = rank_repositories(context.reader, context.repositories, text)
    best = found[:_MAX_CHOSEN]
    lines = [
        f"{number}. {one.repository} [{one.score:.2f}] {'; '.join(one.reasons)}" for number, one in enumerate(best, 1)
    ]
    indexed = [item.source for item in context.reader.repositories()]
    offered: list[RepositoryOffer] = []
    try:
        offered = offers(context.settings, text, indexed)[:_MAX_CHOSEN]
    except ToolError as error:  # The indexed repositories are listed all the same.
        lines.append(str(error))
    lines += [f"not indexed: {one.name}: {one.description}; index it with `{one.command}`" for one in offered]
    summary = f"{len(best)} of {len(found)} repositories that fit; when the first fails, go on to the next and say so"
    return ToolResult(rows(summary, lines), summary, records=(*best, *offered))


def build_overview(context: ToolContext, repository: str, task: str) -> ToolResult:
    store = context.reader.store
    built = build_context(store, ContextRequest(repository, _CONTEXT_TOKENS, task or None, store.settings.context))
    ids = [item for block in built.blocks if block.name in ("code", "modules") for item in block.ids]
    found = context.reader.definitions(ids)
    view = ToolView(ViewKind.DOCUMENT, built.text, f"context of {repository}")
    summary = f"{built.tokens} tokens: " + ", ".join(f"{block.name} {block.tokens}" for block in built.blocks)
    return ToolResult(view, summary, tuple(Place.of(item) for item in found), tuple(found))


def list_tree(context: ToolContext, path: str, repository: str, depth: int) -> ToolResult:
    repository = context.one(repository)
    try:
        root = read_tree(context.reader, repository, path, depth=depth).root
    except NotFoundError as error:
        raise ToolError(f"{repository} holds no indexed folder or file {path!r}") from error
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
    lines += [
        f"{item.path}  {item.end_line} lines, importance {item.importance:.1f}  {item.headline}" for item in modules
    ]
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
