"""Orders of customers."""

from inventory import Warehouse
from inventory.shelf import clamp


class Order:
    """Items that a customer wants."""

    def __init__(self, items: dict[str, int]) -> None:
        self.items = items

    def limited(self) -> dict[str, int]:
        """Return at most ten of each item."""
        return {name: clamp(count, 0, 10) for name, count in self.items.items()}


def place_order(order: Order) -> int:
    """Reserve the items of an order and return how many stay in stock."""
    warehouse = Warehouse()
    return sum(warehouse.reserve(name, count) for name, count in order.limited().items())
