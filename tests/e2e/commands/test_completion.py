"""Completion as shells ask for it: bash with the script that the program gives, and what every shell's script sends."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from repoquarry.server.cli.commands import COMMANDS
from repoquarry.server.cli.commands.query import FORMATS

_PROGRAM = Path(sys.executable).with_name("repoquarry")
_ASK = """
eval "$(_REPOQUARRY_COMPLETE=source_bash repoquarry)"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_repoquarry_completion repoquarry
printf '%s\\n' "${COMPREPLY[@]}"
"""


def _completed(*words: str, store: Path | None = None) -> list[str]:
    """What bash would offer for the last word."""
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
    assert _completed("se") == ["serve", "search"]
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
