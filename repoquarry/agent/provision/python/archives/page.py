"""A package's page in the index: which source archives it lists, and which of them is wanted."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urljoin

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from repoquarry.agent.provision.python.manifests.values import canonical

_NAMED: Final = re.compile(r"([A-Za-z0-9][\w.-]*?)-(\d[\w.!+]*?)(\.tar\.(?:gz|bz2|xz)|\.tgz|\.tbz2?|\.zip)$")
_LINK: Final = re.compile(r"<a\s([^>]*)>\s*([^<\s]+)\s*</a>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"([\w-]+)\s*=\s*[\"']([^\"']*)[\"']")


@dataclass(frozen=True)
class Archive:
    """One source archive of a package."""

    file: str
    version: Version
    address: str
    python: str = ""
    """Versions of Python that it says it is for, as a specifier."""
    published: datetime | None = None
    """None where the index does not say."""
    digest: str = ""
    """SHA-256; empty where the index does not say."""


def archives(page: str, address: str, package: str) -> tuple[Archive, ...]:
    """The archives of a package that a page lists, in JSON (PEP 691) or HTML (PEP 503); withdrawn ones are left out."""
    rows = _from_json(page) if page.lstrip().startswith("{") else _from_html(page)
    found = []
    for name, place, python, published, digest in rows:
        match = _NAMED.fullmatch(name)
        if match and canonical(match[1]) == canonical(package) and (version := _version(match[2])):
            found.append(Archive(name, version, urljoin(address, place), python, _moment(published), digest))
    return tuple(found)


def newest(found: Sequence[Archive], allowed: SpecifierSet, until: datetime | None, python: str) -> Archive | None:
    """The newest release among the archives that the specifiers, the day and the interpreter allow."""
    fitting = [
        one
        for one in found
        if one.version in allowed
        and not one.version.is_prerelease
        and (until is None or one.published is None or one.published < until)
        and _is_for(one, python)
    ]
    return max(fitting, key=lambda one: one.version, default=None)


def _is_for(archive: Archive, python: str) -> bool:
    try:
        return python in SpecifierSet(archive.python)
    except InvalidSpecifier:  # `>=2.7.*`, as it was once written
        return True


_Row = tuple[str, str, str, str, str]


def _from_json(page: str) -> Iterator[_Row]:
    try:
        files = json.loads(page).get("files", [])
    except ValueError:
        return
    for file in files:
        if isinstance(file, dict) and not file.get("yanked"):
            hashes = file.get("hashes") or {}
            row = (file.get("filename"), file.get("url"), file.get("requires-python"), file.get("upload-time"))
            name, address, python, published = (str(part or "") for part in row)
            yield name, address, python, published, str(hashes.get("sha256", ""))


def _from_html(page: str) -> Iterator[_Row]:
    for attributes, name in _LINK.findall(page):
        stated = {key.lower(): html.unescape(value) for key, value in _ATTRIBUTE.findall(attributes)}
        if "href" in stated and "data-yanked" not in stated:
            place, _, fragment = stated["href"].partition("#")
            yield name, place, stated.get("data-requires-python", ""), "", fragment.removeprefix("sha256=")


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
