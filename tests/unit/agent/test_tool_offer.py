"""Schemas of tools as chat models are offered them: without references, in the subset that providers document, and small."""

from collections.abc import Iterator
from typing import Any

import pytest

from repoquarry.agent.model.context_window import count_schemas
from repoquarry.agent.model.tool_offer import OWN_TOOLS, FinishCall, offer_schemas
from repoquarry.agent.tools.base import available_tools

_KEYWORDS = {"type", "properties", "required", "items", "enum", "description", "default", "additionalProperties"}
_KEYWORDS |= {"minimum", "maximum", "minLength", "minItems", "anyOf"}


def _schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from _schemas(inner)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from _schemas(schema[key])


@pytest.mark.parametrize(
    "tool", [*available_tools(workspace=True, indexing=True), *OWN_TOOLS, FinishCall], ids=lambda tool: tool.name
)
def test_a_schema_has_no_references_and_only_documented_keywords(tool: Any) -> None:
    assert (tool.schema()["type"], tool.schema()["additionalProperties"]) == ("object", False)
    for schema in _schemas(tool.schema()):
        assert schema.keys() <= _KEYWORDS
        assert "type" in schema or "enum" in schema or not schema or "anyOf" in schema


@pytest.mark.parametrize("workspace", [False, True])
@pytest.mark.parametrize(("repositories", "tokens"), [(1, 1_500), (10, 1_900), (1_000, 1_900)])
def test_at_most_twelve_tools_are_offered(workspace: bool, repositories: int, tokens: int) -> None:
    tools = {tool.name: tool for tool in (*available_tools(workspace=workspace), *OWN_TOOLS)}
    schemas = offer_schemas(tools, [f"repository-{number}" for number in range(repositories)], 100_000)
    assert len(schemas) <= 12
    assert count_schemas(schemas) <= tokens
    assert len(offer_schemas(tools, ["one"], 4_096)) <= 8


def test_without_exploration_a_task_has_no_reading_tools() -> None:
    names = {tool.name for tool in available_tools(workspace=True, exploration=False)}
    assert {"run_command", "write_file", "recall"} <= names
    assert names.isdisjoint({"search", "view", "relations", "explore", "cypher"})
