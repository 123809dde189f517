"""Writer of a repository's definitions, calls, references, bases and overrides as a SCIP index, one document at a time.

A place is where the text has the name; implicit calls and lambdas have none and are left out, as are edges that only may be.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import version
from typing import BinaryIO, NamedTuple

from repoquarry import v1 as pb
from repoquarry.graphstore.model.call_views import LIKELY, NOT_RUN, site_confidence
from repoquarry.ingest.scip import scip_pb2 as scip
from repoquarry.ingest.scip.symbols import CONSTRUCTORS, Descriptor, write_symbol
from repoquarry.server.api import Api
from repoquarry.server.graph_exports import ApiGraphSource

_PART = "a.repository = $repository AND a.id > $after AND a.id <= $until"
_DEFINITIONS = f"""
MATCH (a:{{label}}) WHERE {_PART}
RETURN a.id AS id, a.path AS path, a.qualname AS qualname, a.name AS name, a.start_line AS start, a.end_line AS end
"""
_USES = f"""
MATCH (a:{{label}})-[r:CALLS|REFERENCES]->(b) WHERE {_PART} AND (b:Function OR b:Class) AND b.repository = $repository
RETURN a.path AS path, b.id AS id, type(r) AS type, r.lines AS lines, r.how AS how, r.targets AS targets, r.confidence AS confidence
"""
_BASES = f"""
MATCH (a:{{label}})-[r:INHERITS|OVERRIDES]->(b) WHERE {_PART} AND b.repository = $repository RETURN a.id AS id, b.id AS other
"""


class _Definition(NamedTuple):
    path: str
    qualname: str
    name: str
    start: int
    end: int
    label: str

    @property
    def written(self) -> str:
        """Name that a use of it has in the text."""
        parts = self.qualname.split(".")
        return parts[-2] if self.name in CONSTRUCTORS and len(parts) > 1 else self.name


class ScipSummary(NamedTuple):
    documents: int
    occurrences: int
    without_place: int
    """Uses whose line does not have the name."""


class _IndexWriter:
    def __init__(self, api: Api, repository: str, commit: str) -> None:
        self._api = api
        self._repository = repository
        self._commit = commit
        self._graph = ApiGraphSource(api, repository)
        self._definitions = dict(self._read_definitions())
        self._symbols = {id_: self._symbol(one) for id_, one in self._definitions.items()}

    def _read_definitions(self) -> Iterator[tuple[str, _Definition]]:
        for label in ("Class", "Function"):
            for id_, *found in self._graph.rows_of(label, _DEFINITIONS.format(label=label), "id"):
                path, qualname, name, start, end = found
                yield id_, _Definition(path, qualname, name, start, end, label)

    def _symbol(self, one: _Definition) -> str:
        """Return the symbol: the file as a namespace, then the qualified name, where all but functions are types."""
        parts = one.qualname.split(".")
        last = Descriptor(parts[-1], "#" if one.label == "Class" else "()")
        path = [Descriptor(one.path, "/"), *(Descriptor(part, "#") for part in parts[:-1]), last]
        return write_symbol(self._repository, self._commit, path)

    def write(self, target: BinaryIO) -> ScipSummary:
        tool = scip.ToolInfo(name="repoquarry", version=version("repoquarry"))
        metadata = scip.Metadata(tool_info=tool, project_root="file:///", text_document_encoding=scip.UTF8)
        target.write(scip.Index(metadata=metadata).SerializeToString())
        uses, bases = self._uses_by_path(), self._bases()
        owned: dict[str, list[str]] = defaultdict(list)
        for id_, one in self._definitions.items():
            owned[one.path].append(id_)
        occurrences = without = 0
        for path in sorted(owned.keys() | uses.keys()):
            document = scip.Document(
                relative_path=path, position_encoding=scip.PositionEncoding.UTF32CodeUnitOffsetFromLineStart
            )
            without += self._add_occurrences(document, owned[path], uses[path])
            for id_ in owned[path]:
                document.symbols.append(self._information(id_, bases.get(id_, ())))
            occurrences += len(document.occurrences)
            # Encoded messages in a row are one message, so the whole index is never in memory.
            target.write(scip.Index(documents=[document]).SerializeToString())
        return ScipSummary(len(owned.keys() | uses.keys()), occurrences, without)

    def _uses_by_path(self) -> dict[str, set[tuple[int, str, bool]]]:
        """Return line, used definition and whether it is called, by path."""
        found: dict[str, set[tuple[int, str, bool]]] = defaultdict(set)
        for label in ("Function", "Class", "Module"):
            query = _USES.format(label=label)
            for path, id_, kind, lines, how, targets, confidence in self._graph.rows_of(label, query, "id, type"):
                if kind == "CALLS" and (how in NOT_RUN or site_confidence(how, targets, confidence) < LIKELY):
                    continue
                found[path].update((line, id_, kind == "CALLS") for line in lines)
        return found

    def _bases(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for label in ("Class", "Function"):
            for id_, other in self._graph.rows_of(label, _BASES.format(label=label), "other"):
                if other in self._symbols:
                    found[id_].append(other)
        return found

    def _add_occurrences(self, document: scip.Document, owned: list[str], uses: set[tuple[int, str, bool]]) -> int:
        """Add definitions and uses of one file; return the number of uses without a place."""
        lines, without = self._lines(document.relative_path), 0
        found: set[tuple[int, int, int, str, int]] = set()
        for id_ in owned:
            one = self._definitions[id_]
            place = _place_of_definition(lines, one)
            if place is not None:
                found.add((*place, self._symbols[id_], scip.SymbolRole.Definition))
        for line, id_, is_call in uses:
            word = self._definitions[id_].written
            places = _places(lines, line, word, is_call=is_call)
            without += not places
            found.update((line - 1, start, start + len(word), self._symbols[id_], 0) for start in places)
        taken = {(row, start) for row, start, _, _, role in found if role}
        for row, start, end, symbol, role in sorted(found):
            if role or (row, start) not in taken:
                document.occurrences.add(range=[row, start, end], symbol=symbol, symbol_roles=role)
        return without

    def _lines(self, path: str) -> list[str]:
        text, start = [], 1
        while True:
            request = pb.ReadSourceRequest(repository=f"repositories/{self._repository}", path=path, start_line=start)
            answer = self._api.code.read_source(request)
            text.append(answer.text)
            if not answer.truncated or answer.end_line < start:
                return "\n".join(text).split("\n")
            start = answer.end_line + 1

    def _information(self, id_: str, bases: list[str] | tuple[()]) -> scip.SymbolInformation:
        one = self._definitions[id_]
        kinds = scip.SymbolInformation
        kind = kinds.Class if one.label == "Class" else kinds.Method if "." in one.qualname else kinds.Function
        related = [
            scip.Relationship(symbol=self._symbols[base], is_implementation=True, is_reference=one.label == "Function")
            for base in sorted(bases)
        ]
        return scip.SymbolInformation(
            symbol=self._symbols[id_], kind=kind, display_name=one.name, relationships=related
        )


def _place_of_definition(lines: list[str], one: _Definition) -> tuple[int, int, int] | None:
    """Return row and columns of the name in its head; None for a lambda."""
    pattern = re.compile(rf"(?<!\w){re.escape(one.name)}(?!\w)")
    for row in range(one.start - 1, min(one.end, len(lines))):
        if not lines[row].lstrip().startswith("@") and (found := pattern.search(lines[row])):
            return row, found.start(), found.end()
    return None


def _places(lines: list[str], line: int, word: str, *, is_call: bool) -> list[int]:
    """Return the columns at which a line has a word; of calls only those in front of a bracket, if there are any."""
    if not 0 < line <= len(lines):
        return []
    found = list(re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", lines[line - 1]))
    called = [one for one in found if is_call and lines[line - 1][one.end() :].lstrip().startswith("(")]
    return [one.start() for one in called or found]


def write_scip(api: Api, repository: str, commit: str, target: BinaryIO) -> ScipSummary:
    """Write the index of a repository. Raises: the errors of `Api`."""
    return _IndexWriter(api, repository, commit).write(target)
