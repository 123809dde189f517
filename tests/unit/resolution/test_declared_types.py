"""Small programs of languages with declared types, below `tests/programs/declared_types`: exactly the calls, bases and overriding methods.

A program begins with `=== title`, each of its files with `--- path` if it has more than one. `> caller -> callees` are all its calls within
the program with a confidence of 0.5 and more, `< class -> bases` and `^ method -> overridden` all bases and overridden methods. `-` is a
file; definitions of other files than the first are named `path:key`.
"""

import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages import registry
from tests.resolution_export import PROGRAMS

FOLDER = PROGRAMS / "declared_types"
SUFFIXES = {"rust": ".rs", "csharp": ".cs"}
MIN_PROGRAMS = 40
LIKELY = 0.5
Pairs = dict[str, set[str]]


class Program(NamedTuple):
    title: str
    texts: dict[str, str]
    expected: dict[str, Pairs]
    """Sign -> targets by source."""


def load(language: str) -> list[Program]:
    """Load the programs of a language."""
    programs = []
    text = (FOLDER / f"{language}.txt").read_text(encoding="utf-8")
    for section in text.removeprefix("=== ").split("\n=== "):
        title, _, body = section.partition("\n")
        expected: dict[str, Pairs] = {sign: defaultdict(set) for sign in "><^"}
        texts: dict[str, str] = {}
        path = f"main{SUFFIXES[language]}"
        for line in body.splitlines():
            sign, _, rest = line.partition(" ")
            if sign in expected and " -> " in rest:
                source, _, targets = rest.partition(" -> ")
                expected[sign][source] |= set(targets.split(", "))
            elif line.startswith("--- "):
                path = rest.removeprefix("-- ").strip()
            else:
                texts[path] = texts.get(path, "") + line + "\n"
        programs.append(Program(title, texts, expected))
    return programs


def find(program: Program) -> dict[str, Pairs]:
    """Return what resolution finds in a program, as the program states it."""
    files = [
        registry.language_for(path).extract(path, text.encode())
        for path, text in sorted(program.texts.items())
        if registry.is_source(path)
    ]
    assert [(facts.path, facts.parse_errors) for facts in files if facts.parse_errors] == []
    configuration = {path: text.encode() for path, text in program.texts.items() if registry.is_configuration(path)}
    found = resolve(files, configuration=configuration)
    result: dict[str, Pairs] = {sign: defaultdict(set) for sign in "><^"}
    for edge in found.calls:
        if edge.callee >= 0 and edge.confidence >= LIKELY:
            result[">"][name(found, edge.caller, len(files))].add(name(found, edge.callee, len(files)))
    for base in found.inherits:
        if base.base >= 0:
            result["<"][name(found, base.cls, len(files))].add(name(found, base.base, len(files)))
    for override in found.overrides:
        result["^"][name(found, override.method, len(files))].add(name(found, override.overridden, len(files)))
    return result


def name(found: Resolution, number: int, file_count: int) -> str:
    """Return the key of a definition without its number, with the file where a program has several."""
    symbol = found.symbols[number]
    key = re.sub(r"#\d+$", "", symbol.key) or "-"
    return key if file_count == 1 else f"{symbol.path}:{key}"


CASES = [
    pytest.param(one, id=f"{path.stem}: {one.title}")
    for path in sorted(FOLDER.glob("*.txt"))
    for one in load(path.stem)
]


@pytest.mark.parametrize("program", CASES)
def test_a_program_has_exactly_its_edges(program: Program) -> None:
    assert find(program) == program.expected


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: Path(path).stem)
def test_every_language_has_its_programs(path: Path) -> None:
    programs = load(path.stem)
    assert len(programs) >= MIN_PROGRAMS
    assert len({one.title for one in programs}) == len(programs)
