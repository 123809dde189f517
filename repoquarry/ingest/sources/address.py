"""A git address taken apart: transport, host, port and path, with the credentials kept away from what is shown.

The address that git is given is put together from these parts again, so that git and the checks of `reach` never read one text
in two ways (`https://good\\@evil/`, a port behind a second colon, `127.1`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from repoquarry.ingest.errors import SourceRejectedError
from repoquarry.ingest.sources.base import slug

TRANSPORTS = {"https": 443, "http": 80, "ssh": 22, "git": 9418, "file": 0}
"""Transports that git may speak, with their default ports; `ext` and other helpers run commands and are never among them."""

SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)(?:://|::)")
_SCP_LIKE = re.compile(r"^([\w.-]+)@([\w.-]+):(?!/{2})(.+)$")
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\]")
_PATH_SAFE = "/~:@!$&'()*+,;=%-._"


@dataclass(frozen=True)
class Address:
    """One git address."""

    transport: str
    """A key of `TRANSPORTS`."""
    host: str
    """Lower case, without a final dot; IPv6 in brackets; empty for `file`."""
    port: int | None
    path: str
    """For `file` the decoded path on this machine, else as written."""
    user: str = field(default="", repr=False)
    """User and password as they stand before the `@`, quoted; empty for none."""
    query: str = field(default="", repr=False)
    """Behind a `?`, where some servers take a token."""
    scp: bool = False
    """Whether it was written as `user@host:path`."""

    @property
    def shown(self) -> str:
        """Without user, password, query and ref: what is stored, logged and put on command lines."""
        if self.scp:
            return f"{self.host}:{self.path}"
        if self.transport == "file":
            return "file://" + quote(self.path, safe=_PATH_SAFE.replace("%", ""))
        return f"{self.transport}://{self._place}{self.path}"

    @property
    def secret(self) -> str:
        """As git needs it, credentials included."""
        if self.scp:
            return f"{self.user}@{self.host}:{self.path}"
        if self.transport == "file":
            return self.shown
        user = f"{self.user}@" if self.user else ""
        query = f"?{self.query}" if self.query else ""
        return f"{self.transport}://{user}{self._place}{self.path}{query}"

    @property
    def reached_port(self) -> int:
        """The port that is connected to."""
        return self.port or TRANSPORTS[self.transport]

    @property
    def name(self) -> str:
        """Proposed repository id."""
        last = self.path.rstrip("/").removesuffix("/.git").replace(":", "/").rsplit("/", 1)[-1]
        return slug(last.removesuffix(".git"))

    @property
    def _place(self) -> str:
        return self.host if self.port is None else f"{self.host}:{self.port}"


def is_address(location: str) -> bool:
    """Whether a location is written as an address, whatever lies on this machine."""
    return bool(SCHEME.match(location)) or (bool(_SCP_LIKE.match(location)) and not Path(location).exists())


def parse(location: str) -> tuple[Address, str]:
    """The address, and the ref behind its `#` (empty for none).

    Raises: SourceRejectedError for a transport that is not allowed, and for a host or port that cannot be one.
    """
    text, _, ref = location.partition("#")
    scheme = SCHEME.match(text)
    scp = _SCP_LIKE.match(text)
    if scp and not scheme:
        user, host, path = scp.groups()
        return Address("ssh", _checked_host(host), None, path, user, scp=True), ref
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
        return Address("file", "", None, _local_path(place, parts.path)), ref
    host = re.sub(r":\d*$", "", place)
    user = ":".join(quote(unquote(part), safe="") for part in user.split(":", 1))
    return Address(transport, _checked_host(host), port, parts.path or "/", user, parts.query), ref


def _checked_host(host: str) -> str:
    name = host.lower().removesuffix(".")
    if not _HOST.fullmatch(name) or ".." in name:
        raise SourceRejectedError(f"{host!r} is no host name: write names with other letters in their xn-- form")
    return name


def _local_path(host: str, path: str) -> str:
    if host not in ("", "localhost"):
        raise SourceRejectedError(f"a file address names no other machine, and this one names {host!r}")
    return unquote(path)
