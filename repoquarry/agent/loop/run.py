"""Runs one task to its end: the entry point of the agent.

Synchronous on purpose: a task is a chain of decisions, and whoever wants several at once runs several threads. Everything that
happens is in the events; the result repeats the answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from repoquarry.agent.events import EventKind, TaskEvent
from repoquarry.agent.loading import LOADING
from repoquarry.agent.loop.calls import Callbacks
from repoquarry.agent.loop.memory import TaskMemory
from repoquarry.agent.loop.session import Session
from repoquarry.agent.policies.base import PolicyContext
from repoquarry.agent.policies.registry import check_policy, load_policy
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import ApprovalRequest, Budget, TaskRequest, TaskResult, TaskState
from repoquarry.agent.tools.base import ToolContext
from repoquarry.agent.tools.registry import available_tools, load_question_tools
from repoquarry.execution.errors import ExecutionError, TaskCancelledError, TaskRejectedError
from repoquarry.execution.isolation.registry import check_hosts
from repoquarry.execution.workspaces.completion_checks import validate
from repoquarry.execution.workspaces.files import checked_path
from repoquarry.execution.workspaces.workspace import TreeProvider, Workspace
from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.store import Store

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Facilities:
    """What the service has for a task beside the store."""

    name: str = ""
    """Of its workspace, so that it is found again; empty for a new one."""

    inputs: Mapping[str, Path] = field(default_factory=dict)
    """Where the input files are, by their paths in the task."""

    trees: TreeProvider | None = None
    memory: TaskMemory | None = None
    """Where the task remembers how far it is; None: it does not."""


NO_FACILITIES = Facilities()


def check_task(task: TaskRequest, store: Store, settings: AgentSettings) -> tuple[str, ...]:
    """The repositories that a task would use, when it can be run at all.

    Raises: TaskRejectedError, UnknownNameError, ModelRequiredError, ModelRejectedError; NotFoundError for an unknown repository.
    """
    if not task.text.strip():
        raise TaskRejectedError("the task is empty; say in words what is wanted")
    if len(task.text) > settings.max_task_characters:
        raise TaskRejectedError(f"the task has {len(task.text)} characters, more than {settings.max_task_characters}")
    for name in fields(Budget):
        if getattr(task.budget, name.name) < 0:
            raise TaskRejectedError(f"the budget of {name.name} is negative; 0 leaves it to the service")
    if task.workspace and settings.workspace.root is None:
        raise TaskRejectedError("this service gives tasks no workspace; set the agent's workspace root to allow it")
    if not task.workspace and (task.inputs or task.hosts or task.checks):
        raise TaskRejectedError("inputs, hosts and completion checks are for tasks with a workspace; ask for one")
    check_policy(task, settings)
    check_hosts(task.hosts, settings.workspace)
    validate(task.checks)
    for path in task.inputs:
        if not checked_path(path):
            raise TaskRejectedError("the path of an input is empty")
    if len(set(task.inputs)) < len(task.inputs):
        raise TaskRejectedError("two inputs have the same path")
    for repository in task.repositories:
        store.repository(repository)
    chosen = tuple(dict.fromkeys(task.repositories)) or tuple(store.text_repositories())
    if not chosen:
        raise TaskRejectedError("no repository is indexed yet; index one first")
    return chosen


def run_task(
    task: TaskRequest,
    store: Store,
    settings: AgentSettings,
    *,
    emit: Callable[[TaskEvent], None],
    cancelled: Callable[[], bool],
    approve: Callable[[ApprovalRequest], bool],
    facilities: Facilities = NO_FACILITIES,
) -> TaskResult:
    """Run a task and report all that happens through `emit`; never raises for what a task may meet.

    `approve` may block until a person has decided. A cancelled task ends at the next step, a command in it at once.
    """
    session: Session | None = None
    try:
        repositories = check_task(task, store, settings)
        workspace = _workspace(task, settings, cancelled, facilities) if task.workspace else None
        reader = CodeReader(store)
        context = ToolContext(reader, repositories, task.text, settings, cancelled, workspace, facilities.trees)
        session = _session(task, context, Callbacks(emit, cancelled, approve))
        return _finish(session, repositories, facilities.memory, str(workspace.root) if workspace else "")
    except TaskCancelledError:
        emit(TaskEvent(EventKind.TASK_CANCELLED, {"steps": session.steps if session else 0}))
        return _unfinished(session, TaskState.CANCELLED, "the task was cancelled", TaskCancelledError.reason)
    except (ExecutionError, GraphStoreError) as error:
        reason = error.reason if isinstance(error, ExecutionError) else _store_reason(error)
        return _failed(session, emit, str(error), reason)
    except Exception as error:  # the boundary of the agent: its caller has to learn that the task is over
        _log.exception("task_failed kind=%s", type(error).__name__)
        return _failed(session, emit, f"the agent failed: {type(error).__name__}: {error}", ExecutionError.reason)


def _workspace(
    task: TaskRequest, settings: AgentSettings, cancelled: Callable[[], bool], facilities: Facilities
) -> Workspace:
    """The task's workspace with its inputs in it."""
    workspace = Workspace.create(settings.workspace, cancelled, facilities.name, task.hosts)
    for path in task.inputs:
        if path not in facilities.inputs:
            raise TaskRejectedError(f"the input {path!r} was not sent")
        workspace.put_input(path, facilities.inputs[path])
    return workspace


