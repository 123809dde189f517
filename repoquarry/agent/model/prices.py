"""Cost of requests to a chat model, by the price table of the settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from repoquarry.agent.errors import ModelRejectedError
from repoquarry.agent.task import TokenUsage

_MILLION: Final = 1_000_000


def price_usage(prices: Mapping[str, object], model: str, usage: TokenUsage) -> TokenUsage:
    """Add the cost of one request, in the currency of the table. Raises: ModelRejectedError for an invalid entry."""
    entry = prices.get(model)
    if entry is None:
        return usage + TokenUsage(unpriced=1)
    if not isinstance(entry, list | tuple) or len(entry) not in (2, 3) or not all(map(_is_price, entry)):
        raise ModelRejectedError(
            f"invalid price of {model!r} in agent.model.prices: {entry!r}; expected [input, output] or "
            "[input, output, cached input], each for a million tokens"
        )
    per_input, per_output, per_cached = (*map(float, entry), float(entry[0]))[:3]
    cost = (usage.input - usage.cached) * per_input + usage.cached * per_cached + usage.output * per_output
    return usage + TokenUsage(cost=cost / _MILLION)


def _is_price(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
