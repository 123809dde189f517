"""Call sites of a project in a SCIP index by scip-python (Pyright): read for `types.py`."""

import ast
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from os.path import normpath
from pathlib import Path
from typing import Any

from google.protobuf import message_factory, text_format
from google.protobuf.descriptor_pb2 import FileDescriptorProto

DEFINITION = 1
#: what calling a class may call
CONSTRUCTORS = ("__init__", "__new__", "__post_init__", "__call__")
Place = tuple[str, str]
"""Path and qualified name of a definition."""


@dataclass
class Site:
    path: str
    line: int
    name: str
    truth: frozenset[Place] | None = None
    """Empty: something outside the project; None: not known, or no definition."""


_SCHEMA = """
name: "scip.proto" syntax: "proto3"
message_type { name: "Index"
  field { name: "metadata" number: 1 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: "Metadata" }
  field { name: "documents" number: 2 label: LABEL_REPEATED type: TYPE_MESSAGE type_name: "Document" } }
message_type { name: "Metadata"
  field { name: "project_root" number: 3 label: LABEL_OPTIONAL type: TYPE_STRING } }
message_type { name: "Document"
  field { name: "relative_path" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING }
  field { name: "occurrences" number: 2 label: LABEL_REPEATED type: TYPE_MESSAGE type_name: "Occurrence" } }
message_type { name: "Occurrence"
  field { name: "range" number: 1 label: LABEL_REPEATED type: TYPE_INT32 }
  field { name: "symbol" number: 2 label: LABEL_OPTIONAL type: TYPE_STRING }
  field { name: "symbol_roles" number: 3 label: LABEL_OPTIONAL type: TYPE_INT32 } }
"""
"""The part of scip.proto that is read here."""


def _read_index(index: Path) -> Any:
    schema = text_format.Parse(_SCHEMA, FileDescriptorProto())
    return message_factory.GetMessages([schema])["Index"].FromString(index.read_bytes())


def occurrences(project: Path, index: Path) -> Iterator[tuple[str, int, int, str, bool]]:
    """(path, line, end column, symbol, whether it is defined there) of every name in an index."""
    read = _read_index(index)
    for document in read.documents:
        path = normpath(_from_top(project, read.metadata.project_root, document.relative_path))
        for one in document.occurrences:
            if len(one.range) > 2:
                line = one.range[0] if len(one.range) == 3 else one.range[2]
                scoped = f"{path} {one.symbol}" if one.symbol.startswith("local ") else one.symbol
                yield path, line + 1, one.range[-1], scoped, bool(one.symbol_roles & DEFINITION)


def _from_top(project: Path, root: str, path: str) -> str:
    """A path of the project for one that counts from the folder that was indexed (`--target-only`)."""
    parts = root.split("/")
    ends = ("/".join([*parts[at:], path]) for at in range(len(parts), 0, -1))
    return next((end for end in ends if (project / end).is_file()), path)


def sites(path: str, source: bytes) -> Iterator[tuple[Site, int]]:
    """The calls of a file, and the column where the called name ends."""
    lines = source.split(b"\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            line, column = node.func.end_lineno or 0, node.func.end_col_offset or 0
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            yield Site(path, line, name), len(lines[line - 1][:column].decode())


def known_sites(project: Path, index: Path, places: dict[tuple[str, int], Place]) -> list[Site]:
    """All calls of the indexed files with the checker's answers."""
    defined: dict[str, set[Place]] = defaultdict(set)
    used: dict[tuple[str, int, int], str] = {}
    paths, known = set(), set()
    for path, line, column, symbol, is_definition in occurrences(project, index):
        paths.add(path)
        if is_definition:
            known.add(symbol)
            if (path, line) in places and _named(symbol, places[path, line]):
                defined[symbol].add(places[path, line])
        else:
            used[path, line, column] = symbol
    out = []
    for path in sorted(paths):
        try:
            found = list(sites(path, (project / path).read_bytes()))
        except (SyntaxError, UnicodeDecodeError):
            continue
        for site, column in found:
            symbol = used.get((path, site.line, column), "")
            if symbol in defined:
                site.truth = frozenset(one for one in defined[symbol] if written_as(one) == site.name) or None
            elif symbol not in known and symbol.endswith(("().", "#")) and not _is_mistaken(site, symbol):
                site.truth = frozenset()
            out.append(site)
    return out


def _is_mistaken(site: Site, symbol: str) -> bool:
    """Return whether the index takes `x.set()` or an imported `Warning()` for the built-in, as it does, or a property for its value."""
    return site.name == "__class__" or symbol.endswith(f"builtins/{site.name}#")


def written_as(place: Place) -> str:
    """The name that a call of the definition is written with."""
    parts = place[1].split(".")
    return parts[-2] if len(parts) > 1 and parts[-1] in CONSTRUCTORS else parts[-1]


def _named(symbol: str, place: Place) -> bool:
    """Return whether a symbol is that of the definition on its line, not of another one there."""
    name = place[1].rpartition(".")[2]
    return symbol.rpartition(" ")[0].endswith(" local") or symbol.endswith(
        (f"{name}().", f"{name}#", f"`{name}`().", f"`{name}`#")
    )
