"""Table of the programs of frameworks: expected calls that are found, and calls that are invented.

Run `python -m tests.benchmarks.callgraph.framework_table`; `--json` prints the rows. A line with `?` counts as missing.
"""

from __future__ import annotations

import json
import sys
from typing import NamedTuple

from tests.unit.resolution.test_framework_programs import CASES, find_calls, has_edge


class FrameworkRow(NamedTuple):
    """Figures of one program."""

    language: str
    program: str
    found: int
    expected: int
    invented: int
    forbidden: int


def measure() -> list[FrameworkRow]:
    """Resolve every program."""
    rows = list[FrameworkRow]()
    for language, title, texts in CASES:
        lines = [line for line in texts["expected"].split("\n") if line]
        calls = find_calls({path: text for path, text in texts.items() if path != "expected"})
        wanted = [line.removeprefix("? ") for line in lines if line[0] != "!"]
        others = [line.removeprefix("! ") for line in lines if line[0] == "!"]
        found, invented = (sum(has_edge(calls, line) for line in some) for some in (wanted, others))
        rows.append(FrameworkRow(language, title, found, len(wanted), invented, len(others)))
    return rows


def main() -> None:
    rows = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps([row._asdict() for row in rows]))
        return
    print("| language | program | found | invented |\n|---|---|---|---|")
    for row in rows:
        print(f"| {row.language} | {row.program} | {row.found} of {row.expected} | {row.invented} of {row.forbidden} |")
    total = [sum(column) for column in zip(*(row[2:] for row in rows), strict=True)]
    print(f"| all | | {total[0]} of {total[1]} | {total[2]} of {total[3]} |")


if __name__ == "__main__":
    main()
