"""Exports, each read back by a reader of its format: they hold what the graph holds, with the confidence that was requested."""

import ast
import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import networkx
import pyarrow.parquet
import pydot
import pytest

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from tests.e2e.service import Service, run_here, run_json, succeed
from tests.source_trees import write_tree

HOSTILE = {
    "odd/__init__.py": '"""Quotes " and \\\\ and ; and , and <&>.\n\nTwo\x0cparagraphs\x1f é 漢 \x07."""\n',
    "odd/many.py": "\n".join(
        ["class A:", "    def m(self, x=';,\"'):", "        return [f0(), f0()]", ""]
        + [f"def f{n}():\n    return A().m() if {n} else None\n" for n in range(40)]
    ),
    "odd/__main__.py": "from odd.many import *\nf1(); f2(); unknown.thing()\n",
    "pyproject.toml": '[project]\nname = "odd"\nversion = "1"\ndependencies = ["requests>=2"]\n',
}
NODES = "MATCH (n) WHERE n.repository = 'odd' RETURN labels(n)[0] AS label, n.id AS id, properties(n) AS p"
EDGES = (
    "MATCH (a)-[r]->(b) WHERE a.repository = 'odd' "
    "RETURN labels(a)[0] AS la, a.id AS a, type(r) AS t, labels(b)[0] AS lb, b.id AS b, properties(r) AS p"
)


@pytest.fixture(scope="module")
def odd_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose texts are hard for every format."""
    folder = tmp_path_factory.mktemp("odd")
    tree = write_tree(folder / "sources" / "odd", HOSTILE)
    succeed(folder / "store", "index", str(tree))
    return folder / "store"


@pytest.fixture(scope="module")
def graph(odd_store: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Nodes and relationships as a query gives them; End nodes elsewhere are added to the nodes."""
    nodes, edges = (rows(odd_store, query) for query in (NODES, EDGES))
    known = {(node["label"], node["id"]) for node in nodes}
    elsewhere = sorted({(edge["lb"], edge["b"]) for edge in edges} - known)
    assert elsewhere  # the package that it provides
    for label, id_ in elsewhere:
        (found,) = rows(odd_store, f"MATCH (n:{label} {{id: '{id_}'}}) RETURN properties(n) AS p")
        nodes.append({"label": label, "id": id_, **found})
    return nodes, edges


def rows(store: Path, query: str) -> list[dict[str, Any]]:
    answer = run_json(store, "query", query)
    return [dict(zip(answer["columns"], row, strict=True)) for row in answer["rows"]]


def export(store: Path, *options: str, **variables: str) -> str:
    done = succeed(store, "export", "odd", *options, **variables)
    return done.stdout + done.stderr


@pytest.mark.parametrize("limits", [{}, {"REPOQUARRY_STORE_LIMITS_ROWS": "7"}], ids=["at once", "in parts"])
def test_graphml(
    odd_store: Path, graph: tuple[list[dict[str, Any]], list[dict[str, Any]]], tmp_path: Path, limits: dict[str, str]
) -> None:
    """Also where a limit cuts every answer, so that all of it is put together from parts."""
    nodes, edges = graph
    export(odd_store, "--format", "graphml", "-o", str(tmp_path / "odd.graphml"), **limits)
    assert [path.name for path in tmp_path.iterdir()] == ["odd.graphml"]
    read = networkx.read_graphml(tmp_path / "odd.graphml", force_multigraph=True)
    assert set(read.nodes) == {f"{node['label']} {node['id']}" for node in nodes}
    assert Counter((a, data["relationship"], b) for a, b, data in read.edges(data=True)) == Counter(
        (f"{edge['la']} {edge['a']}", edge["t"], f"{edge['lb']} {edge['b']}") for edge in edges
    )
    module = read.nodes["Module odd:odd/__init__.py"]
    assert module["label"] == "Module"
    assert module["start_line"] == 1
    assert module["is_test"] is False
    assert '"' in module["docstring"]
    assert "<&>" in module["docstring"]
    call = next(data for a, b, data in read.edges(data=True) if data["relationship"] == "CALLS" and b.endswith("A.m"))
    assert json.loads(call["lines"])
    assert 0 < call["confidence"] <= 1


