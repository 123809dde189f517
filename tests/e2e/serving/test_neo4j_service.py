"""Services on a real Neo4j: work, a Neo4j that is killed during a write, and two services with data folders of their own."""

import threading
import time
from pathlib import Path

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from neo4j import GraphDatabase

from repoquarry.client import Client, RequestError
from repoquarry.graphstore.model.schema import NODE_LABELS
from repoquarry.graphstore.testing.untrusted_queries import ENDLESS
from repoquarry.v1 import code_service_pb2
from repoquarry.v1.code_service_pb2 import ReadSourceRequest
from repoquarry.v1.index_service_pb2 import (
    IndexJob,
)
from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest
from repoquarry.v1.query_service_pb2_grpc import QueryServiceStub
from repoquarry.v1.repository_service_pb2 import GetRepositoryRequest, ListRepositoriesRequest
from repoquarry.v1.tool_service_pb2 import CallToolRequest
from tests.e2e.rpc_calls import create_job, failure, finish_job, query_rows, stream_job
from tests.e2e.service import SHOP, StartService, big_tree, run_here, wait_until
from tests.neo4j_server import LocalNeo4j, Neo4jServer, empty
from tests.source_trees import write_tree

pytestmark = pytest.mark.neo4j

COUNTS = "MATCH (n) WHERE n.repository = 'big' RETURN labels(n)[0] AS label, count(*) AS n ORDER BY label"
CALLERS = "MATCH (caller)-[c:CALLS]->(callee:Function {name: 'price'}) RETURN caller.id AS caller, c.count AS n ORDER BY caller"


def running_queries(server: Neo4jServer) -> int:
    """How many of the service's supervised queries the server works on."""
    with GraphDatabase.driver(server.uri, auth=server.auth) as driver, driver.session() as session:
        found = session.run(
            "SHOW TRANSACTIONS YIELD metaData WHERE metaData.repoquarry_query IS NOT NULL RETURN count(*) AS n"
        )
        return int(found.single(strict=True)["n"])


@pytest.mark.long
@pytest.mark.slow
def test_a_repository_is_indexed_and_queried_and_a_query_cancelled(
    start_service: StartService, neo4j_instance: Neo4jServer, shop: Path
) -> None:
    empty(neo4j_instance)
    limits = {"REPOQUARRY_STORE_LIMITS_SECONDS": "300"}
    service = start_service(**neo4j_instance.variables, **limits)
    client = service.client()
    assert finish_job(client, create_job(client, shop)).state == IndexJob.STATE_SUCCEEDED
    callers = query_rows(client, CALLERS)
    assert [("shop/till.py::Till.charge" in row, "test_price" in row) for row in callers] == [
        (True, False), (False, False), (False, True),
    ]  # fmt: skip

    with grpc.insecure_channel(service.address) as channel:
        call = QueryServiceStub(channel).ExecuteCypher(ExecuteCypherRequest(query=ENDLESS))
        wait_until(lambda: running_queries(neo4j_instance) == 1)
        call.cancel()  # type: ignore[no-untyped-call]  # grpc has no types of its own
        wait_until(lambda: running_queries(neo4j_instance) == 0, 30.0)  # far below the time limit of the query
    assert query_rows(client, CALLERS) == callers


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("transaction_rows", ["1000000", "0"])
def test_neo4j_killed_while_a_job_writes(
    start_service: StartService, own_neo4j: LocalNeo4j, tmp_path: Path, transaction_rows: str
) -> None:
    """Killed in the one transaction of a small write, and in the preparing of a large one: the job says why it failed."""
    variables = {
        **own_neo4j.server.variables,
        "REPOQUARRY_STORE_NEO4J_TRANSACTION_ROWS": transaction_rows,
        "REPOQUARRY_STORE_NEO4J_CONNECT_SECONDS": "5",
    }
    service = start_service(**variables)
    client = service.client()
    folder = big_tree(tmp_path / "big", 4)
    assert finish_job(client, create_job(client, folder)).state == IndexJob.STATE_SUCCEEDED
    before = stored(client)

    big_tree(folder, 100)
    job = create_job(client, folder)
    for event in stream_job(client, job):
        assert not event.HasField("report"), "the job ended before Neo4j was killed"
        if event.progress.stage == "write":
            own_neo4j.kill()
            break
    ended = finish_job(client, job)
    assert (ended.state, ended.error.reason) == (IndexJob.STATE_FAILED, "ENGINE_UNAVAILABLE")
    assert "Neo4j" in ended.error.message
    found = failure(query_rows, client, COUNTS)
    assert (found.status, found.reason) == ("UNAVAILABLE", "ENGINE_UNAVAILABLE")

    own_neo4j.start()
    assert stored(client) == before  # through the server that was there all the time
    again = finish_job(client, create_job(client, folder))
    assert (again.state, again.report.files) == (IndexJob.STATE_SUCCEEDED, 101)
    assert stored(client) != before
    assert not unfinished(own_neo4j.server), "what the killed write had prepared is still there"


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_neo4j_disappears_and_comes_back_under_load(
    start_service: StartService, own_neo4j: LocalNeo4j, shop: Path
) -> None:
    """Twelve clients query all the time: while Neo4j is away each is told so soon, and then each gets its rows again."""
    service = start_service(**own_neo4j.server.variables, REPOQUARRY_STORE_NEO4J_CONNECT_SECONDS="3")
    client = service.client()
    assert finish_job(client, create_job(client, shop)).state == IndexJob.STATE_SUCCEEDED
    expected = query_rows(client, CALLERS)
    answers: list[tuple[str, str, float]] = []
    """Phase at the start of a request, its outcome, and its seconds."""
    phase, is_over = ["up"], threading.Event()

    def ask(own: Client) -> None:
        while not is_over.is_set():
            before, start = phase[0], time.monotonic()
            try:
                outcome = "right" if query_rows(own, CALLERS) == expected else "wrong"
            except RequestError as error:
                outcome = error.failure.reason
            answers.append((before, outcome, time.monotonic() - start))

    askers = [threading.Thread(target=ask, args=(service.client(),)) for _ in range(12)]
    for asker in askers:
        asker.start()
    for away in range(3):
        wait_until(lambda: sum(one[:2] == (phase[0], "right") for one in answers) > 24)
        phase[0] = f"away {away}"
        own_neo4j.kill()
        phase[0] = f"gone {away}"
        wait_until(lambda: sum(one[0] == phase[0] for one in answers) > 24)
        phase[0] = f"starting {away}"
        own_neo4j.start()
        phase[0] = f"up {away}"
    wait_until(lambda: sum(one[:2] == (phase[0], "right") for one in answers) > 24)
    is_over.set()
    for asker in askers:
        asker.join(60)
    assert {outcome for _, outcome, _ in answers} == {"right", "ENGINE_UNAVAILABLE"}
    assert {outcome for named, outcome, _ in answers if named.startswith("gone")} == {"ENGINE_UNAVAILABLE"}
    assert max(seconds for named, _, seconds in answers if named.startswith("gone")) < 30
    assert "Traceback" not in service.log.read_text()
    assert query_rows(client, CALLERS) == expected
    wait_until(lambda: running_queries(own_neo4j.server) == 0)


