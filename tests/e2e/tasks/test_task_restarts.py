"""A task outlives its service: a server is killed in the middle of it, and the next one goes on where it was."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from repoquarry.v1.task_service_pb2 import GetTaskRequest, StreamTaskEventsRequest, Task, TaskCheck
from tests.e2e.service import StartService
from tests.e2e.tasks.test_task_files import create, follow, spec, variables
from tests.scripted_chat import Reply, scripted_chat


@pytest.mark.slow
def test_a_server_killed_in_mid_task_goes_on_where_it_was(
    start_service: StartService, own_store: Path, tmp_path: Path
) -> None:
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
def test_a_server_killed_while_a_command_runs_runs_it_again(
    start_service: StartService, own_store: Path, tmp_path: Path
) -> None:
    slow = "echo begun >> outputs/steps.txt; test $(wc -l < outputs/steps.txt) -gt 1 || sleep 60"
    with scripted_chat(
        Reply(calls=[("run_command", {"command": slow})]), Reply(calls=[("finish", {"text": "Done."})])
    ) as chat:
        settings = variables(chat, tmp_path / "work")
        service = start_service(own_store, **settings)
        client = service.client(resume_seconds=0.0)
        task = create(client, spec())
        for part in client.tasks.stream_task_events(StreamTaskEventsRequest(name=task.name)):
            if part.event.HasField("tool_called"):
                break
        steps = tmp_path / "work" / f"task-{task.name[6:]}" / "outputs" / "steps.txt"
        deadline = time.monotonic() + 300
        while not steps.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        service.kill()
        client = start_service(own_store, **settings).client()
        follow(client, task)
        ended = client.tasks.get_task(GetTaskRequest(name=task.name)).task
    assert ended.state == Task.STATE_SUCCEEDED, ended.error
    assert steps.read_text() == "begun\nbegun\n"
    assert len(chat.requests) == 2
