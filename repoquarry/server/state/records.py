"""What is stored of work: its states and kinds, the work itself, its events."""

from __future__ import annotations

from dataclasses import dataclass

QUEUED, RUNNING, WAITING = "QUEUED", "RUNNING", "WAITING"
SUCCEEDED, FAILED, CANCELLED = "SUCCEEDED", "FAILED", "CANCELLED"
ACTIVE = (QUEUED, RUNNING, WAITING)
STATES = (*ACTIVE, SUCCEEDED, FAILED, CANCELLED)
INDEX, BATCH, TASK, PROVISION = "index", "batch", "task", "provision"
KINDS = (INDEX, BATCH, TASK, PROVISION)


@dataclass(frozen=True)
class Work:
    """One index job, batch, task or provisioning as it is stored. Times are microseconds since 1970; `owner` is the process that runs it."""

    ordinal: int
    id: str
    kind: str
    state: str
    subject: str
    spec: bytes
    progress: bytes | None
    result: bytes | None
    error: bytes | None
    pending: bytes | None
    attempts: int
    owner: str
    cancel: bool
    last_sequence: int
    created: int
    started: int | None
    ended: int | None


@dataclass(frozen=True)
class NewWork:
    """Work to be created: `subject` is the repository's id of an index job, else the owner."""

    subject: str
    spec: bytes
    first_event: bytes


@dataclass(frozen=True)
class StoredEvent:
    """One event of a piece of work; `time` in microseconds since 1970."""

    sequence: int
    time: int
    payload: bytes


class BusyError(Exception):
    """An index job of the same repository is queued or running: `work` is its id."""

    def __init__(self, subject: str, work: str) -> None:
        super().__init__(f"{subject} is being worked on by {work}")
        self.subject = subject
        self.work = work


class RequestReusedError(Exception):
    """The request id was used before with another content."""
