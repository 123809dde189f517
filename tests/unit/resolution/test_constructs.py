"""Construct grid: small programs below `tests/programs/constructs`, with edges that must exist and edges that must not.

A program begins with `=== construct, way of the callee`; `--- path` begins each of its files, if it has more than one. `>` lists the
callees of callers (`-` is the module), `!` the pairs that must not have a likely edge. All programs of a language are resolved in one run.
`grammars.toml` lists every kind of node of each grammar: a kind either occurs in a program, or has the reason for its absence.
"""

import csv
import re
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages import registry
from repoquarry.languages.javascript.grammar import grammar, parse
from tests.resolution_export import PROGRAMS

FOLDER = PROGRAMS / "constructs"
#: language -> files of programs, suffix of files without a name, grammars
LANGUAGES = {
    "javascript": (("javascript.txt",), ".jsx", ("javascript",)),
    "typescript": (("javascript.txt", "typescript.txt"), ".tsx", ("typescript", "tsx")),
}
#: edges below this confidence are guesses
LIKELY = 0.5
MIN_PROGRAMS = 120
SHARES = Path(__file__).parents[3] / "docs" / "data" / "constructs.csv"


class Program(NamedTuple):
    title: str
    texts: dict[str, str]
    expected: dict[str, set[str]]
    """Caller -> callees that must be among its likely edges."""
    refused: dict[str, set[str]]


def read_edges(lines: list[str], sign: str) -> dict[str, set[str]]:
    """Return callees by caller of the lines that begin with a sign."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        if line.startswith(f"{sign} "):
            for part in line[2:].split("; "):
                caller, _, callees = part.partition(" -> ")
                found[caller.strip("-")] |= set(callees.split(", "))
    return found


@cache
def programs(language: str) -> list[Program]:
    names, suffix, _ = LANGUAGES[language]
    found = []
    for name in names:
        for section in (FOLDER / name).read_text(encoding="utf-8").removeprefix("=== ").split("\n=== "):
            title, _, body = section.partition("\n")
            lines = body.splitlines()
            code = "\n".join(line for line in lines if not line.startswith(("> ", "! "))) + "\n"
            _, *parts = re.split(
                r"^--- (.+)\n", code if code.startswith("--- ") else f"--- a.js\n{code}", flags=re.MULTILINE
            )
            texts = {
                path.replace(".js", suffix): text.replace('.js"', '"')
                for path, text in zip(parts[::2], parts[1::2], strict=True)
            }
            found.append(Program(title, texts, read_edges(lines, ">"), read_edges(lines, "!")))
    return found


@cache
def likely_edges(language: str) -> dict[int, dict[str, set[str]]]:
    """Map each program to its likely edges, callees by caller, from one run over all programs."""
    files = [
        registry.language_for(path).extract(f"p{number:03}/{path}", text.encode())
        for number, program in enumerate(programs(language))
        for path, text in program.texts.items()
    ]
    assert [(facts.path, facts.parse_errors) for facts in files if facts.parse_errors] == []
    resolution = resolve(sorted(files, key=lambda facts: facts.path))
    found: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for edge in resolution.calls:
        if edge.callee >= 0 and edge.confidence >= LIKELY:
            caller, callee = resolution.symbols[edge.caller], resolution.symbols[edge.callee]
            found[int(caller.path[1:4])][caller.key].add(callee.key)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_program_has_its_edges_and_none_that_is_refused(language: str) -> None:
    wrong = []
    for number, program in enumerate(programs(language)):
        own = likely_edges(language)[number]
        missing = {
            caller: callees - own[caller] for caller, callees in program.expected.items() if callees - own[caller]
        }
        refused = {
            caller: callees & own[caller] for caller, callees in program.refused.items() if callees & own[caller]
        }
        if missing or refused:
            wrong.append((program.title, missing, refused))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_enough_programs_and_refused_edges(language: str) -> None:
    own = programs(language)
    assert len(own) >= MIN_PROGRAMS
    assert sum(bool(program.refused) for program in own) * 3 >= len(own)
    assert len({program.title for program in own}) == len(own)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_node_has_a_program_or_a_reason(language: str) -> None:
    _, suffix, names = LANGUAGES[language]
    used = set()
    for program in programs(language):
        for text in program.texts.values():
            for ending in (suffix, suffix.replace("x", "")):
                tree, _ = parse(ending, text.encode())
                pending = [tree.root_node] if not tree.root_node.has_error else []
                while pending:
                    node = pending.pop()
                    used.add(node.type)
                    pending += node.named_children
    tables = tomllib.loads((FOLDER / "grammars.toml").read_text(encoding="utf-8"))[language]
    excluded = {kind for kinds in tables["excluded"].values() for kind in kinds.split()}
    included = set(tables["included"].split())
    known = set()
    for name in names:
        language_of = grammar(name).parser.language
        assert language_of is not None
        known |= {
            language_of.node_kind_for_id(number)
            for number in range(language_of.node_kind_count)
            if language_of.node_kind_is_named(number) and language_of.node_kind_is_visible(number)
        }
    assert included | excluded == known
    assert not included & excluded
    assert included - used == set()


def test_the_page_of_benchmarks_states_the_grid() -> None:
    """All programs are right, as the first test proves."""
    with SHARES.open(encoding="utf-8", newline="") as file:
        rows = {row[0].lower(): row[1:] for row in csv.reader(file)}
    for language in LANGUAGES:
        assert rows[language] == [str(len(programs(language))), "1.00"]
