"""Implementation of EnvironmentService: jobs that install the dependencies of a repository, and the cached environments.

A provisioning that a stop of the server interrupted restarts from the beginning, and uses the wheels downloaded before.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.execution.provision.report import ProvisioningResult, ProvisioningStep, Repair
from repoquarry.server import resource_names
from repoquarry.server.application.basis import require_repository
from repoquarry.server.application.context import LOCAL, ApplicationContext, Caller
from repoquarry.server.application.long_operations import LongOperations, OperationType
from repoquarry.server.application.repositories import RepositoryTrees
from repoquarry.server.errors import ServerFailure, invalid_field, request_error
from repoquarry.server.jobs.database import PROVISION, Work
from repoquarry.server.jobs.runner import IncompleteWorkError, WorkHandle
from repoquarry.server.resource_names import ENVIRONMENTS, PROVISIONINGS, parse_repository_name, repository_name
from repoquarry.server.value_messages import to_message
from repoquarry.v1 import environment_service_pb2 as pb

if TYPE_CHECKING:
    from repoquarry.execution.provision.environment_cache import CachedEnvironment, EnvironmentCache


def step_event(progress: ProvisioningStep) -> bytes:
    step = to_message(pb.ProvisioningStep, progress, repairs=_repairs(progress.repairs))
    return pb.ProvisioningEvent(step=step).SerializeToString()


def _repairs(repairs: Iterable[Repair]) -> list[pb.ProvisioningRepair]:
    return [pb.ProvisioningRepair(**asdict(repair)) for repair in repairs]


def result_message(found: ProvisioningResult) -> pb.ProvisionedEnvironment:
    """Build the message of a result, without paths of the server's disk."""
    return to_message(
        pb.ProvisionedEnvironment,
        found,
        state=pb.ProvisionedEnvironment.State.Value(f"STATE_{found.state.name}"),
        environment=found.environment.name if found.environment else "",
        packages=found.lock,
        repairs=_repairs(found.repairs),
        imports=[to_message(pb.ProvisionedImport, item) for item in found.tried],
    )


def _build_provisioning(work: Work) -> pb.Provisioning:
    result = pb.ProvisionedEnvironment.FromString(work.result) if work.result else None
    return pb.Provisioning(spec=pb.ProvisioningSpec.FromString(work.spec), result=result)


def _is_own(stored: CachedEnvironment, caller: Caller) -> bool:
    return caller.admin or bool(stored.owner and stored.owner == caller.owner)


def environment_message(
    cache: EnvironmentCache, stored: CachedEnvironment, caller: Caller, repositories: set[str]
) -> pb.Environment:
    """Build the message of a cached environment; only its owner sees the owner, and only repositories of the store are named."""
    own = _is_own(stored, caller)
    return pb.Environment(
        name=f"{ENVIRONMENTS}/{stored.name}",
        repository=repository_name(stored.repository if stored.repository in repositories else ""),
        language=stored.language,
        interpreter=str(stored.record["interpreter"]),
        packages=len(stored.record["lock"]),
        size_bytes=stored.size_bytes,
        in_use=cache.in_use(stored),
        own=own,
        owner=stored.owner if own else "",
        create_time=_time(stored.created),
        use_time=_time(stored.used),
    )


def _time(seconds: float) -> Timestamp:
    found = Timestamp()
    found.FromMicroseconds(int(seconds * 1_000_000))
    return found


PROVISIONING = OperationType(
    PROVISION,
    PROVISIONINGS,
    "provisioning",
    "PROVISIONING_NOT_FOUND",
    pb.Provisioning,
    pb.StreamProvisioningEventsResponse,
    _build_provisioning,
)
NEWEST: Final = "newest"


