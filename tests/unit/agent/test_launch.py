"""How a language says that its code is started, and how documentation stands in it: asked of the language and of nothing else."""

from __future__ import annotations

import re

import pytest

from repoquarry.agent.settings import SelectionSettings
from repoquarry.agent.views.truncation import truncate_view
from repoquarry.agent.views.view import DefinitionSpan, ToolView, ViewKind
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.languages.language import MANIFEST, PROGRAM, RUNNABLE, LaunchTarget
from repoquarry.languages.registry import is_folder_index, load

PYTHON = load("python").launching


def _launched(
    path: str, module: str, kind: str, text: str = "", qualname: str = "", *files: str
) -> tuple[object, ...] | None:
    assert PYTHON is not None
    found = PYTHON.launch(LaunchTarget(path, module, qualname, kind, text), lambda one: one in files)
    return (found.rank, found.command, found.folder) if found is not None else None


def test_python_is_started_by_console_scripts_modules_and_paths() -> None:
    assert _launched("src/app/cli.py", "app.cli", "console_script", "app", "main") == (MANIFEST, ("app",), "src")
    assert _launched("app/__main__.py", "app.__main__", "main") == (PROGRAM, ("python", "-m", "app"), "")
    inside = _launched("src/app/tool.py", "app.tool", "main", "", "", "src/app/__init__.py")
    assert inside == (RUNNABLE, ("python", "-m", "app.tool"), "src")
    assert _launched("tools/run.py", "tools.run", "main") == (RUNNABLE, ("python", "tools/run.py"), "")
    assert _launched("setup.py", "setup", "main") is None
    assert _launched("app/views.py", "app.views", "route", "/") is None


@pytest.mark.parametrize(
    ("words", "count"),
    [(["python", "-m", "app.tool", "x"], 3), (["python", "./run.py"], 2), (["python", "-m", "pip"], 0), (["python", "other.py"], 0)],
)  # fmt: skip
def test_a_command_starts_a_file_of_the_repository_or_something_else(words: list[str], count: int) -> None:
    assert PYTHON is not None
    assert PYTHON.own(words, lambda path: path in ("app/tool.py", "run.py")) == count


def test_languages_that_say_nothing_of_it_are_not_started() -> None:
    assert load("go").launching is None


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
