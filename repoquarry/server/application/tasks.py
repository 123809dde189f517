"""Implementation of TaskService: runs agent tasks as durable jobs with events, checkpoints, approvals by a person, and files."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from google.protobuf.json_format import ParseDict
from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.agent import task as agent_task
from repoquarry.execution.errors import ExecutionError, ToolError
from repoquarry.execution.workspaces.completion_checks import CompletionCheck
from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.repository_names import find_repository
from repoquarry.ingest.errors import IngestError
from repoquarry.ingest.sources import choose_repository_id, parse_source
from repoquarry.operations.result import Place
from repoquarry.server.application.basis import BasisBuilder
from repoquarry.server.application.context import LOCAL, ApplicationContext, Caller
from repoquarry.server.application.long_operations import LongOperations, OperationType
from repoquarry.server.application.repositories import RepositoryTrees
from repoquarry.server.application.task_files import TaskFileStore, UploadReceiver
from repoquarry.server.errors import RequestError, ServerFailure, invalid_field, request_error
from repoquarry.server.jobs.database import ENDED, RUNNING, TASK, WAITING, Work
from repoquarry.server.jobs.runner import IncompleteWorkError, WorkHandle
from repoquarry.server.resource_names import TASKS, repositories_of, repository_name
from repoquarry.server.value_messages import to_message
from repoquarry.v1 import basis_pb2
from repoquarry.v1 import task_service_pb2 as pb


def agent_event(event: agent_task.TaskEvent) -> pb.TaskEvent:
    """Build the message of an agent event. Its kind and the keys of its data are the field names of the contract."""
    used = event.usage
    usage = pb.TaskUsage(
        steps=event.steps,
        read_tokens=used.read,
        input_tokens=used.input,
        output_tokens=used.output,
        cost=used.cost,
        unpriced_calls=used.unpriced,
    )
    return ParseDict({event.kind.value: _plain(event.data)}, pb.TaskEvent(usage=usage))


def _plain(data: Mapping[str, object]) -> object:
    return json.loads(json.dumps(data, default=str))


def approval_message(asked: agent_task.ApprovalRequest) -> pb.ApprovalRequested:
    message = pb.ApprovalRequested(approval=asked.id, tool=asked.tool, effect=asked.effect)
    ParseDict({"arguments": _plain(asked.arguments)}, message)
    return message


def place_message(place: Place) -> pb.TaskPlace:
    return to_message(pb.TaskPlace, place, repository=repository_name(place.repository))


def answer_message(result: agent_task.TaskResult, basis: basis_pb2.AnswerBasis) -> pb.TaskAnswer:
    return pb.TaskAnswer(
        text=result.text,
        places=[place_message(place) for place in result.places],
        unresolved=[
            to_message(pb.UnresolvedName, item, repository=repository_name(item.repository))
            for item in result.unresolved
        ],
        steps=result.steps,
        read_tokens=result.usage.read,
        input_tokens=result.usage.input,
        output_tokens=result.usage.output,
        partial=result.state is agent_task.TaskState.BUDGET_REACHED,
        basis=basis,
        files=[to_message(pb.TaskFile, item, modify_time=None) for item in result.files],
        cost=result.usage.cost,
        unpriced_calls=result.usage.unpriced,
        checks=[to_message(pb.TaskCheckOutcome, item) for item in result.checks],
    )


def _build_task(work: Work) -> pb.Task:
    return pb.Task(
        spec=pb.TaskSpec.FromString(work.spec),
        answer=pb.TaskAnswer.FromString(work.result) if work.result else None,
        pending_approval=pb.ApprovalRequested.FromString(work.pending) if work.pending else None,
    )


TASK_OPERATION = OperationType(TASK, TASKS, "task", "TASK_NOT_FOUND", pb.Task, pb.StreamTaskEventsResponse, _build_task)
_POLL_SECONDS = 0.5
_MAX_REASON_CHARACTERS = 1_000
_INDEXING = "a task"
"""Holder of a repository while a task indexes it."""
_CHECKPOINTS = "checkpoints"
"""Folder of the store with one file of checkpoints a task."""


class TaskApplication:
    def __init__(self, host: ApplicationContext, bases: BasisBuilder, trees: RepositoryTrees) -> None:
        self._host = host
        self._bases = bases
        self._trees = trees
        self.files = TaskFileStore(host)
        workers = host.settings.server.task_workers
        self.operations = LongOperations(host, TASK_OPERATION, self._run, threads=workers)
        self._decisions: dict[tuple[str, str], bool | str] = {}
        self._decided = threading.Condition()
        host.on_forgetting.append(self._delete_old_checkpoints)

    def create_task(self, request: pb.CreateTaskRequest, caller: Caller = LOCAL) -> pb.CreateTaskResponse:
        from repoquarry.agent.loop.run import check_task

        spec = request.spec
        most = self._host.settings.agent.max_task_characters
        if not spec.text.strip() or len(spec.text) > most:
            raise invalid_field("spec.text", f"empty or longer than {most} characters")
        stored = pb.TaskSpec()
        stored.CopyFrom(spec)
        del stored.repositories[:]
        chosen = [find_repository(self._host.store, name) for name in repositories_of(spec.repositories)]
        stored.repositories.extend(map(repository_name, dict.fromkeys(chosen)))
        if spec.inputs:
            del stored.inputs[:]
            stored.inputs.extend(self.files.checked_inputs(spec, caller))
        check_task(_to_request(stored), self._host.store, self._host.settings.agent, indexing=True)
        spec_bytes = stored.SerializeToString(deterministic=True)
        (task,) = self.operations.create([spec_bytes], request.request_id, caller)
        return pb.CreateTaskResponse(task=task)

    def get_task(self, request: pb.GetTaskRequest, caller: Caller = LOCAL) -> pb.GetTaskResponse:
        return pb.GetTaskResponse(task=self.operations.get(request.name, caller))

    def list_tasks(self, request: pb.ListTasksRequest, caller: Caller = LOCAL) -> pb.ListTasksResponse:
        tasks, token = self.operations.list_page(request, caller, states=request.states)
        if request.without_answers:
            for task in tasks:
                task.ClearField("answer")
        return pb.ListTasksResponse(tasks=tasks, next_page_token=token)

    def cancel_task(self, request: pb.CancelTaskRequest, caller: Caller = LOCAL) -> pb.CancelTaskResponse:
        task = self.operations.cancel(request.name, caller)
        with self._decided:
            self._decided.notify_all()
        return pb.CancelTaskResponse(task=task)

    def resume_task(self, request: pb.ResumeTaskRequest, caller: Caller = LOCAL) -> pb.ResumeTaskResponse:
        """Queue a failed task, or with a step an ended one, which continues from its checkpoint."""
        if not request.step:
            return pb.ResumeTaskResponse(task=self.operations.requeue(request.name, caller))
        from repoquarry.agent.loop.walk import fork_task

        work = self.operations.require(request.name, caller)
        if work.state not in ENDED:
            raise request_error("WRONG_STATE", f"{request.name} has not ended: {work.state}", state=work.state)
        path = self._checkpoints(work.id)
        if path is None or not path.exists() or not fork_task(path, work.id, request.step):
            raise invalid_field("step", f"{request.name} has no step {request.step!r}")
        return pb.ResumeTaskResponse(task=self.operations.requeue(request.name, caller, ENDED))

    def list_task_steps(self, request: pb.ListTaskStepsRequest, caller: Caller = LOCAL) -> pb.ListTaskStepsResponse:
        """List the checkpoints of a task, newest first."""
        from repoquarry.agent.loop.walk import list_steps

        work = self.operations.require(request.name, caller)
        path = self._checkpoints(work.id)
        steps = [
            to_message(
                pb.TaskStep, step, store_time=Timestamp(seconds=int(step.time.timestamp())), next=step.next_nodes
            )
            for step in (list_steps(path, work.id) if path is not None and path.exists() else ())
        ]
        return pb.ListTaskStepsResponse(steps=steps)

    def stream_task_events(self, request: pb.StreamTaskEventsRequest) -> Iterator[pb.StreamTaskEventsResponse]:
        return self.operations.follow(request)

    def approve_task_action(
        self, request: pb.ApproveTaskActionRequest, caller: Caller = LOCAL
    ) -> pb.ApproveTaskActionResponse:
        work = self.operations.require(request.name, caller)
        pending = pb.ApprovalRequested.FromString(work.pending) if work.pending else None
        if work.state != WAITING or pending is None or pending.approval != request.approval:
            raise request_error(
                "WRONG_STATE",
                f"{request.name} is not waiting for a decision on {request.approval!r}; its state is {work.state}",
                state=work.state,
            )
        with self._decided:
            decision = request.granted or request.reason[:_MAX_REASON_CHARACTERS]
            self._decisions[work.id, request.approval] = decision
            self._decided.notify_all()
        return pb.ApproveTaskActionResponse(task=self.operations.get(request.name, caller))

    def upload_task_input(self, requests: Iterator[pb.UploadTaskInputRequest]) -> pb.UploadTaskInputResponse:
        receiver = self.upload_task_input_receiver()
        try:
            for request in requests:
                receiver.take(request)
            return receiver.finish()
        finally:
            receiver.close()

    def upload_task_input_receiver(self, caller: Caller = LOCAL) -> UploadReceiver:
        """Return the receiver of an upload in parts. Raises: TaskRejectedError."""
        return UploadReceiver(self.files.uploads, caller)

    def list_task_files(self, request: pb.ListTaskFilesRequest, caller: Caller = LOCAL) -> pb.ListTaskFilesResponse:
        return self.files.list(self.operations.require(request.name, caller), request)

    def read_task_file(
        self, request: pb.ReadTaskFileRequest, caller: Caller = LOCAL
    ) -> Iterator[pb.ReadTaskFileResponse]:
        return self.files.read(self.operations.require(request.name, caller), request)

    def delete_task_files(
        self, request: pb.DeleteTaskFilesRequest, caller: Caller = LOCAL
    ) -> pb.DeleteTaskFilesResponse:
        self.files.delete(self.operations.require(request.name, caller), request.name)
        return pb.DeleteTaskFilesResponse()

    def _run(self, handle: WorkHandle) -> tuple[list[bytes], bytes]:
        from repoquarry.agent.loop.run import Facilities, run_task
        from repoquarry.server.repository_search import offer_repositories

        spec = pb.TaskSpec.FromString(handle.work.spec)
        result = run_task(
            _to_request(spec),
            self._host.store,
            self._host.settings.agent,
            emit=lambda event: self._emit(handle, event),
            cancelled=handle.cancelled,
            approve=lambda asked: self._approve(handle, asked),
            facilities=Facilities(
                handle.work.id,
                self.files.inputs(spec, handle.work.subject),
                self._trees,
                self._index,
                partial(offer_repositories, self._host.store, self._host.settings.agent, handle.cancelled),
                self._checkpoints(handle.work.id),
            ),
        )
        if result.state is agent_task.TaskState.FAILED:
            raise RequestError(ServerFailure(result.error_reason or ExecutionError.reason, result.error))
        if result.state is agent_task.TaskState.CANCELLED:
            raise request_error("CANCELLED", "the task was cancelled")
        basis = self._bases.of(result.repositories, result.relevant_names)
        answer = answer_message(result, basis)
        events, stored = [pb.TaskEvent(answer=answer).SerializeToString()], answer.SerializeToString()
        if failure := _failure(handle.work.id, result, needs_work=spec.workspace):
            raise IncompleteWorkError(failure, events, stored)
        return events, stored

    def _index(self, address: str, cancelled: Callable[[], bool]) -> str:
        """Index the repository at a git address, as the source policy allows. Raises: ToolError."""
        from repoquarry.ingest.pipeline import index_repository

        host = self._host
        try:
            source = parse_source(address)
            if source.address is None:
                raise ToolError(f"{address!r} is not a git address")
            host.admission.check(source)
            with ExitStack() as opened:
                store = opened.enter_context(host.open_for_writing())
                name = choose_repository_id(store, source, None)
                if holder := host.held.acquire(name, _INDEXING):
                    raise ToolError(f"{name} is in use: {holder}")
                opened.callback(host.held.release, name, _INDEXING)
                reach = host.admission.reach
                index_repository(source, store, host.settings.ingest, name=name, reach=reach, cancelled=cancelled)
        except (IngestError, GraphStoreError) as error:
            raise ToolError(f"{address} was not indexed: {error}") from error
        return name

    def _checkpoints(self, id_: str) -> Path | None:
        """File of a task's checkpoints; None where nothing outlives this process."""
        return self._host.store.folder / _CHECKPOINTS / f"{id_}.db" if self._host.state.kept else None

    def _delete_old_checkpoints(self) -> None:
        """Delete the checkpoints of tasks that were forgotten."""
        for file in (self._host.store.folder / _CHECKPOINTS).glob("*.db*"):  # With their journals.
            if self._host.state.kept and self._host.state.get(TASK, file.name.partition(".")[0]) is None:
                file.unlink(missing_ok=True)

    def _emit(self, handle: WorkHandle, event: agent_task.TaskEvent) -> None:
        message = agent_event(event)
        if event.kind is agent_task.EventKind.APPROVAL_REQUESTED:  # A client may decide as soon as it reads this event.
            self._set_waiting(handle, message.approval_requested)
        if (
            event.kind is not agent_task.EventKind.ANSWER
        ):  # The answer is emitted once, with its basis, when it is stored.
            handle.emit(message.SerializeToString())

    def _set_waiting(self, handle: WorkHandle, asked: pb.ApprovalRequested) -> None:
        event = self.operations.encode_state(WAITING, None, asked.effect)
        handle.emit(event, state=WAITING, pending=asked.SerializeToString())

    def _approve(self, handle: WorkHandle, asked: agent_task.ApprovalRequest) -> bool | str:
        """Wait for the decision of a person: True, or the reason of a refusal; refused when the task is cancelled or the server stops."""
        key = (handle.work.id, asked.id)
        work = self._host.state.get(TASK, handle.work.id)
        if work is None or work.state != WAITING:  # The task was resumed while an approval was pending.
            self._set_waiting(handle, approval_message(asked))
        with self._decided:
            while key not in self._decisions and not handle.cancelled():
                self._decided.wait(_POLL_SECONDS)
            decision = self._decisions.pop(key, "")
        handle.emit(self.operations.encode_state(RUNNING, None, ""), state=RUNNING, pending=None)
        return decision


