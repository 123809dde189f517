"""Fair scheduling across clients, slots for short queries, time limits.

Every query begins in a quick place. One that runs on moves to a slow place when one is free and nobody waits for it, without
being disturbed; else it is stopped and begins again when its turn for a slow place comes. So whatever number of slow queries
run and wait, a quick one finds a place within fractions of a second. For a quick place, clients whose last queries were quick
go first and those that overran last, unless they have waited for long; then the client that runs least, then the one whose last
turn is longest ago. One client never holds more than half of the slow places.
"""

from __future__ import annotations

import enum
import hashlib
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from repoquarry.graphstore.errors import QueryCancelledError, QueryLimitError, TooManyQueriesError

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_POLL_SECONDS = 0.05
_PATIENCE = 1.5
"""Share of the quick seconds after which a query is moved or stopped: by then an engine that keeps its time has stopped itself."""

_LONG_WAIT_SECONDS = 2.0
"""Wait after which a query goes before all that came later, whoever sent them."""

_REMEMBERED = 4_096
"""Queries that are remembered as slow, by a digest of their text."""


@dataclass(frozen=True)
class SchedulerSettings:
    """How many queries run at once, and how long one may hold a place for quick ones."""

    quick_places: int = 1
    """Places that only quick queries hold. At least 1."""

    slow_places: int = 2
    """Places for queries that take longer. At least 1."""

    quick_seconds: float = 0.2
    """Seconds after which a query is no longer a quick one. Above 0."""

    waiting: int = 32
    """Queries of one client that may wait for a place; a further one is refused. 0 refuses all that would have to wait."""


@dataclass(frozen=True)
class LaneLoad:
    """How full a lane is."""

    name: str
    running: int
    places: int


@dataclass(frozen=True)
class QueryLoad:
    """Queries from outside at one moment; `workers` are the child processes that answer them, 0 where a server does."""

    lanes: tuple[LaneLoad, ...]
    waiting: int
    workers: int


class QueryAttempt(Protocol[_T_co]):
    """Runs the query once. `begun` is called when the engine starts on it; `stopped` is asked several times a second."""

    def __call__(self, seconds: float, stopped: Callable[[], bool], begun: Callable[[], None]) -> _T_co: ...


class Lane(enum.Enum):
    QUICK = "quick"
    SLOW = "slow"


@dataclass(eq=False)
class _QueuedQuery:
    client: str
    lane: Lane
    number: int
    since: float = field(default_factory=time.monotonic)
    admitted: threading.Event = field(default_factory=threading.Event)


