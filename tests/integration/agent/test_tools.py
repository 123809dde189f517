"""Every tool over a really indexed repository: what it shows, what it names, and how it fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.errors import ToolArgumentsError
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.tools.base import ToolContext
from repoquarry.agent.tools.registry import TOOLS, available_tools, load_tool
from repoquarry.execution.errors import ToolError, UnknownNameError
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.execution.workspaces.workspace import Workspace
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.store import Store
from repoquarry.ingest.sources.revision_trees import TreeCache


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
    return load_tool(tool).call(context, arguments)


def titles(result: ToolResult) -> list[str]:
    return [place.qualname or place.path for place in result.places]


def test_the_table_loads_and_every_schema_is_one(context: ToolContext) -> None:
    for tool in available_tools(workspace=True, indexing=True):
        schema = tool.schema()
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
    assert len(available_tools(workspace=True, indexing=True)) == len(TOOLS)
    with pytest.raises(UnknownNameError, match=r"known: .*explore"):
        load_tool("nothing")


def test_repositories_and_context(context: ToolContext) -> None:
    assert "webshop" in call(context, "repositories").view.text
    launchpad = call(context, "context", repository="webshop")
    assert "Webshop" in launchpad.view.text


def test_tree_of_a_folder_and_of_a_file(context: ToolContext) -> None:
    folder = call(context, "tree", repository="webshop", path="webshop/http")
    assert "webshop/http/handler.py" in folder.view.text
    assert "webshop/shop.py" not in folder.view.text
    file = call(context, "tree", repository="webshop", path="webshop/shop.py")
    assert "  23-31 method pay(self, amount: int) -> None" in file.view.text
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
    (first, *_) = bought.view.text.splitlines()
    assert first.startswith("1. webshop ")
    assert "Shop.pay" in first.partition("; code: ")[2]
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
