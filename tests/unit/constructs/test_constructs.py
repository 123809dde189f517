"""Construct grids: every node kind of a grammar has a program, and calls are those that the programs state."""

import csv
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import tree_sitter_java
import tree_sitter_python
from tree_sitter import Language, Parser

from tests.constructs import HERE, PATHS, Edge, Program, find_edges, load_programs

SHARES = Path(__file__).parents[3] / "docs" / "data" / "constructs.csv"
GRAMMARS = {"python": (".py", tree_sitter_python), "java": (".java", tree_sitter_java)}
#: the largest share of programs in which the callee gets to the call in one way
MAX_OF_ONE_PATH = 0.4


@cache
def grid(language: str) -> list[tuple[Program, set[Edge]]]:
    """Return the programs of a language with the edges that are found in them."""
    suffix, _ = GRAMMARS[language]
    programs = load_programs(language, suffix)
    return list(zip(programs, find_edges(programs, suffix), strict=True))


def node_kinds(language: str, text: str) -> Iterator[str]:
    pending = [Parser(Language(GRAMMARS[language][1].language())).parse(text.encode()).root_node]
    while pending:
        node = pending.pop()
        yield node.type
        pending += node.named_children


@pytest.mark.parametrize("language", GRAMMARS)
def test_table_holds_every_named_kind_of_the_grammar(language: str) -> None:
    grammar = Language(GRAMMARS[language][1].language())
    numbers = range(grammar.node_kind_count)
    named = {
        grammar.node_kind_for_id(at)
        for at in numbers
        if grammar.node_kind_is_named(at) and grammar.node_kind_is_visible(at)
    }
    assert set(kinds_with_reasons(language)) == named


def kinds_with_reasons(language: str) -> dict[str, str]:
    rows = (HERE / f"{language}.tsv").read_text(encoding="utf-8").splitlines()
    return dict(row.split("\t") for row in rows)


@pytest.mark.parametrize("language", GRAMMARS)
def test_every_kind_without_a_reason_has_a_program(language: str) -> None:
    tagged = {kind for program, _ in grid(language) for kind in program.kinds}
    needed = {kind for kind, reason in kinds_with_reasons(language).items() if not reason}
    assert needed - tagged == set()
    assert tagged - needed == set()


@pytest.mark.parametrize("language", GRAMMARS)
def test_programs_contain_the_kinds_that_they_name(language: str) -> None:
    for program, _ in grid(language):
        present = {kind for text in program.files.values() for kind in node_kinds(language, text)}
        assert set(program.kinds) <= present, program.title


@pytest.mark.parametrize("language", GRAMMARS)
def test_grids_are_large_and_varied(language: str) -> None:
    programs = [program for program, _ in grid(language)]
    ways = Counter(program.path for program in programs)
    assert len(programs) >= 120
    assert set(ways) <= PATHS
    assert max(ways.values()) <= MAX_OF_ONE_PATH * len(programs)
    assert sum(bool(program.absent) for program in programs) * 3 >= len(programs)


@pytest.mark.parametrize("language", GRAMMARS)
def test_programs_have_the_edges_that_they_state(language: str) -> None:
    wrong = {
        program.title: (sorted(found - program.edges), sorted(program.edges - found | found & program.absent))
        for program, found in grid(language)
        if not program.fault and found != program.edges
    }
    assert wrong == {}
    assert [program.title for program, _ in grid(language) if program.edges & program.absent] == []


@pytest.mark.parametrize("language", GRAMMARS)
def test_known_faults_are_still_wrong(language: str) -> None:
    assert [program.title for program, found in grid(language) if program.fault and found == program.edges] == []


def test_shares_of_right_programs_are_those_of_the_page() -> None:
    rows = []
    for language in GRAMMARS:
        programs = [program for program, _ in grid(language)]
        right = sum(not program.fault for program in programs)
        rows.append([language.capitalize(), str(len(programs)), f"{right / len(programs):.2f}".removeprefix("0")])
    with SHARES.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file))[1 : 1 + len(rows)] == rows
