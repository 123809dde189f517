"""The Cypher that the pages show gives the same rows on both engines."""

from __future__ import annotations

import pytest

from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.model.values import Value
from tests.documentation.pages import Block, list_pages, read_blocks
from tests.engines.differential.engine_pair import compare

_RECIPES = [b for page in list_pages() for b in read_blocks(page) if b.language == "cypher" and b.is_executed]


def test_there_are_recipes() -> None:
    assert _RECIPES


@pytest.mark.neo4j
@pytest.mark.parametrize("recipe", _RECIPES, ids=lambda recipe: recipe.place)
def test_recipe_gives_equal_rows(twins: tuple[GraphEngine, GraphEngine], recipe: Block) -> None:
    given: dict[str, Value] = {"repository": "graphstore"} if "$repository" in recipe.text else {}
    verdict = compare(*twins, recipe.text.strip(), given)
    assert verdict.kind == "equal", f"{verdict.kind}: {verdict.detail}"
    assert verdict.rows, "what the recipe names is missing from the frozen graphs"
