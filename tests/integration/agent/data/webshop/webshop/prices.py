"""What things cost."""


class Price:
    """A fixed price."""

    def __init__(self, cents: int) -> None:
        self.cents = cents

    def amount(self) -> int:
        """What to pay."""
        return self.cents


class SalePrice(Price):
    """Half of it."""

    def amount(self) -> int:
        """What to pay in a sale."""
        return super().amount() // 2


class LastDayPrice(SalePrice):
    """Nearly nothing."""

    def amount(self) -> int:
        """A symbolic amount."""
        return 1
