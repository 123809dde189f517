"""The tools: their table and schemas, and each over an indexed repository: what it shows, what it names, and how it fails."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.tools.base import TOOLS, ToolContext, available_tools, call_tool, load_tool
from repoquarry.code.reader import CodeReader
from repoquarry.execution.errors import ToolArgumentsError, ToolError, UnknownNameError
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.execution.workspaces.workspace import Workspace
from repoquarry.graphstore.store import Store
from repoquarry.ingest.sources.revision_trees import TreeCache
from repoquarry.operations.base import offered_schema
from repoquarry.operations.relations import RelationsCall
from repoquarry.operations.table import OPERATIONS
from repoquarry.server.repository_search import RepositoryOffer

_OPERATIONS_TOOLS = [load_tool(name) for name in OPERATIONS]
_MEANINGS = {"target": 5, "text": 4, "repository": 2, "limit": 1, "hops": 2, "path": 2, "session": 1, "kind": 2}
"""Number of descriptions that an argument name may have: the same meaning, with the tool's expectations of it."""


@pytest.fixture
def context(indexed: Store, trees: TreeCache, tmp_path: Path) -> ToolContext:
    """Tools with a workspace, over both repositories."""
    settings = AgentSettings(workspace=WorkspaceSettings(root=tmp_path))
    workspace = Workspace.create(settings.workspace, lambda: False)
    return ToolContext(
        CodeReader(indexed), ("letters", "webshop"), "retry a payment", settings, lambda: False, workspace, trees
    )


def call(context: ToolContext, tool: str, **arguments: object) -> ToolResult:
    """Call a tool as the graph does."""
    return call_tool(load_tool(tool), context, arguments)


def titles(result: ToolResult) -> list[str]:
    return [place.qualname or place.path for place in result.places]


def test_tree_of_a_folder_and_of_a_file(context: ToolContext) -> None:
    folder = call(context, "tree", repository="webshop", path="webshop/http")
    assert re.search(r"^webshop/http/  5 files  98 lines$", folder.view.text, re.M)
    line = r"^webshop/http/handler\.py  15 lines  \d\.\d  The way from a request to its view\.$"
    assert re.search(line, folder.view.text, re.M), "lines, importance and the first sentence of the documentation"
    assert "webshop/shop.py" not in folder.view.text
    file = call(context, "tree", repository="webshop", path="webshop/shop.py")
    assert "  23-31 method pay(self, amount: int) -> None  # Pay, and retry a payment" in file.view.text
    with pytest.raises(ToolError, match="name one repository"):
        call(context, "tree")
    with pytest.raises(ToolError, match="no indexed folder"):
        call(context, "tree", repository="webshop", path="nowhere")


def test_search_in_every_mode(context: ToolContext) -> None:
    for mode in ("hybrid", "task"):
        result = call(context, "search", text="retry a payment that failed", mode=mode, repository="webshop")
        assert "Shop.pay" in titles(result)[:3]
    exact = call(context, "search", text="2**attempt", mode="exact")
    assert titles(exact) == ["Shop.pay"]
    regex = call(context, "search", text=r"raise Payment\w+\(", mode="regex")
    assert set(titles(regex)) == {"Shop.pay", "Shop.charge"}
    with pytest.raises(ToolError):
        call(context, "search", text="(", mode="regex")
    with pytest.raises(ToolArgumentsError, match="mode"):
        call(context, "search", text="x", mode="telepathy")


def test_a_repository_is_chosen_for_a_task_with_reasons(context: ToolContext) -> None:
    """By README and code: the words need not be in its name."""
    bought = call(context, "repositories", text="take the money for an order and try again when the payment fails")
    assert bought.view.text.startswith("1. webshop ")
    assert "Shop.pay" in bought.view.text.partition("     code: ")[2].partition("\n")[0]
    assert "go on to the next" in bought.summary
    written = call(context, "repositories", text="write a letter")
    assert written.view.text.startswith("1. letters ")
    assert call(context, "repositories", text="xyzzy").summary.startswith("0 of 0 ")


def test_cypher_reads_and_cannot_write(context: ToolContext) -> None:
    query = "MATCH (f:Function) WHERE f.name = 'pay' RETURN f, f.start_line AS line"
    result = call(context, "cypher", query=query)
    assert titles(result) == ["Shop.pay"]
    assert result.view.text.endswith("| 23")
    for refused in ("CREATE (n:Function {id: 'x'})", "MATCH (n) DETACH DELETE n", "this is no query"):
        with pytest.raises(ToolError):
            call(context, "cypher", query=refused)


def test_the_workspace_tools(context: ToolContext) -> None:
    checked = call(context, "checkout", repository="letters")
    assert checked.summary.startswith("2 files of letters")
    with pytest.raises(ToolError, match="not empty"):
        call(context, "checkout", repository="letters")
    with pytest.raises(ToolError, match="leads out"):
        call(context, "checkout", repository="letters", folder="../elsewhere")
    call(context, "checkout", repository="webshop", folder="src/shop")
    assert "[project" in call(context, "read_file", path="src/shop/pyproject.toml").view.text
    call(context, "write_file", path="notes/a.txt", text="one two")
    call(context, "edit_file", path="notes/a.txt", old="two", new="three")
    assert call(context, "read_file", path="notes/a.txt").view.text == "one three"
    ran = call(context, "run_command", command="cat notes/a.txt && ls letters")
    assert ran.view.text.startswith("one threeREADME.rst") or "one three" in ran.view.text
    with pytest.raises(ToolError, match="leads out"):
        call(context, "write_file", path="../out.txt", text="x")
    with pytest.raises(ToolError, match="not a requirement"):
        call(context, "install", requirements=["--help"])


