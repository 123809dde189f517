"""Finding code: indexes of one repository revision, search in them, and localisation of a task without a language model."""

from __future__ import annotations

from repoquarry.graphstore.search.finding.searching import search
from repoquarry.graphstore.search.index.building import Draft, build
from repoquarry.graphstore.search.index.opened import SearchIndex, forget, open_index
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
