"""Reads names as people write them: `Model.save`, `django.db.models.Model`, `base.py:120`, `path::qualname`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from repoquarry.graphstore.code.records import Definition
from repoquarry.languages.registry import known_suffixes

_FILE = r"[\w./\\@+-]*\w\.[A-Za-z]\w{0,5}"
_LONGEST = 1_000  # characters; names and paths are shorter, and matching is quadratic at worst
_PATH_LINE = re.compile(rf"^(?P<path>{_FILE}|[\w.@+-]+(?:/[\w.@+-]+)+)(?::(?P<line>\d+))?(?::\d+)?$")
_SUFFIXES = frozenset(
    {
        *(suffix.removeprefix(".") for suffix in known_suffixes()),
        *("pyx", "js", "jsx", "ts", "tsx", "mjs", "cjs", "java", "swift", "scala", "sh", "sql", "html", "css"),
        *("md", "rst", "txt", "toml", "cfg", "ini", "yaml", "yml", "json"),
    }
)


@dataclass(frozen=True)
class Target:
    """A name taken apart. `names` are the parts of a dotted name; `path` is set when it names a file."""

    names: tuple[str, ...] = ()
    path: str = ""
    line: int = 0
    qualname: str = ""


def read_target(text: str) -> Target:
    """Take apart a name as a person or a model wrote it; call brackets, quotes and `@` are no part of it."""
    clean = text[:_LONGEST].strip().strip("`'\"“”‘’").strip().removeprefix("@")
    clean = re.sub(r"\(.*\)$", "", clean, flags=re.DOTALL).rstrip(".:,;?!")
    path, separator, qualname = clean.partition("::")
    if separator:
        # an id: its part before the path is the repository, which holds no slash behind a colon
        return Target(path=_relative(path.rpartition(":")[2]), qualname=qualname.partition("#")[0])
    match = _PATH_LINE.match(clean)
    if match and is_path(match["path"]):
        return Target(path=_relative(match["path"]), line=int(match["line"] or 0))
    if clean.count(":") == 1 and is_path(clean.partition(":")[2]):
        return Target(path=_relative(clean.partition(":")[2]))
    return Target(names=tuple(part for part in clean.split(".") if part))


def is_path(text: str) -> bool:
    """Whether a word names a file: it has a folder, or the suffix of a kind of file that is indexed."""
    return "/" in text or "\\" in text or ("." in text and text.rpartition(".")[2].lower() in _SUFFIXES)


def _relative(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./").strip("/")


def fits(definition: Definition, names: Sequence[str]) -> bool:
    """Whether a dotted name may mean a definition: its last parts, or some of its parts in order (a re-export)."""
    parts = iter(definition.segments)
    return definition.segments[-1:] == tuple(names[-1:]) and all(name in parts for name in names)
