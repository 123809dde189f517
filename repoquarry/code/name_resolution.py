"""Resolution of a name in a request to the definitions, files, folders and external code that it can refer to.

A name is compared in order: id, path, qualified name (its last parts, else some of its parts in order as with a re-export), inherited
member, constant or field, name ignoring case, external code. The first comparison that matches decides. A string is a path only where such
a file exists. No function returns a similar name as if it were the wanted one: a name that matches nothing raises an error with the
nearest names.
"""

from __future__ import annotations

import difflib
import enum
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord, matches_qualname
from repoquarry.code.relations import USE_KINDS, expand
from repoquarry.graphstore.errors import AmbiguousNameError, NotFoundError
from repoquarry.graphstore.model.values import Node, get_int, get_int_list, get_str
from repoquarry.graphstore.repository_names import bare_id
from repoquarry.graphstore.store import Store
from repoquarry.languages.source_text import split_lines

_ID_BATCH = 500
_MAX_NAME_CHARACTERS = 1_000
_MAX_NEAREST = 5
_MIN_SIMILARITY = 0.7
_MAX_BASES = 8
"""Levels of inheritance that are searched for a member."""
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts", ".pyi")
DEFAULT_EXPORTS = ("exports", "default")
"""Names of the unnamed exports of a JavaScript module."""
_SEPARATORS = re.compile(r"::|->|(?<=\w)#|[.:/\\]")
_LINE = re.compile(r"^(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?$")


class NameMatch(enum.Enum):
    ID = "id"
    PATH = "path"
    NAME = "name"
    INHERITED = "inherited member"
    VARIABLE = "constant or field"
    CASE = "name in another case"
    EXTERNAL = "external code"
    SETTING = "key of a configuration file"


@dataclass(frozen=True)
class NameResolution:
    """Everything that a name can refer to, best first; never empty."""

    name: str
    match: NameMatch
    nodes: tuple[Node, ...]

    def subjects(self) -> list[tuple[Node, ...]]:
        """Group the nodes that a reader takes for one thing: overloads, a class with its constructor, a file with its class.

        A declaration in a file of types belongs to the only definition of the name in code.
        """
        groups: dict[tuple[str, str, str], list[Node]] = {}
        for node in self.nodes:
            groups.setdefault(subject_key(node), []).append(node)
        titles = {key for key in groups if key[2]}
        for key in list(groups):
            repository, path, qualname = key
            stem = path.rpartition("/")[2].partition(".")[0]
            outer = (repository, path, qualname.rpartition(".")[0] if qualname else stem)
            is_part = get_str(groups[key][0].properties.get("kind")) == "constructor" if qualname else bool(path)
            if is_part and outer in titles and self.match is not NameMatch.PATH:
                groups[outer].extend(groups.pop(key))
        code = [key for key in groups if not key[1].endswith(_DECLARATIONS)]
        if len(code) == 1 and self.match is NameMatch.NAME:
            groups = {code[0]: [node for key in (*code, *groups) if key in groups for node in groups.pop(key)]}
        return [tuple(group) for group in groups.values()]

    def preferred(self) -> list[tuple[Node, ...]]:
        """Return the things outside tests; those in tests where nothing else has the name."""
        subjects = self.subjects()
        return [group for group in subjects if group[0].properties.get("is_test") is not True] or subjects

    def require_one(self, labels: Sequence[str] = ()) -> tuple[Node, ...]:
        """Return the nodes of the one thing with one of the labels. Raises: NotFoundError, AmbiguousNameError."""
        subjects = self.subjects()
        fitting = [group for group in subjects if not labels or set(labels) & set(group[0].labels)]
        if not fitting:
            found = ", ".join(sorted({group[0].labels[0].lower() for group in subjects}))
            wanted = " or ".join(labels).lower()
            raise NotFoundError(f"{self.name!r} is a {found}, not a {wanted}", kind="name", value=self.name)
        if len(fitting) > 1:
            fitting = [group for group in self.preferred() if group in fitting] or fitting
        if len(fitting) > 1:
            ids = tuple(group[0].id for group in fitting)
            raise AmbiguousNameError(
                f"{self.name!r} is ambiguous: {len(ids)} definitions; use the id of one of them",
                name=self.name,
                candidates=ids,
            )
        return fitting[0]


def find_name(reader: CodeReader, name: str, repositories: Sequence[str]) -> NameResolution | None:
    """Find everything that a name can refer to in some repositories; None where nothing has it.

    `name`: id, name, dotted name, path, end of a path, `path:line`, `path:line:column` or `path::qualname`; brackets and quotes are ignored.
    """
    scope = (*repositories, "")
    exact = [node for node in load_nodes(reader.store, [name.strip()]) if _text(node, "repository") in scope]
    if exact:
        return NameResolution(name, NameMatch.ID, tuple(exact))
    clean = clean_name(name)
    # Names of Ruby may end in a mark; else it is the sentence's.
    for wanted in filter(None, dict.fromkeys((clean, clean.rstrip("?!")))):
        for match, find in _COMPARISONS:
            if nodes := find(reader, wanted, repositories):
                return NameResolution(name, match, tuple(nodes))
    return None


