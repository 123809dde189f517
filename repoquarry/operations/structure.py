"""Operations that show source, file trees and overviews of repositories, and rank repositories for a task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Final

from msgspec import Meta

from repoquarry.code.excerpts.context import ContextRequest, build_context
from repoquarry.code.excerpts.text_view import DefinitionSpan, TextView, ViewKind, build_file_view
from repoquarry.code.files import TreeNode, find_file, read_source, read_tree
from repoquarry.code.name_resolution import require_subject
from repoquarry.code.records import DefinitionRecord
from repoquarry.code.repository_ranking import rank_repositories
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import count_noun, get_int, get_str
from repoquarry.operations.base import Operation, OperationScope, RepositoryId, Target, several
from repoquarry.operations.render import Table, format_match
from repoquarry.operations.result import OperationResult, Place

_MAX_SHOWN: Final = 3
"""Maximum number of meanings of a name that are shown with source; the others are listed."""
_MAX_FILES: Final = 200
_MAX_CHOSEN: Final = 3
_TREE_DEPTH: Final = 2
_CONTEXT_TOKENS: Final = 7_500


class ViewCall(Operation, frozen=True):
    name = "view"
    summary = "Show the source of a definition or file, or list a folder."

    target: Target
    repository: RepositoryId = ""
    start_line: Annotated[int, Meta(description="of the file; 0 shows all of the target", ge=0)] = 0
    end_line: Annotated[int, Meta(description="inclusive; 0 for the end", ge=0)] = 0
    about: Annotated[str, Meta(description="subject; decides what stays of a long view")] = ""

    def run(self, scope: OperationScope) -> OperationResult:
        subject = require_subject(scope.reader, self.target, scope.chosen(self.repository))
        properties = subject[0].properties
        path, repository = get_str(properties.get("path")), get_str(properties.get("repository"))
        if "Directory" in subject[0].labels:
            return TreeCall(path=path, repository=repository).run(scope)
        definitions = scope.reader.definitions(item.id for item in subject)
        if self.start_line or self.end_line or not definitions or not definitions[0].qualname:
            return _show_file(scope, path, repository, self.start_line, self.end_line)
        return _show_definitions(scope, self.target, definitions)


def _show_file(scope: OperationScope, path: str, repository: str, start_line: int, end_line: int) -> OperationResult:
    repository, path = find_file(scope.reader, path.strip("/"), scope.chosen(repository))
    try:
        source = read_source(scope.reader, repository, path, start_line, end_line)
    except ValueError as error:
        raise ToolError(f"{path}: {error}") from error
    first, last = source.start_line, source.end_line
    spans = _find_spans(scope, repository, path, first, last)
    view = build_file_view(path, source.text.removesuffix("\n"), f"{repository} {path}:{first}-{last}", first, spans)
    place = Place(repository, path, "", first, last)
    return OperationResult(view, f"{path}, lines {first}-{last} of {source.total_lines}", (place,))


def _show_definitions(scope: OperationScope, target: str, found: Sequence[DefinitionRecord]) -> OperationResult:
    """Show the source of the first definitions that a name can refer to."""
    note = several(target, found)
    views = [_build_view(scope, item) for item in found[:_MAX_SHOWN]]
    view = views[0]
    if len(views) > 1:
        view = TextView(ViewKind.CODE, "\n\n".join(item.render() for item in views), note)
    return OperationResult(view, note or f"{found[0].title}, {found[0].where()}", tuple(map(Place.of, found)))


def _build_view(scope: OperationScope, item: DefinitionRecord) -> TextView:
    text = "\n".join(scope.reader.lines(item))
    spans = _find_spans(scope, item.repository, item.path, item.start_line, item.end_line)
    title = f"{item.repository} {item.where()} {item.kind} {item.title}"
    return TextView(ViewKind.CODE, text, title, item.start_line, spans, item.path)


def _find_spans(scope: OperationScope, repository: str, path: str, first: int, last: int) -> tuple[DefinitionSpan, ...]:
    return tuple(
        DefinitionSpan(item.qualname, item.start_line, item.end_line)
        for item in scope.reader.inside(repository, path)
        if first <= item.start_line and item.end_line <= last
    )


class TreeCall(Operation, frozen=True):
    name = "tree"
    summary = "List folders and files, or the outline of a file."

    path: Annotated[str, Meta(description="folder or file, e.g. `src`")] = ""
    repository: RepositoryId = ""
    depth: Annotated[int, Meta(description="levels below", ge=1, le=10)] = _TREE_DEPTH

    def run(self, scope: OperationScope) -> OperationResult:
        repository = scope.one(self.repository)
        try:
            root = read_tree(scope.reader, repository, self.path, depth=self.depth).root
        except NotFoundError as error:
            raise ToolError(f"{repository} holds no indexed folder or file {self.path!r}") from error
        nodes = list(_iterate_tree(root))
        found = scope.reader.definitions(node.entity.id for node in nodes if "Module" in node.entity.labels)
        path = str(root.entity.properties.get("path") or ".")
        if "Module" in root.entity.labels:
            inside = scope.reader.inside(repository, path)
            title = f"{repository}: {path}, {found[0].headline or 'no documentation'}"
            summary = f"{path} defines {len(inside)} classes and functions"
            table = Table((), [(_format_outline(item),) for item in inside], title)
            return OperationResult.of_tables((table,), summary, tuple(map(Place.of, inside[:20])))
        folders = [node.entity.properties for node in nodes if "Directory" in node.entity.labels]
        folders.sort(key=lambda folder: str(folder["path"]))
        modules = sorted(found, key=lambda item: (-item.importance, item.id))[:_MAX_FILES]
        rows = [
            (
                f"{folder['path']}/",
                count_noun(get_int(folder["files"]), "file"),
                count_noun(get_int(folder["lines"]), "line"),
            )
            for folder in folders
        ]
        files = [
            (item.path, count_noun(item.end_line, "line"), f"{item.importance:.1f}", item.headline) for item in modules
        ]
        tables = (
            Table(("FOLDER", "FILES", "LINES"), rows, f"{repository}: {path}"),
            Table(("FILE", "LINES", "IMPORTANCE", "ABOUT"), files),
        )
        below = path if path != "." else "the root"
        summary = f"{count_noun(len(folders), 'folder')} and {count_noun(len(modules), 'file')} below {below}"
        return OperationResult.of_tables(tables, summary)


def _iterate_tree(node: TreeNode) -> Iterator[TreeNode]:
    yield node
    for child in node.children:
        yield from _iterate_tree(child)


def _format_outline(item: DefinitionRecord) -> str:
    indent, note = "  " * item.qualname.count("."), f"  # {item.headline}" if item.headline else ""
    return f"{indent}{item.start_line}-{item.end_line} {item.kind} {item.name}{item.signature}{note}"


class RepositoriesCall(Operation, frozen=True):
    name = "repositories"
    summary = "List the repositories, or rank them for a task."
    rare = True

    text: Annotated[str, Meta(description="task to rank them for; empty lists all")] = ""

    def run(self, scope: OperationScope) -> OperationResult:
        if self.text:
            return _rank(scope, self.text)
        found = [item for item in scope.reader.repositories() if item.id in scope.repositories]
        rows = [
            (
                item.id,
                ", ".join(item.languages) or "no code",
                f"{count_noun(item.files, 'file')}, {count_noun(item.lines, 'line')}",
                count_noun(item.unresolved_calls, "unresolved call"),
                item.readme,
                item.summary or "no description",
            )
            for item in found
        ]
        columns = "REPOSITORY", "LANGUAGES", "SIZE", "UNRESOLVED", "README", "ABOUT"
        return OperationResult.of_tables((Table(columns, rows),), count_noun(len(found), "repository"))


def _rank(scope: OperationScope, text: str) -> OperationResult:
    found = rank_repositories(scope.reader, scope.repositories, text)
    best = found[:_MAX_CHOSEN]
    about = {item.id: item.summary for item in scope.reader.repositories()}
    rows = [
        (format_match(rank, one.repository, one.score, about[one.repository], one.reasons),)
        for rank, one in enumerate(best, 1)
    ]
    notes = []
    try:
        for one in (scope.search(text) if scope.search is not None else ())[:_MAX_CHOSEN]:
            command = f"index_repository(address={one.address!r})" if scope.can_index else one.command
            notes.append(f"not indexed: {one.name}: {one.description}; index it with `{command}`")
    except ToolError as error:  # The indexed repositories are listed all the same.
        notes.append(str(error))
    summary = f"{len(best)} of {len(found)} repositories that fit; when the first fails, go on to the next and say so"
    return OperationResult.of_tables((Table((), rows, notes=tuple(notes)),), summary)


class ContextCall(Operation, frozen=True):
    name = "context"
    summary = "Overview of a repository: README, main modules and classes."
    rare = True

    repository: Annotated[str, Meta(description="needed where there are several")] = ""
    text: Annotated[str, Meta(description="task to choose the parts for; empty for all of it")] = ""

    def run(self, scope: OperationScope) -> OperationResult:
        repository, store = scope.one(self.repository), scope.reader.store
        request = ContextRequest(repository, _CONTEXT_TOKENS, self.text or None, store.settings.context)
        built = build_context(store, request)
        ids = [item for block in built.blocks if block.name in ("code", "modules") for item in block.node_ids]
        view = TextView(ViewKind.DOCUMENT, built.text, f"context of {repository}")
        summary = f"{built.tokens} tokens: " + ", ".join(f"{block.name} {block.tokens}" for block in built.blocks)
        return OperationResult(view, summary, tuple(map(Place.of, scope.reader.definitions(ids))))
