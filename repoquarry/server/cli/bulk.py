"""`repoquarry index --from`: a list of repositories, with the progress of the whole and a report."""

from __future__ import annotations

import re
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from repoquarry.server.cli.printing import rewrite_line
from repoquarry.server.errors import Failure, RequestError, invalid
from repoquarry.server.harmless import harmless

if TYPE_CHECKING:
    from repoquarry.server.bulk.executor import Executor
    from repoquarry.server.bulk.report import BulkProgress, BulkReport
    from repoquarry.server.cli.session import Session

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_LINE_SECONDS = 10.0
_SHOWN_FAILURES = 20


@dataclass(frozen=True)
class Place:
    """Where the work is done."""

    executor: str
    """`processes` or `ray`."""
    address: str
    """Of a Ray cluster; empty for one of this machine."""


def index_list(session: Session, path: Path, *, jobs: int, memory: str, place: Place) -> None:
    """Index what the list names into the local store. Raises: RequestError when an entry failed, after all were tried."""
    from repoquarry.server.application.application import Application
    from repoquarry.server.bulk.running import Bulk, BulkSettings
    from repoquarry.server.bulk.wanted import read_list

    wanted = read_list(path)
    executor, cores = _executor(place, jobs)
    settings = BulkSettings(jobs=jobs or cores, memory_bytes=_bytes(memory))
    shown = Shown()
    with closing(Application(session.settings, writable=True)) as application:
        host = application.host
        bulk = Bulk(
            host.store, wanted, settings, host.settings.ingest, host.admission.reach, executor,
            check=host.admission.check, report=shown,
        )  # fmt: skip
        try:
            report = bulk.run()
        finally:
            shown.close()
    if session.as_json:
        session.print_json(plain_report(report))
    else:
        print(summary(report))
    raise_failures(report)


def _executor(place: Place, jobs: int) -> tuple[Executor, int]:
    """Who does the work, and how many repositories at once unless that was said. Raises: RequestError."""
    if place.executor == "ray":
        from repoquarry.server.bulk.cluster import RayCluster

        cluster = RayCluster(place.address, jobs)
        return cluster, cluster.cores
    if place.executor != "processes":
        raise invalid("--executor", f"{place.executor!r} is none of processes, ray")
    if place.address:
        raise invalid("--ray-address", "needs --executor ray")
    from repoquarry.server.bulk.executor import Processes

    return Processes(), 0


class Shown:
    """Shows the progress of the whole on stderr: one line that is rewritten on a terminal, one from time to time elsewhere."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._last = (-1, 0.0)

    def __call__(self, progress: BulkProgress) -> None:
        now = time.monotonic()
        if self._terminal:
            rewrite_line(_line(progress))
        elif now - self._last[1] >= _LINE_SECONDS or (progress.done == progress.total != self._last[0]):
            print(_line(progress), file=sys.stderr, flush=True)
            self._last = (progress.done, now)

    def close(self) -> None:
        if self._terminal:
            rewrite_line("")


def _line(progress: BulkProgress) -> str:
    parts = [f"{progress.done}/{progress.total} repositories"]
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    parts.append(f"{progress.lines:,} lines")
    if progress.seconds_left is not None and progress.done < progress.total:
        parts.append(f"about {_duration(progress.seconds_left)} left")
    working = ", ".join(f"{harmless(repository)} ({stage})" for repository, stage in progress.running)
    return ", ".join(parts) + (f"; {working}" if working else "")


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{seconds:.0f} s" if seconds < 100 else f"{minutes} min" if minutes < 100 else f"{minutes / 60:.1f} h"


def _bytes(text: str) -> int:
    """A size such as `8GiB` or `500M`; 0 for none. Raises: RequestError."""
    if not text:
        return 0
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", text, re.IGNORECASE)
    if found is None or float(found[1]) <= 0:
        raise invalid("--memory", f"{text!r} is no size; write 8GiB or 500M")
    return int(float(found[1]) * _UNITS[found[2].lower()])


def summary(report: BulkReport) -> str:
    """A report for people: a line, and one for each of the first failures."""
    stored = [outcome for outcome in report.outcomes if outcome.stored]
    failed = [outcome for outcome in report.outcomes if not outcome.stored]
    unchanged = sum(outcome.unchanged for outcome in stored)
    lines = sum(outcome.lines for outcome in stored)
    counts = ((unchanged, "unchanged"), (report.resumed, "by an earlier run"))
    details = ", ".join(f"{count} {what}" for count, what in counts if count)
    first = (
        f"{len(stored)} of {len(report.outcomes)} repositories stored{f' ({details})' if details else ''}, "
        f"{sum(outcome.files for outcome in stored)} files, {lines:,} lines in {report.seconds:.1f} s; "
        f"peak memory {report.peak_memory_bytes / 2**20:.0f} MiB"
    )
    shown = [f"  failed: {harmless(o.location)}: {o.reason}: {harmless(o.message)}" for o in failed[:_SHOWN_FAILURES]]
    if len(failed) > len(shown):
        shown.append(f"  and {len(failed) - len(shown)} more; --json has all")
    return "\n".join([first, *shown])


def plain_report(report: BulkReport) -> dict[str, object]:
    """A report for `--json`."""
    import msgspec

    return {
        "outcomes": [msgspec.to_builtins(outcome) for outcome in report.outcomes],
        "stored": sum(outcome.stored for outcome in report.outcomes),
        "failed": sum(not outcome.stored for outcome in report.outcomes),
        "resumed": report.resumed,
        "seconds": round(report.seconds, 3),
        "peak_memory_bytes": report.peak_memory_bytes,
    }


def raise_failures(report: BulkReport) -> None:
    """Raises: RequestError, with the reason of the first failure, when an entry failed."""
    failed = [outcome for outcome in report.outcomes if not outcome.stored]
    if failed:
        first = failed[0]
        raise RequestError(
            Failure(first.reason, f"{len(failed)} of {len(report.outcomes)} failed; the first: {first.message}")
        )
