"""A provisioning of an indexed repository as the terminal shows it: its steps on stderr, its result on stdout."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final

import typer

from repoquarry.server.cli.session import Session
from repoquarry.server.errors import Failure, RequestError

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.v1.environment_service_pb2 import ProvisionedEnvironment, Provisioning

EXIT_PARTIAL: Final = 9
"""Exit code when something that the code imports is missing, and when there is no environment at all."""
_SHOWN: Final = 20


class Lines:
    """Progress: a line for each step on stderr."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def show(self, stage: str, text: str) -> None:
        print(f"{time.monotonic() - self._started:7.1f} s  {stage}: {text}", file=sys.stderr, flush=True)


def provision_indexed(session: Session, repository: str, *, date: str, tests: bool, language: str) -> None:
    """Provision a repository of the store, here or at a server, and show it."""
    from repoquarry.v1.environment_service_pb2 import (
        CreateProvisioningRequest,
        GetProvisioningRequest,
        ProvisioningSpec,
    )

    with session.api() as api:
        spec = ProvisioningSpec(repository=repository, date=date, tests=tests, language=language)
        asked = api.environments.create_provisioning(CreateProvisioningRequest(spec=spec)).provisioning
        _follow(session, api, asked)
        ended = api.environments.get_provisioning(GetProvisioningRequest(name=asked.name)).provisioning
    if not ended.HasField("result"):
        reason, message = ended.error.reason or "CANCELLED", ended.error.message or f"{ended.name} was cancelled"
        raise RequestError(Failure(reason, message, ended.error.metadata))
    if session.as_json:
        from repoquarry.server.cli.plain import plain

        session.print_json(plain(ended))
    else:
        _print(ended.result)
    if ended.result.state != ended.result.STATE_READY:
        raise typer.Exit(EXIT_PARTIAL)


def _follow(session: Session, api: Api, asked: Provisioning) -> None:
    """Show the steps. An interrupt cancels the provisioning where this process does the work."""
    from repoquarry.v1.environment_service_pb2 import CancelProvisioningRequest, StreamProvisioningEventsRequest

    lines = Lines()
    try:
        for part in api.environments.stream_provisioning_events(StreamProvisioningEventsRequest(name=asked.name)):
            if part.event.HasField("step"):
                lines.show(part.event.step.stage, part.event.step.text)
    except KeyboardInterrupt:
        if session.remote:
            print(f"{asked.name} goes on at the server", file=sys.stderr)
        else:
            api.environments.cancel_provisioning(CancelProvisioningRequest(name=asked.name))
        raise


def _print(found: ProvisionedEnvironment) -> None:
    state = type(found).State.Name(found.state).removeprefix("STATE_").lower()
    print(f"{state}: {found.language} {found.interpreter} ({found.interpreter_reason}), {len(found.packages)} packages")
    if found.environment:
        print(f"environment {found.environment}{' (made before)' if found.cached else ''}")
    print(f"versions of {found.date}" if found.date else "the newest versions")
    for repair in found.repairs:
        print(f"repaired ({repair.kind}): {repair.change}, because {repair.reason}")
    good = sum(not item.error for item in found.imports)
    print(f"imports: {good} of {len(found.imports)} succeed")
    for line in found.missing[:_SHOWN]:
        print(f"missing: {line}")
    for note in found.notes[:_SHOWN]:
        print(f"note: {note}")
