"""`package.json` as far as it says how imports are found: name, entry files, `exports`, `imports`.

Source: https://nodejs.org/api/packages.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

#: conditions of `exports` and `imports` that are followed, before any other: what the sources are rather than what is built of them
_CONDITIONS = ("source", "development", "types", "typings", "import", "module", "node", "default", "require", "browser")
#: fields with the entry file, in the order in which they are tried
_ENTRIES = ("source", "types", "typings", "module", "main", "browser")
#: nested conditions are followed so deep
_DEEPEST = 10


@dataclass(frozen=True, slots=True)
class Package:
    """One `package.json`."""

    folder: str
    name: str
    entries: tuple[str, ...]
    """Entry files as written, the likeliest first."""
    exports: Any
    imports: Mapping[str, Any]

    def exported(self, part: str) -> Iterator[str]:
        """Files that `name/part` may lead to, relative to the folder; `part` is empty for the package itself."""
        key = f"./{part}" if part else "."
        if self.exports is not None:
            table = self.exports
            if not isinstance(table, dict) or not any(one.startswith(".") for one in table):
                table = {".": table}
            yield from matching(table, key)
        if not part:
            yield from self.entries

    def imported(self, specifier: str) -> Iterator[str]:
        """Files that `#name` may lead to."""
        yield from matching(self.imports, specifier)


def matching(table: Mapping[str, Any], key: str) -> Iterator[str]:
    """The files of an entry of `exports` or `imports`; `*` in its name stands for what it does in its files."""
    if key in table:
        yield from _files(table[key], "", 0)
        return
    patterns = [one for one in table if one.count("*") == 1]
    for pattern in sorted(patterns, key=len, reverse=True):
        before, _, after = pattern.partition("*")
        if key.startswith(before) and key.endswith(after) and len(key) >= len(pattern) - 1:
            yield from _files(table[pattern], key[len(before) : len(key) - len(after)], 0)
            return


def _files(target: Any, middle: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(target, str):
        yield target.replace("*", middle)
    elif isinstance(target, list):
        for one in target:
            yield from _files(one, middle, depth + 1)
    elif isinstance(target, dict):
        known = [one for one in _CONDITIONS if one in target]
        for condition in (*known, *(one for one in target if one not in known)):
            yield from _files(target[condition], middle, depth + 1)


def read_package(folder: str, text: bytes) -> Package | None:
    """The package of a manifest, None where it cannot be understood."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    name, imports = data.get("name"), data.get("imports")
    entries = tuple(one for one in map(data.get, _ENTRIES) if isinstance(one, str) and one)
    return Package(
        folder=folder,
        name=name if isinstance(name, str) else "",
        entries=entries,
        exports=data.get("exports"),
        imports=imports if isinstance(imports, dict) else {},
    )
