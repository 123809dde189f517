"""A git address: cloned with bounded depth, time and disk space into a temporary folder.

The address that git is given on its command line never holds credentials: they travel in the environment, as a rewrite
rule for that one address, and so appear neither in the list of processes nor in the clone's configuration nor in a log.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.base import Cancelled, Checkout, SourceKind, slug
from repoquarry.ingest.sources.folder import read_head
from repoquarry.ingest.sources.git_command import GitFailedError, run_git

_TRANSPORTS = ("https", "http", "ssh", "git", "file")
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)(?:://|::)")
_SCP_LIKE = re.compile(r"^(?:([\w.-]+)@)([\w.-]+):(?!/{2})(.+)$")


@dataclass(frozen=True)
class Address:
    """A git address taken apart."""

    shown: str
    """Without user, password, query and revision: what is stored, logged and put on command lines."""
    secret: str
    """As git needs it."""
    transport: str
    revision: str
    """Branch or tag behind `#`; empty for the default branch."""

    @property
    def name(self) -> str:
        last = self.shown.rstrip("/").removesuffix("/.git").replace(":", "/").rsplit("/", 1)[-1]
        return slug(last.removesuffix(".git"))


def parse(source: str) -> Address:
    """Take an address apart.

    Raises: SourceRejectedError for a transport that is not allowed.
    """
    source, _, revision = source.partition("#")
    if revision.startswith("-"):
        raise SourceRejectedError(f"{revision!r} is no branch or tag")
    scp = _SCP_LIKE.match(source)
    if scp and not _SCHEME.match(source):
        user, host, path = scp.groups()
        return Address(f"{host}:{path}", f"{user}@{host}:{path}", "ssh", revision)
    scheme = _SCHEME.match(source)
    transport = scheme.group(1).lower() if scheme else ""
    if transport not in _TRANSPORTS or "::" in source.split("/", 1)[0]:
        raise SourceRejectedError(
            f"git transport {transport!r} is not allowed; allowed: {', '.join(_TRANSPORTS)}", transport=transport
        )
    parts = urlsplit(source)
    host = parts.netloc.rpartition("@")[2]
    return Address(urlunsplit((transport, host, parts.path, "", "")), source, transport, revision)


def is_bare(path: Path) -> bool:
    """Whether a folder is a git repository without a working tree."""
    try:
        return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()
    except OSError:
        return False


def _claims(source: str) -> bool:
    if _SCHEME.match(source) or (_SCP_LIKE.match(source) and not Path(source).exists()):
        return True
    return is_bare(Path(source).expanduser())


@contextmanager
def _acquire(source: str, settings: IngestSettings, cancelled: Cancelled) -> Iterator[Checkout]:
    if not _SCHEME.match(source) and is_bare(Path(source).expanduser()):
        source = Path(source).expanduser().resolve().as_uri()
    address = parse(source)
    if address.transport == "file" and not Path(urlsplit(address.shown).path).exists():
        raise SourceNotFoundError(f"no such repository: {address.shown!r}", source=address.shown)
    with tempfile.TemporaryDirectory(prefix="repoquarry-clone-", dir=settings.scratch) as scratch:
        root = Path(scratch).resolve() / "tree"
        _clone(address, root, settings, cancelled)
        head = read_head(root, settings.git_read_seconds)
        yield Checkout(
            root=root,
            source=address.shown,
            kind="git",
            name=address.name,
            commit=head.commit if head else None,
            branch=head.branch if head else None,
            history=head is not None,
        )


def _clone(address: Address, root: Path, settings: IngestSettings, cancelled: Cancelled) -> None:
    arguments = ["clone", "--quiet", "--single-branch", "--no-tags", "--template=", "--no-recurse-submodules"]
    if settings.git_depth:
        arguments += ["--depth", str(settings.git_depth)]
    if address.transport == "file":
        arguments += ["--no-local"]
    if address.revision:
        arguments += ["--branch", address.revision]
    rewrite = {f"url.{address.secret}.insteadOf": address.shown} if address.secret != address.shown else {}
    try:
        run_git(
            [*arguments, "--", address.shown, str(root)],
            seconds=settings.git_seconds,
            transports=address.transport,
            configuration=rewrite,
            cancelled=cancelled,
            within=_disk_limit(root, settings.git_bytes),
        )
    except GitFailedError as exc:
        said = str(exc).replace(address.secret, address.shown)
        raise SourceNotFoundError(f"{address.shown} cannot be cloned: {said}", source=address.shown) from None


def _disk_limit(root: Path, limit: int) -> Callable[[], None]:
    def check() -> None:
        if limit and size_on_disk(root) > limit:
            raise SourceRejectedError(f"the clone takes more than {limit:,} bytes (git_bytes)", limit="git_bytes")

    return check


def size_on_disk(root: Path) -> int:
    total = 0
    for folder, _, names in os.walk(root):
        for name in names:
            try:
                total += os.lstat(os.path.join(folder, name)).st_size
            except OSError:
                continue  # git renames its temporary files while we look
    return total


KIND = SourceKind("git", _claims, _acquire)
