"""The client over a running server: rows, pages, deadlines and retries."""

import dataclasses
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest

import repoquarry.client
from repoquarry.client import AsyncClient, Client, ClientSettings, RequestError, RequestFailure
from repoquarry.server.services.rpc_executor import to_status
from repoquarry.v1.index_service_pb2 import CreateIndexJobRequest, CreateIndexJobResponse, IndexJob
from repoquarry.v1.index_service_pb2_grpc import IndexServiceServicer, add_IndexServiceServicer_to_server
from repoquarry.v1.repository_service_pb2 import (
    DeleteRepositoryRequest,
    DeleteRepositoryResponse,
    ListRepositoriesRequest,
    ListRepositoriesResponse,
)
from repoquarry.v1.repository_service_pb2_grpc import RepositoryServiceServicer, add_RepositoryServiceServicer_to_server
from tests.e2e.rpc_calls import failure
from tests.e2e.service import ROOT, Service, StartService

PAGE = (ROOT / "docs/guides/client.md").read_text(encoding="utf-8")
CALLED = "MATCH (f:Function) WHERE f.calls_in >= $least RETURN f.qualname AS name, f.calls_in AS n ORDER BY name"


def test_rows_are_python_values_by_column(shop_service: Service) -> None:
    client = shop_service.client()
    assert list(client.rows(CALLED, {"least": 1})) == [{"name": "Till.charge", "n": 1}, {"name": "price", "n": 3}]
    (row,) = client.rows("RETURN $x AS x", {"x": {"a": [1, 2.5, None, True, 1e300, "é"]}})
    assert row == {"x": {"a": [1, 2.5, None, True, 1e300, "é"]}}
    (row,) = client.rows("MATCH (c:Class {name: 'Till'})-[r:DEFINES]->(f) RETURN c, r, f.name AS f")
    assert (row["c"]["labels"], row["r"]["start"]["id"], row["f"]) == (["Class"], row["c"]["id"], "charge")


def test_a_result_that_the_server_cut_is_no_result(start_service: StartService, own_store: Path) -> None:
    client = start_service(own_store, REPOQUARRY_STORE_LIMITS_ROWS="3").client()
    rows = client.rows("UNWIND range(1, 10) AS n RETURN n")
    assert [next(rows)["n"] for _ in range(3)] == [1, 2, 3]
    found = failure(next, rows)
    assert found.reason == "QUERY_LIMIT"
    assert dict(found.metadata) == {"limit": "rows", "rows": "3"}
    asked = client.rows("UNWIND range(1, 10) AS n RETURN n", limit=2)
    assert [row["n"] for row in asked] == [1, 2]


async def test_both_clients_give_the_same(shop_service: Service) -> None:
    blocking = list(shop_service.client().rows(CALLED, {"least": 0}))
    async with AsyncClient(ClientSettings(shop_service.address)) as client:
        assert [row async for row in client.rows(CALLED, {"least": 0})] == blocking
        pages = client.pages(client.repositories.list_repositories, ListRepositoriesRequest(page_size=1))
        assert [page.repositories[0].name async for page in pages] == ["repositories/shop"]


def test_a_question_is_answered_on_a_connection_by_address(shop_service: Service) -> None:
    with Client(shop_service.address) as client:
        answer = client.ask("Who calls price?", ["shop"])
        assert answer.places[0].path == "shop/till.py"
        assert "`price` has" in answer.text
        assert failure(client.ask, "Who calls price?", ["unknown"]).reason == "REPOSITORY_NOT_FOUND"


def test_a_deadline_of_one_call(shop_service: Service) -> None:
    client = shop_service.client()
    assert (
        failure(
            client.rows, "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b RETURN count(a + b)", timeout=0.05
        ).status
        == "DEADLINE_EXCEEDED"
    )
    assert list(client.rows("RETURN 1 AS one")) == [{"one": 1}]


