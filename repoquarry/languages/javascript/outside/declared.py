"""The outside world as `stubs` declare it: sources in TypeScript that go through the language's own extractor.

Files directly in the folder declare what every file sees, those below `modules` what a package of their name has. Only what the kernel asks for is
taken from them: names, members, and what functions give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np

from repoquarry.languages.facts import Definition, FileFacts

FOLDER = Path(__file__).parent / "stubs"
_RESULT = re.compile(r"\):? ?(?P<name>[A-Za-z]\w*)(?:<[^|]*>)?(?P<array>(?:\[\])*)$")
_PLAIN = {"string": "String", "number": "Number", "boolean": "Boolean", "symbol": "Symbol", "bigint": "BigInt"}


@dataclass(slots=True)
class Declared:
    """Everything that the stubs say."""

    names: list[str] = field(default_factory=list)
    """What every file sees."""
    types: list[str] = field(default_factory=list)
    """Those of them that are classes, interfaces and namespaces."""
    members: dict[str, list[str]] = field(default_factory=dict)
    """Type -> names of what its instances have, inherited ones included."""
    results: dict[str, str] = field(default_factory=dict)
    """Function, below its type or its package -> type of what it gives, where that is one of `types`."""


@lru_cache(1)
def declared() -> Declared:
    """What the stubs declare."""
    found = Declared()
    sources = [(path, _facts(path)) for path in sorted(FOLDER.glob("*.d.ts"))]
    for _, facts in sources:
        found.names += facts.exports or ()
        found.types += [one.name for one in facts.definitions if one.kind == "class" and not one.parent]
    for _, facts in sources:
        found.members |= _members(facts)
        found.results |= dict(_results(facts, "", found.types))
    _inherit(found, [one for _, facts in sources for one in facts.definitions if one.bases])
    for path in sorted((FOLDER / "modules").glob("*.d.ts")):
        package = path.name.removesuffix(".d.ts")
        for prefix in (f"{package}.", f"node:{package}."):
            found.results |= dict(_results(_facts(path), prefix, found.types))
    return found


def _facts(path: Path) -> FileFacts:
    from repoquarry.languages.javascript import extract  # the extractor's own language is made with these tables

    return extract(path.name, path.read_bytes())


def _members(facts: FileFacts) -> dict[str, list[str]]:
    """Class -> names that its body binds."""
    out: dict[str, list[str]] = {}
    for scope, name, _ in np.frombuffer(facts.graph.scopes, dtype=np.int32).reshape(-1, 3).tolist():
        text = facts.graph.symbols[name]
        if scope >= 0 and text.isidentifier():
            out.setdefault(facts.definitions[scope].name, []).append(text)
    return out


def _results(facts: FileFacts, prefix: str, types: list[str]) -> Iterator[tuple[str, str]]:
    for one in facts.definitions:
        match = _RESULT.search(one.signature) if one.kind != "class" else None
        if match is None:
            continue
        name = "Array" if match["array"] else _PLAIN.get(match["name"], match["name"])
        if name in types:
            yield f"{prefix}{one.qualname}", name


def _inherit(found: Declared, classes: list[Definition]) -> None:
    """Members of a type are those of its bases as well; a base stands before what inherits from it."""
    for one in classes:
        for base in one.bases:
            inherited = found.members.get(base.partition("<")[0], [])
            found.members[one.name] = [*dict.fromkeys([*found.members.get(one.name, []), *inherited])]
