"""What `export` writes of an indexed repository."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.service import run_here, write_tree

SHOP = """
class Plain:
    pass


class Made:
    def __init__(self):
        self.names = []

    @staticmethod
    def of(text):
        return text.strip() or " ".join(["a", "b"])


class Base:
    def run(self):
        raise NotImplementedError


class One(Base):
    def run(self):
        return 1


class Two(Base):
    def run(self):
        return 2


class Three(Two):
    def run(self):
        return super().run() + 1


def drive(what: Two):
    what.run()


def main():
    Plain()
    print(len(Made().of("x")))
"""


def test_the_call_graph_has_the_names_of_pycg_and_no_call_of_a_class_without_constructor(tmp_path: Path) -> None:
    write_tree(tmp_path / "shop", {"shop.py": SHOP})
    store = tmp_path / "store"
    assert run_here(store, "index", str(tmp_path / "shop")).returncode == 0
    graph = json.loads(run_here(store, "export", "shop", "--format", "callgraph-json").stdout)
    assert graph["shop.main"] == ["<builtin>.len", "<builtin>.print", "shop.Made.__init__", "shop.Made.of"]
    assert graph["shop.Made.of"] == ["<**PyStr**>.join", "<**PyStr**>.strip"]
    assert "shop.Plain" not in graph
    assert not any("staticmethod" in callee for callee in graph["shop"])
    assert graph["shop.One.run"] == []


def test_less_certain_calls_come_only_when_they_are_asked_for(tmp_path: Path) -> None:
    write_tree(tmp_path / "shop", {"shop.py": SHOP})
    store = tmp_path / "store"
    assert run_here(store, "index", str(tmp_path / "shop")).returncode == 0
    query = "MATCH (a:Function {qualname: 'drive'})-[r:CALLS]->(b) RETURN b.qualname, r.confidence ORDER BY b.qualname"
    rows = json.loads(run_here(store, "query", query, "--json").stdout)["rows"]
    assert [name for name, _ in rows] == ["Three.run", "Two.run"]
    for least in (0.0, 0.5, 0.95, 1.0):
        exported = run_here(store, "export", "shop", "--min-confidence", str(least)).stdout
        assert json.loads(exported)["shop.drive"] == [f"shop.{name}" for name, sure in rows if sure >= least]
    default = run_here(store, "export", "shop").stdout
    assert default == run_here(store, "export", "shop", "--min-confidence", "0.5").stdout