def _session(task: TaskRequest, context: ToolContext, callbacks: Callbacks) -> Session:
    """The task's session with its policy, before the first step. Raises: ExecutionError."""
    settings = context.settings
    is_question = task.policy == "deterministic"
    tools = load_question_tools() if is_question else available_tools(workspace=task.workspace)
    session = Session(task, _budget(task.budget, settings), tools, context, callbacks)
    session.policy = load_policy(
        task.policy,
        PolicyContext(
            task,
            context.repositories,
            tuple(tools),
            settings,
            context.reader,
            session.emit,
            callbacks.cancelled,
            session.seconds_left,
            context.folded,
        ),
    )
    return session


def _started(session: Session, repositories: tuple[str, ...]) -> None:
    task, budget = session.request, session.budget
    session.emit(
        EventKind.TASK_STARTED,
        {
            "text": task.text,
            "repositories": list(repositories),
            "policy": task.policy,
            "steps": budget.steps,
            "tokens": budget.tokens,
            "seconds": budget.seconds,
        },
    )


def _resumed(session: Session) -> None:
    seconds = session.budget.seconds - (session.seconds_left() or 0.0) if session.budget.seconds else 0.0
    session.emit(EventKind.TASK_RESUMED, {"steps": session.steps, "seconds": round(seconds, 3)})


def _finish(session: Session, repositories: tuple[str, ...], memory: TaskMemory | None, workspace: str) -> TaskResult:
    with LOADING:
        from repoquarry.agent.loop.graph import run_graph  # here because langgraph takes long to import

    run_graph(session, memory, lambda: _resumed(session), lambda: _started(session, repositories))
    answer = session.answer
    assert answer is not None  # noqa: S101  run_graph raises otherwise
    return TaskResult(
        state=TaskState.BUDGET_REACHED if session.stop else TaskState.ANSWERED,
        text=answer.text,
        places=answer.places,
        steps=session.steps,
        usage=session.usage,
        unresolved=answer.unresolved,
        repositories=answer.repositories,
        workspace=workspace,
        files=session.produced,
        checks=session.checked,
    )


def _failed(session: Session | None, emit: Callable[[TaskEvent], None], message: str, reason: str) -> TaskResult:
    emit(TaskEvent(EventKind.TASK_FAILED, {"reason": reason, "message": message}))
    return _unfinished(session, TaskState.FAILED, message, reason)


def _unfinished(session: Session | None, state: TaskState, message: str, reason: str) -> TaskResult:
    return TaskResult(
        state,
        "",
        steps=session.steps if session else 0,
        usage=session.usage if session else TaskResult(state, "").usage,
        error=message,
        error_reason=reason,
    )


def _store_reason(error: GraphStoreError) -> str:
    """Stable word for an error of the store: its class name without `Error`, in capitals."""
    name = type(error).__name__.removesuffix("Error")
    return "".join(f"_{letter}" if letter.isupper() else letter for letter in name).strip("_").upper()


def _budget(asked: Budget, settings: AgentSettings) -> Budget:
    """The smaller of what the task asks for and what the settings allow; 0 asks for nothing special."""
    return Budget(
        steps=int(_smaller(asked.steps, settings.max_steps)),
        tokens=int(_smaller(asked.tokens, settings.max_tokens)),
        seconds=_smaller(asked.seconds, settings.max_seconds),
    )


def _smaller(asked: float, allowed: float) -> float:
    return min(asked, allowed) if asked and allowed else asked or allowed