class QueryScheduler:
    """The places of one engine. Used by any number of threads."""

    def __init__(self, settings: SchedulerSettings) -> None:
        self._settings = settings
        self._places = {Lane.QUICK: settings.quick_places, Lane.SLOW: settings.slow_places}
        self._most_slow = max(1, (settings.slow_places + 1) // 2)
        self._guard = threading.Lock()
        self._running: dict[Lane, Counter[str]] = {lane: Counter() for lane in Lane}
        self._waiting: list[_QueuedQuery] = []
        self._served: Counter[str] = Counter()
        self._manners: OrderedDict[str, bool] = OrderedDict()
        """Whether the last query of a client that ended in a quick place was quick."""
        self._turn = 0
        self._slow: OrderedDict[bytes, None] = OrderedDict()

    def run(
        self, client: str, text: str, seconds: float, cancelled: Callable[[], bool], attempt: QueryAttempt[_T]
    ) -> _T:
        """Run a query when its turn comes; `seconds` is its own limit, 0 for none.

        Raises: as `attempt`; TooManyQueriesError; QueryCancelledError when the caller cancels while it waits.
        """
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        brief = self._settings.quick_seconds
        if not self._known_as_slow(digest):
            stay = _RunningQuery(self, client, cancelled)
            room = bool(seconds) and seconds <= brief
            try:
                with stay:
                    room = room or self._has_room(client)
                    found = attempt(seconds if room else brief, stay.stopped, stay.begun)
                self._judge(client, quick=stay.lane is Lane.QUICK)
                return found
            except QueryCancelledError:
                if not stay.overran:
                    raise
            except QueryLimitError as exc:
                if room or exc.limit != "seconds":
                    raise
            self._judge(client, quick=False)
            self._remember(digest)
        with _RunningQuery(self, client, cancelled, Lane.SLOW) as stay:
            found = attempt(seconds, cancelled, stay.begun)
            if stay.seconds() < brief:  # with other parameters, say, or on a quieter machine
                self._forget(digest)
            return found

    def query_load(self, workers: int = 0) -> QueryLoad:
        """What runs and waits now."""
        with self._guard:
            lanes = tuple(LaneLoad(lane.value, self._running[lane].total(), self._places[lane]) for lane in Lane)
            return QueryLoad(lanes, len(self._waiting), workers)

    @property
    def quick_seconds(self) -> float:
        return self._settings.quick_seconds

    def enter(self, client: str, lane: Lane, cancelled: Callable[[], bool]) -> None:
        """Wait for a place. Raises: TooManyQueriesError, QueryCancelledError."""
        with self._guard:
            mine = sum(waiting.client == client for waiting in self._waiting)
            self._turn += 1
            place = _QueuedQuery(client, lane, self._turn)
            self._waiting.append(place)
            self._admit()
            if mine >= self._settings.waiting and not place.admitted.is_set():
                self._waiting.remove(place)
                raise TooManyQueriesError(f"{mine} queries of this client wait already: wait for one of them to end")
        while not place.admitted.wait(_POLL_SECONDS):
            if cancelled():
                with self._guard:
                    if place.admitted.is_set():
                        break
                    self._waiting.remove(place)
                raise QueryCancelledError("the query was cancelled before it started")

    def leave(self, client: str, lane: Lane) -> None:
        """Give the place up."""
        with self._guard:
            self._drop(client, lane)
            self._admit()

    def move_to_slow(self, client: str) -> bool:
        """Turn a quick place that is held into a slow one, where one is free and nobody waits for it."""
        with self._guard:
            if not self._free(client) or any(waiting.lane is Lane.SLOW for waiting in self._waiting):
                return False
            self._drop(client, Lane.QUICK)
            self._running[Lane.SLOW][client] += 1
            self._admit()
            return True

    def _has_room(self, client: str) -> bool:
        with self._guard:
            return self._free(client)

    def _free(self, client: str) -> bool:
        running = self._running[Lane.SLOW]
        return running.total() < self._places[Lane.SLOW] and running[client] < self._most_slow

    def _drop(self, client: str, lane: Lane) -> None:
        running = self._running[lane]
        running[client] -= 1
        if not running[client]:
            del running[client]

    def _admit(self) -> None:
        """Let in who may go next, lane by lane. The caller holds the guard."""
        for lane in Lane:
            running = self._running[lane]
            while running.total() < self._places[lane]:
                candidates = [
                    waiting
                    for waiting in self._waiting
                    if waiting.lane is lane and (lane is Lane.QUICK or running[waiting.client] < self._most_slow)
                ]
                if not candidates:
                    break
                chosen = min(candidates, key=self._rank)
                self._waiting.remove(chosen)
                running[chosen.client] += 1
                self._turn += 1
                self._served[chosen.client] = self._turn
                chosen.admitted.set()
        if len(self._served) > _REMEMBERED:
            self._served = Counter(dict(self._served.most_common(_REMEMBERED // 2)))

    def _rank(self, waiting: _QueuedQuery) -> tuple[float, ...]:
        """The lowest goes first."""
        if time.monotonic() - waiting.since > _LONG_WAIT_SECONDS and waiting.lane is Lane.QUICK:
            return (-1, waiting.number)
        quick = self._manners.get(waiting.client)
        manners = 1 if quick is None else 0 if quick else 2
        client = waiting.client
        rank = (self._load(client), self._served[client], waiting.number)
        return (manners, *rank) if waiting.lane is Lane.QUICK else (0, *rank)

    def _judge(self, client: str, *, quick: bool) -> None:
        with self._guard:
            self._manners[client] = quick
            self._manners.move_to_end(client)
            while len(self._manners) > _REMEMBERED:
                self._manners.popitem(last=False)

    def _load(self, client: str) -> int:
        """Queries of the client that run, or wait for a slow place."""
        running = sum(counted[client] for counted in self._running.values())
        return running + sum(w.client == client and w.lane is Lane.SLOW for w in self._waiting)

    def _known_as_slow(self, digest: bytes) -> bool:
        with self._guard:
            return digest in self._slow

    def _remember(self, digest: bytes) -> None:
        with self._guard:
            self._slow[digest] = None
            while len(self._slow) > _REMEMBERED:
                self._slow.popitem(last=False)

    def _forget(self, digest: bytes) -> None:
        with self._guard:
            self._slow.pop(digest, None)


class _RunningQuery:
    """One query's time in a place, from entering to leaving, and whether it overran a quick one."""

    def __init__(
        self, lanes: QueryScheduler, client: str, cancelled: Callable[[], bool], lane: Lane = Lane.QUICK
    ) -> None:
        self._lanes = lanes
        self._client = client
        self._cancelled = cancelled
        self.lane = lane
        self._began: float | None = None
        self.overran = False

    def __enter__(self) -> _RunningQuery:
        self._lanes.enter(self._client, self.lane, self._cancelled)
        return self

    def __exit__(self, *_: object) -> None:
        self._lanes.leave(self._client, self.lane)

    def begun(self) -> None:
        self._began = time.monotonic()

    def seconds(self) -> float:
        """Seconds since the engine began."""
        return 0.0 if self._began is None else time.monotonic() - self._began

    def stopped(self) -> bool:
        """Whether the query must end now: at its caller's wish, or because it holds a place for quick ones too long."""
        if self._cancelled():
            return True
        if self.lane is Lane.QUICK and self.seconds() > _PATIENCE * self._lanes.quick_seconds:
            if self._lanes.move_to_slow(self._client):
                self.lane = Lane.SLOW
            else:
                self.overran = True
        return self.overran
