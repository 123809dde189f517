"""Environments are made over the service: reported step by step, shared by equal requests, each provisioning its owner's."""

import json
from pathlib import Path

import pytest

from repoquarry.client import Client
from repoquarry.v1.environment_service_pb2 import (
    CancelProvisioningRequest,
    CreateProvisioningRequest,
    DeleteEnvironmentRequest,
    Environment,
    GetProvisioningRequest,
    ListEnvironmentsRequest,
    ListProvisioningsRequest,
    ProvisionedEnvironment,
    Provisioning,
    ProvisioningEvent,
    ProvisioningSpec,
    StreamProvisioningEventsRequest,
)
from tests.e2e.rpc_calls import failure
from tests.e2e.service import StartService, long_token, repoquarry, run_here, succeed
from tests.integration.agent.wheels import add_wheel
from tests.source_trees import write_tree

WAITING_BUILD = """
import os, time, zipfile
def build_editable(folder, config_settings=None, metadata_directory=None):
    open({begun!r}, "w").close()
    while not os.path.exists({gate!r}):
        time.sleep(0.05)
    file = "page-1.0-py3-none-any.whl"
    with zipfile.ZipFile(f"{{folder}}/{{file}}", "w") as archive:
        archive.writestr("page-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: page\\nVersion: 1.0\\n")
        archive.writestr("page-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        archive.writestr("page-1.0.dist-info/RECORD", "")
    return file
build_wheel = build_editable
"""


def indexed(tmp_path: Path, files: dict[str, str]) -> tuple[Path, dict[str, str]]:
    """A store with the repository `page`, and the settings of a server that installs from a folder of wheels."""
    index = tmp_path / "index"
    index.mkdir()
    add_wheel(index, "Jinja2", "3.0", {"jinja2.py": "escape = str\n"})
    add_wheel(index, "Jinja2", "3.1", {"jinja2.py": "Template = str\n"})
    store = tmp_path / "store"
    done = repoquarry(store, "index", str(write_tree(tmp_path / "page", files)))
    assert done.returncode == 0, done.stderr
    return store, {
        "REPOQUARRY_AGENT_WORKSPACE_ROOT": str(tmp_path / "work"),
        "REPOQUARRY_AGENT_WORKSPACE_ISOLATION": "none",
        "REPOQUARRY_AGENT_WORKSPACE_INSTALL_HOSTS": "",
        "REPOQUARRY_AGENT_ENVIRONMENT_INDEX": f"file://{index}",
    }


PAGE = {"requirements.txt": "jinja2\n", "page.py": "from jinja2 import escape\n"}


def create(client: Client, request_id: str = "", **fields: object) -> Provisioning:
    spec = ProvisioningSpec(repository="page", **fields)  # type: ignore[arg-type]
    request = CreateProvisioningRequest(spec=spec, request_id=request_id)
    return client.environments.create_provisioning(request).provisioning


def follow(client: Client, name: str) -> list[ProvisioningEvent]:
    request = StreamProvisioningEventsRequest(name=name)
    return [part.event for part in client.environments.stream_provisioning_events(request)]


def got(client: Client, name: str) -> Provisioning:
    return client.environments.get_provisioning(GetProvisioningRequest(name=name)).provisioning


