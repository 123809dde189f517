"""The launchpad text: four blocks, never over budget, for the repository or for a task."""

from collections.abc import Callable
from typing import Any

import pytest

from repoquarry.code.excerpts.context import ContextRequest, build_context
from repoquarry.graphstore import token_counting
from repoquarry.graphstore.errors import NotFoundError, QueryRefusedError
from repoquarry.graphstore.settings import ContextSettings


@pytest.fixture
def big(make_library: Callable[..., Any]) -> Any:
    """60 modules in six folders, each with a class of some size, and a long README."""
    method = '    def step_{m}(self, value):\n        """Do step {m} of {n}."""\n' + "        value += {m}\n" * 12
    texts = {"README.md": "# Big\n\n" + "A sentence about the machine. " * 400}
    for n in range(60):
        body = "".join(method.format(m=m, n=n) for m in range(6))
        texts[f"big/part{n % 6}/unit_{n}.py"] = (
            f'"""Unit {n}."""\n\n\nclass Unit{n}:\n    """Runs unit {n}."""\n\n{body}'
        )
    return make_library({"big": texts})


@pytest.mark.parametrize("budget", [1, 40, 200, 1_000, 8_000, 32_000])
@pytest.mark.parametrize("task", [None, "step_3 of Unit7 adds the wrong value"])
def test_the_budget_is_never_exceeded(big: Any, budget: int, task: str | None) -> None:
    context = build_context(big, ContextRequest("big", budget, task))
    assert context.tokens == token_counting.count_tokens(context.text) <= budget
    if budget >= 1_000:
        assert [block.name for block in context.blocks] == ["readme", "modules", "code", "paths"]
        assert context.tokens > 0.8 * budget
        readme = next(block for block in context.blocks if block.name == "readme")
        assert readme.tokens > min(0.2 * budget, 2_000)


def test_the_four_blocks_of_a_small_repository(shop: Any) -> None:
    context = build_context(shop, ContextRequest("shop"))
    blocks = {block.name: block for block in context.blocks}
    assert "sells widgets" in blocks["readme"].text
    assert "shop/cart.py" in blocks["modules"].text
    assert "tests/test_cart.py" not in context.text
    assert blocks["code"].node_ids[0] == "shop:shop/cart.py::Cart"
    assert len(set(blocks["code"].node_ids)) == len(blocks["code"].node_ids) > 1
    assert "self.items.append((item, quantity))" in blocks["code"].text


def test_a_large_class_is_shown_as_its_outline(big: Any) -> None:
    code = next(block for block in build_context(big, ContextRequest("big", 2_000)).blocks if block.name == "code")
    first = code.text.split("## ")[1]
    assert "def step_5(self, value):" in first
    assert "        ...\n" in first
    assert "value += 3" not in first


def test_with_a_task_the_code_is_chosen_for_it(big: Any) -> None:
    context = build_context(big, ContextRequest("big", 1_500, "unit_41.py: Unit41.step_2 is wrong"))
    code = next(block for block in context.blocks if block.name == "code")
    assert code.node_ids[0].startswith("big:big/part5/unit_41.py::Unit41")
    modules = next(block for block in context.blocks if block.name == "modules")
    assert modules.node_ids[0] == "big:big/part5/unit_41.py"


def test_modules_are_named_once(big: Any) -> None:
    context = build_context(big, ContextRequest("big", 32_000))
    blocks = {block.name: block for block in context.blocks}
    assert len(blocks["modules"].node_ids) == 20
    assert set(blocks["modules"].node_ids).isdisjoint(blocks["paths"].node_ids)
    assert len(blocks["modules"].node_ids) + len(blocks["paths"].node_ids) == 60


def test_bad_requests_are_refused(shop: Any) -> None:
    with pytest.raises(QueryRefusedError):
        build_context(shop, ContextRequest("shop", -1))
    with pytest.raises(NotFoundError):
        build_context(shop, ContextRequest("nowhere"))


def test_limits_are_settings(big: Any) -> None:
    settings = ContextSettings(tokens=2_000, modules=3, readme_share=0.1)
    context = build_context(big, ContextRequest("big", settings=settings))
    blocks = {block.name: block for block in context.blocks}
    assert 1_600 < context.tokens <= 2_000
    assert len(blocks["modules"].node_ids) == 3
    assert blocks["readme"].tokens <= 200
