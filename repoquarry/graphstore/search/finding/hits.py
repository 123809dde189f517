"""Makes a hit of a place."""

from __future__ import annotations

from repoquarry.graphstore.search.index.places import LABELS, Places
from repoquarry.graphstore.search.requests import SearchHit, Snippet


def hit_of(
    places: Places, place: int, score: float, parts: tuple[tuple[str, float], ...], snippet: Snippet | None
) -> SearchHit:
    """Describe one place of an index as a hit."""
    return SearchHit(
        id=places.id(place),
        repository=places.columns.repository,
        label=LABELS[places.label[place]],
        kind=places.columns.kinds[place],
        path=places.path(place),
        start_line=int(places.start_line[place]),
        end_line=int(places.end_line[place]),
        qualname=places.qualname(place),
        name=places.name(place),
        language=places.columns.languages[int(places.file[place])],
        is_test=bool(places.is_test[place]),
        score=score,
        parts=parts,
        snippet=snippet,
    )
