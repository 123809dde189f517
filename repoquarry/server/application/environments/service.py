"""EnvironmentService: environments for indexed repositories as durable work, in the cache that tasks take theirs from.

What came of a provisioning that the server's end interrupted is not kept: it begins again, on wheels that were downloaded before.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from repoquarry.server.application.callers import LOCAL, Caller
from repoquarry.server.application.environments.kept import KeptEnvironments
from repoquarry.server.application.environments.messages import (
    event_message,
    provisioning_message,
    result_message,
    state_event,
    step_event,
)
from repoquarry.server.application.host import Host
from repoquarry.server.application.trees import RepositoryTrees
from repoquarry.server.application.work import WorkBook, WorkType
from repoquarry.server.contract import paging
from repoquarry.server.contract.names import PROVISIONINGS, repository_name, repository_of
from repoquarry.server.errors import invalid, refuse
from repoquarry.server.jobs.runner import Runner
from repoquarry.server.jobs.work import WorkHandle, WorkKind
from repoquarry.server.state.records import CANCELLED, PROVISION, QUEUED, NewWork, RequestReusedError, Work
from repoquarry.v1 import environment_service_pb2 as pb

PROVISION_WORK = WorkType(PROVISION, PROVISIONINGS, "provisioning", "PROVISIONING_NOT_FOUND")
NEWEST: Final = "newest"


class EnvironmentApplication:
    """EnvironmentService over a store in this process."""

    def __init__(self, host: Host, trees: RepositoryTrees) -> None:
        self._host = host
        self._trees = trees
        self._book = WorkBook(host, PROVISION_WORK)
        self._kept = KeptEnvironments(host)
        self.kind = WorkKind(PROVISION, state_event, self._run, threads=host.settings.server.provision_workers)
        self.runner = Runner(self.kind, host.state, host.bell, host.owner, host.observers)

    def create_provisioning(
        self, request: pb.CreateProvisioningRequest, caller: Caller = LOCAL
    ) -> pb.CreateProvisioningResponse:
        from repoquarry.agent.provision.registry import check_language

        repository = repository_of(request.spec.repository, "spec.repository")
        self._host.store.repository(repository)
        _day(request.spec.date)
        check_language(request.spec.language)
        self._need_isolation()
        spec = pb.ProvisioningSpec(
            repository=repository_name(repository),
            date=request.spec.date,
            tests=request.spec.tests,
            language=request.spec.language,
        )
        body = spec.SerializeToString(deterministic=True)
        digest = hashlib.sha256(caller.owner.encode() + body).hexdigest()
        item = NewWork(caller.owner, body, state_event(QUEUED, None, ""))
        self._host.forget_old_work()
        try:
            works = self._host.state.create(
                PROVISION, [item], owner=self._host.owner, request=request.request_id, digest=digest
            )
        except RequestReusedError as exc:
            message = f"request_id {request.request_id!r} was used before, for another provisioning"
            raise refuse("REQUEST_ID_REUSED", message) from exc
        self.runner.wake()
        return pb.CreateProvisioningResponse(provisioning=provisioning_message(works[0]))

    def get_provisioning(
        self, request: pb.GetProvisioningRequest, caller: Caller = LOCAL
    ) -> pb.GetProvisioningResponse:
        return pb.GetProvisioningResponse(provisioning=provisioning_message(self._own(request.name, caller)))

    def list_provisionings(
        self, request: pb.ListProvisioningsRequest, caller: Caller = LOCAL
    ) -> pb.ListProvisioningsResponse:
        size = paging.page_size(request, 50, 500)
        subject = "" if caller.admin else caller.owner
        works = self._host.state.newest(PROVISION, subject=subject, before=paging.offset(request), limit=size + 1)
        more = paging.token(request, works[size - 1].ordinal) if len(works) > size else ""
        listed = [provisioning_message(work) for work in works[:size]]
        return pb.ListProvisioningsResponse(provisionings=listed, next_page_token=more)

    def cancel_provisioning(
        self, request: pb.CancelProvisioningRequest, caller: Caller = LOCAL
    ) -> pb.CancelProvisioningResponse:
        self._own(request.name, caller)
        work = self._book.cancel(request.name, state_event(CANCELLED, None, "cancelled before it started"))
        self.runner.cancelled(work.id)
        return pb.CancelProvisioningResponse(provisioning=provisioning_message(work))

    def stream_provisioning_events(
        self, request: pb.StreamProvisioningEventsRequest
    ) -> Iterator[pb.StreamProvisioningEventsResponse]:
        for event in self._book.follow(request.name, request.after_sequence):
            yield event_message(event)

    def read_provisioning_events(
        self, name: str, after: int, caller: Caller
    ) -> tuple[list[pb.StreamProvisioningEventsResponse], bool]:
        """The events that are there now, and whether there will be no more."""
        self._own(name, caller)
        events, ended = self._book.read(name, after)
        return [event_message(event) for event in events], ended

    def list_environments(
        self, request: pb.ListEnvironmentsRequest, caller: Caller = LOCAL
    ) -> pb.ListEnvironmentsResponse:
        return self._kept.list(request, caller)

    def delete_environment(
        self, request: pb.DeleteEnvironmentRequest, caller: Caller = LOCAL
    ) -> pb.DeleteEnvironmentResponse:
        return self._kept.delete(request, caller)

    def _own(self, name: str, caller: Caller) -> Work:
        """A provisioning of this caller. Raises: RequestError."""
        work = self._book.get(name)
        caller.check(work, name)
        return work

    def _need_isolation(self) -> None:
        """Raises: TaskRejectedError, IsolationUnavailableError: where tasks run no commands, neither do builds."""
        from repoquarry.agent.errors import TaskRejectedError
        from repoquarry.agent.isolation.registry import choose_isolation

        workspace = self._host.settings.agent.workspace
        if workspace.root is None:
            raise TaskRejectedError("this service provisions nothing; set the agent's workspace root to allow it")
        choose_isolation(workspace.isolation, workspace.container_image)

    def _run(self, handle: WorkHandle) -> tuple[list[bytes], bytes]:
        from repoquarry.agent.provision.folder import provisioned_folder

        begun = time.time()
        spec = pb.ProvisioningSpec.FromString(handle.work.spec)
        repository = repository_of(spec.repository)
        with (
            self._trees.open(repository, handle.cancelled) as tree,
            provisioned_folder(
                tree.root,
                self._host.settings.agent,
                name=repository,
                date=self._date(repository, spec.date),
                tests=spec.tests,
                language=spec.language,
                report=lambda progress: handle.emit(step_event(progress)),
                cancelled=handle.cancelled,
            ) as (found, _),
        ):
            result = result_message(found)
            if found.environment is not None:
                self._kept.own(found.environment, handle.work.subject, begun)
        return [pb.ProvisioningEvent(result=result).SerializeToString()], result.SerializeToString()

    def _date(self, repository: str, asked: str) -> datetime | None:
        """Day whose versions are taken; None for the newest."""
        if asked:
            return _day(asked)
        commits = self._host.store.history(repository).commits
        return datetime.fromtimestamp(max(commit.time for commit in commits), UTC) if commits else None


def _day(text: str) -> datetime | None:
    """A day as it was asked for; None for the newest versions. Raises: RequestError."""
    if text in ("", NEWEST):
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as exc:
        raise invalid("spec.date", f"{text!r} is no day; write YYYY-MM-DD, or {NEWEST}") from exc
