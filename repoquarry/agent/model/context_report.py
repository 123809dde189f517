"""Report of a model server on its context: the forms of vLLM, llama.cpp, OpenRouter, Groq and LM Studio."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urljoin

import httpx

from repoquarry.agent.settings import ModelSettings

_log = logging.getLogger(__name__)
_SECONDS: Final = 5.0
_NAMES: Final = frozenset(("max_model_len", "context_length", "context_window", "max_context_length", "n_ctx"))


def find_reported_context(settings: ModelSettings) -> int:
    """Ask the server of `base_url` for the context of its model, without failing; 0 if the server does not report any."""
    address = settings.options.get("base_url")
    if not isinstance(address, str):
        return 0
    key = settings.options.get("api_key")
    headers = {"Authorization": f"Bearer {key}"} if isinstance(key, str) else {}
    model = settings.name.partition(":")[2]
    base = address.rstrip("/") + "/"
    found: list[int] = []
    with httpx.Client(headers=headers, timeout=_SECONDS) as client:
        for url in (urljoin(base, "models"), urljoin(base, "../props")):  # The second is llama.cpp's own.
            try:
                answer = client.get(url)
                found += _find_limits(answer.json(), model) if answer.is_success else ()
            except (httpx.HTTPError, ValueError) as error:
                _log.debug("context_unreported error=%s", type(error).__name__)
    return min(found, default=0)


def _find_limits(value: Any, model: str) -> Iterator[int]:
    """Find named limits anywhere in a report; in a list of models only those of ours."""
    if isinstance(value, list):
        ours = [item for item in value if isinstance(item, dict) and item.get("id") == model]
        for item in ours or value[:1] if len(value) == 1 else ours:
            yield from _find_limits(item, model)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name in _NAMES and isinstance(item, int) and not isinstance(item, bool) and item > 0:
                yield item
            else:
                yield from _find_limits(item, model)
