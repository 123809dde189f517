"""Work belongs to the token that created it: every method that names a piece of work or lists it, by every kind of token."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor

from repoquarry.client import RequestError
from repoquarry.client.channel_options import from_rpc_error
from repoquarry.server.jobs.database import BATCH, INDEX, PROVISION, TASK, NewWork, StateDatabase
from repoquarry.server.jobs.runner import this_process
from repoquarry.v1 import batch_service_pb2, environment_service_pb2, index_service_pb2, task_service_pb2
from repoquarry.v1.index_service_pb2 import CreateIndexJobRequest, GetIndexJobRequest, IndexSource
from tests.e2e.service import Service, StartService, end, launch

OWNER, OTHER, ADMIN = "token-of-the-owner", "token-of-another", "token-of-an-admin"
FILES = {
    INDEX: index_service_pb2,
    BATCH: batch_service_pb2,
    TASK: task_service_pb2,
    PROVISION: environment_service_pb2,
}
"""Contract of each kind of work."""

COLLECTIONS = {INDEX: "indexJobs", BATCH: "batches", TASK: "tasks", PROVISION: "provisionings"}
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
    state = StateDatabase(store / "state.db")
    creator = "token:" + hashlib.sha256(OWNER.encode()).hexdigest()[:32]
    for kind, collection in COLLECTIONS.items():
        item = NewWork("private", b"", b"", creator) if kind == INDEX else NewWork(creator, b"", b"")
        (work,) = state.create(kind, [item], owner=this_process())
        names[kind] = f"{collection}/{work.id}"
    state.close()
    variables = {
        "REPOQUARRY_AGENT_WORKSPACE_ROOT": str(folder / "workspaces"),
        "REPOQUARRY_SERVER_TOKENS": f"task+index:{OWNER},task+index:{OTHER},admin:{ADMIN}",
    }
    running = launch(store, folder / "serve.log", 0, **variables)
    yield running
    end(running)


@pytest.mark.parametrize(("kind", "name"), sorted(NAMING, key=lambda item: item[1].startswith("Cancel")))
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


def test_a_request_id_gives_nobody_the_job_of_another(start_service: StartService, own_store: Path, shop: Path) -> None:
    tokens = f"index:{OWNER},index:{OTHER}"
    running = start_service(own_store, REPOQUARRY_SERVER_TOKENS=tokens)
    request = CreateIndexJobRequest(sources=[IndexSource(location=str(shop))], request_id="once")
    (job,) = running.client(token=OWNER).index.create_index_job(request).index_jobs
    assert running.client(token=OWNER).index.get_index_job(GetIndexJobRequest(name=job.name)).index_job.name == job.name
    other = running.client(token=OTHER)
    with pytest.raises(RequestError) as repeated:
        other.index.create_index_job(request)
    with pytest.raises(RequestError) as read:
        other.index.get_index_job(GetIndexJobRequest(name=job.name))
    assert (repeated.value.failure.reason, read.value.failure.reason) == ("REQUEST_ID_REUSED", "NOT_OWNER")
