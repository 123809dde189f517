"""Entry point of the agent: checks a task, opens its workspace and checkpoints, runs its LangGraph graph, returns the result.

Synchronous on purpose: a task is a chain of decisions, and several tasks run in several threads. Events report everything; the result
repeats the answer.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from repoquarry.agent import LOADING
from repoquarry.agent.decisions import Answer, count_steps
from repoquarry.agent.errors import ModelRequiredError
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import (
    CHAT,
    POLICIES,
    ApprovalRequest,
    Budget,
    EventKind,
    TaskEvent,
    TaskRequest,
    TaskResult,
    TaskState,
    TokenUsage,
)
from repoquarry.agent.tools.base import Indexer, ToolContext, available_tools
from repoquarry.code.reader import CodeReader
from repoquarry.execution.errors import ExecutionError, TaskCancelledError, TaskRejectedError, UnknownNameError
from repoquarry.execution.isolation.registry import check_hosts
from repoquarry.execution.workspaces.completion_checks import validate
from repoquarry.execution.workspaces.files import checked_path
from repoquarry.execution.workspaces.workspace import TreeProvider, Workspace
from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.store import Store
from repoquarry.operations.base import RepositorySearch

if TYPE_CHECKING:
    from repoquarry.agent.loop.walk import TaskWalk

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Facilities:
    """Parts of the service that a task needs besides the store."""

    name: str = ""
    """Name of its workspace, by which a restarted task finds it; empty for a new one."""

    inputs: Mapping[str, Path] = field(default_factory=dict)
    """Uploaded files by their paths in the task."""

    trees: TreeProvider | None = None
    index: Indexer | None = None
    """Indexer of repositories that a task finds online; None if it cannot add any."""

    search: RepositorySearch | None = None
    """Search of catalogs for repositories that are not indexed; None if there is none."""

    checkpoints: Path | None = None
    """File of the task's checkpoints; None keeps them in memory."""


NO_FACILITIES = Facilities()


def check_task(task: TaskRequest, store: Store, settings: AgentSettings, *, indexing: bool = False) -> tuple[str, ...]:
    """Check a task, and return the repositories that it would use; none if it can index some itself (`indexing`).

    Raises: TaskRejectedError, UnknownNameError, ModelRequiredError, ModelRejectedError; NotFoundError for an unknown repository.
    """
    if not task.text.strip():
        raise TaskRejectedError("the task is empty; describe what is wanted")
    if len(task.text) > settings.max_task_characters:
        raise TaskRejectedError(f"the task has {len(task.text)} characters, more than {settings.max_task_characters}")
    for name, value in asdict(task.budget).items():
        if value < 0:
            raise TaskRejectedError(f"the budget of {name} is negative; 0 leaves it to the service")
    if task.workspace and settings.workspace.root is None:
        raise TaskRejectedError("task workspaces are disabled; set agent.workspace.root")
    if not task.workspace and (task.inputs or task.hosts or task.checks):
        raise TaskRejectedError("inputs, hosts and completion checks are for tasks with a workspace; ask for one")
    _check_policy(task, settings)
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
    can_search = bool(settings.search.token or settings.catalogue)
    if not chosen and not (indexing and can_search and task.policy == CHAT):
        raise TaskRejectedError("no repository is indexed yet; index one first")
    return chosen


def _check_policy(task: TaskRequest, settings: AgentSettings) -> None:
    if task.policy not in POLICIES:
        raise UnknownNameError("policy", task.policy, POLICIES)
    if task.policy == CHAT:
        with LOADING:
            from repoquarry.agent.model.client import open_model  # Loads langchain.

        open_model(settings.model)
    elif task.workspace:
        raise ModelRequiredError(
            "a task that writes files or runs commands needs a chat model: set one up (agent.model.name) and ask for "
            "the policy 'chat'; a question without a workspace is answered without a model"
        )


def run_task(
    task: TaskRequest,
    store: Store,
    settings: AgentSettings,
    *,
    emit: Callable[[TaskEvent], None],
    cancelled: Callable[[], bool],
    approve: Callable[[ApprovalRequest], bool | str],
    facilities: Facilities = NO_FACILITIES,
) -> TaskResult:
    """Run a task and report all that happens through `emit`; never raises for what a task may meet.

    `approve` may block until a person has decided; it returns True, False, or the reason of a refusal. A cancelled task ends at the
    next node, a command or request in it at once.
    """
    walk: TaskWalk | None = None
    try:
        repositories = check_task(task, store, settings, indexing=facilities.index is not None)
        workspace = _open_workspace(task, settings, cancelled, facilities) if task.workspace else None
        context = ToolContext(
            *(CodeReader(store), repositories, task.text, settings, cancelled, workspace),
            trees=facilities.trees,
            index=facilities.index,
            search=facilities.search,
        )
        with _open_walk(task, context, emit, approve, facilities) as walk:
            walk.run(facilities.name or "task")
        return _build_result(walk, context)
    except TaskCancelledError as error:
        return _end(emit, walk, TaskState.CANCELLED, "the task was cancelled", error.reason)
    except ExecutionError as error:
        return _end(emit, walk, TaskState.FAILED, str(error), error.reason)
    except GraphStoreError as error:
        return _end(emit, walk, TaskState.FAILED, str(error), _find_reason(error))
    except Exception as error:  # the boundary of the agent: its caller has to learn that the task is over
        _log.exception("task_failed kind=%s", type(error).__name__)
        message = f"the agent failed: {type(error).__name__}: {error}"
        return _end(emit, walk, TaskState.FAILED, message, ExecutionError.reason)


