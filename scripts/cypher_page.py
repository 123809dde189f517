"""Generated part of docs/cypher.md: the table of constructs per dialect, between two markers."""

from __future__ import annotations

from pathlib import Path

from repoquarry.graphstore.query.cypher import dialects
from repoquarry.graphstore.query.cypher.dialect import Dialect, DialectRule
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- constructs: generated, do not edit -->", "<!-- end of constructs -->"


def construct_table() -> str:
    """Markdown: for each dialect what is rewritten and what is refused; everything else passes."""
    return "\n".join(line for name in dialects.names() for line in _dialect(dialects.load(name)))


def _dialect(dialect: Dialect) -> list[str]:
    rewritten = [rule for rule in dialect.rules if rule.change is not None and rule.example]
    refused = [rule for rule in dialect.rules if rule.change is None]
    lines = [f"### On {dialect.name}", "", "| Rewritten | How | Example |", "|---|---|---|"]
    lines += [f"| {_cell(rule.construct)} | {_cell(rule.why)} | `{_code(rule)}` |" for rule in rewritten]
    if refused:
        lines += ["", "| Refused | Why | Write instead | Example |", "|---|---|---|---|"]
        lines += [
            f"| {_cell(rule.construct)} | {_cell(rule.why)} | {_cell(rule.instead)} | `{_code(rule)}` |"
            for rule in refused
        ]
    passing = sorted(SIGNATURES[name].name for name in dialect.functions)
    lines += ["", f"Functions that pass: {', '.join(f'`{name}`' for name in passing)}.", ""]
    if dialect.missing_functions:
        lines += ["| Function refused | Why, and what to write instead |", "|---|---|"]
        lines += [
            f"| `{SIGNATURES[name].name}` | {_cell(why)} |" for name, why in sorted(dialect.missing_functions.items())
        ]
        lines.append("")
    return lines


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _code(rule: DialectRule) -> str:
    return rule.example.replace("|", "\\|").replace("`", "'")


def cypher_page() -> str:
    """docs/cypher.md, with the part between the markers rebuilt."""
    text = (ROOT / "docs/cypher.md").read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{construct_table()}\n{END}{after}"
