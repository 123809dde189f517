"""Shelves hold items of one kind."""


class Container:
    """Something that has a capacity."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity

    def free(self) -> int:
        """Return the remaining capacity."""
        return self.capacity


class Shelf(Container):
    """A shelf with a counted number of items."""

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.count = 0

    def free(self) -> int:
        """Return the number of items that still fit."""
        return self.capacity - self.count

    def put(self, count: int) -> None:
        """Add items, up to the capacity."""
        self.count += clamp(count, 0, self.free())


def clamp(value: int, low: int, high: int) -> int:
    """Limit a value to a range."""
    return max(low, min(value, high))
