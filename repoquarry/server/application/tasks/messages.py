"""Tasks, their events and their answers as messages: the agent's plain values on one side, the contract on the other."""

from __future__ import annotations

import json
from collections.abc import Mapping

from google.protobuf.json_format import ParseDict

from repoquarry.agent.events import TaskEvent
from repoquarry.agent.task import ApprovalRequest, Place, TaskResult, TaskState
from repoquarry.server.application.work import timestamp, timestamp_or_none
from repoquarry.server.contract.names import TASKS, repository_name
from repoquarry.server.errors import Failure
from repoquarry.server.jobs.work import job_error
from repoquarry.server.state.records import StoredEvent, Work
from repoquarry.v1 import basis_pb2
from repoquarry.v1 import index_service_pb2 as index_pb
from repoquarry.v1 import task_service_pb2 as pb


def agent_event(event: TaskEvent) -> pb.TaskEvent:
    """An event of the agent. Its kind and the keys of its data are the names of the contract's fields; a test holds them equal."""
    return ParseDict({event.kind.value: _plain(event.data)}, pb.TaskEvent())


def _plain(data: Mapping[str, object]) -> object:
    return json.loads(json.dumps(data, default=str))


def state_event(state: str, failure: Failure | None, note: str) -> bytes:
    """The event of a change of state, as it is stored."""
    changed = pb.TaskStateChanged(state=pb.Task.State.Value(f"STATE_{state}"), note=note)
    if failure is not None:
        changed.error.CopyFrom(job_error(failure))
    return pb.TaskEvent(state_changed=changed).SerializeToString()


def event_message(stored: StoredEvent) -> pb.StreamTaskEventsResponse:
    """A stored event with its place in the history."""
    event = pb.TaskEvent.FromString(stored.payload)
    event.sequence = stored.sequence
    event.event_time.CopyFrom(timestamp(stored.time))
    return pb.StreamTaskEventsResponse(event=event)


def approval_message(asked: ApprovalRequest) -> pb.ApprovalRequested:
    """What a task waits for leave to do."""
    message = pb.ApprovalRequested(approval=asked.id, tool=asked.tool, effect=asked.effect)
    ParseDict({"arguments": _plain(asked.arguments)}, message)
    return message


def place_message(place: Place) -> pb.TaskPlace:
    """A place that an answer or a tool names."""
    return pb.TaskPlace(
        repository=repository_name(place.repository),
        path=place.path,
        qualname=place.qualname,
        start_line=place.start_line,
        end_line=place.end_line,
        score=place.score,
        why=place.why,
        reasons=place.reasons,
    )


def answer_message(result: TaskResult, basis: basis_pb2.AnswerBasis) -> pb.TaskAnswer:
    """The answer of a task with what it rests on."""
    return pb.TaskAnswer(
        text=result.text,
        places=[place_message(place) for place in result.places],
        unresolved=[
            pb.UnresolvedName(
                repository=repository_name(item.repository), name=item.name, sites=item.sites, reasons=item.reasons
            )
            for item in result.unresolved
        ],
        steps=result.steps,
        read_tokens=result.usage.read,
        input_tokens=result.usage.input,
        output_tokens=result.usage.output,
        partial=result.state is TaskState.BUDGET_REACHED,
        basis=basis,
        files=[
            pb.TaskFile(path=item.path, size=item.size, sha256=item.sha256, executable=item.executable)
            for item in result.files
        ],
        cost=result.usage.cost,
        unpriced_calls=result.usage.unpriced,
        checks=[pb.TaskCheckOutcome(check=item.check, held=item.held, why=item.why) for item in result.checks],
    )


def task_message(work: Work) -> pb.Task:
    """A stored task as a message."""
    return pb.Task(
        name=f"{TASKS}/{work.id}",
        state=pb.Task.State.Value(f"STATE_{work.state}"),
        spec=pb.TaskSpec.FromString(work.spec),
        answer=pb.TaskAnswer.FromString(work.result) if work.result else None,
        error=index_pb.JobError.FromString(work.error) if work.error else None,
        last_sequence=work.last_sequence,
        pending_approval=pb.ApprovalRequested.FromString(work.pending) if work.pending else None,
        attempts=work.attempts,
        create_time=timestamp(work.created),
        start_time=timestamp_or_none(work.started),
        end_time=timestamp_or_none(work.ended),
    )