def test_steps_repairs_and_result_are_reported_and_result_is_cached(
    start_service: StartService, tmp_path: Path
) -> None:
    store, settings = indexed(tmp_path, PAGE)
    service = start_service(store, **settings)
    client = service.client()
    asked = create(client, "one")
    assert create(client, "one").name == asked.name
    events = follow(client, asked.name)
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert {event.step.stage for event in events if event.HasField("step")} >= {"read", "resolve", "check", "repair"}
    tried = [repair for event in events for repair in event.step.repairs]
    assert any(repair.kind == "known_break" and repair.change == "jinja2<3.1" and repair.reason for repair in tried)
    ended = got(client, asked.name)
    assert ended.state == Provisioning.STATE_SUCCEEDED, ended.error
    assert ended.result.state == ProvisionedEnvironment.STATE_READY, ended.result.missing
    assert "jinja2==3.0" in ended.result.packages
    assert any(repair.kind == "known_break" for repair in ended.result.repairs)
    assert all(not item.error for item in ended.result.imports)
    assert [event.result for event in events if event.HasField("result")] == [ended.result]
    assert str(tmp_path) not in str(ended), "places on the server's disk are its own affair"

    again = create(client)
    follow(client, again.name)
    found = got(client, again.name).result
    assert (found.cached, found.environment) == (True, ended.result.environment)
    listed = client.environments.list_provisionings(ListProvisioningsRequest(page_size=1))
    assert [item.name for item in listed.provisionings] == [again.name]
    rest = client.environments.list_provisionings(
        ListProvisioningsRequest(page_size=1, page_token=listed.next_page_token)
    )
    assert ([item.name for item in rest.provisionings], rest.next_page_token) == ([asked.name], "")

    command = succeed(store, "provision", "--repository", "page", "--server", service.address, "--json")
    assert json.loads(command.stdout)["result"]["cached"] is True
    assert " read: " in command.stderr


def test_a_provisioning_without_an_environment_has_failed(start_service: StartService, tmp_path: Path) -> None:
    store, settings = indexed(tmp_path, {"requirements.txt": "jinja2==9.9\n", "page.py": "from jinja2 import escape\n"})
    service = start_service(store, **settings, REPOQUARRY_AGENT_ENVIRONMENT_ATTEMPTS="1")
    client = service.client()
    asked = create(client)
    events = follow(client, asked.name)
    ended = got(client, asked.name)
    assert (ended.state, ended.error.reason) == (Provisioning.STATE_FAILED, "ENVIRONMENT_UNAVAILABLE"), ended
    assert ended.result.state == ProvisionedEnvironment.STATE_FAILED
    assert ended.result.missing
    assert events[-1].state_changed.state == Provisioning.STATE_FAILED
    command = run_here(store, "provision", "--repository", "page", "--server", service.address)
    assert (command.returncode, command.stdout.startswith("failed: ")) == (9, True), command.stderr


def kept(client: Client) -> list[Environment]:
    return list(client.environments.list_environments(ListEnvironmentsRequest()).environments)


def test_environments_are_listed_for_all_and_deleted_by_their_creator(
    start_service: StartService, tmp_path: Path
) -> None:
    store, settings = indexed(tmp_path, PAGE)
    tokens = ",".join(map(long_token, ("task:mine", "task:yours", "read:reader", "chief")))
    service = start_service(store, **settings, REPOQUARRY_SERVER_TOKENS=tokens)
    mine, yours, chief, reader = (
        service.client(token=long_token(name)) for name in ("mine", "yours", "chief", "reader")
    )
    assert kept(mine) == []
    follow(mine, create(mine).name)
    follow(yours, create(yours).name)  # finds it made
    (found,) = kept(mine)
    assert (found.repository, found.language, found.packages) == ("repositories/page", "python", 1)
    assert found.size_bytes > 0
    assert found.use_time.seconds >= found.create_time.seconds > 0
    assert (found.own, found.in_use) == (True, False)
    assert [(item.own, item.owner) for item in kept(yours)] == [(False, "")]
    assert [(item.own, item.owner) for item in kept(chief)] == [(True, found.owner)]
    delete = DeleteEnvironmentRequest(name=found.name)
    for client, expected in ((yours, "NOT_OWNER"), (reader, "PERMISSION_DENIED")):
        refusal = failure(client.environments.delete_environment, delete)
        assert expected in (refusal.reason, refusal.status)

    folder = tmp_path / "work" / ".environments" / found.name.partition("/")[2]
    (folder / "holders").write_text(f"{tmp_path}\n", encoding="utf-8")  # a task whose files are kept
    assert kept(mine)[0].in_use
    assert failure(mine.environments.delete_environment, delete).reason == "ENVIRONMENT_IN_USE"
    (folder / "holders").unlink()

    command = ["provision", "--server", service.address, "--token", long_token("mine"), "--json"]
    listed = json.loads(run_here(store, *command, "--list").stdout)["environments"]
    assert [(row["repository"], row["path"], row["in_use"]) for row in listed] == [("page", "", False)]
    done = succeed(store, *command, "--remove", listed[0]["name"])
    assert json.loads(done.stdout) == {"environments": []}
    assert not folder.exists()
    for name, expected in (
        (found.name, "ENVIRONMENT_NOT_FOUND"),
        ("environments/..", "ENVIRONMENT_NOT_FOUND"),
        ("x", "REQUEST_INVALID"),
    ):
        assert failure(mine.environments.delete_environment, DeleteEnvironmentRequest(name=name)).reason == expected


