"""Report on a repository for a newcomer: folders by role, core classes to read first, entry points, dependencies, owners, call sites."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.code.calls import Certainty
from repoquarry.code.files import OwnerReport, list_owners
from repoquarry.code.name_resolution import load_nodes
from repoquarry.code.reader import CodeReader, to_definition
from repoquarry.code.records import DefinitionRecord
from repoquarry.code.views.map_view import ModuleGraph, find_top_folder, join_weights
from repoquarry.graphstore.model.values import Node, count_noun, get_int, get_str
from repoquarry.graphstore.store import Store

_TOOL_FOLDERS: Final = frozenset((
    "scripts", "script", "tools", "tool", "bin", "build", "ci", "docs", "doc",
    "benchmarks", "benchmark", "bench", "examples", "example",
))  # fmt: skip
_TOOL_FILES: Final = (
    "setup.py", "conf.py", "noxfile.py", "tasks.py", "gulpfile", "gruntfile", "rollup.", "vite.", "webpack.", "build.",
)  # fmt: skip
_ROLE_RULES: Final = {
    "application": "Uses at least as many folders as use it.",
    "infrastructure": "Is used by more folders than it uses.",
    "tests": "Tests by name, files that only tests use, and data of tests.",
    "tools": "Scripts, documentation and build files by path; not part of the package.",
}
_MIN_METHODS: Final = 10
_MAX_READING: Final = 6
_MAX_NAMES: Final = 5
_MAX_IMPORTED: Final = 3
_MOSTLY_TESTS: Final = 0.9
"""Share of the lines of a top folder from which all of its files count as tests, such as their data."""
_ENTRY_ORDER: Final = ("console_script", "main", "route")
"""Kinds of entry points that are listed first."""
_TEST_FOLDERS: Final = frozenset({"test", "tests", "testing", "testutils", "test_utils"})
_TEST_ENTRIES: Final = frozenset({"test", "suite", "fixture"})
"""Kinds that only a test runner starts, in any file."""


@dataclass(frozen=True)
class RoleFolder:
    path: str
    files: int
    lines: int
    names: tuple[str, ...]
    """Most important files and subfolders directly in it."""


@dataclass(frozen=True)
class Role:
    """Part of a repository by its purpose."""

    name: str
    rule: str
    folders: tuple[RoleFolder, ...]
    """Most lines first."""


@dataclass(frozen=True)
class ReadingStep:
    entity: DefinitionRecord
    why: str


@dataclass(frozen=True)
class Dependency:
    package: str
    requirement: str
    repository: str
    """Stored repository that provides the package; empty for none."""


@dataclass(frozen=True)
class Completeness:
    """Call sites inside the repository by certainty of their target."""

    name: str
    sites_by_certainty: Mapping[Certainty, int]
    unresolved: int


@dataclass(frozen=True)
class OverviewReport:
    """Overview of one repository; callers cut the lists."""

    roles: tuple[Role, ...]
    reading: tuple[ReadingStep, ...]
    entry_points: tuple[tuple[DefinitionRecord, str], ...]
    completeness: tuple[Completeness, ...]
    documents: tuple[Node, ...]
    """README first, then by depth and path."""
    languages: tuple[tuple[str, int, int], ...]
    """(language, files, lines), most lines first."""
    owners: OwnerReport


def view_overview(store: Store, repository: str) -> OverviewReport:
    """Read the overview of a stored revision; build it by `Store.cached`."""
    reader, graph = CodeReader(store), store.cached(repository, ModuleGraph)
    entry_points = _list_entry_points(reader, repository, graph)
    return OverviewReport(
        tuple(_list_roles(graph)),
        tuple(_list_reading(reader, repository, entry_points)),
        tuple(entry_points),
        tuple(_count_sites(graph)),
        tuple(_list_documents(reader, repository)),
        tuple(_count_languages(graph)),
        list_owners(reader, load_nodes(store, [repository]))[0],
    )


def _list_roles(graph: ModuleGraph) -> Iterator[Role]:
    """Yield the roles that have files; every file has one role."""
    tests = _find_tests(graph)
    tools = {path for path in graph.modules.keys() - tests if _is_tool(path)}
    rest = sorted(graph.modules.keys() - tests - tools)
    folder = find_top_folder([graph.modules[path] for path in rest])
    box_by_path = {path: _child_of(folder, path) for path in rest}
    uses: Counter[str] = Counter()
    for start, end in join_weights(graph.imports, box_by_path):
        uses[start] += 1
        uses[end] -= 1
    application = [path for path in rest if uses[box_by_path[path]] >= 0]
    infrastructure = [path for path in rest if uses[box_by_path[path]] < 0]
    for name, paths, top in (
        ("application", application, folder),
        ("infrastructure", infrastructure, folder),
        ("tests", sorted(tests), ""),
        ("tools", sorted(tools), ""),
    ):
        if folders := _group_paths(graph, paths, top):
            yield Role(name, _ROLE_RULES[name], tuple(folders))


def _find_tests(graph: ModuleGraph) -> set[str]:
    """Return the paths of tests, with all files of top folders that are nearly all tests."""
    lines: Counter[str] = Counter()
    test_lines: Counter[str] = Counter()
    for path, module in graph.modules.items():
        lines[path.partition("/")[0]] += module.lines
        test_lines[path.partition("/")[0]] += module.lines if module.is_test else 0
    folders = {folder for folder, count in lines.items() if test_lines[folder] > _MOSTLY_TESTS * count}
    return {path for path, module in graph.modules.items() if module.is_test or path.partition("/")[0] in folders}


def _is_tool(path: str) -> bool:
    folders, _, file = path.rpartition("/")
    first = folders.partition("/")[0].lstrip(".").lower()
    return first in _TOOL_FOLDERS or (not folders and file.lower().startswith(_TOOL_FILES))


def _child_of(folder: str, path: str) -> str:
    """Return the child of a folder that holds a path; for a path outside the folder its top folder."""
    prefix = f"{folder}/" if folder and path.startswith(f"{folder}/") else ""
    return prefix + path[len(prefix) :].partition("/")[0]


def _group_paths(graph: ModuleGraph, paths: Sequence[str], folder: str) -> list[RoleFolder]:
    """Group files by the children of a folder; a child without lines is omitted."""
    members: dict[str, list[str]] = {}
    for path in paths:
        members.setdefault(_child_of(folder, path), []).append(path)
    found = []
    for child, inside in members.items():
        importance: defaultdict[str, float] = defaultdict(float)
        for path in inside:
            importance[_child_of(child, path).rpartition("/")[2].partition(".")[0]] += graph.modules[path].importance
        names = sorted(
            (name for name in importance if name.strip("_") not in ("", "init", "index")),
            key=lambda name: (-importance[name], name),
        )
        lines = sum(graph.modules[path].lines for path in inside)
        if lines:
            found.append(RoleFolder(child, len(inside), lines, tuple(names[:_MAX_NAMES]) if [child] != inside else ()))
    return sorted(found, key=lambda item: (-item.lines, item.path))


def _list_reading(
    reader: CodeReader, repository: str, entry_points: Sequence[tuple[DefinitionRecord, str]]
) -> Iterator[ReadingStep]:
    """Yield the core classes with many methods, one per file, then what console scripts start."""
    seen: set[str] = set()
    rows = reader.store.execute_named("core_classes", repositories=[repository]).rows
    for node in (row[0] for row in rows):
        if not isinstance(node, Node) or len(seen) == _MAX_READING:
            continue
        definition, methods = to_definition(node), get_int(node.properties.get("methods"))
        if definition.is_test or _helps_tests(definition.path) or methods < _MIN_METHODS or definition.path in seen:
            continue
        seen.add(definition.path)
        module = reader.module(repository, definition.path)
        counts = f"{count_noun(methods, 'method')}, {count_noun(definition.calls_in, 'call site')}."
        text = definition.headline or (module.headline if module else "") or counts
        yield ReadingStep(definition, text)
    for definition, how in entry_points:
        if how.startswith("console_script: "):
            yield ReadingStep(definition, f"Started by {how.partition(': ')[2]}.")


def _helps_tests(path: str) -> bool:
    """Return whether a file of the package serves tests only by its folder, such as `django/test`."""
    return not _TEST_FOLDERS.isdisjoint(path.lower().split("/")[:-1])


def _list_entry_points(reader: CodeReader, repository: str, graph: ModuleGraph) -> list[tuple[DefinitionRecord, str]]:
    """List entry points, those of tools last. Without other ones, the files that most tests import come first, as in a library."""
    tests = _find_tests(graph)
    found = [
        (item, how)
        for item in reader.entry_points([repository])
        for how in item.entry_points
        if item.path not in tests and how.partition(":")[0] not in _TEST_ENTRIES
    ]

    def rank(entry: tuple[DefinitionRecord, str]) -> tuple[bool, int, str, int, str]:
        kind = entry[1].partition(":")[0]
        place = _ENTRY_ORDER.index(kind) if kind in _ENTRY_ORDER else len(_ENTRY_ORDER)
        return _is_tool(entry[0].path), place, entry[0].path, entry[0].start_line, entry[1]

    imported = [] if any(not _is_tool(item.path) for item, _ in found) else _list_imported(reader, repository, graph)
    return imported + sorted(found, key=rank)


def _list_imported(reader: CodeReader, repository: str, graph: ModuleGraph) -> list[tuple[DefinitionRecord, str]]:
    count_by_path = Counter(
        end
        for start, end in graph.imports
        if graph.modules[start].is_test and not graph.modules[end].is_test and not _is_tool(end)
    )
    best = sorted(count_by_path, key=lambda path: (-count_by_path[path], path))[:_MAX_IMPORTED]
    count_by_id = {f"{repository}:{path}": count_by_path[path] for path in best}
    return [
        (item, f"library: imported by {count_noun(count_by_id[item.id], 'file')} of tests")
        for item in reader.definitions(count_by_id)
    ]


def list_dependencies(store: Store, repository: str) -> list[Dependency]:
    """List the packages that a repository depends on, by name; indexing another repository can add a provider."""
    rows = store.execute_named("packages", repository=repository).rows
    found: dict[str, Dependency] = {}
    for _, relation, package, requirement, provider in rows:
        if relation == "DEPENDS_ON":
            found.setdefault(get_str(package), Dependency(get_str(package), get_str(requirement), get_str(provider)))
    return [found[package] for package in sorted(found)]


def _count_sites(graph: ModuleGraph) -> Iterator[Completeness]:
    for name, is_test in (("application", False), ("tests", True)):
        sites, unresolved = graph.count_sites(is_test=is_test)
        if sites or unresolved:
            yield Completeness(name, sites, unresolved)


def _list_documents(reader: CodeReader, repository: str) -> list[Node]:
    rows = reader.store.execute_named("documents", repositories=[repository]).rows
    nodes = [row[0] for row in rows if isinstance(row[0], Node)]

    def rank(node: Node) -> tuple[bool, int, str]:
        path = get_str(node.properties.get("path"))
        return not path.lower().startswith("readme"), path.count("/"), path

    return sorted(nodes, key=rank)


def _count_languages(graph: ModuleGraph) -> list[tuple[str, int, int]]:
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for module in graph.modules.values():
        files[module.language] += 1
        lines[module.language] += module.lines
    return sorted(((name, files[name], lines[name]) for name in files), key=lambda item: (-item[2], item[0]))
