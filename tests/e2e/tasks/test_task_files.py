"""Files go in and come out over the service: uploads, the workspace while and after a task, whose it is, and its end."""

import hashlib
import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from repoquarry.client import Client, ClientSettings, RequestError
from repoquarry.v1.task_service_pb2 import (
    CancelTaskRequest,
    CreateTaskRequest,
    DeleteTaskFilesRequest,
    GetTaskRequest,
    ListTaskFilesRequest,
    ReadTaskFileRequest,
    StreamTaskEventsRequest,
    Task,
    TaskEvent,
    TaskInput,
    TaskSpec,
    UploadHeader,
    UploadTaskInputRequest,
)
from tests.e2e.rpc_calls import failure
from tests.e2e.service import Service, StartService, long_token, repoquarry, run_here, run_json, succeed, wait_until
from tests.scripted_chat import Reply, ScriptedChat, scripted_chat

BIG = bytes(range(256)) * 8_000  # 2 MB: many parts each way
COMMAND = (
    "cat inputs/words.txt && cp inputs/sub/big.bin outputs/copy.bin && ls shop && ln -s /etc/passwd outputs/link"
    " && i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; mkdir -p outputs/deep; echo done > outputs/deep/note.txt"
)
WORK = (
    Reply(calls=[("checkout", {"repository": "shop"})]),
    Reply(calls=[("run_command", {"command": COMMAND})]),
    Reply(calls=[("finish", {"text": "It is done."})]),
)


def variables(chat: ScriptedChat | None, root: Path, **more: str) -> dict[str, str]:
    """Settings of a server with workspaces and the scripted model; without one, the address of a model that never answers."""
    options = {"base_url": chat.base_url if chat is not None else "http://127.0.0.1:9/v1", "api_key": "none"}
    return {
        "REPOQUARRY_AGENT_WORKSPACE_ROOT": str(root),
        "REPOQUARRY_AGENT_WORKSPACE_ISOLATION": "none",
        "REPOQUARRY_AGENT_MODEL_NAME": "openai:scripted",
        "REPOQUARRY_AGENT_MODEL_OPTIONS": json.dumps(options),
        "REPOQUARRY_AGENT_MODEL_ATTEMPTS": "1",
        **more,
    }


def spec(**fields: Any) -> TaskSpec:
    return TaskSpec(
        text="Copy the file.", repositories=["shop"], policy="chat", workspace=True, auto_approve=True, **fields
    )


def create(client: Client, asked: TaskSpec) -> Task:
    return client.tasks.create_task(CreateTaskRequest(spec=asked)).task


def follow(client: Client, task: Task) -> list[TaskEvent]:
    parts = client.tasks.stream_task_events(StreamTaskEventsRequest(name=task.name))
    return [part.event for part in parts]


def ended(client: Client, task: Task) -> Task:
    follow(client, task)
    return client.tasks.get_task(GetTaskRequest(name=task.name)).task


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("some words\n")
    return path


@pytest.fixture
def big(tmp_path: Path) -> Path:
    path = tmp_path / "big.bin"
    path.write_bytes(BIG)
    return path


def test_files_go_in_and_come_out(
    start_service: StartService, own_store: Path, tmp_path: Path, words: Path, big: Path
) -> None:
    root = tmp_path / "work"
    with scripted_chat(*WORK) as chat:
        client = start_service(own_store, **variables(chat, root)).client()
        inputs = [client.upload(words), client.upload(big)]
        inputs[1].path = "sub/big.bin"
        task = create(client, spec(inputs=inputs))
        events = follow(client, task)
        task = ended(client, task)
    assert task.state == Task.STATE_SUCCEEDED, task.error
    assert [(file.path, file.size) for file in task.answer.files] == [
        ("outputs/copy.bin", len(BIG)),
        ("outputs/deep/note.txt", 5),
    ]
    assert task.answer.files[0].sha256 == hashlib.sha256(BIG).hexdigest()
    (command,) = [event.command_ended for event in events if event.HasField("command_ended")]
    assert (command.exit_code, command.stopped) == (0, "")
    assert command.head.startswith("some words\nREADME.md\n")
    assert command.tail.endswith("line 2999\n")
    assert command.left_out == len((root / f"task-{task.name[6:]}" / command.log).read_text()) - 4_000
    told = " ".join(str(message["content"]) for message in chat.requests[0]["messages"])
    assert "inputs/sub/big.bin" in told

    got = client.download(task.name, tmp_path / "got")
    assert [path.relative_to(tmp_path / "got").as_posix() for path in got] == ["copy.bin", "deep/note.txt"]
    assert got[0].read_bytes() == BIG
    log = client.download(task.name, tmp_path / "logs", within="logs")
    assert log[0].read_text().count("line") == 3_000
    listed = client.tasks.list_task_files(ListTaskFilesRequest(name=task.name))
    paths = [file.path for file in listed.files]
    assert {"inputs/words.txt", "inputs/sub/big.bin", "shop/README.md", "shop/broken.py"} <= set(paths)
    assert not any(path.startswith(".home") or "link" in path for path in paths)
    parts = client.tasks.read_task_file(
        ReadTaskFileRequest(name=task.name, path="outputs/copy.bin", offset=len(BIG) - 3)
    )
    assert b"".join(part.data for part in parts) == BIG[-3:]
    for path, expected in (
        ("outputs/link", "FILE_NOT_FOUND"),
        ("../../x", "OUTSIDE_WORKSPACE"),
        ("absent", "FILE_NOT_FOUND"),
    ):
        assert failure(client.tasks.read_task_file, ReadTaskFileRequest(name=task.name, path=path)).reason == expected

    client.tasks.delete_task_files(DeleteTaskFilesRequest(name=task.name))
    assert list(root.glob("task-*")) == []
    assert failure(client.tasks.list_task_files, ListTaskFilesRequest(name=task.name)).reason == "FILES_GONE"


