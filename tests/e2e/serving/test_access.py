"""Access: tokens, TLS, addresses that need a token, scopes, and work that belongs to its creator."""

import hashlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from repoquarry.client import Client, RequestError
from repoquarry.client.channel_options import from_rpc_error
from repoquarry.server.jobs.database import BATCH, INDEX, PROVISION, TASK, NewWork
from repoquarry.v1 import batch_service_pb2, environment_service_pb2, index_service_pb2, task_service_pb2
from repoquarry.v1.code_service_pb2 import ListRelationsRequest, SearchRequest
from repoquarry.v1.index_service_pb2 import (
    CreateIndexJobRequest,
    GetIndexJobRequest,
    IndexSource,
    ListIndexJobsRequest,
    StreamIndexEventsRequest,
)
from repoquarry.v1.repository_service_pb2 import DeleteRepositoryRequest, ListRepositoriesRequest
from repoquarry.v1.task_service_pb2 import ListTasksRequest
from tests.e2e.conftest import Certificates
from tests.e2e.rpc_calls import failure, queue_work
from tests.e2e.service import Service, StartService, end, launch, long_token, run_here


def listed(client: Client) -> int:
    return len(client.repositories.list_repositories(ListRepositoriesRequest()).repositories)


def refusal(client: Client) -> tuple[str, str]:
    found = failure(listed, client)
    return found.status, found.reason


