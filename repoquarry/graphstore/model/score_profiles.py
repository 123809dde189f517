"""Score profiles: how stored features make importance.

A profile is data, not code, because three parties must not disagree about it: ingestion computes importance by it, `show --why` explains
importance by it, and analysts compute it anew in Cypher. Features do not depend on the profile and are always stored, all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.errors import NotFoundError

PAPER_FEATURES: Final[tuple[str, ...]] = ("dependency", "complexity", "usage", "semantic", "documentation", "history")
DEGREES: Final[tuple[str, ...]] = ("inward", "outward")
FEATURES: Final[tuple[str, ...]] = (*PAPER_FEATURES, *DEGREES)


@dataclass(frozen=True)
class Profile:
    """The sum of some features, all with weight 1, and what is done to it."""

    name: str
    features: tuple[str, ...]
    most: float = 0.0
    """The sum counts up to this; 0 means that it counts whatever it is."""
    share_of_tests: float = 1.0
    """What scores in a file that holds tests are multiplied by."""
    classes_alike: bool = False
    """Whether the shares of methods and calls that a class has weigh as much as the best I(m): without, modules decide, ten to one."""

    def importance(self, values: Mapping[str, float], *, is_test: bool) -> float:
        """I(m) from features by name; a feature that is missing counts nothing."""
        counted = self.total(values)
        if self.most:
            counted = min(counted, self.most)
        return counted * self.share_of_tests if is_test else counted

    def class_importance(self, module: float, shares: float, best: float, *, is_test: bool) -> float:
        """J(c) from the I(m) of its module, its shares of methods and of calls, and the best I(m) of the repository."""
        weight = best if self.classes_alike else 1.0
        return module + shares * weight * (self.share_of_tests if is_test else 1.0)

    def total(self, values: Mapping[str, float]) -> float:
        """Sum of the features, to nine decimals as they are stored: the same whatever the order of additions."""
        return round(sum(values.get(name, 0.0) for name in self.features), 9)

    def cypher(self, node: str) -> str:
        """The same as a Cypher expression over the properties of the module `node`."""
        score = "(" + " + ".join(f"{node}.{name}" for name in self.features) + ")"
        if self.most:
            score = f"CASE WHEN {score} > {self.most} THEN {self.most} ELSE {score} END"
        if self.share_of_tests != 1.0:
            score = f"{score} * CASE WHEN {node}.is_test THEN {self.share_of_tests} ELSE 1.0 END"
        return score


PAPER: Final = Profile("paper", PAPER_FEATURES, most=10.0)
"""I(m) and J(c) as RepoMaster defines them. Source: arXiv 2505.21577, appendix F and equation 3."""

DEGREES_APART: Final = Profile("degrees", FEATURES, share_of_tests=0.5, classes_alike=True)
"""Ours: the paper's features and both degrees of calls, tests at half; docs/benchmarks.md says what it gains."""

PROFILES: Final[Mapping[str, Profile]] = {profile.name: profile for profile in (PAPER, DEGREES_APART)}


def profile_named(name: str) -> Profile:
    """Raises: NotFoundError for an unknown name, with the known ones."""
    if name not in PROFILES:
        known = ", ".join(sorted(PROFILES))
        raise NotFoundError(f"no score profile {name!r}; known are {known}", kind="score profile", value=name)
    return PROFILES[name]
