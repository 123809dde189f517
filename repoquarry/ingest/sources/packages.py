"""Checkout of a registry package: chooses the version that a request means, downloads its source archive and unpacks it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import archive
from repoquarry.ingest.sources.downloads import Downloader
from repoquarry.ingest.sources.network_policy import NetworkPolicy
from repoquarry.ingest.sources.registries import INVALID_PAGE, REGISTRIES, Endpoint, Listing, Page, Registry, Release
from repoquarry.ingest.sources.source import (
    ARCHIVE,
    Cancelled,
    Checkout,
    RepositorySource,
    archive_suffix,
    parse_address,
)
from repoquarry.processes.scratch import ScratchFolder

_MAX_NEAREST = 6
_VERSION = re.compile(r"[\w.+!-]{1,100}")
"""Versions that are read; others of a registry's list are ignored."""


def admit(source: RepositorySource, reach: NetworkPolicy) -> None:
    """Check that the registry may be read. Raises: SourceRejectedError."""
    reach.admit(parse_address(_find_registry(source)[2].url)[0])


@contextmanager
def acquire(
    source: RepositorySource,
    settings: IngestSettings,
    cancelled: Cancelled,
    reach: NetworkPolicy,
    *,
    whole: bool = False,
) -> Iterator[Checkout]:
    """Download and unpack a package in a context; `whole` includes links and files of any size.

    Raises: SourceNotFoundError with the nearest versions, SourceRejectedError, IngestCancelledError.
    """
    registry, package, endpoint = _find_registry(source)
    downloader = Downloader(reach, settings, cancelled, endpoint.credentials)
    with ScratchFolder("package", settings.scratch) as scratch:
        version, release = _find_release(source, registry, package, endpoint, downloader)
        # Source jars and wheels are zip archives under other names, whose top folders belong to the names of modules.
        suffix = archive_suffix(release.filename)
        path = scratch / f"{source.id}{suffix or '.zip'}"
        try:
            downloader.save(release.url, path, release.algorithm, release.digest)
        except SourceNotFoundError as exc:
            if exc.metadata.get("status") != "404":
                raise
            raise SourceNotFoundError(
                f"{source.shown}@{version} has no source archive ({exc}); index the repository of the package, or another "
                "version",
                source=source.shown,
            ) from exc
        unpacked = RepositorySource(ARCHIVE, str(path), "")
        with archive.acquire(unpacked, settings, cancelled, whole=whole, is_wrapped=bool(suffix)) as opened:
            yield replace(opened, source=source.shown, kind=source.kind, name=source.id, commit=None, ref=version)


def _find_registry(source: RepositorySource) -> tuple[Registry, str, Endpoint]:
    prefix, _, package = source.location.partition(":")
    registry = REGISTRIES[prefix]
    return registry, package, registry.find_endpoint(package)


def _find_release(
    source: RepositorySource, registry: Registry, package: str, endpoint: Endpoint, downloader: Downloader
) -> tuple[str, Release]:
    url = registry.page_url(endpoint.url, package)
    try:
        page = Page(url, *downloader.read(url, registry.accept))
    except SourceNotFoundError as exc:
        if exc.metadata.get("status") != "404":
            raise
        raise SourceNotFoundError(
            f"{endpoint.url} has no package {package!r}; check the name, or name another registry ({_forms()})",
            source=source.shown,
        ) from exc
    try:
        listing = registry.parse_page(page, package)
    except INVALID_PAGE as exc:
        raise SourceRejectedError(f"{url} is not a list of versions: {exc}; check the address of the registry") from exc
    listing = replace(
        listing, releases={version: one for version, one in listing.releases.items() if _VERSION.fullmatch(version)}
    )
    version = choose_version(listing, source.ref)
    if not version:
        nearest = ", ".join(list_nearest(listing.releases, source.ref))
        remedy = f"; nearest versions: {nearest}" if nearest else "; no version has a source archive"
        raise SourceNotFoundError(f"{source.shown} has no version {source.ref!r}{remedy}", source=source.shown)
    return version, listing.releases[version]


def _forms() -> str:
    return ", ".join(f"{prefix}:NAME" for prefix in REGISTRIES)


def choose_version(listing: Listing, requested: str) -> str:
    """Return the version that a request means; empty if none matches.

    An exact version or tag goes first, then the newest version that begins with the requested parts: `5` means the newest 5.x.
    Without a request, the newest version is chosen. Pre-releases are chosen only where nothing else matches.
    """
    asked = re.sub(r"^v(?=\d)", "", requested)
    for exact in (requested, asked, listing.tags.get(requested or "latest", "")):
        if exact in listing.releases:
            return exact
    matching = [
        version
        for version, release in listing.releases.items()
        if not release.is_withdrawn
        and version.startswith(asked)
        and not (asked and version[len(asked) :][:1].isdecimal())
    ]
    return max(matching, key=lambda version: (not is_prerelease(version), _order(version)), default="")


def list_nearest(releases: Mapping[str, Release], requested: str) -> list[str]:
    """List the versions on both sides of a requested version, newest first."""
    ordered = sorted((version for version, release in releases.items() if not release.is_withdrawn), key=_order)
    at = bisect_left([_order(version) for version in ordered], _order(requested)) if requested else len(ordered)
    first = max(0, min(at - _MAX_NEAREST // 2, len(ordered) - _MAX_NEAREST))
    return ordered[first : first + _MAX_NEAREST][::-1]


def is_prerelease(version: str) -> bool:
    return re.search(r"(?i)\d[.-]?(?:a|b|c|rc|alpha|beta|cr|dev|m|milestone|preview|pre|snapshot|next|canary)[.-]?\d*\b",
                     version) is not None  # fmt: skip


def _order(version: str) -> tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]:
    """Sort key: numbers, then releases after pre-releases, then all parts."""
    parts = re.findall(r"\d+|[A-Za-z]+", version)
    numbers = re.match(r"v?(\d+(?:\.\d+)*)", version)
    head = tuple(map(int, numbers[1].split("."))) if numbers else ()
    while head and head[-1] == 0:
        head = head[:-1]
    rest = tuple((part.isdecimal(), int(part) if part.isdecimal() else 0, part.lower()) for part in parts)
    return head, not is_prerelease(version), rest
