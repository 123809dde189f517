"""Enclosing class, local variables, and the log of attributed edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from repoquarry.languages.family import AttributionResult, Target
from repoquarry.languages.java import reduced_tree
from repoquarry.languages.java.attribution.elements import (
    ClassInfo,
    ClassType,
    Method,
    Type,
    TypeNameScope,
    VariableType,
)


@dataclass(slots=True)
class LocalVariable:
    """A local variable or parameter."""

    type: Type
    made: set[ClassInfo] | None = field(default_factory=set)
    """Classes of the objects that were assigned to it; None as soon as one is not seen to be made."""
    functions: set[int] = field(default_factory=set)
    """Lambdas and methods that were assigned to it."""
    parameter: tuple[int, int] | None = None
    """(method, position) of a parameter."""
    reflected: list[Type] = field(default_factory=list)
    """Types of the values that are assigned to it, if it holds a class or a method."""


@dataclass(slots=True)
class CodeContext:
    """The inside of a class, method or lambda."""

    cls: ClassInfo
    caller: int
    """Symbol of the definition around the code."""
    names: TypeNameScope
    is_static: bool
    outer: CodeContext | None = None
    """The place in which the class stands."""
    locals: list[dict[str, LocalVariable]] = field(default_factory=lambda: [{}])
    result: Type = None
    """Expected type of a `return`."""
    returned: list[Type] | None = None
    """Types that a lambda's body returns; None in methods."""

    def variable(self, name: str) -> LocalVariable | None:
        """Return a local variable by its name."""
        for scope in reversed(self.locals):
            if name in scope:
                return scope[name]
        return None

    def around(self) -> Iterator[CodeContext]:
        """This place, and those of the classes around, innermost first."""
        here: CodeContext | None = self
        while here is not None:
            yield here
            here = here.outer


def this_type(cls: ClassInfo) -> ClassType:
    """Return the type of `this` in a class."""
    return ClassType(cls, tuple(VariableType(one) for one in cls.variables))


#: so many trials run one inside another
MAX_TRIALS = 2


@dataclass
class AttributionLog:
    """Record of of one program."""

    found: AttributionResult = field(default_factory=AttributionResult)
    live: set[ClassInfo] = field(default_factory=set)
    """Classes of which instances are made."""
    virtual: list[tuple[int, Method, ClassInfo, int]] = field(default_factory=list)
    """(caller, method, class of the receiver, line) of calls that an overriding method may answer."""
    passed: dict[tuple[int, int], set[int]] = field(default_factory=lambda: defaultdict(set))
    """(method, position of a parameter) -> lambdas and methods that are passed there."""
    received: list[tuple[int, tuple[int, int], str, int]] = field(default_factory=list)
    """(caller, (method, position), called name, line) of calls of a parameter that is a function."""
    trials: int = 0
    """How many trials are under way, one inside another."""

    @property
    def is_trying(self) -> bool:
        return self.trials > 0

    @property
    def may_try(self) -> bool:
        """Return whether one more trial is worth it: nested calls would double the work with each level."""
        return self.trials < MAX_TRIALS

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Nothing is noted inside."""
        self.trials += 1
        try:
            yield
        finally:
            self.trials -= 1

    def call_methods(self, caller: int, methods: Sequence[Method], line: int, rule: str) -> None:
        """Record a call site and its methods; one whose parameters cannot be read is as uncertain as one of two."""
        broken = any(method.has(reduced_tree.BROKEN) for method in methods)
        self.call(caller, [method.symbol for method in methods], line, rule, extra=int(broken))

    def call(self, caller: int, targets: Sequence[Target], line: int, rule: str, *, extra: int = 0) -> None:
        """Record a call site and its targets; `extra` counts targets that may be missing."""
        if not self.is_trying:
            self.found.calls += [(caller, target, line, rule, len(targets) + extra) for target in targets]

    def unresolved(self, caller: int, name: str, line: int, reason: str) -> None:
        """Record a call site without a known target."""
        if not self.is_trying:
            self.found.unresolved.append((caller, name, line, reason))

    def reference(self, source: int, target: Target, line: int, how: str) -> None:
        """Record a mention."""
        if not self.is_trying:
            self.found.references.append((source, target, line, how))

    def use(self, source: int, owner: int, name: str, line: int, kind: str, how: str) -> None:
        """Record a use of a field."""
        if not self.is_trying:
            self.found.uses.append((source, owner, name, line, kind, how))
