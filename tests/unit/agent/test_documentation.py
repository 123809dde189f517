"""docs/agent.md names every policy and intent, and no others; tools and events have a generated page."""

from __future__ import annotations

import re
from pathlib import Path

from repoquarry.agent.policies.registry import POLICIES
from repoquarry.agent.questions.intents import INTENTS

_TEXT = (Path(__file__).parents[3] / "docs" / "agent.md").read_text(encoding="utf-8")


def _rows(heading: str) -> set[str]:
    """Return the first cells of the tables below a heading."""
    section = re.split(r"^#{2,3} ", _TEXT.split(f" {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    return set(re.findall(r"^\| `([^`]+)` \|", section, flags=re.MULTILINE))


def test_policies_and_questions() -> None:
    assert _rows("How a task runs") == POLICIES.keys()
    assert _rows("Questions without a model") == {intent.name for intent in INTENTS}
