"""A task that waits for leave to act: over the application in this process, with an agent step that asks."""

from dataclasses import replace
from pathlib import Path

import pytest

from repoquarry.agent.task import ApprovalRequest
from repoquarry.server.application.application import Application
from repoquarry.server.errors import RequestError
from repoquarry.server.jobs.database import TASK, NewWork
from repoquarry.server.jobs.runner import WorkHandle, WorkRunner
from repoquarry.server.settings.loading import load_settings
from repoquarry.v1.task_service_pb2 import ApproveTaskActionRequest, StreamTaskEventsRequest, Task

ASKED = ApprovalRequest(id="a1", tool="run", arguments={"command": "make"}, effect="runs make in the workspace")


@pytest.mark.parametrize(("granted", "reason"), [(True, ""), (False, "too slow")])
def test_a_task_waits_until_a_person_decides(own_store: Path, granted: bool, reason: str) -> None:
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
        with pytest.raises(RequestError) as caught:
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