def stored(client: Client) -> tuple[str, str, list[str]]:
    """The revision, the source text and the counts of `big`, as the service answers them."""
    revision = client.repositories.get_repository(GetRepositoryRequest(name="big")).repository.revision
    text = client.code.read_source(ReadSourceRequest(repository="big", path="big/m1.py")).text
    return revision, text, query_rows(client, COUNTS)


def unfinished(server: Neo4jServer) -> list[str]:
    """Labels of nodes that only a write in progress has: those outside the schema."""
    with GraphDatabase.driver(server.uri) as driver, driver.session() as session:
        found = session.run("MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label ORDER BY label")
        return [str(row["label"]) for row in found if row["label"] not in NODE_LABELS]


METHODS = code_service_pb2.DESCRIPTOR.services_by_name["CodeService"].methods
_VALUES = {"repository": "far", "before": "far", "after": "far", "path": "shop/till.py"}
_LEFT_OUT = ("patch", "range", "page_token")
_TEXTS = {"Search", "Locate", "ReadSource", "ListOwners", "BuildContext"}
"""Methods that need texts, a search index or git's history."""


def request_for(message: type[Message]) -> Message:
    made = message()
    for field in message.DESCRIPTOR.fields:
        if field.name == "repositories":
            getattr(made, field.name).append("far")
        elif field.name == "symbols":
            getattr(made, field.name).append("price")
        elif field.name in ("kind", "direction"):
            setattr(made, field.name, 1)
        elif field.type == FieldDescriptor.TYPE_STRING and not field.is_repeated and field.name not in _LEFT_OUT:
            setattr(made, field.name, _VALUES.get(field.name, "price"))
    return made


@pytest.mark.slow
def test_each_service_says_what_it_can_serve(
    start_service: StartService, neo4j_instance: Neo4jServer, tmp_path: Path
) -> None:
    empty(neo4j_instance)
    variables = neo4j_instance.variables
    for name in ("near", "far"):
        source = write_tree(tmp_path / "sources" / name, SHOP)
        assert run_here(tmp_path / name, "index", str(source), **variables).returncode == 0
    near, far = (start_service(tmp_path / name, **variables) for name in ("near", "far"))
    ours = near.client()
    listed = ours.repositories.list_repositories(ListRepositoriesRequest()).repositories
    folders = {item.name: item.data_folder.partition(":")[2] for item in listed}
    assert folders == {"repositories/far": str(tmp_path / "far"), "repositories/near": ""}
    refused = {
        method.name: reason(ours, method.name, request_for(GetMessageClass(method.input_type))) for method in METHODS
    }
    assert refused == {method.name: "TEXTS_ELSEWHERE" if method.name in _TEXTS else "" for method in METHODS}
    theirs = far.client()
    assert {reason(theirs, method.name, request_for(GetMessageClass(method.input_type))) for method in METHODS} == {""}
    found = ours.code.search(code_service_pb2.SearchRequest(query="price"))
    assert {hit.entity.repository for hit in found.hits} == {"repositories/near"}
    assert list(found.basis.notes) == ["texts of other data folders are skipped: far"]
    ran = ours.tools.call_tool(CallToolRequest(tool="search", arguments='{"text": "price"}'))
    assert {place.repository for place in ran.places} == {"repositories/near"}
    shown = run_here(tmp_path / "none", "list", "--server", near.address)
    assert f"elsewhere: the texts of far are in the data folder {listed[0].data_folder}" in shown.stderr


def reason(client: Client, method: str, request: Message) -> str:
    """Reason of the refusal of a call; empty for an answer."""
    name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in method).lstrip("_")
    try:
        getattr(client.code, name)(request)
    except RequestError as error:
        return error.failure.reason
    return ""
