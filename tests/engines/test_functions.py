"""Every function that the gate lets through to the embedded engine is there: a name alone, which the engine lacks, is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.query.cypher.dialects.kglite import FUNCTIONS
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES, Type
from repoquarry.graphstore.settings import StoreSettings
from tests.sample_graph import sample_graph

_SAMPLES = {
    types.STRING: "'1'", types.INTEGER: "1", types.FLOAT: "0.5", types.BOOLEAN: "true", types.NODE: "n", types.RELATIONSHIP: "r",
    types.PATH: "p", types.MAP: "{a: 1}", types.LIST: "['1', '2']",
}  # fmt: skip
_PATTERN = "MATCH p = (n:Class)-[r:INHERITS]->() "
_ODD = {
    "exists": "exists((n)-->())",
    "count": "count(*)",
    "nodes": "size(nodes(p))",
    "relationships": "size(relationships(p))",
}
_ODD |= {
    "range": "range(1, 3)",
    "startnode": "startNode(r).id",
    "endnode": "endNode(r).id",
    "percentilecont": "percentileCont(n.start_line, 0.5)",
}
_ODD |= {"percentiledisc": "percentileDisc(n.start_line, 0.5)"}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphEngine]:
    folder: Path = tmp_path_factory.mktemp("functions")
    opened = open_engine(StoreSettings(folder), writable=True)
    opened.replace_repository(sample_graph())
    yield opened
    opened.close()


def _sample(kind: Type) -> str:
    return next((text for one, text in _SAMPLES.items() if kind.holds(one)), "null")


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_function_that_passes_is_answered(engine: GraphEngine, name: str) -> None:
    arguments = [_sample(kind) for kind in SIGNATURES[name].arguments[: max(1, SIGNATURES[name].required)]]
    call = _ODD.get(name, f"{name}({', '.join(arguments)})")
    gated = admit(f"{_PATTERN}RETURN {call} AS x", {}, engine.info.dialect, path_hops=15)
    assert engine.run(gated.text, gated.parameters, QueryLimits(seconds=60)).rows
