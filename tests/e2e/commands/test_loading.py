"""Modules that a command loads: none of the parts of the service that it does not use, since loading them would take longer than the command."""

import json
import subprocess
import sys
from functools import cache
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

_PROGRAM = """
import json, sys
from repoquarry.server.cli.program import run
code = run(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]))
"""
_HEAVY = frozenset({"asyncio", "faiss", "grpc", "httpx", "langgraph", "packaging", "rustworkx", "tree_sitter", "yaml"})
_OTHER_PARTS = (
    "repoquarry.code.repository_ranking",
    "repoquarry.execution.provision",
    "repoquarry.agent.task",
    "repoquarry.code",
    "repoquarry.graphstore.search",
    "repoquarry.ingest.graph",
    "repoquarry.ingest.resolution",
    "repoquarry.ingest.importance",
    "repoquarry.server.application.code",
    "repoquarry.server.application.environments",
    "repoquarry.server.application.tasks",
)
_COMMAND_LINE = {"annotated_doc", "annotated_types", "pydantic", "pydantic_core", "shellingham", "typer", "typing_extensions",
                 "typing_inspection"}  # fmt: skip
_STORE = {"google", "kglite", "msgspec", "platformdirs", "zstandard"}
_START_UP: dict[str, tuple[list[str], set[str], int]] = {
    "version": ([], _COMMAND_LINE, 19),
    "list": ([], _COMMAND_LINE | _STORE, 120),
    "query": (["RETURN 1"], _COMMAND_LINE | _STORE, 145),
    "show": (["Counter"], _COMMAND_LINE | _STORE | {"tree_sitter", "tree_sitter_python"}, 167),
}
"""Command -> arguments, top-level libraries that the command imports, and the maximum number of modules of RepoQuarry."""
_NAMED_BELOW = (
    "repoquarry.graphstore.query.cypher.syntax",
    "repoquarry.graphstore.search",
    "repoquarry.ingest.pipeline",
    "repoquarry.server.application",
)


@cache
def _loaded(*arguments: str) -> set[str]:
    """The modules that are loaded at the end of a command."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments], capture_output=True, text=True, check=True, timeout=300
    )
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stderr
    return set(modules)


def _other_parts(modules: set[str]) -> set[str]:
    return {name for name in modules if any(name == part or name.startswith(f"{part}.") for part in _OTHER_PARTS)}


def test_the_modules_that_no_command_may_load_exist() -> None:
    """Otherwise a renamed module could be loaded and no test would fail."""
    assert [name for name in (*_OTHER_PARTS, *_NAMED_BELOW) if find_spec(name) is None] == []


def test_help_and_version_load_no_part_of_the_service() -> None:
    for arguments in (["--help"], ["version"]):
        modules = _loaded(*arguments)
        assert not {
            name
            for name in modules
            if name.startswith(("repoquarry.server.application", "repoquarry.graphstore.query.cypher"))
        }
        assert not modules & (_HEAVY | {"numpy", "kglite", "psutil", "google.protobuf"})


def test_a_query_loads_what_answers_queries(shop_store: Path) -> None:
    modules = _loaded("query", "RETURN 1", "--store", str(shop_store))
    assert "repoquarry.graphstore.query.cypher.gate" in modules
    assert not _other_parts(modules)
    assert not modules & (_HEAVY | {"numpy"})
    assert "repoquarry.ingest.pipeline" not in modules


def test_a_list_loads_no_gate(shop_store: Path) -> None:
    modules = _loaded("list", "--store", str(shop_store))
    assert not {name for name in modules if name.startswith("repoquarry.graphstore.query.cypher.syntax")}
    assert not _other_parts(modules)
    assert not modules & (_HEAVY | {"numpy"})


def test_an_index_without_a_change_loads_no_stage_behind_selection(own_store: Path, shop: Path) -> None:
    modules = _loaded("index", str(shop), "--store", str(own_store))
    assert "repoquarry.ingest.files.selection" in modules
    assert not _other_parts(modules)
    assert not modules & (_HEAVY | {"numpy"})
    assert not {name for name in modules if name.startswith("repoquarry.graphstore.search.")}
    assert not {name for name in modules if name.startswith("repoquarry.graphstore.query.cypher.syntax")}


@pytest.mark.parametrize("command", _START_UP)
def test_a_command_imports_these_libraries_and_no_more_own_modules(command: str, shop_store: Path) -> None:
    arguments, libraries, max_own_modules = _START_UP[command]
    where = [] if command == "version" else ["--store", str(shop_store)]
    modules = _loaded(command, *arguments, *where)
    installed = packages_distributions().keys() - sys.stdlib_module_names - {"repoquarry", "_distutils_hack"}
    assert installed & {name.partition(".")[0] for name in modules} == libraries
    own_count = sum(name.partition(".")[0] == "repoquarry" for name in modules)
    assert own_count <= max_own_modules
