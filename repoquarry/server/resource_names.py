"""Resource names and page tokens.

`provisionings/{provisioning}`, `environments/{environment}`, `batches/{batch}`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from typing import Any, Protocol, TypeVar

from google.protobuf.message import Message

from repoquarry.server.errors import invalid_field, request_error

REPOSITORIES, INDEX_JOBS, TASKS, UPLOADS = "repositories", "indexJobs", "tasks", "uploads"
PROVISIONINGS, ENVIRONMENTS, BATCHES = "provisionings", "environments", "batches"
_REPOSITORY_ID = re.compile(r"[a-z0-9_][a-z0-9._@-]{0,199}")


def repository_name(repository: str) -> str:
    """The resource name of a repository; empty for none."""
    return f"{REPOSITORIES}/{repository}" if repository else ""


def parse_repository_name(name: str, field: str = "name") -> str:
    """The id in a repository's resource name; a bare id is taken as one. Raises: RequestError."""
    prefix, _, id_ = name.rpartition("/")
    if prefix not in ("", REPOSITORIES) or not id_:
        raise invalid_field(field, f"{name!r} is not of the form {REPOSITORIES}/{{repository}}")
    return id_


def checked_repository_id(id_: str, field: str) -> str:
    """An id that a caller chose. Raises: RequestError when it cannot be one."""
    if not _REPOSITORY_ID.fullmatch(id_):
        raise invalid_field(
            field, f"{id_!r} cannot name a repository: lower-case letters, digits, `.`, `_`, `-` and `@`, at most 200"
        )
    return id_


def repositories_of(names: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """The ids in a request's list of repositories. Raises: RequestError."""
    return tuple(dict.fromkeys(parse_repository_name(name, "repositories") for name in names))


def parse_upload_name(name: str) -> str:
    """The id in the name of an upload. Raises: RequestError."""
    prefix, _, id_ = name.partition("/")
    if prefix != UPLOADS or not id_:
        raise invalid_field("upload", f"{name!r} is not of the form {UPLOADS}/{{upload}}")
    return id_


def parse_work_name(collection: str, name: str) -> str:
    """The id in the name of a job, task or provisioning. Raises: RequestError."""
    prefix, _, id_ = name.partition("/")
    if prefix != collection or not id_:
        raise invalid_field("name", f"{name!r} is not of the form {collection}/{{id}}")
    return id_


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
        raise invalid_field(field, f"{value} is negative")
    return min(value or default, cap)


def position(request: Any) -> Any:
    """Where the page starts, None for the first. Raises: RequestError for a token that is not of this list."""
    if not request.page_token:
        return None
    try:
        scope, where = json.loads(base64.urlsafe_b64decode(request.page_token.encode()))
    except (ValueError, binascii.Error, TypeError) as exc:
        raise request_error("PAGE_TOKEN_INVALID", "the page token is not one that this server gave") from exc
    if scope != _scope(request):
        raise request_error("PAGE_TOKEN_INVALID", "the page token belongs to a list with other filters")
    return where


def offset(request: Any) -> int:
    """Where the page starts in a list that is counted. Raises: RequestError."""
    where = position(request)
    if where is None:
        return 0
    if not isinstance(where, int) or where < 0:
        raise request_error("PAGE_TOKEN_INVALID", "the page token is not one that this server gave")
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
