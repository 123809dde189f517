"""`Dialect`: pass, rewrite or refuse each construct.

A construct that no rule names passes; functions are the other way round: only listed ones pass, because an engine
may know functions that mean something else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.regex_backtracking import StepBudget
from repoquarry.graphstore.query.cypher.semantics.analysis import Analysis
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.tokenizer import refuse
from repoquarry.graphstore.query.cypher.syntax.visitor import transform_children

Check = Callable[[Mapping[str, Value], StepBudget], None]
"""Raises: QueryRefusedError where the parameters' values make the query one that is refused."""


@dataclass
class RewriteContext:
    """What a rule may ask while one query is rewritten."""

    text: str
    analysis: Analysis
    path_hops: int
    query: ast.Query
    applied: list[str] = field(default_factory=list)
    cut_path_bound: int | None = None
    patterns: dict[str, ast.Expression] = field(default_factory=dict)
    """Parameters to be added: regular expressions made of literals and parameters, translated when values are known."""
    checks: list[Check] = field(default_factory=list)
    """What is asked of the parameters' values each time, before the query is sent."""
    budget: StepBudget = field(default_factory=StepBudget)
    """For the regular expressions that the query writes out."""
    fresh: int = 0

    def new_name(self) -> str:
        """A variable that the query does not use."""
        while True:
            self.fresh += 1
            name = f"_g{self.fresh}"
            if name not in self.analysis.names:
                return name


Test = Callable[[ast.Node, RewriteContext], bool]
Change = Callable[[ast.Node, ast.Node, RewriteContext], ast.Node]
"""(node as written, node with its parts already rewritten, context) -> what takes its place."""


@dataclass(frozen=True)
class DialectRule:
    """One construct of one dialect.

    `construct` is its name in the documentation; `applies` finds it in nodes of `kind`. With `change` it is
    rewritten, without it refused, `why` says why, and `instead` is the portable form. `example` shows it.
    """

    construct: str
    kind: type[ast.Node]
    applies: Test
    why: str
    example: str
    change: Change | None = None
    instead: str = ""
    reason: str = "not_portable"


@dataclass(frozen=True)
class Dialect:
    """One engine's Cypher beside Neo4j's."""

    name: str
    rules: tuple[DialectRule, ...]
    functions: frozenset[str]
    missing_functions: Mapping[str, str]
    """Functions of Neo4j that this dialect refuses, by lower-case name: why, and what to write instead."""
    finite_only: bool = False
    """Whether NaN and the infinities are refused as parameters."""

    def apply(self, query: ast.Query, context: RewriteContext) -> ast.Query:
        """The query as this engine must be sent it. Raises: QueryRefusedError."""
        by_kind: dict[type, list[DialectRule]] = {}
        for rule in self.rules:
            by_kind.setdefault(rule.kind, []).append(rule)

        def change(node: ast.Node) -> ast.Node:
            if isinstance(node, ast.Call):
                self._check_function(node, context)
            rules = [rule for rule in by_kind.get(type(node), ()) if rule.applies(node, context)]
            for rule in rules:
                if rule.change is None:
                    raise refuse(context.text, max(node.start, 0), rule.reason, _message(rule))
            rebuilt = transform_children(node, change)
            for rule in rules:
                if rule.change is not None:
                    changed = rule.change(node, rebuilt, context)
                    if changed is not rebuilt and rule.construct not in context.applied:
                        context.applied.append(rule.construct)
                    rebuilt = changed
            return rebuilt

        result = change(query)
        if not isinstance(result, ast.Query):
            raise TypeError("a rule replaced the whole query")
        return result

    def _check_function(self, node: ast.Call, context: RewriteContext) -> None:
        name = node.name.lower()
        if name in self.missing_functions:
            message = f"{node.name}() is refused on this engine: {self.missing_functions[name]}"
            raise refuse(context.text, max(node.start, 0), "function_not_portable", message)
        if name not in self.functions:
            message = f"{node.name}() is refused on this engine: nobody has shown that it gives Neo4j's answers"
            raise refuse(context.text, max(node.start, 0), "function_not_portable", message)


def _message(rule: DialectRule) -> str:
    instead = f" Write instead: {rule.instead}" if rule.instead else ""
    return f"{rule.construct} is refused on this engine: {rule.why}.{instead}"