def resolve_name(reader: CodeReader, name: str, repositories: Sequence[str]) -> NameResolution:
    """Find as `find_name`, for a name that has to exist. Raises: NotFoundError with the nearest names, which takes longer."""
    if (found := find_name(reader, name, repositories)) is not None:
        return found
    nearest = find_nearest(reader, clean_name(name), repositories)
    hint = f"; nearest: {', '.join(nearest)}" if nearest else ""
    raise NotFoundError(f"nothing is called {name!r}{hint}", kind="name", value=name, nearest=nearest)


def require_subject(
    reader: CodeReader, name: str, repositories: Sequence[str], labels: Sequence[str] = ()
) -> tuple[Node, ...]:
    """Return the nodes of the one thing that a name refers to; with `labels` only things with one of them count.

    Raises: NotFoundError; AmbiguousNameError where several things fit.
    """
    return resolve_name(reader, name, repositories).require_one(labels)


def require_definitions(reader: CodeReader, name: str, repositories: Sequence[str]) -> list[DefinitionRecord]:
    """Return the modules, classes and functions of the one thing that a name refers to. Raises: as `require_subject`."""
    return reader.definitions(
        node.id for node in require_subject(reader, name, repositories, ("Module", "Class", "Function"))
    )


def load_nodes(store: Store, ids: Iterable[str]) -> list[Node]:
    """Load nodes of any label by id, in the order of the ids; unknown ids are skipped."""
    wanted = list(dict.fromkeys(ids))
    found: dict[str, Node] = {}
    for start in range(0, len(wanted), _ID_BATCH):
        rows = store.execute_named("nodes_by_id", ids=list(wanted[start : start + _ID_BATCH])).rows
        found.update({row[0].id: row[0] for row in rows if isinstance(row[0], Node)})
    return [found[id_] for id_ in wanted if id_ in found]


def clean_name(text: str) -> str:
    """Return a name without call brackets, type arguments, quotes, `@` and punctuation at its end."""
    clean = text[:_MAX_NAME_CHARACTERS].strip().strip("`'\"“”‘’").strip().removeprefix("@")
    clean = re.sub(r"\(.*\)$", "", clean, flags=re.DOTALL)
    clean = re.sub(r"(?<=\w)<[^<>]*>", "", clean)
    return clean.rstrip(".:,;")


def name_parts(clean: str) -> tuple[str, ...]:
    """Return the parts of a qualified name, whatever its language separates them with."""
    return tuple(part for part in _SEPARATORS.split(clean) if part)


def _by_path(reader: CodeReader, wanted: str, repositories: Sequence[str]) -> list[Node]:
    """Find files by path or its end, folders by path, definitions by `path::qualname` or `path:line`, and what a `path:line:column` refers to."""
    head, separator, qualname = wanted.partition("::")
    at_line = _LINE.match(head)
    path = _relative(at_line["path"] if at_line else head)
    if ":" in path:  # An id begins with the repository.
        repository, _, path = path.partition(":")
        repositories = [id_ for id_ in repositories if id_ == repository]
    line = int(at_line["line"]) if at_line else 0
    files = _files_at(reader, path, repositories)
    folders = [f"{repository}:{path}" for repository in repositories]
    if not files and "/" in path:  # A path that begins with the folder that is the repository.
        folder, _, path = path.partition("/")
        repositories = [id_ for id_ in repositories if bare_id(id_).lower() == folder.lower()]
        files = _files_at(reader, path, repositories)
        folders += [f"{repository}:{path}" for repository in repositories]
    exact = [file for file in files if file[1] == path]
    if at_line and at_line["column"]:
        for file in exact or files:
            if nodes := find_at_position(reader, *file, line, int(at_line["column"])):
                return nodes
    ids = [f"{repository}:{file}" for repository, file in exact or files]
    if separator or at_line:
        qualname = re.sub(r"#\d+$", "", qualname)
        # A file of exactly this path comes first, though another one may hold the definition.
        chosen = (_find_inside(reader, some, qualname, line) for some in (exact, files))
        ids = next(filter(None, chosen), [])
    if not ids and not separator and not at_line and "/" in wanted:
        ids = folders
    return load_nodes(reader.store, ids)


def _files_at(reader: CodeReader, path: str, repositories: Sequence[str]) -> list[tuple[str, str]]:
    return reader.files_ending(path, repositories) if path and repositories else []


