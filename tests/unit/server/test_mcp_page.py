"""The lines that docs/mcp.md gives for editors are ones that the program understands, and no tool is missing."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from repoquarry.agent.tools.registry import available_tools
from repoquarry.server.cli.program import program

PAGE = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text(encoding="utf-8")


def entries() -> Iterator[dict[str, Any]]:
    """The entry for RepoQuarry in every configuration of the page."""
    blocks = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    blocks += [tomllib.loads(text) for text in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)]
    for block in blocks:
        (servers,) = block.values()
        yield servers["repoquarry"]


@pytest.mark.parametrize("entry", list(entries()))
def test_a_configuration_is_understood(entry: dict[str, Any]) -> None:
    if "url" in entry:
        assert entry["url"].endswith("/mcp")
        return
    name, *arguments = entry["args"]
    assert (entry["command"], name) == ("repoquarry", "mcp")
    typer.main.get_command(program(name)).make_context(name, arguments)


def test_every_tool_is_on_the_page() -> None:
    assert len(list(entries())) == 5
    assert [tool.name for tool in available_tools(workspace=False, task=False) if f"`{tool.name}`" not in PAGE] == []
