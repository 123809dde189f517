"""A hosting service's search is asked over HTTP: what fits is offered, refusals and rate limits are said, the token stays with its host."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from repoquarry.agent.settings import AgentSettings, SearchSettings
from repoquarry.execution.errors import TaskCancelledError, ToolError
from repoquarry.server.application.context import ApplicationContext
from repoquarry.server.errors import SettingsError
from repoquarry.server.repository_search import GitHubSource, offers, search_catalogue
from repoquarry.server.settings.loading import load_settings
from tests.e2e.service import run_here
from tests.http_server import answering


def item(name: str, description: str | None, **more: Any) -> dict[str, Any]:
    return {"full_name": name, "clone_url": f"https://host.example/{name}.git", "description": description, **more}


@dataclass
class Hosting:
    """A service with the few repositories that it finds when asked for no more than `most_words`."""

    address: str = ""
    items: list[dict[str, Any]] = field(default_factory=list)
    most_words: int = 2
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    asked: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def answer(self, request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
        parts = urlsplit(request.path)
        query = parse_qs(parts.query).get("q", [""])[0]
        self.asked.append(f"{parts.path}?{query}")
        self.tokens.append(request.headers.get("authorization", ""))
        body = self.body
        if not body and self.status == 200:
            words = query.removesuffix(" in:name,description,readme").split()
            body = json.dumps({"items": self.items if len(words) <= self.most_words else []}).encode()
        return self.status, self.headers, body


@pytest.fixture
def hosting() -> Iterator[Hosting]:
    made = Hosting()

    with answering(made.answer) as made.address:
        yield made


def found(hosting: Hosting, task: str, *indexed: str) -> list[str]:
    settings = AgentSettings(search=SearchSettings(token="hidden", address=hosting.address, seconds=10.0))
    return [one.name for one in offers(settings, task, indexed)]


def test_fitting_repositories_rank_first_without_indexed_or_archived_ones(hosting: Hosting) -> None:
    hosting.items = [
        item("a/forms", "Fills forms"),
        item("b/old", "Extracts tables of PDF documents", archived=True),
        item("c/tables", "Extracts tables of PDF documents"),
        item("d/known", "Extracts tables of PDF documents"),
        item("e/bare", None),
    ]
    task = "Use this to extract the tables of report.pdf and other PDF documents to outputs/tables.csv"
    assert found(hosting, task, "https://host.example/d/known") == ["c/tables", "a/forms", "e/bare"]
    assert hosting.asked == [
        "/search/repositories?PDF documents tables in:name,description,readme",
        "/search/repositories?PDF documents in:name,description,readme",
        "/search/repositories?PDF tables in:name,description,readme",
        "/search/repositories?documents tables in:name,description,readme",
        "/search/repositories?PDF in:name,description,readme",
        "/search/repositories?documents in:name,description,readme",
        "/search/repositories?tables in:name,description,readme",
    ]
    assert set(hosting.tokens) == {"Bearer hidden"}


def test_a_task_without_telling_words_asks_nothing(hosting: Hosting) -> None:
    assert found(hosting, "do this with inputs/a.txt") == []
    assert hosting.asked == []


@pytest.mark.parametrize(
    ("status", "headers", "body", "said"),
    [
        (
            403,
            {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000000"},
            b"{}",
            "rate limit is reached; come again at 22:13:20",
        ),
        (429, {"retry-after": "30"}, b"{}", "rate limit is reached; come again in 30 seconds"),
        (403, {}, b'{"message": "Resource not accessible"}', "status 403: Resource not accessible"),
        (401, {}, b'{"message": "Bad credentials"}', "does not take the token of agent.search.token"),
        (422, {}, b'{"message": "Validation Failed"}', "status 422: Validation Failed"),
        (502, {}, b"<html>", "status 502"),
        (200, {}, b"[1]", "invalid list of repositories"),
        (200, {}, b"not json", "invalid list of repositories"),
    ],
)
def test_refusals_are_said(hosting: Hosting, status: int, headers: dict[str, str], body: bytes, said: str) -> None:
    hosting.status, hosting.headers, hosting.body = status, headers, body
    with pytest.raises(ToolError, match=said) as caught:
        found(hosting, "extract tables")
    assert "hidden" not in str(caught.value)
    assert len(hosting.asked) == 1


def test_a_redirect_is_not_followed(hosting: Hosting) -> None:
    hosting.status, hosting.headers = 301, {"location": f"{hosting.address}/elsewhere"}
    with pytest.raises(ToolError, match="leads to another address"):
        found(hosting, "extract tables")
    assert len(hosting.asked) == 1


@pytest.mark.parametrize("form", ["toml", "json"])
def test_a_catalogue_offers_what_fits_and_is_not_indexed(tmp_path: Path, form: str) -> None:
    entries = [
        {"name": "shout", "address": "https://git.example/shout.git", "description": "Texts in capitals"},
        {"name": "bees", "address": "https://git.example/bees", "description": "Honey"},
        {"name": "loud", "address": "/srv/loud", "description": "Texts in capitals"},
    ]
    tables = ("\n".join(["[[repository]]", *(f"{key} = {value!r}" for key, value in one.items())]) for one in entries)
    catalogue = tmp_path / f"catalogue.{form}"
    catalogue.write_text(json.dumps({"repository": entries}) if form == "json" else "\n".join(tables), encoding="utf-8")
    offered = offers(AgentSettings(catalogue=catalogue), "Write poem.txt in capitals.", ["/srv/loud"])
    assert [one.command for one in offered] == ["repoquarry index https://git.example/shout.git"]


def test_a_catalogue_that_cannot_be_understood_is_named(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue.toml"
    catalogue.write_text("[[repository]]\ntitle = 1\n", encoding="utf-8")
    with pytest.raises(ToolError, match=r"catalog .*catalogue\.toml cannot be parsed"):
        search_catalogue(catalogue, "anything")
    with pytest.raises(ToolError, match="cannot be read"):
        search_catalogue(tmp_path / "absent.toml", "anything")


def test_a_service_that_is_not_there_is_named() -> None:
    settings = AgentSettings(search=SearchSettings(token="hidden", address="http://127.0.0.1:9"))
    with pytest.raises(ToolError, match=r"127\.0\.0\.1:9 cannot be asked for repositories: ConnectError"):
        offers(settings, "extract tables", ())


def test_choose_offers_what_is_not_indexed(hosting: Hosting, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "till.py").write_text('"""Counts coins."""\n')
    (tmp_path / "shop" / "README.md").write_text("# Shop\n\nCounts coins.\n")
    catalogue = tmp_path / "catalogue.toml"
    catalogue.write_text(
        "[[repository]]\nname = 'purse'\naddress = 'https://git.example/purse'\ndescription = 'Counts coins'\n"
    )
    store = tmp_path / "store"
    assert run_here(store, "index", str(tmp_path / "shop")).returncode == 0
    hosting.items = [item("a/coins", "Counts coins")]
    variables = {
        "REPOQUARRY_AGENT_CATALOGUE": str(catalogue),
        "REPOQUARRY_AGENT_SEARCH_TOKEN": "hidden",
        "REPOQUARRY_AGENT_SEARCH_ADDRESS": hosting.address,
    }
    done = run_here(store, "choose", "count coins", **variables)
    assert "1. shop" in done.stdout, done.stderr
    assert "not indexed: purse: Counts coins\n     repoquarry index https://git.example/purse\n" in done.stdout
    assert "not indexed: a/coins: Counts coins\n     repoquarry index https://host.example/a/coins.git\n" in done.stdout
    hosting.status, hosting.body = 401, b"{}"
    done = run_here(store, "choose", "count coins", "--json", **variables)
    assert (done.returncode, json.loads(done.stdout)["offers"]) == (0, [])
    assert "does not take the token" in json.loads(done.stdout)["offers_missing"]


@pytest.mark.parametrize(
    ("address", "hosts", "admitted"),
    [
        ("https://api.github.com", (), True),
        ("http://127.0.0.1:8080", (), False),
        ("http://127.0.0.1:8080", ("http://127.0.0.1:8080",), True),
        ("https://api.github.com", ("https://git.corp",), False),
        ("ssh://api.github.com", ("ssh://api.github.com",), False),
    ],
)
def test_a_server_asks_only_hosts_that_it_may_fetch_from(
    tmp_path: Path, address: str, hosts: tuple[str, ...], admitted: bool
) -> None:
    given = {
        "store.folder": str(tmp_path / "store"),
        "agent.search.token": "hidden",
        "agent.search.address": address,
        "server.source_hosts": ",".join(hosts),
    }
    settings = load_settings(given=given)
    if not admitted:
        with pytest.raises(SettingsError, match=r"agent\.search\.address"):
            ApplicationContext(settings, writable=True, serving=True)
        return
    ApplicationContext(settings, writable=True, serving=True).close()


@pytest.fixture
def dripping() -> Iterator[str]:
    """Address of a host that answers with a byte each 50 ms."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            connection, _ = listener.accept()
            with connection, contextlib.suppress(OSError):
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                while True:
                    connection.sendall(b" ")
                    time.sleep(0.05)

        threading.Thread(target=drip, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_host_that_answers_byte_by_byte_is_given_up(dripping: str) -> None:
    """A timeout of the socket starts again with each byte."""
    source = GitHubSource(SearchSettings(address=dripping, token="secret", seconds=0.5))
    with pytest.raises(ToolError, match=r"did not answer within 0\.5 s"):
        source.find("parse dates")


def test_cancelling_ends_a_search_within_half_a_second(dripping: str) -> None:
    settings = AgentSettings(search=SearchSettings(address=dripping, token="secret", seconds=60))
    cancelled = threading.Event()
    times: list[float] = []

    def cancel() -> None:
        times.append(time.monotonic())
        cancelled.set()

    threading.Timer(0.3, cancel).start()
    with pytest.raises(TaskCancelledError):
        offers(settings, "parse dates", (), cancelled.is_set)
    assert time.monotonic() - times[0] < 0.5
