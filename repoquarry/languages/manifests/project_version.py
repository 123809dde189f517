"""Version of a repository without tags, by its own files."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from packaging.version import InvalidVersion, Version

_BYTES: Final = 256 * 1024


def read_head(path: Path) -> str:
    """Read the beginning of a text file; empty for anything but a regular file."""
    if not path.is_file() or path.is_symlink():
        return ""
    with path.open("rb") as file:
        return file.read(_BYTES).decode("utf-8", errors="replace")


_LOGS: Final = re.compile(
    r"(changes|changelog|history|news|releases?|release[-_ ]?notes|whats[-_ ]?new)(\.(md|rst|txt))?", re.I
)
_STATED: Final = re.compile(r"^Version:[ \t]*(\S+)", re.MULTILINE)
_ARCHIVED: Final = re.compile(r"^(?:describe-name|ref-names):.*?\bv?(\d+(?:\.\d+)+)", re.MULTILINE)
_ASSIGNED: Final = re.compile(
    r"^(?:__version__|version|VERSION)\s*(?::\s*str\s*)?=\s*['\"]v?(\d[\w.]*)['\"]", re.MULTILINE
)
_HEADING: Final = re.compile(
    r"^(?:#+\s*|=+\s*|\.\.\s+_)?(?:[A-Za-z][\w .-]{0,30}?[\s-])?\[?[vV]?(\d+\.\d+(?:\.\d+)*(?:(?:a|b|rc|\.post|\.dev)\d+)?)\]?(?=[\s:(,/)-]|$)(.*)"
)
_DATED: Final = re.compile(
    r"[\s(\[\u2013\u2014:,|@-]*(?:released?[\s:]+(?:on\s+)?)?"
    r"(?:\d{4}[-/.]\d{1,2}|\d{1,2}[-/. ]\w+[-/. ,]+\d{4}|[A-Z][a-z]{2,8}\.? \d|(?:19|20)\d\d\b|unreleased|in development|tbd)",
    re.IGNORECASE,
)
"""Text that follows the version in an unmarked heading."""
_RULE: Final = re.compile(r"^([=\-~^*#])\1{2,}\s*$")


def read_project_version(root: Path) -> str:
    """Read the version in normal form; empty if no file states one.

    The metadata of an archive comes first, then `__version__` in the code, then the topmost heading of the changelog.
    """
    readers: tuple[Callable[[Path], Iterator[str]], ...] = (_metadata, _code, _changes)
    for found in itertools.chain.from_iterable(reader(root) for reader in readers):
        try:
            return str(Version(found))
        except InvalidVersion:
            continue
    return ""


def _metadata(root: Path) -> Iterator[str]:
    for name, pattern in (("PKG-INFO", _STATED), (".git_archival.txt", _ARCHIVED)):
        yield from pattern.findall(read_head(root / name))


def _code(root: Path) -> Iterator[str]:
    """Yield `__version__` of the packages in the root and in `src`."""
    for place in (root / "src", root):
        for folder in sorted(path for path in _listed(place) if (path / "__init__.py").is_file()):
            for name in ("__init__.py", "_version.py", "version.py", "__version__.py", "__about__.py"):
                yield from _ASSIGNED.findall(read_head(folder / name))[:1]


def _changes(root: Path) -> Iterator[str]:
    for place in (root, root / "docs", root / "doc"):
        for path in sorted(path for path in _listed(place) if _LOGS.fullmatch(path.name) and path.is_file()):
            yield from _headings(read_head(path).splitlines())


def _headings(lines: list[str]) -> Iterator[str]:
    """Yield the versions in headings: marked, underlined, or dated lines."""
    for line, below in itertools.pairwise([*lines, ""]):
        match = _HEADING.match(line.strip())
        if match and (line.startswith(("#", "=")) or _RULE.match(below) or _DATED.match(match[2])):
            yield match[1]


def _listed(folder: Path) -> list[Path]:
    return [folder / name for name in os.listdir(folder)] if folder.is_dir() else []
