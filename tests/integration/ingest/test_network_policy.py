"""Git keeps to what was checked: real servers that redirect, and a name that resolves to something else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from repoquarry.ingest.errors import SourceNotFoundError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import acquire, parse_source
from repoquarry.ingest.sources.git import GitFailedError, run_git
from repoquarry.ingest.sources.network_policy import parse_network_policy, pin_addresses
from repoquarry.ingest.sources.source import parse_address
from tests.http_server import served
from tests.integration.ingest.conftest import git


class Quiet(SimpleHTTPRequestHandler):
    asked: list[str]

    def log_message(self, format: str, *arguments: object) -> None:
        type(self).asked.append(self.path)


@pytest.fixture
def inner(git_shop: Path, tmp_path: Path) -> Iterator[tuple[int, list[str]]]:
    """A git server as stands inside a network: its port, and what it was asked for."""
    bare = tmp_path / "served" / "shop.git"
    git(git_shop, "clone", "-q", "--bare", ".", str(bare))
    git(bare, "update-server-info")
    asked: list[str] = []
    handler = type("Inner", (Quiet,), {"asked": asked})
    with served(partial(handler, directory=str(bare.parent))) as port:
        yield port, asked


def never() -> bool:
    return False


def test_a_redirect_is_not_followed(inner: tuple[int, list[str]]) -> None:
    port, asked = inner
    settings = IngestSettings(git_depth=0)  # the server here is a dumb one

    class Redirecting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{port}{self.path}")
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            return

    with served(Redirecting) as front:
        reach = parse_network_policy([f"http://127.0.0.1:{front}"])
        source = parse_source(f"http://127.0.0.1:{front}/shop.git")
        with acquire(source, settings, never) as checkout:  # what a person at his own machine gets
            assert (checkout.root / "shop" / "core.py").is_file()
        asked.clear()
        with (
            pytest.raises(SourceNotFoundError, match="give the address that it redirects to"),
            acquire(source, settings, never, reach),
        ):
            pass
    assert asked == []


def test_a_pinned_name_is_never_resolved_again(inner: tuple[int, list[str]], tmp_path: Path) -> None:
    """`repo.invalid` has no address at all, and the pin leads there; where it has another one, the pin wins as well."""
    port, asked = inner
    for name in ("repo.invalid", "localhost"):
        address = parse_address(f"http://{name}:{port}/shop.git")[0]
        route = {**pin_addresses(address, ["127.0.0.1"]), "http.proxy": ""}
        run_git(["ls-remote", address.shown], seconds=30, transports="http", configuration=route)
    asked.clear()
    elsewhere = {
        **pin_addresses(parse_address(f"http://localhost:{port}/shop.git")[0], ["127.0.0.2"]),
        "http.proxy": "",
    }
    with pytest.raises(GitFailedError):
        run_git(
            ["ls-remote", f"http://localhost:{port}/shop.git"], seconds=30, transports="http", configuration=elsewhere
        )
    assert asked == []
