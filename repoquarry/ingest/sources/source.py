"""What is to be indexed, decided once: a location as a user wrote it becomes a `Source`, and nothing behind reads the text again.

The command line and the service make it at their edge, a job stores it, and indexing takes it. So what a server checked is what
is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.sources.address import Address, is_address, parse
from repoquarry.ingest.sources.base import slug

FOLDER, GIT, ARCHIVE = "folder", "git", "archive"
ARCHIVE_SUFFIXES = (".tar.gz", ".tgz", ".tar", ".zip")


@dataclass(frozen=True)
class Source:
    """A repository to be: where it lies, and which state of it is meant."""

    kind: str
    """`FOLDER`, `GIT` or `ARCHIVE`."""
    location: str = field(repr=False)
    """Absolute path of a folder or archive; a git address, which may hold credentials."""
    ref: str
    """Branch, tag or full commit hash to be checked out; empty for what is there, or the default branch."""

    @property
    def address(self) -> Address | None:
        """Where git fetches it from; None for a folder or archive."""
        return parse(self.location)[0] if self.kind == GIT else None

    @property
    def path(self) -> Path | None:
        """What is read on this machine; None for what another machine has."""
        address = self.address
        if address is None:
            return Path(self.location)
        return Path(address.path) if address.transport == "file" else None

    @property
    def shown(self) -> str:
        """As it is stored and shown: without credentials."""
        address = self.address
        return address.shown if address is not None else self.location

    @property
    def id(self) -> str:
        """Proposed repository id."""
        address = self.address
        if address is not None:
            return address.name
        name = Path(self.location).name
        if self.kind == ARCHIVE:
            name = name[: -len(archive_suffix(name))]
        return slug(name)


def read_source(location: str, ref: str = "") -> Source:
    """What a user means by a location and a ref. Addresses may carry the ref behind a `#`.

    Raises: SourceNotFoundError when nothing is there; SourceRejectedError when it is nothing that can be indexed.
    """
    source = _from_address(location, ref) if is_address(location) else _from_path(location, ref)
    if source.ref.startswith("-") or re.search(r"[\x00-\x20\x7f]", source.ref):
        raise SourceRejectedError(f"{source.ref!r} is no branch, tag or commit", ref=source.ref)
    return source


def archive_suffix(name: str) -> str:
    """The suffix that makes a file an archive; empty for another file."""
    return next((suffix for suffix in ARCHIVE_SUFFIXES if name.lower().endswith(suffix)), "")


def _from_address(location: str, ref: str) -> Source:
    address, own = parse(location)
    if ref and own and ref != own:
        raise SourceRejectedError(f"two refs are given: {own!r} behind the address, and {ref!r}", ref=ref)
    if address.transport == "file":
        path = Path(address.path).resolve()
        if not path.exists():
            raise SourceNotFoundError(f"no such repository: {address.shown!r}", source=address.shown)
        return Source(GIT, path.as_uri(), ref or own)
    if archive_suffix(address.path):
        raise SourceRejectedError(f"{address.shown} is the address of an archive: download it, and index the file")
    return Source(GIT, address.secret, ref or own)


def _from_path(location: str, ref: str) -> Source:
    try:
        path = Path(location).expanduser().resolve(strict=True)
        folder, file = path.is_dir(), path.is_file()
    except PermissionError as exc:
        raise SourceRejectedError(f"{location!r} may not be read: {exc.strerror}", source=location) from exc
    except (OSError, RuntimeError, ValueError) as exc:
        raise SourceNotFoundError(f"no such folder or archive: {location!r}", source=location) from exc
    if file and archive_suffix(path.name):
        if ref:
            raise SourceRejectedError(f"{location!r} is an archive, which has no {ref!r}: only git has refs", ref=ref)
        return Source(ARCHIVE, str(path), "")
    if not folder:
        known = ", ".join(ARCHIVE_SUFFIXES)
        raise SourceRejectedError(f"{location!r} is no folder, git address or archive ({known})", source=location)
    if is_bare(path):
        return Source(GIT, path.as_uri(), ref)
    if ref:
        if not (path / ".git").exists():
            raise SourceRejectedError(
                f"{location!r} is not the root of a git repository, so it has no {ref!r}", ref=ref
            )
        return Source(GIT, path.as_uri(), ref)
    return Source(FOLDER, str(path), "")


def is_bare(path: Path) -> bool:
    """Whether a folder is a git repository without a working tree."""
    try:
        return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()
    except OSError:
        return False
