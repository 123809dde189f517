"""Checks of texts before `int`: `str.isdigit` is true for signs such as ², which `int` refuses."""

import ast
from pathlib import Path

_PRODUCT = Path(__file__).parents[3] / "repoquarry"


def test_no_module_asks_for_digits() -> None:
    found = [
        f"{path.relative_to(_PRODUCT)}:{node.lineno}"
        for path in _PRODUCT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in ("isdigit", "isnumeric")
    ]
    assert found == [], "use isdecimal, with isascii where the text comes over a network"
