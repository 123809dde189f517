"""What attribution notes down, unless it only tries something out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from repoquarry.languages.attributed import Attributed, Target
from repoquarry.languages.java.attribution.elements import ClassInfo, Method

#: so many trials run one inside another
MOST_TRIALS = 2


@dataclass
class Findings:
    """Notes of one program."""

    found: Attributed = field(default_factory=Attributed)
    live: set[ClassInfo] = field(default_factory=set)
    """Classes of which instances are made."""
    virtual: list[tuple[int, Method, ClassInfo, int]] = field(default_factory=list)
    """(caller, method, class of the receiver, line) of calls that an overriding method may answer."""
    passed: dict[tuple[int, int], set[int]] = field(default_factory=lambda: defaultdict(set))
    """(method, position of a parameter) -> lambdas and methods that are passed there."""
    received: list[tuple[int, tuple[int, int], int]] = field(default_factory=list)
    """(caller, (method, position), line) of calls of a parameter that is a function."""
    trials: int = 0
    """How many trials are under way, one inside another."""

    @property
    def is_trying(self) -> bool:
        return self.trials > 0

    @property
    def may_try(self) -> bool:
        """Whether one more trial is worth it: calls that nest would double the work with each level."""
        return self.trials < MOST_TRIALS

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Nothing is noted inside."""
        self.trials += 1
        try:
            yield
        finally:
            self.trials -= 1

    def call(self, caller: int, targets: Sequence[Target], line: int, rule: str) -> None:
        """A call site and what it reaches."""
        if not self.is_trying:
            self.found.calls += [(caller, target, line, rule, len(targets)) for target in targets]

    def unresolved(self, caller: int, name: str, line: int, reason: str) -> None:
        """A call site that reaches nothing known."""
        if not self.is_trying:
            self.found.unresolved.append((caller, name, line, reason))

    def reference(self, source: int, target: Target, line: int, how: str) -> None:
        """A mention."""
        if not self.is_trying:
            self.found.references.append((source, target, line, how))
