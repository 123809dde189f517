"""Finding code: indexes of one repository revision, search in them, and localisation of a task without a language model."""

from __future__ import annotations

from graphstore.search.building import Draft, build
from graphstore.search.index import SearchIndex, forget, open_index
from graphstore.search.library import Library
from graphstore.search.locating import locate
from graphstore.search.requests import (
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
from graphstore.search.searching import search

__all__ = [
    "Draft",
    "Highlight",
    "Library",
    "LocateAnswer",
    "LocateRequest",
    "LocatedPlace",
    "SearchHit",
    "SearchIndex",
    "SearchMode",
    "SearchPage",
    "SearchRequest",
    "Snippet",
    "WithTests",
    "build",
    "forget",
    "locate",
    "open_index",
    "search",
]
