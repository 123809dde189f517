"""The README's commands and variables are those that the program has."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer.main

from repoquarry.server.cli.commands import COMMANDS
from repoquarry.server.cli.program import program

README = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
LINES = re.findall(r"^repoquarry [^\n#]+", README, re.MULTILINE)
SETTINGS = (Path(__file__).parents[3] / "docs" / "settings.md").read_text(encoding="utf-8")


def test_there_are_commands_to_check() -> None:
    assert len(LINES) >= 8


@pytest.mark.parametrize("line", LINES)
def test_a_command_of_the_readme_is_understood(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    assert name in COMMANDS
    typer.main.get_command(program(name)).make_context(name, arguments)


def test_variables_of_the_readme_exist() -> None:
    named = set(re.findall(r"REPOQUARRY_\w+", README))
    assert named
    assert {name for name in named if f"`{name}`" not in SETTINGS and name != "REPOQUARRY_STORE"} == set()
