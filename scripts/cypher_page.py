"""Pages of Cypher in docs/reference: cypher-constructs.md (rewrites and refusals by dialect) and cookbook.md (named queries)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from repoquarry.graphstore.query.cypher.dialect import DIALECT_NAMES, Dialect, DialectRule, load_dialect
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES
from repoquarry.graphstore.query.query_library import QueryLibrary


def constructs_page() -> str:
    """Return docs/reference/cypher-constructs.md: for each dialect the rewritten and the refused constructs; all others pass."""
    lines = [
        "# Cypher constructs by engine",
        "",
        "<!-- generated from repoquarry/graphstore/query/cypher/rules.toml by scripts/generate_docs.py -->",
        "",
        "The gate passes every construct of [cypher.md](cypher.md) that is not listed here unchanged.",
        "",
    ]
    lines += [line for name in DIALECT_NAMES for line in _dialect(load_dialect(name))]
    return "\n".join(lines)


def cookbook_page() -> str:
    """Return docs/reference/cookbook.md: the shipped named queries by topic, with parameters and text."""
    lines = [
        "# Cookbook",
        "",
        "<!-- generated from repoquarry/graphstore/query/library by scripts/generate_docs.py -->",
        "",
        "`repoquarry query --named NAME` runs a query of this page ([cypher.md](cypher.md#named-queries)); `repoquarry check NAME`",
        "checks a rule. Parameters with a default may be omitted. The tests run each query on both engines;",
        "[benchmarks.md](../explanation/benchmarks.md#queries) reports their cost on Django.",
    ]
    topic = ""
    for query in QueryLibrary().queries.values():
        if query.topic != topic:
            topic = query.topic
            lines += ["", f"## {topic.capitalize()}"]
        lines += ["", f"### {query.name}", "", query.purpose]
        if query.parameters:
            lines += ["", "| parameter | kind | default | meaning |", "|---|---|---|---|"]
        for one in query.parameters:
            default = "required" if one.default is None else f"`{one.default}`"
            lines.append(f"| `{one.name}` | {one.kind} | {default} | {_cell(one.meaning)} |")
        lines += ["", "```cypher", query.text, "```"]
    return "\n".join(lines) + "\n"


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