def test_what_cannot_be_provisioned_is_refused(start_service: StartService, tmp_path: Path) -> None:
    store, settings = indexed(tmp_path, PAGE)
    service = start_service(store, **settings)
    client = service.client()
    for spec, expected in (
        (ProvisioningSpec(repository="absent"), "REPOSITORY_NOT_FOUND"),
        (ProvisioningSpec(repository="page", date="tomorrow"), "REQUEST_INVALID"),
    ):
        assert failure(client.environments.create_provisioning, CreateProvisioningRequest(spec=spec)).reason == expected
    assert failure(got, client, "provisionings/absent").reason == "PROVISIONING_NOT_FOUND"
    assert not client.environments.list_provisionings(ListProvisioningsRequest()).provisionings
    assert service.stop() == 0
    del settings["REPOQUARRY_AGENT_WORKSPACE_ROOT"]
    service = start_service(store, **settings)
    assert failure(create, service.client()).reason == "TASK_INVALID"
    assert service.stop() == 0
    unisolated = {
        "REPOQUARRY_AGENT_WORKSPACE_ISOLATION": "container",
        "REPOQUARRY_AGENT_WORKSPACE_CONTAINER_IMAGE": "repoquarry.invalid/absent",
    }
    refused = run_here(store, "provision", "--repository", "page", "--json", **unisolated)
    assert refused.returncode != 0
    assert "ISOLATION_UNAVAILABLE" in refused.stderr


@pytest.mark.slow
def test_a_server_killed_in_the_middle_begins_it_again_and_a_cancelled_one_ends(
    start_service: StartService, tmp_path: Path
) -> None:
    begun, gate = tmp_path / "begun", tmp_path / "gate"
    project = '[project]\nname = "page"\nversion = "1.0"\n[build-system]\nrequires = []\nbuild-backend = "backend"\n'
    files = {
        "pyproject.toml": project + 'backend-path = ["."]\n',
        "backend.py": WAITING_BUILD.format(begun=str(begun), gate=str(gate)),
        "page/__init__.py": "",
    }
    store, settings = indexed(tmp_path, files)
    service = start_service(store, **settings)
    client = service.client(resume_seconds=0.0)
    asked = create(client)
    stages = client.environments.stream_provisioning_events(StreamProvisioningEventsRequest(name=asked.name))
    next(part for part in stages if part.event.step.stage == "project")
    service.kill()
    client = start_service(store, **settings).client()
    gate.touch()
    follow(client, asked.name)
    ended = got(client, asked.name)
    assert (ended.state, ended.attempts) == (Provisioning.STATE_SUCCEEDED, 2), ended.error
    assert ended.result.state == ProvisionedEnvironment.STATE_READY, ended.result.missing

    gate.unlink()
    held = create(client, tests=True, date="newest")
    stages = client.environments.stream_provisioning_events(StreamProvisioningEventsRequest(name=held.name))
    next(part for part in stages if part.event.step.stage == "project")
    client.environments.cancel_provisioning(CancelProvisioningRequest(name=held.name))
    follow(client, held.name)
    assert got(client, held.name).state == Provisioning.STATE_CANCELLED