def test_duckdb_has_the_rows_of_the_pairs_on_its_page(odd_store: Path, tmp_path: Path) -> None:
    export(odd_store, "--format", "duckdb", "-o", str(tmp_path / "odd.duckdb"))
    assert [path.name for path in tmp_path.iterdir()] == ["odd.duckdb"]
    page = Path(__file__).parents[3] / "docs" / "guides" / "duckdb.md"
    pairs = ast.literal_eval(page.read_text("utf-8").partition("PAIRS = ")[2].partition("\n]\n")[0] + "\n]")
    assert len(pairs) == 10
    filled = 0
    with Store.open(StoreSettings(odd_store)) as store, duckdb.connect(tmp_path / "odd.duckdb") as database:
        for cypher, sql in pairs:
            rows = sorted(map(repr, store.query(cypher).rows))
            assert rows == sorted(map(repr, database.execute(sql).fetchall())), cypher
            filled += bool(rows)
    assert filled >= 5


def test_a_scip_index_of_a_repository_adds_nothing_to_it(odd_store: Path, tmp_path: Path) -> None:
    """Through a copy in another store, so that files and commits are the same and the graph is not."""
    export(odd_store, "--format", "scip", "-o", str(tmp_path / "odd.scip"))
    assert [path.name for path in tmp_path.iterdir()] == ["odd.scip"]
    source = rows(odd_store, "MATCH (r:Repository) RETURN r.source AS source")[0]["source"]
    calls = "MATCH (a)-[r:CALLS]->(b) RETURN a.id, b.id, r.how, r.lines ORDER BY a.id, b.id"
    other = tmp_path / "other"
    done = run_here(other, "index", source, "--scip", str(tmp_path / "odd.scip"), "--json")
    (report,) = json.loads(done.stdout)["jobs"][0]["report"]["scip"]
    assert report["agreed"] > 0
    assert (report["added"], report["disagreed"], report["inherits"], report["overrides"]) == (0, 0, 0, 0)
    assert rows(other, calls) == rows(odd_store, calls)


def test_parquet(odd_store: Path, graph: tuple[list[dict[str, Any]], list[dict[str, Any]]], tmp_path: Path) -> None:
    nodes, edges = graph
    export(odd_store, "--format", "parquet", "-o", str(tmp_path / "out"))
    tables = {path.stem: pyarrow.parquet.read_table(path) for path in (tmp_path / "out").iterdir()}
    read = {
        (name.removeprefix("nodes-"), row["id"]): {key: value for key, value in row.items() if value is not None}
        for name, table in tables.items()
        if name.startswith("nodes-")
        for row in table.to_pylist()
    }
    assert read == {(node["label"], node["id"]): node["p"] for node in nodes}
    ends = ("start_label", "start_id", "end_label", "end_id")
    found = Counter(
        (name.removeprefix("relationships-"), *(row[end] for end in ends))
        for name, table in tables.items()
        if name.startswith("relationships-")
        for row in table.to_pylist()
    )
    assert found == Counter((edge["t"], edge["la"], edge["a"], edge["lb"], edge["b"]) for edge in edges)
    calls = tables["relationships-CALLS"].schema
    assert str(calls.field("lines").type).startswith("list<")
    assert str(calls.field("count").type) == "int64"


def test_the_csv_holds_the_graph_and_both_ends_of_every_relationship(
    odd_store: Path, graph: tuple[list[dict[str, Any]], list[dict[str, Any]]], tmp_path: Path
) -> None:
    """As `neo4j-admin` reads it; that it does is tested with several repositories, in tests/engines/neo4j."""
    told = export(odd_store, "--format", "neo4j-csv", "-o", str(tmp_path / "out"))
    assert told.split()[:3] == ["neo4j-admin", "database", "import"]
    nodes, edges = graph
    found: dict[tuple[str, str], dict[str, Any]] = {}
    joined: Counter[tuple[str, ...]] = Counter()
    for file in (tmp_path / "out").glob("*.csv"):
        with file.open(encoding="utf-8", newline="") as lines:
            header, *table = csv.reader(lines)
        for row in table:
            cells = {name: cell for name, cell in zip(header, row, strict=True) if cell}
            if file.name.startswith("nodes-"):
                found[row[-1], row[0]] = {name.partition(":")[0]: value(name, cell) for name, cell in cells.items()}
            else:
                ends = [name.partition("(")[2].rstrip(")") for name in header[:2]]
                joined[row[-1], ends[0], row[0], ends[1], row[1]] += 1
    for node in nodes:
        read = found.pop((node["label"], node["id"]))
        assert {name: one for name, one in read.items() if name} == filled(node["p"])
    assert found == {}
    assert joined == Counter((edge["t"], edge["la"], edge["a"], edge["lb"], edge["b"]) for edge in edges)
    known = {(node["label"], node["id"]) for node in nodes}
    assert {end for _, la, a, lb, b in joined for end in ((la, a), (lb, b))} <= known


