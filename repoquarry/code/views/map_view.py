"""Map of a folder or file as boxes on levels: subfolders and files are arranged by imports, the definitions of a file by calls."""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from repoquarry.code.calls import Certainty, classify_edge
from repoquarry.code.name_resolution import find_nearest_paths
from repoquarry.code.reader import CodeReader
from repoquarry.code.views.levels import Levels, compute_levels, select_arrows
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import Node, get_float, get_int, get_str
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.graphstore.store import Store

_MIN_FOLDER_IMPORTS = 3
"""Imports from which on a folder raises another one; files need one."""
_NEARLY_ALL = 0.9
"""Share of the lines from which on the map begins inside a folder."""
JOINED_PATH = "…"
"""Path of the box that stands for small folders."""

Weights = dict[tuple[str, str], int]


class BoxValue(enum.Enum):
    """Value by which boxes are colored."""

    IMPORTANCE = "importance"
    CHANGES = "changes"
    """Commits that touched a box."""
    TESTS = "tests"
    """Share of the functions that a test reaches along calls."""
    OWNER = "owner"
    """Share of the work of the main author of a box."""


@dataclass(frozen=True)
class ModuleRecord:
    path: str
    lines: int
    importance: float
    is_test: bool
    language: str


class ModuleGraph:
    """Files of one stored revision with the dependencies between them. Loaded part by part, and immutable."""

    def __init__(self, store: Store, repository: str) -> None:
        self._store = store
        self._repository = repository

    @cached_property
    def modules(self) -> Mapping[str, ModuleRecord]:
        rows = self._store.execute_named("modules_below", repositories=[self._repository], limit=2**31 - 1).rows
        reads = [row[0].properties.get for row in rows if isinstance(row[0], Node)]
        found = [
            ModuleRecord(
                get_str(read("path")),
                get_int(read("lines")),
                get_float(read("importance")),
                bool(read("is_test")),
                get_str(read("language")),
            )
            for read in reads
        ]
        return {module.path: module for module in sorted(found, key=lambda module: module.path)}

    @cached_property
    def imports(self) -> Weights:
        """Import statements by importing and imported path."""
        return self._weights("module_imports")

    @cached_property
    def calls(self) -> Weights:
        """Call sites by calling and called path."""
        return self._weights("module_calls")

    @cached_property
    def tested_shares(self) -> Mapping[str, tuple[int, int]]:
        """(functions that a test reaches, functions) by path, without tests."""
        places = self._store.execute_named("function_places", repository=self._repository).rows
        path_by_id = {get_str(id_): get_str(path) for id_, path, is_test in places if not is_test}
        callees: dict[str, list[str]] = {}
        for start, end in self._store.execute_named("function_calls", repository=self._repository).rows:
            callees.setdefault(get_str(start), []).append(get_str(end))
        frontier = [get_str(id_) for id_, _, is_test in places if is_test]
        reached = set(frontier)
        while frontier:
            frontier = list({end for start in frontier for end in callees.get(start, ())} - reached)
            reached.update(frontier)
        all_count, reached_count = Counter(path_by_id.values()), Counter[str]()
        reached_count.update(path for id_, path in path_by_id.items() if id_ in reached)
        return {path: (reached_count[path], count) for path, count in all_count.items()}

    @cached_property
    def history(self) -> GitHistory:
        return self._store.cached(self._repository, Store.history)

    def count_sites(self, *, is_test: bool) -> tuple[Mapping[Certainty, int], int]:
        """Return the call sites of tests or of other code by certainty, and the number of unresolved ones."""
        sites, unresolved = self._site_counts
        found = {certainty: count for (of_test, certainty), count in sites.items() if of_test == is_test}
        return found, unresolved[is_test]

    @cached_property
    def _site_counts(self) -> tuple[Counter[tuple[bool, Certainty]], Counter[bool]]:
        shares: defaultdict[tuple[bool, Certainty], float] = defaultdict(float)
        for is_test, how, targets, count in self._store.execute_named(
            "call_certainty", repository=self._repository
        ).rows:
            certainty, number = classify_edge(get_str(how), get_int(targets)), max(1, get_int(targets))
            # The targets of a site share it.
            shares[bool(is_test), certainty] += get_int(count) / (number if certainty is Certainty.ONE_OF else 1)
        sites = Counter({key: round(share) for key, share in shares.items()})
        unresolved: Counter[bool] = Counter()
        for is_test, count in self._store.execute_named("unresolved_by_tests", repository=self._repository).rows:
            unresolved[bool(is_test)] += get_int(count)
        return sites, unresolved

    def _weights(self, query: str) -> Weights:
        rows = self._store.execute_named(query, repository=self._repository).rows
        return {(get_str(start), get_str(end)): get_int(count) for start, end, count in rows}


