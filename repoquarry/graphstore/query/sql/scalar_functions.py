"""Functions in Python that compiled queries call, with their SQL types: exact conversions, and operators on dynamic values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import partial
from typing import Any, Final

from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure
from repoquarry.graphstore.query.sql import dynamic_values as dynamic
from repoquarry.graphstore.query.sql.dynamic_values import CypherFailure, decode, encode, kind_failure


@dataclass(frozen=True)
class ScalarFunction:
    """Function with the SQL types of its arguments and result; nulls are passed to it."""

    call: Callable[..., Any]
    arguments: tuple[str, ...]
    result: str


_ANY, _TEXT, _INTEGER, _FLOAT, _TRUTH = "VARCHAR", "VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"
_MAX, _MIN = 2**63 - 1, -(2**63)
_SPACE = " \t\n\v\f\r\x1c\x1d\x1e\x1f\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u2028\u2029\u205f\u3000"
"""White space of Java, which has no no-break spaces."""

_MODES = frozenset({"", "UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN"})
_CONTEXT: Final = Context(prec=700)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def _dynamic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function of values take encoded ones, and return one."""
    return lambda *given: encode(function(*map(decode, given)))


def _tested(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function of values take encoded ones."""
    return lambda *given: function(*map(decode, given))


def integer_of_text(value: str | None) -> int | None:
    """Return the value of toInteger(text)."""
    if value is None:
        return None
    text = value
    if not _NUMBER.fullmatch(text):
        return None
    digits = text.lstrip("+-")
    if digits.isdecimal():
        number = int(text)
        if not _MIN <= number <= _MAX:
            raise CypherFailure(RuntimeFailure.NUMBER_TOO_LARGE.message)
        return number
    return integer_of_float(float(text))


def integer_of_float(value: float | None) -> int | None:
    """Return the value of toInteger(float), which saturates like Java."""
    if value is None or math.isnan(value):
        return None if value is None else 0
    return int(max(min(value, float(_MAX)), float(_MIN))) if abs(value) < 2**63 else (_MAX if value > 0 else _MIN)


def float_of_text(value: str | None) -> float | None:
    if value is None:
        return None
    text = value.strip(_SPACE)  # Java's parser of floats strips and takes a suffix, that of integers does not.
    if text.lstrip("+-") in ("NaN", "Infinity"):
        return float(text)
    plain = text.rstrip("dDfF") if text[-1:] in "dDfF" else text
    return float(plain) if _NUMBER.fullmatch(plain) and len(text) - len(plain) < 2 else None


def boolean_of_text(value: str | None) -> bool | None:
    return None if value is None else {"true": True, "false": False}.get(value.strip(_SPACE).lower())


def rounded(value: float | None, digits: int | None, mode: str | None) -> float | None:
    """Return the value of round(): half up without digits, otherwise half away from zero; `mode` is Java's, or empty."""
    if value is None or digits is None or mode is None or math.isinf(value) or math.isnan(value):
        return None if digits is None or mode is None else value
    if mode not in _MODES:
        raise kind_failure()
    if digits == 0 and not mode:
        return math.floor(value + 0.5) + 0.0 if abs(value) < 2**52 else value
    if digits < 0:
        raise kind_failure()
    if digits > 300:
        return value
    return (
        float(Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), f"ROUND_{mode or 'HALF_UP'}", _CONTEXT)) + 0.0
    )


def substring(value: str | None, start: int | None, length: int | None) -> str | None:
    if value is None:
        return None
    if start is None or length is None:
        raise kind_failure()
    if start < 0 or length < 0:
        raise CypherFailure(RuntimeFailure.NEGATIVE_COUNT.message)
    return value[start : start + length]


def right(value: str | None, length: int | None) -> str | None:
    if value is None or length is None:
        return None
    if length < 0:
        raise CypherFailure(RuntimeFailure.NEGATIVE_COUNT.message)
    return value[-length:] if length else ""


def left(value: str | None, length: int | None) -> str | None:
    if value is None or length is None:
        return None
    if length < 0:
        raise CypherFailure(RuntimeFailure.NEGATIVE_COUNT.message)
    return value[:length]


def split(value: str | None, separators: list[str] | None) -> list[str] | None:
    if value is None or separators is None or None in separators:
        return None
    if value == "":
        return [""]
    wanted = [separator for separator in separators if separator]
    if len(wanted) < len(separators):
        return list(value)
    if len(wanted) == 1:
        return value.split(wanted[0])
    return re.split("|".join(map(re.escape, wanted)), value)


