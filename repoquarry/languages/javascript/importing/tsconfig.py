"""`tsconfig.json` and `jsconfig.json` as far as they say how imports are found: `baseUrl`, `paths`, what they extend and refer to.

Source: https://www.typescriptlang.org/tsconfig
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

#: strings, comments, and commas before a closing bracket: the dialect of JSON that these files are written in
_TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=\s*(?:(?://[^\n]*|/\*.*?\*/)\s*)*[}\]])', re.DOTALL)
#: longer chains of `extends` are damaged input
_DEEPEST = 10


@dataclass(frozen=True, slots=True)
class Paths:
    """What one configuration says of specifiers."""

    base: str | None = None
    """Folder from which bare specifiers are looked for, None where it names none."""
    patterns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Specifier with at most one `*` -> paths without suffix, relative to the repository."""

    def candidates(self, specifier: str) -> Iterator[str]:
        """Paths without suffix that a specifier may mean."""
        best: tuple[int, str, str] | None = None
        for pattern in self.patterns:
            before, star, after = pattern.partition("*")
            if not star:
                if pattern == specifier:
                    best = (len(pattern) + 1, pattern, "")
                    break
            elif specifier.startswith(before) and specifier.endswith(after) and len(specifier) >= len(pattern) - 1:
                found = (len(before), pattern, specifier[len(before) : len(specifier) - len(after)])
                best = max(best, found) if best is not None else found
        if best is not None:
            for target in self.patterns[best[1]]:
                yield posixpath.normpath(target.replace("*", best[2]))
        if self.base is not None:
            yield posixpath.normpath(posixpath.join(self.base, specifier))


def parse(text: bytes) -> dict[str, Any]:
    """A configuration with comments and trailing commas; empty where it cannot be understood."""
    try:
        plain = _TOKENS.sub(
            lambda found: found.group() if found.group().startswith('"') else "", text.decode("utf-8-sig")
        )
        data = json.loads(plain)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


class Configurations:
    """The configurations of a repository."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._data = {path: parse(text) for path, text in texts.items()}
        self._paths: dict[str, Paths] = {}
        self._of_folder: dict[str, tuple[Paths, ...]] = {}

    def of_folder(self, folder: str) -> tuple[Paths, ...]:
        """What the configurations in a folder and in those around it say, the nearest first."""
        known = self._of_folder.get(folder)
        if known is None:
            here = [self.paths(path) for path in sorted(self._data) if posixpath.dirname(path) == folder]
            around = self.of_folder(posixpath.dirname(folder)) if folder else ()
            known = self._of_folder[folder] = (*(one for one in here if one.patterns or one.base is not None), *around)
        return known

    def paths(self, path: str, depth: int = 0) -> Paths:
        """What one configuration says, with what it extends."""
        known = self._paths.get(path)
        if known is not None:
            return known
        data, folder = self._data.get(path, {}), posixpath.dirname(path)
        found = Paths()
        if depth < _DEEPEST:
            extended = data.get("extends")
            for one in extended if isinstance(extended, list) else [extended]:
                if isinstance(one, str) and (target := self._extended(folder, one)) is not None:
                    found = self.paths(target, depth + 1)
        options = data.get("compilerOptions")
        if isinstance(options, dict):
            found = self._own(folder, options, found)
        self._paths[path] = found
        return found

    @staticmethod
    def _own(folder: str, options: dict[str, Any], extended: Paths) -> Paths:
        base, paths = options.get("baseUrl"), options.get("paths")
        root = posixpath.normpath(posixpath.join(folder, base)) if isinstance(base, str) else extended.base
        patterns = extended.patterns
        if isinstance(paths, dict):
            start = root if root is not None else folder
            patterns = {
                pattern: tuple(posixpath.join(start, one) for one in targets if isinstance(one, str))
                for pattern, targets in paths.items()
                if isinstance(targets, list)
            }
        return Paths(root, patterns)

    def _extended(self, folder: str, specifier: str) -> str | None:
        if not specifier.startswith("."):
            return None
        path = posixpath.normpath(posixpath.join(folder, specifier))
        return next((one for one in (path, f"{path}.json", f"{path}/tsconfig.json") if one in self._data), None)
