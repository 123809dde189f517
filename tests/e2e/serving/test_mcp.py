"""MCP through the SDK's own client: over stdio and HTTP, on a local store and on a server, within its budget and behind its doors."""

import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from repoquarry.agent.tools.base import load_tool
from repoquarry.graphstore import token_counting
from repoquarry.operations.table import OPERATIONS
from repoquarry.server.mcp_server import MIN_TOKENS
from tests.command_line import COMMAND
from tests.e2e.service import Service, StartService, environment, run_here

Connect = Callable[..., AbstractAsyncContextManager[Client]]


def stdio(store: Path, *options: str, **variables: str) -> Client:
    """A client that starts `repoquarry mcp` as an editor does."""
    arguments = [*COMMAND[1:], "mcp", *options]
    return Client(StdioServerParameters(command=sys.executable, args=arguments, env=environment(store, **variables)))


@asynccontextmanager
async def over_http(url: str, **headers: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=headers, timeout=300) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


class Http:
    """`repoquarry mcp --http` in a process of its own."""

    def __init__(self, store: Path, *options: str, **variables: str) -> None:
        command = [*COMMAND, "mcp", "--http", "127.0.0.1:0", *options]
        self.process = subprocess.Popen(
            command, env=environment(store, **variables), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("listening on 127.0.0.1:"), self.process.communicate()[1]
        self.url = "http://" + line.split()[-1]

    def end(self) -> int:
        self.process.terminate()
        self.process.communicate(timeout=300)
        return self.process.returncode


@pytest.fixture(scope="module")
def http(shop_store: Path) -> Iterator[str]:
    server = Http(shop_store)
    yield server.url
    assert server.end() == 0


@pytest.fixture(params=["stdio", "stdio through a server", "http"])
def connect(request: pytest.FixtureRequest, shop_store: Path, shop_service: Service, tmp_path: Path) -> Connect:
    """Opens a client, in every way."""
    if request.param == "http":
        url = request.getfixturevalue("http")
        return lambda: over_http(url)
    if request.param == "stdio":
        return lambda: stdio(shop_store)
    return lambda: stdio(tmp_path / "none", "--server", shop_service.address)


def text(result: Any) -> str:
    (content,) = result.content
    return str(content.text)


async def _ask_who_calls_x(client: Client) -> None:
    result = await client.call_tool("relations", {"target": "price", "kind": "callers", "hops": 2})
    assert not result.is_error
    told = text(result)
    assert "1  shop/till.py:5-7  Till.charge  1  line 6; " in told
    assert "tests/test_shop.py" in told
    assert "\n2  shop/counter.py" in told
    assert "based on shop@" in told
    assert "(no git, current)" in told


async def _list_standing_tools(client: Client) -> None:
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [name for name in OPERATIONS if not load_tool(name).rare]
    assert len(tools) == 8
    described = [f"{tool.name}{tool.description}{json.dumps(tool.input_schema)}" for tool in tools]
    assert sum(map(len, described)) < 6_000
    for tool in tools:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.input_schema["type"] == "object"
        assert "$ref" not in json.dumps(tool.input_schema)
        assert "repository" not in tool.input_schema["properties"], "there is one"
        assert {"max_tokens", "max_chars"} & set(tool.input_schema["properties"])


async def _explore_within_limits(client: Client) -> None:
    for limit in (500, 1_000, 6_000):
        told = text(await client.call_tool("explore", {"target": "price", "max_chars": limit}))
        assert len(told) <= limit
    assert "Till.charge" in told
    assert "based on shop@" in told


async def _read_resources(client: Client) -> None:
    offered = {item.name: item.uri for item in (await client.list_resources()).resources}
    assert set(offered) == {"repositories", "schema", "queries", "shop"}
    told = {}
    for name, uri in offered.items():
        (content,) = (await client.read_resource(uri)).contents
        told[name] = content.text  # type: ignore[union-attr]
    (template,) = (await client.list_resource_templates()).resource_templates
    assert template.uri_template == "repoquarry://repositories/{repository}"
    with pytest.raises(MCPError, match="no resource 'repoquarry://nothing'"):
        await client.read_resource("repoquarry://nothing")
    with pytest.raises(MCPError, match="REPOSITORY_NOT_FOUND"):
        await client.read_resource("repoquarry://repositories/none")
    assert "- shop (python;" in told["repositories"]
    assert "-[:CALLS]->" in told["schema"]
    assert "Sells things over a counter" in told["shop"]
    assert "based on shop" in told["shop"]


async def _make_failing_calls(client: Client) -> None:
    for tool, arguments, expected in (
        ("relations", {"target": "nothing_of_that_name", "kind": "callers"}, "nothing is called"),
        ("relations", {"nome": "price"}, "its arguments are: target, kind, repository, hops"),
        ("cypher", {"query": "MATCH (n) DETACH DELETE n"}, "only read-only queries are allowed"),
        ("run_command", {"command": "id"}, "TOOL_NOT_FOUND"),
        ("view", {"target": "price", "repository": "other"}, "no repository 'other'"),
        ("view", {"target": "price", "max_tokens": 7}, "not an integer from 500 to 8000"),
    ):
        result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert expected in text(result)
    assert not (await client.call_tool("relations", {"target": "price", "kind": "callers"})).is_error


async def test_tools_and_resources_are_listed_and_used(connect: Connect) -> None:
    """Over one connection of each way, since every stdio server is a process of its own."""
    async with connect() as client:
        await _list_standing_tools(client)
        await _ask_who_calls_x(client)
        await _explore_within_limits(client)
        await _read_resources(client)
        await _make_failing_calls(client)


async def test_all_tools_are_listed_at_their_own_path_or_by_the_setting(http: str, shop_store: Path) -> None:
    names = [*OPERATIONS]
    async with over_http(f"{http}/all") as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == names
    async with stdio(shop_store, REPOQUARRY_MCP_ALL_TOOLS="true") as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == names


async def test_no_answer_is_over_its_budget(shop_store: Path) -> None:
    wide = "UNWIND range(1, 900) AS n MATCH (f:Function) RETURN n, f.qualname, f.signature, f.path"
    async with stdio(shop_store, "--tokens", "900") as client:
        result = await client.call_tool("cypher", {"query": wide})
        assert 450 < token_counting.count_tokens(text(result)) <= 900
        assert "based on shop" in text(result)
        assert "truncated from" in text(result)
        small = await client.call_tool("cypher", {"query": wide, "max_tokens": MIN_TOKENS})
        assert token_counting.count_tokens(text(small)) <= MIN_TOKENS
        assert "based on shop" in text(small)
        for uri in ("repoquarry://schema", "repoquarry://repositories/shop"):
            (content,) = (await client.read_resource(uri)).contents
            assert token_counting.count_tokens(content.text) <= 900  # type: ignore[union-attr]


async def test_named_queries_are_listed_and_run(shop_store: Path) -> None:
    async with stdio(shop_store) as client:
        (content,) = (await client.read_resource("repoquarry://queries")).contents
        assert '- callers-of-function ($repository = "", $name):' in content.text  # type: ignore[union-attr]
        call = {"named": "callers-of-function", "parameters": {"name": "price"}}
        assert "charge" in text(await client.call_tool("cypher", call))
        for wrong, message in (({"named": "callers-of-function"}, "needs $name"), ({}, "either `query` or `named`")):
            assert message in text(await client.call_tool("cypher", wrong))


async def test_only_some_repositories(shop_store: Path) -> None:
    async with stdio(shop_store, "--repository", "shop") as client:
        assert "price" in text(await client.call_tool("relations", {"target": "price", "kind": "callers"}))
    async with stdio(shop_store, "--repository", "other") as client:
        result = await client.call_tool("relations", {"target": "price", "kind": "callers"})
        assert result.is_error
        assert "REPOSITORY_NOT_FOUND" in text(result)


def post(url: str, **headers: str) -> httpx2.Response:
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accepts = {"Accept": "application/json, text/event-stream"}
    return httpx2.post(url, json=body, headers={**accepts, **headers}, timeout=300)


def test_streams_of_events_are_refused_by_the_stateless_server(http: str) -> None:
    for path in ("", "/all"):
        refused = httpx2.get(http + path, headers={"Accept": "text/event-stream"})
        assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
        assert refused.headers["connection"] == "close"


def test_stdio_server_ends_after_its_parent(shop_store: Path) -> None:
    """Another process holds the other end of stdin, so that only the parent's exit tells."""
    reading, writing = os.pipe()
    opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening}
    os.write(writing, json.dumps(request).encode() + b"\n")
    script = (
        "import subprocess; "
        f"server = subprocess.Popen({[*COMMAND, 'mcp']!r}, stdin={reading}, stdout=subprocess.PIPE); "
        "assert server.stdout.readline(); print(server.pid)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(shop_store),
        pass_fds=(reading,),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    pid = int(done.stdout)
    until = time.monotonic() + 60
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE and time.monotonic() < until:
        time.sleep(0.1)
    is_alive = psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    os.close(writing)
    os.close(reading)
    assert not is_alive


def test_names_of_other_pages_are_refused(http: str) -> None:
    assert post(http, Host="evil.example").status_code == 421
    assert post(http, Host="127.0.0.1.evil.example").status_code == 421
    assert post(http, Origin="http://evil.example").status_code == 403
    assert post(http, Origin="http://127.0.0.1.evil.example:80").status_code == 403
    assert post(http, Origin="null").status_code == 403
    assert post(http, Origin="http://localhost:3000").status_code not in (401, 403, 421)
    assert post(http).status_code not in (401, 403, 421)


async def test_http_beside_the_service_asks_for_its_tokens(start_service: StartService, own_store: Path) -> None:
    service = start_service(
        own_store, REPOQUARRY_SERVER_TOKENS="the-first-token-1", REPOQUARRY_MCP_LISTEN="127.0.0.1:0"
    )
    (line,) = [line for line in service.log.read_text().splitlines() if line.startswith("MCP listening on ")]
    url = "http://" + line.split()[-1]
    refused = post(url)
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert refused.json()["error"]["reason"] == "TOKEN_MISSING"
    assert post(url, Authorization="Bearer wrong").status_code == 401
    async with over_http(url, Authorization="Bearer the-first-token-1") as client:
        assert "Till.charge" in text(await client.call_tool("relations", {"target": "price", "kind": "callers"}))
    with pytest.raises(Exception):  # noqa: B017  an ExceptionGroup of whatever the SDK makes of a 401
        async with over_http(url, Authorization="Bearer wrong") as client:
            await client.list_tools()
    assert "the-first-token" not in service.log.read_text()
    assert service.stop() == 0


def test_where_other_machines_reach_it_names_and_tokens_are_needed(own_store: Path) -> None:
    done = run_here(own_store, "mcp", "--http", "0.0.0.0:0")
    assert (done.returncode, "no token is set" in done.stderr) == (5, True)
    done = run_here(own_store, "mcp", "--http", "0.0.0.0:0", REPOQUARRY_SERVER_TOKENS="a-token-of-16-characters")
    assert (done.returncode, "mcp.allowed_hosts" in done.stderr) == (5, True)


def test_a_client_that_leaves_a_call_leaves_no_traceback(start_service: StartService, own_store: Path) -> None:
    service = start_service(own_store, REPOQUARRY_MCP_LISTEN="127.0.0.1:0", REPOQUARRY_SERVER_LOG_LEVEL="debug")
    (line,) = [line for line in service.log.read_text().splitlines() if line.startswith("MCP listening on ")]
    url = "http://" + line.split()[-1]
    slow = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a WHERE a < 0 RETURN count(a) AS n"
    headers = {"Accept": "application/json, text/event-stream"}
    call = {"name": "cypher", "arguments": {"query": slow}}
    body = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}
    for _ in range(3):
        with pytest.raises(httpx2.TimeoutException):
            httpx2.post(url, json=body, headers=headers, timeout=0.5)
    assert service.stop() == 0
    log = service.log.read_text()
    assert "Traceback" not in log
    assert " ERROR " not in log