def serving(service: Service) -> bool:
    with grpc.insecure_channel(service.address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        answer = stub.Check(health_pb2.HealthCheckRequest(service="repoquarry.v1.QueryService"), timeout=300)
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def test_tokens(start_service: StartService, own_store: Path) -> None:
    service = start_service(own_store, REPOQUARRY_SERVER_TOKENS="the-first-token-1,the-second-token")
    assert refusal(service.client()) == ("UNAUTHENTICATED", "TOKEN_MISSING")
    assert refusal(service.client(token="wrong")) == ("UNAUTHENTICATED", "TOKEN_WRONG")
    assert refusal(service.client(token="the-first-token-")) == ("UNAUTHENTICATED", "TOKEN_WRONG")
    assert listed(service.client(token="the-first-token-1")) == listed(service.client(token="the-second-token")) == 1
    assert (
        failure(service.client().index.stream_index_events, StreamIndexEventsRequest(name="indexJobs/x")).reason
        == "TOKEN_MISSING"
    )
    assert serving(service)  # health needs none
    assert "the-first-token" not in service.log.read_text()

    done = run_here(own_store, "list", "--server", service.address, "--token", "wrong")
    assert done.returncode == 4
    assert done.stderr == "error: the bearer token is not one of this server's (TOKEN_WRONG)\n"
    given = {"REPOQUARRY_CLIENT_SERVER": service.address, "REPOQUARRY_CLIENT_TOKEN": "the-first-token-1"}
    assert "shop" in run_here(own_store, "list", **given).stdout


def test_other_machines_are_not_served_without_a_token(own_store: Path) -> None:
    for listen in ("0.0.0.0:0", "[::]:0", "example.org:0"):
        done = run_here(own_store, "serve", "--listen", listen)
        assert done.returncode == 5
        assert "no token is set" in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_token_may_do_what_its_scopes_say(start_service: StartService, own_store: Path) -> None:
    tokens = ",".join(map(long_token, ("read:looks", "task+read:asks", "index:indexes", "admin:rules", "everything")))
    service = start_service(own_store, REPOQUARRY_SERVER_TOKENS=tokens)

    def code(token: str, call: Callable[[Client], object]) -> str:
        try:
            call(service.client(token=long_token(token)))
        except RequestError as exc:
            return exc.failure.reason
        return "OK"

    calls: dict[str, Callable[[Client], object]] = {
        "read": listed,
        "task": lambda client: client.tasks.list_tasks(ListTasksRequest()),
        "index": lambda client: client.index.list_index_jobs(ListIndexJobsRequest()),
        "admin": lambda client: client.repositories.delete_repository(
            DeleteRepositoryRequest(name="repositories/absent")
        ),
    }
    allowed = {
        "looks": {"read"}, "asks": {"read", "task"}, "indexes": {"index"}, "rules": set(calls), "everything": set(calls),
    }  # fmt: skip
    for token, scopes in allowed.items():
        for scope, call in calls.items():
            assert (code(token, call) == "SCOPE_MISSING") is (scope not in scopes), (token, scope)
    stream = StreamIndexEventsRequest(name="indexJobs/x")
    assert code("looks", lambda client: list(client.index.stream_index_events(stream))) == "SCOPE_MISSING"
    done = run_here(own_store, "delete", "shop", "--yes", "--server", service.address, "--token", long_token("looks"))
    assert done.returncode == 4
    assert "may not call DeleteRepository, which asks for the scope 'admin' (SCOPE_MISSING)" in done.stderr


def test_a_malformed_message_is_the_callers_mistake_and_one_line(start_service: StartService, own_store: Path) -> None:
    service = start_service(own_store)
    methods = ("RepositoryService/ListRepositories", "QueryService/ExecuteCypher", "IndexService/StreamIndexEvents")
    raw: Any = {"request_serializer": None, "response_deserializer": None}
    with grpc.insecure_channel(service.address) as channel:
        for name in methods:
            streams = channel.unary_stream(f"/repoquarry.v1.{name}", **raw)
            single = channel.unary_unary(f"/repoquarry.v1.{name}", **raw)
            with pytest.raises(grpc.RpcError) as caught:
                single(b"\x0a\xff\xff", timeout=300) if "List" in name else list(streams(b"\x0a\xff\xff", timeout=10))
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT, name
    log = service.log.read_text()
    assert log.count("request_malformed") == len(methods)
    assert log[log.index("request_malformed") :].count("\n") == len(methods), log  # and nothing between them
    assert "Traceback" not in log


def test_a_choice_that_the_contract_lacks_is_the_callers_mistake(start_service: StartService, own_store: Path) -> None:
    """In whichever method: before, each lookup of such a number was a failure of the server with a traceback in its log."""
    service = start_service(own_store)
    client = service.client()
    calls: list[Callable[[], object]] = [
        lambda: client.code.search(SearchRequest(query="x", mode=99)),  # type: ignore[arg-type]
        lambda: client.code.list_relations(ListRelationsRequest(symbol="x", kind=99)),  # type: ignore[arg-type]
        lambda: client.index.list_index_jobs(ListIndexJobsRequest(states=[99])),  # type: ignore[list-item]
        lambda: client.tasks.list_tasks(ListTasksRequest(states=[99])),  # type: ignore[list-item]
    ]
    for call in calls:
        found = failure(call)
        assert found.reason == "REQUEST_INVALID"
        assert "99 is not a value of" in found.message
    assert "Traceback" not in service.log.read_text()


def test_tls(
    start_service: StartService, own_store: Path, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "REPOQUARRY_SERVER_TLS_CERTIFICATE": str(certificates["server"]),
        "REPOQUARRY_SERVER_TLS_KEY": str(certificates["server.key"]),
    }
    service = start_service(own_store, **files)
    assert listed(service.client(certificate=certificates["authority"])) == 1
    assert refusal(service.client(seconds=5.0)) == ("UNAVAILABLE", "SERVER_UNREACHABLE")
    assert refusal(service.client(seconds=5.0, tls=True)) == ("UNAVAILABLE", "SERVER_UNREACHABLE")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates["authority"]))  # what the machine trusts, as OpenSSL finds it
    assert listed(service.client(tls=True)) == 1
    assert "shop" in run_here(own_store, "list", "--server", service.address, "--tls").stdout