def replace(value: str | None, old: str | None, new: str | None) -> str | None:
    if value is None or old is None or new is None:
        return None
    return value.replace(old, new)


def trimmed(value: str | None, characters: str | None, sides: str) -> str | None:
    if value is None or characters is None:
        return None
    if "l" in sides:
        value = value.lstrip(characters)
    return value.rstrip(characters) if "r" in sides else value


def number_range(first: int | None, last: int | None, step: int | None) -> list[int] | None:
    if first is None or last is None or step is None:
        raise kind_failure()
    if step == 0:
        raise CypherFailure("step argument to range() cannot be zero")
    # Neo4j counts by a truncated quotient, so that a step away from the end can give the first number.
    count = abs(last - first) // abs(step) * (1 if (last < first) == (step < 0) or last == first else -1) + 1
    return [first + step * place for place in range(count)]


def percentile_cont(values: list[str] | None, fraction: float | None) -> str | None:
    """Return the interpolated percentile of encoded numbers; a value that is hit keeps its type."""
    numbers = sorted(decode(value) for value in values or ())
    if not numbers:
        return None
    if fraction is None or not 0 <= fraction <= 1:
        raise CypherFailure(RuntimeFailure.PERCENTILE.message)
    place = fraction * (len(numbers) - 1)
    below = int(place)
    if below == place:
        return encode(numbers[below])
    share = place - below
    return encode(numbers[below] * (1 - share) + numbers[below + 1] * share)


def percentile_disc(values: list[str] | None, fraction: float | None) -> str | None:
    numbers = sorted(decode(value) for value in values or ())
    if not numbers:
        return None
    if fraction is None or not 0 <= fraction <= 1:
        raise CypherFailure(RuntimeFailure.PERCENTILE.message)
    place = fraction * len(numbers)
    return encode(numbers[max(math.ceil(place) - 1, 0)])


def sum_of(values: list[str] | None) -> str | None:
    total: float = 0
    for value in map(decode, values or ()):
        if not dynamic.is_number(value):
            raise kind_failure()
        total += value
    return encode(total)


def mean_of(values: list[str] | None) -> float | None:
    numbers = [decode(value) for value in values or ()]
    if any(not dynamic.is_number(number) for number in numbers):
        raise kind_failure()
    return math.fsum(numbers) / len(numbers) if numbers else None


def extreme_of(values: list[str] | None, *, largest: bool) -> str | None:
    found = [decode(value) for value in values or ()]
    if not found:
        return None
    return encode((max if largest else min)(found, key=_extreme_key))


def _extreme_key(value: Any) -> tuple[int, bytes]:
    # Neo4j's min and max order lists below texts below numbers, like ORDER BY.
    return 0, dynamic.order_key(value)


def to_string(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, list | dict | dynamic.EntityId):
        raise kind_failure()
    return dynamic.to_text(value)


def to_integer(value: Any) -> int | None:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        return integer_of_text(value)
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, float):
        return integer_of_float(value)
    raise kind_failure()


def to_float(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, str):
        return float_of_text(value)
    if dynamic.is_number(value):
        return float(value)
    raise kind_failure()


