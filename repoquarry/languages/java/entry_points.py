"""What Java code is started by from outside a repository: `main`, tests, and what frameworks find by its annotations or bases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from repoquarry.languages.facts import Decorator, Definition, FileFacts
from repoquarry.languages.java.frameworks import full_names, is_known, is_served, kind_of

_MAIN = re.compile(r"\((?:final )?(?:java\.lang\.)?String ?(?:\[\] ?\w+|\.\.\. ?\w+|\w+ ?\[\])\) -> void")
_NAMED = frozenset(("test", "fixture"))


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool, /) -> Iterator[tuple[str, str]]:
    """As `repoquarry.languages.family.EntryPoints`."""
    if definition.kind == "method" and definition.name == "main" and _MAIN.fullmatch(definition.signature):
        yield "main", "main"
    kinds = [(_kind(facts, one), one) for one in definition.decorators]
    for kind, decorator in kinds:
        if kind:
            yield kind, definition.name if kind in _NAMED else decorator.text
    if definition.kind != "method":
        return
    if in_test_class and definition.name.startswith("test") and not any(kind == "test" for kind, _ in kinds):
        yield "test", definition.name
    if is_served(facts, definition.parent, definition.name):
        yield "route", definition.name


def is_test(definition: Definition) -> bool:
    """Whether a method is a test by its annotations or, before there were such, by its name."""
    return definition.name.startswith("test") or any(
        kind_of(one.dotted) == "test" if "." in one.dotted else is_known(one.dotted, "test")
        for one in definition.decorators
    )


def _kind(facts: FileFacts, decorator: Decorator) -> str:
    return next((kind for full in full_names(facts, decorator.dotted) if (kind := kind_of(full))), "")
