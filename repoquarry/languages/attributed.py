"""What a language's own attribution found, by symbols as `Resolution` numbers them (for each file the module, then its definitions)."""

from __future__ import annotations

from dataclasses import dataclass, field

Target = int | str
"""A symbol, or the full name of something outside the program."""


@dataclass
class Attributed:
    """Findings of one program, in any order."""

    calls: list[tuple[int, Target, int, str, int]] = field(default_factory=list)
    """(caller, callee, line, rule, number of targets that the rule gave its site)."""
    unresolved: list[tuple[int, str, int, str]] = field(default_factory=list)
    """(caller, called name, line, reason)."""
    references: list[tuple[int, Target, int, str]] = field(default_factory=list)
    """(source, target, line, how)."""
    inherits: list[tuple[int, Target, int]] = field(default_factory=list)
    """(class, base, position)."""
    overrides: list[tuple[int, int]] = field(default_factory=list)
    """(method, the nearest one that it overrides)."""
    imports: list[tuple[int, Target, str, int, str]] = field(default_factory=list)
    """(module, module or outside name, name that is taken or empty, line, how)."""
    entry_points: list[tuple[int, str, str]] = field(default_factory=list)
    """(symbol, kind, text) of what is started from outside by more than what its own file says."""
    test_classes: set[int] = field(default_factory=set)
    """Classes of which a test runner makes instances."""
