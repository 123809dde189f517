"""Score profiles `degrees` and `paper` (RepoMaster): sums of stored features that are the importance of modules and classes.

A profile is a record, with which ingestion computes importance and `show --why` explains it. The graph has all features whatever the
profile.
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
    """Sum of some features with weight 1, and its adjustments."""

    name: str
    features: tuple[str, ...]
    most: float = 0.0
    """Maximum of the sum; 0 means no maximum."""
    share_of_tests: float = 1.0
    """Factor of the scores in test files."""
    is_as_printed: bool = False
    """True if dependency, complexity and semantic are computed as the paper prints them; otherwise in our form; docs/explanation shows both."""
    classes_alike: bool = False
    """True if a class's shares of methods and calls count as much as the best I(m); otherwise modules dominate, ten to one."""

    def importance(self, values: Mapping[str, float], *, is_test: bool) -> float:
        """Compute I(m) from features by name; a missing feature counts 0."""
        counted = self.total(values)
        if self.most:
            counted = min(counted, self.most)
        return counted * self.share_of_tests if is_test else counted

    def class_importance(self, module: float, shares: float, best: float, *, is_test: bool) -> float:
        """Compute J(c) from the I(m) of its module, its shares of methods and of calls, and the best I(m) of the repository."""
        weight = best if self.classes_alike else 1.0
        return module + shares * weight * (self.share_of_tests if is_test else 1.0)

    def total(self, values: Mapping[str, float]) -> float:
        """Sum the features, rounded to nine decimals as stored, so that the order of additions does not matter."""
        return round(sum(values.get(name, 0.0) for name in self.features), 9)


PAPER: Final = Profile("paper", PAPER_FEATURES, most=10.0, is_as_printed=True)
"""I(m) and J(c) as RepoMaster defines them. Source: arXiv 2505.21577, equations 1 to 3, appendix F with algorithms 1 and 2."""

DEGREES_APART: Final = Profile("degrees", FEATURES, share_of_tests=0.5, classes_alike=True)
"""Our form of the paper's features and both call degrees, with half weight for tests; docs/explanation/benchmarks.md has the improvement."""

PROFILES: Final[Mapping[str, Profile]] = {profile.name: profile for profile in (PAPER, DEGREES_APART)}


def profile_named(name: str) -> Profile:
    """Return a profile. Raises: NotFoundError for an unknown name, with the known ones."""
    if name not in PROFILES:
        known = ", ".join(sorted(PROFILES))
        raise NotFoundError(f"unknown score profile {name!r}; known: {known}", kind="score profile", value=name)
    return PROFILES[name]
