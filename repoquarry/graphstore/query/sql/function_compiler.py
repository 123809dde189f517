"""Compiler of function calls other than aggregations: a method per function that depends on types, a template for the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.sql.compiler_parts import Compiler
from repoquarry.graphstore.query.sql.errors import RowsNeededError, UnsupportedError
from repoquarry.graphstore.query.sql.expression_compiler import by_name
from repoquarry.graphstore.query.sql.scalar_functions import WHITE_SPACE
from repoquarry.graphstore.query.sql.select_builder import Scope, Value, all_names
from repoquarry.graphstore.query.sql.sql_types import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    KIND_BITS,
    LABELS,
    NODE,
    NULL,
    RELATIONSHIP,
    STRING,
    TYPES,
    SqlType,
    convert,
    encode,
    list_of,
    sql_name,
    text,
    unify,
)

_TEXT = {
    "toupper": ("cy_upper({0})", STRING),
    "upper": ("cy_upper({0})", STRING),
    "tolower": ("cy_lower({0})", STRING),
    "lower": ("cy_lower({0})", STRING),
    "size": ("len({0})", INTEGER),
    "char_length": ("len({0})", INTEGER),
    "character_length": ("len({0})", INTEGER),
    "reverse": ("cy_reverse({0})", STRING),
    "isempty": ("({0} = '')", BOOLEAN),
}
_LIST = {"size": ("len({0})", INTEGER), "isempty": ("(len({0}) = 0)", BOOLEAN)}
_NUMBER = {
    "ceil": ("ceil({0}::DOUBLE)", FLOAT),
    "floor": ("floor({0}::DOUBLE)", FLOAT),
    "exp": ("exp({0}::DOUBLE)", FLOAT),
    "sign": ("sign({0})::BIGINT", INTEGER),
    "isnan": ("isnan({0}::DOUBLE)", BOOLEAN),
    **{name: (f"{name}({{0}}::DOUBLE)", FLOAT) for name in ("sin", "cos", "tan", "cot", "atan", "degrees", "radians")},
}
_ROOTS = {"sqrt": ("<", "sqrt"), "log": ("<=", "ln"), "log10": ("<=", "log10")}


class FunctionCompiler:
    """Compiler whose `call_x` compiles calls of x()."""

    def __init__(self, main: Compiler) -> None:
        self._main = main

    def compile(self, node: ast.Call, scope: Scope) -> Value:
        name = node.name.lower()
        if name == "exists":
            return self._main.expressions.compile(node.arguments[0], scope)
        values = [self._main.expressions.entity(argument, scope) for argument in node.arguments]
        method = getattr(self, f"call_{name}", None)
        if method is not None:
            found: Value | None = method(values, node)
            if found is not None:
                return found
        if values and values[0].type == NULL:
            return Value("NULL", NULL)
        if values and values[0].type.is_dynamic:
            if name in _TEXT:
                values[0] = Value(_text(values[0]) or "", STRING)
            elif name in _NUMBER:
                values[0] = Value(f"cy_as_float({values[0].sql})", FLOAT)
        if values:
            for fits, table in (
                (values[0].type == STRING, _TEXT),
                (values[0].type.is_list, _LIST),
                (values[0].type.is_number, _NUMBER),
            ):
                if fits and name in table:
                    template, kind = table[name]
                    return Value(template.format(values[0].sql), kind)
        kinds = ", ".join(value.type.kind for value in values)
        raise UnsupportedError(f"{node.name}({kinds}) is not supported on this engine", node)

    # -- entities and paths

    def call_labels(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self._named(values[0], LABELS, "node", is_list=True)

    def call_type(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self._named(values[0], TYPES, "relationship", is_list=False)

    def _named(self, entity: Value, names: Sequence[str], kind: str, *, is_list: bool) -> Value | None:
        result = list_of(STRING) if is_list else STRING
        if entity.type == NULL:
            return Value(f"NULL::{sql_name(result)}", result)
        if entity.type.kind != kind:
            return None
        possible = entity.names or all_names(entity.type)
        numbered = f"([{', '.join(map(text, names))}])[({entity.sql} >> {KIND_BITS}) + 1]"
        shown = text(next(iter(possible))) if len(possible) == 1 else numbered
        shown = f"[{shown}]" if is_list else shown
        sql = f"CASE WHEN {entity.sql} IS NOT NULL THEN {shown} END" if entity.nullable else shown
        return Value(sql, result, nullable=entity.nullable)

    def call_startnode(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self._end(values[0], "s")

    def call_endnode(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self._end(values[0], "t")

    def _end(self, entity: Value, column: str) -> Value | None:
        if entity.type != RELATIONSHIP:
            return None
        return Value(self._main.expressions.column(entity, column), NODE, all_names(NODE), entity.owner)

    def call_properties(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        if values[0].type.is_entity:
            return self._main.expressions.all_properties(values[0])
        return values[0] if values[0].type.kind in ("map", "any") else None

    def call_keys(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        subject = values[0]
        if subject.type.kind == "map":
            keys = self._main.parameter([key for key, _ in subject.type.fields], "VARCHAR[]")
            return Value(f"CASE WHEN {subject.sql} IS NOT NULL THEN {keys} END", list_of(STRING))
        if subject.type.is_dynamic:
            return Value(f"cy_keys({subject.sql})", list_of(STRING))
        if not subject.type.is_entity:
            return None
        is_node = subject.type == NODE
        names = sorted({key for name in subject.names or all_names(subject.type) for key in by_name(name, is_node)})
        column = self._main.expressions.column
        parts = ", ".join(f"CASE WHEN {column(subject, key)} IS NOT NULL THEN {text(key)} END" for key in names)
        found = f"list_filter([{parts}]::VARCHAR[], lambda k: k IS NOT NULL)"
        return Value(f"CASE WHEN {subject.sql} IS NOT NULL THEN {found} END", list_of(STRING))

    def call_nodes(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self._part_of_path(values[0], "ns", NODE)

    def call_relationships(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self._part_of_path(values[0], "rs", RELATIONSHIP)

    def _part_of_path(self, path: Value, part: str, kind: SqlType) -> Value | None:
        if path.type.kind != "path":
            return None
        return Value(f"struct_extract({path.sql}, '{part}')", list_of(kind), all_names(kind), nullable=path.nullable)

    def call_length(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        if values[0].type.kind == "path":
            return Value(f"len(struct_extract({values[0].sql}, 'rs'))", INTEGER)
        return None

    # -- lists

    def call_coalesce(self, values: Sequence[Value], node: ast.Call) -> Value:
        kind = unify(value.type for value in values)
        names = frozenset().union(*(value.names for value in values))
        return Value(f"coalesce({', '.join(convert(v.sql, v.type, kind) for v in values)})", kind, names)

    def call_head(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self._item(values[0], "1", "i0")

    def call_last(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self._item(values[0], "-1", "i-1")

    def _item(self, items: Value, place: str, dynamic: str) -> Value | None:
        if items.type.is_dynamic:
            return Value(f"cy_index({items.sql}, '{dynamic}')", ANY)
        if not items.type.is_list:
            return None
        return Value(f"({items.sql})[{place}]", items.type.items, items.names)

    def call_tail(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        items = self._main.expressions.as_list(values[0])
        return Value(f"({items.sql})[2:]", items.type, items.names) if items.type.is_list else None

    def call_reverse(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        items = values[0]
        if items.type.is_dynamic:
            return Value(f"cy_reversed({items.sql})", ANY)
        return Value(f"list_reverse({items.sql})", items.type, items.names) if items.type.is_list else None

    def call_isempty(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        value = values[0]
        if value.type.kind in ("map", "any"):
            return Value(f"(cy_size({encode(value.sql, value.type)}) = 0)", BOOLEAN)
        return None

    def call_size(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return Value(f"cy_size({values[0].sql})", INTEGER) if values[0].type.is_dynamic else None

    def call_range(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        bounds = _all_of(_whole, values)
        return None if bounds is None else Value(f"cy_range({', '.join([*bounds, '1'][:3])})", list_of(INTEGER))

    def call_nullif(self, values: Sequence[Value], node: ast.Call) -> Value:
        expressions = self._main.expressions
        first, second = values
        same = expressions.comparison("=", first, second)
        return Value(f"CASE WHEN coalesce({same}, FALSE) THEN NULL ELSE {first.sql} END", first.type, first.names)

    # -- texts

    def call_trim(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self._trimmed("cy_trim", values)

    call_btrim = call_trim

    def call_ltrim(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self._trimmed("cy_ltrim", values)

    def call_rtrim(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self._trimmed("cy_rtrim", values)

    def _trimmed(self, function: str, values: Sequence[Value]) -> Value | None:
        texts = _all_of(_text, values)
        if texts is None:
            return None
        characters = texts[1] if len(texts) > 1 else self._main.parameter(WHITE_SPACE)
        return Value(f"{function}({texts[0]}, {characters})", STRING)

    def call_replace(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        texts = _all_of(_text, values)
        return None if texts is None else Value(f"cy_replace({', '.join(texts)})", STRING)

    def call_split(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        subject, separator = _text(values[0]), _text(values[1])
        chosen = values[1].sql if values[1].type == list_of(STRING) else f"[{separator}]"
        if subject is None or (separator is None and values[1].type != list_of(STRING)):
            return None
        return Value(f"cy_split({subject}, {chosen}::VARCHAR[])", list_of(STRING))

    def call_substring(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        subject, bounds = _text(values[0]), _all_of(_whole, values[1:])
        if subject is None or bounds is None:
            return None
        return Value(f"cy_substring({subject}, {', '.join([*bounds, '9223372036854775807'][:2])})", STRING)

    def call_left(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        subject, length = _text(values[0]), _whole(values[1])
        if subject is None or length is None:
            return None
        return Value(f"cy_{node.name.lower()}({subject}, {length})", STRING)

    call_right = call_left

    # -- numbers

    def call_pi(self, values: Sequence[Value], node: ast.Call) -> Value:
        return Value("pi()", FLOAT)

    def call_e(self, values: Sequence[Value], node: ast.Call) -> Value:
        return Value("exp(1.0::DOUBLE)", FLOAT)

    def call_abs(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        if values[0].type.is_dynamic:
            return Value(f"cy_abs({values[0].sql})", ANY)
        return Value(f"abs({values[0].sql})", values[0].type) if values[0].type.is_number else None

    def _root(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        number = self._float(values[0])
        if number is None:
            return None
        sign, function = _ROOTS[node.name.lower()]
        sql = self._main.expressions.bind(
            [number], lambda v: f"CASE WHEN {v} {sign} 0 THEN 'nan'::DOUBLE ELSE {function}({v}) END"
        )
        return Value(sql, FLOAT)

    call_sqrt = call_log = call_log10 = _root

    def _float(self, value: Value) -> Value | None:
        if value.type.is_dynamic:
            return Value(f"cy_as_float({value.sql})", FLOAT)
        return Value(f"({value.sql})::DOUBLE", FLOAT) if value.type.is_number else None

    def call_round(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        number = self._float(values[0])
        if number is None or any(value.type not in (INTEGER, NULL) for value in values[1:2]):
            return None
        if any(value.type not in (STRING, NULL) for value in values[2:]):
            return None
        digits, mode = [*(value.sql for value in values[1:]), *("0", "''")[len(values) - 1 :]]
        return Value(f"cy_round({number.sql}, {digits}, {mode})", FLOAT)

    # -- conversions

    def call_valuetype(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return Value(f"cy_type({encode(values[0].sql, values[0].type)})", STRING)

    def _conversion(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        return self.converted(node.name.lower(), values[0])

    call_tostring = call_tointeger = call_tofloat = call_toboolean = _conversion
    call_tostringornull = call_tointegerornull = call_tofloatornull = call_tobooleanornull = _conversion

    def converted(self, name: str, value: Value) -> Value | None:
        """Compile toString() and the like of one value."""
        target = name.removeprefix("to").removesuffix("ornull")
        result = {"string": STRING, "integer": INTEGER, "float": FLOAT, "boolean": BOOLEAN}[target]
        if value.type == NULL:
            return Value(f"NULL::{sql_name(result)}", result)
        if value.type == result:
            return value
        sql = None if name == "tointegerornull" else _CONVERSIONS.get((target, value.type.kind))
        is_typed = sql is not None
        if sql is None and not name.endswith("ornull") and not value.type.is_dynamic:
            return None
        sql = sql or f"cy_to_{target}{'_or_null' if name.endswith('ornull') else ''}({{0}})"
        given = value.sql if is_typed else encode(value.sql, value.type)
        return Value(sql.format(given), result)

    def _list_conversion(self, values: Sequence[Value], node: ast.Call) -> Value | None:
        items = self._main.expressions.as_list(values[0])
        if not items.type.is_list:
            return None
        name = self._main.new_name("x")
        result = self.converted(node.name.lower().removesuffix("list") + "ornull", Value(name, items.type.items))
        if result is None:
            raise RowsNeededError
        return Value(f"list_transform({items.sql}, lambda {name}: {result.sql})", list_of(result.type))

    call_tostringlist = call_tointegerlist = call_tofloatlist = call_tobooleanlist = _list_conversion


def _text(value: Value) -> str | None:
    """Return the SQL of a value that must be a text; None for another kind."""
    if value.type.is_dynamic:
        return f"cy_as_text({value.sql})"
    return value.sql if value.type in (STRING, NULL) else None


def _whole(value: Value) -> str | None:
    """Return the SQL of a value that must be an integer; None for another kind."""
    if value.type.is_dynamic:
        return f"cy_as_integer({value.sql})"
    return value.sql if value.type in (INTEGER, NULL) else None


def _all_of(read: Callable[[Value], str | None], values: Sequence[Value]) -> list[str] | None:
    found = [read(value) for value in values]
    return None if None in found else [text for text in found if text is not None]


_CONVERSIONS = {
    ("string", "integer"): "({0})::VARCHAR",
    ("string", "boolean"): "({0})::VARCHAR",
    ("string", "float"): "cy_float_text({0})",
    ("integer", "boolean"): "({0})::BIGINT",
    ("integer", "float"): "cy_integer_of_float({0})",
    ("integer", "string"): "cy_integer_of_text({0})",
    ("float", "integer"): "({0})::DOUBLE",
    ("float", "string"): "cy_float_of_text({0})",
    ("boolean", "integer"): "({0} <> 0)",
    ("boolean", "string"): "cy_boolean_of_text({0})",
}
