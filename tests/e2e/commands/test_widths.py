"""Answers of commands fit 80 columns in a terminal and where they are redirected, also with long names and many columns."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import COMMAND
from tests.e2e.service import run_here
from tests.source_trees import write_tree

_COLUMNS = 80
_OWNER = "RemittanceReconciliationCoordinator"
_NAME = "reconcile_outstanding_remittances"
_REPOSITORY = "remittance-reconciliation-service"
_FILES = {
    "README.md": f"# Remittances\n\nReconciles outstanding remittances of {'several banks, ' * 12}and prints them.\n",
    f"billing/{_NAME}.py": (
        f'class {_OWNER}:\n    """Coordinates the reconciliation of outstanding remittances for all of the banks and their branches."""\n\n'
        f"    def {_NAME}(self, remittances, accounts_of_the_branches, tolerance_in_percent=0.5):\n"
        f"        return self.{_NAME}_once(remittances, tolerance_in_percent)\n\n"
        f"    def {_NAME}_once(self, remittances, tolerance_in_percent):\n        return len(remittances)\n"
    ),
    f"tests/reconciliation/test_{_NAME}.py": (
        f"from billing.{_NAME} import {_OWNER}\n\n\ndef test_{_NAME}():\n    {_OWNER}().{_NAME}([], [])\n\n\n"
        f"def test_{_NAME}_without_accounts():\n    {_OWNER}().{_NAME}([1], [])\n"
    ),
    "first.py": "import second\n",
    "second.py": "import first\n",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("widths")
    write_tree(folder / _REPOSITORY, _FILES)
    assert run_here(folder / "store", "index", str(folder / _REPOSITORY)).returncode == 0
    return folder / "store"


def run_in_terminal(store: Path, *arguments: str) -> str:
    """Return what a command prints to a terminal of 80 columns."""
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, _COLUMNS, 0, 0))
    variables = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    variables |= {"NO_COLOR": "1", "REPOQUARRY_STORE": str(store)}
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=subprocess.DEVNULL, stdout=end, stderr=subprocess.DEVNULL, env=variables
    )
    os.close(end)
    printed = bytearray()
    try:
        while part := os.read(terminal, 65_536):
            printed += part
    except OSError:  # Linux reports the closed other end as an error.
        pass
    finally:
        os.close(terminal)
        process.wait(60)
    return printed.decode().replace("\r\n", "\n")


def run_redirected(store: Path, *arguments: str, **variables: str) -> str:
    """Return what a command prints where no stream is a terminal."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    done = subprocess.run(
        [*COMMAND, *arguments], env={**kept, "REPOQUARRY_STORE": str(store), **variables},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.stdout


@pytest.mark.parametrize("run", [run_in_terminal, run_redirected])
@pytest.mark.parametrize(
    "arguments",
    [
        ["list"],
        ["locate", "outstanding", "remittances", "of", "a", "branch"],
        ["search", "outstanding remittances"],
        ["explore", _NAME],
        ["impact", _REPOSITORY, "--symbol", f"{_OWNER}.{_NAME}_once"],
        ["show", f"{_OWNER}.{_NAME}_once", "--callers"],
        ["show", f"{_OWNER}.{_NAME}"],
        ["ask", f"who calls {_NAME}?"],
        ["ask", "what are the main parts?"],
        ["context", _REPOSITORY],
        ["choose", "reconcile outstanding remittances"],
        ["duplicates", _REPOSITORY],
        ["check", "import-cycles"],
        ["diff", _REPOSITORY, _REPOSITORY],
        ["query", "MATCH (f:Function) RETURN f.qualname, f.path, f.signature"],
    ],
    ids=lambda arguments: " ".join(arguments)[:30],
)
def test_answers_fit_80_columns(store: Path, arguments: list[str], run: Callable[..., str]) -> None:
    printed = run(store, *arguments)
    assert printed.strip()
    wide = [line for line in printed.split("\n") if len(line) > _COLUMNS]
    assert [line for line in wide if " " in line.strip()] == []  # One id may be wider.
    if arguments[0] in ("list", "impact", "locate"):
        assert _REPOSITORY in printed.replace("\n", "").replace(" ", "")


def test_columns_of_the_environment_decide_where_output_is_redirected(store: Path) -> None:
    arguments = ["impact", _REPOSITORY, "--symbol", f"{_OWNER}.{_NAME}_once"]
    widest = {
        columns: max(map(len, run_redirected(store, *arguments, COLUMNS=columns).split("\n")))
        for columns in ("80", "120", "400")
    }
    assert widest["80"] <= 80 < widest["120"] <= 120 < widest["400"] <= 400
