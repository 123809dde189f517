"""References from test clients to the handlers of routes: `client.get("/items/3")` in a test names the handler of `/items/{id}`.

A path matches the route with the most of its own segments at the end of the path, since prefixes of routers are not known. Where
handlers of several routes match alike, there is no reference.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from repoquarry.ingest.resolution.kernel_input import is_test_file
from repoquarry.ingest.resolution.model import EntryPoint, Numbers, ReferenceEdge
from repoquarry.languages import constraints as op
from repoquarry.languages.facts import FileFacts

ROUTE: Final = "route"
"""Kind of entry point of a handler, and `how` of the references to it."""
_METHODS: Final = frozenset(("get", "post", "put", "patch", "delete", "head", "options"))
_METHOD = re.compile(r"[.@](get|post|put|patch|delete|head|options)(?:_?mapping)?\b", re.IGNORECASE)
_QUOTED = re.compile(r"""(["'`])(?P<path>[^"'`]*)\1""")
_VARIABLE = re.compile(r"\{[^}]*\}|<[^>]*>|:\w+|\*+")
_UNREADABLE = re.compile(r"[(^$\\]")


class Route(NamedTuple):
    """A route: its handler, its method if the text states one, and its segments; None stands for a variable one."""

    handler: int
    method: str
    segments: tuple[str | None, ...]


def find_route_references(files: Sequence[FileFacts], entry_points: Sequence[EntryPoint]) -> list[ReferenceEdge]:
    """Find references from calls of test clients; symbols are numbered as in `Resolution`."""
    routes = [route for one in entry_points if one.kind == ROUTE and (route := _read_route(one)) is not None]
    lines: dict[tuple[int, int], list[int]] = defaultdict(list)
    start = 0
    for facts in files:
        for owner, method, path, line in _list_requests(facts) if routes and is_test_file(facts) else ():
            for handler in _match(routes, method, path):
                lines[start + 1 + owner, handler].append(line)
        start += 1 + len(facts.definitions)
    return [
        ReferenceEdge(source, target, len(own), tuple(sorted(own)), ROUTE)
        for (source, target), own in sorted(lines.items())
    ]


def _read_route(entry: EntryPoint) -> Route | None:
    quoted, method = _QUOTED.search(entry.name), _METHOD.search(entry.name)
    path = quoted["path"] if quoted is not None else entry.name
    if _UNREADABLE.search(path) or (quoted is None and "/" not in path):
        return None
    segments = tuple(None if _VARIABLE.fullmatch(one) else one for one in _split(path))
    return Route(entry.target, method[1].lower() if method is not None and quoted is not None else "", segments)


def _split(path: str) -> list[str]:
    return [one for one in path.partition("?")[0].partition("#")[0].split("/") if one]


def _list_requests(facts: FileFacts) -> Iterator[tuple[int, str, str, int]]:
    """Yield (definition, method, path, line) of calls such as `x.get("/path")`."""
    code, first = np.frombuffer(facts.graph.code, dtype=np.int32), np.frombuffer(facts.graph.first, dtype=np.int32)
    symbols = facts.graph.symbols.texts()
    calls = [at for at in np.frombuffer(facts.graph.roots, dtype=np.int32).tolist() if code[at] == op.CALL]
    decorators = {int(first[code[at + 3]]) for at in calls if code[at + 6] & op.DECORATES}
    for offset in calls:
        if offset in decorators or _registers(facts, code, first, offset):
            continue
        if code[offset + 7] < 0 or code[offset + 8] < 1 or code[offset + 9] != op.POSITIONAL:
            continue
        method, given = symbols[code[offset + 7]], int(first[code[offset + 10]])
        if method not in _METHODS or given < 0 or code[given] != op.CONST or code[given + 3] < 0:
            continue
        text = symbols[code[given + 3]].strip("'")
        if text.startswith("/"):
            yield int(code[offset + 5]), method, text, int(code[offset + 4])


def _registers(facts: FileFacts, code: Numbers, first: Numbers, offset: int) -> bool:
    """Return whether a call of JavaScript has a second argument that may be a handler: it makes a route."""
    if facts.language == "python" or code[offset + 8] < 2:
        return False
    given = int(first[code[offset + 12]])
    return given >= 0 and code[given] not in (op.CONTAINER, op.CONST)


def _match(routes: Sequence[Route], method: str, path: str) -> set[int]:
    """Return the handlers of the route that matches best."""
    segments = _split(path)
    best, found = (0, False), set[int]()
    paths = set[tuple[str | None, ...]]()
    for route in routes:
        if route.method not in ("", method) or not _fits(route.segments, segments):
            continue
        score = sum(one is not None for one in route.segments), len(route.segments) == len(segments)
        if score < best or (score[0] == 0 and segments):
            continue
        if score > best:
            best, found, paths = score, set(), set()
        found.add(route.handler)
        paths.add(route.segments)
    return found if len(paths) == 1 and len(found) == 1 else set()


def _fits(route: Sequence[str | None], path: Sequence[str]) -> bool:
    """Return whether a route matches the end of a path; one without own segments matches only a complete path."""
    if len(route) > len(path):
        return False
    end = path[len(path) - len(route) :]
    return all(own is None or own == other for own, other in zip(route, end, strict=True))


def merge_references(found: list[ReferenceEdge], routes: list[ReferenceEdge]) -> list[ReferenceEdge]:
    """Add references to sorted ones."""
    if not routes:
        return found
    return sorted([*found, *routes], key=lambda one: (one.source, one.target, one.how))
