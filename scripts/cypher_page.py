"""Page docs/reference/cypher-constructs.md: constructs that each dialect rewrites or refuses, and the functions that it knows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from repoquarry.graphstore.query.cypher import dialects
from repoquarry.graphstore.query.cypher.dialect import Dialect, DialectRule
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES


def constructs_page() -> str:
    """Return docs/reference/cypher-constructs.md: for each dialect the rewritten and the refused constructs; all others pass."""
    lines = [
        "# Cypher constructs by engine",
        "",
        "<!-- generated from repoquarry/graphstore/query/cypher/dialects by scripts/generate_docs.py -->",
        "",
        "The gate passes every construct of [cypher.md](cypher.md) that is not listed here unchanged.",
        "",
    ]
    lines += [line for name in dialects.names() for line in _dialect(dialects.load(name))]
    return "\n".join(lines)


def _dialect(dialect: Dialect) -> list[str]:
    rewritten = [rule for rule in dialect.rules if rule.change is not None and rule.example]
    refused = [rule for rule in dialect.rules if rule.change is None]
    lines = [f"## {dialect.name}: rewritten constructs", "", "| construct | rewrite | example |", "|---|---|---|"]
    lines += [f"| {_cell(rule.construct)} | {_cell(rule.why)} | `{_code(rule)}` |" for rule in rewritten]
    if refused:
        lines += ["", f"## {dialect.name}: refused constructs", ""]
        lines += ["| construct | reason | write instead | example |", "|---|---|---|---|"]
        lines += [
            f"| {_cell(rule.construct)} | {_cell(rule.why)} | {_cell(rule.instead)} | `{_code(rule)}` |"
            for rule in refused
        ]
    lines += ["", f"## {dialect.name}: functions", "", f"Available: {_names(dialect.functions)}.", ""]
    if dialect.missing_functions:
        names_by_reason: defaultdict[str, list[str]] = defaultdict(list)
        for name, why in dialect.missing_functions.items():
            names_by_reason[why].append(name)
        lines += ["| refused functions | reason, and what to write instead |", "|---|---|"]
        lines += [f"| {_names(names)} | {_cell(why)} |" for why, names in sorted(names_by_reason.items())]
        lines.append("")
    return lines


def _names(keys: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(SIGNATURES[key].name for key in keys))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _code(rule: DialectRule) -> str:
    return rule.example.replace("|", "\\|").replace("`", "'")
