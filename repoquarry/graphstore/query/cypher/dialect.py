"""Cypher dialects of engines: rules that rewrite or refuse each construct whose result would differ from that of Neo4j or cost too much.

A construct without a rule passes. Only listed functions pass, because an engine may have functions of the same name with another meaning.

Neo4j 5 is the reference. The rules of kglite were found by running the openCypher TCK, a table of values for every function and operator,
the project's corpus and random queries on it and on Neo4j 5.26. kglite must run without the optimizer passes listed in
`repoquarry.graphstore.engines.kglite.optimizer_passes` and with `hide_structural_keys`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.regex_backtracking import StepBudget
from repoquarry.graphstore.query.cypher.semantics.scope import Analysis
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.tokenizer import refuse
from repoquarry.graphstore.query.cypher.syntax.visitor import transform_children

Check = Callable[[Mapping[str, Value], StepBudget], None]
"""Check of parameter values. Raises: QueryRefusedError."""


@dataclass
class RewriteContext:
    """State of the rewrite of one query, for its rules."""

    text: str
    analysis: Analysis
    path_hops: int
    query: ast.Query
    applied: list[str] = field(default_factory=list)
    cut_path_bound: int | None = None
    patterns: dict[str, ast.Expression] = field(default_factory=dict)
    """Additional parameters: regular expressions made of literals and parameters, translated when values are known."""
    checks: list[Check] = field(default_factory=list)
    """Checks of the parameter values before each execution."""
    budget: StepBudget = field(default_factory=StepBudget)
    """Budget for the literal regular expressions of the query."""
    fresh: int = 0

    def new_name(self) -> str:
        """Return a variable that the query does not use."""
        while True:
            self.fresh += 1
            name = f"_g{self.fresh}"
            if name not in self.analysis.names:
                return name


Test = Callable[[ast.Node, RewriteContext], bool]
Change = Callable[[ast.Node, ast.Node, RewriteContext], ast.Node]
"""(node as written, node with rewritten parts, context) -> replacement."""


@dataclass(frozen=True)
class DialectRule:
    """Rule for one construct of one dialect.

    `construct` is its name in the documentation; `applies` finds it in nodes of `kind`, None takes all. With `change` it is rewritten. Without, it is
    refused: `why` is the reason, and `instead` the portable form. `example` shows it.
    """

    construct: str
    kind: type[ast.Node]
    functions: frozenset[str]
    """Lower-case names of the functions that the rule is for; empty for a rule of any node of its kind."""

    applies: Test | None
    why: str
    example: str = ""
    change: Change | None = None
    instead: str = ""
    reason: str = "not_portable"
    is_early: bool = False
    """True if the rewritten query is analyzed again before the other rules."""

    def matches(self, node: ast.Node, context: RewriteContext) -> bool:
        """Return whether the rule is for a node of its kind."""
        if self.functions and (not isinstance(node, ast.Call) or node.name.lower() not in self.functions):
            return False
        return self.applies is None or self.applies(node, context)


def _read_rules(dialect: str) -> tuple[DialectRule, ...]:
    """Read the rules of a dialect from rules.toml; where `node` is a class of `ast`."""
    table = tomllib.loads(Path(__file__).with_name("rules.toml").read_text("utf-8"))
    rules: list[DialectRule] = []
    for entry in table["rule"]:
        named = entry.pop("dialect", "kglite")
        if named == "all" or dialect in ([named] if isinstance(named, str) else named):
            kind, functions = getattr(ast, entry.pop("node")), frozenset(entry.pop("functions", ()))
            applies, change = (_load(entry.pop(key, None)) for key in ("applies", "change"))
            rules.append(DialectRule(kind=kind, functions=functions, applies=applies, change=change, **entry))
    return tuple(rules)


def _load(name: str | None) -> Any:
    if name is None:
        return None
    module, _, function = name.rpartition(".")
    return getattr(import_module(f"{__package__}.rewrites.{module}"), function)


@dataclass(frozen=True)
class Dialect:
    """Differences of one engine's Cypher from Neo4j's."""

    name: str
    rules: tuple[DialectRule, ...]
    functions: frozenset[str]
    missing_functions: Mapping[str, str]
    """Functions of Neo4j that this dialect refuses, by lower-case name: the reason and the alternative."""
    finite_only: bool = False
    """True if NaN and the infinities are refused as parameters."""

    def apply(self, query: ast.Query, context: RewriteContext, *, early: bool = False) -> ast.Query:
        """Rewrite a query for this engine by its early rules or by the others. Raises: QueryRefusedError."""
        by_kind: dict[type, list[DialectRule]] = {}
        for rule in self.rules:
            if rule.is_early == early:
                by_kind.setdefault(rule.kind, []).append(rule)

        def change(node: ast.Node) -> ast.Node:
            if isinstance(node, ast.Call) and not early:
                self._check_function(node, context)
            rules = [rule for rule in by_kind.get(type(node), ()) if rule.matches(node, context)]
            for rule in rules:
                if rule.change is None:
                    raise refuse(context.text, max(node.start, 0), rule.reason, _message(rule))
            rebuilt = transform_children(node, change)
            for rule in rules:
                if rule.change is not None:
                    changed = rule.change(node, rebuilt, context)
                    if changed != rebuilt and rule.construct not in context.applied:
                        context.applied.append(rule.construct)
                    rebuilt = changed
            return rebuilt

        result = change(query) if by_kind else query
        if not isinstance(result, ast.Query):
            raise TypeError("a rule replaced the whole query")
        return result

    def _check_function(self, node: ast.Call, context: RewriteContext) -> None:
        name = node.name.lower()
        if name in self.missing_functions:
            message = f"{node.name}() is refused on this engine: {self.missing_functions[name]}"
            raise refuse(context.text, max(node.start, 0), "function_not_portable", message)
        if name not in self.functions:
            message = f"{node.name}() is refused on this engine: its results are not verified against Neo4j"
            raise refuse(context.text, max(node.start, 0), "function_not_portable", message)


def _message(rule: DialectRule) -> str:
    instead = f" Write instead: {rule.instead}" if rule.instead else ""
    return f"{rule.construct} is refused on this engine: {rule.why}.{instead}"


_KGLITE_FUNCTIONS = frozenset({
    "abs", "avg", "btrim", "ceil", "coalesce", "collect", "count", "e", "endnode", "exists", "exp", "floor", "head",
    "keys", "labels", "last", "left", "length", "log", "log10", "ltrim", "max", "min", "nodes", "pi", "properties", "rand",
    "randomuuid", "range", "relationships", "replace", "reverse", "right", "round", "rtrim", "sign", "size", "split",
    "sqrt", "startnode", "substring", "sum", "tail", "toboolean", "tofloat", "tointeger", "tolower",
    "tostring", "toupper", "trim", "type", "valuetype",
    # rewritten
    "percentilecont", "percentiledisc", "stdev", "stdevp",
    "tobooleanlist", "tobooleanornull", "tofloatornull", "tointegerornull", "tostringornull",
    "char_length", "character_length", "isempty", "lower", "nullif", "tofloatlist", "tointegerlist", "tostringlist",
    "upper",
})  # fmt: skip
_TEMPORAL = "the engine has no temporal values: keep times as numbers or ISO strings"
_DAY = (
    "the engine has no temporal values: compare date(m.last_changed), date(r.commit_date) or date(datetime(r.indexed_at)) with "
    "date('2026-01-31'), read .year, .month or .day of these, or use the ISO string itself"
)
_INTERNAL_ID = "internal numbers differ from engine to engine and change: use n.id, which is stable"
_LAST_DIGIT = "the last digit differs from Neo4j's"
_KGLITE_MISSING = {
    "id": _INTERNAL_ID,
    "elementid": _INTERNAL_ID,
    "isnan": "no query on this engine yields NaN",
    "normalize": "the engine lacks it",
    **dict.fromkeys(("sin", "cos", "tan", "cot", "asin", "acos", "atan", "atan2", "haversin", "degrees", "radians"),
                    _LAST_DIGIT),
    **dict.fromkeys(("point", "point.distance", "point.withinbbox"), "the graph holds no points"),
    **dict.fromkeys(("vector.similarity.cosine", "vector.similarity.euclidean"), "use the search of the service"),
    **dict.fromkeys(("date", "datetime"), _DAY),
    **dict.fromkeys(("localdatetime", "localtime", "time", "timestamp", "duration"), _TEMPORAL),
    **{f"{kind}.{how}": _TEMPORAL for kind in ("date", "datetime", "localdatetime", "localtime", "time")
       for how in ("realtime", "statement", "transaction", "truncate")},
    **{f"duration.{how}": _TEMPORAL for how in ("between", "indays", "inmonths", "inseconds")},
    "datetime.fromepoch": _TEMPORAL,
    "datetime.fromepochmillis": _TEMPORAL,
}  # fmt: skip

DIALECT_NAMES = ("duckdb", "kglite", "neo4j")


@cache
def load_dialect(name: str) -> Dialect:
    """Load the dialect of an engine with its rules. Raises: ValueError for an unknown name, with the known ones."""
    if name not in DIALECT_NAMES:
        raise ValueError(f"unknown dialect {name!r}; known: {', '.join(DIALECT_NAMES)}")
    if name == "neo4j":
        return Dialect(name, _read_rules(name), frozenset(SIGNATURES), {})
    if name == "duckdb":
        return Dialect(name, _read_rules(name), _KGLITE_FUNCTIONS, _KGLITE_MISSING, finite_only=True)
    return Dialect(name, _read_rules(name), _KGLITE_FUNCTIONS, _KGLITE_MISSING, finite_only=True)
