"""Generator of the generated documentation pages; with `--check` it fails if one is out of date.

A page is a function that returns its complete text from the code that it describes, so that it stays up to date.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from agent_page import agent_page  # noqa: E402 - after the path is set
from change_page import change_page  # noqa: E402
from charts import CHARTS, chart  # noqa: E402
from client_page import client_page  # noqa: E402
from cypher_page import constructs_page, cookbook_page  # noqa: E402
from data_tables import page_with_tables  # noqa: E402
from json_schemas import json_schema_page  # noqa: E402
from man_page import man_page  # noqa: E402
from service_pages import cli_page, errors_page, rpc_page, settings_page  # noqa: E402

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property  # noqa: E402


def schema_page() -> str:
    """Return docs/reference/schema.md: every label, relationship type and property."""
    lines = [
        "# The graph",
        "",
        "<!-- generated from repoquarry/graphstore/model/schema.tsv by scripts/generate_docs.py -->",
        "",
        "Line numbers are 1-based and inclusive; paths are relative to the repository's root, with forward slashes. A property marked",
        "`always` is set on every node or relationship of its kind; other properties are null if unknown.",
        "",
        "## Nodes",
    ]
    for label in NODE_LABELS.values():
        lines += ["", f"### {label.name}", "", _sentence(label.meaning), "", *_table(label.properties)]
    lines += ["", "## Relationships"]
    for kind in RELATIONSHIP_TYPES.values():
        ends = f"`{' | '.join(kind.start)}` to `{' | '.join(kind.end)}`"
        lines += ["", f"### {kind.name}", "", f"{_sentence(kind.meaning)} From {ends}."]
        if kind.properties:
            lines += ["", *_table(kind.properties)]
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _table(properties: tuple[Property, ...]) -> list[str]:
    rows = ["| property | kind | set | meaning |", "|---|---|---|---|"]
    for prop in properties:
        meaning = prop.meaning.replace("|", "\\|")
        rows.append(f"| `{prop.name}` | {prop.kind.value} | {'always' if prop.required else ''} | {meaning} |")
    return rows


def decisions_page() -> str:
    """docs/decisions/README.md: the number and title of every decision record."""
    lines = [
        "# Decision records",
        "",
        "<!-- generated from the records by scripts/generate_docs.py -->",
        "",
        "The records explain the architecture as it is: each has a context, a decision and a consequence. A record that no longer",
        "does is removed; the numbers of removed records are not used again.",
        "",
    ]
    for path in sorted((ROOT / "docs/decisions").glob("[0-9]*.md")):
        number, _, title = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").partition(". ")
        lines.append(f"- {number}: [{title}]({path.name})")
    return "\n".join(lines) + "\n"


PAGES: Mapping[str, Callable[[], str]] = {
    "docs/reference/schema.md": schema_page,
    "docs/reference/cli.md": cli_page,
    "docs/reference/cypher-constructs.md": constructs_page,
    "docs/reference/cookbook.md": cookbook_page,
    "docs/reference/agent-reference.md": agent_page,
    "docs/decisions/README.md": decisions_page,
    "docs/reference/change-map.md": change_page,
    **{
        name: partial(page_with_tables, name)
        for name in (
            "docs/explanation/comparison.md",
            "docs/guides/installation.md",
            "docs/explanation/benchmarks.md",
            "docs/explanation/papers.md",
            "docs/explanation/query-security.md",
        )
    },
    "docs/reference/rpc.md": rpc_page,
    "docs/reference/client.md": client_page,
    "docs/reference/settings.md": settings_page,
    "docs/reference/errors.md": errors_page,
    "docs/data/cli_json.schema.json": json_schema_page,
    "man/repoquarry.1": man_page,
    **{f"docs/pictures/{name}.svg": partial(chart, name) for name in CHARTS},
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when a page is out of date")
    check = parser.parse_args().check
    stale = 0
    for name, page in PAGES.items():
        path = ROOT / name
        text = page()
        current = path.read_text(encoding="utf-8") if path.exists() else ""
        if text == current:
            continue
        if check:
            stale += 1
            sys.stderr.writelines(
                difflib.unified_diff(current.splitlines(True), text.splitlines(True), name, "generated", n=1)
            )
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    if stale:
        print(f"{stale} page(s) out of date: run `make generate`", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