def to_boolean(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return boolean_of_text(value)
    if isinstance(value, int):
        return value != 0
    raise kind_failure()


def or_null(convert: Callable[[Any], Any], value: Any) -> Any:
    """Return a conversion, or null where it fails."""
    try:
        return convert(value)
    except CypherFailure:
        return None


def size_of(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, str | list | dict):
        return len(value)
    raise kind_failure()


def keys_of(value: Any) -> list[str] | None:
    if value is None:
        return None
    if isinstance(value, dict):
        return list(value)
    raise kind_failure()


def as_list(value: Any) -> list[Any] | None:
    """Return a list that UNWIND or a comprehension reads; another value stands for a list of itself."""
    return value if value is None or isinstance(value, list) else [value]


def items_of(value: str | None) -> list[str | None] | None:
    found = as_list(decode(value))
    return None if found is None else [encode(item) for item in found]


def negative(value: Any) -> Any:
    if value is None:
        return None
    if not dynamic.is_number(value):
        raise kind_failure()
    return -value


def type_name(value: Any) -> str:
    """Return the value of valueType()."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "BOOLEAN NOT NULL"
    if isinstance(value, list):
        return f"LIST<{_item_types(value)}> NOT NULL"
    names: dict[type, str] = {int: "INTEGER", float: "FLOAT", str: "STRING", dict: "MAP"}
    if type(value) in names:
        return names[type(value)] + " NOT NULL"
    return {"n": "NODE", "r": "RELATIONSHIP", "p": "PATH"}[value.tag] + " NOT NULL"


def _item_types(items: list[Any]) -> str:
    names = {type_name(item) for item in items}
    return (
        " | ".join(sorted(names, key=lambda name: (_TYPE_ORDER.index(name.split("<")[0].split()[0]), name)))
        or "NOTHING"
    )


_TYPE_ORDER = ("NULL", "BOOLEAN", "STRING", "INTEGER", "FLOAT", "NODE", "RELATIONSHIP", "MAP", "LIST", "PATH")


def reversed_value(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, str | list):
        return value[::-1]
    raise kind_failure()


def matches(value: Any, pattern: Any) -> bool | None:
    if not isinstance(value, str) or not isinstance(pattern, str):
        return None
    return re.fullmatch(pattern, value) is not None


def contains_text(value: Any, part: Any, how: str) -> bool | None:
    if not isinstance(value, str) or not isinstance(part, str):
        return None
    return {"S": value.startswith, "E": value.endswith, "C": value.__contains__}[how](part)


def property_of(value: Any, key: str) -> Any:
    """Return an entry of a map."""
    if value is None:
        return None
    if isinstance(value, dict):
        return value.get(key)
    if isinstance(value, dynamic.EntityId):
        raise CypherFailure(
            "a property is read of a node or relationship among values of other kinds; filter these out first"
        )
    raise kind_failure()


def map_of_entries(keys: list[str], values: list[str | None]) -> str | None:
    return encode(dict(zip(keys, map(decode, values), strict=True)))


def map_of_set_entries(keys: list[str], values: list[str | None]) -> str | None:
    """Return a map without the entries that are null."""
    return encode({key: decode(value) for key, value in zip(keys, values, strict=True) if value is not None})


def merge(whole: Any, added: Any) -> Any:
    if whole is None:
        return None
    if not isinstance(whole, dict):
        raise kind_failure()
    return {**whole, **added}


def as_kind(value: Any, *, kind: type) -> Any:
    """Require a text, an integer or, for float, any number."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else kind):
        raise kind_failure()
    return kind(value)


def absolute(value: Any) -> Any:
    if value is not None and not dynamic.is_number(value):
        raise kind_failure()
    return None if value is None else abs(value)


def fail(message: str) -> int:
    raise CypherFailure(message)


def _conversions() -> dict[str, ScalarFunction]:
    found: dict[str, ScalarFunction] = {}
    for name, convert, result in (
        ("string", to_string, _TEXT),
        ("integer", to_integer, _INTEGER),
        ("float", to_float, _FLOAT),
        ("boolean", to_boolean, _TRUTH),
    ):
        found[f"cy_to_{name}"] = ScalarFunction(_tested(convert), (_ANY,), result)
        found[f"cy_to_{name}_or_null"] = ScalarFunction(_tested(partial(or_null, convert)), (_ANY,), result)
    return found


def _operators() -> dict[str, ScalarFunction]:
    found = {
        f"cy_{name}": ScalarFunction(_tested(partial(dynamic.compare, operator=operator)), (_ANY, _ANY), _TRUTH)
        for name, operator in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    }
    for name, operator in (("minus", "-"), ("times", "*"), ("divide", "/"), ("modulo", "%"), ("power", "^")):
        call = _dynamic(partial(dynamic.calculate, operator=operator))
        found[f"cy_{name}"] = ScalarFunction(call, (_ANY, _ANY), _ANY)
    for name in ("starts", "ends", "contains"):
        call = _tested(partial(contains_text, how=name[0].upper()))
        found[f"cy_{name}"] = ScalarFunction(call, (_ANY, _ANY), _TRUTH)
    return found


SCALAR_FUNCTIONS: Final = {
    "cy_eq": ScalarFunction(_tested(dynamic.equal), (_ANY, _ANY), _TRUTH),
    "cy_in": ScalarFunction(_tested(dynamic.contains), (_ANY, _ANY), _TRUTH),
    "cy_plus": ScalarFunction(_dynamic(dynamic.add), (_ANY, _ANY), _ANY),
    "cy_concat": ScalarFunction(_dynamic(dynamic.concatenate), (_ANY, _ANY), _ANY),
    "cy_index": ScalarFunction(_dynamic(dynamic.index), (_ANY, _ANY), _ANY),
    "cy_negative": ScalarFunction(_dynamic(negative), (_ANY,), _ANY),
    "cy_truth": ScalarFunction(_tested(dynamic.truth), (_ANY,), _TRUTH),
    "cy_order": ScalarFunction(_tested(dynamic.order_key), (_ANY,), "BLOB"),
    "cy_matches": ScalarFunction(_tested(matches), (_ANY, _ANY), _TRUTH),
    "cy_property": ScalarFunction(lambda v, key: encode(property_of(decode(v), key)), (_ANY, _TEXT), _ANY),
    "cy_size": ScalarFunction(_tested(size_of), (_ANY,), _INTEGER),
    "cy_keys": ScalarFunction(_tested(keys_of), (_ANY,), "VARCHAR[]"),
    "cy_items": ScalarFunction(items_of, (_ANY,), "VARCHAR[]"),
    "cy_canonical": ScalarFunction(_dynamic(lambda value: value), (_ANY,), _ANY),
    "cy_abs": ScalarFunction(_dynamic(absolute), (_ANY,), _ANY),
    "cy_as_text": ScalarFunction(_tested(partial(as_kind, kind=str)), (_ANY,), _TEXT),
    "cy_as_integer": ScalarFunction(_tested(partial(as_kind, kind=int)), (_ANY,), _INTEGER),
    "cy_as_float": ScalarFunction(_tested(partial(as_kind, kind=float)), (_ANY,), _FLOAT),
    "cy_reversed": ScalarFunction(_dynamic(reversed_value), (_ANY,), _ANY),
    "cy_type": ScalarFunction(_tested(type_name), (_ANY,), _TEXT),
    "cy_sum": ScalarFunction(sum_of, ("VARCHAR[]",), _ANY),
    "cy_mean": ScalarFunction(mean_of, ("VARCHAR[]",), _FLOAT),
    "cy_min": ScalarFunction(partial(extreme_of, largest=False), ("VARCHAR[]",), _ANY),
    "cy_max": ScalarFunction(partial(extreme_of, largest=True), ("VARCHAR[]",), _ANY),
    "cy_percentile_cont": ScalarFunction(percentile_cont, ("VARCHAR[]", _FLOAT), _ANY),
    "cy_percentile_disc": ScalarFunction(percentile_disc, ("VARCHAR[]", _FLOAT), _ANY),
    "cy_float_text": ScalarFunction(lambda v: None if v is None else dynamic.float_text(v), (_FLOAT,), _TEXT),
    "cy_integer_of_text": ScalarFunction(integer_of_text, (_TEXT,), _INTEGER),
    "cy_integer_of_float": ScalarFunction(integer_of_float, (_FLOAT,), _INTEGER),
    "cy_float_of_text": ScalarFunction(float_of_text, (_TEXT,), _FLOAT),
    "cy_boolean_of_text": ScalarFunction(boolean_of_text, (_TEXT,), _TRUTH),
    "cy_round": ScalarFunction(rounded, (_FLOAT, _INTEGER, _TEXT), _FLOAT),
    "cy_substring": ScalarFunction(substring, (_TEXT, _INTEGER, _INTEGER), _TEXT),
    "cy_left": ScalarFunction(left, (_TEXT, _INTEGER), _TEXT),
    "cy_right": ScalarFunction(right, (_TEXT, _INTEGER), _TEXT),
    "cy_split": ScalarFunction(split, (_TEXT, "VARCHAR[]"), "VARCHAR[]"),
    "cy_replace": ScalarFunction(replace, (_TEXT, _TEXT, _TEXT), _TEXT),
    "cy_upper": ScalarFunction(lambda v: None if v is None else v.upper(), (_TEXT,), _TEXT),
    "cy_lower": ScalarFunction(lambda v: None if v is None else v.lower(), (_TEXT,), _TEXT),
    "cy_reverse": ScalarFunction(lambda v: None if v is None else v[::-1], (_TEXT,), _TEXT),
    "cy_map": ScalarFunction(map_of_entries, ("VARCHAR[]", "VARCHAR[]"), _ANY),
    "cy_set_entries": ScalarFunction(map_of_set_entries, ("VARCHAR[]", "VARCHAR[]"), _ANY),
    "cy_merge": ScalarFunction(_dynamic(merge), (_ANY, _ANY), _ANY),
    "cy_range": ScalarFunction(number_range, (_INTEGER, _INTEGER, _INTEGER), "BIGINT[]"),
    "cy_fail": ScalarFunction(fail, (_TEXT,), _INTEGER),
    **{
        f"cy_{name}": ScalarFunction(partial(trimmed, sides=sides), (_TEXT, _TEXT), _TEXT)
        for name, sides in (("trim", "lr"), ("ltrim", "l"), ("rtrim", "r"))
    },
    **_conversions(),
    **_operators(),
}
"""Functions by their names in SQL."""

WHITE_SPACE: Final = _SPACE
