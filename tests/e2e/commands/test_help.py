"""Help texts are printed as they are declared, and questions are asked only about things that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import typer

from repoquarry.server.cli.commands import COMMANDS
from repoquarry.server.cli.program import program
from tests.e2e.service import ROOT, run_here


def squeezed(text: str) -> str:
    return "".join(text.split())


def rows_of(page: str) -> list[list[str]]:
    """The rows of the panels of options and arguments; a row begins where its first column has text."""
    rows: list[list[str]] = []
    for line in page.splitlines():
        if line.startswith("│"):
            if line[2:12].strip():
                rows.append([])
            rows[-1].append(line.strip("│"))
    return rows


def last_column(row: list[str], text: str) -> str:
    """What stands below the beginning of a text, which is in the last column of its row."""
    start = row[0].find(text.split(" ")[0])
    return squeezed("".join(line[start:] for line in row)) if start >= 0 else ""


@pytest.mark.parametrize("name", COMMANDS)
def test_help_at_80_columns_is_the_declared_text(name: str, tmp_path: Path) -> None:
    command = typer.main.get_command(program(name))
    done = run_here(tmp_path / "store", name, "--help", COLUMNS="80", TERMINAL_WIDTH="80", NO_COLOR="1")
    assert done.returncode == 0, done.stderr
    assert squeezed(command.help or "") in squeezed(done.stdout)
    rows = rows_of(done.stdout)
    for parameter in command.params:
        text = getattr(parameter, "help", None) or ""
        assert any(squeezed(text) in last_column(row, text) for row in rows), (parameter.opts, text, done.stdout)


def test_every_command_has_help_texts() -> None:
    texts = [getattr(one, "help", "") for name in COMMANDS for one in typer.main.get_command(program(name)).params]
    assert sum("[" in (text or "") for text in texts) >= 1, "brackets are what rich would read as markup"
    assert len([text for text in texts if text]) > 150


def test_questions_are_asked_where_these_functions_ask() -> None:
    """A new question needs a test below that it is not asked about what does not exist."""
    asking = {
        f"{path.stem}.{function.name}"
        for path in (ROOT / "repoquarry").rglob("*.py")
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and node.attr in ("confirm", "prompt") and ast.unparse(node.value) == "typer"
    }
    # `tasks` asks about an action that a running task waits with, so that its subject exists.
    assert asking == {"list._confirm", "tasks._decide"}


@pytest.mark.parametrize("arguments", [["nosuch"], ["shop", "nosuch"]])
def test_delete_checks_before_it_asks(own_store: Path, arguments: list[str]) -> None:
    done = run_here(own_store, "delete", *arguments, stdin="y\n")
    assert done.returncode == 3
    assert done.stderr.startswith("error: no repository 'nosuch' is stored")
    assert "shop" in run_here(own_store, "list").stdout
    assert "Delete shop from the store? [y/N]" in run_here(own_store, "delete", "shop", stdin="n\n").stderr
