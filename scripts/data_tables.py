"""Tables of hand-written pages, rendered from the CSV files in docs/data.

A page marks each table by `<!-- table: NAME.csv -->` and `<!-- end of table -->`; the text between the two is replaced.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "docs" / "data"
_TABLE = re.compile(r"(<!-- table: (\w+)\.csv -->\n).*?(<!-- end of table -->)", re.DOTALL)


def page_with_tables(name: str) -> str:
    """Return the text of a page with its tables rendered again."""
    return _TABLE.sub(
        lambda found: f"{found[1]}\n{_render(found[2])}\n{found[3]}", (ROOT / name).read_text(encoding="utf-8")
    )


def _render(name: str) -> str:
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return "".join([_row(header), "|---" * len(header) + "|\n", *map(_row, rows)])


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