def _find_inside(reader: CodeReader, files: Sequence[tuple[str, str]], qualname: str, line: int) -> list[str]:
    return [id_ for file in files for id_ in _in_file(reader, *file, qualname, line)]


def _in_file(reader: CodeReader, repository: str, path: str, qualname: str, line: int) -> list[str]:
    inside = reader.inside(repository, path)
    if qualname:
        return [item.id for item in inside if item.qualname == qualname]
    around = [item for item in inside if item.start_line <= line <= item.end_line]
    return [min(around, key=lambda item: item.end_line - item.start_line).id if around else f"{repository}:{path}"]


def _by_name(reader: CodeReader, wanted: str, repositories: Sequence[str]) -> list[Node]:
    names = name_parts(wanted)
    if not names:
        return []
    # Thousands of methods can have one short name, such as that of a constructor.
    qualified = reader.qualified(names[-2], names[-1], repositories) if len(names) > 1 else []
    if qualified and (found := _select(reader, names, qualified, repositories, str)):
        return found
    named = reader.named([names[-1]], repositories)
    found = _select(reader, names, named, repositories, str)
    # Type declarations and helpers of tests may have the name of an unnamed export.
    if any(not item.is_test and not item.path.endswith(_DECLARATIONS) for item in named):
        return found
    return [*_default_exports(reader, names, repositories), *found]


def _default_exports(reader: CodeReader, names: tuple[str, ...], repositories: Sequence[str]) -> list[Node]:
    """Find the unnamed export of a file by the name of the file: `isStream` for `is-stream.js`."""
    wanted = names[0].lower()
    exported = reader.named(DEFAULT_EXPORTS, repositories) if len(names) == 1 else []
    stems = ((item, re.sub(r"[-_.]", "", item.path.rpartition("/")[2].rpartition(".")[0]).lower()) for item in exported)
    return load_nodes(reader.store, [item.id for item, stem in stems if stem == wanted and not item.is_test])


def _inherited(reader: CodeReader, wanted: str, repositories: Sequence[str]) -> list[Node]:
    """Find the member that a class inherits under this name, in the nearest base class that defines the member."""
    *outer, name = name_parts(wanted) or ("",)
    classes = [node.id for node in _by_name(reader, ".".join(outer), repositories) if "Class" in node.labels]
    for _ in range(_MAX_BASES):
        bases = [edge.end for edge in reader.bases(classes)]
        members = [
            item for base in bases for item in reader.members(base) if item.qualname == f"{base.qualname}.{name}"
        ]
        if members or not bases:
            return load_nodes(reader.store, (item.id for item in members))
        classes = [base.id for base in bases]
    return []


def _ignoring_case(reader: CodeReader, wanted: str, repositories: Sequence[str]) -> list[Node]:
    names = tuple(part.lower() for part in name_parts(wanted))
    if not names:
        return []
    return _select(reader, names, reader.spelled([names[-1]], repositories), repositories, str.lower)


def _select(
    reader: CodeReader,
    names: tuple[str, ...],
    named: Sequence[DefinitionRecord],
    repositories: Sequence[str],
    fold: Callable[[str], str],
) -> list[Node]:
    """Select the definitions and modules with these last parts; without any, the definitions with all parts in order."""
    count = len(names)
    modules = reader.modules_named(names[-1], repositories)
    folded = {item.id: tuple(map(fold, (bare_id(item.repository), *item.segments))) for item in (*named, *modules)}
    chosen = [item for item in named if folded[item.id][-count:] == names]
    chosen += [
        item
        for item in modules
        if folded[item.id][-count:] == names or tuple(map(fold, name_parts(item.name)))[-count:] == names
    ]
    chosen = chosen or [item for item in named if matches_qualname(folded[item.id], names)]
    chosen.sort(key=lambda item: (item.is_test, item.label == "Module", -item.calls_in - item.importance, item.id))
    return load_nodes(reader.store, (item.id for item in chosen))


def _variable(reader: CodeReader, wanted: str, repositories: Sequence[str]) -> list[Node]:
    """Find the constants and fields with these last parts, of path and qualified name."""
    names = name_parts(wanted)
    if not names:
        return []
    rows = reader.store.execute_named("variables_named", repositories=list(repositories), name=names[-1]).rows
    nodes = [row[0] for row in rows if isinstance(row[0], Node)]
    count = len(names)
    return [node for node in nodes if any(parts[-count:] == names for parts in _variable_parts(node))]


def _variable_parts(node: Node) -> Iterable[tuple[str, ...]]:
    """Yield the parts of path and qualified name, without and with the suffix of the file."""
    path = _text(node, "path")
    for place in (path.rpartition(".")[0], path):
        yield name_parts(f"{place}.{_text(node, 'qualname')}")


