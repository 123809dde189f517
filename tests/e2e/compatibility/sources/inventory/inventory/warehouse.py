"""A warehouse is a number of shelves."""

from inventory.shelf import Shelf


class OutOfStockError(Exception):
    """The warehouse has too few items."""


class Warehouse:
    """Shelves by item name."""

    def __init__(self) -> None:
        self.shelves: dict[str, Shelf] = {}

    def receive(self, name: str, count: int) -> None:
        """Put delivered items on their shelf."""
        shelf = self.shelves.setdefault(name, Shelf(100))
        shelf.put(count)

    def reserve(self, name: str, count: int) -> int:
        """Take items from their shelf and return how many are left."""
        shelf = self.shelves[name]
        if shelf.count < count:
            raise OutOfStockError(name)
        shelf.count -= count
        return shelf.count
