"""Call-graph cases: each folder below `cases` is a small repository, its `expected.json` says what every caller in it calls.

Callers that call nothing are omitted; names are those of `export --format callgraph-json`.
"""

import json
from pathlib import Path

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.server.exports.drawing_formats import DEFAULT_CONFIDENCE
from tests.golden import GoldenFiles
from tests.resolution_export import GOLDEN, call_graph_of, golden_section, read_program

CASES = sorted(path.parent for path in (Path(__file__).parent / "cases").rglob("expected.json"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_call_graph_is_as_expected(case: Path) -> None:
    files, _ = read_program(case)
    assert all(not facts.parse_errors for facts in files)
    graph = call_graph_of(resolve(files), files, DEFAULT_CONFIDENCE)
    found = {caller: callees for caller, callees in graph.items() if callees}
    assert found == json.loads((case / "expected.json").read_text())


def test_resolution_of_the_cases_equals_the_golden_file(golden_files: GoldenFiles) -> None:
    programs = ((case.name, *read_program(case)) for case in CASES)
    sections = (golden_section(*program, resolve(program[1], configuration=program[2])) for program in programs)
    golden_files.check(GOLDEN / "cases.txt", "\n".join(line for section in sections for line in section) + "\n")