def test_an_upload_has_to_be_what_was_announced(
    start_service: StartService, own_store: Path, tmp_path: Path, words: Path
) -> None:
    limits = {"REPOQUARRY_AGENT_WORKSPACE_INPUT_BYTES": "1000"}
    service = start_service(own_store, **variables(None, tmp_path / "work", **limits))
    client = service.client()

    def sent(*parts: UploadTaskInputRequest) -> str:
        return failure(client.tasks.upload_task_input, iter(parts)).reason

    data = UploadTaskInputRequest(data=b"hello")
    header = UploadTaskInputRequest(header=UploadHeader(file_name="a.txt", sha256="0" * 64))
    assert sent() == "REQUEST_INVALID"
    assert sent(data) == "REQUEST_INVALID"
    assert sent(UploadTaskInputRequest(header=UploadHeader(file_name="a.txt")), data) == "REQUEST_INVALID"
    assert sent(header, data, header) == "REQUEST_INVALID"
    assert sent(UploadTaskInputRequest(header=UploadHeader(file_name="../a", size=5)), data) == "UPLOAD_INVALID"
    assert sent(UploadTaskInputRequest(header=UploadHeader(file_name="a", size=4)), data) == "UPLOAD_INVALID"
    assert sent(UploadTaskInputRequest(header=UploadHeader(file_name="a", sha256="0" * 64)), data) == "UPLOAD_INVALID"
    assert sent(header, *[UploadTaskInputRequest(data=b"x" * 600)] * 2) == "FILE_LIMIT"
    # The answer may be here before the server has cleared away.
    wait_until(lambda: not list((tmp_path / "work" / ".uploads").iterdir()))
    upload = client.upload(words)
    for path in ("../x", "/etc/x"):
        assert (
            failure(create, client, spec(inputs=[TaskInput(upload=upload.upload, path=path)])).reason
            == "OUTSIDE_WORKSPACE"
        )
    assert failure(create, client, spec(inputs=[upload, upload])).reason == "TASK_INVALID"
    assert failure(create, client, spec(inputs=[TaskInput(upload="uploads/" + "0" * 32)])).reason == "UPLOAD_NOT_FOUND"
    found = failure(create, client, spec(network_hosts=["example.org"]))
    assert found.reason == "TASK_INVALID"
    assert "grantable_hosts" in found.message


def test_a_connection_that_breaks_leaves_no_upload(
    start_service: StartService, own_store: Path, tmp_path: Path
) -> None:
    service = start_service(own_store, **variables(None, tmp_path / "work"))
    client = Client(ClientSettings(server=service.address))
    sending, go_on = threading.Event(), threading.Event()

    def parts() -> Iterator[UploadTaskInputRequest]:
        yield UploadTaskInputRequest(header=UploadHeader(file_name="a.txt", size=10))
        yield UploadTaskInputRequest(data=b"hello")
        sending.set()
        go_on.wait(300)

    def send() -> None:
        with pytest.raises((RequestError, ValueError)):
            client.tasks.upload_task_input(parts())

    thread = threading.Thread(target=send)
    thread.start()
    uploads = tmp_path / "work" / ".uploads"
    assert sending.wait(300)
    wait_until(lambda: uploads.is_dir() and bool(list(uploads.iterdir())))
    client.close()
    go_on.set()
    thread.join(300)
    wait_until(lambda: not list(uploads.iterdir()))


