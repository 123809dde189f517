"""Tests of the shop."""

from webshop.shop import Shop


def test_order() -> None:
    assert Shop().order("book", 2) == 20
