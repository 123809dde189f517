"""Rules of `.gitignore` files, as git understands them. A file is parsed in a worker with limits, and matched in linear time.

A pattern becomes a regular expression of atomic groups: between two stars the first place that fits is always the right one, so that no
pattern goes back over a path. Paths are relative to the folder of the file; those of folders end with a slash. Patterns and paths are
compared byte by byte, as git does: Latin-1 stands for the bytes of UTF-8.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from repoquarry.processes.bounded_calls import BoundedCallError, call_bounded

if TYPE_CHECKING:
    from repoquarry.graphstore.storage.source_store import SourceStore

_NAME: Final = "ignore_files"
MAX_BYTES: Final = 64 * 1024
"""Size of an ignore file; larger ones are skipped."""
_MAX_LINES: Final = 2_000
_MAX_PATTERN: Final = 4_096
"""Characters of a pattern: no longer path exists."""
_SECONDS: Final = 10.0
_CLASSES: Final = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": r" \t", "cntrl": r"\x00-\x1f\x7f", "digit": "0-9", "graph": r"\x21-\x7e",
    "lower": "a-z", "print": r"\x20-\x7e", "punct": r"!-/:-@\[-`{-~", "space": r" \t\n\r\f\v", "upper": "A-Z", "xdigit": "0-9a-fA-F",
}  # fmt: skip
_ANY: Final = "[^/]"
_FOLDERS: Final = "(?:[^/]*/)*?"
_STARS: Final = re.compile(r"\*{2,}")
_DEEP: Final = re.compile(r"\*{2,}(?=\\?/|\Z)")


class IgnoreRule(msgspec.Struct, array_like=True, frozen=True):
    """One pattern."""

    expression: str
    """Regular expression of a complete path."""
    includes: bool
    """True for a pattern that begins with an exclamation mark."""


@dataclass(frozen=True)
class IgnoreRules:
    """Rules of one file, and the folder that they apply to."""

    base: str
    """Folder with a final slash; empty for the root."""
    rules: tuple[IgnoreRule, ...]

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{rule.expression})" for rule in self.rules) or r"(?!)", re.DOTALL)

    @cached_property
    def _compiled(self) -> list[tuple[re.Pattern[str], bool]]:
        return [(re.compile(rule.expression, re.DOTALL), rule.includes) for rule in reversed(self.rules)]

    def decide(self, path: str) -> bool | None:
        """Return whether the last rule that matches ignores `path`; None if no rule matches."""
        below = path[len(self.base) :].encode("utf-8", "surrogateescape").decode("latin-1")
        if self._any.fullmatch(below) is None:
            return None
        return next((not includes for pattern, includes in self._compiled if pattern.fullmatch(below)), None)


def is_ignored(path: str, rules: tuple[IgnoreRules, ...]) -> bool:
    """Return whether the nearest file with a matching rule, innermost first, ignores `path`."""
    for one in rules:
        verdict = one.decide(path)
        if verdict is not None:
            return verdict
    return False


class _ParsedFiles(msgspec.Struct, array_like=True, frozen=True):
    """Rules of the ignore files of a snapshot by digest, and the version of the code that parsed them."""

    version: bytes
    rules: dict[bytes, tuple[IgnoreRule, ...]]


@dataclass
class IgnoreReader:
    """Reader of ignore files; equal files are parsed once, also over several runs."""

    known: Mapping[bytes, tuple[IgnoreRule, ...]] = field(default_factory=dict)
    """Rules of files that an earlier run has parsed, by digest."""
    read: dict[bytes, tuple[IgnoreRule, ...]] = field(default_factory=dict)
    """Rules of the files of this run, by digest."""

    @classmethod
    def load(cls, sources: SourceStore, repository: str) -> IgnoreReader:
        """Load the rules that are stored with the published snapshot."""
        data = sources.artifact(repository, _NAME)
        if data is None:
            return cls()
        parsed = msgspec.msgpack.decode(data, type=_ParsedFiles)
        return cls(parsed.rules) if parsed.version == _version() else cls()

    def save(self, sources: SourceStore, snapshot: int) -> None:
        sources.put_artifact(snapshot, _NAME, msgspec.msgpack.encode(_ParsedFiles(_version(), self.read)))

    def parse(self, content: bytes) -> tuple[IgnoreRule, ...]:
        """Return the rules of a file. Raises: BoundedCallError for a file beyond the limits."""
        digest = hashlib.sha256(content).digest()
        rules = self.read.get(digest) or self.known.get(digest)
        self.read[digest] = rules if rules is not None else _parse_bounded(content)
        return self.read[digest]


@cache
def _version() -> bytes:
    return hashlib.sha256(Path(__file__).read_bytes()).digest()


def _parse_bounded(content: bytes) -> tuple[IgnoreRule, ...]:
    lines = content.count(b"\n") + 1
    if lines > _MAX_LINES:
        raise BoundedCallError(f"too many: {lines:,} lines, limit {_MAX_LINES:,}")
    try:
        return call_bounded(parse_ignore_file, {"content": content}, seconds=_SECONDS)
    except OSError as exc:
        raise BoundedCallError(f"a worker process cannot be started: {exc}") from exc


def parse_ignore_file(content: bytes) -> tuple[IgnoreRule, ...]:
    """Parse the lines of a file. Runs in a worker."""
    lines = [line.removesuffix("\r") for line in content.removeprefix(b"\xef\xbb\xbf").decode("latin-1").split("\n")]
    rules = tuple(rule for line in lines if (rule := _parse_line(line)) is not None)
    IgnoreRules("", rules).decide("a/")  # Their expressions, too, are compiled within the limits.
    return rules


def _parse_line(line: str) -> IgnoreRule | None:
    """Return the rule of a line; None for comments, and for patterns that git ignores, too."""
    line = _without_final_spaces(line)
    if not line or line.startswith("#") or len(line) > _MAX_PATTERN:
        return None
    includes = line.startswith("!")
    pattern = line[includes:]
    end = "/" if pattern.endswith("/") else "/?"
    pattern = pattern.removesuffix("/")
    if not pattern:
        return None
    try:
        expression = _path(pattern.removeprefix("/")) if "/" in pattern else _FOLDERS + _segment(pattern)
    except ValueError:
        return None
    return IgnoreRule(expression + end, includes)


def _without_final_spaces(line: str) -> str:
    stripped = line.rstrip(" ")
    slashes = len(stripped) - len(stripped.rstrip("\\"))
    return f"{stripped} " if slashes % 2 and len(stripped) < len(line) else stripped


def _path(pattern: str) -> str:
    """Return the expression of a pattern of several segments. Raises: ValueError for a pattern that matches nothing."""
    literal = re.match(r"[^*?\[\\]*", pattern)
    start = literal[0] if literal else ""
    # git compares the text before the first sign apart: in `a**/b`, the stars are then as at the beginning of a pattern.
    if not _DEEP.match(pattern, len(start)):
        start = ""
    parts = _split_path(pattern[len(start) :])
    found = [re.escape(start)]
    group: list[str] = []
    is_deep, is_open = False, start[-1:] not in {"", "/"}
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        if not _STARS.fullmatch(part):
            is_open = False
            group.append(_segment(part) + ("" if is_last else "/"))
        elif is_last:
            return "".join(found) + _grouped(group, is_deep=is_deep) + (".*" if is_open else ".+")
        elif group or not is_deep:
            found.append(_grouped(group, is_deep=is_deep))
            group, is_deep = [], True
    return "".join(found) + (_FOLDERS if is_deep else "") + "".join(group)


def _split_path(pattern: str) -> list[str]:
    """Divide a pattern at its slashes; one in a class of characters divides nothing. Raises: ValueError if a class has no end."""
    parts, position = [""], 0
    while position < len(pattern):
        sign, end = pattern[position], position + 1
        if sign == "\\":
            end += 1
        elif sign == "[":
            _, end = _character_class(pattern, end)
        if pattern[position:end] in {"/", "\\/"}:
            parts.append("")
        else:
            parts[-1] += pattern[position:end]
        position = end
    return parts


def _grouped(segments: list[str], *, is_deep: bool) -> str:
    return f"(?>{_FOLDERS if is_deep else ''}{''.join(segments)})"


def _segment(pattern: str) -> str:
    """Return the expression of one segment: runs of single characters, with stars in between."""
    runs = [""]
    position = 0
    while position < len(pattern):
        sign = pattern[position]
        position += 1
        if sign == "*":
            if runs[-1] or len(runs) == 1:
                runs.append("")
        elif sign == "?":
            runs[-1] += _ANY
        elif sign == "[":
            expression, position = _character_class(pattern, position)
            runs[-1] += expression
        else:
            if sign == "\\":
                sign, position = pattern[position : position + 1], position + 1
                if not sign:
                    raise ValueError("a final backslash matches nothing")
            runs[-1] += re.escape(sign)
    if len(runs) == 1:
        return runs[0]
    first, *between, last = runs
    middle = "".join(f"(?>{_ANY}*?{run})" for run in between)
    return f"(?>{first}{middle}{_ANY}*{last}(?=/|\\Z))"


def _character_class(pattern: str, position: int) -> tuple[str, int]:
    """Return the expression of a class, and the position behind it. Raises: ValueError if it has no end."""
    is_negated = pattern[position : position + 1] in {"!", "^"}
    position += is_negated
    members, first = "", position
    while position < len(pattern) and (pattern[position] != "]" or position == first):
        if pattern.startswith("[:", position) and (close := pattern.find(":]", position + 2)) >= 0:
            name = pattern[position + 2 : close]
            if name not in _CLASSES:
                raise ValueError(f"no class of characters is called {name}")
            members, position = members + _CLASSES[name], close + 2
            continue
        low, position = _class_member(pattern, position)
        high = low
        if pattern[position : position + 1] == "-" and pattern[position + 1 : position + 2] not in {"", "]"}:
            high, position = _class_member(pattern, position + 1)
        members += re.escape(low) + (f"-{re.escape(high)}" if low < high else "")
    if position >= len(pattern):
        raise ValueError("a class of characters has no end")
    return f"(?!/)[{'^' if is_negated else ''}{members}]", position + 1


def _class_member(pattern: str, position: int) -> tuple[str, int]:
    position += pattern[position] == "\\"
    if position >= len(pattern):
        raise ValueError("a class of characters has no end")
    return pattern[position], position + 1
