"""Receipts as text."""

from checkout.basket import Basket


def write_receipt(basket: Basket, totals: list[int], *, head: str = "Receipt") -> str:
    """Write a receipt, one line an item."""
    lines = [f"{item.count} {item.name}: {total}" for item, total in zip(basket.items, totals, strict=True)]
    if not lines:
        return head
    return "\n".join([head, *lines, underline(str(sum(totals)))])


def underline(text: str) -> str:
    """Underline a text."""
    return text + "\n" + "=" * len(text)


def unused(printer):
    """Print a line on a printer of a kind that is not known here."""
    printer.feed()
    return printer.cut()
