"""Formats of `impact`: Markdown for a pull request, a list of tests, and nothing where nothing outside the diff matters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from repoquarry.server.cli.commands.compare import format_change
from repoquarry.v1 import view_service_pb2 as pb
from tests.e2e.service import run_here

_PATCH = """--- a/shop/till.py
+++ b/shop/till.py
@@ -10,2 +10,2 @@
-def price(order):
-    return len(order)
+def price(order, discount):
+    return len(order) - discount
"""


@pytest.mark.parametrize("name", ["markdown", "json", "junit-list"])
def test_each_format_has_the_tests_to_run(shop_store: Path, name: str) -> None:
    done = run_here(shop_store, "impact", "shop", "--patch", "-", "--format", name, stdin=_PATCH)
    assert done.returncode == 0, done.stderr
    expected = {
        "markdown": "python -m pytest tests/test_shop.py",
        "json": "tests/test_shop.py",
        "junit-list": "tests/test_shop.py::test_price",
    }
    assert expected[name] in done.stdout
    if name == "markdown":
        assert done.stdout.startswith("**3 call sites outside the diff**")
        assert "discount is added and required" in done.stdout
    elif name == "json":
        assert json.loads(done.stdout)["test_files"]


def test_nothing_outside_the_diff_gives_no_comment() -> None:
    response = pb.GetChangeResponse(figures=pb.ChangeFigures(definitions=3, reached=7))
    assert format_change(response) == ""


def test_texts_of_a_repository_stay_in_their_code_spans() -> None:
    response = pb.GetChangeResponse(figures=pb.ChangeFigures(outside_sites=1))
    item = response.definitions.add(
        kind=pb.CHANGED_KIND_SIGNATURE, outside_total=1, parameters_changed=["*a* is now `x`"]
    )
    item.after.qualname = "f`<img>`"
    item.outside_sites.add(line=1, source_line="f(`a``b`) [x](y)")
    text = format_change(response)
    assert "`` f`<img>` ``" in text
    assert "``` f(`a``b`) [x](y) ```" in text
    assert r"\*a\* is now `x`" in text
