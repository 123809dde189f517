"""Tests of the basket."""

import pytest

from checkout.basket import Basket
from checkout.receipt import write_receipt


@pytest.fixture
def basket() -> Basket:
    return Basket().add("book", 2)


def test_totals(basket: Basket) -> None:
    assert list(basket.totals()) == [20]


def test_receipt(basket: Basket) -> None:
    assert "20" in write_receipt(basket, list(basket.totals()))
