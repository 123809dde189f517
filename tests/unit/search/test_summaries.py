"""One-line summaries of modules."""

from __future__ import annotations

from graphstore.search.summaries import ModuleSketch, summarise


def test_a_summary_says_purpose_contents_and_role() -> None:
    sketch = ModuleSketch("Reads\ncarts. It is fast.\n\nDetails.", ["Cart", "load", "a", "b", "c", "d"], 3)
    assert summarise(sketch) == "Reads carts; defines Cart, load, a, b and 2 more; imported by 3 modules"


def test_without_documentation_contents_and_role_remain() -> None:
    assert summarise(ModuleSketch("", ["run"], 1)) == "defines run; imported by 1 module"
    assert summarise(ModuleSketch("", [], 0, entry_points=("main",))) == "entry point (main)"
    assert summarise(ModuleSketch("", [], 5, is_test=True)) == "test"
    assert summarise(ModuleSketch("", [], 0)) == ""


def test_what_the_purpose_names_already_is_not_repeated() -> None:
    assert summarise(ModuleSketch("The Cart class.", ["Cart"], 0)) == "The Cart class"


def test_a_summary_is_one_bounded_line() -> None:
    line = summarise(ModuleSketch("Long " * 200, ["x\n"], 2))
    assert len(line) <= 200
    assert line.endswith("…")