def _external(reader: CodeReader, wanted: str, repositories: Sequence[str]) -> list[Node]:
    rows = reader.store.execute_named(
        "externals_named", repositories=list(repositories), qualname=wanted, suffix=f".{wanted}"
    ).rows
    return [row[0] for row in rows if isinstance(row[0], Node)]


_COMPARISONS: Sequence[tuple[NameMatch, Callable[[CodeReader, str, Sequence[str]], list[Node]]]] = (
    (NameMatch.PATH, _by_path),
    (NameMatch.NAME, _by_name),
    (NameMatch.INHERITED, _inherited),
    (NameMatch.VARIABLE, _variable),
    (NameMatch.CASE, _ignoring_case),
    (NameMatch.EXTERNAL, _external),
)


def find_nearest(reader: CodeReader, name: str, repositories: Sequence[str]) -> tuple[str, ...]:
    """Return the names that differ from one by a typing error, nearest first: qualified ones for a qualified name, paths for a path."""
    parts = name_parts(clean_name(name))
    if not parts:
        return ()
    if "/" in name and "::" not in name:
        return find_nearest_paths(name, (path for _, path in reader.files_ending("", repositories)))
    rows = reader.store.execute_named("definition_names", repositories=list(repositories)).rows
    spellings: dict[str, list[str]] = {}
    for row in rows:
        spellings.setdefault(str(row[0]).lower(), []).append(str(row[0]))
    last = [name for one in _close(parts[-1].lower(), spellings) for name in sorted(spellings[one])]
    if len(parts) == 1:
        return tuple(last[:_MAX_NEAREST])
    qualified = sorted({item.qualname for item in reader.named(last, repositories)} - {""})
    wanted = ".".join(parts[-2:])
    return tuple(
        difflib.get_close_matches(wanted, qualified, _MAX_NEAREST, cutoff=_MIN_SIMILARITY) or last[:_MAX_NEAREST]
    )


def find_nearest_paths(path: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the paths that differ from one by a typing error, nearest first."""
    return tuple(difflib.get_close_matches(path, sorted(set(known)), _MAX_NEAREST, cutoff=_MIN_SIMILARITY))


def _close(wanted: str, names: Iterable[str]) -> list[str]:
    """Return similar names; a name of very different length cannot be one, and comparing all would be slow."""
    slack = max(2, len(wanted) // 3)
    likely = [name for name in names if abs(len(name) - len(wanted)) <= slack]
    return difflib.get_close_matches(wanted, likely, _MAX_NEAREST, cutoff=_MIN_SIMILARITY)


def subject_key(node: Node) -> tuple[str, str, str]:
    """Return the repository, path and qualified name that the overloads of one thing share; the id of a node without both."""
    qualname, path = _text(node, "qualname"), _text(node, "path")
    return _text(node, "repository"), path, qualname or ("" if path else node.id)


def _text(node: Node, name: str) -> str:
    return get_str(node.properties.get(name))


def _relative(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./").strip("/")


_POSITION_WORD: Final = re.compile(r"[\w$#@]+")


def find_at_position(reader: CodeReader, repository: str, path: str, line: int, column: int) -> list[Node]:
    """Find what the word at a position (1-based) refers to: targets on its line, otherwise the definition of that name there."""
    lines = split_lines(reader.text(repository, path))
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    word = next((found[0] for found in _POSITION_WORD.finditer(text) if found.start() < column <= found.end()), "")
    if not word:
        return []
    around = [item for item in reader.inside(repository, path) if item.start_line <= line <= item.end_line]
    starts = [f"{repository}:{path}", *(item.id for item in around)]
    found = {node.id: node for kind in USE_KINDS for node in _targets(reader, starts, kind, line, word)}
    if found:  # A call of a class means the class, not also its constructor.
        return [node for node in found.values() if node.id.partition("(")[0].rpartition(".")[0] not in found]
    rows = reader.store.execute_named("variables_named", repositories=[repository], name=word).rows
    own = [row[0] for row in rows if isinstance(row[0], Node) and _place_of(row[0]) == (path, line)]
    named = [item.id for item in around if item.name == word][-1:]
    return own or load_nodes(reader.store, named)


def _place_of(node: Node) -> tuple[str, int]:
    return _text(node, "path"), get_int(node.properties.get("start_line"))


def _targets(reader: CodeReader, starts: list[str], kind: str, line: int, word: str) -> Iterator[Node]:
    """Yield the targets of one kind that are reached on a line and have the name; a constructor also has its class's."""
    for hop in expand(reader.store, starts, kind, outgoing=True):
        names = get_str(hop.other.properties.get("qualname") or hop.other.properties.get("name")).split(".")
        is_constructor = hop.other.properties.get("kind") == "constructor"
        is_named = word == names[-1] or (is_constructor and word in names[-2:])
        if is_named and line in get_int_list(hop.relation.properties.get("lines")):
            yield hop.other
