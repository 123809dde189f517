"""Texts of answers fit a terminal: prose is wrapped between words, source is cut with a sign."""

import pytest

from repoquarry.server.text_format import fit_text

_TEXT = (
    "Callers:\n- shop/till.py:4 Till.charge: " + "self.price(order) " * 6 + "\n"
    "    12      def charge(self, order, " + "option, " * 12 + "):\nbased on shop@1 (clean, current)"
)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_lines_fit_the_width(width: int) -> None:
    lines = fit_text(_TEXT, width).split("\n")
    assert max(map(len, lines)) <= width
    assert sum(line.startswith("    12      def charge") for line in lines) == 1
    assert lines[-1] == "based on shop@1 (clean, current)"
    assert "".join(lines).count("self.price(order)") == 6


def test_a_text_without_a_width_is_unchanged() -> None:
    assert fit_text(_TEXT, 0) == _TEXT
