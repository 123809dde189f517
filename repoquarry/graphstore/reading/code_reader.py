"""`CodeReader`: typed records from named queries.

Everything is asked for in batches, so that walking a graph costs one round a hop and not one a node. Definitions that were
read once are remembered for the life of a reader; it reads one state of the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from repoquarry.graphstore.model.values import Node, Value, get_float, get_int, get_int_list, get_str, get_str_list
from repoquarry.graphstore.reading.constants import Constant, constants_in, ranked
from repoquarry.graphstore.reading.records import (
    DefinitionRecord,
    EdgeRecord,
    ExternalCall,
    ExternalName,
    NameReference,
    RepositoryRecord,
    UnresolvedSite,
    matches_qualname,
    parse_name,
)
from repoquarry.graphstore.store import Store
from repoquarry.languages.registry import family_name

Row = Mapping[str, Value]
_DEPENDENTS = ("package_dependents", "link_dependents")


def to_definition(node: Node) -> DefinitionRecord:
    """A Module, Class or Function."""
    read = node.properties.get
    return DefinitionRecord(
        id=node.id,
        label=node.labels[0],
        repository=get_str(read("repository")),
        path=get_str(read("path")),
        qualname=get_str(read("qualname")),
        name=get_str(read("name")),
        kind=get_str(read("kind")) or "module",
        start_line=get_int(read("start_line")),
        end_line=get_int(read("end_line")),
        signature=get_str(read("signature")),
        docstring=get_str(read("docstring")),
        summary=get_str(read("summary")),
        is_test=bool(read("is_test")),
        importance=get_float(read("importance")),
        calls_in=get_int(read("calls_in")),
        entry_points=get_str_list(read("entry_points")),
        is_core=bool(read("is_core")),
    )


def to_repository(properties: Mapping[str, Value]) -> RepositoryRecord:
    """A Repository by its properties."""
    read = properties.get
    return RepositoryRecord(
        id=get_str(read("id")),
        source=get_str(read("source")),
        summary=get_str(read("summary")),
        languages=get_str_list(read("languages")),
        files=get_int(read("files")),
        lines=get_int(read("lines")),
        commit=get_str(read("commit")),
        readme=get_str(read("readme")),
        unresolved_calls=get_int(read("unresolved_calls")),
        left_out=get_int(read("left_out")),
    )


def to_edge(kind: str, start: DefinitionRecord, end: DefinitionRecord, row: Row) -> EdgeRecord:
    """A relationship between two definitions, with what its row says of it."""
    names = ", ".join(get_str_list(row.get("names")))
    return EdgeRecord(
        kind,
        start,
        end,
        count=get_int(row.get("count")) or 1,
        lines=get_int_list(row.get("lines")),
        how=get_str(row.get("how")) or names or get_str(row.get("kind")),
        confidence=get_float(row["confidence"]) if row.get("confidence") is not None else 1.0,
    )


def to_external(row: Row) -> ExternalName:
    """Something outside the repository that is called or imported."""
    return ExternalName(get_str(row["name"]), get_int(row["count"]), get_int_list(row["lines"]))


class CodeReader:
    """Typed questions to a store. Not shared between threads."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: dict[str, DefinitionRecord] = {}
        self._followed: dict[tuple[str, str], list[EdgeRecord]] = {}
        self._inside: dict[tuple[str, str], list[DefinitionRecord]] = {}
        self._texts: dict[tuple[str, str], str] = {}

    def repositories(self) -> list[RepositoryRecord]:
        """All stored repositories, by id."""
        return [to_repository(self.store.repository(name)) for name in self.store.repositories()]

    def text(self, repository: str, path: str) -> str:
        """Text of an indexed file. Raises: NotFoundError when it is not indexed."""
        key = (repository, path)
        if key not in self._texts:
            self._texts[key] = self.store.source_text(repository, path)
        return self._texts[key]

    def lines(self, definition: DefinitionRecord) -> list[str]:
        """Source lines of a definition."""
        text = self.text(definition.repository, definition.path).split("\n")
        return text[max(definition.start_line - 1, 0) : definition.end_line]

    def resolve(self, target: str, repositories: Sequence[str]) -> list[DefinitionRecord]:
        """Everything that a name, dotted name, path, `path:line` or `path::qualname` may mean, best first; empty for nothing."""
        wanted = parse_name(target)
        found = self._files(wanted, repositories) if wanted.path else []
        if wanted.path and (wanted.line or wanted.qualname):
            return [place for file in found for place in self._in_file(file, wanted)]
        if wanted.names:
            found = found + [
                item for item in self.named([wanted.names[-1]], repositories) if matches_qualname(item, wanted.names)
            ]
            found += self._modules_named(wanted.names, repositories)
        unique = {item.id: item for item in found}
        return sorted(unique.values(), key=lambda item: _rank(item, wanted))

    def _files(self, wanted: NameReference, repositories: Sequence[str]) -> list[DefinitionRecord]:
        found = self._definitions("modules_by_path", repositories=list(repositories), ending=wanted.path)
        return [item for item in found if item.path == wanted.path or item.path.endswith("/" + wanted.path)]

    def _modules_named(self, names: Sequence[str], repositories: Sequence[str]) -> list[DefinitionRecord]:
        dotted = ".".join(names)
        found = self._definitions("modules_by_name", repositories=list(repositories), ending=dotted)
        return [item for item in found if item.name == dotted or item.name.endswith("." + dotted)]

    def _in_file(self, file: DefinitionRecord, wanted: NameReference) -> list[DefinitionRecord]:
        inside = self.inside(file.repository, file.path)
        if wanted.qualname:
            return [item for item in inside if item.qualname == wanted.qualname]
        around = [item for item in inside if item.start_line <= wanted.line <= item.end_line]
        return [min(around, key=lambda item: item.end_line - item.start_line)] if around else [file]

    def named(self, names: Iterable[str], repositories: Sequence[str]) -> list[DefinitionRecord]:
        """Classes and functions with one of these short names."""
        return self._definitions("code_named", names=_unique(names), repositories=list(repositories))

    def classes_spelled(self, names: Iterable[str], repositories: Sequence[str]) -> list[DefinitionRecord]:
        """Classes with one of these names, whatever the case of their letters."""
        small = _unique(name.lower() for name in names)
        return self._definitions("classes_spelled", names=small, repositories=list(repositories))

    def constants(self, wanted: Sequence[str], repositories: Sequence[str]) -> list[Constant]:
        """Names of the code, tests left out, that are set to a literal and speak of these terms; best first."""
        rows = self._rows("code_paths", repositories=list(repositories))
        files = ((get_str(row["repository"]), get_str(row["path"])) for row in rows)
        contents = ((repository, path, self.store.source_text(repository, path)) for repository, path in files)
        return ranked((item for file in contents for item in constants_in(*file, set(wanted))), wanted)

    def definitions(self, ids: Iterable[str]) -> list[DefinitionRecord]:
        """Modules, classes and functions by id; unknown ids are left out."""
        wanted = list(dict.fromkeys(ids))
        missing = _unique(item for item in wanted if item not in self._known)
        if missing:
            self._definitions("code_by_id", ids=missing)
        return [self._known[item] for item in wanted if item in self._known]

    def inside(self, repository: str, path: str) -> list[DefinitionRecord]:
        """Classes and functions of a file, in order of their lines, outer ones first."""
        key = (repository, path)
        if key not in self._inside:
            found = self._definitions("code_in_files", repository=repository, paths=[path])
            self._inside[key] = sorted(found, key=lambda item: (item.start_line, -item.end_line, item.id))
        return self._inside[key]

    def module(self, repository: str, path: str) -> DefinitionRecord | None:
        """The module of a file."""
        found = self.definitions([f"{repository}:{path}"])
        return found[0] if found else None

    def modules(self, repositories: Sequence[str], folder: str = "", limit: int = 200) -> list[DefinitionRecord]:
        """Source files below a folder, the most important first."""
        prefix = f"{folder.strip('/')}/" if folder.strip("/.") else ""
        return self._definitions("modules_below", repositories=list(repositories), folder=prefix, limit=limit)

    def core_classes(self, repositories: Sequence[str]) -> list[DefinitionRecord]:
        """The core classes, the most important first."""
        return self._definitions("core_classes", repositories=list(repositories))

    def entry_points(self, repositories: Sequence[str]) -> list[DefinitionRecord]:
        """Definitions that are reached from outside, tests left out."""
        return self._definitions("entry_points", repositories=list(repositories))

    def documents(self, repositories: Sequence[str]) -> list[dict[str, Value]]:
        """Properties of the prose files."""
        rows = self._rows("documents", repositories=list(repositories))
        return [dict(node.properties) for row in rows if isinstance(node := row["node"], Node)]

    def files_ending(self, path: str, repositories: Sequence[str]) -> list[tuple[str, str]]:
        """(repository, path) of the indexed files, code and prose, that `path` is the end of."""
        rows = self._rows("modules_by_path", repositories=list(repositories), ending=path)
        rows += self._rows("documents_by_path", repositories=list(repositories), ending=path)
        nodes = [node for row in rows if isinstance(node := row["node"], Node)]
        found = [(get_str(node.properties.get("repository")), get_str(node.properties.get("path"))) for node in nodes]
        return sorted(file for file in found if not path or file[1] == path or file[1].endswith("/" + path))

    def directories(self, repository: str) -> list[Row]:
        """Folders with `path`, `files` and `lines`."""
        return self._rows("directories", repository=repository)

    def calls_from(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """Calls that leave these, inside the repository."""
        return self._edges("calls_from", "CALLS", ids, known_starts=True)

    def calls_to(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """Calls that reach these."""
        return self._edges("calls_to", "CALLS", ids, known_starts=False)

    def calls_from_elsewhere(self, ids: Iterable[str], repositories: Sequence[str]) -> list[EdgeRecord]:
        """Calls that reach these from other repositories of the task, which know them as something outside."""
        found = self._edges("calls_across_in", "CALLS", ids, known_starts=False)
        return [edge for edge in found if edge.start.repository in repositories]

    def overriding(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """From these methods to those that replace them in subclasses."""
        return [edge.reversed_override() for edge in self._edges("overrides_to", "OVERRIDES", ids, known_starts=False)]

    def overridden(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """From the inherited methods to these, which replace them."""
        return [edge.reversed_override() for edge in self._edges("overrides_from", "OVERRIDES", ids, known_starts=True)]

    def bases(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """From these classes to their bases inside the repository."""
        return self._edges("bases_of", "INHERITS", ids, known_starts=True)

    def subclasses(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """From direct subclasses to these classes."""
        return self._edges("subclasses_of", "INHERITS", ids, known_starts=False)

    def references_to(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """Uses of these that are no calls; `how` is the kind of use."""
        return self._edges("references_to", "REFERENCES", ids, known_starts=False)

    def references_from(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """Classes and functions that these use without calling them; `how` is the kind of use."""
        return self._edges("references_from", "REFERENCES", ids, known_starts=True)

    def imports_from(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """From these modules to those they import; `how` names what is taken."""
        return self._edges("imports_from", "IMPORTS", ids, known_starts=True)

    def imports_to(self, ids: Iterable[str]) -> list[EdgeRecord]:
        """From modules that import these."""
        return self._edges("imports_to", "IMPORTS", ids, known_starts=False)

    def dependents(self, ids: Iterable[str]) -> list[tuple[DefinitionRecord, str, float]]:
        """Modules that depend on these: (dependent, id of the one depended on, weight of the coupling)."""
        rows = self._rows("dependents_of", ids=_unique(ids))
        return [(self._take(row["other"]), get_str(row["known"]), get_float(row["weight"])) for row in rows]

    def outside_calls(self, ids: Iterable[str]) -> list[ExternalName]:
        """What these call outside the repository."""
        return [to_external(row) for row in self._rows("outside_calls_from", ids=_unique(ids))]

    def outside_imports(self, ids: Iterable[str]) -> list[ExternalName]:
        """What these modules import from outside the repository."""
        return [to_external(row) for row in self._rows("outside_imports_from", ids=_unique(ids))]

    def callers_of_outside(self, name: str, repositories: Sequence[str]) -> list[ExternalCall]:
        """Calls of something outside, by the end of its full name."""
        rows = self._rows("outside_named", repositories=list(repositories), qualname=name, suffix="." + name)
        return [
            ExternalCall(get_str(row["known"]), self._take(row["other"]), get_int_list(row["lines"])) for row in rows
        ]

    def subclasses_of_outside(self, name: str, repositories: Sequence[str]) -> list[tuple[str, DefinitionRecord]]:
        """Classes that inherit from something outside: (its full name, the class)."""
        rows = self._rows("subclasses_of_outside", repositories=list(repositories), qualname=name, suffix="." + name)
        return [(get_str(row["known"]), self._take(row["other"])) for row in rows]

    def possible_calls(
        self, targets: Iterable[DefinitionRecord], repositories: Sequence[str]
    ) -> list[tuple[UnresolvedSite, DefinitionRecord]]:
        """Unresolved calls with the definition that each may mean.

        Only in the language of the definition, in its repository and in those of `repositories` that depend on that one.
        """
        by_repository: dict[str, dict[tuple[str, str], DefinitionRecord]] = {}
        for item in targets:
            by_repository.setdefault(item.repository, {})[item.name, family_name(item.path)] = item
        found: dict[tuple[str, str], tuple[UnresolvedSite, DefinitionRecord]] = {}
        for repository, named in by_repository.items():
            reached = self.dependents_of_repository(repository)
            searched = [id_ for id_ in repositories if id_ == repository or id_ in reached]
            for site in self.unresolved_named((name for name, _ in named), searched):
                target = named.get((site.name, family_name(site.caller.path)))
                if target is not None:
                    found.setdefault((site.caller.id, site.name), (site, target))
        return list(found.values())

    def dependents_of_repository(self, repository: str) -> frozenset[str]:
        """Repositories that depend on one, directly or through others."""
        found: set[str] = set()
        waiting = {repository}
        while waiting:
            near: list[Value] = [*sorted(waiting)]
            rows = [row for query in _DEPENDENTS for row in self._rows(query, repositories=near)]
            waiting = {get_str(row["repository"]) for row in rows} - found - {repository}
            found |= waiting
        return frozenset(found)

    def unresolved_named(self, names: Iterable[str], repositories: Sequence[str]) -> list[UnresolvedSite]:
        """Calls of these names that could not be resolved, in any language: `possible_calls` for those that may mean a definition."""
        rows = self._rows("unresolved_named", names=_unique(names), repositories=list(repositories))
        return [self._site(row) for row in rows]

    def unresolved_from(self, ids: Iterable[str]) -> list[UnresolvedSite]:
        """Calls in these that could not be resolved."""
        return [self._site(row) for row in self._rows("unresolved_from", ids=_unique(ids))]

    def _site(self, row: Row) -> UnresolvedSite:
        caller = self._take(row["other"])
        return UnresolvedSite(
            caller, get_str(row["name"]), get_int(row["count"]), get_int_list(row["lines"]), get_str(row["reason"])
        )

    def _edges(self, query: str, kind: str, ids: Iterable[str], *, known_starts: bool) -> list[EdgeRecord]:
        wanted = list(dict.fromkeys(ids))
        missing = _unique(id_ for id_ in wanted if (query, id_) not in self._followed)
        if missing:
            self._followed.update({(query, id_): [] for id_ in wanted if (query, id_) not in self._followed})
            self._follow(query, kind, missing, known_starts=known_starts)
        edges = [edge for id_ in wanted for edge in self._followed[query, id_]]
        return sorted(edges, key=lambda edge: (edge.start.id, edge.end.id))

    def _follow(self, query: str, kind: str, ids: list[Value], *, known_starts: bool) -> None:
        """Read the edges at some nodes and remember them: one question follows the same calls several times."""
        rows = self._rows(query, ids=ids)
        ends = {item.id: item for item in self.definitions(get_str(row["known"]) for row in rows)}
        for row in rows:
            known, other = ends.get(get_str(row["known"])), row["other"]
            if known is None or not isinstance(other, Node) or "External" in other.labels:
                continue
            far = self._take(other)
            start, end = (known, far) if known_starts else (far, known)
            self._followed[query, known.id].append(to_edge(kind, start, end, row))

    def _definitions(self, query: str, **parameters: Value) -> list[DefinitionRecord]:
        return [self._take(row["node"]) for row in self._rows(query, **parameters)]

    def _rows(self, query: str, **parameters: Value) -> list[Row]:
        result = self.store.execute_named(query, **parameters)
        return [dict(zip(result.columns, row, strict=True)) for row in result.rows]

    def _take(self, value: Value) -> DefinitionRecord:
        """A node as a record, remembered by its id."""
        node = cast(Node, value)
        if node.id not in self._known:
            self._known[node.id] = to_definition(node)
        return self._known[node.id]


def _rank(item: DefinitionRecord, wanted: NameReference) -> tuple[bool, bool, bool, float, str]:
    """Code before tests, exact names before partial ones, what is called or important before what is not."""
    exact = bool(wanted.names) and item.segments[-len(wanted.names) :] == wanted.names
    return (
        item.is_test,
        not exact,
        item.label == "Module" and not wanted.path,
        -item.calls_in - item.importance,
        item.id,
    )


def _unique(texts: Iterable[str]) -> list[Value]:
    """Sorted without repetitions, as a query's parameter."""
    return [*sorted(set(texts))]
