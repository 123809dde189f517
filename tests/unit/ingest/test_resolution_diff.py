"""Files that `find_changed_symbols` takes for equal have equal relationships, whatever moved around them; few others are taken for unequal."""

import random
from collections.abc import Mapping

import numpy as np
import pytest

from repoquarry.graphstore.model.graph_tables import Cell
from repoquarry.ingest.graph.code_graph import build_edge_tables
from repoquarry.ingest.graph.graph_writer import find_changed_symbols
from repoquarry.ingest.graph.outline import ResolutionIndex, build_outline, map_rows_to_symbols
from repoquarry.ingest.resolution import resolve
from repoquarry.languages.registry import is_source, language_for
from tests.edited_trees import edit, tree

Row = tuple[str, str, str]


def resolved(files: Mapping[str, str]) -> ResolutionIndex:
    facts = [language_for(path).extract(path, files[path].encode()) for path in sorted(files) if is_source(path)]
    found = resolve(facts)
    return ResolutionIndex.of("r", found, map_rows_to_symbols(found, build_outline("r", facts, [], {})))


def rows(given: ResolutionIndex) -> dict[Row, dict[str, Cell]]:
    found: dict[Row, dict[str, Cell]] = {}
    for table in build_edge_tables(given):
        labels = f"{table.type} {table.start_label} {table.end_label}"
        for at, (start, end) in enumerate(zip(table.start, table.end, strict=True)):
            cells = {name: column[at] for name, column in table.columns.items()}
            found[labels, start, end] = {name: cell for name, cell in cells.items() if cell is not None}
    return found


@pytest.mark.parametrize("seed", range(8))
def test_what_is_taken_for_equal_is_equal(seed: int) -> None:
    rng = random.Random(seed)
    files = tree(rng, 12)
    old = resolved(files)
    edit(files, rng)
    new = resolved(files)
    before, after = find_changed_symbols(old, new)
    gone, come = rows(old.chosen(before)), rows(new.chosen(after))
    assert {row: cells for row, cells in rows(old).items() if row not in gone} | come == rows(new)


def test_an_added_function_moves_all_numbers_and_makes_one_file_unequal() -> None:
    files = tree(random.Random(1), 30)
    old = resolved(files)
    files["pkg/__init__.py"] = "def first():\n    return len([])\n\n\n" + files["pkg/__init__.py"]
    new = resolved(files)
    before, after = find_changed_symbols(old, new)
    assert {new.resolution.symbols[at].path for at in np.flatnonzero(after).tolist()} == {"pkg/__init__.py"}
    assert {old.resolution.symbols[at].path for at in np.flatnonzero(before).tolist()} == {"pkg/__init__.py"}


def test_a_changed_target_makes_its_users_unequal() -> None:
    files = {"a.py": "def f():\n    pass\n", "b.py": "from a import f\n\nf()\n", "c.py": "def g():\n    pass\n"}
    old = resolved(files)
    files["a.py"] = "class f:\n    pass\n"
    new = resolved(files)
    for side, symbols in zip((old, new), find_changed_symbols(old, new), strict=True):
        assert {side.resolution.symbols[at].path for at in np.flatnonzero(symbols).tolist()} == {"b.py"}


def test_counts_and_edges_are_those_of_the_tables() -> None:
    given = resolved(tree(random.Random(3), 12))
    counted: dict[str, int] = {}
    for table in build_edge_tables(given):
        counted[table.type] = counted.get(table.type, 0) + len(table)
    assert given.counts() == counted
    edges = given.edges()
    inside = {kind: list(zip(*(pair.tolist() for pair in found), strict=True)) for kind, found in edges.by_type.items()}
    told = {
        (table.type, start, end, table.columns["count"][at] if table.type == "CALLS" else 1)
        for table in build_edge_tables(given)
        if table.type in inside and table.end_label not in ("External", "Variable")
        for at, (start, end) in enumerate(zip(table.start, table.end, strict=True))
        if table.type != "REFERENCES" or table.columns["kinds"][at] != ["import"]  # an import alone uses nothing
    }
    assert told == {
        (kind, edges.ids[start], edges.ids[end], sites) for kind, found in inside.items() for start, end, sites in found
    }
