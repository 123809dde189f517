"""The dependency graph in memory has what queries find; propagation of a change says what it did not follow."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.code import impact as module
from repoquarry.code.impact import CodeChange, analyze_impact, propagate_impact, run_steps
from repoquarry.code.name_resolution import require_definitions
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DependencyGraph
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.indexed_trees import indexed_trees

pytestmark = pytest.mark.usefixtures("thread_workers")


def test_definitions_are_those_of_queries(impact_store: Store) -> None:
    graph, reader = impact_store.cached("shop", DependencyGraph), CodeReader(impact_store)
    assert len(graph.definition_by_id) > len(graph.definitions_by_path)
    assert reader.definitions(graph.definition_by_id) == list(graph.definition_by_id.values())
    for path, inside in graph.definitions_by_path.items():
        assert reader.inside("shop", path) == inside
    assert [item.path for item in graph.test_modules] == [
        f"tests/test_{name}.py" for name in ("one", "three", "two", "use")
    ]


def test_edges_are_those_of_queries(impact_store: Store) -> None:
    graph, reader = impact_store.cached("shop", DependencyGraph), CodeReader(impact_store)
    ids = list(graph.definition_by_id)
    for kind, edges in {
        "CALLS": reader.calls_to(ids),
        "OVERRIDES": reader.overridden(ids),
        "INHERITS": reader.subclasses(ids),
        "REFERENCES": reader.references_to(ids),
        "IMPORTS": reader.imports_to(ids),
    }.items():
        expected = [
            (edge.start, edge.end.id, edge.confidence, kind == "REFERENCES" and edge.how == "annotation")
            for edge in edges
        ]
        assert expected, kind
        found = list(graph.find_dependents(kind, ids))
        assert [(start, end, kind) for start, end, _, kind in found] == [one[:2] + one[3:] for one in expected], kind
        assert all(together >= own for (*_, together, _), (*_, own, _) in zip(found, expected, strict=True)), kind


def test_targets_of_one_call_site_have_their_confidence_together(impact_store: Store) -> None:
    graph = impact_store.cached("shop", DependencyGraph)
    ids = [id_ for id_ in graph.definition_by_id if id_.endswith(".area")]
    found = {end: share for start, end, share, _ in graph.find_dependents("CALLS", ids) if start.name == "total"}
    assert len(found) > 1
    assert all(share > 0.5 for share in found.values())


def test_calls_are_filtered_by_view(impact_store: Store) -> None:
    graph, reader = impact_store.cached("shop", DependencyGraph), CodeReader(impact_store)
    changed = [item for item in graph.definition_by_id.values() if item.id.endswith(".area")]

    def find(*how: str) -> set[str]:
        report = analyze_impact(reader, CodeChange(("shop",), tuple(changed)), ["shop"], max_hops=1, how=how)
        return {item.entity.name for item in report.affected if item.how == "calls"}

    assert "total" in find() & find("dispatch")
    assert "total" not in find("sure") | find("declared")
    assert find("sure") | find("dispatch") | find("declared") | find("possible") == find()


def test_a_value_is_built_once_for_each_revision(impact_store: Store, tmp_path: Path) -> None:
    graph = impact_store.cached("shop", DependencyGraph)
    assert impact_store.cached("shop", DependencyGraph) is graph
    (tmp_path / "shop" / "shop" / "more.py").write_text("def more():\n    return 2\n")
    index_repository(str(tmp_path / "shop"), impact_store, IngestSettings(workers=1), name="shop")
    assert "shop:shop/more.py::more" in impact_store.cached("shop", DependencyGraph).definition_by_id


_CALLERS = "".join(f"def user{number}():\n    return price()\n\n\n" for number in range(5))


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[CodeReader]:
    with indexed_trees(tmp_path, {"shop": {"shop.py": f"def price():\n    return 1\n\n\n{_CALLERS}"}}) as store:
        yield CodeReader(store)


def test_definitions_beyond_the_limit_of_a_hop_are_counted(reader: CodeReader, monkeypatch: pytest.MonkeyPatch) -> None:
    touched = require_definitions(reader, "price", ["shop"])
    change = CodeChange(("shop",), tuple(touched), frozenset(), ())
    assert run_steps(propagate_impact(reader, touched, ["shop"], 3, 0.01))[1] == 0
    assert not any("not looked for" in note for note in analyze_impact(reader, change, ["shop"]).notes)
    monkeypatch.setattr(module, "MAX_FRONTIER", 2)
    assert run_steps(propagate_impact(reader, touched, ["shop"], 1, 0.01))[1] == 4, "five callers and their file"
    note = "the dependents of 4 affected definitions were not looked for: each hop follows 2 at most"
    assert note in analyze_impact(reader, change, ["shop"], max_hops=1).notes
