"""Bar charts of docs/data as SVG files in docs/pictures, which the page of benchmarks shows."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from html import escape

from data_tables import DATA

_ROW, _LEFT, _WIDTH = 22, 320, 780
_STYLE = (
    "text{font:13px sans-serif;fill:#24292f}.bar{fill:#8c959f}.ours{fill:#0f6a8b}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.bar{fill:#6e7681}.ours{fill:#4aa8cc}}"
)


@dataclass(frozen=True)
class Chart:
    """Bars of one column of a table. `columns` are the numbers of the label columns and of the value column."""

    title: str
    table: str
    columns: tuple[int, ...]
    ours: tuple[str, ...]
    """Beginnings of the labels of our own bars."""


CHARTS = {
    "index_time": Chart("Indexing Django, wall time in seconds", "tool_comparison", (0, 1, 2), ("RepoQuarry",)),
    "index_memory": Chart("Indexing Django, peak memory in MB", "tool_comparison", (0, 1, 4), ("RepoQuarry",)),
    "call_recall": Chart("Explicit calls of test runs that have an edge (recall)", "call_traces", (0, 1), ("",)),
    "call_precision": Chart("Edges that the test runs confirm (precision)", "call_traces", (0, 5), ("",)),
    "localization": Chart(
        "All files of a fix among the first five", "localization_languages", (0, 2), ("tree", "with git")
    ),
}


def chart(name: str) -> str:
    """Return the SVG text of a chart."""
    drawn = CHARTS[name]
    bars = _read_bars(drawn)
    most = max(value for _, value, _ in bars)
    height = _ROW * (len(bars) + 2)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">',
        f"<title>{escape(drawn.title)}</title><style>{_STYLE}</style>",
        f'<text x="8" y="{_ROW - 5}" font-weight="bold">{escape(drawn.title)}</text>',
    ]
    for number, (label, value, shown) in enumerate(bars):
        top = _ROW * (number + 1) + 6
        length = (_WIDTH - _LEFT - 70) * value / most
        kind = "bar ours" if label.startswith(drawn.ours) else "bar"
        lines += [
            f'<text x="{_LEFT - 8}" y="{top + 13}" text-anchor="end">{escape(label)}</text>',
            f'<rect class="{kind}" x="{_LEFT}" y="{top}" width="{length:.1f}" height="{_ROW - 6}"/>',
            f'<text x="{_LEFT + length + 6:.1f}" y="{top + 13}">{escape(shown)}</text>',
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _read_bars(drawn: Chart) -> list[tuple[str, float, str]]:
    """Read label, value and value as written; an empty first label repeats the one above."""
    with (DATA / f"{drawn.table}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    *labels, column = drawn.columns
    bars, first = [], ""
    for row in rows:
        first = row[labels[0]] or first
        label = ", ".join([first, *(row[place] for place in labels[1:])]).replace("`", "")
        bars.append((label, float(row[column].replace(",", "")), row[column]))
    return bars
