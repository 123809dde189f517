"""Values whose type is known only at run time: their encoding as text, and Cypher's operators on them.

The first character is a tag: b, i, f, s (scalars), n, r (ids of a node or relationship), p (path), l (list, as a JSON array of
encoded items) and m (map, as a JSON object of encoded values). Null is null.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure

_MAX_INTEGER: Final = 2**63 - 1


class CypherFailure(Exception):
    """Run-time error of a query, with its message, which engines find behind the name of this class."""


@dataclass(frozen=True, slots=True)
class EntityId:
    """Node (`n`), relationship (`r`) or path (`p`, with the ids of its nodes and relationships)."""

    tag: str
    id: int
    nodes: tuple[int, ...] = ()
    relationships: tuple[int, ...] = ()


def kind_failure(failure: RuntimeFailure = RuntimeFailure.TYPE_MISMATCH) -> CypherFailure:
    return CypherFailure(failure.message)


def decode(found: str | None) -> Any:
    """Return the Python value of an encoded one."""
    if found is None:
        return None
    tag, rest = found[0], found[1:]
    match tag:
        case "s":
            return rest
        case "i":
            return int(rest)
        case "f":
            return float(rest)
        case "b":
            return rest == "1"
        case "l":
            return [decode(item) for item in json.loads(rest)]
        case "m":
            return {key: decode(item) for key, item in json.loads(rest).items()}
        case "p":
            parts = json.loads(rest)
            return EntityId("p", 0, tuple(parts["ns"]), tuple(parts["rs"]))
    return EntityId(tag, int(rest))


def encode(value: Any) -> str | None:
    """Encode a value; equal values of one type have equal texts."""
    if value is None:
        return None
    if isinstance(value, bool):
        return f"b{int(value)}"
    if isinstance(value, int):
        if not -_MAX_INTEGER - 1 <= value <= _MAX_INTEGER:
            raise CypherFailure("integer overflow: the result does not fit 64 bits")
        return f"i{value}"
    if isinstance(value, float):
        return f"f{value!r}"
    if isinstance(value, str):
        return "s" + value
    if isinstance(value, list | tuple):
        return "l" + json.dumps([encode(item) for item in value], ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, dict):
        entries = {key: encode(value[key]) for key in sorted(value)}
        return "m" + json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    if value.tag == "p":
        return "p" + json.dumps({"ns": value.nodes, "rs": value.relationships}, separators=(",", ":"))
    return f"{value.tag}{value.id}"


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def equal(left: Any, right: Any) -> bool | None:
    """Compare like `=`: null if that is unknown."""
    if left is None or right is None:
        return None
    if is_number(left) and is_number(right):
        return bool(left == right)
    if isinstance(left, list) and isinstance(right, list):
        return _all(equal(a, b) for a, b in zip(left, right, strict=True)) if len(left) == len(right) else False
    if isinstance(left, dict) and isinstance(right, dict):
        return _all(equal(left[key], right[key]) for key in left) if left.keys() == right.keys() else False
    return type(left) is type(right) and bool(left == right)


def _all(results: Any) -> bool | None:
    is_known = True
    for result in results:
        if result is False:
            return False
        is_known = is_known and result is not None
    return True if is_known else None


def compare(left: Any, right: Any, operator: str) -> bool | None:
    """Compare like `<`, `<=`, `>` or `>=`: null for values of different kinds."""
    if operator in (">", ">="):
        left, right, operator = right, left, operator.replace(">", "<")
    if is_number(left) and is_number(right):
        return bool(left <= right) if operator == "<=" else bool(left < right)
    if isinstance(left, list) and isinstance(right, list):
        return _compare_lists(left, right, operator)
    if type(left) is not type(right) or not isinstance(left, str | bool):
        return None
    return bool(left <= right) if operator == "<=" else bool(left < right)


def _compare_lists(left: list[Any], right: list[Any], operator: str) -> bool | None:
    for a, b in zip(left, right, strict=False):
        same = equal(a, b)
        if same is None:
            return None
        if not same:
            return compare(a, b, "<")
    return len(left) <= len(right) if operator == "<=" else len(left) < len(right)


def contains(item: Any, items: Any) -> bool | None:
    """Return the value of `item IN items`."""
    if items is None:
        return None
    if not isinstance(items, list):
        items = [items]
    is_known = True
    for other in items:
        same = equal(item, other)
        if same:
            return True
        is_known = is_known and same is not None
    return False if is_known else None


def add(left: Any, right: Any) -> Any:
    """Return the sum of numbers, texts or lists."""
    if isinstance(left, list) or isinstance(right, list):
        if left is None or right is None:
            return None
        return (left if isinstance(left, list) else [left]) + (right if isinstance(right, list) else [right])
    if left is None or right is None:
        return None
    if is_number(left) and is_number(right):
        return left + right
    if isinstance(left, str) or isinstance(right, str):
        for side in (left, right):
            if not isinstance(side, str | bool | int | float):
                raise kind_failure()
        return to_text(left) + to_text(right)
    raise kind_failure()


def concatenate(left: Any, right: Any) -> Any:
    """Return the value of `||`."""
    if left is None or right is None:
        return None
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, list) and isinstance(right, list):
        return left + right
    raise kind_failure()


def calculate(left: Any, right: Any, operator: str) -> Any:
    """Return the value of `-`, `*`, `/`, `%` or `^`."""
    if left is None or right is None:
        return None
    if not is_number(left) or not is_number(right):
        raise kind_failure()
    if operator == "^":
        return float(left) ** float(right)
    if operator in ("-", "*"):
        return left - right if operator == "-" else left * right
    if isinstance(left, int) and isinstance(right, int):
        if right == 0:
            raise CypherFailure("/ by zero")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - right * quotient
    if right == 0:
        return (
            math.nan
            if operator == "%" or left == 0 or math.isnan(left)
            else math.copysign(math.inf, left) * math.copysign(1, right)
        )
    return left / right if operator == "/" else math.fmod(left, right)


def index(subject: Any, key: Any) -> Any:
    """Return the value of `subject[key]` for a list or map."""
    if subject is None or key is None:
        return None
    if isinstance(subject, list) and isinstance(key, int) and not isinstance(key, bool):
        return subject[key] if -len(subject) <= key < len(subject) else None
    if isinstance(subject, dict) and isinstance(key, str):
        return subject.get(key)
    raise kind_failure()


def truth(value: Any) -> bool | None:
    """Return the value of a condition."""
    if value is None or isinstance(value, bool):
        return value
    raise kind_failure(RuntimeFailure.NON_BOOLEAN_CONDITION)


def to_text(value: Any) -> str:
    """Return the text of a scalar as Neo4j prints it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return float_text(value)
    return str(value)


