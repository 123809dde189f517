"""Network policy for git and downloads: an allow list of hosts, and checks of the IP addresses that a connection uses.

A service fetches addresses that untrusted users choose, from inside its operator's network. A host that the list names exactly
is trusted and reached with the resolver and proxy of the machine. A host that only a wildcard covers is resolved here, all its
addresses must be public, and git is bound to these addresses (a later change of DNS has no effect), without proxy, redirects,
alternates or other addresses that a server may name.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.sources.git import run_git
from repoquarry.ingest.sources.source import TRANSPORTS, GitAddress

Resolve = Callable[[str, int], Sequence[str]]
"""Function from host and port to addresses. Raises: OSError."""

_PATTERN = re.compile(r"(?:([a-z]+)://)?(\*|(?:\*\.)?[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::(\d{1,5}))?")
_OWN_NAMES = (".localhost", ".local", ".internal", ".intranet", ".lan", ".home.arpa", ".onion", ".test", ".invalid")
_PINS_SINCE = (2, 37)
"""First version of git with `http.curloptResolve`; older versions ignore it."""
_SEALED = {
    # Alternates of a dumb HTTP server are subject to this option, too.
    "http.followRedirects": "false",
    "transfer.bundleURI": "false",
    "fetch.uriProtocols": "",
}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


@dataclass(frozen=True)
class HostPattern:
    """Entry of the list: `[transport://]host[:port]`, where host may be `*` or begin with `*.`."""

    transport: str
    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> HostPattern:
        """Parse an entry. Raises: ValueError with the fault."""
        match = _PATTERN.fullmatch(text.strip().lower())
        transport = (match.group(1) or "https") if match else ""
        if match is None or transport not in TRANSPORTS or transport == "file":
            raise ValueError(f"{text!r} is no [https|http|ssh|git]://host[:port]")
        host = match.group(2)
        if host.startswith("*") and transport not in ("https", "http"):
            raise ValueError(f"{text!r}: hosts for {transport} are named one by one, without *")
        return cls(transport, host.removesuffix("."), int(match.group(3) or TRANSPORTS[transport]))

    def names(self, address: GitAddress) -> bool:
        """Return whether the pattern names the host exactly."""
        return (self.transport, self.host, self.port) == (address.transport, address.host, address.reached_port)

    def covers(self, address: GitAddress) -> bool:
        """Return whether a wildcard covers the host."""
        is_covered = self.host.startswith("*") and address.host.endswith(self.host[1:])
        return is_covered and (self.transport, self.port) == (address.transport, address.reached_port)


PUBLIC_HTTPS = (HostPattern("https", "*", 443),)


def resolve_host(host: str, port: int) -> list[str]:
    """Resolve a name as the system does. Raises: OSError."""
    return sorted({str(entry[4][0]) for entry in socket.getaddrinfo(host, port, proto=socket.IPPROTO_TCP)})


@dataclass(frozen=True)
class NetworkPolicy:
    """Allow list of hosts, with the resolver of names."""

    patterns: tuple[HostPattern, ...] | None
    """Patterns; None means no limit."""
    resolve: Resolve = resolve_host

    def admit(self, address: GitAddress) -> None:
        """Check the name alone, which is fast. Raises: SourceRejectedError."""
        if self._is_trusted(address):
            return
        place = f"{address.transport}://{address.host}"
        if not any(pattern.covers(address) for pattern in self.patterns or ()):
            raise SourceRejectedError(
                f"{place}:{address.reached_port} is not among the hosts that this server may fetch from "
                "(server.source_hosts)",
                host=address.host,
            )
        if not _is_public_name(address.host):
            raise SourceRejectedError(
                f"{place} is not a public name; an address or inner host has to be named in server.source_hosts",
                host=address.host,
            )

    def route(self, address: GitAddress) -> Mapping[str, str]:
        """Return git configuration that restricts a fetch to the checked host and addresses.

        Raises: SourceRejectedError; SourceNotFoundError if the name does not resolve.
        """
        if self.patterns is None or address.transport == "file":
            return {}
        addresses = self.list_addresses(address)
        if addresses is None:
            return _SEALED
        _check_git_version()
        return {**_SEALED, "http.proxy": "", **pin_addresses(address, addresses)}

    def list_addresses(self, address: GitAddress) -> Sequence[str] | None:
        """Return the checked addresses that a connection is bound to; None for a host that is reached as the machine does.

        Raises: SourceRejectedError; SourceNotFoundError if the name does not resolve.
        """
        if self._is_trusted(address):
            return None
        self.admit(address)
        try:
            found = self.resolve(address.host, address.reached_port)
        except OSError as exc:
            raise SourceNotFoundError(f"{address.host} has no address: {exc}", host=address.host) from exc
        for item in found:
            if not is_public(item):
                raise SourceRejectedError(
                    f"{address.host} resolves to {item}, which is not a public address; an inner host has to be named in "
                    "server.source_hosts",
                    host=address.host,
                )
        return found

    def _is_trusted(self, address: GitAddress) -> bool:
        if self.patterns is None or address.transport == "file":
            return True
        return any(pattern.names(address) for pattern in self.patterns)


EVERYWHERE = NetworkPolicy(None)
"""Policy of a user on a local machine: no limit."""


def parse_network_policy(hosts: Sequence[str]) -> NetworkPolicy:
    """Parse the list of the settings; an empty list allows public names over https. Raises: ValueError."""
    return NetworkPolicy(tuple(HostPattern.read(host) for host in hosts) or PUBLIC_HTTPS)


def pin_addresses(address: GitAddress, addresses: Sequence[str]) -> Mapping[str, str]:
    """Return git configuration that connects to these addresses, whatever the name resolves to later."""
    places = ",".join(f"[{item}]" if ":" in item else item for item in addresses)
    return {"http.curloptResolve": f"{address.host}:{address.reached_port}:{places}"}


def is_public(text: str) -> bool:
    """Return whether an address is public, also if IPv6 embeds an IPv4 address."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is None and (address in _NAT64 or int(address) >> 32 == 0):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return _is_public(inner)
    return _is_public(address)


def _is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    local = isinstance(address, ipaddress.IPv6Address) and address.is_site_local
    return address.is_global and not (address.is_multicast or address.is_reserved or local)


def _is_public_name(host: str) -> bool:
    numeric = re.fullmatch(r"(?:0x[0-9a-f]*|\d+)", host.rpartition(".")[2]) is not None  # 127.1, 0x7f.1, 2130706433
    return "." in host and not host.startswith("[") and not numeric and not host.endswith(_OWN_NAMES)


def _check_git_version() -> None:
    found = re.search(rb"(\d+)\.(\d+)", run_git(["version"], seconds=30))
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    if version < _PINS_SINCE:
        raise SourceRejectedError(
            f"git {version[0]}.{version[1]} cannot be bound to checked addresses: install git 2.37 or later, or name the "
            "host in server.source_hosts"
        )
