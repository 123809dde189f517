"""Lookup of indexed repositories by name: by id, by id ignoring case, or by id without its version, whose newest one is meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING

from repoquarry.graphstore.errors import AmbiguousNameError, NotFoundError

if TYPE_CHECKING:
    from packaging.version import Version

    from repoquarry.graphstore.store import Store

_MAX_NEAREST = 5
_VERSION = re.compile(r"^(?P<name>.+?)(?:[@-]v?(?P<release>\d.*)|@(?P<ref>.+))$")
REPORT_CHOICE: ContextVar[Callable[[str, str, int], object] | None] = ContextVar("report_choice", default=None)
"""Receiver of the choice of a version: the bare name, the id of its newest version, and the number of versions."""


def find_repository(store: Store, name: str, *, newest: bool = True) -> str:
    """Return the id of the stored repository that a name refers to. Raises: as `match_repository`."""
    return match_repository(store.repositories(), name, newest=newest)


def match_repository(stored: Sequence[str], name: str, *, newest: bool = True) -> str:
    """Return the id that a name refers to: the id, the id in another case, or the newest version of the id without a version.

    Raises: NotFoundError with the nearest ids; without `newest` AmbiguousNameError where several versions fit.
    """
    if name in stored:
        return name
    small = name.lower()
    same = [id_ for id_ in stored if id_.lower() == small]
    fitting = same or [id_ for id_ in stored if bare_id(id_).lower() == small]
    if len(fitting) == 1:
        return fitting[0]
    if fitting and newest:
        chosen = max(fitting, key=_rank_version)
        if report := REPORT_CHOICE.get():
            report(name, chosen, len(fitting))
        return chosen
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


def _rank_version(repository: str) -> tuple[bool, Version, str]:
    """Rank ids of one name: releases by their order above other refs."""
    from packaging.version import InvalidVersion, Version  # Lazy import: only versions of one name are compared.

    match = _VERSION.match(repository)
    try:
        return True, Version(match["release"] if match and match["release"] else ""), repository
    except InvalidVersion:
        return False, Version("0"), repository