def float_text(value: float) -> str:
    """Format a float like Java: plain from 0.001 to 10,000,000, otherwise with an exponent."""
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        shown = repr(value)
        return shown if "e" not in shown else f"{value:f}"
    digits, _, exponent = f"{value!r}".partition("e")
    if not exponent:
        digits, _, exponent = _scientific(value)
    mantissa = digits if "." in digits else digits + ".0"
    return f"{mantissa}E{int(exponent)}"


def _scientific(value: float) -> tuple[str, str, str]:
    for precision in range(17):
        shown = f"{value:.{precision}e}"
        if float(shown) == value:
            return shown.partition("e")
    return f"{value:.17e}".partition("e")


_RANKS: tuple[tuple[Callable[[Any], bool], int], ...] = (
    (lambda v: isinstance(v, dict), 0),
    (lambda v: isinstance(v, EntityId) and v.tag == "n", 1),
    (lambda v: isinstance(v, EntityId) and v.tag == "r", 2),
    (lambda v: isinstance(v, list), 3),
    (lambda v: isinstance(v, EntityId), 4),
    (lambda v: isinstance(v, str), 5),
    (lambda v: isinstance(v, bool), 6),
    (is_number, 7),
)


def order_key(value: Any) -> bytes:
    """Return bytes whose order is that of ORDER BY; null is last."""
    if value is None:
        return b"\x09"
    rank = next(rank for test, rank in _RANKS if test(value)) + 1
    return bytes((rank,)) + _rest_of_key(value)


def _rest_of_key(value: str | bool | float | list[Any] | dict[str, Any] | EntityId) -> bytes:
    if isinstance(value, str):
        return value.encode().replace(b"\x00", b"\x00\xff") + b"\x00\x00"
    if isinstance(value, bool):
        return bytes((value,))
    if isinstance(value, int | float):
        bits = int.from_bytes(struct.pack(">d", value + 0.0), "big")
        bits = bits ^ (2**64 - 1) if bits >> 63 else bits | 1 << 63
        return bits.to_bytes(8, "big")
    if isinstance(value, list):
        return b"".join(order_key(item) for item in value) + b"\x00"
    if isinstance(value, dict):
        return b"".join(order_key(part) for key in sorted(value) for part in (key, value[key])) + b"\x00"
    parts = (value.id, *value.nodes, *value.relationships)
    return b"".join(part.to_bytes(8, "big") for part in parts)
