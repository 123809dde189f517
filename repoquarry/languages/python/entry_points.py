"""What Python code is started by from outside a repository, by the names that pytest and unittest go by."""

from __future__ import annotations

from collections.abc import Iterator

from repoquarry.languages.facts import Definition, FileFacts


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool, /) -> Iterator[tuple[str, str]]:
    """As `repoquarry.languages.family.EntryPoints`."""
    if definition.name.startswith("pytest_") and facts.module_name == "conftest" and not definition.parent:
        yield "hook", definition.name
    if definition.name.startswith("test") and definition.kind in ("function", "method"):
        file = facts.path.rpartition("/")[2]
        in_test_file = not definition.parent and (file.startswith("test") or file.endswith("_test.py"))
        if in_test_class if definition.kind == "method" else in_test_file:
            yield "test", definition.name
