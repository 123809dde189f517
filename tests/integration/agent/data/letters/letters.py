"""Letters and their posting."""


class Letter:
    """A letter with an address."""

    def __init__(self, address: str, text: str) -> None:
        self.address = address
        self.text = text

    def close(self) -> str:
        """Seal the envelope."""
        return f"{self.address}: sealed"


def post(letter: Letter) -> str:
    """Bring a letter to the post office."""
    return letter.close()
