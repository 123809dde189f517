"""Readers of a repository's tree of folders, files and definitions, of source lines, and of owners (authors by their share of the work)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from repoquarry.code.name_resolution import load_nodes
from repoquarry.code.reader import CodeReader
from repoquarry.code.relations import expand, repository_of
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import Node, get_int, get_str
from repoquarry.graphstore.storage.git_history import FileOwner, GitHistory
from repoquarry.graphstore.store import Store
from repoquarry.languages.source_text import split_lines

_NO_AUTHORS = "the history was stored before authors were: index the repository again"


@dataclass
class TreeNode:
    """A folder, file or definition with its children."""

    entity: Node
    children: list[TreeNode] = field(default_factory=list)
    hidden: int = 0
    """Number of children that are not in `children`."""

    @property
    def lines(self) -> int:
        read = self.entity.properties.get
        start, end = read("start_line"), read("end_line")
        span = end - start + 1 if isinstance(start, int) and isinstance(end, int) else 0
        return get_int(read("lines")) or span


@dataclass(frozen=True)
class TreeReport:
    """Tree below a folder or file. `truncated` if the tree has more than the maximum number of nodes."""

    root: TreeNode
    truncated: bool


def read_tree(
    reader: CodeReader,
    repository: str,
    path: str = ".",
    *,
    depth: int = 2,
    max_nodes: int = 2_000,
    definitions: bool = False,
) -> TreeReport:
    """Read the tree below a folder or file, a level at a time, so that a truncated tree has complete upper levels. Raises: NotFoundError."""
    store = reader.store
    store.repository(repository)
    path = path.replace("\\", "/").strip("/").removeprefix("./") or "."
    roots = load_nodes(store, [f"{repository}:{path}"])
    if not roots:
        raise NotFoundError(f"{repository} has no indexed file or folder {path!r}", kind="path", value=path)
    kinds = ("CONTAINS", "DEFINES") if definitions else ("CONTAINS",)
    root = TreeNode(roots[0])
    level, count = [root], 1
    for _ in range(depth):
        children = _list_children(store, level, kinds)
        for parent in level:
            found = children.get(parent.entity.id, [])
            parent.children = [TreeNode(node) for node in found[: max_nodes - count]]
            count += len(parent.children)
            parent.hidden = len(found) - len(parent.children)
        if count >= max_nodes:
            return TreeReport(root, truncated=True)
        level = [child for parent in level for child in parent.children]
    children = _list_children(store, level, kinds)
    for parent in level:
        parent.hidden = len(children.get(parent.entity.id, ()))
    return TreeReport(root, truncated=False)


def _list_children(store: Store, parents: Sequence[TreeNode], kinds: Iterable[str]) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for kind in kinds:
        for hop in expand(store, [parent.entity.id for parent in parents], kind, outgoing=True):
            found.setdefault(hop.known, []).append(hop.other)
    return {id_: sorted(nodes, key=_rank_child) for id_, nodes in found.items()}


def _rank_child(node: Node) -> tuple[bool, str, int, str]:
    """Folders before files, by path; definitions by line."""
    read = node.properties.get
    return "Directory" not in node.labels, get_str(read("path")), get_int(read("start_line")), node.id


@dataclass(frozen=True)
class SourceReport:
    """Lines of an indexed file, 1-based and inclusive; an empty file has the lines 1 to 0."""

    repository: str
    path: str
    start_line: int
    end_line: int
    total_lines: int
    text: str
    """Every line ends in a newline."""
    truncated: bool


def read_source(
    reader: CodeReader, repository: str, path: str, start_line: int = 0, end_line: int = 0, *, max_bytes: int = 0
) -> SourceReport:
    """Read an indexed file or some of its lines.

    Args:
        path: Path relative to the root.
        start_line: First line; 0 means 1.
        end_line: Last line; 0, or a line beyond the end, means the last one.
        max_bytes: Maximum size of the text, in complete lines of which one is always returned; 0 means no limit.

    Raises: NotFoundError; ValueError for lines that the file does not have.
    """
    lines = split_lines(reader.text(repository, path))
    first, last = start_line or 1, min(end_line or len(lines), len(lines))
    if first < 1 or first > max(last, 1) or (end_line and end_line < first):
        raise ValueError(f"lines {first} to {end_line or len(lines)} of {len(lines)}")
    end = _find_last_line(lines, first, last, max_bytes) if max_bytes else last
    text = "".join(f"{line}\n" for line in lines[first - 1 : end])
    return SourceReport(repository, path, first, end, len(lines), text, truncated=end < last)


def _find_last_line(lines: Sequence[str], first: int, last: int, max_bytes: int) -> int:
    size = 0
    for number in range(first, last + 1):
        size += len(lines[number - 1].encode("utf-8", "surrogatepass")) + 1
        if size > max_bytes and number > first:
            return number - 1
    return last


def find_file(reader: CodeReader, path: str, repositories: Sequence[str]) -> tuple[str, str]:
    """Find the (repository, path) of the one file whose path is, or else ends with, `path`.

    Raises: NotFoundError when there is none, or several.
    """
    files = reader.files_ending(path, repositories)
    found = [file for file in files if file[1] == path] or files
    if len(found) == 1:
        return found[0]
    message = f"no indexed file ends with {path!r}; tree shows the folders"
    if found:
        message = f"{path!r} means {len(found)} files: {', '.join(' '.join(file) for file in found[:10])}"
    raise NotFoundError(message, kind="path", value=path)


@dataclass(frozen=True)
class OwnerReport:
    """Authors of the files of a node, by their share of the work."""

    entity: Node
    owners: tuple[FileOwner, ...]
    history_missing: str
    """Why commits or authors are not known; empty if they are."""

    @property
    def commits(self) -> int:
        return sum(owner.commits for owner in self.owners)


def list_owners(reader: CodeReader, nodes: Iterable[Node]) -> list[OwnerReport]:
    histories: dict[str, GitHistory] = {}
    reports = []
    for node in nodes:
        repository = repository_of(node)
        if repository not in histories:
            histories[repository] = reader.store.cached(repository, Store.history)
        history = histories[repository]
        has_no_authors = bool(history.commits) and not any(commit.author for commit in history.commits)
        owners = tuple(history.owners(_list_paths(node, history.paths)))
        reports.append(OwnerReport(node, owners, _NO_AUTHORS if has_no_authors else history.missing))
    return reports


def _list_paths(node: Node, paths: Iterable[str]) -> list[str]:
    """List the files of a node: its own, or all below it."""
    path = get_str(node.properties.get("path"))
    if "Repository" in node.labels or path == ".":
        return list(paths)
    if "Directory" in node.labels:
        return [other for other in paths if other.startswith(f"{path}/")]
    return [path]