def test_files_belong_to_the_token_that_created_the_task(
    start_service: StartService, own_store: Path, tmp_path: Path, words: Path
) -> None:
    tokens = ",".join(map(long_token, ("task+read:mine", "task+read:yours", "chief")))
    service = start_service(own_store, **variables(None, tmp_path / "work", REPOQUARRY_SERVER_TOKENS=tokens))
    mine, yours, chief = (service.client(token=long_token(name)) for name in ("mine", "yours", "chief"))
    upload = mine.upload(words)
    assert failure(create, yours, spec(inputs=[upload])).reason == "UPLOAD_NOT_FOUND"
    task = ended(mine, create(mine, spec(inputs=[upload])))
    request = ListTaskFilesRequest(name=task.name, folder="inputs")
    found = failure(yours.tasks.list_task_files, request)
    assert (found.reason, found.status) == ("NOT_OWNER", "PERMISSION_DENIED")
    for client in (mine, chief):
        assert [file.path for file in client.tasks.list_task_files(request).files] == ["inputs/words.txt"]
    stranger = service.client(token="wrong")
    assert failure(stranger.upload, words).reason == "TOKEN_WRONG"


def test_a_workspace_ends_some_time_after_its_task_also_over_restarts(
    start_service: StartService, own_store: Path, tmp_path: Path, words: Path
) -> None:
    root = tmp_path / "work"

    def restarted(hours: str) -> tuple[Service, Client]:
        service = start_service(own_store, **variables(None, root, REPOQUARRY_AGENT_WORKSPACE_KEEP_HOURS=hours))
        return service, service.client()

    service, client = restarted("1")
    task = ended(client, create(client, spec(inputs=[client.upload(words)])))
    request = ListTaskFilesRequest(name=task.name)
    assert service.stop() == 0
    service, client = restarted("1")  # ages from here
    assert [file.path for file in client.tasks.list_task_files(request).files] == ["inputs/words.txt"]
    assert service.stop() == 0
    time.sleep(0.5)
    abandoned = root / "task-0123456789abcdef"
    abandoned.mkdir()
    os.utime(abandoned, (0, 0))
    service, client = restarted("0.0001")
    assert failure(client.tasks.list_task_files, request).reason == "FILES_GONE"
    assert list(root.glob("task-*")) == []
    kept = client.tasks.get_task(GetTaskRequest(name=task.name)).task
    assert (kept.state, kept.error.reason) == (Task.STATE_FAILED, "MODEL_UNAVAILABLE")


def test_files_of_a_running_task_can_be_read_and_not_deleted(
    start_service: StartService, own_store: Path, tmp_path: Path
) -> None:
    work = (Reply(calls=[("run_command", {"command": "echo early > outputs/early.txt; sleep 60"})]),)
    with scripted_chat(*work) as chat:
        client = start_service(own_store, **variables(chat, tmp_path / "work")).client()
        task = create(client, spec())
        request = ListTaskFilesRequest(name=task.name, folder="outputs")

        def has_files() -> bool:
            try:
                return bool(client.tasks.list_task_files(request).files)
            except RequestError as error:
                if error.failure.reason != "FILES_GONE":  # it has not started
                    raise
            return False

        wait_until(has_files)
        assert failure(client.tasks.delete_task_files, DeleteTaskFilesRequest(name=task.name)).reason == "WRONG_STATE"
        client.tasks.cancel_task(CancelTaskRequest(name=task.name))
        assert ended(client, task).state == Task.STATE_CANCELLED
    assert (client.download(task.name, tmp_path / "got")[0]).read_text() == "early\n"


def send_words(store: Path, words: Path, output: Path, *more: str, **given: str) -> CompletedProcess[str]:
    """Run a task with two inputs of one file by the command line."""
    inputs = ["-i", str(words), "-i", f"{words}=sub/big.bin", "-o", str(output)]
    return repoquarry(store, "task", "Copy the file.", *inputs, *more, "--policy", "chat", "--yes", **given)


