"""Search and localization over indexed repositories; lazy exports.

Names are imported on first use, because building an index does not need the modules that search it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from repoquarry.graphstore.search.index.builder import IndexBuilder, build_index
    from repoquarry.graphstore.search.index.index_store import SearchBackend, SearchIndexStore
    from repoquarry.graphstore.search.index.search_index import SearchIndex
    from repoquarry.graphstore.search.localization import locate
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
    from repoquarry.graphstore.search.retrieval import search

_HOMES = {
    "retrieval": ("search",),
    "index.builder": ("IndexBuilder", "build_index"),
    "index.search_index": ("SearchIndex",),
    "index.index_store": ("SearchBackend", "SearchIndexStore"),
    "localization": ("locate",),
    "requests": (
        *("Highlight", "LocateAnswer", "LocateRequest", "LocatedPlace", "SearchHit", "SearchMode", "SearchPage"),
        *("SearchRequest", "Snippet", "WithTests"),
    ),
}
"""Module -> its exported names."""

__all__ = [
    "Highlight",
    "IndexBuilder",
    "LocateAnswer",
    "LocateRequest",
    "LocatedPlace",
    "SearchBackend",
    "SearchHit",
    "SearchIndex",
    "SearchIndexStore",
    "SearchMode",
    "SearchPage",
    "SearchRequest",
    "Snippet",
    "WithTests",
    "build_index",
    "locate",
    "search",
]


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
