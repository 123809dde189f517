"""Library of named Cypher queries: loads and checks the shipped ones in `library/TOPIC/NAME.cypher` and those in a folder of the user.

Internal queries are in `named/NAME.cypher`. They use portable Cypher only (docs/reference/cypher.md): paths are bounded, and every ORDER
BY ends in an id, so that two engines give the same rows in the same order. Many have a UNION that looks ids up under each label, because
uniqueness and the index are per label. Queries take many ids at once: a round trip per node would be slow on a server.

A file is a query below a header of `//` lines: one line of purpose, `// rule` if every row is a violation, and one line for each
parameter, `// $NAME: KIND = DEFAULT; MEANING`, with the default as JSON and without ` = DEFAULT` if the parameter is required.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from repoquarry.graphstore.errors import NotFoundError, QueryRefusedError
from repoquarry.graphstore.model.schema import RELATIONSHIP_TYPES, RelationshipType
from repoquarry.graphstore.model.values import Value

_SHIPPED = Path(__file__).parent / "library"
INTERNAL_QUERIES = Path(__file__).parent / "named"
_PARAMETER = re.compile(r"\$(?P<name>\w+): (?P<kind>\w+)(?: = (?P<default>.+?))?; (?P<meaning>.+)")
_USED = re.compile(r"\$(\w+)")
_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "float": (float, int),
    "boolean": (bool,),
    "list": (list,),
}


@dataclass(frozen=True)
class QueryParameter:
    """Parameter of a named query; `default` is JSON, None if a value is required."""

    name: str
    kind: str
    meaning: str
    default: str | None = None

    def accepts(self, value: Value) -> bool:
        """Return whether the value has the declared kind."""
        return isinstance(value, _KINDS[self.kind]) and (self.kind == "boolean" or not isinstance(value, bool))


@dataclass(frozen=True)
class LibraryQuery:
    """Named query. `text` has no header; every row of a rule is a violation."""

    name: str
    topic: str
    purpose: str
    text: str
    parameters: tuple[QueryParameter, ...]
    is_rule: bool

    def bind(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """Return all parameters, with defaults for missing ones. Raises: QueryRefusedError."""
        known = {parameter.name: parameter for parameter in self.parameters}
        bound: dict[str, Value] = {name: json.loads(p.default) for name, p in known.items() if p.default is not None}
        bound.update(values)
        for name, value in bound.items():
            if name not in known:
                listed = ", ".join(f"${each}" for each in known) or "none"
                raise _bad_parameter(f"{self.name} has no parameter ${name}; it has {listed}")
            if not known[name].accepts(value):
                raise _bad_parameter(f"{self.name}: invalid value {value!r} of ${name}; expected a {known[name].kind}")
        if missing := known.keys() - bound.keys():
            needed = "; ".join(f"${p.name}, {p.meaning}" for p in self.parameters if p.name in missing)
            raise _bad_parameter(f"{self.name} needs {needed}")
        return bound


class QueryLibrary:
    """Named queries by name. A query of one's own replaces the shipped one of the same name."""

    def __init__(self, folder: Path | None = None) -> None:
        own = {query.name: query for query in read_query_folder(folder)} if folder is not None else {}
        self.queries: Mapping[str, LibraryQuery] = dict(
            sorted({**_load_shipped(), **own}.items(), key=lambda item: (item[1].topic, item[0]))
        )

    def require(self, name: str) -> LibraryQuery:
        """Return the query of a name. Raises: NotFoundError with similar names."""
        if (query := self.queries.get(name)) is not None:
            return query
        near = tuple(difflib.get_close_matches(name, self.queries, 5, cutoff=0.4))
        hint = f"nearest: {', '.join(near)}" if near else "`repoquarry queries` lists all"
        raise NotFoundError(f"no named query {name!r}; {hint}", kind="query", value=name, nearest=near)


@lru_cache(maxsize=1)
def _load_shipped() -> Mapping[str, LibraryQuery]:
    return {query.name: query for query in read_query_folder(_SHIPPED)}