class Flaky(RepositoryServiceServicer, IndexServiceServicer):
    """Fails with UNAVAILABLE so many times before it answers."""

    def __init__(self, failures: int) -> None:
        self.left = failures
        self.calls: list[Any] = []

    def _answer(self, request: Any, context: grpc.ServicerContext, response: Any) -> Any:
        self.calls.append(request)
        if self.left:
            self.left -= 1
            status = to_status(RequestFailure("ENGINE_UNAVAILABLE", "not yet", {}, "UNAVAILABLE"))
            context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
            context.abort(grpc.StatusCode.UNAVAILABLE, "not yet")
        return response

    def ListRepositories(self, request: Any, context: grpc.ServicerContext) -> Any:
        return self._answer(request, context, ListRepositoriesResponse())

    def DeleteRepository(self, request: Any, context: grpc.ServicerContext) -> Any:
        return self._answer(request, context, DeleteRepositoryResponse())

    def CreateIndexJob(self, request: Any, context: grpc.ServicerContext) -> Any:
        return self._answer(request, context, CreateIndexJobResponse(index_jobs=[IndexJob(name="indexJobs/1")]))


@pytest.fixture
def flaky() -> Iterator[tuple[Flaky, str]]:
    servicer = Flaky(2)  # type: ignore[abstract]  # two of the contract's methods are all that is asked
    server = grpc.server(ThreadPoolExecutor(2))
    add_RepositoryServiceServicer_to_server(servicer, server)
    add_IndexServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield servicer, f"127.0.0.1:{port}"
    server.stop(None)


def test_a_reading_call_is_sent_again(flaky: tuple[Flaky, str]) -> None:
    servicer, address = flaky
    with Client(ClientSettings(address)) as client:
        client.repositories.list_repositories(ListRepositoriesRequest())
    assert len(servicer.calls) == 3


async def test_a_reading_call_is_sent_again_by_the_other_client(flaky: tuple[Flaky, str]) -> None:
    servicer, address = flaky
    async with AsyncClient(ClientSettings(address)) as client:
        await client.repositories.list_repositories(ListRepositoriesRequest())
    assert len(servicer.calls) == 3


def test_creating_twice_creates_one_thing(flaky: tuple[Flaky, str]) -> None:
    servicer, address = flaky
    with Client(ClientSettings(address)) as client:
        client.index.create_index_job(CreateIndexJobRequest())
    assert len({call.request_id for call in servicer.calls}) == 1
    assert len(servicer.calls) == 3
    assert servicer.calls[0].request_id


@pytest.mark.parametrize(("attempts", "calls"), [(1, 1), (2, 2)])
def test_attempts_are_bounded(flaky: tuple[Flaky, str], attempts: int, calls: int) -> None:
    servicer, address = flaky
    with Client(ClientSettings(address, attempts=attempts)) as client, pytest.raises(RequestError) as caught:
        client.repositories.list_repositories(ListRepositoriesRequest())
    assert len(servicer.calls) == calls
    assert caught.value.failure == RequestFailure("ENGINE_UNAVAILABLE", "not yet", {}, "UNAVAILABLE")


def test_what_may_not_happen_twice_is_sent_once(flaky: tuple[Flaky, str]) -> None:
    servicer, address = flaky
    with Client(ClientSettings(address)) as client, pytest.raises(RequestError):
        client.repositories.delete_repository(DeleteRepositoryRequest(name="repositories/x"))
    assert len(servicer.calls) == 1


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RequestError) as caught, Client(ClientSettings("127.0.0.1:1", attempts=2)) as client:
        client.repositories.list_repositories(ListRepositoriesRequest())
    assert caught.value.failure.reason == "SERVER_UNREACHABLE"
    with pytest.raises(RequestError, match=r"none\.pem cannot be read: No such file") as caught:
        Client(ClientSettings("127.0.0.1:1", certificate=tmp_path / "none.pem"))
    assert caught.value.failure.reason == "SETTINGS_INVALID"


def test_every_setting_and_public_name_is_on_the_page() -> None:
    names = {item.name for item in dataclasses.fields(ClientSettings)} - {"server"}
    assert {name for name in names if name not in PAGE} == set()
    assert {name for name in repoquarry.client.__all__ if name not in PAGE} == set()
