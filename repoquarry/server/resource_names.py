"""Parsing and validation of request fields: resource names such as `batches/{batch}`, page tokens, and bounds of counts."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from google.protobuf.message import Message

from repoquarry.server.errors import invalid_field, request_error

if TYPE_CHECKING:
    from repoquarry.v1.index_service_pb2 import IndexSource

REPOSITORIES, INDEX_JOBS, TASKS, UPLOADS = "repositories", "indexJobs", "tasks", "uploads"
PROVISIONINGS, ENVIRONMENTS, BATCHES = "provisionings", "environments", "batches"
_MAX_SYMBOL_CHARACTERS = 2_000
_MAX_LOCATION_CHARACTERS = 4_096
_REPOSITORY_ID = re.compile(r"[a-z0-9_][a-z0-9._@-]{0,199}")


def repository_name(repository: str) -> str:
    """Return the resource name of a repository; empty for an empty id."""
    return f"{REPOSITORIES}/{repository}" if repository else ""


def parse_repository_name(name: str, field: str = "name") -> str:
    """Parse the resource name of a repository, or a bare id. Raises: RequestError."""
    prefix, _, id_ = name.rpartition("/")
    if prefix not in ("", REPOSITORIES) or not id_:
        raise invalid_field(field, f"{name!r} is not of the form {REPOSITORIES}/{{repository}}")
    return id_


def repositories_of(names: Iterable[str]) -> tuple[str, ...]:
    """Parse the repositories of a request; each id once. Raises: RequestError."""
    return tuple(dict.fromkeys(parse_repository_name(name, "repositories") for name in names))


def parse_name(collection: str, name: str, field: str = "name") -> str:
    """Return the id in a resource name of a collection. Raises: RequestError."""
    prefix, _, id_ = name.partition("/")
    if prefix != collection or not id_:
        raise invalid_field(field, f"{name!r} is not of the form {collection}/{{id}}")
    return id_


def check_sources(sources: Sequence[IndexSource], max_sources: int) -> None:
    """Check the number, locations and ids of sources to index. Raises: RequestError."""
    if not 1 <= len(sources) <= max_sources:
        raise invalid_field("sources", f"{len(sources)} sources; at least 1, at most {max_sources}")
    for source in sources:
        if not 1 <= len(source.location.strip()) <= _MAX_LOCATION_CHARACTERS:
            raise invalid_field("sources.location", f"empty or longer than {_MAX_LOCATION_CHARACTERS} characters")
        if source.repository_id and not _REPOSITORY_ID.fullmatch(source.repository_id):
            raise invalid_field(
                "sources.repository_id",
                f"{source.repository_id!r} is not a repository id; use at most 200 lower-case letters, digits, `.`, `_`, `-` and `@`",
            )


class PageResponse(Protocol):
    """Response with a page of a list; an empty token ends the list."""

    next_page_token: str


_Request = TypeVar("_Request", bound=Message)
_Page = TypeVar("_Page", bound=PageResponse)


def page_size(request: Any, default: int, cap: int) -> int:
    """Return the page size, limited to the cap; 0 means the default of the list. Raises: RequestError when negative."""
    return bounded("page_size", request.page_size, default, cap)


def bounded(field: str, value: int, default: int, cap: int) -> int:
    """Return a count of a request, limited to the cap; 0 means the default. Raises: RequestError when negative."""
    if value < 0:
        raise invalid_field(field, f"{value} is negative")
    return min(value or default, cap)


def position(request: Any) -> Any:
    """Decode the start of a page; None for the first page. Raises: RequestError for a token of another list."""
    if not request.page_token:
        return None
    try:
        scope, where = json.loads(base64.urlsafe_b64decode(request.page_token.encode()))
    except (ValueError, binascii.Error, TypeError) as exc:
        raise request_error("PAGE_TOKEN_INVALID", "invalid page token") from exc
    if scope != _scope(request):
        raise request_error("PAGE_TOKEN_INVALID", "the page token belongs to another list; repeat its filters")
    return where


def offset(request: Any) -> int:
    """Decode the start of a page as a number; 0 for the first page. Raises: RequestError."""
    where = position(request)
    if where is None:
        return 0
    if not isinstance(where, int) or where < 0:
        raise request_error("PAGE_TOKEN_INVALID", "invalid page token")
    return where


def token(request: Any, where: object) -> str:
    """Encode the token of the page that starts at `where`, a JSON value."""
    return base64.urlsafe_b64encode(json.dumps([_scope(request), where]).encode()).decode()


def _scope(request: _Request) -> str:
    plain = type(request)()
    plain.CopyFrom(request)
    plain.ClearField("page_token")
    plain.ClearField("page_size")
    body = plain.SerializeToString(deterministic=True)
    return hashlib.sha256(request.DESCRIPTOR.full_name.encode() + b"\0" + body).hexdigest()[:16]


def iterate_pages(call: Callable[[_Request], _Page], request: _Request) -> Iterator[_Page]:
    """Yield the pages of a list from the page of the request on; the request is changed."""
    asked: Any = request
    while True:
        page = call(request)
        yield page
        asked.page_token = page.next_page_token
        if not page.next_page_token:
            return


def checked_symbol(symbol: str, field: str) -> str:
    """Return a name without blanks around it. Raises: RequestError if it is empty or too long."""
    if not symbol.strip() or len(symbol) > _MAX_SYMBOL_CHARACTERS:
        raise invalid_field(field, f"empty or longer than {_MAX_SYMBOL_CHARACTERS} characters")
    return symbol.strip()