@pytest.mark.parametrize("remote", [False, True])
def test_the_command_line_sends_and_fetches(
    start_service: StartService, own_store: Path, tmp_path: Path, words: Path, remote: bool
) -> None:
    with scripted_chat(*WORK) as chat:
        given = variables(chat, tmp_path / "work")
        if remote:
            service = start_service(own_store, **given)
            given = {"REPOQUARRY_CLIENT_SERVER": service.address}
        else:
            given.pop("REPOQUARRY_AGENT_WORKSPACE_ROOT")  # next to the store
        done = send_words(own_store, words, tmp_path / "got", **given)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "got" / "copy.bin").read_text() == "some words\n"
    assert (tmp_path / "got" / "deep" / "note.txt").read_text() == "done\n"
    assert "outputs/copy.bin  11 bytes" in done.stdout
    assert "| line 2999" in done.stderr
    task = done.stderr.splitlines()[0]
    listed = run_here(own_store, "files", task, **given, COLUMNS="200")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == [
        "FILE",
        "outputs/copy.bin",
        "outputs/deep/note.txt",
    ]
    succeed(own_store, "files", task, "logs", "inputs/words.txt", "-o", str(tmp_path / "some"), **given)
    assert sorted(path.relative_to(tmp_path / "some").as_posix() for path in (tmp_path / "some").rglob("*.*")) == [
        "inputs/words.txt",
        "logs/0001.log",
    ]
    succeed(own_store, "files", task, "--delete", **given)
    missing = run_here(own_store, "files", task, **given)
    assert (missing.returncode, "FILES_GONE" in missing.stderr) == (3, True)


@pytest.mark.parametrize("remote", [True, False], ids=["server", "local"])
def test_a_task_whose_checks_do_not_hold_has_failed_with_its_answer(
    start_service: StartService, own_store: Path, words: Path, tmp_path: Path, remote: bool
) -> None:
    given_up = Reply(calls=[("finish", {"text": "I could not do more."})])
    with scripted_chat(*WORK, *[given_up] * 20) as chat:
        given = variables(chat, tmp_path / "work")
        service = start_service(own_store, **given) if remote else None
        if service:
            given = {"REPOQUARRY_CLIENT_SERVER": service.address}
        checks = ["--expect", "outputs/copy.bin", "--expect", "outputs/missing.txt"]
        done = send_words(own_store, words, tmp_path / "got", *checks, **given)
        shown = run_here(own_store, "list", "--tasks", **given)
        kept = run_json(own_store, "list", "--tasks", **given)["tasks"][0]
        events = follow(service.client(), Task(name=kept["name"])) if service else []
    assert done.returncode == 5
    assert "CHECKS_FAILED" in done.stderr
    assert "outputs/missing.txt is there" in done.stderr
    assert "passed: outputs/copy.bin is there and is not empty" in done.stdout
    assert (tmp_path / "got" / "copy.bin").read_text() == "some words\n"
    assert "failed CHECKS_FAILED" in shown.stdout
    assert (kept["state"], kept["error"]["reason"]) == ("failed", "CHECKS_FAILED")
    assert kept["error"]["metadata"]["check_1"] == "outputs/missing.txt is there and is not empty"
    assert [check.get("held", False) for check in kept["answer"]["checks"]] == [True, False]
    if events:
        assert [event.WhichOneof("event") for event in events[-2:]] == ["answer", "state_changed"]
        changed = events[-1].state_changed
        assert (changed.state, changed.error.reason) == (Task.STATE_FAILED, "CHECKS_FAILED")


def test_an_output_that_the_answer_names_and_that_is_not_there_fails_the_task(
    own_store: Path, words: Path, tmp_path: Path
) -> None:
    claim = Reply(calls=[("finish", {"text": "The rows are in `outputs/rows.txt`."})])
    with scripted_chat(*[claim] * 20) as chat:
        given = variables(chat, tmp_path / "work")
        asked = ("Write the rows.", "-i", str(words), "--policy", "chat", "--yes")
        done = repoquarry(own_store, "task", *asked, **given)
    assert (done.returncode, "CHECKS_FAILED" in done.stderr) == (5, True)
    assert "outputs/rows.txt was not produced" in done.stderr
    assert "failed: outputs/rows.txt, which the answer names, is there" in done.stdout


def test_a_task_with_a_workspace_that_its_budget_cuts_short_has_failed(own_store: Path, tmp_path: Path) -> None:
    with scripted_chat(*WORK) as chat:
        given = variables(chat, tmp_path / "work")
        done = repoquarry(own_store, "task", "Copy it.", "--policy", "chat", "--yes", "--tokens", "1", **given)
    assert (done.returncode, "BUDGET_REACHED" in done.stderr) == (5, True)
    assert "Stopped early" in done.stdout


def test_work_without_a_model_is_refused_before_anything_is_stored(own_store: Path, tmp_path: Path) -> None:
    given = {"REPOQUARRY_AGENT_WORKSPACE_ROOT": str(tmp_path / "work"), "REPOQUARRY_AGENT_WORKSPACE_ISOLATION": "none"}
    for arguments in (("task", "Copy it.", "--expect", "outputs/a.txt"), ("ask", "Who calls price?", "--workspace")):
        done = run_here(own_store, *arguments, **given)
        assert (done.returncode, "MODEL_REQUIRED" in done.stderr) == (5, True), done.stderr
    assert run_json(own_store, "list", "--tasks", **given)["tasks"] == []