def value(column: str, cell: str) -> Any:
    """A cell by the type in the head of its column."""
    kind = column.partition(":")[2]
    if kind.endswith("[]"):
        return [value(f":{kind[:-2]}", part) for part in cell.split("\x1f")]
    readers: dict[str, Callable[[str], Any]] = {"long": int, "double": float, "boolean": "true".__eq__}
    return readers.get(kind, str)(cell)


def filled(properties: dict[str, Any]) -> dict[str, Any]:
    """Rows without values that Python's CSV reader cannot distinguish: an empty list, an empty text and none."""
    return {name: one for name, one in properties.items() if one not in ([], "")}


def test_the_csv_is_typed(odd_store: Path, tmp_path: Path) -> None:
    export(odd_store, "--format", "neo4j-csv", "-o", str(tmp_path / "out"))
    with (tmp_path / "out" / "relationships-CALLS-Function-Function.csv").open(encoding="utf-8") as file:
        assert file.readline() == (
            ":START_ID(Function),:END_ID(Function),count:long,lines:long[],how:string,confidence:double,targets:long,:TYPE\n"
        )


def drawing(text: str) -> Any:
    """The one graph of a DOT text."""
    found = pydot.graph_from_dot_data(text)
    assert found is not None
    (drawn,) = found
    return drawn


def test_dot_of_a_neighbourhood(odd_store: Path, shop_store: Path) -> None:
    drawn = drawing(run_here(shop_store, "export", "shop", "--format", "dot", "--around", "price").stdout)
    names = {node.get_name().strip('"'): node.get_label() for node in drawn.get_nodes()}
    ends = {(edge.get_source().strip('"'), edge.get_destination().strip('"')) for edge in drawn.get_edges()}
    assert ("shop:shop/till.py::Till.charge", "shop:shop/till.py::price") in ends
    assert "shop:shop/counter.py::Counter.serve" not in names
    wider = run_here(shop_store, "export", "shop", "--format", "dot", "--around", "price", "--hops", "2").stdout
    drawn = drawing(wider)
    ends = {(edge.get_source().strip('"'), edge.get_destination().strip('"')) for edge in drawn.get_edges()}
    assert ("shop:shop/counter.py::Counter.serve", "shop:shop/till.py::Till.charge") in ends
    drawn = drawing(export(odd_store, "--format", "dot", "--around", "A.m", "--hops", "3"))
    assert len(drawn.get_nodes()) > 40
    refused = run_here(shop_store, "export", "shop", "--format", "graphml", "--around", "x")
    assert (refused.returncode, "--around: only dot takes --around NAME" in refused.stderr) == (2, True)


def test_exports_are_the_same_through_a_server(shop_service: Service, shop_store: Path, tmp_path: Path) -> None:
    for number, options in enumerate((["--format", "graphml"], ["--format", "dot", "--around", "price"])):
        local = run_here(shop_store, "export", "shop", *options)
        remote = run_here(tmp_path / str(number), "export", "shop", *options, "--server", shop_service.address)
        assert local.stdout == remote.stdout
        assert local.stdout


def test_a_file_that_could_not_be_finished_is_not_there(shop_store: Path, tmp_path: Path) -> None:
    done = run_here(
        shop_store, "export", "shop", "--format", "dot", "--around", "nothing_so_called", "-o", str(tmp_path / "x.dot")
    )
    assert done.returncode == 3
    assert list(tmp_path.iterdir()) == []
    done = run_here(shop_store, "export", "shop", "--format", "graphml", "-o", str(tmp_path / "no" / "x"))
    assert (done.returncode, "OUTPUT_FAILED" in done.stderr) == (5, True)


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


def test_less_certain_calls_are_listed_only_on_request(tmp_path: Path) -> None:
    write_tree(tmp_path / "shop", {"shop.py": SHOP})
    store = tmp_path / "store"
    assert run_here(store, "index", str(tmp_path / "shop")).returncode == 0
    query = """MATCH (a:Function {qualname: 'drive'})-[r:CALLS]->(b)
        RETURN b.qualname, r.confidence * r.targets AS together ORDER BY b.qualname"""
    rows = run_json(store, "query", query)["rows"]
    assert [name for name, _ in rows] == ["Three.run", "Two.run"]
    for least in (0.0, 0.5, 0.95, 1.0):
        exported = run_here(store, "export", "shop", "--min-confidence", str(least)).stdout
        assert json.loads(exported)["shop.drive"] == [f"shop.{name}" for name, sure in rows if sure >= least]
    default = json.loads(run_here(store, "export", "shop").stdout)
    assert default["shop.drive"] == ["shop.Three.run", "shop.Two.run"]  # All that may run at the site.
