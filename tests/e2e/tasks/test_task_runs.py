"""Runs of tasks: approvals, a server that is killed in the middle, remedies of tasks that ended early, and twenty tasks at once."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from repoquarry.agent.task import ApprovalRequest
from repoquarry.client import RequestError
from repoquarry.server.application.application import Application
from repoquarry.server.errors import RequestError as ServerRequestError
from repoquarry.server.jobs.database import TASK, NewWork
from repoquarry.server.jobs.runner import WorkHandle, WorkRunner
from repoquarry.server.settings.loading import load_settings
from repoquarry.v1.task_service_pb2 import (
    ApproveTaskActionRequest,
    DeleteTaskFilesRequest,
    GetTaskRequest,
    ListTaskFilesRequest,
    ListTaskStepsRequest,
    ResumeTaskRequest,
    StreamTaskEventsRequest,
    Task,
    TaskBudget,
    TaskCheck,
)
from tests.e2e.rpc_calls import failure
from tests.e2e.service import StartService
from tests.e2e.tasks.test_task_files import create, ended, follow, spec, variables
from tests.process_checks import Peak
from tests.scripted_chat import Reply, scripted_chat

ASKED = ApprovalRequest(id="a1", tool="run", arguments={"command": "make"}, effect="runs make in the workspace")


@pytest.mark.parametrize(("granted", "reason"), [(True, ""), (False, "too slow")])
def test_a_task_waits_until_a_person_decides(own_store: Path, granted: bool, reason: str) -> None:
    """Over the application in this process, with an agent step that asks."""
    application = Application(load_settings({}, {"store.folder": own_store}), writable=False)
    try:
        tasks, host = application.tasks, application.host
        kind = tasks.operations.kind

        def asks(handle: WorkHandle) -> tuple[list[bytes], bytes]:
            return [], b"" if tasks._approve(handle, ASKED) == (granted or reason) else b"\xff"

        (work,) = host.state.create(TASK, [NewWork("", b"", kind.state_event("QUEUED", None, ""))], owner=host.owner)
        runner = WorkRunner(replace(kind, run=asks, threads=1), host.state, host.bell, host.owner)
        runner.wake()
        now = tasks.operations.to_message(work)
        while now.state != Task.STATE_WAITING:
            rings = host.bell.rings
            stored = host.state.get(TASK, work.id)
            assert stored is not None
            now = tasks.operations.to_message(stored)
            host.bell.wait(rings, 0.05)
        assert now.pending_approval.effect == ASKED.effect
        with pytest.raises(ServerRequestError) as caught:
            tasks.approve_task_action(ApproveTaskActionRequest(name=now.name, approval="other", granted=True))
        assert (caught.value.failure.status, caught.value.failure.reason) == ("FAILED_PRECONDITION", "WRONG_STATE")
        tasks.approve_task_action(
            ApproveTaskActionRequest(name=now.name, approval="a1", granted=granted, reason=reason)
        )
        seen = list(tasks.stream_task_events(StreamTaskEventsRequest(name=now.name)))
        assert len(seen) == 5  # queued, running, waiting, running, succeeded
        stored = host.state.get(TASK, work.id)
        assert stored is not None
        assert (stored.state, stored.result, stored.pending) == ("SUCCEEDED", b"", None)
        runner.stop(5)
    finally:
        application.close()


@pytest.mark.slow
def test_server_killed_during_a_task_resumes_it(start_service: StartService, own_store: Path, tmp_path: Path) -> None:
    reached, answered = threading.Event(), threading.Event()

    def held(request: dict[str, Any]) -> Reply:
        """The third request: its server is killed before it is answered."""
        reached.set()
        answered.wait(300)
        return Reply(calls=[("run_command", {"command": "echo never >> outputs/steps.txt"})])

    words = tmp_path / "words.txt"
    words.write_text("some words\n")
    with scripted_chat(
        Reply(calls=[("checkout", {"repository": "shop"})]),
        Reply(calls=[("run_command", {"command": "echo first >> outputs/steps.txt"})]),
        held,
        Reply(calls=[("run_command", {"command": "cat inputs/words.txt >> outputs/steps.txt && ls shop/shop"})]),
        Reply(calls=[("finish", {"text": "It is done."})]),
    ) as chat:
        settings = variables(chat, tmp_path / "work")
        service = start_service(own_store, **settings)
        client = service.client(resume_seconds=0.0)
        check = TaskCheck(path="outputs/steps.txt", pattern="some words")
        task = create(client, spec(inputs=[client.upload(words)], checks=[check]))
        assert reached.wait(300)
        service.kill()
        answered.set()
        client = start_service(own_store, **settings).client()
        events = follow(client, task)
        ended = client.tasks.get_task(GetTaskRequest(name=task.name)).task
    assert ended.state == Task.STATE_SUCCEEDED, ended.error
    assert ended.attempts == 2
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    kinds = [event.WhichOneof("event") for event in events]
    assert kinds.count("task_started") == 1
    (resumed,) = [event.task_resumed for event in events if event.HasField("task_resumed")]
    assert resumed.steps == 2
    assert [event.tool_called.step for event in events if event.HasField("tool_called")] == [1, 2, 3]
    (got,) = client.download(task.name, tmp_path / "got")
    assert got.read_text() == "first\nsome words\n"
    assert [outcome.held for outcome in ended.answer.checks] == [True]
    assert ended.answer.steps == 3
    conversation = [message["role"] for message in chat.requests[-1]["messages"]]
    assert conversation == ["system", "user", *["assistant", "tool"] * 3]


@pytest.mark.slow
def test_a_failed_task_is_resumed_from_its_checkpoint(
    start_service: StartService, own_store: Path, tmp_path: Path
) -> None:
    down = Reply(status=503, error="down")
    with scripted_chat(
        Reply(calls=[("run_command", {"command": "echo once >> outputs/steps.txt"})]),
        down,
        Reply(calls=[("finish", {"text": "Done."})]),
    ) as chat:
        client = start_service(own_store, **variables(chat, tmp_path / "work")).client()
        task = create(client, spec())
        follow(client, task)
        failed = client.tasks.get_task(GetTaskRequest(name=task.name)).task
        client.tasks.resume_task(ResumeTaskRequest(name=task.name))
        follow(client, task)
        ended = client.tasks.get_task(GetTaskRequest(name=task.name)).task
        with pytest.raises(RequestError, match="has not failed"):
            client.tasks.resume_task(ResumeTaskRequest(name=task.name))
    assert (failed.state, failed.error.reason) == (Task.STATE_FAILED, "MODEL_UNAVAILABLE")
    assert ended.state == Task.STATE_SUCCEEDED, ended.error
    assert (tmp_path / "work" / f"task-{task.name[6:]}" / "outputs" / "steps.txt").read_text() == "once\n"
    assert len(chat.requests) == 3


@pytest.mark.slow
def test_a_task_is_repeated_from_one_of_its_steps(start_service: StartService, own_store: Path, tmp_path: Path) -> None:
    command = Reply(calls=[("run_command", {"command": "echo once >> outputs/steps.txt"})])
    with scripted_chat(command, *[Reply(calls=[("finish", {"text": text})]) for text in ("First.", "Second.")]) as chat:
        client = start_service(own_store, **variables(chat, tmp_path / "work")).client()
        task = create(client, spec())
        follow(client, task)
        steps = client.tasks.list_task_steps(ListTaskStepsRequest(name=task.name)).steps
        behind = next(step for step in steps if step.tool_calls == 1 and list(step.next) == ["prepare"])
        with pytest.raises(RequestError, match="has no step"):
            client.tasks.resume_task(ResumeTaskRequest(name=task.name, step="unknown"))
        client.tasks.resume_task(ResumeTaskRequest(name=task.name, step=behind.id))
        follow(client, task)
        ended = client.tasks.get_task(GetTaskRequest(name=task.name)).task
    assert ended.state == Task.STATE_SUCCEEDED, ended.error
    assert ended.answer.text == "Second."
    assert (tmp_path / "work" / f"task-{task.name[6:]}" / "outputs" / "steps.txt").read_text() == "once\n"
    assert len(chat.requests) == 3


WRITE = Reply(calls=[("run_command", {"command": "echo a > outputs/a.txt"})])
MORE = Reply(calls=[("run_command", {"command": "echo b > outputs/b.txt"})])
FINISH = Reply(calls=[("finish", {"text": "Done."})])


def test_a_larger_budget_lets_a_task_finish(start_service: StartService, own_store: Path, tmp_path: Path) -> None:
    with scripted_chat(WRITE, Reply(text="Half of it."), WRITE, MORE, FINISH) as chat:
        client = start_service(own_store, **variables(chat, tmp_path / "work")).client()
        short = ended(client, create(client, spec(budget=TaskBudget(steps=1))))
        assert (short.state, short.error.reason) == (Task.STATE_FAILED, "BUDGET_REACHED")
        assert [path.name for path in client.download(short.name, tmp_path / "half")] == ["a.txt"]
        done = ended(client, create(client, spec(budget=TaskBudget(steps=5))))
        assert done.state == Task.STATE_SUCCEEDED, done.error
        assert [path.name for path in client.download(done.name, tmp_path / "all")] == ["a.txt", "b.txt"]


def test_a_task_whose_files_were_deleted_is_created_again(
    start_service: StartService, own_store: Path, tmp_path: Path
) -> None:
    with scripted_chat(WRITE, FINISH, WRITE, FINISH) as chat:
        client = start_service(own_store, **variables(chat, tmp_path / "work")).client()
        first = ended(client, create(client, spec()))
        client.tasks.delete_task_files(DeleteTaskFilesRequest(name=first.name))
        request = ListTaskFilesRequest(name=first.name)
        assert failure(client.tasks.list_task_files, request).reason == "FILES_GONE"
        again = ended(client, create(client, spec()))
        assert [path.name for path in client.download(again.name, tmp_path / "got")] == ["a.txt"]


def test_another_model_makes_progress(start_service: StartService, own_store: Path, tmp_path: Path) -> None:
    with scripted_chat(*[WRITE] * 30) as chat:
        client = start_service(own_store, **variables(chat, tmp_path / "work")).client()
        stuck = ended(client, create(client, spec()))
        assert (stuck.state, stuck.error.reason) == (Task.STATE_FAILED, "NO_PROGRESS"), stuck
        assert [path.name for path in client.download(stuck.name, tmp_path / "half")] == ["a.txt"]
        chat.replies[len(chat.requests) :] = [WRITE, MORE, FINISH]
        done = ended(client, create(client, spec()))
        assert done.state == Task.STATE_SUCCEEDED, done.error
        assert [path.name for path in client.download(done.name, tmp_path / "all")] == ["a.txt", "b.txt"]


TASKS = 20
MIB = 1024 * 1024
COMMAND = (
    "python3 -c \"import time; held = bytearray(40 * 2**20); held[::4096] = b'x' * len(held[::4096]); time.sleep(1); "
    "print('word ' * 200000)\"; cp inputs/words.txt outputs/copy.txt; ls shop"
)


def next_step(request: dict[str, Any]) -> Reply:
    """By what the conversation holds, since the tasks' requests come in any order."""
    done = sum(message["role"] == "tool" for message in request["messages"])
    steps = (
        Reply(calls=[("checkout", {"repository": "shop"})]),
        Reply(calls=[("run_command", {"command": COMMAND})]),
        Reply(calls=[("finish", {"text": "It is done."})]),
    )
    return steps[done]


