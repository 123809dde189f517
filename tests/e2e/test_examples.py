"""Programs and files of the folder `examples`, run on the repository `shop` (docs/guides/client.md runs `query.js`); and the demo."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import nbclient
import nbformat
import pytest
import typer
import yaml

from repoquarry.server.cli.program import program
from tests.documentation.pages import find_mcp_entry
from tests.e2e.service import ROOT, Service, StartService, environment, run_here, succeed
from tests.scripted_chat import Reply, scripted_chat
from tests.source_trees import commit_tree, git

EXAMPLES = ROOT / "examples"
CALLERS = "`price` has 3 callers"


def run_python(service: Service, *arguments: str) -> str:
    """Run an example with the interpreter of the tests. Returns its output."""
    variables = {**environment(service.store), "REPOQUARRY_ADDRESS": service.address}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=variables, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_task_client_indexes_queries_and_follows_a_task(start_service: StartService, shop: Path) -> None:
    service = start_service()
    printed = run_python(service, str(EXAMPLES / "task_client.py"), service.address, str(shop), "Who calls price?")
    assert printed.startswith("indexed 43 lines of repositories/shop\nprice has 3 call sites\n")
    assert CALLERS in printed


@pytest.mark.slow
def test_langchain_agent_calls_a_tool_of_the_service(shop_service: Service) -> None:
    replies = [Reply(calls=[("explore", {"target": "price"})]), Reply("Till.charge calls price.")]
    with scripted_chat(*replies) as chat:
        question = [shop_service.address, "openai:scripted", "Who calls price?"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("OPENAI_BASE_URL", chat.base_url)
            patch.setenv("OPENAI_API_KEY", "none")
            printed = run_python(shop_service, str(EXAMPLES / "langchain_agent.py"), *question)
    assert printed == "Till.charge calls price.\n"
    assert "shop/till.py" in json.dumps(chat.requests[1])


@pytest.mark.slow
@pytest.mark.parametrize("tables", ["pandas", "arrow"])
def test_notebook_draws_answers(shop_service: Service, monkeypatch: pytest.MonkeyPatch, tables: str) -> None:
    variables = {"REPOQUARRY_ADDRESS": shop_service.address, "OLD": "shop", "NEW": "shop", "TABLES": tables}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    # nbformat says that it is typed, and leaves this function without types.
    notebook = nbformat.read(EXAMPLES / "analysis.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    nbclient.NotebookClient(notebook, timeout=600).execute()
    shown = [output["data"] for cell in notebook.cells for output in cell.get("outputs", ()) if "data" in output]
    tables_shown = [data for data in shown if "image/png" not in data]
    assert (len(tables_shown), len(shown) - len(tables_shown)) == (10, 9), "a picture is missing: shop has no cycle"
    assert all(("text/html" in data) == (tables == "pandas") for data in tables_shown)
    assert "Till.charge" in tables_shown[5]["text/plain"]


def test_workflow_writes_a_comment_and_a_list_of_tests(shop: Path, tmp_path: Path) -> None:
    folder, store = tmp_path / "shop", tmp_path / "store"
    shutil.copytree(shop, folder)
    commit_tree(folder)
    till = folder / "shop/till.py"
    before, after = (
        "def price(order):\n    return len(order)\n",
        "def price(order, rate):\n    return rate * len(order)\n",
    )
    till.write_text(till.read_text().replace(before, after))
    commit_tree(folder)
    base, head = (git(folder, "rev-parse", name) for name in ("HEAD~1", "HEAD"))
    steps = yaml.safe_load((EXAMPLES / "pull_request.yml").read_text(encoding="utf-8"))["jobs"]["impact"]["steps"]
    commands = [step["run"] for step in steps if step.get("run", "").startswith("repoquarry")]
    printed = {}
    for command in commands:
        text, _, output = command.replace("$BASE", base).replace("$HEAD", head).partition(" > ")
        words = [str(folder) if word == "." else word for word in shlex.split(text)[1:]]
        printed[output] = succeed(store, *words).stdout
    assert "price" in printed["comment.md"]
    assert "tests/test_shop.py" in printed["tests.txt"]


def test_rules_are_those_that_install_writes(tmp_path: Path) -> None:
    done = run_here(tmp_path / "store", "install", "codex", "--folder", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert (EXAMPLES / "AGENTS.md").read_text(encoding="utf-8") == (tmp_path / "AGENTS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((EXAMPLES / "mcp").iterdir()), ids=lambda path: path.name)
def test_mcp_entry_is_a_valid_call(path: Path) -> None:
    entry = find_mcp_entry(path.suffix[1:], path.read_text(encoding="utf-8"))
    assert entry is not None
    name, *arguments = entry["args"]
    assert (entry["command"], name) == ("repoquarry", "mcp")
    typer.main.get_command(program(name)).make_context(name, arguments)


@pytest.mark.docs
def test_demo_answers_within_40_lines_of_80_columns() -> None:
    """As `make demo` runs it."""
    command = [sys.executable, str(ROOT / "scripts/demo.py")]
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert len(lines) < 40
    assert max(map(len, lines)) <= 80
    for answer in ("add_packages", "AFFECTED", "python", "`parse_source` has"):
        assert any(answer in line for line in lines), answer
