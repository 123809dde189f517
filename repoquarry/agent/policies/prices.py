"""What a request to a chat model costs, by the price table of the settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from repoquarry.agent.errors import ModelRejectedError

_MILLION: Final = 1_000_000


def cost_of(prices: Mapping[str, object], model: str, input_tokens: int, output_tokens: int) -> float | None:
    """The cost of a request in the table's currency; None for a model that it does not name.

    Raises: ModelRejectedError for an entry that is no pair of numbers.
    """
    entry = prices.get(model)
    if entry is None:
        return None
    if not isinstance(entry, list | tuple) or len(entry) != 2 or not all(_is_price(price) for price in entry):
        raise ModelRejectedError(
            f"agent.model.prices: the entry of {model!r} is {entry!r}, not [price of input, price of output] a million tokens"
        )
    return (input_tokens * float(entry[0]) + output_tokens * float(entry[1])) / _MILLION


def _is_price(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