@cache
def load_internal_query(name: str) -> LibraryQuery:
    """Load one of the product's own queries. Raises: NotFoundError."""
    kind, _, direction = name.rpartition("_")
    if direction in ("in", "out") and kind.upper() in RELATIONSHIP_TYPES:
        return _build_relation_query(RELATIONSHIP_TYPES[kind.upper()], outgoing=direction == "out")
    return read_query_file(INTERNAL_QUERIES / f"{name}.cypher")


def relation_query(kind: str, *, outgoing: bool) -> str:
    """Return the name of the query that follows this type of relationship; Cypher has no parameter for a type."""
    return f"{kind.lower()}_{'out' if outgoing else 'in'}"


def _build_relation_query(kind: RelationshipType, *, outgoing: bool) -> LibraryQuery:
    pattern = f"(a:LABEL {{id: id}})-[r:{kind.name}]->(b)" if outgoing else f"(b)-[r:{kind.name}]->(a:LABEL {{id: id}})"
    arm = f"UNWIND $ids AS id MATCH {pattern} RETURN a.id AS known, r AS relation, b AS other"
    text = "\nUNION ALL\n".join(arm.replace("LABEL", label) for label in (kind.start if outgoing else kind.end))
    ids = QueryParameter("ids", "list", "ids of the nodes")
    return LibraryQuery(
        relation_query(kind.name, outgoing=outgoing), "named", kind.meaning, text, (ids,), is_rule=False
    )


def read_query_folder(folder: Path) -> Iterator[LibraryQuery]:
    """Yield the queries of all `*.cypher` files below a folder. Raises: NotFoundError, QueryRefusedError."""
    if not folder.is_dir():
        raise NotFoundError(f"no folder of named queries at {folder}", kind="path", value=str(folder))
    for path in sorted(folder.rglob("*.cypher")):
        yield read_query_file(path)


def read_query_file(path: Path) -> LibraryQuery:
    """Read one query; the topic is the name of the file's folder. Raises: NotFoundError, QueryRefusedError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as exc:
        raise NotFoundError(f"{path} cannot be read: {exc.strerror}", kind="path", value=str(path)) from exc
    except UnicodeDecodeError as exc:
        raise _invalid(path, 1, "not UTF-8") from exc
    size = next((n for n, line in enumerate(lines) if not line.startswith("//")), len(lines))
    header = [line.removeprefix("//").strip() for line in lines[:size]]
    text = "\n".join(lines[size:]).strip()
    if not header or not header[0] or not text:
        raise _invalid(path, 1, "needs a header of // lines that begins with its purpose, and a query")
    parameters: list[QueryParameter] = []
    for number, line in enumerate(header[1:], 2):
        if line.startswith("$"):
            parameters.append(_parse_parameter(path, number, line))
        elif line and line != "rule":
            raise _invalid(path, number, f"invalid header line {line!r}; expected `rule` or a parameter")
    if undeclared := set(_USED.findall(text)) ^ {parameter.name for parameter in parameters}:
        raise _invalid(path, 1, f"declared and used parameters differ: {', '.join(sorted(undeclared))}")
    return LibraryQuery(path.stem, path.parent.name, header[0], text, tuple(parameters), "rule" in header)


def _parse_parameter(path: Path, number: int, line: str) -> QueryParameter:
    found = _PARAMETER.fullmatch(line)
    if found is None or found["kind"] not in _KINDS:
        expected = f"`$NAME: KIND = DEFAULT; MEANING` with a kind of {', '.join(_KINDS)}"
        raise _invalid(path, number, f"invalid parameter {line!r}; expected {expected}")
    parameter = QueryParameter(found["name"], found["kind"], found["meaning"], found["default"])
    if parameter.default is not None:
        try:
            is_valid = parameter.accepts(json.loads(parameter.default))
        except json.JSONDecodeError:
            is_valid = False
        if not is_valid:
            raise _invalid(path, number, f"invalid default {parameter.default}; expected a {parameter.kind} as JSON")
    return parameter


def _invalid(path: Path, line: int, message: str) -> QueryRefusedError:
    return QueryRefusedError(f"{path}:{line}: {message}", reason="query_file_invalid", line=line)


def _bad_parameter(message: str) -> QueryRefusedError:
    return QueryRefusedError(message, reason="bad_parameter")
