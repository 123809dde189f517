"""Parser of repository locations (path, git address, package) as users write them, to `RepositorySource`; hides credentials in text.

Git receives an address that is rebuilt from the parsed parts, so that git and the network policy never interpret one string
in two ways (`https://good\\@evil/`, a port behind a second colon, `127.1`).

The command line and the service parse a location where it enters, jobs store the result, and indexing uses it. So the source
that a server checked is the source that is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError

Cancelled = Callable[[], bool]


@dataclass(frozen=True)
class SkippedPath:
    """Skipped entry. `path` is relative to the root; `reason` is a message."""

    path: str
    reason: str


@dataclass(frozen=True)
class Checkout:
    """Tree of files that can be read while the context that created it is open."""

    root: Path
    """Absolute path without links."""
    source: str
    """Folder, address (without credentials) or archive, as stored and shown."""
    kind: str
    """`folder`, `git`, `archive` or `package`."""
    name: str
    """Proposed repository id."""
    commit: str | None
    branch: str | None
    history: bool
    """True if `root` is a git working tree with commits."""
    left_out: tuple[SkippedPath, ...] = ()
    ref: str = ""
    """Requested branch, tag or commit, or version of a package; empty for the current state or the default branch."""
    git_problem: str = ""
    """Why git cannot read the working tree, with the remedy; empty if it can, or if there is no `.git`."""


def make_slug(name: str) -> str:
    """Derive a repository id from a name: lower case, digits, `.`, `_`, `-` and `@`."""
    return re.sub(r"[^a-z0-9._@-]+", "-", name.lower()).strip("-.@") or "repository"


TRANSPORTS = {"https": 443, "http": 80, "ssh": 22, "git": 9418, "file": 0}
"""Allowed transports with default ports; `ext` and other helpers run commands and are excluded."""

COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""Full commit hash."""
SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)(?:://|::)")
_SCP_LIKE = re.compile(r"^([\w.-]+)@([\w.-]+):(?!/{2})(.+)$")
_SHORT_NAME = re.compile(r"(?P<repository>[A-Za-z0-9][\w-]*/(?!\.)[\w.-]+)(?:@(?P<ref>[\w.+/-]+))?")
_PACKAGE = re.compile(r"(?P<registry>[a-z]+):(?P<name>@?[^@=]+?)(?:(?:@|==)(?P<version>[^@]*))?")
_PACKAGE_NAMES = {
    "pypi": re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?"),
    "npm": re.compile(r"(?:@[\w~-][\w.~-]*/)?[\w~-][\w.~-]*"),
    "maven": re.compile(r"[\w-]+(?:\.[\w-]+)*:[\w-][\w.-]*"),
}
"""Valid names of packages by registry."""
_SHORT_PACKAGE = re.compile(r"[A-Za-z0-9][\w.-]*(?:@|==)v?\d[^/:@]*")
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\]")
_PATH_SAFE = "/~:@!$&'()*+,;=%-._"


@dataclass(frozen=True)
class GitAddress:
    transport: str
    """A key of `TRANSPORTS`."""
    host: str
    """Lower case, without final dot; IPv6 in brackets; empty for `file`."""
    port: int | None
    path: str
    """Decoded local path for `file`, otherwise as written."""
    user: str = field(default="", repr=False)
    """User and password as written before the `@`, quoted; empty for none."""
    query: str = field(default="", repr=False)
    """Part after `?`, where some servers expect a token."""
    scp: bool = False
    """True if the address was written as `user@host:path`."""

    @property
    def shown(self) -> str:
        """Address without user, password, query and ref: stored, logged and passed on command lines."""
        if self.scp:
            return f"{self.host}:{self.path}"
        if self.transport == "file":
            return "file://" + quote(self.path, safe=_PATH_SAFE.replace("%", ""))
        return f"{self.transport}://{self._place}{self.path}"

    @property
    def secret(self) -> str:
        """Address as git needs it, with credentials."""
        if self.scp:
            return f"{self.user}@{self.host}:{self.path}"
        if self.transport == "file":
            return self.shown
        user = f"{self.user}@" if self.user else ""
        query = f"?{self.query}" if self.query else ""
        return f"{self.transport}://{user}{self._place}{self.path}{query}"

    @property
    def reached_port(self) -> int:
        return self.port or TRANSPORTS[self.transport]

    @property
    def name(self) -> str:
        """Proposed repository id."""
        last = self.path.rstrip("/").removesuffix("/.git").replace(":", "/").rsplit("/", 1)[-1]
        return make_slug(last.removesuffix(".git"))

    @property
    def _place(self) -> str:
        return self.host if self.port is None else f"{self.host}:{self.port}"


