"""Orders and payments."""

import time

from webshop.prices import Price, SalePrice


class PaymentError(Exception):
    """The bank refused."""


class Shop:
    """Takes orders."""

    prices: dict[str, Price] = {"book": Price(10), "comic": SalePrice(8)}

    def order(self, item: str, count: int) -> int:
        """Order some of an item; gives what was paid."""
        total = self.prices[item].amount() * count
        self.pay(total)
        return total

    def pay(self, amount: int) -> None:
        """Pay, and retry a payment that failed up to three times with a growing wait."""
        for attempt in range(3):
            try:
                self.charge(amount)
                return
            except PaymentError:
                time.sleep(2**attempt)
        raise PaymentError("gave up")

    def charge(self, amount: int) -> None:
        """Ask the bank once."""
        if amount < 0:
            raise PaymentError("negative amount")


def close(registry):
    """Close whatever is registered."""
    for entry in registry:
        entry.order("book", 0)
