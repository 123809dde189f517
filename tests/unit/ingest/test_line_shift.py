"""Edits that move lines alone: what they give is what resolution of the edited files gives."""

import hashlib
import random
import re
from pathlib import Path

import msgspec
import pytest

from repoquarry.ingest.previous_state import CachedResolution, FamilyResolution, digest_inputs, encode_facts
from repoquarry.ingest.resolution import by_family, line_shift, resolve_family
from repoquarry.ingest.resolution.line_shift import map_lines, shift_lines
from repoquarry.languages import constraints as op
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import language_for
from tests.edited_trees import tree

_RULES = b"rules"
_FOLDER = Path(__file__).parents[1] / "resolution" / "sources"
_SOURCES = sorted(path for path in _FOLDER.rglob("*") if path.suffix in {".py", ".js", ".ts", ".tsx"})
_PROGRAM = """import os


class Shelf:
    size = 3

    def fill(self, books):
        for book in books:
            self.put(book)

    def put(self, book):
        os.remove(book)
"""


def facts_of(files: dict[str, str]) -> list[FileFacts]:
    return [language_for(path).extract(path, text.encode()) for path, text in sorted(files.items())]


def resolved(files: list[FileFacts]) -> CachedResolution:
    parts, packed = [], {one.path: hashlib.sha256(encode_facts(one)).digest() for one in files}
    for family, own in by_family(files):
        digest = digest_inputs(_RULES, [packed[one.path] for one in own])
        parts.append(FamilyResolution.of(digest, resolve_family(family, own, {}, {})))
    return CachedResolution(tuple(parts), digest_inputs(_RULES, packed.values()))


def shifted(before: list[FileFacts], after: list[FileFacts]) -> CachedResolution | None:
    old = {one.path: encode_facts(one) for one in before}
    new = {one.path: encode_facts(one) for one in after}
    changed = {path: packed for path, packed in old.items() if new[path] != packed}
    return shift_lines(new, changed, resolved(before), _RULES)


@pytest.mark.parametrize("seed", range(12))
def test_inserted_comments_and_empty_lines_give_what_resolution_gives(seed: int) -> None:
    rng = random.Random(seed)
    files = {path: text for path, text in tree(rng).items() if path.endswith(".py")}
    edited = dict(files)
    for path in rng.sample(sorted(path for path in files if path.startswith("pkg/m")), 2):
        lines = files[path].splitlines(keepends=True)
        at = rng.randrange(len(lines) + 1)
        edited[path] = "".join([*lines[:at], rng.choice(("\n", "# a comment\n")), *lines[at:]])
    before, after = facts_of(files), facts_of(edited)
    found = shifted(before, after)
    assert found is not None
    assert msgspec.msgpack.encode(found) == msgspec.msgpack.encode(resolved(after))


@pytest.mark.parametrize("path", _SOURCES, ids=lambda path: path.name)
def test_lines_of_every_construct_move(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    before, after = facts_of({path.name: text}), facts_of({path.name: "\n\n" + text})
    found = shifted(before, after)
    assert found is not None
    assert msgspec.msgpack.encode(found) == msgspec.msgpack.encode(resolved(after))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        os.remove(book)", "        os.unlink(book)"),
        ("def put", "def drop"),
        ("for book in books:\n            self.put(book)", "for book in books: self.put(book)"),
        ("import os\n", "import os; import sys\n"),
        ("    size = 3\n", "    size = 3\n    other = 4\n"),
    ],
)
def test_other_edits_are_resolved(old: str, new: str) -> None:
    (before,) = facts_of({"shelf.py": _PROGRAM})
    (after,) = facts_of({"shelf.py": _PROGRAM.replace(old, new)})
    assert map_lines(before, after) is None


def test_each_old_line_has_one_new_line() -> None:
    (before,) = facts_of({"shelf.py": _PROGRAM})
    (after,) = facts_of({"shelf.py": _PROGRAM.replace("import os\n", "\nimport os\n")})
    found = map_lines(before, after)
    assert found is not None
    assert (found[1], found[12]) == (2, 13)


def test_a_resolution_of_other_facts_is_not_shifted() -> None:
    before, after = facts_of({"shelf.py": _PROGRAM}), facts_of({"shelf.py": "\n" + _PROGRAM})
    other = resolved(facts_of({"shelf.py": "x = 1\n"}))
    old, new = (
        {one.path: encode_facts(one) for one in before},
        {one.path: encode_facts(one) for one in after},
    )
    assert shift_lines(new, old, other, _RULES) is None
    assert shift_lines(new, old, resolved(before), b"other rules") is None


def test_tables_of_operations_are_those_of_the_kernel() -> None:
    text = (Path(line_shift.__file__).parents[2] / "native/resolution/kernel/program/operations.cpp").read_text()
    kinds = {getattr(op, name): kinds for name, kinds in re.findall(r'op::(\w+): return "(\w+)"', text)}
    lengths = {one: 2 + len(kinds[one]) for one in kinds if kinds[one][-1] not in "AET"}
    assert lengths == line_shift._LENGTHS
    assert {one: 1 + len(kinds[one]) for one in kinds.keys() - lengths} == {
        one: at for one, (at, _) in line_shift._COUNTS.items()
    }
    lines = {getattr(op, name): int(at) for name, at in re.findall(r"op::(\w+): return (\d+)", text)}
    assert lines | {op.MENTION: 3} == line_shift._LINES