def is_address(location: str) -> bool:
    """Return whether a location is written as an address, whatever exists on this machine."""
    return bool(SCHEME.match(location)) or (bool(_SCP_LIKE.match(location)) and not Path(location).exists())


def parse_address(location: str) -> tuple[GitAddress, str]:
    """Parse an address and the ref after its `#` (empty for none).

    Raises: SourceRejectedError for a disallowed transport, or an invalid host or port.
    """
    text, _, ref = location.partition("#")
    scheme = SCHEME.match(text)
    scp = _SCP_LIKE.match(text)
    if scp and not scheme:
        user, host, path = scp.groups()
        return GitAddress("ssh", _checked_host(host), None, path, user, scp=True), ref
    transport = scheme.group(1).lower() if scheme else ""
    if transport not in TRANSPORTS or "::" in text.split("/", 1)[0]:
        raise SourceRejectedError(
            f"git transport {transport!r} is not allowed; allowed: {', '.join(TRANSPORTS)}", transport=transport
        )
    if re.search(r"[\x00-\x20\x7f\\]", text):
        raise SourceRejectedError("a git address holds no spaces, control characters or backslashes: quote them as %XX")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as exc:
        raise SourceRejectedError(f"the git address cannot be read: {exc}") from exc
    user, _, place = parts.netloc.rpartition("@")
    if transport == "file":
        return GitAddress("file", "", None, _local_path(place, parts.path)), ref
    host = re.sub(r":\d*$", "", place)
    user = ":".join(quote(unquote(part), safe="") for part in user.split(":", 1))
    return GitAddress(transport, _checked_host(host), port, parts.path or "/", user, parts.query), ref


def _checked_host(host: str) -> str:
    name = host.lower().removesuffix(".")
    if not _HOST.fullmatch(name) or ".." in name:
        raise SourceRejectedError(f"{host!r} is not a host name: write names with other letters in their xn-- form")
    return name


def _local_path(host: str, path: str) -> str:
    if host not in ("", "localhost"):
        raise SourceRejectedError(f"a file address names no other machine, and this one names {host!r}")
    return unquote(path)


FOLDER, GIT, ARCHIVE, PACKAGE = "folder", "git", "archive", "package"
ARCHIVE_SUFFIXES = (".tar.gz", ".tgz", ".tar", ".zip")


@dataclass(frozen=True)
class RepositorySource:
    """Repository location, and the requested state."""

    kind: str
    """`FOLDER`, `GIT`, `ARCHIVE` or `PACKAGE`."""
    location: str = field(repr=False)
    """Absolute path of a folder or archive; a git address, possibly with credentials; or a package as `registry:name`."""
    ref: str
    """Branch, tag or full commit hash, or version of a package; empty for the current state or the default branch."""

    @property
    def address(self) -> GitAddress | None:
        """Address that git fetches from; None for other kinds."""
        return parse_address(self.location)[0] if self.kind == GIT else None

    @property
    def path(self) -> Path | None:
        """Local path; None for a package or an address of another machine."""
        address = self.address
        if self.kind == PACKAGE:
            return None
        if address is None:
            return Path(self.location)
        return Path(address.path) if address.transport == "file" else None

    @property
    def shown(self) -> str:
        """Location as stored and shown, without credentials."""
        address = self.address
        return address.shown if address is not None else self.location

    @property
    def id(self) -> str:
        """Proposed repository id."""
        address = self.address
        if address is not None:
            return address.name
        if self.kind == PACKAGE:
            return make_slug(self.location.partition(":")[2].rpartition(":")[2])
        name = Path(self.location).name
        if self.kind == ARCHIVE:
            name = name[: -len(archive_suffix(name))]
        return make_slug(name)


def parse_source(location: str, ref: str = "") -> RepositorySource:
    """Classify a location and ref as written by a user.

    Addresses may carry the ref after a `#`, short names and packages after an `@`.

    Raises: SourceNotFoundError if nothing exists there; SourceRejectedError if it cannot be indexed.
    """
    location = _expand_short_name(location)
    if is_package(location):
        source = _from_package(location, ref)
    else:
        source = _from_address(location, ref) if is_address(location) else _from_path(location, ref)
    if source.ref.startswith("-") or re.search(r"[\x00-\x20\x7f]", source.ref):
        raise SourceRejectedError(f"{source.ref!r} is not a branch, tag or commit", ref=source.ref)
    return source


