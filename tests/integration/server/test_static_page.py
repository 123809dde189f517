"""The static file has the response and the same facts in plain HTML, and no text of a repository becomes markup."""

import json
import re

import pytest

from repoquarry.server import page_server as module
from repoquarry.server.errors import RequestError, SettingsError
from repoquarry.server.page_server import render_change_file, render_fitting_change_file, render_symbol_file
from repoquarry.v1 import view_service_pb2 as pb

_TEMPLATE = (
    "<title><!--TITLE--></title><main><!--FACTS--></main><footer><!--FOOT--></footer>"
    '<script type="application/json" id="response" data-entry="" data-range=""><!--RESPONSE--></script>'
)
_HOSTILE = "</script><img src=x onerror=alert(1)>\u2028<!--FACTS-->"


@pytest.fixture(autouse=True)
def _template(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "load_page_file", lambda name: _TEMPLATE.encode())


def _change() -> pb.GetChangeResponse:
    response = pb.GetChangeResponse(title=_HOSTILE, figures=pb.ChangeFigures(outside_sites=1_234))
    definition = response.definitions.add(outside_total=1)
    definition.before.qualname = "price"
    site = definition.outside_sites.add(line=7, source_line=f"price(1)  # {_HOSTILE}")
    site.caller.path = "shop/till.py"
    definition.edges.add(appeared=True).target.id = "shop:shop/till.py::total"
    response.tests.add(name="close", meaning="changed tests", commands=["python -m pytest tests/test_shop.py"])
    response.basis.repositories.add(repository="repositories/shop", commit="a" * 40, left_out_count=3)
    return response


def test_a_change_is_complete_without_script() -> None:
    text = render_change_file(_change(), "A..B", "repoquarry ui").decode()
    facts = re.search(r"<main>(.*)</main>", text, re.DOTALL)
    assert facts is not None
    for fact in (
        "1,234 call sites outside the diff",
        "shop/till.py:7",
        "<td>added</td><td>shop:shop/till.py::total</td>",
        "python -m pytest tests/test_shop.py",
        "3 files skipped",
    ):
        assert fact in facts[1]
    assert 'data-entry="change" data-range="A..B"' in text
    assert "repoquarry ui" in text


def test_no_text_of_a_repository_becomes_markup() -> None:
    text = render_change_file(_change(), '"><b>', "").decode()
    assert text.count("</script>") == 1
    assert "<img" not in text
    assert 'data-range="&quot;&gt;&lt;b&gt;"' in text
    block = re.search(r'data-range="[^"]*">(.*)</script>', text, re.DOTALL)
    assert block is not None
    assert not set("<>&\u2028") & set(block[1])
    assert json.loads(block[1])["title"] == _HOSTILE


def test_the_same_input_gives_the_same_bytes() -> None:
    assert render_change_file(_change(), "A..B", "x") == render_change_file(_change(), "A..B", "x")


def test_a_symbol_has_callers_and_source() -> None:
    response = pb.GetSymbolResponse(figures=pb.SymbolFigures(callers=2, caller_files=1))
    response.entity.qualname = "price"
    row = response.callers.groups.add(key="a.py").rows.add(lines=[3, 9], confidence=0.97)
    row.entity.qualname, row.entity.path = "pay", "a.py"
    response.source.lines.add(number=1, text="def price(x: List<int>):")
    text = render_symbol_file(response, "").decode()
    assert "2 callers in 1 file" in text
    assert "<td>pay</td><td>a.py:3, 9</td><td>0.97</td>" in text
    assert "List&lt;int&gt;" in text


def test_a_file_above_the_limit_or_without_a_template_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RequestError, match="limit"):
        render_change_file(pb.GetChangeResponse(title="x" * module.MAX_BYTES), "", "")
    monkeypatch.setattr(module, "load_page_file", lambda name: None)
    with pytest.raises(SettingsError, match="not built"):
        render_change_file(_change(), "", "")


def test_a_large_change_is_cut_until_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 40_000)
    tried = []

    def read(max_definitions: int, max_sites: int) -> pb.GetChangeResponse:
        tried.append((max_definitions, max_sites))
        return pb.GetChangeResponse(title="x" * 100 * max_definitions)

    assert len(render_fitting_change_file(read, "A..B", "x")) <= module.MAX_BYTES
    assert tried == [(500, 20), (300, 10), (100, 5)]
