"""Views of call edges: sure ones, sets of which one runs, what is only declared, and guesses; filters by view and words for people."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

SURE: Final = "sure"
"""One target: a name, a method that nothing overrides, a class, a receiver of one class."""
DISPATCH: Final = "dispatch"
"""One of the targets that may run at a call site; together they are all that may run there."""
DECLARED: Final = "declared"
"""What the source names, where implementations run in its place."""
POSSIBLE: Final = "possible"
"""A guess: named at run time, or put there by tests only."""
HOOK: Final = "hook"
"""A target of a dispatch set that is likelier than not to run in some call; one that dispatch adds, or that a test implements."""
SCIP: Final = "scip"
"""What an index of a compiler or type checker names, where our resolution does not."""
OUTSIDE: Final = "outside the repository"
"""Reason of an unresolved call whose receiver comes from external code."""
CANDIDATE: Final = "candidate"
"""A guess by evidence about an unresolved call; it keeps its target alive and is counted nowhere."""
NAMED_CANDIDATE: Final = 0.98
"""Confidence of candidates by their names; those of the three rules differ, so that the figure tells the rule."""
ONLY_CANDIDATE: Final = 0.97
CLASS_CANDIDATE: Final = 0.95
_CANDIDATE_REASONS: Final = {
    NAMED_CANDIDATE: "the only definition of its name, and the receiver names its class",
    ONLY_CANDIDATE: "the only definition of its name, which the file knows, or which is private or has all members that are used",
    CLASS_CANDIDATE: "the only one of its name whose class the receiver names",
}
VIEWS: Final = (SURE, DISPATCH, DECLARED, POSSIBLE)
MODEL: Final = "model:"
"""Begins the rule of edges that a model of a framework makes; its name follows."""
NOT_RUN: Final = (DECLARED, POSSIBLE, CANDIDATE)
"""Rules that add nothing to what may run."""
ADDED: Final = (DISPATCH, HOOK)
"""Rules of targets that dispatch adds."""
LIKELY: Final = 0.5
"""Confidence from which an edge is a finding and counts as a call; below, it is a possibility."""
HIDDEN_BELOW: Final = 0.4
"""Share of the calls of a site below which a target is counted and not listed."""
_METHODS: Final = frozenset(
    {"dispatch", "hook", "self", "super", "receiver", "class", "instance", "implicit", "property"}
)
"""Rules whose targets implement one method."""


def view_of(how: str, targets: int) -> str:
    """Return the view of an edge by its rule and the number of targets of its site."""
    if how in NOT_RUN:
        return DECLARED if how == DECLARED else POSSIBLE
    return DISPATCH if targets > 1 or how in ADDED else SURE


def is_in_views(views: Collection[str], how: str, targets: int) -> bool:
    """Return whether an edge has one of the views or rules; none of them means all."""
    return not views or how in views or view_of(how, targets) in views


def site_confidence(how: str, targets: int, confidence: float) -> float:
    """Return what a limit compares: the targets of a set have their confidence together, as each of them runs in some call.

    Implementations that nothing shows to run have only their share, and hooks at least `LIKELY`.
    """
    if how in NOT_RUN or how == DISPATCH:
        return confidence
    together = min(1.0, confidence * max(1, targets))
    return max(together, LIKELY) if how == HOOK else together


def is_hidden(how: str, targets: int, confidence: float) -> bool:
    """Return whether an edge is too unlikely to be listed; the targets of a set stand or fall together."""
    together = targets if view_of(how, targets) == DISPATCH else 1
    return confidence * max(1, together) < HIDDEN_BELOW


def describe_view(how: str, targets: int, confidence: float = 0.0) -> str:
    """Describe an edge for people: `sure`, `one of 4 implementations`, `declared; 3 implementations`."""
    if how == CANDIDATE:
        reason = _CANDIDATE_REASONS.get(round(confidence, 3), "")
        return f"{how}: {reason}" if reason else how
    if how.startswith(MODEL):
        return f"{describe_view('', targets)}, by the model of {how.removeprefix(MODEL)}"
    noun = "implementation" if how in _METHODS or how == DECLARED else "target"
    counted = f"{targets} {noun}{'s' * (targets != 1)}"
    view = view_of(how, targets)
    if view == DECLARED:
        return f"declared; {counted}"
    return f"one of {counted}" if view == DISPATCH and targets > 1 else view