def test_mutual_tls(start_service: StartService, own_store: Path, certificates: Certificates) -> None:
    files = {
        "REPOQUARRY_SERVER_TLS_CERTIFICATE": str(certificates["server"]),
        "REPOQUARRY_SERVER_TLS_KEY": str(certificates["server.key"]),
        "REPOQUARRY_SERVER_TLS_CLIENT_CA": str(certificates["authority"]),
    }
    service = start_service(own_store, **files)
    trusted = {"certificate": certificates["authority"], "seconds": 5.0}
    shown = {"client_certificate": certificates["client"], "client_key": certificates["client.key"]}
    assert listed(service.client(**trusted, **shown)) == 1
    assert refusal(service.client(**trusted)) == ("UNAVAILABLE", "SERVER_UNREACHABLE")
    for name in ("stranger", "expired"):
        refused = {"client_certificate": certificates[name], "client_key": certificates[f"{name}.key"]}
        assert refusal(service.client(**trusted, **refused)) == ("UNAVAILABLE", "SERVER_UNREACHABLE")
    assert listed(service.client(**trusted, **shown)) == 1
    assert "Traceback" not in service.log.read_text()


def test_reflection_names_every_service(shop_service: Service) -> None:
    with grpc.insecure_channel(shop_service.address) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        answer = next(stub.ServerReflectionInfo(iter([request]), timeout=300))
    names = {service.name for service in answer.list_services_response.service}
    assert names >= {
        "repoquarry.v1.IndexService",
        "repoquarry.v1.BatchService",
        "repoquarry.v1.RepositoryService",
        "repoquarry.v1.QueryService",
        "repoquarry.v1.CodeService",
        "repoquarry.v1.TaskService",
        "grpc.health.v1.Health",
    }


def test_a_stopped_server_ends_in_order(start_service: StartService, own_store: Path) -> None:
    service = start_service(own_store)
    assert listed(service.client()) == 1
    assert service.stop() == 0
    assert "Traceback" not in service.log.read_text()


OWNER, OTHER, ADMIN = "token-of-the-owner", "token-of-another", "token-of-an-admin"
FILES = {INDEX: index_service_pb2, BATCH: batch_service_pb2, TASK: task_service_pb2, PROVISION: environment_service_pb2}
"""Contract of each kind of work."""

SHARED = {"DeleteEnvironment", "ListEnvironments"}
"""Methods that name or list environments, which all tasks share: `test_environment_service.py` holds their rule."""


def _methods(field: str) -> list[tuple[str, str]]:
    """Kind of work and name of every method whose request has a field."""
    return [
        (kind, method.name)
        for kind, file in FILES.items()
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
        if field in method.input_type.fields_by_name and method.name not in SHARED
    ]


NAMING = _methods("name")
_CANCELLING_LAST = sorted(NAMING, key=lambda method: method[1].startswith("Cancel"))
LISTING = [(kind, name) for kind, name in _methods("page_size") if (kind, name) not in NAMING]


def _descriptor(kind: str, name: str) -> MethodDescriptor:
    (service,) = FILES[kind].DESCRIPTOR.services_by_name.values()
    return service.methods_by_name[name]


def _call(service: Service, kind: str, method_name: str, token: str, **fields: object) -> Any:
    """The answer of one method, or the first part of its stream. Raises: RequestError."""
    method, file = _descriptor(kind, method_name), FILES[kind]
    request = getattr(file, method.input_type.name)(**fields)
    path = f"/{method.containing_service.full_name}/{method_name}"
    read = getattr(file, method.output_type.name).FromString
    with grpc.insecure_channel(service.address) as channel:
        kinds: Any = channel.unary_stream if method.server_streaming else channel.unary_unary
        call = kinds(path, request_serializer=type(request).SerializeToString, response_deserializer=read)
        try:
            answer = call(request, timeout=60, metadata=(("authorization", f"Bearer {token}"),))
            return next(answer) if method.server_streaming else answer
        except grpc.RpcError as exc:
            raise RequestError(from_rpc_error(exc, service.address)) from exc


