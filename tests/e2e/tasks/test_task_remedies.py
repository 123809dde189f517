"""Remedies of tasks that ended early: each test causes the error, follows the advice, and gets the outputs."""

from pathlib import Path

from repoquarry.v1.task_service_pb2 import DeleteTaskFilesRequest, ListTaskFilesRequest, Task, TaskBudget
from tests.e2e.rpc_calls import failure
from tests.e2e.service import StartService
from tests.e2e.tasks.test_task_files import create, ended, spec, variables
from tests.scripted_chat import Reply, scripted_chat

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
