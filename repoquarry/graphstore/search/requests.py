"""What is asked of a search and what it answers."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

DEFAULT_PAGE: Final = 10
LARGEST_PAGE: Final = 200


class SearchMode(enum.Enum):
    """How a search compares."""

    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"
    EXACT = "exact"
    REGEX = "regex"


class WithTests(enum.Enum):
    """Whether code that belongs to tests is searched."""

    INCLUDE = "include"
    EXCLUDE = "exclude"
    ONLY = "only"


@dataclass(frozen=True)
class SearchRequest:
    """A search. Empty filters let everything through."""

    text: str
    mode: SearchMode = SearchMode.HYBRID
    repositories: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    """`Module`, `Document`, `Class`, `Function`."""
    kinds: tuple[str, ...] = ()
    """Values of the property `kind`, such as `method` or `interface`."""
    languages: tuple[str, ...] = ()
    path_globs: tuple[str, ...] = ()
    """`*` stays within a folder, `**` does not; a glob without `/` fits at any depth."""
    tests: WithTests = WithTests.INCLUDE
    page_size: int = DEFAULT_PAGE
    page_token: str = ""
    seconds: float = 5.0
    """Time that exact and regular-expression search may take for one page."""


@dataclass(frozen=True)
class Highlight:
    """A part of a snippet, in characters from its beginning; `end` is behind the last one."""

    start: int
    end: int


@dataclass(frozen=True)
class Snippet:
    """Lines of a file that show why it was found; `line` is the first one's number, 1-based."""

    text: str
    line: int
    highlights: tuple[Highlight, ...]


@dataclass(frozen=True)
class SearchHit:
    """A place that fits. Lines are 1-based and inclusive; `qualname` is empty for files.

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
    """Where the score comes from; the values add up to it."""
    snippet: Snippet | None


@dataclass(frozen=True)
class SearchPage:
    """One page of hits, best first."""

    hits: tuple[SearchHit, ...]
    next_page_token: str
    """Empty on the last page."""
    total: int | None
    """Hits on all pages; None where counting would mean reading everything."""
    repositories: tuple[str, ...]
    """The repositories that were searched, after the choice among many."""


@dataclass(frozen=True)
class LocateRequest:
    """A task, an issue or a stack trace in words; no repositories means all of them."""

    text: str
    repositories: tuple[str, ...] = ()
    max_files: int = 10
    max_definitions: int = 20


@dataclass(frozen=True)
class LocatedPlace:
    """A file, class or function that matters for a task. Lines are 1-based; `qualname` is empty for files."""

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
    """Why, strongest first."""


@dataclass(frozen=True)
class LocateAnswer:
    """What matters, most relevant first."""

    files: tuple[LocatedPlace, ...]
    definitions: tuple[LocatedPlace, ...]
    repositories: tuple[str, ...]
