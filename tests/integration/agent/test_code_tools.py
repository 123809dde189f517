"""The table of reading tools: its size, its schemas, and each tool over an indexed repository."""

from __future__ import annotations

import json
import re

import pytest

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.tools.base import ToolContext, offered_schema
from repoquarry.agent.tools.registry import READING, load_tool
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.store import Store

TOOLS = [load_tool(name) for name in READING]
_MEANINGS = {"target": 5, "text": 4, "repository": 2, "limit": 1, "hops": 2, "path": 2, "session": 1, "kind": 2}
"""Number of descriptions that an argument name may have: the same meaning, with the tool's expectations of it."""


@pytest.fixture
def context(indexed: Store) -> ToolContext:
    settings = AgentSettings()
    return ToolContext(CodeReader(indexed), ("letters", "webshop"), "", settings, lambda: False)


def call(context: ToolContext, tool: str, **arguments: object) -> ToolResult:
    return load_tool(tool).call(context, arguments)


@pytest.mark.parametrize("repositories", [["one"], ["one", "two"], [f"repository-{n}" for n in range(200)]])
def test_the_table_is_small_and_its_schemas_are_whole(repositories: list[str]) -> None:
    standing = [tool for tool in TOOLS if not tool.rare]
    assert (len(TOOLS) <= 12, len(standing)) == (True, 8)
    assert standing[0].name == "explore"
    texts = [f"{tool.name}{tool.summary}{json.dumps(offered_schema(tool, repositories))}" for tool in standing]
    assert sum(map(len, texts)) < 6_000
    for tool in TOOLS:
        schema = offered_schema(tool, repositories)
        assert "$ref" not in json.dumps(schema)
        assert all(one.get("description") for one in schema["properties"].values()), tool.name
        assert ("repository" in schema["properties"]) <= (len(repositories) > 1)
        if len(repositories) == 2 and "repository" in schema["properties"]:
            assert schema["properties"]["repository"]["enum"] == repositories


def test_one_argument_name_means_one_thing() -> None:
    described: dict[str, set[str]] = {}
    for tool in TOOLS:
        for name, one in offered_schema(tool, ["a", "b"])["properties"].items():
            described.setdefault(name, set()).add(one["description"])
    assert not {name: texts for name, texts in described.items() if len(texts) > _MEANINGS.get(name, 1)}


def test_relations_of_each_kind(context: ToolContext) -> None:
    assert "Shop.pay" in call(context, "relations", target="Shop.charge", kind="callers").view.text
    assert "time.sleep" in call(context, "relations", target="Shop.pay", kind="callees").view.text
    assert "webshop/prices.py" in call(context, "relations", target="webshop/shop.py", kind="imports").view.text
    assert "webshop/views.py" in call(context, "relations", target="webshop.shop", kind="importers").view.text
    assert "Request" in call(context, "relations", target="Message", kind="subclasses").view.text
    assert "Shop.pay" in call(context, "relations", target="time.sleep", kind="callers").view.text


def test_a_target_of_several_things_is_answered_with_candidates(context: ToolContext) -> None:
    for tool, more in (("view", {}), ("relations", {"kind": "callers"}), ("impact", {})):
        with pytest.raises(
            ToolError, match=r"is ambiguous: 2 definitions; use the id of one of them: .*::Letter\.close"
        ):
            call(context, tool, target="close", **more)


def test_view_shows_a_definition_a_file_lines_and_a_folder(context: ToolContext) -> None:
    assert "def pay(self" in call(context, "view", target="Shop.pay").view.text
    assert "class Shop" in call(context, "view", target="webshop/shop.py").view.text
    assert call(context, "view", target="shop.py", start_line=33, end_line=36).view.first_line == 33
    assert "wait doubles" in call(context, "view", target="retry.md").view.text
    assert "webshop/http/handler.py" in call(context, "view", target="webshop/http", repository="webshop").view.text


def test_the_other_tools(context: ToolContext) -> None:
    assert "Shop.pay" in call(context, "explore", target="Shop.charge").view.text
    assert "Shop.pay" in call(context, "search", text="a failed payment is retried", mode="task").view.text
    assert "Shop.pay" in call(context, "search", text="2**attempt", mode="exact").view.text
    assert "Shop.pay" in call(context, "impact", target="Shop.charge").view.text
    assert "find_view" in call(context, "paths", start="Server.serve", end="find_view").view.text
    assert "webshop" in call(context, "repositories").view.text
    assert "Webshop" in call(context, "context", repository="webshop").view.text
    assert call(context, "duplicates").summary
    assert call(context, "tree", repository="webshop", path="webshop/http").places is not None
    assert call(context, "constants", text="attempts").summary
    assert "1 rows" in call(context, "cypher", query="RETURN 1 AS one").summary


def test_import_paths_lead_from_file_to_file(context: ToolContext) -> None:
    found = call(context, "paths", start="webshop/views.py", end="webshop/prices.py", kind="imports")
    assert re.search(r"views.py → imports at line \d+ .*webshop/prices.py", found.view.text)
    assert {place.path for place in found.places} >= {"webshop/views.py", "webshop/prices.py"}
    none = call(context, "paths", start="webshop/prices.py", end="Shop.pay", kind="imports")
    assert "no path of at most 8 imports" in none.view.text
