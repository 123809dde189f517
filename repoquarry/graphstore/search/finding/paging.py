"""Page tokens: opaque to callers, and refused when they belong to another request or to an index that is gone."""

from __future__ import annotations

import base64
import binascii
from hashlib import blake2b

import msgspec

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.search.requests import DEFAULT_PAGE, LARGEST_PAGE, SearchRequest


class Position(msgspec.Struct, frozen=True, array_like=True):
    """Where the next page begins."""

    request: bytes
    """Digest of the request and of the revisions that it was answered from."""
    repository: int = 0
    file: int = 0
    skip: int = 0
    """Hits to leave out from there on."""


def page_size(request: SearchRequest) -> int:
    """Hits on a page: the default for 0, never more than the cap. Raises: QueryRefusedError for a negative size."""
    if request.page_size < 0:
        raise QueryRefusedError(f"page size {request.page_size} is negative", reason="page_size")
    return min(request.page_size or DEFAULT_PAGE, LARGEST_PAGE)


def digest(request: SearchRequest, revisions: tuple[str, ...]) -> bytes:
    """Identify a request together with the revisions that it is answered from; page size and token do not count."""
    same = msgspec.structs.asdict(_Essence.of(request))
    return blake2b(repr((sorted(same.items()), revisions)).encode(), digest_size=8).digest()


class _Essence(msgspec.Struct, frozen=True):
    """What makes two requests the same search."""

    text: str
    mode: str
    filters: tuple[tuple[str, ...], ...]
    tests: str

    @classmethod
    def of(cls, request: SearchRequest) -> _Essence:
        filters = (request.repositories, request.labels, request.kinds, request.languages, request.path_globs)
        return cls(request.text, request.mode.value, filters, request.tests.value)


def write_token(position: Position) -> str:
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(position)).decode().rstrip("=")


def read_token(token: str, request: bytes) -> Position:
    """Return the position that a token names, the beginning for an empty one.

    Raises: QueryRefusedError when it is none of ours, of another request, or of an index that has been replaced.
    """
    if not token:
        return Position(request)
    try:
        raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        position = msgspec.msgpack.decode(raw, type=Position)
    except (binascii.Error, ValueError, msgspec.MsgspecError) as problem:
        raise QueryRefusedError(
            "the page token is not one of ours: start without one", reason="page_token"
        ) from problem
    if position.request != request or min(position.repository, position.file, position.skip) < 0:
        raise QueryRefusedError(
            "the page token belongs to another request or to an index that has been replaced: start without one",
            reason="page_token",
        )
    return position
