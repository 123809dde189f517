"""Lookup of indexed repositories by name: by id, by id ignoring case, or by id without its version."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from repoquarry.graphstore.errors import AmbiguousNameError, NotFoundError

if TYPE_CHECKING:
    from repoquarry.graphstore.store import Store

_MAX_NEAREST = 5
_VERSION = re.compile(r"^(?P<name>.+?)(?:[@-]v?\d.*|@.+)$")


def find_repository(store: Store, name: str) -> str:
    """Return the id of the stored repository that a name refers to. Raises: as `match_repository`."""
    return match_repository(store.repositories(), name)


def match_repository(stored: Sequence[str], name: str) -> str:
    """Return the id that a name refers to: the id, the id in another case, or the id without its version.

    Raises: NotFoundError with the nearest ids; AmbiguousNameError where several versions fit.
    """
    if name in stored:
        return name
    small = name.lower()
    same = [id_ for id_ in stored if id_.lower() == small]
    fitting = same or [id_ for id_ in stored if bare_id(id_).lower() == small]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise AmbiguousNameError(
            f"{name!r} is ambiguous: {len(fitting)} repositories; use the id of one of them",
            name=name,
            candidates=tuple(fitting),
            kind="repository",
        )
    nearest = tuple(difflib.get_close_matches(small, stored, _MAX_NEAREST, cutoff=0.5))
    hint = f"; nearest: {', '.join(nearest)}" if nearest else ""
    raise NotFoundError(f"no repository {name!r} is indexed{hint}", kind="repository", value=name, nearest=nearest)


def require_repositories(store: Store, wanted: Sequence[str]) -> list[str]:
    """Return the ids of some repositories, or of all stored ones if none is given. Raises: as `find_repository`."""
    return list(dict.fromkeys(find_repository(store, name) for name in wanted)) or store.repositories()


def bare_id(repository: str) -> str:
    version = _VERSION.match(repository)
    return version["name"] if version else repository
