"""Optimizer passes of kglite 0.21 that return wrong rows, and the constructs for which each is switched off (decision 1).

A pass costs up to twelve times if it is off for all queries, so one that is wrong for a construct is off only in queries that
may have the construct. The text decides: a query that only looks as if it had the construct is slower, never wrong.
"""

from __future__ import annotations

import re

ALWAYS_DISABLED = (
    "extract_pushable_rel_predicates",
    "fold_aliasing_with",
    "fuse_optional_match_aggregate",
    "fuse_order_by_top_k",
)

_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`""", re.DOTALL)
_SUBQUERY_CALL = re.compile(r"\bCALL\s*[({]", re.IGNORECASE)
_BARE_STEP = re.compile(r"(?<!<)--(?!>)|<-->")


def find_disabled_passes(text: str) -> list[str]:
    """Return the passes that are switched off for a query."""
    bare = _QUOTED.sub("''", text)
    passes = list(ALWAYS_DISABLED)
    if _has_undirected_step(bare):
        passes.append("fuse_match_return_aggregate")
    if _SUBQUERY_CALL.search(bare):
        passes.append("fuse_match_with_aggregate")
    return passes


def _has_undirected_step(text: str) -> bool:
    """Return whether a relationship pattern has no arrowhead or two: every other one has exactly one."""
    return bool(_BARE_STEP.search(text)) or text.count("-[") != text.count("<-[") + text.count("]->")