def _build_result(walk: TaskWalk, context: ToolContext) -> TaskResult:
    """Build the result of a walk that came to its end."""
    answer, workspace, stop = cast(Answer, walk.state["answer"]), context.workspace, walk.state.get("stop", "")
    return TaskResult(
        state=TaskState.BUDGET_REACHED if stop else TaskState.ANSWERED if answer.found else TaskState.NO_ANSWER,
        text=answer.text,
        places=tuple(answer.places),
        steps=count_steps(walk.state),
        usage=walk.usage,
        unresolved=tuple(answer.unresolved),
        repositories=tuple(answer.repositories),
        relevant_names=tuple(answer.relevant_names),
        workspace=str(workspace.root) if workspace is not None else "",
        files=context.list_outputs(),
        checks=tuple(walk.state.get("checks", ())),
        stop=stop,
        fallback=walk.state.get("fallback", ""),
    )


def _end(
    emit: Callable[[TaskEvent], None], walk: TaskWalk | None, state: TaskState, message: str, reason: str
) -> TaskResult:
    """Report that a task ended before its answer, and build its result."""
    steps, usage = (count_steps(walk.state), walk.usage) if walk is not None else (0, TokenUsage())
    if state is TaskState.CANCELLED:
        emit(TaskEvent(EventKind.TASK_CANCELLED, {"steps": steps}, steps, usage))
    else:
        emit(TaskEvent(EventKind.TASK_FAILED, {"reason": reason, "message": message}, steps, usage))
    return TaskResult(state, "", steps=steps, usage=usage, error=message, error_reason=reason)


def _open_workspace(
    task: TaskRequest, settings: AgentSettings, cancelled: Callable[[], bool], facilities: Facilities
) -> Workspace:
    """Open the task's workspace with its inputs in it."""
    workspace = Workspace.create(settings.workspace, cancelled, facilities.name, task.hosts)
    for path in task.inputs:
        if path not in facilities.inputs:
            raise TaskRejectedError(f"the input {path!r} was not sent")
        workspace.put_input(path, facilities.inputs[path])
    return workspace


@contextmanager
def _open_walk(
    task: TaskRequest,
    context: ToolContext,
    emit: Callable[[TaskEvent], None],
    approve: Callable[[ApprovalRequest], bool | str],
    facilities: Facilities,
) -> Iterator[TaskWalk]:
    """Open the walk through the graph of a task with its checkpoints. Raises: ModelRejectedError."""
    with LOADING:  # langgraph takes long to import
        from repoquarry.agent.loop.state import TaskContext, open_checkpoints
        from repoquarry.agent.loop.walk import TaskWalk
        from repoquarry.agent.model.tool_offer import OWN_TOOLS

    settings, is_chat, indexing = context.settings, task.policy == CHAT, context.index is not None
    offered = available_tools(workspace=task.workspace, exploration=settings.exploration, indexing=indexing)
    tools = {tool.name: tool for tool in (*offered, *(OWN_TOOLS if is_chat else ()))}
    with open_checkpoints(facilities.checkpoints if is_chat else None) as checkpoints:
        run = TaskContext(task, _limit_budget(task.budget, settings), tools, context, checkpoints)
        if is_chat:
            with LOADING:
                from repoquarry.agent.model.client import ChatModel

            run.model = ChatModel(settings.model, context.cancelled, run.seconds_left)
        yield TaskWalk(run, emit, approve)


def _find_reason(error: GraphStoreError) -> str:
    """Stable word for an error of the store: its class name without `Error`, in capitals."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__.removesuffix("Error")).upper()


def _limit_budget(asked: Budget, settings: AgentSettings) -> Budget:
    """Return the smaller of requested and allowed budget; 0 leaves the bound to the settings."""
    allowed = Budget(settings.max_steps, settings.max_tokens, settings.max_seconds)
    return Budget(*(min(filter(None, pair), default=0) for pair in zip(astuple(asked), astuple(allowed), strict=True)))