@pytest.mark.parametrize("repositories", [["one"], ["one", "two"], [f"repository-{n}" for n in range(200)]])
def test_the_table_is_small_and_its_schemas_are_whole(repositories: list[str]) -> None:
    standing = [tool for tool in _OPERATIONS_TOOLS if not tool.rare]
    assert (len(_OPERATIONS_TOOLS) <= 13, len(standing)) == (True, 8)
    assert standing[0].name == "explore"
    texts = [f"{tool.name}{tool.summary}{json.dumps(offered_schema(tool, repositories))}" for tool in standing]
    assert sum(map(len, texts)) < 6_000
    for tool in _OPERATIONS_TOOLS:
        schema = offered_schema(tool, repositories)
        assert "$ref" not in json.dumps(schema)
        assert all(one.get("description") for one in schema["properties"].values()), tool.name
        assert ("repository" in schema["properties"]) <= (len(repositories) > 1)
        if len(repositories) == 2 and "repository" in schema["properties"]:
            assert schema["properties"]["repository"]["enum"] == repositories


def test_the_table_loads() -> None:
    assert len(available_tools(workspace=True, indexing=True)) == len(TOOLS)
    with pytest.raises(UnknownNameError, match=r"known: .*explore"):
        load_tool("nothing")


def test_a_value_outside_a_list_is_answered_with_the_list() -> None:
    with pytest.raises(
        ToolArgumentsError, match=r"permitted: callees, callers, importers, imports, references, subclasses"
    ):
        RelationsCall.parse({"target": "a", "kind": "caller"})


def test_one_argument_name_means_one_thing() -> None:
    described: dict[str, set[str]] = {}
    for tool in _OPERATIONS_TOOLS:
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
    used = call(context, "relations", target="PaymentError", kind="references").view.text
    assert re.search(r"^webshop/shop\.py\nLINE  USE  IN\n\d+  call  Shop\.", used, re.M)
    imported = call(context, "relations", target="Shop", kind="references").view.text
    assert re.search(r"^webshop/views\.py\nLINE  USE  IN\n4  import  module$", imported, re.M)
    field = call(context, "relations", target="Shop.prices", kind="references").view.text
    assert re.search(r"^\d+  .*read.*  Shop\.\w+$", field, re.M)


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
    assert "Shop.pay" in call(context, "impact", target="Shop.charge").view.text
    assert "webshop" in call(context, "repositories").view.text
    assert "Webshop" in call(context, "context", repository="webshop").view.text
    assert call(context, "duplicates").summary
    configured = call(context, "constants", text="project.version", repository="webshop").view.text
    assert "webshop  pyproject.toml:3  project.version = " in configured
    assert "1 row" in call(context, "cypher", query="RETURN 1 AS one").summary


def test_call_paths_lead_from_function_to_function(context: ToolContext) -> None:
    found = call(context, "paths", start="Server.serve", end="find_view")
    steps = re.findall(r"calls at line (\d+) (\S+) \(", found.view.text)
    assert steps[:2] == [("20", "Server.answer"), ("25", "Handler.handle")]
    assert steps[-1][1] == "find_view"
    none = call(context, "paths", start="find_view", end="Server.serve")
    assert "no path of at most" in none.view.text


def test_import_paths_lead_from_file_to_file(context: ToolContext) -> None:
    found = call(context, "paths", start="webshop/views.py", end="webshop/prices.py", kind="imports")
    assert re.search(r"views.py → imports at line \d+ .*webshop/prices.py", found.view.text)
    assert {place.path for place in found.places} >= {"webshop/views.py", "webshop/prices.py"}
    none = call(context, "paths", start="webshop/prices.py", end="Shop.pay", kind="imports")
    assert "no path of at most 8 imports" in none.view.text


def test_repositories_that_are_not_indexed_follow_the_indexed_ones(context: ToolContext) -> None:
    def search(task: str) -> list[RepositoryOffer]:
        if "refuse" in task:
            raise ToolError("the host refuses")
        return [RepositoryOffer("purse", "https://git.example/purse", "Counts coins")]

    given = replace(context, search=search)
    shown = call(given, "repositories", text="retry a payment").view.text
    assert "1. webshop" in shown
    assert "purse: Counts coins; index it with `repoquarry index https://git.example/purse`" in shown
    online = replace(given, index=lambda address, cancelled: "purse")
    assert "index_repository(address='https://git.example/purse')" in call(online, "repositories", text="pay").view.text
    refused = call(given, "repositories", text="refuse a payment").view.text
    assert "1. webshop" in refused
    assert "the host refuses" in refused
