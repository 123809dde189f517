"""Semantic checks of path patterns: binds their variables and refuses patterns that Neo4j refuses."""

from __future__ import annotations

from collections.abc import Iterator

from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.semantics.scope import Scope
from repoquarry.graphstore.query.cypher.semantics.type_inference import ExpressionChecker
from repoquarry.graphstore.query.cypher.semantics.types import Type
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.visitor import children, iterate_nodes

_NODE, _RELATIONSHIP, _PATH = types.of(types.NODE), types.of(types.RELATIONSHIP), types.of(types.PATH)


class PatternChecker(ExpressionChecker):
    """Expression checker with path patterns."""

    def check_patterns(self, patterns: tuple[ast.PathPattern, ...], scope: Scope) -> Scope:
        """Return the scope after a MATCH of these patterns; their conditions may use any variable of any of them."""
        inner = dict(scope)
        for path in patterns:
            self._bind_path(path, inner, scope)
        paths = {path.variable for path in patterns}
        around = {name: kind for name, kind in inner.items() if name not in paths}
        for path in patterns:
            self._check_parts(path.elements, inner, around)
        return inner

    def check_PatternComprehension(self, node: ast.PatternComprehension, scope: Scope) -> Type:
        inner = self.check_patterns((node.pattern,), scope)
        self.condition(node.where, inner)
        return types.list_of(self.type_of(node.result, inner))

    def check_pattern_predicate(self, pattern: ast.PathPattern, scope: Scope) -> Type:
        for name, node in pattern_variables(pattern):
            if name not in scope:
                raise self.findings.error(
                    node,
                    "pattern_introduces_variable",
                    f"PatternExpressions are not allowed to introduce new variables: '{name}'. "
                    f"Use EXISTS {{ }} or leave the name out",
                )
        self.check_patterns((pattern,), scope)
        return types.of(types.BOOLEAN)

    def _bind_path(self, path: ast.PathPattern, inner: Scope, outer: Scope) -> None:
        if path.shortest and not path.is_counted:
            self._check_shortest(path)
        for element in path.elements:
            if isinstance(element, ast.RelationshipPattern) and element.group is not None:
                own = self._own_scope(element.group, inner)
                inner.update((name, types.list_of(kind)) for name, kind in own.items())
            if element.variable is not None:
                if element.variable in inner and isinstance(element, ast.RelationshipPattern):
                    self.findings.rebound.add(id(element))
                self._bind(element, _element_type(element), inner)
        if path.variable is not None:
            if path.variable in inner:
                raise self.findings.error(path, "already_declared", f"Variable `{path.variable}` already declared")
            inner[path.variable] = _PATH
            self.findings.names.add(path.variable)

    def _bind(self, element: ast.NodePattern | ast.RelationshipPattern, wanted: Type, inner: Scope) -> None:
        name = element.variable or ""
        self.findings.names.add(name)
        found = inner.get(name)
        if found is None:
            inner[name] = wanted
            return
        clash = bool(found.kinds) and not found.holds(*wanted.kinds)
        if not clash and wanted.item is not None and found.item is not None and found.item.kinds:
            clash = not found.item.holds(*wanted.item.kinds)
        if clash:
            raise self.findings.error(
                element,
                "type_mismatch",
                f"Type mismatch: {name} defined with conflicting type {found.describe()} "
                f"(expected {wanted.describe()})",
            )
        inner[name] = wanted

    def _own_scope(self, group: ast.PathGroup, outer: Scope) -> Scope:
        """Return the variables of a group as its conditions see them: one node or relationship each."""
        own: Scope = {}
        for element in group.elements:
            name = element.variable
            if name is None:
                continue
            if name in outer or (name in own and isinstance(element, ast.RelationshipPattern)):
                raise self.findings.error(
                    element, "already_declared",
                    f"The variable `{name}` occurs inside of a quantified path group and elsewhere, or twice: rename it",
                )  # fmt: skip
            self._bind(element, _element_type(element), own)
        return own

    def _check_group(self, group: ast.PathGroup, around: Scope) -> None:
        """Check a group; its conditions see its own variables one by one, and those of the same MATCH other than paths."""
        steps = [element for element in group.elements if isinstance(element, ast.RelationshipPattern)]
        if not steps:
            raise self.findings.error(
                group, "quantified_path_pattern", "A quantified path group needs at least one relationship"
            )
        for step in steps:
            if step.length is not None:
                raise self.findings.error(
                    step.length, "quantified_path_pattern",
                    "A variable-length or quantified relationship cannot be part of a quantified path group",
                )  # fmt: skip
        scope = {**around, **self._own_scope(group, {})}
        self._check_parts(group.elements, scope, around)
        self.condition(group.where, scope)

    def _check_parts(
        self, elements: tuple[ast.NodePattern | ast.RelationshipPattern, ...], scope: Scope, around: Scope
    ) -> None:
        for element in elements:
            if isinstance(element, ast.RelationshipPattern) and element.group is not None:
                self._check_group(element.group, around)
            if isinstance(element.properties, ast.Parameter):
                raise self.findings.error(
                    element.properties,
                    "parameter_map",
                    "Parameter maps cannot be used in MATCH patterns: use a literal map, such as {id: $p.id}",
                )
            if element.properties is not None:
                self.type_of(element.properties, scope)
            if isinstance(element, ast.NodePattern):
                self._check_labels(element.labels)
            else:
                self._check_relationship(element)
            is_repeated = isinstance(element, ast.RelationshipPattern) and element.length is not None
            self.condition(element.where, _single(element, around if is_repeated else scope))

    def _check_relationship(self, element: ast.RelationshipPattern) -> None:
        if element.length is not None and element.length.quantifier:
            self._check_quantifier(element.length)
        if element.length is not None and element.where is not None and not element.length.quantifier:
            raise self.findings.error(
                element.where,
                "condition_in_variable_length",
                "Relationship pattern predicates are not supported for variable-length relationships: "
                "write WHERE all(r IN relationships(p) WHERE ...)",
            )
        if element.types is None:
            return
        named = element.variable is not None or element.length is not None or element.properties is not None
        for part in iterate_nodes(element.types):
            if isinstance(part, ast.LabelAnd) and part.colon:
                raise self.findings.error(
                    part, "type_expression", "Relationship types may not be combined with ':'; use '|' between them"
                )
            if isinstance(part, ast.LabelOr) and part.colon and named:
                raise self.findings.error(part, "type_expression", "Write ':A|B' instead of ':A|:B'")

    def check_lengths(self, clause: ast.Match) -> None:
        """Check the two kinds of lengths, which one MATCH cannot combine; subqueries are checked separately."""
        waiting: list[ast.Node] = [clause]
        lengths: list[ast.Length] = []
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Length):
                lengths.append(node)
            if not isinstance(node, ast.Subquery):
                waiting.extend(children(node))
        stars = [length for length in lengths if not length.quantifier]
        if stars and len(stars) < len(lengths):
            raise self.findings.error(
                min(stars, key=lambda length: length.start), "mixed_lengths",
                "Mixing variable-length relationships such as -[*1..2]- with quantified ones such as -->{1,2} in one MATCH is "
                "not allowed: use one kind, or two MATCH clauses",
            )  # fmt: skip

    def _check_quantifier(self, length: ast.Length) -> None:
        if length.high == 0:
            raise self.findings.error(length, "quantifier", "A quantifier for a path pattern must not be limited by 0")
        if length.high is not None and length.low is not None and length.low > length.high:
            raise self.findings.error(
                length, "quantifier",
                f"A quantifier's lower bound must not exceed its upper bound: {length.low} is greater than {length.high}",
            )  # fmt: skip

    def _check_labels(self, labels: ast.LabelExpression | None) -> None:
        if labels is None:
            return
        parts = list(iterate_nodes(labels))
        colons = any(isinstance(part, ast.LabelAnd | ast.LabelOr) and part.colon for part in parts)
        symbols = any(
            isinstance(part, ast.LabelNot | ast.LabelWildcard)
            or (isinstance(part, ast.LabelAnd | ast.LabelOr) and not part.colon)
            for part in parts
        )
        if (colons and symbols) or any(isinstance(part, ast.LabelOr) and part.colon for part in parts):
            raise self.findings.error(
                labels, "label_expression", "Mixing '|', '&', '!' or '%' with ':' between labels is not allowed"
            )

    def _check_shortest(self, path: ast.PathPattern) -> None:
        if len(path.steps) != 1:
            raise self.findings.error(
                path, "shortest_path", f"{path.shortest}(...) requires a pattern containing a single relationship"
            )
        length = path.steps[0].length
        if length is not None and length.quantifier:
            raise self.findings.error(length, "shortest_path", f"{path.shortest}(...) wants '*', not a quantifier")
        if length is not None and length.low not in (None, 0, 1):
            raise self.findings.error(
                length, "shortest_path", f"{path.shortest}(...) does not support a minimal length different from 0 or 1"
            )


def _element_type(element: ast.NodePattern | ast.RelationshipPattern) -> Type:
    if isinstance(element, ast.NodePattern):
        return _NODE
    return _RELATIONSHIP if element.length is None else types.list_of(_RELATIONSHIP)


def pattern_variables(pattern: ast.PathPattern) -> Iterator[tuple[str, ast.Node]]:
    """Yield the variables of a pattern, with the parts that name them."""
    if pattern.variable is not None:
        yield pattern.variable, pattern
    for element in pattern.elements:
        if element.variable is not None:
            yield element.variable, element


def _single(element: ast.NodePattern | ast.RelationshipPattern, scope: Scope) -> Scope:
    """Return the scope of an inner WHERE: that of a quantified relationship sees one relationship of the list."""
    if isinstance(element, ast.NodePattern) or element.length is None or element.variable is None:
        return scope
    return {**scope, element.variable: _RELATIONSHIP}
