"""Prices, with a registry that only a type checker follows."""

from typing import Protocol


class Priced(Protocol):
    def total(self) -> int: ...


class Item:
    def __init__(self, cents: int) -> None:
        self.cents = cents

    def total(self) -> int:
        return self.cents


class Discounted(Item):
    def total(self) -> int:
        return super().total() // 2


def price(item: "Priced") -> int:
    return item.total()
