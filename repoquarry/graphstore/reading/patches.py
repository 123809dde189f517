"""Unified diffs and text differences as changed lines and words.

Lines are counted on one side only, the one that is indexed. A span whose last line is before its first is a place between two
lines, where something was put in or taken out.
"""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.records import DefinitionRecord

_WORD: Final = re.compile(r"[^\W\d]\w{2,}")


def extract_words(lines: Iterable[str]) -> frozenset[str]:
    """Names and words of some lines, as they are written, of three characters or more."""
    return frozenset(word for line in lines for word in _WORD.findall(line))


def word_overlap_scores(
    reader: CodeReader, modules: Sequence[DefinitionRecord], words: frozenset[str]
) -> dict[str, float]:
    """By id, which share of the words each file has, 0 to 1; rare ones count for more.

    A word weighs ln((n + 1) / (d + 0.5)), the inverse document frequency, where d of the n files have it. Words that no file has do not
    count. Files whose texts are in another data folder are left out.
    """
    if not words:
        return {}
    read, here = reader.store.source_text, set(reader.store.text_repositories())  # the reader would keep every text
    found = {
        module.id: words.intersection(_WORD.findall(read(module.repository, module.path)))
        for module in modules
        if module.repository in here
    }
    files_with = Counter(word for held in found.values() for word in held)
    weights = {word: math.log((len(found) + 1) / (count + 0.5)) for word, count in files_with.items()}
    total = math.fsum(weights.values())
    return {id_: math.fsum(weights[word] for word in held) / total for id_, held in found.items() if held}


Span = tuple[int, int]
"""First and last line, 1-based, inclusive; `(5, 4)` is the place between the lines 4 and 5."""

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


@dataclass(frozen=True)
class ChangedLines:
    """What was changed in one file of the indexed side."""

    path: str
    spans: tuple[Span, ...]
    words: frozenset[str] = field(default=frozenset(), compare=False)
    """Of the changed lines of both sides."""


@dataclass
class _Open:
    """A file of a diff while it is read."""

    old: str = ""
    new: str | None = None
    """None until its line is read; empty for no file."""
    spans: list[Span] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)


def collect_changed_words(changes: Iterable[ChangedLines]) -> frozenset[str]:
    """Words of the changed lines of all files."""
    return frozenset().union(*(change.words for change in changes))


def parse_patch(text: str, *, new_side: bool = False) -> list[ChangedLines]:
    """The changes of a unified diff, as `git diff` writes it, in lines of its old or its new side; blank lines alone are no change.

    Raises: ValueError where a hunk is cut short or comes before any file.
    """
    files: list[_Open] = []
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith("--- "):
            files.append(_Open(old=_path(line[4:])))
        elif line.startswith("+++ ") and files:
            files[-1].new = _path(line[4:])
        elif found := _HUNK.match(line):
            if not files or files[-1].new is None:
                raise ValueError(f"the hunk {line[:80]!r} belongs to no file: a diff has --- and +++ before it")
            files[-1].spans += _hunk(found, lines, files[-1].changed, new_side=new_side)
    chosen = (((one.new or "") if new_side else one.old, one) for one in files)
    return [
        ChangedLines(path, tuple(one.spans), extract_words(one.changed)) for path, one in chosen if path and one.spans
    ]


def _hunk(head: re.Match[str], lines: Iterator[str], changed: list[str], *, new_side: bool) -> Iterator[Span]:
    counts = [int(head[group] or 1) if head[group] != "0" else 0 for group in (2, 4)]
    # with a count of 0 the start is the line before
    numbers = [int(head[group]) + (count == 0) for group, count in zip((1, 3), counts, strict=True)]
    side = int(new_side)
    block: list[str] = []
    first = numbers[side]
    while counts[0] > 0 or counts[1] > 0:
        line = next(lines, None)
        if line is None:
            raise ValueError(f"the hunk {head[0]!r} is cut short")
        sign = line[:1] or " "
        if sign == "\\":
            continue
        if sign not in " +-":
            raise ValueError(f"the hunk {head[0]!r} has a line that begins with {sign!r}")
        if sign == " ":
            yield from _span(first, numbers[side], block)
            block = []
        else:
            block.append(line[1:])
            changed.append(line[1:])
        for place, other in enumerate("+-"):
            if sign != other:
                counts[place] -= 1
                numbers[place] += 1
        if sign == " ":
            first = numbers[side]
    yield from _span(first, numbers[side], block)


def _span(first: int, behind: int, block: Sequence[str]) -> Iterator[Span]:
    if any(line.strip() for line in block):
        yield first, behind - 1


def _path(text: str) -> str:
    """Path of a `---` or `+++` line; empty for no file."""
    text = text.partition("\t")[0].rstrip("\r")
    if text.startswith('"') and text.endswith('"'):
        raw = _ESCAPE.sub(_unescape, text[1:-1].encode("utf-8", "surrogateescape"))
        text = raw.decode("utf-8", "surrogateescape")
    return "" if text == "/dev/null" else re.sub(r"^[ab]/", "", text)


def _unescape(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return bytes([int(code, 8) & 255]) if len(code) == 3 else _ESCAPES.get(code, code)


def diff_texts(path: str, old: str, new: str) -> ChangedLines | None:
    """What was changed between two texts of a file, in lines of the old one; None where only blank lines differ."""
    before, after = old.splitlines(), new.splitlines()
    parts = [
        (first, last, there, behind)
        for tag, first, last, there, behind in difflib.SequenceMatcher(
            None, before, after, autojunk=len(before) > 2_000
        ).get_opcodes()
        if tag != "equal" and any(line.strip() for line in (*before[first:last], *after[there:behind]))
    ]
    if not parts:
        return None
    lines = (line for first, last, there, behind in parts for line in (*before[first:last], *after[there:behind]))
    return ChangedLines(path, tuple((first + 1, last) for first, last, *_ in parts), extract_words(lines))
