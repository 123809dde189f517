"""Remedies of refused requests that need a client: each test causes the error, follows the advice, and gets an answer."""

import threading
import time
from pathlib import Path

import grpc
import msgspec
import pytest

from repoquarry.client import Client, RequestError
from repoquarry.client.channel_options import from_rpc_error
from repoquarry.graphstore.engines import graph_catalog as catalog
from repoquarry.graphstore.engines.kglite.graph_folder import FOLDER
from repoquarry.graphstore.testing.untrusted_queries import ENDLESS
from repoquarry.v1 import code_service_pb2 as code
from repoquarry.v1.index_service_pb2 import GetIndexJobRequest, ListIndexJobsRequest
from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest
from repoquarry.v1.query_service_pb2_grpc import QueryServiceStub
from repoquarry.v1.repository_service_pb2 import (
    DeleteRepositoryRequest,
    ListRepositoriesRequest,
    ListRepositoriesResponse,
)
from tests.e2e.rpc_calls import create_jobs, failure
from tests.e2e.service import Service, StartService, run_here, succeed

LARGE = "UNWIND range(1, 9000) AS x RETURN x, reduce(s = '', i IN range(1, 99) | s + '0123456789012345') AS t"
TWO_NAMES = "class A:\n    def pay(self): ...\n\n\nclass B:\n    def pay(self): ...\n"


def count(client: Client, query: str = "RETURN 1 AS one") -> int:
    return len(list(client.rows(query)))


def test_the_method_in_a_remedy_lists_what_can_be_named(
    start_service: StartService, own_store: Path, shop: Path
) -> None:
    client = start_service(own_store).client()
    create_jobs(client, shop)
    absent = GetIndexJobRequest(name="indexJobs/absent")
    assert failure(client.index.get_index_job, absent).reason == "JOB_NOT_FOUND"
    job, *_ = client.index.list_index_jobs(ListIndexJobsRequest()).index_jobs
    assert client.index.get_index_job(GetIndexJobRequest(name=job.name)).index_job.name == job.name
    absent_file = code.ReadSourceRequest(repository="shop", path="nowhere.py")
    assert failure(client.code.read_source, absent_file).reason == "PATH_NOT_FOUND"
    tree = client.code.get_tree(code.GetTreeRequest(repository="shop", depth=2)).root
    path = next(child.entity.path for child in tree.children if child.entity.path.endswith(".py"))
    assert client.code.read_source(code.ReadSourceRequest(repository="shop", path=path)).text


@pytest.mark.parametrize(
    ("refused", "reason", "allowed"),
    [
        ("CREATE (n)", "WRITES", "MATCH (n:Class) RETURN n.name"),
        ("MATCH (n:Class RETURN n", "SYNTAX", "MATCH (n:Class) RETURN n"),
        ("CALL db.labels()", "PROCEDURE", "MATCH (n) RETURN DISTINCT labels(n)"),
        ("RETURN 'a' =~ '('", "REGULAR_EXPRESSION", "RETURN 'a' =~ '[(]'"),
        ("RETURN 1 + [2] - 'a'", "TYPE_MISMATCH", "RETURN 1 + 2"),
        (" ", "REQUEST_INVALID", "RETURN 1"),
    ],
)
def test_a_refused_query_can_be_corrected(shop_service: Service, refused: str, reason: str, allowed: str) -> None:
    client = shop_service.client()
    found = failure(client.rows, refused)
    assert (found.status, found.reason) == ("INVALID_ARGUMENT", reason), found
    assert count(client, allowed)


def test_a_candidate_of_an_ambiguous_name_is_unambiguous(tmp_path: Path, start_service: StartService) -> None:
    store = tmp_path / "store"
    for folder in ("shop-1.0", "shop-2.0"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "till.py").write_text(TWO_NAMES)
        succeed(store, "index", str(tmp_path / folder))
    client = start_service(store).client()
    newest = client.code.get_tree(code.GetTreeRequest(repository="shop"))
    assert newest.basis.repositories[0].repository == "repositories/shop-2.0"
    ambiguous = failure(client.repositories.delete_repository, DeleteRepositoryRequest(name="repositories/shop"))
    assert ambiguous.reason == "REPOSITORY_AMBIGUOUS", ambiguous
    for id_ in msgspec.json.decode(ambiguous.metadata["candidates"], type=list[str]):
        assert client.code.get_tree(code.GetTreeRequest(repository=id_)).root.children
    ambiguous = failure(client.code.find_duplicates, code.FindDuplicatesRequest(symbol="pay"))
    assert ambiguous.reason == "SYMBOL_AMBIGUOUS", ambiguous
    for id_ in msgspec.json.decode(ambiguous.metadata["candidates"], type=list[str]):
        client.code.find_duplicates(code.FindDuplicatesRequest(symbol=id_))


def test_a_message_of_the_contract_is_read(shop_service: Service) -> None:
    with grpc.insecure_channel(shop_service.address) as channel:
        call = channel.unary_unary("/repoquarry.v1.RepositoryService/ListRepositories", None, None)
        with pytest.raises(grpc.RpcError) as caught:
            call(b"\xff\xff\xff", timeout=60)
        assert from_rpc_error(caught.value, shop_service.address).reason == "MESSAGE_MALFORMED"
        answer = ListRepositoriesResponse.FromString(call(ListRepositoriesRequest().SerializeToString(), timeout=60))
        assert [found.name for found in answer.repositories] == ["repositories/shop"]


def test_a_reader_that_reads_gets_every_row(start_service: StartService, own_store: Path) -> None:
    service = start_service(own_store, REPOQUARRY_SERVER_READER_SECONDS="1")
    with grpc.insecure_channel(service.address) as channel:
        stream = iter(QueryServiceStub(channel).ExecuteCypher(ExecuteCypherRequest(query=LARGE), timeout=300))
        next(stream)
        time.sleep(4)
        with pytest.raises(grpc.RpcError) as caught:
            list(stream)
    assert from_rpc_error(caught.value, service.address, is_stream=True).reason == "READER_TOO_SLOW"
    assert count(service.client(), LARGE) == 9_000
    assert count(service.client(), f"{LARGE} LIMIT 3") == 3


def test_a_query_is_accepted_again_when_queued_ones_have_ended(start_service: StartService, own_store: Path) -> None:
    limits = {"REPOQUARRY_STORE_MAX_QUEUED_QUERIES": "1", "REPOQUARRY_STORE_LIMITS_SECONDS": "5"}
    client = start_service(own_store, **limits).client()
    reasons: list[str] = []

    def ask(number: int) -> None:
        with pytest.raises(RequestError) as caught:
            count(client, f"{ENDLESS} LIMIT {number}")
        reasons.append(caught.value.failure.reason)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert set(reasons) == {"TOO_MANY_QUERIES", "QUERY_LIMIT"}, reasons
    assert count(client) == 1


def test_a_store_of_a_newer_version_is_left_alone(own_store: Path, tmp_path: Path, shop: Path) -> None:
    folder = own_store / FOLDER
    written = catalog.read(folder)
    catalog.write(folder, msgspec.structs.replace(written, version=written.version + 1))
    before = (folder / catalog.FILE_NAME).read_bytes()
    for line in (("list",), ("index", str(shop))):
        done = run_here(own_store, *line)
        assert done.stderr.strip().endswith("(STORE_NEWER)"), done
    assert (folder / catalog.FILE_NAME).read_bytes() == before
    succeed(tmp_path / "another", "index", str(shop))
    succeed(tmp_path / "another", "list")
