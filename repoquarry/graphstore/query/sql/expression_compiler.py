"""Compiler of expressions without aggregation: each becomes a text of SQL with a static type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.sql import sql_types as types
from repoquarry.graphstore.query.sql.compiler_parts import Compiler
from repoquarry.graphstore.query.sql.errors import RowsNeededError, UnsupportedError
from repoquarry.graphstore.query.sql.select_builder import (
    EntityTable,
    Scope,
    Value,
    all_names,
    names_test,
)
from repoquarry.graphstore.query.sql.sql_types import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    NULL,
    STRING,
    are_field_names,
    convert,
    encode,
    list_of,
    map_of,
    sql_name,
    text,
    unify,
)

_COMPARISONS = {"=": "cy_eq", "<": "cy_lt", "<=": "cy_le", ">": "cy_gt", ">=": "cy_ge"}
_DYNAMIC = {
    "+": "cy_plus",
    "||": "cy_concat",
    "-": "cy_minus",
    "*": "cy_times",
    "/": "cy_divide",
    "%": "cy_modulo",
    "^": "cy_power",
}
_TEXT_TESTS = {
    "STARTS WITH": ("starts_with", "cy_starts"),
    "ENDS WITH": ("ends_with", "cy_ends"),
    "CONTAINS": ("contains", "cy_contains"),
}
_TYPE_TAGS = {
    "BOOLEAN": "b", "BOOL": "b", "INTEGER": "i", "INT": "i", "SIGNED INTEGER": "i", "FLOAT": "f", "STRING": "s", "VARCHAR": "s",
    "NODE": "n", "VERTEX": "n", "ANY NODE": "n", "RELATIONSHIP": "r", "EDGE": "r", "PATH": "p", "MAP": "m", "ANY MAP": "m",
}  # fmt: skip
_KIND_TAGS = {
    "boolean": "b",
    "integer": "i",
    "float": "f",
    "string": "s",
    "node": "n",
    "relationship": "r",
    "path": "p",
    "map": "m",
    "list": "l",
}


class ExpressionCompiler:
    """Compiler whose `compile_X` compiles a node of the class X of `ast`."""

    def __init__(self, main: Compiler) -> None:
        self._main = main

    def compile(self, node: ast.Expression, scope: Scope) -> Value:
        """Compile an expression. Raises: UnsupportedError, RowsNeededError."""
        method = getattr(self, f"compile_{type(node).__name__}", None)
        if method is None:
            raise UnsupportedError(f"{type(node).__name__} is not supported here", node)
        found: Value = method(node, scope)
        return found

    def condition(self, node: ast.Expression, scope: Scope) -> str:
        """Compile a condition to a Boolean."""
        return self.truth(self.compile(node, scope), node)

    def truth(self, value: Value, node: ast.Expression) -> str:
        if value.type == BOOLEAN:
            return value.sql
        if value.type == NULL:
            return "NULL::BOOLEAN"
        if value.type.is_dynamic:
            return f"cy_truth({value.sql})"
        if value.type.is_list and isinstance(node, ast.PatternPredicate | ast.PatternComprehension):
            return f"(len({value.sql}) > 0)"
        raise UnsupportedError("a value other than true or false is used as a condition; write a comparison", node)

    def bind(self, values: Sequence[Value], build: Callable[..., str]) -> str:
        """Build a text that uses values several times, and compute each of them once."""
        loose = [place for place, value in enumerate(values) if not value.is_atom]
        if not loose:
            return build(*(value.sql for value in values))
        name = self._main.new_name("x")
        fields = ", ".join(f"'v{place}': {values[place].sql}" for place in loose)
        given = [f"{name}.v{place}" if place in loose else value.sql for place, value in enumerate(values)]
        return f"list_transform([{{{fields}}}], lambda {name}: {build(*given)})[1]"

    # -- literals and names

    def compile_Literal(self, node: ast.Literal, scope: Scope) -> Value:
        return self._main.literal(node.value)

    def compile_Parameter(self, node: ast.Parameter, scope: Scope) -> Value:
        if node.name not in self._main.parameters:
            raise UnsupportedError(f"the parameter ${node.name} was not given", node)
        return self._main.literal(self._main.parameters[node.name])

    def compile_Variable(self, node: ast.Variable, scope: Scope) -> Value:
        if node.name not in scope.variables:
            raise UnsupportedError(f"the variable `{node.name}` is not defined", node)
        return scope.variables[node.name]

    def compile_CaseSubject(self, node: ast.CaseSubject, scope: Scope) -> Value:
        if scope.subject is None:
            raise UnsupportedError("a CASE without a subject", node)
        return scope.subject

    def compile_ListLiteral(self, node: ast.ListLiteral, scope: Scope) -> Value:
        if node.items and all(isinstance(item, ast.Literal) for item in node.items):
            return self._main.literal([item.value for item in node.items if isinstance(item, ast.Literal)])
        return self.list_of_values([self.compile(item, scope) for item in node.items])

    def list_of_values(self, values: Sequence[Value]) -> Value:
        item = unify(value.type for value in values)
        items = ", ".join(convert(value.sql, value.type, item) for value in values)
        names = frozenset().union(*(value.names for value in values))
        return Value(f"[{items}]::{sql_name(item)}[]", list_of(item), names)

    def compile_MapLiteral(self, node: ast.MapLiteral, scope: Scope) -> Value:
        return self.map_of_values([(key, self.compile(value, scope)) for key, value in node.entries])

    def map_of_values(self, entries: Sequence[tuple[str, Value]]) -> Value:
        unique = dict(entries)
        if not are_field_names(unique):
            keys = self._main.parameter(list(unique), "VARCHAR[]")
            values = ", ".join(encode(value.sql, value.type) for value in unique.values())
            return Value(f"cy_map({keys}, [{values}]::VARCHAR[])", ANY, nullable=False)
        body = ", ".join(f"{text(key)}: {value.sql}" for key, value in unique.items())
        return Value(f"{{{body}}}", map_of((key, value.type) for key, value in unique.items()), nullable=False)

    # -- properties

    def property(self, subject: Value, key: str) -> Value:
        """Return a property of an entity or map."""
        if subject.type.is_entity:
            return self._entity_property(subject, key)
        if subject.type == NULL:
            return Value("NULL", NULL)
        if subject.type.kind == "map":
            found = dict(subject.type.fields).get(key)
            names = subject.names if found is not None else frozenset()
            return Value(f"struct_extract({subject.sql}, {text(key)})", found, names) if found else Value("NULL", NULL)
        if subject.type.is_dynamic:
            return Value(f"cy_property({subject.sql}, {self._main.parameter(key)})", ANY)
        raise UnsupportedError(f"a property of a {subject.type.kind}")

    def _entity_property(self, entity: Value, key: str) -> Value:
        is_node = entity.type.kind == "node"
        known = types.NODE_PROPERTIES if is_node else types.RELATIONSHIP_PROPERTIES
        if key not in known or not any(
            key in by_name(name, is_node) for name in entity.names or all_names(entity.type)
        ):
            return Value("NULL", NULL)
        return Value(self.column(entity, key), known[key])

    def column(self, entity: Value, key: str) -> str:
        """Return a column of an entity's table, which is joined or read by a subquery."""
        owner = entity.owner
        if owner is None:
            raise RowsNeededError
        entity = replace(entity, names=entity.names or all_names(entity.type))
        table = owner.table_of(entity)
        if table is not None:
            return table.column(key)
        single = EntityTable(self._main.new_name("e"), entity.type.kind, entity.names)
        column = single.column(key)
        return f"(SELECT {column} FROM {single.sql()} WHERE {single.id} = {entity.sql})"

    def entity(self, node: ast.Expression, scope: Scope) -> Value:
        """Compile an expression whose properties are read."""
        value = self.compile(node, scope)
        if value.type.is_entity and value.owner is None and not isinstance(node, ast.Variable):
            return Value(value.sql, value.type, value.names or all_names(value.type), scope.select)
        return value

    def compile_Property(self, node: ast.Property, scope: Scope) -> Value:
        return self.property(self.entity(node.subject, scope), node.key)

    def all_properties(self, entity: Value) -> Value:
        """Return the map of all properties of an entity that are set."""
        is_node = entity.type.kind == "node"
        keys = sorted({key for name in entity.names or all_names(entity.type) for key in by_name(name, is_node)})
        known = types.NODE_PROPERTIES if is_node else types.RELATIONSHIP_PROPERTIES
        values = ", ".join(encode(self.column(entity, key), known[key]) for key in keys)
        found = f"cy_set_entries({self._main.parameter(keys, 'VARCHAR[]')}, [{values}]::VARCHAR[])"
        return Value(f"CASE WHEN {entity.sql} IS NOT NULL THEN {found} END", ANY)

    def compile_MapProjection(self, node: ast.MapProjection, scope: Scope) -> Value:
        subject = self.entity(node.subject, scope)
        entries: list[tuple[str, Value]] = []
        for key, value in node.entries:
            if key != "*":
                entries.append((key, self.compile(value, scope) if value is not None else self.property(subject, key)))
        added = self.map_of_values(entries) if entries else None
        if any(key == "*" for key, _ in node.entries):
            whole = (
                self.all_properties(subject)
                if subject.type.is_entity
                else Value(encode(subject.sql, subject.type), ANY)
            )
            body = whole.sql if added is None else f"cy_merge({whole.sql}, {encode(added.sql, added.type)})"
            kind = ANY
        else:
            added = added or self.map_of_values([])
            body, kind = added.sql, added.type
        return Value(f"CASE WHEN {subject.sql} IS NOT NULL THEN {body} END", kind)

    def compile_Index(self, node: ast.Index, scope: Scope) -> Value:
        subject = self.entity(node.subject, scope)
        if isinstance(node.index, ast.Literal) and isinstance(node.index.value, str) and not subject.type.is_dynamic:
            return self.property(subject, node.index.value)
        key = self.compile(node.index, scope)
        if NULL in (subject.type, key.type):
            return Value("NULL", NULL)
        if subject.type.is_list and key.type == INTEGER:
            sql = self.bind([subject, key], lambda s, k: f"({s})[CASE WHEN {k} >= 0 THEN {k} + 1 ELSE {k} END]")
            return Value(sql, subject.type.items, subject.names)
        if subject.type.is_entity:
            subject = self.all_properties(subject)
        return Value(f"cy_index({encode(subject.sql, subject.type)}, {encode(key.sql, key.type)})", ANY)

    def compile_Slice(self, node: ast.Slice, scope: Scope) -> Value:
        subject = self.as_list(self.compile(node.subject, scope))
        if subject.type == NULL:
            return subject
        low = self.compile(node.low, scope) if node.low is not None else Value("0", INTEGER)
        high = self.compile(node.high, scope) if node.high is not None else None
        given = [subject, low] if high is None else [subject, low, high]
        if any(value.type not in (INTEGER, NULL) for value in given[1:]):
            raise UnsupportedError("a slice whose bounds may be other than integers", node)

        def build(items: str, first: str, last: str | None = None) -> str:
            start = f"greatest(CASE WHEN {first} < 0 THEN len({items}) + {first} ELSE {first} END, 0)"
            end = (
                f"len({items})"
                if last is None
                else f"greatest(CASE WHEN {last} < 0 THEN len({items}) + {last} ELSE {last} END, 0)"
            )
            missing = " OR ".join(f"{part} IS NULL" for part in (items, first, last) if part is not None)
            return f"CASE WHEN {missing} THEN NULL WHEN {end} <= {start} THEN [] ELSE list_slice({items}, {start} + 1, {end}) END"

        return Value(self.bind(given, build), subject.type, subject.names)

    def as_list(self, value: Value) -> Value:
        """Return a list of items with a static type, where another value stands for a list of itself."""
        if value.type.is_list or value.type == NULL:
            return value
        if value.type.is_dynamic:
            return Value(f"cy_items({value.sql})", list_of(ANY))
        return Value(
            self.bind([value], lambda v: f"CASE WHEN {v} IS NOT NULL THEN [{v}] END"), list_of(value.type), value.names
        )

    # -- labels

    def labels_test(self, labels: ast.LabelExpression, entity: Value) -> str:
        names = label_set(labels, all_names(entity.type))
        if names >= (entity.names or all_names(entity.type)):
            return f"({entity.sql} IS NOT NULL OR NULL)"
        return names_test(entity.sql, entity.type.kind, names)

    def compile_HasLabels(self, node: ast.HasLabels, scope: Scope) -> Value:
        entity = self.compile(node.subject, scope)
        if entity.type == NULL:
            return Value("NULL", NULL)
        if not entity.type.is_entity:
            raise UnsupportedError("a label test of a value that may be no node", node)
        return Value(self.labels_test(node.labels, entity), BOOLEAN)

    # -- operators

    def compile_Unary(self, node: ast.Unary, scope: Scope) -> Value:
        if node.operator == "NOT":
            return Value(f"(NOT {self.condition(node.operand, scope)})", BOOLEAN)
        if node.operator == "-" and node.operand == ast.Literal(2**63):
            return Value("(-9223372036854775808)::BIGINT", INTEGER)
        value = self.compile(node.operand, scope)
        if node.operator == "+":  # Neo4j returns the value, whatever its kind.
            return value
        if value.type != NULL and not value.type.is_number:
            return Value(f"cy_negative({encode(value.sql, value.type)})", ANY)
        # From zero, since Neo4j's -0.0 of a float is 0.0.
        return Value(f"(0 - {value.sql})", value.type)

    def compile_Binary(self, node: ast.Binary, scope: Scope) -> Value:
        operator = node.operator
        if operator in ("AND", "OR", "XOR"):
            left, right = self.condition(node.left, scope), self.condition(node.right, scope)
            return Value(f"({left} {'<>' if operator == 'XOR' else operator} {right})", BOOLEAN)
        if operator == "IN":
            return self._membership(node, scope)
        a, b = self.compile(node.left, scope), self.compile(node.right, scope)
        if operator in _TEXT_TESTS:
            return self._text_test(a, b, *_TEXT_TESTS[operator])
        if operator == "=~":
            return self._match(a, b)
        if NULL in (a.type, b.type):
            return Value("NULL", unify((a.type, b.type)) if a.type.is_list or b.type.is_list else NULL)
        if operator in ("+", "||") and (a.type.is_list or b.type.is_list):
            return self._joined_lists(a, b)
        return self.calculation(operator, a, b, node)

    def _text_test(self, a: Value, b: Value, function: str, dynamic: str) -> Value:
        if ANY in (a.type, b.type):
            return Value(f"{dynamic}({encode(a.sql, a.type)}, {encode(b.sql, b.type)})", BOOLEAN)
        if a.type == b.type == STRING:
            return Value(f"{function}({a.sql}, {b.sql})", BOOLEAN)
        return Value("NULL::BOOLEAN", BOOLEAN)

    def _match(self, a: Value, b: Value) -> Value:
        if a.type == b.type == STRING:
            return Value(f"regexp_full_match({a.sql}, {_pattern(b)})", BOOLEAN)
        if a.type.is_dynamic and b.type == STRING:
            text_part = f"CASE WHEN {a.sql}[1] = 's' THEN {a.sql}[2:] END"
            return Value(f"regexp_full_match({text_part}, {_pattern(b)})", BOOLEAN)
        return Value("NULL::BOOLEAN", BOOLEAN)

    def _joined_lists(self, a: Value, b: Value) -> Value:
        if ANY in (a.type, b.type):
            return Value(f"cy_plus({encode(a.sql, a.type)}, {encode(b.sql, b.type)})", ANY)
        kinds = [side.type if side.type.is_list else list_of(side.type) for side in (a, b)]
        whole = unify(kinds)
        parts = [
            convert(s.sql if s.type.is_list else f"[{s.sql}]", k, whole) for s, k in zip((a, b), kinds, strict=True)
        ]
        missing = [side for side in (a, b) if side.nullable]
        sql = f"list_concat({parts[0]}, {parts[1]})"
        if missing:
            sql = f"CASE WHEN {' OR '.join(f'{side.sql} IS NULL' for side in missing)} THEN NULL ELSE {sql} END"
        return Value(sql, whole, a.names | b.names)

    def calculation(self, operator: str, a: Value, b: Value, node: ast.Node | None = None) -> Value:
        """Compile an operator on numbers or texts."""
        if ANY in (a.type, b.type):
            return Value(f"{_DYNAMIC[operator]}({encode(a.sql, a.type)}, {encode(b.sql, b.type)})", ANY)
        if operator in ("+", "||") and STRING in (a.type, b.type):
            parts = []
            for side in (a, b):
                if side.type != STRING and (operator == "||" or not side.type.is_number):
                    raise UnsupportedError("a text joined with a value other than a text or number", node)
                parts.append(
                    f"cy_float_text({side.sql})"
                    if side.type == FLOAT
                    else f"{side.sql}::VARCHAR"
                    if side.type == INTEGER
                    else side.sql
                )
            return Value(f"({parts[0]} || {parts[1]})", STRING)
        if not a.type.is_number or not b.type.is_number:
            raise UnsupportedError(f"`{operator}` of a {a.type.kind} and a {b.type.kind}", node)
        if operator == "^":
            return Value(f"pow({a.sql}::DOUBLE, {b.sql}::DOUBLE)", FLOAT)
        if a.type == b.type == INTEGER:
            if operator not in ("/", "%"):
                return Value(f"({a.sql} {operator} {b.sql})", INTEGER)
            sign = "//" if operator == "/" else "%"
            if re.fullmatch(r"[1-9]\d*::BIGINT", b.sql):
                return Value(f"({a.sql} {sign} {b.sql})", INTEGER)
            sql = (
                self.bind([b], lambda v: f"CASE WHEN {v} = 0 THEN cy_fail('/ by zero') ELSE {a.sql} {sign} {v} END")
                if b.is_atom or a.is_atom
                else self.bind(
                    [a, b], lambda u, v: f"CASE WHEN {v} = 0 THEN cy_fail('/ by zero') ELSE {u} {sign} {v} END"
                )
            )
            return Value(sql, INTEGER)
        return Value(f"({a.sql}::DOUBLE {operator} {b.sql}::DOUBLE)", FLOAT)

    def _membership(self, node: ast.Binary, scope: Scope) -> Value:
        item, items = self.compile(node.left, scope), self.compile(node.right, scope)
        if items.type == NULL:
            return Value("NULL::BOOLEAN", BOOLEAN)
        if (
            items.type.is_list
            and items.type.items == NULL
            and isinstance(node.right, ast.ListLiteral)
            and not node.right.items
        ):
            return Value("FALSE", BOOLEAN)
        if (
            not items.type.is_list
            or item.type.kind in ("any", "list", "map")
            or items.type.items.kind in ("any", "list", "map")
        ):
            return Value(f"cy_in({encode(item.sql, item.type)}, {encode(items.sql, items.type)})", BOOLEAN)
        kind = items.type.items
        is_comparable = item.type == kind or (item.type.is_number and kind.is_number)
        choices = node.right.items if isinstance(node.right, ast.ListLiteral) else ()
        if is_comparable and choices and all(isinstance(c, ast.Literal) and c.value is not None for c in choices):
            shown = ", ".join(self.compile(choice, scope).sql for choice in choices)
            return Value(f"({item.sql} IN ({shown}))", BOOLEAN)
        return Value(self.bind([item, items], lambda x, y: _search(x, y, is_comparable=is_comparable)), BOOLEAN)

    def compile_Comparison(self, node: ast.Comparison, scope: Scope) -> Value:
        left, parts = self.compile(node.first, scope), []
        for operator, operand in node.rest:
            right = self.compile(operand, scope)
            parts.append(self.comparison(operator, left, right))
            left = right
        return Value(parts[0] if len(parts) == 1 else f"({' AND '.join(parts)})", BOOLEAN)

    def comparison(self, operator: str, a: Value, b: Value) -> str:
        """Compile one comparison of two values."""
        if NULL in (a.type, b.type):
            return "NULL::BOOLEAN"
        if operator == "<>":
            if a.type == b.type and a.type.is_plain:
                return f"({a.sql} <> {b.sql})"
            return f"(NOT {self.comparison('=', a, b)})"
        kinds = {a.type.kind, b.type.kind}
        if kinds <= {"integer", "float"} or (a.type == b.type and a.type in (STRING, BOOLEAN)):
            return f"({a.sql} {operator} {b.sql})"
        if ANY in (a.type, b.type) or kinds <= {"list"} or kinds <= {"map"}:
            return f"{_COMPARISONS[operator]}({encode(a.sql, a.type)}, {encode(b.sql, b.type)})"
        if operator != "=":
            return "NULL::BOOLEAN"
        if a.type.kind == b.type.kind:
            return f"({a.sql} = {b.sql})"
        return f"CASE WHEN {a.sql} IS NULL OR {b.sql} IS NULL THEN NULL::BOOLEAN ELSE FALSE END"

    def compile_IsNull(self, node: ast.IsNull, scope: Scope) -> Value:
        return Value(f"({self.compile(node.operand, scope).sql} IS {'NOT ' if node.negated else ''}NULL)", BOOLEAN)

    def compile_IsTyped(self, node: ast.IsTyped, scope: Scope) -> Value:
        names = [name.strip() for name in node.type_name.upper().split("|")]
        tags = [_TYPE_TAGS.get(name.removesuffix(" NOT NULL")) for name in names]
        if None in tags:
            raise UnsupportedError(f"IS :: {node.type_name}", node)
        value = self.compile(node.operand, scope)
        if value.type.is_dynamic:
            choices = ", ".join(f"'{tag}'" for tag in tags)
            fits = f"({value.sql}[1] IN ({choices}))"
        else:
            fits = "TRUE" if _KIND_TAGS.get(value.type.kind) in tags else "FALSE"
        missing = "FALSE" if all(name.endswith(" NOT NULL") for name in names) else "TRUE"
        sql = f"CASE WHEN {value.sql} IS NULL THEN {missing} ELSE {fits} END"
        return Value(f"(NOT {sql})" if node.negated else sql, BOOLEAN)

    def compile_Case(self, node: ast.Case, scope: Scope) -> Value:
        inner = scope
        if node.subject is not None:
            inner = Scope(scope.variables, scope.select, self.compile(node.subject, scope))
        found: list[tuple[str, Value]] = []
        for when in node.whens:
            tests = [f"coalesce({self.condition(test, inner)}, FALSE)" for test in when.tests]
            found.append((" OR ".join(tests), self.compile(when.result, scope)))
        default = self.compile(node.default, scope) if node.default is not None else Value("NULL", NULL)
        kind = unify(value.type for value in (*(v for _, v in found), default))
        arms = " ".join(f"WHEN {test} THEN {convert(value.sql, value.type, kind)}" for test, value in found)
        names = frozenset().union(*(value.names for _, value in found), default.names)
        return Value(f"CASE {arms} ELSE {convert(default.sql, default.type, kind)} END", kind, names)

    # -- parts with variables or rows of their own

    def compile_Call(self, node: ast.Call, scope: Scope) -> Value:
        return self._main.functions.compile(node, scope)

    def compile_ListComprehension(self, node: ast.ListComprehension, scope: Scope) -> Value:
        return self._main.lists.comprehension(node, scope)

    def compile_Quantifier(self, node: ast.Quantifier, scope: Scope) -> Value:
        return self._main.lists.quantifier(node, scope)

    def compile_Reduce(self, node: ast.Reduce, scope: Scope) -> Value:
        return self._main.lists.reduction(node, scope)

    def compile_PatternPredicate(self, node: ast.PatternPredicate, scope: Scope) -> Value:
        return self._main.subqueries.pattern_predicate(node, scope)

    def compile_PatternComprehension(self, node: ast.PatternComprehension, scope: Scope) -> Value:
        return self._main.subqueries.pattern_comprehension(node, scope)

    def compile_Subquery(self, node: ast.Subquery, scope: Scope) -> Value:
        return self._main.subqueries.subquery(node, scope)