def _expand_short_name(location: str) -> str:
    """Return the GitHub address of `owner/name[@ref]` and the PyPI package of `name@1.0`; other locations unchanged.

    A path below an existing folder is a path, so that a mistyped path is sent nowhere.
    """
    if _SHORT_PACKAGE.fullmatch(location) and not Path(location).exists():
        return f"pypi:{location}"
    short = _SHORT_NAME.fullmatch(location)
    if short is None or Path(location.partition("/")[0]).exists():
        return location
    ref = f"#{short['ref']}" if short["ref"] else ""
    return f"https://github.com/{short['repository']}{ref}"


def is_package(location: str) -> bool:
    """Return whether a location names a package of a registry, whatever exists on this machine."""
    return location.partition(":")[0] in _PACKAGE_NAMES and "://" not in location


def is_remote(location: str, folder: Path) -> bool:
    """Return whether a location of a list in `folder` is not a path: an address, a package or a short name."""
    if is_address(location) or is_package(location):
        return True
    is_short = _SHORT_NAME.fullmatch(location) or _SHORT_PACKAGE.fullmatch(location)
    return is_short is not None and not (folder / location.partition("/")[0]).exists()


def hide_credentials(text: str) -> str:
    """Remove user and password from all addresses in a text, also from addresses that cannot be parsed."""
    return re.sub(r"//[^/\n]*@", "//", text)


def _from_package(location: str, ref: str) -> RepositorySource:
    match = _PACKAGE.fullmatch(location)
    registry, name = (match["registry"], match["name"]) if match else (location.partition(":")[0], "")
    version = (match["version"] or "" if match else "").strip()
    if registry == "maven" and name.count(":") == 2 and not version:
        name, _, version = name.rpartition(":")
    if not _PACKAGE_NAMES[registry].fullmatch(name):
        form = "maven:group:artifact@version" if registry == "maven" else f"{registry}:name@version"
        raise SourceRejectedError(f"{location!r} is not a package; expected {form}", source=location)
    if ref and version and ref != version:
        raise SourceRejectedError(f"two versions are given: {version!r} behind the package, and {ref!r}", ref=ref)
    return RepositorySource(PACKAGE, f"{registry}:{name}", ref or version)


def archive_suffix(name: str) -> str:
    """Return the archive suffix of a file name; empty for other files."""
    return next((suffix for suffix in ARCHIVE_SUFFIXES if name.lower().endswith(suffix)), "")


def _from_address(location: str, ref: str) -> RepositorySource:
    address, own = parse_address(location)
    if ref and own and ref != own:
        raise SourceRejectedError(f"two refs are given: {own!r} behind the address, and {ref!r}", ref=ref)
    if address.transport == "file":
        path = Path(address.path).resolve()
        if not path.exists():
            raise SourceNotFoundError(f"no such repository: {address.shown!r}", source=address.shown)
        return RepositorySource(GIT, path.as_uri(), ref or own)
    if archive_suffix(address.path):
        raise SourceRejectedError(f"{address.shown} is the address of an archive: download it, and index the file")
    return RepositorySource(GIT, address.secret, ref or own)


def _from_path(location: str, ref: str) -> RepositorySource:
    try:
        path = Path(location).expanduser().resolve(strict=True)
        folder, file = path.is_dir(), path.is_file()
    except PermissionError as exc:
        raise SourceRejectedError(f"{location!r} may not be read: {exc.strerror}", source=location) from exc
    except (OSError, RuntimeError, ValueError) as exc:
        hint = f"; packages are written pypi:{location} or npm:{location}" if re.fullmatch(r"[\w-]+", location) else ""
        raise SourceNotFoundError(f"no such folder or archive: {location!r}{hint}", source=location) from exc
    if file and archive_suffix(path.name):
        if ref:
            raise SourceRejectedError(f"{location!r} is an archive, which has no {ref!r}: only git has refs", ref=ref)
        return RepositorySource(ARCHIVE, str(path), "")
    if not folder:
        known = ", ".join(ARCHIVE_SUFFIXES)
        raise SourceRejectedError(
            f"{location!r} is not a folder, git address, package or archive ({known})", source=location
        )
    if is_bare_repository(path):
        return RepositorySource(GIT, path.as_uri(), ref)
    if ref:
        if not (path / ".git").exists():
            raise SourceRejectedError(
                f"{location!r} is not the root of a git repository, so it has no {ref!r}", ref=ref
            )
        return RepositorySource(GIT, path.as_uri(), ref)
    return RepositorySource(FOLDER, str(path), "")


def is_bare_repository(path: Path) -> bool:
    try:
        return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()
    except OSError:
        return False
