"""Repository lists from text, TOML, JSON and folders."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from repoquarry.ingest.errors import IngestError
from repoquarry.ingest.sources import parse_source
from repoquarry.ingest.sources.source import ARCHIVE_SUFFIXES, hide_credentials, is_remote, make_slug
from repoquarry.server.errors import RequestError, request_error

_LOCATIONS = ("location", "address", "clone_url", "html_url", "url", "path")
"""Keys of the location; the first present key counts."""
_REFS = ("ref", "default_branch")
_NAMES = ("name", "id")
_LISTS = ("repositories", "repository", "items")
_MAX_ENTRIES = 100_000
"""Maximum number of entries; a longer list is more likely a mistake."""


@dataclass(frozen=True)
class ListEntry:
    """Entry of a list."""

    location: str
    """Location as written; a relative path is relative to the folder of the list."""
    ref: str = ""
    name: str = ""
    """Repository id; empty derives the id from the location."""


def _rejected(message: str, listed: object) -> RequestError:
    return request_error("LIST_REJECTED", message, list=str(listed))


def deduplicate(found: Sequence[ListEntry], what: str) -> list[ListEntry]:
    """Remove repeated entries and make ids unique; `what` names the list. Raises: RequestError."""
    if not 0 < len(found) <= _MAX_ENTRIES:
        raise _rejected(f"{what} names {len(found)} repositories; at least 1, at most {_MAX_ENTRIES:,}", what)
    return _named_apart(list(dict.fromkeys(found)), what)


def read_list(path: Path) -> list[ListEntry]:
    """Read the entries of a list, each once, with unique ids. Raises: RequestError."""
    try:
        found = _of_folder(path) if path.is_dir() else _of_file(path)
    except (OSError, UnicodeDecodeError) as exc:
        raise _rejected(f"{path} cannot be read: {exc}", path) from exc
    return deduplicate(found, str(path))


def _of_folder(folder: Path) -> list[ListEntry]:
    """List the folders and archives directly inside a folder."""
    inside = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    return [
        ListEntry(str(entry)) for entry in inside if entry.is_dir() or entry.name.lower().endswith(ARCHIVE_SUFFIXES)
    ]


def _of_file(path: Path) -> list[ListEntry]:
    text = path.read_text(encoding="utf-8")
    try:
        if path.suffix.lower() == ".toml":
            return _of_entries(tomllib.loads(text), path)
        if path.suffix.lower() == ".json":
            return _of_entries(json.loads(text), path)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, RecursionError) as exc:
        raise _rejected(f"{path}: {exc}", path) from exc
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        if len(parts) > 3:
            raise _rejected(
                f"{path}, line {number}: {len(parts)} words where a location, a ref and a name are expected; write "
                "locations with spaces in TOML",
                path,
            )
        found.append(_placed(ListEntry(*parts), path))
    return found


def _of_entries(data: Any, path: Path) -> list[ListEntry]:
    """Parse the entries of a table or array: maps, or locations alone."""
    if isinstance(data, Mapping):
        named = next((data[key] for key in _LISTS if key in data), None)
        if named is None:
            raise _rejected(f"{path} has none of the keys {', '.join(_LISTS)}", path)
        data = named
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise _rejected(f"{path}: a list of repositories is expected", path)
    return [_placed(_entry(item, number, path), path) for number, item in enumerate(data, 1)]


def _entry(item: Any, number: int, path: Path) -> ListEntry:
    if isinstance(item, str):
        return ListEntry(item)
    values = item if isinstance(item, Mapping) else {}
    location, ref, name = (_first(values, keys) for keys in (_LOCATIONS, _REFS, _NAMES))
    if not location:
        raise _rejected(f"{path}, entry {number}: none of the keys {', '.join(_LOCATIONS)}", path)
    return ListEntry(location, ref, name)


def _first(values: Mapping[str, Any], keys: Iterable[str]) -> str:
    return next((str(values[key]) for key in keys if isinstance(values.get(key), str) and values[key]), "")


def _placed(wanted: ListEntry, path: Path) -> ListEntry:
    """Resolve a relative path against the folder of the list."""
    if is_remote(wanted.location, path.parent):
        return wanted
    return replace(wanted, location=str(path.parent / Path(wanted.location).expanduser()))


def _named_apart(wanted: Sequence[ListEntry], what: str) -> list[ListEntry]:
    """Make the ids of entries unique: revisions of one repository get their refs as suffix.

    Raises: RequestError when two entries still have the same id.
    """
    proposed = [_proposed(entry) for entry in wanted]
    often = Counter(id_ for id_, _ in proposed)
    named = [
        replace(entry, name=f"{id_}@{make_slug(ref)}") if often[id_] > 1 and ref and not entry.name else entry
        for entry, (id_, ref) in zip(wanted, proposed, strict=True)
    ]
    final = [_proposed(entry)[0] for entry in named]
    twice = next((id_ for id_, count in Counter(final).items() if count > 1), None)
    if twice is not None:
        places = ", ".join(
            hide_credentials(entry.location) for entry, id_ in zip(named, final, strict=True) if id_ == twice
        )
        raise _rejected(f"{what}: {places} would all be stored as {twice!r}; give them names", what)
    return named


def _proposed(entry: ListEntry) -> tuple[str, str]:
    """Return the id that an entry would get, and its ref; an invalid location, which is reported when the entry starts,
    stands for the id."""
    try:
        source = parse_source(entry.location, entry.ref)
    except IngestError:
        return entry.name or entry.location, entry.ref
    return entry.name or source.id, source.ref
