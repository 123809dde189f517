"""What operators make of what types: one table, as Neo4j reads it."""

from __future__ import annotations

from collections.abc import Callable

from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.semantics.types import Type


def null_sum(left: Type, right: Type) -> Type:
    """null + x is null, also for a list: Neo4j appends nothing to nothing."""
    return types.union(left, right) if types.LIST in left.kinds | right.kinds else types.NULL


def _numeric(left: Type, right: Type) -> Type:
    kinds = {types.FLOAT} if types.FLOAT in left.kinds | right.kinds else set()
    both_whole = types.INTEGER in left.kinds and types.INTEGER in right.kinds
    return types.of(*kinds, *({types.INTEGER} if both_whole else ()))


def _joined(left: Type, right: Type) -> Type:
    parts = []
    for side in (left, right):
        if types.LIST in side.kinds:
            parts.append(side.items)
        rest = side.kinds - {types.LIST}
        if rest:
            parts.append(Type(frozenset(rest)))
    return types.list_of(types.union(*parts))


_Kinds = frozenset[str]
_N: _Kinds = frozenset({types.INTEGER, types.FLOAT})
_S: _Kinds = frozenset({types.STRING})
_L: _Kinds = frozenset({types.LIST})
_T: _Kinds = frozenset({types.TEMPORAL})
_D: _Kinds = frozenset({types.DURATION})
_Result = Callable[[Type, Type], Type]


def _always(*kinds: str) -> _Result:
    return lambda left, right: types.of(*kinds)


ARITHMETIC: dict[str, tuple[tuple[_Kinds, _Kinds, _Result], ...]] = {
    "+": (
        (_N, _N, _numeric),
        (_S, _S | _N, _always(types.STRING)),
        (_N, _S, _always(types.STRING)),
        (_L, types.EVERY, _joined),
        (types.EVERY, _L, _joined),
        (_T, _D, _always(types.TEMPORAL)),
        (_D, _T, _always(types.TEMPORAL)),
        (_D, _D, _always(types.DURATION)),
    ),
    "||": ((_S, _S, _always(types.STRING)), (_L, _L, _joined)),
    "-": ((_N, _N, _numeric), (_T, _D, _always(types.TEMPORAL)), (_D, _D, _always(types.DURATION))),
    "*": ((_N, _N, _numeric), (_N, _D, _always(types.DURATION)), (_D, _N, _always(types.DURATION))),
    "/": ((_N, _N, _numeric), (_D, _N, _always(types.DURATION))),
    "%": ((_N, _N, _numeric),),
    "^": ((_N, _N, _always(types.FLOAT)),),
}
"""Operator -> types of its sides, and the type of the result."""
