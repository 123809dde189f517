"""Provisionings, their steps and their results as messages of the contract."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from repoquarry.agent.provision.report import Progress, Provisioned
from repoquarry.agent.provision.trial import Repair
from repoquarry.server.application.work import timestamp, timestamp_or_none
from repoquarry.server.contract.names import PROVISIONINGS
from repoquarry.server.errors import Failure
from repoquarry.server.jobs.work import job_error
from repoquarry.server.state.records import StoredEvent, Work
from repoquarry.v1 import environment_service_pb2 as pb
from repoquarry.v1 import index_service_pb2 as index_pb


def state_event(state: str, failure: Failure | None, note: str) -> bytes:
    """The event of a change of state, as it is stored."""
    changed = pb.ProvisioningStateChanged(state=pb.Provisioning.State.Value(f"STATE_{state}"), note=note)
    if failure is not None:
        changed.error.CopyFrom(job_error(failure))
    return pb.ProvisioningEvent(state_changed=changed).SerializeToString()


def step_event(progress: Progress) -> bytes:
    """The event of a step, as it is stored."""
    step = pb.ProvisioningStep(stage=progress.stage, text=progress.text, repairs=_repairs(progress.repairs))
    return pb.ProvisioningEvent(step=step).SerializeToString()


def _repairs(repairs: Iterable[Repair]) -> list[pb.ProvisioningRepair]:
    return [pb.ProvisioningRepair(**asdict(repair)) for repair in repairs]


def event_message(stored: StoredEvent) -> pb.StreamProvisioningEventsResponse:
    """A stored event with its place in the history."""
    event = pb.ProvisioningEvent.FromString(stored.payload)
    event.sequence = stored.sequence
    event.event_time.CopyFrom(timestamp(stored.time))
    return pb.StreamProvisioningEventsResponse(event=event)


def result_message(found: Provisioned) -> pb.ProvisionedEnvironment:
    """What came of a provisioning; places on the server's disk are not told."""
    return pb.ProvisionedEnvironment(
        state=pb.ProvisionedEnvironment.State.Value(f"STATE_{found.state.name}"),
        environment=found.environment.name if found.environment else "",
        interpreter=found.interpreter,
        interpreter_reason=found.interpreter_reason,
        date=found.date,
        manifests=found.manifests,
        packages=found.lock,
        repairs=_repairs(found.repairs),
        imports=[
            pb.ProvisionedImport(module=item.module, own=item.own, needed=item.needed, error=item.error)
            for item in found.tried
        ],
        missing=found.missing,
        notes=found.notes,
        cached=found.cached,
        seconds=found.seconds,
        language=found.language,
    )


def provisioning_message(work: Work) -> pb.Provisioning:
    """A stored provisioning as a message."""
    return pb.Provisioning(
        name=f"{PROVISIONINGS}/{work.id}",
        state=pb.Provisioning.State.Value(f"STATE_{work.state}"),
        spec=pb.ProvisioningSpec.FromString(work.spec),
        result=pb.ProvisionedEnvironment.FromString(work.result) if work.result else None,
        error=index_pb.JobError.FromString(work.error) if work.error else None,
        last_sequence=work.last_sequence,
        attempts=work.attempts,
        create_time=timestamp(work.created),
        start_time=timestamp_or_none(work.started),
        end_time=timestamp_or_none(work.ended),
    )
