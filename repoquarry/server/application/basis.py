"""Basis that is sent with an answer about code: indexed commit, freshness of the source, skipped files, unresolved calls.

One builder serves every answer, so that all report the same. Checking a source (git, file times) costs more than most answers, so
the result is cached, expensive checks run in the background, and only the first repositories of an answer are checked.
"""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.graphstore.errors import GraphStoreError, StoreCorruptError, StoreUnwritableError, TextsElsewhereError
from repoquarry.graphstore.model.values import get_int, get_str, get_str_list
from repoquarry.graphstore.repository_names import find_repository, require_repositories
from repoquarry.graphstore.store import Store
from repoquarry.server.application.basis_summary import BasisNotes, summarize_basis
from repoquarry.server.application.context import ApplicationContext
from repoquarry.server.application.working_folder import IndexedFolder, WorkingFolder
from repoquarry.server.jobs.database import INDEX, SUCCEEDED, Work
from repoquarry.server.resource_names import parse_repository_name, repository_name
from repoquarry.v1 import basis_pb2 as pb

if TYPE_CHECKING:
    from repoquarry.code.reader import CodeReader


def select_text_repositories(store: Store, wanted: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the named repositories, or the repositories with texts here and a note on the others.

    Raises: NotFoundError, AmbiguousNameError.
    """
    if wanted:
        return require_repositories(store, wanted), []
    here = store.text_repositories()
    others = sorted(set(store.repositories()) - set(here))
    more = ", …" if len(others) > _SHOWN else ""
    return here, [f"texts of other data folders are skipped: {', '.join(others[:_SHOWN])}{more}"] if others else []


def require_repository(store: Store, name: str, field: str = "repository") -> str:
    """Return the id of a stored repository. Raises: RequestError, NotFoundError, AmbiguousNameError."""
    return find_repository(store, parse_repository_name(name, field))


def look_at_source(host: ApplicationContext, repository: str) -> pb.Freshness:
    """Check whether the source of a repository has changed."""
    # Lazy import: queries must not load the selection of files.
    from repoquarry.ingest.freshness import Freshness, check_freshness

    properties = host.store.repository(repository)
    try:
        host.store.require_texts(repository)
        found = check_freshness(properties, host.store.sources, host.settings.ingest)
    except (StoreCorruptError, StoreUnwritableError, TextsElsewhereError) as exc:  # The answer itself needs no texts.
        found = Freshness(None, note=str(exc))
    state = {True: pb.Freshness.STATE_STALE, False: pb.Freshness.STATE_CURRENT, None: pb.Freshness.STATE_UNKNOWN}
    checked = Timestamp()
    checked.GetCurrentTime()
    return pb.Freshness(
        check_time=checked,
        state=state[found.moved_on],
        current_commit=found.current_commit or "",
        commits=found.commits_behind,
        files=found.files_changed,
        note=found.note,
        git_problem=found.git_problem,
    )


MAX_FRESHNESS_CHECKS = 20
"""Repositories of one answer whose sources are compared with the index; the others are reported as unknown."""
_SHOWN = 20
_REPOSITORIES = 100
_NAMES = 1_000
"""Maximum number of names per answer whose unresolved calls are counted."""
_MAX_SHARE = 0.02
"""Share of time that checks of one repository may take: the interval between them grows with their duration."""
_MAX_WAIT_SECONDS = 0.05
"""Duration of the last check up to which answers wait for the next one; otherwise they have the last result meanwhile."""
_MAX_OVERDUE_SECONDS = 300.0
"""Age beyond the interval at which a result is too old for an answer."""
_THREADS = 2


@dataclass(frozen=True)
class _CheckResult:
    freshness: pb.Freshness
    seconds: float
    next_time: float


class FreshnessCache:
    """Freshness by repository and revision. At most one check of each runs; with an interval of 0 every answer waits for one."""

    def __init__(
        self, check: Callable[[str], pb.Freshness], min_interval: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._check, self._min_interval, self._clock = check, min_interval, clock
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(_THREADS, "freshness")
        self._running: dict[tuple[str, str], Future[pb.Freshness]] = {}
        self._results: dict[tuple[str, str], _CheckResult] = {}

    def find(self, repository: str, revision: str) -> pb.Freshness:
        """Return the freshness of a revision; the first answer from a revision waits for its check."""
        key, now = (repository, revision), self._clock()
        with self._lock:
            known = self._results.get(key)
            if known is not None and now < known.next_time:
                return known.freshness
            if (running := self._running.get(key)) is None:
                running = self._running[key] = self._threads.submit(self._run, key)
        is_slow = known is not None and self._min_interval > 0 and known.seconds > _MAX_WAIT_SECONDS
        if known is not None and is_slow and now - known.next_time < _MAX_OVERDUE_SECONDS:
            return known.freshness
        return running.result()

    def close(self) -> None:
        """Wait for running checks."""
        self._threads.shutdown(cancel_futures=True)

    def _run(self, key: tuple[str, str]) -> pb.Freshness:
        start = self._clock()
        try:
            found = self._check(key[0])
            end = self._clock()
            interval = max(self._min_interval, (end - start) / _MAX_SHARE) if self._min_interval else 0.0
            with self._lock:
                self._results = {old: result for old, result in self._results.items() if old[0] != key[0]}
                self._results[key] = _CheckResult(found, end - start, end + interval)
            return found
        finally:
            with self._lock:
                del self._running[key]


class BasisBuilder:
    """Builder of the basis of answers over one store."""

    def __init__(self, host: ApplicationContext, working_folder: WorkingFolder | None = None) -> None:
        """`working_folder` is that of the command that asks; None for remote callers."""
        self._host = host
        self._working_folder = working_folder
        self._freshness = FreshnessCache(
            lambda repository: look_at_source(host, repository), host.settings.server.freshness_seconds
        )

    def close(self) -> None:
        """Wait for running checks of sources, which read the store."""
        self._freshness.close()

    def of(
        self,
        repositories: Iterable[str],
        names: Iterable[str] | None = None,
        notes: Sequence[str] = (),
        bearing: Mapping[str, Counter[str]] | None = None,
        reader: CodeReader | None = None,
    ) -> pb.AnswerBasis:
        """Build the basis of an answer from these repositories.

        `names` are the short names in the answer, whose unresolved calls are relevant. None means that they are not counted, an
        empty collection that none is relevant. `bearing` gives the calls in the answer's definitions, which may add callees,
        by repository and name instead. `reader` is the one that read the answer; it knows calls that are counted here.
        """
        ids = sorted(set(repositories))
        wanted = None if names is None else sorted({name for name in names if name})[:_NAMES]
        gained = "" if wanted is None and bearing is None else "callers" if bearing is None else "callees"
        if bearing is None and wanted is not None:
            bearing = self._count_possible_calls(wanted, ids[:_REPOSITORIES], reader) if wanted else {}
        external = self._count("external_counts", ids[:_REPOSITORIES], wanted or ())
        basis = pb.AnswerBasis(repository_count=len(ids), notes=notes)
        for number, id_ in enumerate(ids[:_REPOSITORIES]):
            entry = self.repository(id_, look=number < MAX_FRESHNESS_CHECKS)
            calls = entry.unresolved_calls
            if bearing is not None:
                calls.relevant = bearing.get(id_, Counter()).total()
                calls.names.extend(_most_common(bearing.get(id_, Counter())))
            calls.external = external.get(id_, Counter()).total()
            calls.external_names.extend(_most_common(external.get(id_, Counter())))
            basis.repositories.append(entry)
        stored = [self._host.store.repository(id_) for id_ in ids[:MAX_FRESHNESS_CHECKS]]
        elsewhere = self._working_folder.describe(self._list_folders()) if self._working_folder is not None else ""
        said = BasisNotes(elsewhere, notes, self._host.store.notices.recent())
        basis.notes.extend([*filter(None, [elsewhere]), *said.store])
        basis.summary = summarize_basis(basis, stored, said, gained)
        return basis

    def _count_possible_calls(
        self, names: Sequence[str], ids: Sequence[str], reader: CodeReader | None
    ) -> Mapping[str, Counter[str]]:
        from repoquarry.code.reader import CodeReader  # Lazy import: answers without names count no calls.

        return (reader or CodeReader(self._host.store)).count_possible_calls(names, ids)

    def _list_folders(self) -> list[IndexedFolder]:
        rows = self._host.store.execute_named("list_repositories").rows
        return [IndexedFolder(get_str(row[0]), get_str(row[1]), get_str(row[3])) for row in rows if row[2] == "folder"]

    def repository(self, repository: str, *, look: bool = True) -> pb.RepositoryBasis:
        """Build the basis of one repository. Raises: NotFoundError."""
        properties = self._host.store.repository(repository)
        paths, reasons, errors = (
            get_str_list(properties.get(name)) for name in ("left_out_paths", "left_out_reasons", "parse_error_paths")
        )
        basis = pb.RepositoryBasis(
            repository=repository_name(repository),
            commit=get_str(properties.get("commit")),
            revision=get_str(properties.get("revision")),
            dirty=properties.get("dirty") is True,
            left_out_count=get_int(properties.get("left_out")),
            left_out=[pb.LeftOut(path=path, reason=why) for path, why in zip(paths, reasons, strict=False)][:_SHOWN],
            left_out_reasons=[
                pb.ReasonCount(reason=why, count=n) for why, n in _by_reason(reasons).most_common(_SHOWN)
            ],
            parse_error_count=len(errors),
            parse_error_paths=errors[:_SHOWN],
            unresolved_calls=pb.UnresolvedCalls(total=get_int(properties.get("unresolved_calls"))),
        )
        if (time_indexed := self._find_index_time(repository, basis.revision)) is not None:
            basis.index_time.FromMicroseconds(time_indexed)
        if look:
            basis.freshness.CopyFrom(self._freshness.find(repository, basis.revision))
        else:
            basis.freshness.state = pb.Freshness.STATE_UNKNOWN
            basis.freshness.note = "not checked: the answer is based on many repositories"
        return basis

    def _find_index_time(self, repository: str, revision: str) -> int | None:
        """Return when a job or batch last indexed the revision, in microseconds since 1970; None where nothing records it."""
        stored, jobs = None, list[Work]()
        try:
            stored = self._host.store.find_index_time(repository, revision)
            jobs = self._host.state.newest(INDEX, states=(SUCCEEDED,), subject=repository, limit=1)
        except GraphStoreError as exc:
            self._host.store.warn(f"the time of indexing cannot be read: {exc}")
        return max([stored or 0, *(job.ended or 0 for job in jobs)]) or None

    def _count(self, query: str, repositories: Sequence[str], names: Sequence[str]) -> dict[str, Counter[str]]:
        """Count call sites of some names by repository and called name."""
        found: dict[str, Counter[str]] = {}
        if not names:
            return found
        rows = self._host.store.execute_named(query, repositories=list(repositories), names=list(names)).rows
        for repository, name, count in rows:
            found.setdefault(str(repository), Counter())[str(name)] += int(str(count))
        return found


def _most_common(found: Counter[str]) -> list[pb.NameCount]:
    return [pb.NameCount(name=name, count=count) for name, count in found.most_common(_SHOWN)]


def _by_reason(reasons: Iterable[str]) -> Counter[str]:
    """Count files by reason; an entry for several files ends in `: 20 files`."""
    found: Counter[str] = Counter()
    for reason in reasons:
        several = re.fullmatch(r"(.*): ([\d,]+) files?", reason)
        found[several[1] if several else reason] += int(several[2].replace(",", "")) if several else 1
    return found
