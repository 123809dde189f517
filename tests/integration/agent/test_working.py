"""The loop of exploring and executing: scripts that fail and are repaired, checks that decide, costs, and continuation after a kill."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from repoquarry.agent.loop.run import Facilities, check_task, run_task
from repoquarry.agent.loop.walk import UNISOLATED
from repoquarry.agent.settings import AgentSettings, ModelSettings
from repoquarry.agent.task import ApprovalRequest, EventKind, TaskEvent, TaskRequest, TaskResult, TaskState
from repoquarry.execution.errors import TaskRejectedError
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.execution.workspaces.completion_checks import CompletionCheck
from repoquarry.execution.workspaces.workspace import Workspace
from repoquarry.graphstore.store import Store
from repoquarry.ingest.sources.revision_trees import TreeCache
from tests.integration.agent.killing_checkpoints import KilledError, killed_at
from tests.scripted_chat import Reply, ScriptedChat, scripted_chat

SCRIPT = "import sys\nsys.path.insert(0, 'webshop')\nfrom webshop.prices import LastDayPrice, SalePrice\nprint({})\n"
DONE = (
    CompletionCheck("outputs/price.txt", not_empty=True, pattern=r"^\d+"),
    CompletionCheck(command="test -s outputs/price.txt"),
)


def settings(chat: ScriptedChat, root: Path, **changes: Any) -> AgentSettings:
    options = {"base_url": chat.base_url, "api_key": "none"}
    attempts = changes.pop("attempts", 3)
    prices = changes.pop("prices", {})
    model = ModelSettings("openai:scripted", options, retry_seconds=0.05, prices=prices, attempts=attempts)
    return AgentSettings(model=model, workspace=WorkspaceSettings(root, isolation="none"), **changes)


Work = Callable[..., tuple[TaskResult, list[TaskEvent]]]


_TASK = "Write the price; https://host.example/letters may be of use."


@pytest.fixture
def work(indexed: Store, trees: TreeCache) -> Work:
    """Runs the task on webshop with its workspace, from its checkpoints if there are any."""

    def run_task_once(
        given: AgentSettings, checkpoints: Path | None = None, checks: tuple[CompletionCheck, ...] = ()
    ) -> tuple[TaskResult, list[TaskEvent]]:
        events: list[TaskEvent] = []
        task = TaskRequest(_TASK, ("webshop",), "chat", workspace=True, auto_approve=True, checks=checks)
        facilities = Facilities("one", trees=trees, index=lambda address, cancelled: "letters", checkpoints=checkpoints)
        calls: dict[str, Any] = {"emit": events.append, "cancelled": lambda: False, "approve": lambda asked: False}
        return run_task(task, indexed, given, facilities=facilities, **calls), events

    return run_task_once


def run(command: str) -> Reply:
    return Reply(calls=[("run_command", {"command": command})])


def write(text: str) -> Reply:
    return Reply(calls=[("write_file", {"path": "try.py", "text": text})])


FINISH = Reply(calls=[("finish", {"text": "The price is written."})])


def test_a_traceback_is_answered_with_the_definitions_of_its_frames(work: Work, tmp_path: Path) -> None:
    with scripted_chat(
        Reply(calls=[("checkout", {"repository": "webshop"})]),
        write(SCRIPT.format("SalePrice('ten').amount()")),
        run("python3 try.py"),
        Reply(calls=[("read_log", {"path": "logs/0001.log", "part": "errors"})]),
        write(SCRIPT.format("LastDayPrice(10).amount()")),
        run("python3 try.py > outputs/price.txt"),
        FINISH,
    ) as chat:
        result, events = work(settings(chat, tmp_path), checks=DONE)
    assert result.state is TaskState.ANSWERED, result.error
    failed = chat.requests[3]["messages"][-1]["content"]
    assert "exit code 1" in failed
    assert "Frames in the graph" in failed
    assert "webshop/prices.py:" in failed
    assert "Price" in failed
    log = chat.requests[4]["messages"][-1]["content"]
    assert "Traceback (most recent call last)" in log
    returned = [event.data for event in events if event.kind is EventKind.TOOL_RETURNED]
    assert any("webshop/prices.py" in str(data["places"]) for data in returned if data["tool"] == "run_command")
    assert [outcome.held for outcome in result.checks] == [True, True]
    assert [file.path for file in result.files] == ["outputs/price.txt"]


def test_an_answer_is_sent_back_while_the_checks_do_not_hold(work: Work, tmp_path: Path) -> None:
    with scripted_chat(
        FINISH, FINISH, run("echo nothing > outputs/price.txt"), FINISH, run("echo 7 > outputs/price.txt"), FINISH
    ) as chat:
        result, events = work(settings(chat, tmp_path), checks=DONE)
    assert result.state is TaskState.ANSWERED
    assert all(outcome.held for outcome in result.checks)
    checked = [event.data["checks"] for event in events if event.kind is EventKind.CHECKED]
    assert [[outcome["held"] for outcome in one] for one in checked] == [[False, False], [False, True], [True, True]]  # type: ignore[attr-defined]
    told = [str(message["content"]) for message in chat.requests[2]["messages"]]
    assert any("outputs/price.txt" in text and "not done" in text for text in told)
    assert [event.data["text"] for event in events if event.kind is EventKind.NOTICE] == [UNISOLATED]
    assert "The task is done when all of this holds" in told[0]


def test_checks_that_never_hold_end_the_task_and_are_reported(work: Work, tmp_path: Path) -> None:
    with scripted_chat(run("true"), FINISH, FINISH) as chat:
        result, _ = work(settings(chat, tmp_path, check_rounds=1), checks=DONE)
    assert result.state is TaskState.ANSWERED
    assert [(outcome.held, bool(outcome.why)) for outcome in result.checks] == [(False, True), (False, True)]


@pytest.mark.parametrize("path", ["outputs/rows.txt", "outputs/frames"])
def test_an_output_that_the_answer_names_has_to_be_there(work: Work, tmp_path: Path, path: str) -> None:
    claim = Reply(calls=[("finish", {"text": f"The rows are in `{path}`, and all in outputs/*.txt."})])
    command = run(f"mkdir -p outputs/frames && echo 1 > outputs/frames/1.txt && cp outputs/frames/1.txt {path}")
    with scripted_chat(run("true"), claim, command, claim) as chat:
        made, events = work(settings(chat, tmp_path / "made"))
    with scripted_chat(run("true"), claim, claim) as chat:
        missing, _ = work(settings(chat, tmp_path / "missing", check_rounds=1))
    assert made.checks == ()
    assert [event.kind for event in events].count(EventKind.CHECKED) == 1
    assert [(one.check, one.held) for one in missing.checks] == [(f"{path}, which the answer names, is there", False)]


@pytest.mark.parametrize(
    "check", [CompletionCheck(), CompletionCheck("a", command="true"), CompletionCheck("a", pattern="(")]
)
def test_a_check_that_checks_nothing_is_refused(indexed: Store, tmp_path: Path, check: CompletionCheck) -> None:
    model = ModelSettings("openai:scripted", {"base_url": "http://127.0.0.1:9/v1", "api_key": "none"})
    given = AgentSettings(model=model, workspace=WorkspaceSettings(tmp_path, isolation="none"))
    with pytest.raises(TaskRejectedError, match="check"):
        check_task(TaskRequest("x", ("webshop",), "chat", workspace=True, checks=(check,)), indexed, given)


def test_costs_follow_the_price_table(work: Work, tmp_path: Path) -> None:
    with scripted_chat(run("true"), FINISH) as chat:
        result, events = work(settings(chat, tmp_path, prices={"openai:scripted": [2.0, 10]}))
    assert (result.usage.input, result.usage.output, result.usage.unpriced) == (200, 20, 0)
    assert result.usage.cost == pytest.approx(200 * 2.0 / 1e6 + 20 * 10 / 1e6)
    assert [event.data["cost"] for event in events if event.kind is EventKind.MODEL_CALLED] == [
        pytest.approx(0.0003)
    ] * 2
    with scripted_chat(run("true"), FINISH) as chat:
        result, events = work(settings(chat, tmp_path))
    assert (result.usage.cost, result.usage.unpriced) == (0.0, 2)
    with scripted_chat(FINISH) as chat:
        result, _ = work(settings(chat, tmp_path, prices={"openai:scripted": "cheap"}))
    assert (result.state, result.error_reason) == (TaskState.FAILED, "MODEL_REJECTED")


@pytest.mark.parametrize(
    ("kill_at", "method"), [*((at, "put") for at in range(1, 22)), *((at, "put_writes") for at in range(2, 22, 3))]
)
def test_a_task_goes_on_where_it_was_killed(work: Work, tmp_path: Path, kill_at: int, method: str) -> None:
    """Wherever it was killed behind a node: no step is done twice, and none is forgotten."""
    replies = (
        Reply(calls=[("checkout", {"repository": "webshop"}), ("view", {"target": "Shop.pay"})]),
        Reply(calls=[("run_command", {"command": f"echo {word} >> outputs/price.txt"}) for word in ("once", "twice")]),
        FINISH,
    )
    file = tmp_path / "checkpoints" / "one.db"
    with scripted_chat(*replies) as chat:
        given = settings(chat, tmp_path)
        with pytest.raises(KilledError), killed_at(kill_at, method):
            work(given, file)
        result, events = work(given, file)
    assert result.state is TaskState.ANSWERED, result.error
    assert events[0].kind is (EventKind.TASK_STARTED if kill_at == 1 else EventKind.TASK_RESUMED)
    assert (tmp_path / "task-one" / "outputs" / "price.txt").read_text() == "once\ntwice\n"
    assert result.steps == 4
    assert (result.usage.input, result.usage.output) == (300, 30)
    assert len(chat.requests) == 3
    roles = [message["role"] for message in chat.requests[-1]["messages"]]
    assert roles == ["system", "user", *["assistant", "tool", "tool"] * 2]


def test_a_command_that_a_kill_cut_short_is_reported_and_not_repeated(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = [("run_command", {"command": f"echo {word} >> outputs/price.txt"}) for word in ("first", "second", "third")]
    file = tmp_path / "checkpoints" / "one.db"
    run_in_workspace = Workspace.run

    def kill_in_third(self: Workspace, command: str, *given: Any) -> Any:
        outcome = run_in_workspace(self, command, *given)
        if "third" in command:
            raise KilledError
        return outcome

    with scripted_chat(Reply(calls=batch), FINISH) as chat:
        given = settings(chat, tmp_path)
        monkeypatch.setattr(Workspace, "run", kill_in_third)
        with pytest.raises(KilledError):
            work(given, file)
        monkeypatch.undo()
        result, events = work(given, file)
    assert (tmp_path / "task-one" / "outputs" / "price.txt").read_text() == "first\nsecond\nthird\n"
    told = [message["content"] for message in chat.requests[1]["messages"] if message["role"] == "tool"]
    assert ["interrupted" in text for text in told] == [False, False, True]
    assert [event.data["failed"] for event in events if event.kind is EventKind.TOOL_RETURNED] == [True]
    assert result.state is TaskState.ANSWERED


def test_an_approval_survives_a_kill(indexed: Store, trees: TreeCache, tmp_path: Path) -> None:
    asked: list[str] = []

    def approve_or_die(request: ApprovalRequest) -> bool:
        asked.append(request.id)
        if len(asked) == 1:
            raise KilledError
        return True

    task = TaskRequest("Write it.", ("webshop",), "chat", workspace=True)
    facilities = Facilities("one", trees=trees, checkpoints=tmp_path / "one.db")
    with scripted_chat(run("echo 1 > outputs/one.txt"), FINISH) as chat:
        options: dict[str, Any] = {
            "emit": lambda event: None, "cancelled": lambda: False, "approve": approve_or_die, "facilities": facilities
        }  # fmt: skip
        given = settings(chat, tmp_path)
        with pytest.raises(KilledError):
            run_task(task, indexed, given, **options)
        result = run_task(task, indexed, given, **options)
    assert asked == ["approval-1", "approval-1"]
    assert [file.path for file in result.files] == ["outputs/one.txt"]
    assert len(chat.requests) == 2


def test_an_indexed_repository_belongs_to_the_resumed_task(work: Work, tmp_path: Path) -> None:
    index = Reply(calls=[("index_repository", {"address": "https://host.example/letters"})])
    view = Reply(calls=[("view", {"target": "Letter.close", "repository": "letters"})])
    with scripted_chat(view, index, Reply(status=503, error="down"), view, FINISH) as chat:
        given = settings(chat, tmp_path, attempts=1)
        failed, _ = work(given, tmp_path / "one.db")
        result, _ = work(given, tmp_path / "one.db")
    told = [str(chat.requests[number]["messages"][-1]["content"]) for number in (1, 2, 4)]
    assert (failed.state, result.state) == (TaskState.FAILED, TaskState.ANSWERED)
    assert "no repository 'letters' in this task" in told[0]
    assert "letters is indexed" in told[1]
    assert "def close" in told[2]


def test_unreadable_checkpoints_restart_the_task(work: Work, tmp_path: Path) -> None:
    file = tmp_path / "one.db"
    file.write_bytes(b"something else" * 1_000)
    with scripted_chat(run("true"), FINISH) as chat:
        result, events = work(settings(chat, tmp_path), file)
    assert result.state is TaskState.ANSWERED
    assert events[0].kind is EventKind.TASK_STARTED


def test_checkpoints_keep_to_their_size(work: Work, tmp_path: Path) -> None:
    replies = [run(f"head -c 60000 /dev/urandom | base64 # {number}") for number in range(12)]
    with scripted_chat(*replies, FINISH) as chat:
        work(settings(chat, tmp_path, checkpoint_bytes=1_000_000), tmp_path / "one.db")
    assert (tmp_path / "one.db").stat().st_size < 2_000_000