def _pattern(value: Value) -> str:
    # The dialect spells patterns for Rust; word boundaries of RE2 are ASCII's anyway.
    return f"replace({value.sql}, '(?-u:\\b)', '\\b')"


def _search(item: str, items: str, *, is_comparable: bool) -> str:
    """Return `item IN items` with Cypher's nulls."""
    hit = f"WHEN list_contains({items}, {item}) THEN TRUE " if is_comparable else ""
    return (
        f"CASE WHEN {items} IS NULL THEN NULL WHEN len({items}) = 0 THEN FALSE WHEN {item} IS NULL THEN NULL {hit}"
        f"WHEN list_count({items}) < len({items}) THEN NULL ELSE FALSE END"
    )


def by_name(name: str, is_node: bool) -> Iterable[str]:
    """Return the property names of a label or type."""
    return (NODE_LABELS[name] if is_node else RELATIONSHIP_TYPES[name]).by_name


def label_set(labels: ast.LabelExpression | None, every: frozenset[str]) -> frozenset[str]:
    """Return the labels or types that an expression admits; each entity has exactly one."""
    match labels:
        case None | ast.LabelWildcard():
            return every
        case ast.LabelName():
            return frozenset({labels.name}) & every
        case ast.LabelNot():
            return every - label_set(labels.operand, every)
        case ast.LabelAnd():
            return label_set(labels.left, every) & label_set(labels.right, every)
        case ast.LabelOr():
            return label_set(labels.left, every) | label_set(labels.right, every)
    raise UnsupportedError("an unknown label expression", labels)
