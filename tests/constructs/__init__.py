"""Construct grids: programs of a few lines for every node kind of a grammar, with their true call edges and edges that must not be.

`LANGUAGE.txt` holds the programs. A header `--- KINDS : PATH` names the kinds of the grammar that the program is about, and how the
callee gets to the call; then come the source, or several files below `--- NAME`, and the edges: `> caller -> callee` for all that
may run inside the program, `! caller -> callee` for some that must not. A line `? REASON` marks a known fault. A definition of
`main` has its name, another `FILE:NAME`; `.` is the module. `LANGUAGE.tsv` holds every named node kind of the grammar, with the
reason where none of its programs is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.model.call_views import NOT_RUN
from repoquarry.ingest.resolution import resolve
from repoquarry.languages import registry

HERE = Path(__file__).parent
PATHS = frozenset(
    (
        "alias", "class", "closure", "container", "decorator", "default", "descriptor", "direct", "field", "handler", "implicit",
        "import", "inheritance", "mixin", "narrowing", "overload", "parameter", "reflection", "return", "super", "wrapper",
    )
)  # fmt: skip
_HEADER = re.compile(r"^--- ([\w ]+) : (\w+)\n", re.MULTILINE)
_FILE = re.compile(r"^--- (\S+)\n", re.MULTILINE)
_FAULT = re.compile(r"^\? (.+)\n", re.MULTILINE)
_EDGE = re.compile(r"^([>!]) (\S+) -> (\S+)\n", re.MULTILINE)
Edge = tuple[str, str]


@dataclass(frozen=True)
class Program:
    title: str
    kinds: tuple[str, ...]
    path: str
    files: Mapping[str, str]
    """Text by name."""
    edges: frozenset[Edge]
    """All calls that may run within the program."""
    absent: frozenset[Edge]
    """Calls that must not be found."""
    fault: str
    """Known fault; empty for none."""


def load_programs(language: str, suffix: str) -> list[Program]:
    """Load the programs of a language."""
    _, *parts = _HEADER.split((HERE / f"{language}.txt").read_text(encoding="utf-8"))
    programs = []
    for number, (kinds, path, body) in enumerate(zip(parts[::3], parts[1::3], parts[2::3], strict=True), 1):
        edges = {mark: {(a, b) for one, a, b in _EDGE.findall(body) if one == mark} for mark in ">!"}
        fault = next(iter(_FAULT.findall(body)), "")
        first, *files = _FILE.split(_FAULT.sub("", _EDGE.sub("", body)))
        texts = dict(zip(files[::2], files[1::2], strict=True)) or {f"main{suffix}": first}
        if suffix == ".java":  # a package each, so that names do not meet
            texts = {name: f"package p{number}; {text}" for name, text in texts.items()}
        title = f"{number} {kinds} : {path}"
        found = frozenset(edges[">"]), frozenset(edges["!"])
        programs.append(Program(title, tuple(kinds.split()), path, texts, *found, fault))
    return programs


def find_edges(programs: Sequence[Program], suffix: str) -> Iterator[set[Edge]]:
    """Yield what may run within each program, as one resolution of all of them finds it."""
    paths = {f"p{number}/{name}": (number, name) for number, one in enumerate(programs) for name in one.files}
    files = []
    for path in sorted(paths):
        number, name = paths[path]
        files.append(registry.language_for(path).extract(path, programs[number].files[name].encode()))
        assert not files[-1].parse_errors, (programs[number].title, files[-1].parse_errors)
    found = resolve(files, roots=[f"p{number}" for number in range(len(programs))])
    edges: list[set[Edge]] = [set() for _ in programs]

    def name_of(symbol: int) -> tuple[int, str]:
        path, key = found.symbols[symbol].path, found.symbols[symbol].key or "."
        number, name = paths[path]
        return number, key if name == f"main{suffix}" else f"{name}:{key}"

    for edge in found.calls:
        if edge.callee >= 0 and edge.how not in NOT_RUN:
            (number, caller), (other, callee) = name_of(edge.caller), name_of(edge.callee)
            edges[number].add((caller, callee if other == number else f"{other}/{callee}"))
    yield from edges