def _failure(id_: str, result: agent_task.TaskResult, *, needs_work: bool) -> ServerFailure | None:
    """Return the failure of a task with an answer: failed completion checks or an early end; None if there is none."""
    failed = [outcome for outcome in result.checks if not outcome.held]
    if not failed:
        if result.state is agent_task.TaskState.NO_ANSWER:
            return ServerFailure("NO_ANSWER", "no answer was found; the text says what was searched")
        if result.state is not agent_task.TaskState.BUDGET_REACHED or not needs_work or result.checks:
            return None
        if result.stop == "repetition":
            return ServerFailure("NO_PROGRESS", "the model repeated calls whose results it had")
        return ServerFailure("BUDGET_REACHED", "the task reached its budget before its end")
    found = "; ".join(f"{outcome.check}: {outcome.why}" for outcome in failed)
    metadata = {"task": f"{TASKS}/{id_}"} | {f"check_{n}": outcome.check for n, outcome in enumerate(failed, 1)}
    return ServerFailure("CHECKS_FAILED", f"completion checks failed: {found}", metadata)


def _to_request(spec: pb.TaskSpec) -> agent_task.TaskRequest:
    return agent_task.TaskRequest(
        text=spec.text,
        repositories=repositories_of(spec.repositories),
        policy=spec.policy or agent_task.TaskRequest(text="").policy,
        workspace=spec.workspace,
        auto_approve=spec.auto_approve,
        budget=agent_task.Budget(spec.budget.steps, spec.budget.tokens, spec.budget.seconds),
        hosts=tuple(spec.network_hosts),
        checks=tuple(CompletionCheck(item.path, item.not_empty, item.pattern, item.command) for item in spec.checks),
        inputs=tuple(item.path for item in spec.inputs),
    )
