"""Help texts as they are declared, questions before deleting, and completion as shells request it."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
import typer

from repoquarry.server.cli.commands import COMMANDS
from repoquarry.server.cli.commands.query import FORMATS
from repoquarry.server.cli.program import program
from repoquarry.server.cli.session import COMMON_OPTIONS
from tests.e2e.service import ROOT, run_here, succeed


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
    """The lines below the beginning of a text, which is in the last column of its row."""
    start = row[0].find(text.split(" ")[0])
    return squeezed("".join(line[start:] for line in row)) if start >= 0 else ""


@pytest.mark.parametrize("name", COMMANDS)
def test_help_at_80_columns_is_the_declared_text(name: str, tmp_path: Path) -> None:
    command = typer.main.get_command(program(name))
    done = succeed(tmp_path / "store", name, "--help", COLUMNS="80", TERMINAL_WIDTH="80", NO_COLOR="1")
    assert squeezed(command.help or "") in squeezed(done.stdout)
    rows = rows_of(done.stdout)
    for parameter in command.params:
        text = getattr(parameter, "help", None) or ""
        if parameter.name in COMMON_OPTIONS:
            assert squeezed(parameter.opts[0]) in squeezed(done.stdout.rpartition("(docs/reference/cli.md):")[2])
            continue
        assert any(squeezed(text) in last_column(row, text) for row in rows), (parameter.opts, text, done.stdout)


@pytest.mark.parametrize("name", COMMANDS)
def test_example_of_help_uses_arguments_and_options_that_exist(name: str) -> None:
    command = typer.main.get_command(program(name))
    command.make_context(name, shlex.split(COMMANDS[name].example))


_MEANINGS = {
    "--all": 4,
    "--detach": 3,
    "--folder": 3,
    "--from": 2,
    "--how": 3,
    "--jobs": 2,
    "--language": 2,
    "--output": 2,
    "--repository": 2,
    "--task": 2,
    "--tests": 3,
}
"""Number of meanings of the options that have several; every other option means the same in every command."""


def _meaning(option: object) -> str:
    """Beginning of a help text without the part of the command that the option is of: `dot: maximum number of hops.`"""
    text = re.sub(r"^[a-z0-9, -]+: ", "", str(getattr(option, "help", "")))
    return re.split(r"[;:.]", text)[0].lower()


def test_option_means_the_same_in_every_command() -> None:
    meanings, short_names = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for command in COMMANDS:
        for one in typer.main.get_command(program(command)).params:
            if one.opts[0].startswith("--") and one.name not in COMMON_OPTIONS:
                meanings[one.opts[0]].add(_meaning(one))
                short_names[one.opts[0]].update(name for name in one.opts if not name.startswith("--"))
    several = {name: found for name, found in meanings.items() if len(found) > 1}
    assert {name: len(found) for name, found in several.items()} == _MEANINGS, several
    shared = {"--file": {"-f"}, "--limit": {"-n"}, "--output": {"-o"}, "--repository": {"-r"}, "--yes": {"-y"}}
    assert {name: short_names[name] for name in shared} == shared


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
    assert done.stderr.startswith("error: no repository 'nosuch' is indexed")
    assert "shop" in run_here(own_store, "list").stdout
    assert "Delete shop from the store? [y/N]" in run_here(own_store, "delete", "shop", stdin="n\n").stderr


_PROGRAM = Path(sys.executable).with_name("repoquarry")
_ASK = """
eval "$(_REPOQUARRY_COMPLETE=source_bash repoquarry)"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_repoquarry_completion repoquarry
printf '%s\\n' "${COMPREPLY[@]}"
"""


def _completed(*words: str, store: Path | None = None) -> list[str]:
    """Completions that bash would offer for the last word."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    environment = {**os.environ, "PATH": f"{_PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"}
    if store is not None:
        environment["REPOQUARRY_STORE"] = str(store)
    done = subprocess.run(
        [bash, "-c", _ASK, "bash", "repoquarry", *words], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_commands_and_options() -> None:
    assert set(_completed("")) == set(COMMANDS)
    assert _completed("se") == ["search", "serve"]
    assert _completed("export", "--min") == ["--min-confidence"]


def test_bash_completes_formats_and_kinds() -> None:
    assert _completed("query", "--format", "") == list(FORMATS)
    assert _completed("export", "x", "--format", "gra") == ["graphml"]
    assert _completed("show", "x", "--relation", "IN") == ["INHERITS"]


def test_bash_completes_repositories_of_the_store(shop_store: Path) -> None:
    found = _completed("context", "", store=shop_store)
    assert found
    assert _completed("search", "x", "-r", found[0][:2], store=shop_store) == [
        name for name in found if name.startswith(found[0][:2])
    ]
    assert _completed("delete", "--store", str(shop_store), "") == found


def test_nothing_is_offered_without_a_store_or_from_a_server(shop_store: Path, tmp_path: Path) -> None:
    assert _completed("context", "", store=tmp_path / "none") == []
    assert _completed("context", "--server", "127.0.0.1:1", "", store=shop_store) == []


@pytest.mark.parametrize("shell", ["zsh", "fish", "powershell", "pwsh"])
def test_other_shells_are_answered_too(shell: str) -> None:
    environment = {
        **os.environ,
        "_REPOQUARRY_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "repoquarry loc",
        "_TYPER_COMPLETE_WORD_TO_COMPLETE": "loc",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = subprocess.run([str(_PROGRAM)], capture_output=True, text=True, env=environment, check=True)
    assert "locate" in done.stdout
    assert "search" not in done.stdout
