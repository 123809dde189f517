"""Opaque page tokens: a position bound to the request that it continues, so that a token of another list is refused."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from typing import Any, Protocol, TypeVar

from google.protobuf.message import Message

from repoquarry.server.errors import invalid, refuse


class PagedRequest(Protocol):
    """A request of a list: `page_size` 0 means the list's default."""

    page_size: int
    page_token: str


_Request = TypeVar("_Request", bound=Message)


def page_size(request: PagedRequest, default: int, cap: int) -> int:
    """The size of the page, cut to the cap. Raises: RequestError when negative."""
    return bounded("page_size", request.page_size, default, cap)


def bounded(field: str, value: int, default: int, cap: int) -> int:
    """A count of a request: 0 means the default, more than the cap is the cap. Raises: RequestError when negative."""
    if value < 0:
        raise invalid(field, f"{value} is negative")
    return min(value or default, cap)


def position(request: Any) -> Any:
    """Where the page starts, None for the first. Raises: RequestError for a token that is not of this list."""
    if not request.page_token:
        return None
    try:
        scope, where = json.loads(base64.urlsafe_b64decode(request.page_token.encode()))
    except (ValueError, binascii.Error, TypeError) as exc:
        raise refuse("PAGE_TOKEN_INVALID", "the page token is not one that this server gave") from exc
    if scope != _scope(request):
        raise refuse("PAGE_TOKEN_INVALID", "the page token belongs to a list with other filters")
    return where


def offset(request: Any) -> int:
    """Where the page starts in a list that is counted. Raises: RequestError."""
    where = position(request)
    if where is None:
        return 0
    if not isinstance(where, int) or where < 0:
        raise refuse("PAGE_TOKEN_INVALID", "the page token is not one that this server gave")
    return where


def token(request: Any, where: object) -> str:
    """The token of the page that starts at `where` (plain JSON)."""
    return base64.urlsafe_b64encode(json.dumps([_scope(request), where]).encode()).decode()


def _scope(request: _Request) -> str:
    plain = type(request)()
    plain.CopyFrom(request)
    plain.ClearField("page_token")
    plain.ClearField("page_size")
    body = plain.SerializeToString(deterministic=True)
    return hashlib.sha256(request.DESCRIPTOR.full_name.encode() + b"\0" + body).hexdigest()[:16]
