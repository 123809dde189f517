"""Request and result types of search and localization, and the page tokens with which clients continue a result."""

from __future__ import annotations

import base64
import binascii
import enum
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

import msgspec

from repoquarry.graphstore.errors import QueryRefusedError

DEFAULT_PAGE: Final = 10
MAX_PAGE_SIZE: Final = 200


class SearchMode(enum.Enum):
    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"
    EXACT = "exact"
    REGEX = "regex"


class WithTests(enum.Enum):
    INCLUDE = "include"
    EXCLUDE = "exclude"
    ONLY = "only"


@dataclass(frozen=True)
class SearchRequest:
    """Search request. Empty filters match everything."""

    text: str
    mode: SearchMode = SearchMode.HYBRID
    repositories: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    """`Module`, `Document`, `Class`, `Function`."""
    kinds: tuple[str, ...] = ()
    """Values of the property `kind`, such as `method` or `interface`."""
    languages: tuple[str, ...] = ()
    path_globs: tuple[str, ...] = ()
    """`*` stays within a folder, `**` does not; a glob without `/` matches at any depth."""
    tests: WithTests = WithTests.INCLUDE
    has_snippets: bool = True
    """False for ranked search without the lines of the hits, which saves reading their files."""
    page_size: int = DEFAULT_PAGE
    page_token: str = ""
    seconds: float = 5.0
    """Time limit of exact and regular-expression search for one page."""


@dataclass(frozen=True)
class Highlight:
    """Range of a snippet, in characters from its start; `end` is exclusive."""

    start: int
    end: int


@dataclass(frozen=True)
class Snippet:
    """Lines of a file that show the match; `line` is the first one's number, 1-based."""

    text: str
    line: int
    highlights: tuple[Highlight, ...]


@dataclass(frozen=True)
class SearchHit:
    """Matching place. Lines are 1-based and inclusive; `qualname` is empty for files.

    For exact and regular-expression search the place is the innermost definition around the match.
    """

    id: str
    repository: str
    label: str
    kind: str
    path: str
    start_line: int
    end_line: int
    qualname: str
    name: str
    language: str
    is_test: bool
    score: float
    parts: tuple[tuple[str, float], ...]
    """Components of the score, which add up to it."""
    snippet: Snippet | None


@dataclass(frozen=True)
class SearchPage:
    """One page of hits, best first."""

    hits: tuple[SearchHit, ...]
    next_page_token: str
    """Empty on the last page."""
    total: int | None
    """Hits on all pages; None if counting would require a full scan."""
    repositories: tuple[str, ...]
    """Searched repositories, after the selection among many."""


@dataclass(frozen=True)
class LocateRequest:
    """Task, issue or stack trace to localize; no repositories means all of them."""

    text: str
    repositories: tuple[str, ...] = ()
    max_files: int = 10
    max_definitions: int = 20
    explain: bool = False
    """True adds every feature to the places."""


@dataclass(frozen=True)
class RankingFeature:
    """Part of a score: the sum of all values times weights is the score."""

    name: str
    value: float
    weight: float


@dataclass(frozen=True)
class LocatedPlace:
    """File, class or function that is relevant for a task. Lines are 1-based; `qualname` is empty for files."""

    id: str
    repository: str
    label: str
    path: str
    qualname: str
    start_line: int
    end_line: int
    score: float
    """Comparable within one answer only."""
    reasons: tuple[str, ...]
    features: tuple[RankingFeature, ...] = ()
    """All features, zeros included; empty unless the request asks for them."""

    @property
    def name(self) -> str:
        return self.qualname.rpartition(".")[2] or self.path.rpartition("/")[2]


@dataclass(frozen=True)
class LocateAnswer:
    """Locations, most relevant first."""

    files: tuple[LocatedPlace, ...]
    definitions: tuple[LocatedPlace, ...]
    repositories: tuple[str, ...]


class PagePosition(msgspec.Struct, frozen=True, array_like=True):
    request: bytes
    """Digest of the request and of the searched revisions."""
    repository: int = 0
    file: int = 0
    skip: int = 0


def page_size(request: SearchRequest) -> int:
    """Return the page size: the default for 0, at most the cap. Raises: QueryRefusedError for a negative size."""
    if request.page_size < 0:
        raise QueryRefusedError(f"page size {request.page_size} is negative", reason="page_size")
    return min(request.page_size or DEFAULT_PAGE, MAX_PAGE_SIZE)


def request_digest(request: SearchRequest, revisions: tuple[str, ...]) -> bytes:
    """Return a digest of a request and the searched revisions; page size and token do not count."""
    filters = (request.repositories, request.labels, request.kinds, request.languages, request.path_globs)
    same = request.text, request.mode, filters, request.tests, revisions
    return blake2b(repr(same).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def write_token(position: PagePosition) -> str:
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(position)).decode().rstrip("=")


def read_token(token: str, request: bytes) -> PagePosition:
    """Return the position of a token, the start for an empty one.

    Raises: QueryRefusedError if it is invalid, belongs to another request, or to a replaced index.
    """
    if not token:
        return PagePosition(request)
    try:
        raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        position = msgspec.msgpack.decode(raw, type=PagePosition)
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
