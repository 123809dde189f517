"""Work whose process is gone: taken over at the next start, or reported."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from repoquarry.server.errors import Failure
from repoquarry.server.jobs.processes import is_alive
from repoquarry.server.jobs.work import WorkKind, end_as_failed
from repoquarry.server.state.database import StateDatabase
from repoquarry.server.state.records import ACTIVE, CANCELLED, QUEUED

_log = logging.getLogger(__name__)


def recover(
    state: StateDatabase, kinds: Mapping[str, Callable[[], WorkKind]], owner: str, *, resume: bool, max_attempts: int
) -> None:
    """Take over work whose process is gone: queue it again (`resume`), or report it as failed with the reason.

    `kinds` are asked for only where work of theirs was left.
    """
    for work in list(state.active()):
        if work.owner == owner or is_alive(work.owner):
            continue
        kind = kinds[work.kind]()
        if work.cancel:
            state.end(work.id, CANCELLED, kind.state_event(CANCELLED, None, "cancelled before the server stopped"))
        elif not resume:
            end_as_failed(state, kind, work, Failure("WORKER_LOST", "the process that ran it stopped in the middle"))
        elif work.attempts >= max_attempts:
            message = f"the server stopped in the middle of it {work.attempts} times"
            end_as_failed(state, kind, work, Failure("ATTEMPTS_EXHAUSTED", message))
        else:
            note = "resumed after the server stopped" if work.attempts else ""
            changes = {"state": QUEUED, "owner": owner, "pending": None}
            state.change(work.id, changes, kind.state_event(QUEUED, None, note), only_from=ACTIVE)
        _log.warning("work_recovered kind=%s id=%s attempts=%d resume=%s", work.kind, work.id, work.attempts, resume)
