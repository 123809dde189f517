"""docs/agent.md names every policy, question, event with its data, tool with its arguments, and setting, and no others."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from pathlib import Path

from repoquarry.agent.events import FIELDS
from repoquarry.agent.policies.registry import POLICIES
from repoquarry.agent.questions.registry import QUESTIONS
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.tools.registry import TOOLS, load_tool

_TEXT = (Path(__file__).parents[3] / "docs" / "agent.md").read_text(encoding="utf-8")


def _rows(heading: str) -> dict[str, str]:
    """First cell of each row of the tables below a heading, with the rest of the row."""
    section = re.split(r"^#{2,3} ", _TEXT.split(f" {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    found = re.findall(r"^\| `([^`]+)` \|(.*)\|$", section, flags=re.MULTILINE)
    return dict(found)


def test_policies_and_questions() -> None:
    assert _rows("How a task runs").keys() == POLICIES.keys()
    assert _rows("Questions that the policy without a model reads").keys() == QUESTIONS.keys()


def test_every_event_with_its_data() -> None:
    rows = _rows("Events")
    assert rows.keys() == {kind.value for kind in FIELDS}
    for kind, keys in FIELDS.items():
        for key, meaning in keys.items():
            assert f"`{key}` {meaning}" in rows[kind.value]


def test_every_tool_with_its_arguments() -> None:
    rows = _rows("Tools")
    assert rows.keys() == TOOLS.keys()
    for name in TOOLS:
        tool = load_tool(name)
        assert tool.summary in rows[name]
        for argument in tool.arguments.__struct_fields__:
            assert f"`{argument}`" in rows[name]


def test_every_setting() -> None:
    expected = set()
    for one in fields(AgentSettings):
        expected.add(one.name)
        value = getattr(AgentSettings(), one.name)
        if is_dataclass(value):
            expected |= {f"{one.name}.{inner.name}" for inner in fields(value)}
    assert _rows("Settings").keys() == expected
