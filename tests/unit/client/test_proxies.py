"""Addresses of this machine go around proxies; a failure behind a proxy names its variable."""

import os

import pytest

from repoquarry.client import ClientSettings
from repoquarry.client.channel_options import channel_options, is_loopback, unreachable
from repoquarry.server.cli.program import _bypass_proxies

LOOPBACK = ("127.0.0.1:50151", "localhost:1", "[::1]:50151", "127.8.8.8:1")
REMOTE = ("10.0.0.1:50151", "example.org:443", "localhost.example.org:1", "[fe80::1]:1")


@pytest.mark.parametrize("address", [*LOOPBACK, *REMOTE])
def test_only_loopback_addresses_go_around_the_proxy(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    is_here = address in LOOPBACK
    assert is_loopback(address) is is_here
    assert (("grpc.enable_http_proxy", 0) in channel_options(ClientSettings(server=address))) is is_here
    assert ("https_proxy names a proxy" in unreachable(address, "refused").message) is not is_here


def test_message_without_a_proxy_names_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("grpc_proxy", "https_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert "proxy" not in unreachable("example.org:443", "refused").message


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, "localhost,127.0.0.1,::1"),
        ("corp.example", "corp.example,localhost,127.0.0.1,::1"),
        ("127.0.0.1,localhost,::1", "127.0.0.1,localhost,::1"),
        ("*", "*"),
    ],
)
def test_commands_go_around_proxies_to_this_machine(
    given: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        if given is not None:
            monkeypatch.setenv(name, given)
    _bypass_proxies()
    assert os.environ["no_proxy"] == expected


def test_environment_without_a_proxy_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    _bypass_proxies()
    assert "no_proxy" not in os.environ
