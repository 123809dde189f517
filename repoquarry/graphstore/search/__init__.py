"""Finding code: indexes of one repository revision, search in them, and localisation of a task without a language model.

Names are imported when they are first used: who builds an index has no need of what searches in it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from repoquarry.graphstore.search.finding.searching import search
    from repoquarry.graphstore.search.index.building import Draft, build
    from repoquarry.graphstore.search.index.opened import SearchIndex
    from repoquarry.graphstore.search.indexes import SearchIndexes
    from repoquarry.graphstore.search.library import Library
    from repoquarry.graphstore.search.locating.locate import locate
    from repoquarry.graphstore.search.requests import (
        Highlight,
        LocateAnswer,
        LocatedPlace,
        LocateRequest,
        SearchHit,
        SearchMode,
        SearchPage,
        SearchRequest,
        Snippet,
        WithTests,
    )

_HOMES = {
    "finding.searching": ("search",),
    "index.building": ("Draft", "build"),
    "index.opened": ("SearchIndex",),
    "indexes": ("SearchIndexes",),
    "library": ("Library",),
    "locating.locate": ("locate",),
    "requests": (
        *("Highlight", "LocateAnswer", "LocateRequest", "LocatedPlace", "SearchHit", "SearchMode", "SearchPage"),
        *("SearchRequest", "Snippet", "WithTests"),
    ),
}
"""Module -> names that it has."""

__all__ = [
    "Draft",
    "Highlight",
    "Library",
    "LocateAnswer",
    "LocateRequest",
    "LocatedPlace",
    "SearchHit",
    "SearchIndex",
    "SearchIndexes",
    "SearchMode",
    "SearchPage",
    "SearchRequest",
    "Snippet",
    "WithTests",
    "build",
    "locate",
    "search",
]


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
