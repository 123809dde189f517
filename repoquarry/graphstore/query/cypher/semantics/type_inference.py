"""Type inference of Cypher expressions: records the type of each expression and refuses operands of the wrong type.

It runs twice per query: with Neo4j's view, where a property can be anything, to reject what Neo4j rejects; and with the schema's view,
which raises nothing but knows, for example, that `n.lines` is an integer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.semantics.scope import Analysis, Scope
from repoquarry.graphstore.query.cypher.semantics.types import (
    ANY,
    ARITHMETIC,
    SIGNATURES,
    Type,
    null_sum,
    seen_by_neo4j,
    type_of_value,
)
from repoquarry.graphstore.query.cypher.syntax import ast

_BOOLEAN, _INTEGER, _STRING = types.of(types.BOOLEAN), types.of(types.INTEGER), types.of(types.STRING)
_FLOAT = types.of(types.FLOAT)
_HAS_PROPERTIES = types.of(types.MAP, types.NODE, types.RELATIONSHIP, types.POINT, types.DURATION, types.TEMPORAL)
_ENTITY = types.of(types.NODE, types.RELATIONSHIP)


class ExpressionChecker(ABC):
    """Checker that types every expression: `check_X` types a node of the class X of `ast`. Subclasses check patterns and subqueries."""

    def __init__(self, findings: Analysis) -> None:
        self.findings = findings

    @abstractmethod
    def check_pattern_predicate(self, pattern: ast.PathPattern, scope: Scope) -> Type: ...

    def type_of(self, node: ast.Expression, scope: Scope) -> Type:
        """Return and record the type of an expression. Raises: QueryRefusedError."""
        found: Type = getattr(self, f"check_{type(node).__name__}")(node, scope)
        self.findings.types[id(node)] = found
        return found

    def condition(self, node: ast.Expression | None, scope: Scope) -> None:
        """Check an expression that must be a Boolean: WHERE and the like."""
        if isinstance(node, ast.PatternPredicate) and not node.pattern.shortest:
            self.findings.types[id(node)] = self.check_pattern_predicate(node.pattern, scope)
        elif node is not None:
            self.expected_type(node, scope, _BOOLEAN)

    def expected_type(self, node: ast.Expression, scope: Scope, wanted: Type) -> Type:
        found = self.type_of(node, scope)
        self.findings.expect(node, found, wanted)
        return found

    def check_Literal(self, node: ast.Literal, scope: Scope) -> Type:
        return type_of_value(node.value)

    def check_Parameter(self, node: ast.Parameter, scope: Scope) -> Type:
        if node.name not in self.findings.parameters:
            raise self.findings.error(node, "missing_parameter", f"The parameter ${node.name} was not given")
        found = self.findings.parameters[node.name]
        return found if not self.findings.strict else seen_by_neo4j(found)

    def check_Variable(self, node: ast.Variable, scope: Scope) -> Type:
        if node.name not in scope:
            message = f"Variable `{node.name}` not defined"
            raise self.findings.unknown(node, message, node.name, scope, reason="undefined_variable")
        return scope[node.name]

    def check_CaseSubject(self, node: ast.CaseSubject, scope: Scope) -> Type:
        return ANY

    def check_Property(self, node: ast.Property, scope: Scope) -> Type:
        subject = self.expected_type(node.subject, scope, _HAS_PROPERTIES)
        if isinstance(node.subject, ast.MapLiteral) and not self.findings.strict:
            for key, value in node.subject.entries:
                if key == node.key:
                    return self.findings.types[id(value)]
        return self.findings.property_types(subject, node.key)

    def check_Index(self, node: ast.Index, scope: Scope) -> Type:
        subject = self.expected_type(node.subject, scope, types.union(types.ANY_LIST, types.of(types.MAP), _ENTITY))
        index = self.type_of(node.index, scope)
        if subject.kinds == {types.LIST}:
            self.findings.expect(node.index, index, _INTEGER)
            return subject.items
        if subject.kinds and not subject.holds(types.LIST):
            self.findings.expect(node.index, index, _STRING)
            if isinstance(node.index, ast.Literal) and isinstance(node.index.value, str):
                return ANY if self.findings.strict else self.findings.property_types(subject, node.index.value)
        if subject.kinds and not subject.holds(types.MAP, types.NODE, types.RELATIONSHIP):
            return subject.items
        return ANY

    def check_Slice(self, node: ast.Slice, scope: Scope) -> Type:
        subject = self.expected_type(node.subject, scope, types.ANY_LIST)
        for bound in (node.low, node.high):
            if bound is not None:
                self.expected_type(bound, scope, _INTEGER)
        return types.list_of(subject.items) if subject.item is not None else types.ANY_LIST

    def check_HasLabels(self, node: ast.HasLabels, scope: Scope) -> Type:
        self.expected_type(node.subject, scope, _ENTITY)
        return _BOOLEAN

    def check_Unary(self, node: ast.Unary, scope: Scope) -> Type:
        if node.operator == "NOT":
            self.condition(node.operand, scope)
            return _BOOLEAN
        return self.expected_type(node.operand, scope, types.NUMBER)

    def check_Binary(self, node: ast.Binary, scope: Scope) -> Type:
        operator = node.operator
        if operator in ("AND", "OR", "XOR"):
            self.condition(node.left, scope)
            self.condition(node.right, scope)
            return _BOOLEAN
        left, right = self.type_of(node.left, scope), self.type_of(node.right, scope)
        if operator == "IN":
            self.findings.expect(node.right, right, types.ANY_LIST)
            return _BOOLEAN
        if operator == "=~":
            self.findings.expect(node.left, left, _STRING)
            self.findings.expect(node.right, right, _STRING)
            return _BOOLEAN
        if operator in ("STARTS WITH", "ENDS WITH", "CONTAINS"):
            return _BOOLEAN
        return self._arithmetic(node, left, right)

    def _arithmetic(self, node: ast.Binary, left: Type, right: Type) -> Type:
        table = ARITHMETIC[node.operator]
        if not left.kinds or not right.kinds:
            return types.NULL if node.operator not in ("+", "||") else null_sum(left, right)
        results = [result(left, right) for a, b, result in table if left.holds(*a) and right.holds(*b)]
        if results:
            unknown = types.EVERY in (left.kinds, right.kinds) and node.operator in ("+", "||")
            return ANY if unknown and not self.findings.strict else types.union(*results)
        fitting = [b for a, b, _ in table if left.holds(*a)]
        if fitting:
            self.findings.expect(node.right, right, Type(frozenset().union(*fitting)))
        self.findings.expect(node.left, left, Type(frozenset().union(*(a for a, _, _ in table))))
        return ANY

    def check_Comparison(self, node: ast.Comparison, scope: Scope) -> Type:
        self.type_of(node.first, scope)
        for _, operand in node.rest:
            self.type_of(operand, scope)
        return _BOOLEAN

    def check_IsNull(self, node: ast.IsNull | ast.IsTyped | ast.IsNormalized, scope: Scope) -> Type:
        self.type_of(node.operand, scope)
        return _BOOLEAN

    def check_Call(self, node: ast.Call, scope: Scope) -> Type:
        signature = SIGNATURES.get(node.name.lower())
        if signature is None:
            known = {"len": "size", "length_of": "size", "substr": "substring", "ifnull": "coalesce", "nvl": "coalesce"}
            message, name = f"Unknown function '{node.name}'", known.get(node.name.lower(), node.name)
            names = (one.name for one in SIGNATURES.values())
            raise self.findings.unknown(node, message, name, names, reason="unknown_function")
        count = len(node.arguments)
        if count < signature.required:
            raise self.findings.error(node, "arity", f"Insufficient parameters for function '{node.name}'")
        if count > len(signature.arguments) and not signature.variadic:
            raise self.findings.error(node, "arity", f"Too many parameters for function '{node.name}'")
        if node.distinct and not signature.aggregate:
            raise self.findings.error(node, "distinct", f"Invalid use of DISTINCT with function '{node.name}'")
        if signature.name == "exists":
            return self._exists(node, scope)
        given = []
        for i, argument in enumerate(node.arguments):
            wanted = signature.arguments[min(i, len(signature.arguments) - 1)]
            given.append(self.expected_type(argument, scope, wanted))
        if signature.name.startswith("percentile"):
            self._check_percentile(node.arguments[1])
        return signature.returns(tuple(given))

    def _check_percentile(self, node: ast.Expression) -> None:
        if not isinstance(node, ast.Literal):
            return
        if not isinstance(node.value, int | float) or not 0 <= node.value <= 1:
            raise self.findings.error(node, "bad_percentile", "A percentile must be a number in the range 0.0 to 1.0")

    def _exists(self, node: ast.Call, scope: Scope) -> Type:
        argument = node.arguments[0]
        if isinstance(argument, ast.PatternPredicate):
            self.condition(argument, scope)
            return _BOOLEAN
        raise self.findings.error(
            node,
            "property_existence",
            "exists(variable.property) is no longer supported: write variable.property IS NOT NULL",
        )

    check_IsTyped = check_IsNormalized = check_IsNull

    def check_CountStar(self, node: ast.CountStar, scope: Scope) -> Type:
        return _INTEGER

    def check_ListLiteral(self, node: ast.ListLiteral, scope: Scope) -> Type:
        items = [self.type_of(item, scope) for item in node.items]
        item = types.union(*items)
        if self.findings.strict and any(other != items[0] for other in items):
            item = ANY  # Neo4j does not check a mixed list before it runs.
        return types.list_of(item)

    def check_MapLiteral(self, node: ast.MapLiteral, scope: Scope) -> Type:
        for _, value in node.entries:
            self.type_of(value, scope)
        return types.of(types.MAP)

    def check_MapProjection(self, node: ast.MapProjection, scope: Scope) -> Type:
        self.expected_type(node.subject, scope, types.of(types.NODE, types.RELATIONSHIP, types.MAP))
        for _, value in node.entries:
            if value is not None:
                self.type_of(value, scope)
        return types.of(types.MAP)

    def check_ListComprehension(self, node: ast.ListComprehension, scope: Scope) -> Type:
        source = self.expected_type(node.source, scope, types.ANY_LIST)
        inner = {**scope, node.variable: source.items}
        self.findings.names.add(node.variable)
        self.condition(node.where, inner)
        return types.list_of(self.type_of(node.result, inner) if node.result is not None else source.items)

    def check_Quantifier(self, node: ast.Quantifier, scope: Scope) -> Type:
        source = self.expected_type(node.source, scope, types.ANY_LIST)
        self.findings.names.add(node.variable)
        if node.where is None:
            raise self.findings.error(node, "syntax", f"{node.kind}(...) requires a WHERE predicate")
        self.condition(node.where, {**scope, node.variable: source.items})
        return _BOOLEAN

    def check_Reduce(self, node: ast.Reduce, scope: Scope) -> Type:
        initial = self.type_of(node.initial, scope)
        source = self.expected_type(node.source, scope, types.ANY_LIST)
        self.findings.names |= {node.variable, node.accumulator}
        inner = {**scope, node.accumulator: ANY if self.findings.strict else initial, node.variable: source.items}
        result = self.type_of(node.result, inner)
        if not self.findings.strict and result != initial:  # A second round with the result of the first.
            inner[node.accumulator] = types.union(initial, result)
            result = self.type_of(node.result, inner)
            inner[node.accumulator] = types.union(initial, result)
        return types.union(initial, result)

    def check_Case(self, node: ast.Case, scope: Scope) -> Type:
        if node.subject is not None:
            self.type_of(node.subject, scope)
        results = []
        for when in node.whens:
            for test in when.tests:
                if node.subject is None:
                    self.condition(test, scope)
                else:
                    self.type_of(test, scope)
            results.append(self.type_of(when.result, scope))
        if node.default is not None:
            results.append(self.type_of(node.default, scope))
        return types.union(*results)

    def check_PatternPredicate(self, node: ast.PatternPredicate, scope: Scope) -> Type:
        if node.pattern.shortest:
            self.check_pattern_predicate(node.pattern, scope)
            path = types.of(types.PATH)
            return path if node.pattern.shortest == "shortestPath" else types.list_of(path)
        raise self.findings.error(
            node,
            "pattern_as_value",
            "A pattern expression tests whether a pattern exists and stands only where a truth value is wanted; "
            "use COUNT { } to count or a pattern comprehension to collect",
        )
