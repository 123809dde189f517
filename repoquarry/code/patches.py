"""Parser of unified diffs, and diff of two texts: both return changed lines by file, numbered in the indexed version (old or new)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from repoquarry.languages.notebook import is_notebook
from repoquarry.languages.source_text import split_lines

if TYPE_CHECKING:
    from unidiff import Hunk

Span = tuple[int, int]
"""First and last line, 1-based, inclusive; `(5, 4)` is the place between the lines 4 and 5."""

_ALL_LINES: Final[tuple[Span, ...]] = ((1, 2**31 - 1),)
"""Spans of a changed notebook: a patch counts lines of its JSON document, not of its script."""
_WORD: Final = re.compile(r"[^\W\d]\w{2,}")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
# A header longer than two paths; matching its names would take quadratic time.
_LONG_HEADER = re.compile(r"^(?:Binary files?|diff --git) .{9000}", re.MULTILINE)
_GIT_SECTION = re.compile(r"^(?=diff --git )", re.MULTILINE)
_HUNKS = re.compile(r"^(?:--- |@@ )", re.MULTILINE)
_SAME_NAMES = re.compile(
    r'diff --git (?:a/(?P<name>.+) b/(?P=name)|"a/(?P<quoted>.+)" "b/(?P=quoted)"|(?P<bare>.+) (?P=bare))\r?$',
    re.MULTILINE,
)
_RENAME = re.compile(r"^(?:rename|copy) from (?P<old>.+)\n(?:rename|copy) to (?P<new>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class FilePatch:
    """One file of a patch. A path is empty where the file does not exist on that side; a binary file has no hunks."""

    old_path: str
    new_path: str
    hunks: tuple[Hunk, ...]

    @property
    def removed_lines(self) -> frozenset[int]:
        """Removed lines, 1-based in the old file."""
        lines = (line for hunk in self.hunks for line in hunk if line.is_removed)
        return frozenset(line.source_line_no for line in lines if line.source_line_no)

    @property
    def added_lines(self) -> frozenset[int]:
        """Added lines, 1-based in the new file."""
        lines = (line for hunk in self.hunks for line in hunk if line.is_added)
        return frozenset(line.target_line_no for line in lines if line.target_line_no)


@dataclass(frozen=True)
class ChangedLines:
    """Changed lines of one file on the indexed side."""

    path: str
    spans: tuple[Span, ...]
    words: frozenset[str] = field(default=frozenset(), compare=False)
    """Words of the changed lines of both sides."""


def extract_words(lines: Iterable[str]) -> frozenset[str]:
    """Return the names and words of three characters or more in some lines."""
    return frozenset(word for line in lines for word in _WORD.findall(line))


def collect_changed_words(changes: Iterable[ChangedLines]) -> frozenset[str]:
    return frozenset().union(*(change.words for change in changes))


def read_patch(text: str) -> list[FilePatch]:
    """Read a unified diff with decoded file names.

    Raises: ValueError where a hunk is cut short, has a line that is not one of a diff, or belongs to no file.
    """
    if _LONG_HEADER.search(text):
        raise ValueError("invalid unified diff: a header has more than 9,000 characters")
    files = []
    for section in _GIT_SECTION.split(text):
        files += _read_section(section)
    return files


def _read_section(section: str) -> list[FilePatch]:
    """Read the patch of one file by git, or all files of another diff.

    unidiff gets a section of git without its header, where names with spaces are ambiguous; git repeats them where there are hunks.
    """
    from unidiff import PatchSet, UnidiffParseError  # Lazy import: most commands that read code get no patch.

    is_git = section.startswith("diff --git ")
    hunks = _HUNKS.search(section) if is_git else None
    if is_git and hunks is None:
        return _read_git_header(section)
    try:
        patched = list(PatchSet(section[hunks.start() :] if hunks else section))
    except UnidiffParseError as error:
        raise ValueError(f"invalid unified diff: {str(error).strip()[:120]}") from error
    return [FilePatch(_decode_path(file.source_file), _decode_path(file.target_file), tuple(file)) for file in patched]


def _read_git_header(header: str) -> list[FilePatch]:
    """Read a file of git without hunks: renamed, binary, empty, or of another mode."""
    if renamed := _RENAME.search(header):
        old, new = (_decode_path(renamed[side], has_prefix=False) for side in ("old", "new"))
        return [FilePatch(old, new, ())]
    names = _SAME_NAMES.match(header)
    if names is None:
        return []
    path = _decode_path(f'"{names["quoted"]}"' if names["quoted"] else names["name"] or names["bare"], has_prefix=False)
    is_new, is_deleted = "\nnew file mode " in header, "\ndeleted file mode " in header
    return [FilePatch("" if is_new else path, "" if is_deleted else path, ())]


def parse_patch(text: str, *, new_side: bool = False) -> list[ChangedLines]:
    """Return the changed lines of a unified diff on its old or its new side; a change of blank lines alone is skipped.

    Raises: ValueError, as `read_patch`.
    """
    found = []
    for file in read_patch(text):
        path = file.new_path if new_side else file.old_path
        spans = tuple(span for hunk in file.hunks for span in _iterate_spans(hunk, new_side=new_side))
        if path and spans:
            changed = (line.value for hunk in file.hunks for line in hunk if line.is_added or line.is_removed)
            found.append(ChangedLines(path, _ALL_LINES if is_notebook(path) else spans, extract_words(changed)))
    return found


def apply_hunks(patch: FilePatch, old: str) -> str:
    """Return the new text of a file. Raises: ValueError where a hunk does not match the old text."""
    lines = split_lines(old)
    found: list[str] = []
    position = 0
    for number, hunk in enumerate(patch.hunks, 1):
        start = hunk.source_start - (hunk.source_length > 0)
        expected = [line.value.rstrip("\r\n") for line in hunk if line.is_context or line.is_removed]
        if [line.rstrip("\r") for line in lines[start : start + len(expected)]] != expected:
            raise ValueError(f"hunk {number} of {patch.old_path} does not match the indexed text; index the old side")
        found += lines[position:start]
        found += [line.value.rstrip("\r\n") for line in hunk if line.is_context or line.is_added]
        position = start + len(expected)
    return "\n".join([*found, *lines[position:]]) + "\n"


def _iterate_spans(hunk: Hunk, *, new_side: bool) -> Iterator[Span]:
    """Yield the spans of consecutive changed lines."""
    start, length = (hunk.target_start, hunk.target_length) if new_side else (hunk.source_start, hunk.source_length)
    number = first = start + (length == 0)  # With a length of 0 the start is the line before.
    has_text = False
    for line in hunk:
        if line.is_context:
            if has_text:
                yield first, number - 1
            number += 1
            first, has_text = number, False
        elif line.is_added or line.is_removed:
            has_text = has_text or bool(line.value.strip())
            number += line.is_added == new_side
    if has_text:
        yield first, number - 1


def _decode_path(name: str, *, has_prefix: bool = True) -> str:
    """Return the path in a header of a diff; empty for no file."""
    name = name.rstrip("\r")
    if name.startswith('"') and name.endswith('"'):
        raw = _ESCAPE.sub(_unescape, name[1:-1].encode("utf-8", "surrogateescape"))
        name = raw.decode("utf-8", "surrogateescape")
    if name == "/dev/null":
        return ""
    return re.sub(r"^[ab]/", "", name) if has_prefix else name


def _unescape(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return bytes([int(code, 8) & 255]) if len(code) == 3 else _ESCAPES.get(code, code)


def diff_texts(path: str, old: str, new: str) -> ChangedLines | None:
    """Return the changed lines between two texts of a file, counted in the old one; None where only blank lines differ."""
    before, after = split_lines(old), split_lines(new)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=len(before) > 2_000)
    spans: list[Span] = []
    changed: list[str] = []
    for tag, first, last, new_first, new_last in matcher.get_opcodes():
        lines: Sequence[str] = (*before[first:last], *after[new_first:new_last])
        if tag != "equal" and any(line.strip() for line in lines):
            spans.append((first + 1, last))
            changed += lines
    return ChangedLines(path, tuple(spans), extract_words(changed)) if spans else None
