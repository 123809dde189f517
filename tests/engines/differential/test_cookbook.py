"""The recipes of docs/cypher.md give the same rows on both engines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from repoquarry.graphstore.graph_engine import GraphEngine
from tests.engines.differential.engine_pair import compare

_RECIPES = re.findall(
    r"```cypher\n(.*?)```", (Path(__file__).parents[3] / "docs/cypher.md").read_text("utf-8"), re.DOTALL
)


def test_there_are_thirty_recipes() -> None:
    assert len(_RECIPES) >= 30


@pytest.mark.neo4j
@pytest.mark.parametrize("recipe", _RECIPES, ids=range(len(_RECIPES)))
def test_recipe_gives_equal_rows(twins: tuple[GraphEngine, GraphEngine], recipe: str) -> None:
    verdict = compare(*twins, recipe.strip())
    assert verdict.kind == "equal", f"{verdict.kind}: {verdict.detail}"
    assert verdict.rows, "what the recipe names is missing from the frozen graphs"
