"""Run-time errors of rewritten queries: builds expressions that fail when evaluated, and reads the reason from the engine's message.

A rewrite guards a value with `CASE WHEN doubtful THEN failure(...) ELSE ... END`. Cypher has no way to raise an error; an addition that
overflows fails only when it is evaluated, and the engine's message shows its right operand, which is the number of the reason.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from repoquarry.graphstore.query.cypher.syntax import ast

_MAX_INTEGER = 2**63 - 1
_FIRST = 7_301_000
"""Large enough that no addition of an analyst is mistaken for one of these."""

_MESSAGE = re.compile(rf"{_MAX_INTEGER} \+ (\d+)\b")


class RuntimeFailure(Enum):
    """Number and message of a run-time failure."""

    NOT_A_NUMBER = (1, "a division, root or logarithm gives NaN or an infinity here; filter out such values first")
    EXPONENT = (
        2,
        "Neo4j prints this float with an exponent (below 0.001 or from 10,000,000 on); round() or scale it first",
    )
    LIST_LIKE_STRING = (
        3,
        "this text begins with `[`, and the engine would take it for a list; compare or cut it instead",
    )
    TEXT_AS_NUMBER = (
        4,
        "Neo4j reads this text as a number and the engine does not, or the other way round; write it plainly",
    )
    WHITE_SPACE = (
        5,
        "the engines disagree whether a character at the edge of this text is white space; use replace() first",
    )
    TOO_LARGE_TO_ROUND = (6, "this number is too large to be rounded to so many digits; round it to fewer")
    SAME_ENDS = (8, "a shortest path from a node to itself, on which Neo4j fails: add WHERE a <> b")
    NEGATIVE_COUNT = (
        7,
        "substring(), left() and right() take no negative number, and substring() none above 2147483647",
    )
    TYPE_MISMATCH = (
        9,
        "an operator or function meets a value of a kind that it does not take, such as a number where a text belongs; "
        "convert it, or filter such values out first",
    )
    LOOSE_TYPE_MISMATCH = (
        10,
        "a function or index meets a value of another kind than it promises to take, for which Neo4j has rules of its own; "
        "convert it first, with toInteger() or toString()",
    )
    NON_BOOLEAN_CONDITION = (11, "a value other than true or false is used as a condition; write a comparison")
    NUMBER_TOO_LARGE = (12, "toInteger() meets a text of digits that is too large for 64 bits")
    PERCENTILE = (13, "a percentile is a number in the range 0.0 to 1.0")

    @property
    def number(self) -> int:
        """Return the right operand of the failing addition."""
        return _FIRST + self.value[0]

    @property
    def message(self) -> str:
        return self.value[1]

    @property
    def is_neo4js(self) -> bool:
        """Return whether Neo4j fails for such a value as well."""
        return self in _OF_NEO4J


_OF_NEO4J = frozenset(
    {
        RuntimeFailure.NEGATIVE_COUNT,
        RuntimeFailure.TYPE_MISMATCH,
        RuntimeFailure.NUMBER_TOO_LARGE,
        RuntimeFailure.PERCENTILE,
    }
)
_BY_NUMBER = {failure.number: failure for failure in RuntimeFailure}


def failing_expression(failure: RuntimeFailure) -> ast.Expression:
    """Build an expression that fails only when it is evaluated."""
    # Lazy import: children that run queries only read failures.
    from repoquarry.graphstore.query.cypher.syntax import ast

    return ast.Binary("+", ast.Literal(_MAX_INTEGER), ast.Literal(failure.number))


def parse_failures(message: str) -> RuntimeFailure | None:
    """Return the failure in an engine's error message, if any."""
    match = _MESSAGE.search(message)
    return _BY_NUMBER.get(int(match[1])) if match else None
