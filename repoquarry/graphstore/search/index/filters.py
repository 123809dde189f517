"""Which places of an index a request lets through."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.search.index.places import LABELS, Places
from repoquarry.graphstore.search.requests import SearchRequest, WithTests

Mask = NDArray[np.bool_]


def admitted(places: Places, request: SearchRequest) -> Mask:
    """Return for each place whether the request's filters let it through. Raises: QueryRefusedError."""
    mask = admitted_files(places, request)[places.file]
    if request.labels:
        mask &= np.isin(places.label, [_label(label) for label in request.labels])
    if request.kinds:
        mask &= np.isin(np.array(places.columns.kinds), list(request.kinds))
    if request.tests is not WithTests.INCLUDE:
        mask &= places.is_test == (request.tests is WithTests.ONLY)
    return mask


def admitted_files(places: Places, request: SearchRequest) -> Mask:
    """Return for each file whether path and language let it through."""
    mask = np.ones(places.file_count, dtype=np.bool_)
    if request.languages:
        wanted = {language.lower() for language in request.languages}
        mask &= np.array([language.lower() in wanted for language in places.columns.languages], dtype=np.bool_)
    if request.path_globs:
        globs = [glob_pattern(glob) for glob in request.path_globs]
        mask &= np.array([any(glob.fullmatch(path) for glob in globs) for path in places.columns.paths], dtype=np.bool_)
    return mask


def _label(label: str) -> int:
    if label not in LABELS:
        raise QueryRefusedError(f"unknown label {label!r}; searchable are {', '.join(LABELS)}", reason="label")
    return LABELS.index(label)


@lru_cache(maxsize=256)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """Translate a path glob: `*` and `?` stay within a folder, `**` does not; without `/` it fits at any depth."""
    parts = ["(?:.*/)?"] if "/" not in glob else []
    place = 0
    glob = glob.removeprefix("./").lstrip("/")
    while place < len(glob):
        if glob.startswith("**/", place):
            parts.append("(?:.*/)?")
            place += 3
        elif glob.startswith("**", place):
            parts.append(".*")
            place += 2
        else:
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(glob[place], re.escape(glob[place])))
            place += 1
    return re.compile("".join(parts), re.DOTALL)