class EnvironmentApplication:
    def __init__(self, host: ApplicationContext, trees: RepositoryTrees) -> None:
        self._host = host
        self._trees = trees
        host.on_forgetting.append(self._delete_expired)
        workers = host.settings.server.provision_workers
        self.operations = LongOperations(host, PROVISIONING, self._run, threads=workers)

    def create_provisioning(
        self, request: pb.CreateProvisioningRequest, caller: Caller = LOCAL
    ) -> pb.CreateProvisioningResponse:
        from repoquarry.execution.provision.provisioning_run import check_language

        repository = require_repository(self._host.store, request.spec.repository, "spec.repository")
        _day(request.spec.date)
        check_language(request.spec.language)
        self._require_isolation()
        spec = to_message(pb.ProvisioningSpec, request.spec, repository=repository_name(repository))
        spec_bytes = spec.SerializeToString(deterministic=True)
        (provisioning,) = self.operations.create([spec_bytes], request.request_id, caller)
        return pb.CreateProvisioningResponse(provisioning=provisioning)

    def get_provisioning(
        self, request: pb.GetProvisioningRequest, caller: Caller = LOCAL
    ) -> pb.GetProvisioningResponse:
        return pb.GetProvisioningResponse(provisioning=self.operations.get(request.name, caller))

    def list_provisionings(
        self, request: pb.ListProvisioningsRequest, caller: Caller = LOCAL
    ) -> pb.ListProvisioningsResponse:
        provisionings, token = self.operations.list_page(request, caller)
        return pb.ListProvisioningsResponse(provisionings=provisionings, next_page_token=token)

    def cancel_provisioning(
        self, request: pb.CancelProvisioningRequest, caller: Caller = LOCAL
    ) -> pb.CancelProvisioningResponse:
        return pb.CancelProvisioningResponse(provisioning=self.operations.cancel(request.name, caller))

    def stream_provisioning_events(
        self, request: pb.StreamProvisioningEventsRequest
    ) -> Iterator[pb.StreamProvisioningEventsResponse]:
        return self.operations.follow(request)

    def list_environments(
        self, request: pb.ListEnvironmentsRequest, caller: Caller = LOCAL
    ) -> pb.ListEnvironmentsResponse:
        size, begin = resource_names.page_size(request, 50, 500), resource_names.offset(request)
        if (cache := self._find_cache()) is None:
            return pb.ListEnvironmentsResponse()
        every = cache.all()[::-1]
        repositories = set(self._host.store.repositories())
        page = [environment_message(cache, item, caller, repositories) for item in every[begin : begin + size]]
        more = resource_names.token(request, begin + size) if len(every) > begin + size else ""
        return pb.ListEnvironmentsResponse(environments=page, next_page_token=more)

    def delete_environment(
        self, request: pb.DeleteEnvironmentRequest, caller: Caller = LOCAL
    ) -> pb.DeleteEnvironmentResponse:
        id_, cache = resource_names.parse_name(ENVIRONMENTS, request.name), self._find_cache()
        stored = cache.find_by_name(id_) if cache else None
        if cache is None or stored is None:
            raise request_error("ENVIRONMENT_NOT_FOUND", f"no environment {id_!r}", name=request.name)
        if not _is_own(stored, caller):
            raise request_error("NOT_OWNER", f"{request.name} was created with another token", name=request.name)
        if not cache.remove(id_):
            raise request_error("ENVIRONMENT_IN_USE", f"{request.name} is in use", name=request.name)
        return pb.DeleteEnvironmentResponse()

    def _delete_expired(self) -> None:
        """Remove environments that are unused for the retention time or exceed the size limit."""
        if self._host.settings.agent.workspace.root is not None and (cache := self._find_cache()) is not None:
            cache.evict()

    def _find_cache(self) -> EnvironmentCache | None:
        """Return the environments that the tasks and provisionings of the service share; None before the first one."""
        from repoquarry.execution.provision.provisioning_run import environments_root, open_cache

        agent = self._host.settings.agent
        return open_cache(agent) if environments_root(agent).is_dir() else None

    def _require_isolation(self) -> None:
        """Require isolation, as for the commands of tasks. Raises: TaskRejectedError, IsolationUnavailableError."""
        from repoquarry.execution.errors import TaskRejectedError
        from repoquarry.execution.isolation.registry import choose_isolation

        workspace = self._host.settings.agent.workspace
        if workspace.root is None:
            raise TaskRejectedError("provisioning is off; set agent.workspace.root")
        choose_isolation(workspace.isolation, workspace.container_image)

    def _run(self, handle: WorkHandle) -> tuple[list[bytes], bytes]:
        from repoquarry.execution.provision.provisioning_run import provision_folder

        begun = time.time()
        spec = pb.ProvisioningSpec.FromString(handle.work.spec)
        repository = parse_repository_name(spec.repository)
        with (
            self._trees.open(repository, handle.cancelled) as tree,
            provision_folder(
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
            stored, owner, cache = found.environment, handle.work.subject, self._find_cache()
            # An environment that another provisioning built before has its owner already.
            if cache and stored and owner and not stored.owner and stored.created >= begun:
                cache.own(stored, owner)
        events, encoded = [pb.ProvisioningEvent(result=result).SerializeToString()], result.SerializeToString()
        if result.state == result.STATE_FAILED:
            failure = ServerFailure(
                "ENVIRONMENT_UNAVAILABLE", f"the environment was not built: {'; '.join(result.missing[:3])}"
            )
            raise IncompleteWorkError(failure, events, encoded)
        return events, encoded

    def _date(self, repository: str, asked: str) -> datetime | None:
        """Return the day of the package versions; None means the newest versions."""
        if asked:
            return _day(asked)
        commits = self._host.store.history(repository).commits
        return datetime.fromtimestamp(max(commit.time for commit in commits), UTC) if commits else None


def _day(text: str) -> datetime | None:
    """Parse a requested day; None means the newest versions. Raises: RequestError."""
    if text in ("", NEWEST):
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as exc:
        raise invalid_field("spec.date", f"{text!r} is not a day; expected YYYY-MM-DD or {NEWEST}") from exc