@dataclass(frozen=True)
class MapRequest:
    """Part of a repository and the look of its map."""

    folder: str = ""
    """Folder or file; empty for the top folder with more than one child."""
    has_tests: bool = False
    value: BoxValue = BoxValue.IMPORTANCE
    selected: str = ""
    """Path of a box whose dependencies are all drawn."""
    max_boxes: int = 60


@dataclass(frozen=True)
class MapBox:
    """Folder, file or definition on the map."""

    path: str
    """Path; for a definition its id."""
    name: str
    files: int
    lines: int
    can_enter: bool
    value: float = 0.0
    owner: str = ""


@dataclass(frozen=True)
class MapReport:
    """Boxes on levels with the dependencies between them."""

    folder: str
    boxes: tuple[MapBox, ...]
    """From the highest level to the lowest, by column."""
    levels: Levels
    weights: Mapping[tuple[str, str], tuple[int, int]]
    """(imports, calls) by using and used box."""
    drawn: frozenset[tuple[str, str]]
    joined: tuple[str, ...]
    """Paths of the folders and files behind the box `JOINED_PATH`."""
    is_by_calls: bool


def view_map(reader: CodeReader, repository: str, graph: ModuleGraph, request: MapRequest) -> MapReport:
    """Read the map of a folder or file. Raises: NotFoundError for a path without source files."""
    paths = [path for path, module in graph.modules.items() if request.has_tests or not module.is_test]
    folder = request.folder.strip("/.") if request.folder.strip("/") == "." else request.folder.strip("/")
    if folder in graph.modules:
        return _view_definitions(reader, repository, folder, request)
    folder = folder or find_top_folder([graph.modules[path] for path in paths])
    prefix = f"{folder}/" if folder else ""
    inside = [path for path in paths if path.startswith(prefix)]
    if not inside:
        folders = (str(parent) for path in paths for parent in PurePosixPath(path).parents)
        nearest = find_nearest_paths(folder, folders)
        hint = f"; nearest: {', '.join(nearest)}" if nearest else ""
        message = f"{repository} has no source files in {folder!r}{hint}"
        raise NotFoundError(message, kind="path", value=folder, nearest=nearest)
    box_by_path = {path: prefix + path[len(prefix) :].partition("/")[0] for path in inside}
    joined = _find_small_boxes(box_by_path, graph.modules, request.max_boxes)
    box_by_path = {path: JOINED_PATH if box in joined else box for path, box in box_by_path.items()}
    members: dict[str, list[str]] = {}
    for path, box in box_by_path.items():
        members.setdefault(box, []).append(path)
    boxes = [_build_folder_box(graph, box, found, request.value, len(joined)) for box, found in members.items()]
    imports, calls = join_weights(graph.imports, box_by_path), join_weights(graph.calls, box_by_path)
    has_folders = any(box.path not in graph.modules for box in boxes)
    min_weight = _MIN_FOLDER_IMPORTS if has_folders else 1
    return _arrange(folder or ".", boxes, imports, calls, min_weight, request, tuple(sorted(joined)))


def find_top_folder(modules: Sequence[ModuleRecord]) -> str:
    """Return the top folder of which no child folder has nearly all lines; empty for the root."""
    folder = ""
    while modules:
        prefix = f"{folder}/" if folder else ""
        lines: Counter[str] = Counter()
        for module in modules:
            child, slash, _ = module.path.removeprefix(prefix).partition("/")
            lines[f"{prefix}{child}" if slash else ""] += module.lines
        child, most = max(lines.items(), key=lambda item: (item[1], item[0]))
        if not child or most < _NEARLY_ALL * lines.total():
            return folder
        folder, modules = child, [module for module in modules if module.path.startswith(f"{child}/")]
    return folder


