"""docs/explanation/agent.md names every policy and intent and draws the graph; tools and events have a generated page."""

import re
from pathlib import Path

from repoquarry.agent.loop.walk import build_graph
from repoquarry.agent.questions.intents import INTENTS
from repoquarry.agent.task import POLICIES

_TEXT = (Path(__file__).parents[3] / "docs/explanation/agent.md").read_text(encoding="utf-8")


def _rows(heading: str) -> set[str]:
    """Return the first cells of the tables below a heading."""
    section = re.split(r"^#{2,3} ", _TEXT.split(f" {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    return set(re.findall(r"^\| `([^`]+)` \|", section, flags=re.MULTILINE))


def test_policies_and_questions() -> None:
    assert _rows("How a task runs") == set(POLICIES)
    assert _rows("Questions without a model") == {intent.name for intent in INTENTS}


def test_the_drawn_graph_is_that_of_the_agent() -> None:
    drawn = build_graph().get_graph().draw_mermaid().strip()
    assert f"```mermaid\n{drawn}\n```" in _TEXT
