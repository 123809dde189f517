"""Hosts that a server fetches from: by name, and by the addresses that a name has."""

import pytest

from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.sources.network_policy import (
    EVERYWHERE,
    HostPattern,
    NetworkPolicy,
    is_public,
    parse_network_policy,
)
from repoquarry.ingest.sources.source import parse_address

PUBLIC = "93.184.216.34"


def reach(*hosts: str, addresses: tuple[str, ...] = (PUBLIC,)) -> NetworkPolicy:
    return NetworkPolicy(parse_network_policy(hosts).patterns, resolve=lambda host, port: addresses)


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
        ),
        *("255.255.255.255", "240.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "no address"),
    ],
)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", [PUBLIC, "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"])
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "location",
    [
        *("http://example.org/a", "ssh://git@example.org/a", "git@example.org:a/b", "git://example.org/a"),
        *("https://example.org:8443/a", "https://localhost/a", "https://intranet/a", "https://git.internal/a"),
        *("https://127.0.0.1/a", "https://[::1]/a", "https://[::ffff:127.0.0.1]/a", "https://127.1/a"),
        *("https://2130706433/a", "https://0x7f.1/a", "https://LOCALHOST./a", "https://printer.local./a"),
        "https://example.org@127.0.0.1/a",
    ],
)
def test_only_public_names_over_https_without_a_list(location: str) -> None:
    with pytest.raises(SourceRejectedError, match="source_hosts"):
        reach().admit(parse_address(location)[0])


def test_a_public_name_is_bound_to_the_addresses_that_were_checked() -> None:
    found = reach(addresses=(PUBLIC, "2606:4700::1111")).route(parse_address("https://user:pw@Example.org./a.git")[0])
    assert found["http.curloptResolve"] == f"example.org:443:{PUBLIC},[2606:4700::1111]"
    assert (found["http.followRedirects"], found["http.proxy"]) == ("false", "")


@pytest.mark.parametrize("inner", ["127.0.0.1", "169.254.169.254", "::ffff:10.0.0.1", "fd00::1"])
def test_one_inner_address_among_public_ones_is_enough_to_refuse(inner: str) -> None:
    with pytest.raises(SourceRejectedError, match="not a public address"):
        reach(addresses=(PUBLIC, inner)).route(parse_address("https://rebind.example.org/a")[0])


def test_a_name_that_does_not_resolve() -> None:
    def fail(host: str, port: int) -> list[str]:
        raise OSError("Name or service not known")

    with pytest.raises(SourceNotFoundError, match=r"gone\.example\.org has no address"):
        NetworkPolicy(parse_network_policy(()).patterns, fail).route(parse_address("https://gone.example.org/a")[0])


def test_what_the_list_names_is_reached_as_the_machine_reaches_it() -> None:
    listed = reach("http://10.0.0.5:3000", "ssh://git.corp:2222", "localhost", addresses=("10.0.0.5",))
    for location in ("http://10.0.0.5:3000/a", "ssh://git@git.corp:2222/a", "https://localhost/a"):
        route = listed.route(parse_address(location)[0])
        assert route["http.followRedirects"] == "false"
        assert "http.curloptResolve" not in route
    for other in ("http://10.0.0.5/a", "http://10.0.0.6:3000/a", "ssh://git@git.corp/a", "https://example.org/a"):
        with pytest.raises(SourceRejectedError):
            listed.admit(parse_address(other)[0])


def test_a_wildcard_is_no_name() -> None:
    inner = reach("*.corp.example", addresses=("10.0.0.5",))
    with pytest.raises(SourceRejectedError, match="not a public address"):
        inner.route(parse_address("https://git.corp.example/a")[0])
    assert reach("*.corp.example").route(parse_address("https://git.corp.example/a")[0])
    for other in ("https://corp.example/a", "https://evilcorp.example/a"):
        with pytest.raises(SourceRejectedError, match="not among the hosts"):
            reach("*.corp.example").admit(parse_address(other)[0])


@pytest.mark.parametrize(
    "text", ["ssh://*", "git://*.example.org", "ext://x", "file:///srv", "a b", "https://h:port", ""]
)
def test_entries_that_cannot_be(text: str) -> None:
    with pytest.raises(ValueError, match="host"):
        HostPattern.read(text)


def test_a_person_may_fetch_from_anywhere() -> None:
    assert EVERYWHERE.route(parse_address("git@inner:team/tool")[0]) == {}