def _outcome(service: Service, kind: str, method_name: str, token: str, **fields: object) -> str:
    try:
        _call(service, kind, method_name, token, **fields)
    except RequestError as exc:
        return exc.failure.reason
    return "OK"


@pytest.fixture(scope="module")
def names() -> dict[str, str]:
    """Name of a piece of work of each kind, filled by `service`."""
    return {}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, shop_store: Path, names: dict[str, str]) -> Iterator[Service]:
    """A server whose store holds queued work of the owner, which belongs to this process and so is never run."""
    folder = tmp_path_factory.mktemp("ownership")
    store = Path(shutil.copytree(shop_store, folder / "store"))
    creator = "token:" + hashlib.sha256(OWNER.encode()).hexdigest()[:32]
    works = {kind: NewWork(creator, b"", b"") for kind in FILES} | {INDEX: NewWork("private", b"", b"", creator)}
    names.update(queue_work(store, works))
    variables = {
        "REPOQUARRY_AGENT_WORKSPACE_ROOT": str(folder / "workspaces"),
        "REPOQUARRY_SERVER_TOKENS": f"task+index:{OWNER},task+index:{OTHER},admin:{ADMIN}",
    }
    running = launch(store, folder / "serve.log", 0, **variables)
    yield running
    end(running)


@pytest.mark.parametrize(("kind", "name"), _CANCELLING_LAST)
def test_work_is_named_by_its_creator_and_by_administrators(
    service: Service, names: dict[str, str], kind: str, name: str
) -> None:
    found = {token: _outcome(service, kind, name, token, name=names[kind]) for token in (OTHER, OWNER, ADMIN)}
    print(f"{name:<26} other {found[OTHER]:<12} owner {found[OWNER]:<14} admin {found[ADMIN]}")
    assert found[OTHER] == "NOT_OWNER"
    for token in (OWNER, ADMIN):
        assert found[token] not in ("NOT_OWNER", "SCOPE_MISSING", "TOKEN_WRONG", "INTERNAL"), found
        assert not found[token].endswith("_NOT_FOUND") or found[token] == "FILE_NOT_FOUND", found


@pytest.mark.parametrize(("kind", "name"), LISTING)
def test_lists_hold_what_the_token_created(service: Service, names: dict[str, str], kind: str, name: str) -> None:
    def listed(token: str) -> list[str]:
        answer = _call(service, kind, name, token)
        (items,) = (value for field, value in answer.ListFields() if field.name != "next_page_token")
        return [item.name for item in items]

    assert listed(OWNER) == [names[kind]]
    assert names[kind] in listed(ADMIN)
    with pytest.raises(ValueError, match="unpack"):
        listed(OTHER)  # an empty answer has no list


def test_the_methods_are_those_of_the_contract() -> None:
    assert {kind for kind, _ in NAMING} == {kind for kind, _ in LISTING} == set(FILES)
    assert {name for _, name in NAMING} >= {"GetTask", "CancelIndexJob", "ListBatchOutcomes", "StreamTaskEvents"}


def test_request_id_does_not_reveal_jobs_of_others(start_service: StartService, own_store: Path, shop: Path) -> None:
    tokens = f"index:{OWNER},index:{OTHER}"
    running = start_service(own_store, REPOQUARRY_SERVER_TOKENS=tokens)
    request = CreateIndexJobRequest(sources=[IndexSource(location=str(shop))], request_id="once")
    (job,) = running.client(token=OWNER).index.create_index_job(request).index_jobs
    assert running.client(token=OWNER).index.get_index_job(GetIndexJobRequest(name=job.name)).index_job.name == job.name
    other = running.client(token=OTHER)
    assert failure(other.index.create_index_job, request).reason == "REQUEST_ID_REUSED"
    assert failure(other.index.get_index_job, GetIndexJobRequest(name=job.name)).reason == "NOT_OWNER"
