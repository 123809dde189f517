"""Reasons of providers' errors: the text of a body of any form, an overflow of the context, and the wait before the next attempt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from repoquarry.graphstore.retry_after import parse_retry_after

_OVERFLOW: Final = re.compile(
    r"context.{0,30}(length|size|window|limit)|too many tokens|prompt is too long|exceed_context|"
    r"(input|prompt).{0,40}exceeds?.{0,40}(token|context|maximum)|maximum.{0,30}(context|tokens? allowed)",
    re.IGNORECASE,
)
_LIMITS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bn_ctx\D{0,5}(\d{3,8})\b",
        r">\s*(\d{3,8})\b",
        r"(\d{3,8})\s*(?:tokens?)?\s*max",
        r"(?:context (?:length|size|window|limit)|maximum|only|limit of)\D{0,40}?(\d{3,8})\b",
    )
)
"""Forms of the limit, the exact ones first: others may also match the size of the request."""
_TEXT_KEYS: Final = ("message", "detail", "error", "error_description", "reason", "title", "msg", "errors", "details")
_MAX_DEPTH: Final = 5
_MAX_CHARACTERS: Final = 2_000
_STATUSES: Final = (400, 413, 422, 429, 500)
"""Statuses with which servers refuse a conversation that is too long."""
_UNSUPPORTED: Final = re.compile(
    r"unsupported|unknown|unrecogni[sz]ed|not (?:supported|permitted|allowed)|does not support|extra inputs|unexpected",
    re.I,
)


def describe_error(error: Exception) -> str:
    """Return the class and message of an error, with the text of the body if the message lacks it."""
    text = f"{type(error).__name__}: {error}"
    told = " ".join(dict.fromkeys(_texts(getattr(error, "body", None) or _response_body(error))))[:_MAX_CHARACTERS]
    return text if told in text else f"{text}: {told}"


def find_overflow(error: Exception, text: str) -> int | None:
    """Return the limit on tokens that an error about the length of the context names, 0 if it names none; None for other errors."""
    status = getattr(error, "status_code", None)
    if (status is not None and status not in _STATUSES) or not _OVERFLOW.search(text):
        return None
    found = next(filter(None, (pattern.search(text) for pattern in _LIMITS)), None)
    return int(found[1]) if found else 0


def find_refused_option(error: Exception, text: str, options: tuple[str, ...]) -> str:
    """Return the option of the request that a server rejects as unknown; empty if it is none of these."""
    if getattr(error, "status_code", None) not in (400, 422) or not _UNSUPPORTED.search(text):
        return ""
    # Validators name it beside the message, as the location of the error.
    told = f"{text} {getattr(error, 'body', None) or _response_body(error)}"
    return next((option for option in options if re.search(rf"\b{option}\b", told)), "")


def find_retry_after(error: Exception) -> float:
    """Return the seconds of the header Retry-After, given as a number or as a date (RFC 9110); 0 without it."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    milliseconds = headers.get("retry-after-ms", "").strip()
    if re.fullmatch(r"[0-9]{1,12}(\.[0-9]+)?", milliseconds):
        return float(milliseconds) / 1000
    return parse_retry_after(headers.get("retry-after", "")) or 0.0


def _response_body(error: Exception) -> Any:
    response = getattr(error, "response", None)
    try:
        return response.json() if response is not None else None
    except Exception:  # not JSON, or a stream that was not read
        return None


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts of an error's body: a string, a list, or a table under one of the usual names."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, str):
        yield value.strip()
    elif isinstance(value, list):
        for item in value[:5]:
            yield from _texts(item, depth + 1)
    elif isinstance(value, dict):
        for key in _TEXT_KEYS:
            yield from _texts(value.get(key), depth + 1)
