"""Waits that servers ask for: the header Retry-After of RFC 9110."""

from __future__ import annotations

import re
import time
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

_SECONDS: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]+)?")


def parse_retry_after(value: str) -> float | None:
    """Return the seconds that a number or a date in any of its three forms asks for; None for other values.

    A date without a zone is in UTC, as the form of asctime is.
    """
    value = value.strip()
    if _SECONDS.fullmatch(value):
        return float(value)
    try:
        date = parsedate_to_datetime(value)
        zoned = date if date.tzinfo else date.replace(tzinfo=UTC)
        return max(zoned.timestamp() - time.time(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return None