def _find_small_boxes(box_by_path: Mapping[str, str], modules: Mapping[str, ModuleRecord], max_boxes: int) -> set[str]:
    """Return the smallest boxes, which one box stands for, where there are too many."""
    lines: Counter[str] = Counter()
    for path, box in box_by_path.items():
        lines[box] += modules[path].lines
    ranked = sorted(lines, key=lambda box: (-lines[box], box))
    return set(ranked[max_boxes - 1 :]) if len(ranked) > max_boxes else set()


def join_weights(weights: Weights, box_by_path: Mapping[str, str]) -> Weights:
    found: Counter[tuple[str, str]] = Counter()
    for (start, end), count in weights.items():
        pair = box_by_path.get(start, ""), box_by_path.get(end, "")
        if all(pair) and pair[0] != pair[1]:
            found[pair] += count
    return found


def _build_folder_box(graph: ModuleGraph, path: str, members: Sequence[str], value: BoxValue, joined: int) -> MapBox:
    lines = sum(graph.modules[member].lines for member in members)
    share, owner = _compute_value(graph, members, value)
    can_enter = path != JOINED_PATH
    name = path.rpartition("/")[2] if can_enter else f"{joined} small folders and files"
    return MapBox(path, name, len(members), lines, can_enter, share, owner)


def _compute_value(graph: ModuleGraph, members: Sequence[str], value: BoxValue) -> tuple[float, str]:
    """Return the value of a box with these files, and its owner where boxes are colored by owners."""
    if value is BoxValue.CHANGES:
        history = graph.history
        return float(len({commit.hash for member in members for commit in history.commits_of(member)})), ""
    if value is BoxValue.TESTS:
        shares = [graph.tested_shares.get(member, (0, 0)) for member in members]
        reached, count = sum(one for one, _ in shares), sum(two for _, two in shares)
        return reached / count if count else 0.0, ""
    if value is BoxValue.OWNER:
        owners = graph.history.owners(members)
        return (owners[0].share, owners[0].name) if owners else (0.0, "")
    return sum(graph.modules[member].importance for member in members), ""


def _view_definitions(reader: CodeReader, repository: str, path: str, request: MapRequest) -> MapReport:
    """Read the map of a file: its classes and functions outside of classes, by calls."""
    inside = reader.inside(repository, path)
    top = [item for item in inside if "." not in item.qualname][: request.max_boxes]
    box_by_id = {
        item.id: box.id for box in top for item in inside if f"{item.qualname}.".startswith(f"{box.qualname}.")
    }
    calls: Counter[tuple[str, str]] = Counter()
    for edge in reader.calls_from(box_by_id):
        pair = box_by_id[edge.start.id], box_by_id.get(edge.end.id, "")
        if pair[1] and pair[0] != pair[1]:
            calls[pair] += edge.count
    boxes = [
        MapBox(item.id, item.name, 1, item.end_line - item.start_line + 1, can_enter=False, value=float(item.calls_in))
        for item in top
    ]
    return _arrange(path, boxes, {}, calls, 1, request, (), is_by_calls=True)


def _arrange(
    folder: str,
    boxes: Iterable[MapBox],
    imports: Weights,
    calls: Weights,
    min_weight: int,
    request: MapRequest,
    joined: tuple[str, ...],
    *,
    is_by_calls: bool = False,
) -> MapReport:
    """Put boxes on levels by imports, or by calls."""
    found = {box.path: box for box in boxes}
    weights = calls if is_by_calls else imports
    levels = compute_levels(list(found), weights, min_weight)
    levels_of, columns_of = levels.level_by_box, levels.column_by_box
    pairs = {pair: (imports.get(pair, 0), calls.get(pair, 0)) for pair in sorted(weights)}
    drawn = select_arrows(levels, weights, request.selected)
    ordered = tuple(found[path] for path in sorted(found, key=lambda path: (-levels_of[path], columns_of[path])))
    return MapReport(folder, ordered, levels, pairs, frozenset(drawn), joined, is_by_calls)
