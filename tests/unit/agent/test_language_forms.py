"""Index files of folders, and documentation inside of definitions, as the language says."""

from __future__ import annotations

import re

from repoquarry.agent.settings import SelectionSettings
from repoquarry.agent.views.truncation import truncate_view
from repoquarry.agent.views.view import DefinitionSpan, ToolView, ViewKind
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.languages.registry import is_folder_index


def test_a_file_that_stands_for_its_folder_is_no_part_of_a_name() -> None:
    def segments(path: str) -> tuple[str, ...]:
        return DefinitionRecord("r:x", "Function", "r", path, "f", "f", "function", 1, 1).segments

    assert segments("a/b/__init__.py") == segments("a/b/index.tsx") == segments("a/b/mod.rs") == ("a", "b", "f")
    assert segments("a/__init__.js") == ("a", "__init__", "f")
    assert segments("a/index.py") == ("a", "index", "f")
    assert not is_folder_index("a/README.md")


def _long_view(path: str) -> ToolView:
    """Three functions of which one speaks of the task, each with a string as its first statement."""
    lines: list[str] = []
    spans: list[DefinitionSpan] = []
    for number in range(12):
        start = len(lines) + 1
        lines += [f"def step_{number}(value):", f'    """Say {number} words of step {number}."""']
        lines += [f"    value = value * {number} + {line}" for line in range(40)] + [""]
        spans.append(DefinitionSpan(f"step_{number}", start, len(lines) - 1))
    return ToolView(ViewKind.CODE, "\n".join(lines), path, 1, tuple(spans), path)


def test_documentation_inside_of_a_definition_belongs_to_its_head_where_the_language_writes_it_so() -> None:
    settings = SelectionSettings(view_tokens=900)
    kept = truncate_view(_long_view("m.py"), "where are frogs fed?", settings).text
    assert len(re.findall(r"Say \d+ words", kept)) == len(re.findall(r"def step_\d+", kept)) == 12
    other = truncate_view(_long_view("m.go"), "where are frogs fed?", settings).text
    assert len(re.findall(r"Say \d+ words", other)) < len(re.findall(r"def step_\d+", other)) == 12
