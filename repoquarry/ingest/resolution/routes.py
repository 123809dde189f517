"""References from test clients to the handlers of routes: `client.get("/items/3")` in a test names the handler of `/items/{id}`.

A path matches the route with the most of its own segments at the end of the path, since prefixes of routers are not known. Where
handlers of several routes match alike, there is no reference.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
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
    match = RouteMatcher(routes).match
    lines: dict[tuple[int, int], list[int]] = defaultdict(list)
    start = 0
    for facts in files:
        for owner, method, path, line in _list_requests(facts) if routes and is_test_file(facts) else ():
            for handler in match(method, path):
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
    symbols = facts.graph.symbols.texts()
    methods = [number for number, text in enumerate(symbols) if text in _METHODS]
    if not methods:
        return
    code, first = np.frombuffer(facts.graph.code, dtype=np.int32), np.frombuffer(facts.graph.first, dtype=np.int32)
    roots = np.frombuffer(facts.graph.roots, dtype=np.int32)
    calls = roots[code[roots] == op.CALL]
    decorating = calls[code[calls + 6] & op.DECORATES != 0]
    # Few calls have the name of a method: all others are left out at once.
    named = calls[np.isin(code[calls + 7], methods) & (code[calls + 8] > 0)]
    for offset in named[~np.isin(named, first[code[decorating + 3]])].tolist():
        if code[offset + 9] != op.POSITIONAL or _registers(facts, code, first, offset):
            continue
        given = int(first[code[offset + 10]])
        if given < 0 or code[given] != op.CONST or code[given + 3] < 0:
            continue
        text = symbols[code[given + 3]].strip("'")
        if text.startswith("/"):
            yield int(code[offset + 5]), symbols[code[offset + 7]], text, int(code[offset + 4])


def _registers(facts: FileFacts, code: Numbers, first: Numbers, offset: int) -> bool:
    """Return whether a call of JavaScript has a second argument that may be a handler: it makes a route."""
    if facts.language == "python" or code[offset + 8] < 2:
        return False
    given = int(first[code[offset + 12]])
    return given >= 0 and code[given] not in (op.CONTAINER, op.CONST)


class RouteMatcher:
    """Matcher of requests to handlers; a route can match only a path that ends in its last segment."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._by_end: dict[str | None, list[Route]] = defaultdict(list)
        for route in routes:
            self._by_end[route.segments[-1] if route.segments else None].append(route)
        self.match = cache(self._match)

    def _match(self, method: str, path: str) -> frozenset[int]:
        """Return the handlers of the route that matches best."""
        segments = _split(path)
        best, found = (0, False), set[int]()
        paths = set[tuple[str | None, ...]]()
        ends = (segments[-1], None) if segments else (None,)
        for route in chain.from_iterable(self._by_end.get(end, ()) for end in ends):
            if route.method not in ("", method) or not _fits(route.segments, segments):
                continue
            score = sum(one is not None for one in route.segments), len(route.segments) == len(segments)
            if score < best or (score[0] == 0 and segments):
                continue
            if score > best:
                best, found, paths = score, set(), set()
            found.add(route.handler)
            paths.add(route.segments)
        return frozenset(found) if len(paths) == 1 and len(found) == 1 else frozenset()


def _fits(route: Sequence[str | None], path: Sequence[str]) -> bool:
    """Return whether a route matches the end of a path; one without own segments matches only a complete path."""
    if len(route) > len(path):
        return False
    end = path[len(path) - len(route) :]
    return all(own is None or own == other for own, other in zip(route, end, strict=True))


def merge_references(found: list[ReferenceEdge], added: list[ReferenceEdge]) -> list[ReferenceEdge]:
    """Add references to sorted ones."""
    if not added:
        return found
    return sorted([*found, *added], key=lambda one: (one.source, one.target, one.how))
