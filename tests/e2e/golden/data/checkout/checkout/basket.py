"""Baskets of a customer, paid through the web shop."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from webshop.prices import SalePrice
from webshop.shop import PaymentError, Shop


@dataclass
class Item:
    """Some of one article."""

    name: str
    count: int = 1


class Voucher(SalePrice):
    """Price reduced by a voucher of the customer."""

    def amount(self) -> int:
        """Amount after the reduction."""
        return max(super().amount() - 1, 0)


@dataclass
class Basket:
    """Items that a customer wants to order."""

    items: list[Item] = field(default_factory=list)

    @cached_property
    def shop(self) -> Shop:
        """Shop that takes the orders."""
        return Shop()

    def add(self, name: str, count: int = 1) -> Basket:
        """Add an item."""
        self.items.append(Item(name, count))
        return self

    def totals(self) -> Iterator[int]:
        """Yield what each item costs."""
        for item in self.items:
            yield self.shop.order(item.name, item.count)

    def pay(self, amount: int) -> None:
        """Pay the basket, patiently."""
        for attempt in range(3):
            try:
                self.charge(amount)
                return
            except PaymentError:
                time.sleep(2**attempt)
        raise PaymentError("gave up")

    def charge(self, amount: int) -> None:
        """Charge the customer once."""
        self.shop.charge(amount)