@pytest.mark.long
def test_twenty_tasks_at_once_end_within_bounded_memory(
    start_service: StartService, own_store: Path, tmp_path: Path
) -> None:
    with scripted_chat(*[next_step] * (3 * TASKS)) as chat:
        more = {"REPOQUARRY_SERVER_TASK_WORKERS": str(TASKS), "REPOQUARRY_AGENT_WORKSPACE_ISOLATION": "auto"}
        service = start_service(own_store, **{**variables(chat, tmp_path / "work"), **more})
        client = service.client()
        started = time.monotonic()
        with Peak(service.process.pid) as peak:
            tasks = []
            for number in range(TASKS):
                words = tmp_path / "words.txt"
                words.write_text(f"words of {number}\n")
                checks = [TaskCheck(path="outputs/copy.txt", pattern=f"words of {number}$")]
                tasks.append(create(client, spec(inputs=[client.upload(words)], checks=checks)))
            done = [ended(client, task) for task in tasks]
    print(f"{TASKS} tasks: {time.monotonic() - started:.0f} s, server {peak.own // MIB} MiB, all {peak.all // MIB} MiB")
    assert [task.state for task in done] == [Task.STATE_SUCCEEDED] * TASKS, [task.error.message for task in done]
    assert all(outcome.held for task in done for outcome in task.answer.checks)
    for number, task in enumerate(done):
        (copy,) = client.download(task.name, tmp_path / f"got-{number}")
        assert copy.read_text() == f"words of {number}\n"
    assert peak.own < 700 * MIB
    assert peak.all < 700 * MIB + TASKS * 150 * MIB
