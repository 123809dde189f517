"""Examples in the docstrings of the client run against a service; each public method has one, and its place in the reference."""

import doctest
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.client import AsyncClient, Client
from tests.e2e.service import ROOT, SHOP, Service, end, launch, run_here
from tests.source_trees import write_tree

_METHODS = sorted(name for name, value in vars(Client).items() if callable(value) and not name.startswith("_"))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("examples")
    write_tree(folder / "shop", SHOP)
    assert run_here(folder / "store", "index", str(folder / "shop")).returncode == 0
    started = launch(
        folder / "store",
        folder / "log",
        REPOQUARRY_AGENT_WORKSPACE_ROOT=str(folder / "work"),
        REPOQUARRY_AGENT_WORKSPACE_ISOLATION="none",
    )
    yield started
    end(started)


def test_asynchronous_client_has_the_same_methods() -> None:
    assert sorted(name for name, value in vars(AsyncClient).items() if callable(value) and name[0] != "_") == _METHODS


@pytest.mark.parametrize("name", ["", *_METHODS])
def test_example_runs(name: str, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    documented = getattr(Client, name) if name else Client
    with Client(service.address) as client:
        text = (documented.__doc__ or "").replace("127.0.0.1:50151", service.address)
        example = doctest.DocTestParser().get_doctest(text, {"client": client, "Path": Path}, name, None, None)
        assert example.examples
        assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


@pytest.mark.parametrize("name", _METHODS)
def test_method_is_in_the_reference(name: str) -> None:
    page = (ROOT / "docs" / "reference" / "client.md").read_text(encoding="utf-8")
    section = page.partition(f"### Client.{name}{os.linesep}")[2].partition("\n### ")[0]
    assert ">>> " in section
