"""Fair query scheduling across clients, with slots for short queries and time limits.

Every query starts in a quick slot. A query that overruns moves to a slow slot if one is free and nobody waits for it; otherwise it is
stopped and restarts when its turn for a slow slot comes. Scheduling is fair: the client with the fewest running queries goes first, then
the client whose last turn is the oldest, then its users in the same way; the age of a query decides only among the queries of one user. A
user whose last query overran waits for a slow slot, and gets a quick one only if quick slots have been unused for a second. Thus any
number of slow queries of one client delays the query of another by at most one stopped query. One client never holds more than half of
the slow slots.
"""

from __future__ import annotations

import enum
import hashlib
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from repoquarry.graphstore.errors import QueryCancelledError, QueryLimitError, TooManyQueriesError

_T = TypeVar("_T")
_K = TypeVar("_K")
_V = TypeVar("_V")
_T_co = TypeVar("_T_co", covariant=True)
_POLL_SECONDS = 0.1
_PATIENCE = 1.5
"""Factor of the quick seconds after which a query is moved or stopped: by then an engine that observes its limit has stopped by itself."""

_CONTESTED = 0.25
"""Factor of the quick seconds after which a query is moved or stopped while another client waits for its slot."""

_QUIET_SECONDS = 1.0
"""Idle time of a quick slot after which a user whose last query overran may use it: each attempt may cost a child process."""

_REMEMBERED = 8_192
"""Maximum number of remembered turns, of clients whose last query overran, and of slow queries, by a digest of their text."""


@dataclass(frozen=True)
class SchedulerSettings:
    """Numbers of slots, and the time limit of quick ones."""

    quick_places: int = 1
    """Slots for quick queries only. At least 1."""

    slow_places: int = 2
    """Slots for slow queries. At least 1."""

    quick_seconds: float = 0.2
    """Seconds after which a query is slow. Above 0."""

    waiting: int = 32
    """Maximum number of queued queries of one client; further ones are rejected. 0 rejects all that would have to wait."""


@dataclass(frozen=True)
class LaneLoad:
    """Load of a lane."""

    name: str
    running: int
    places: int


@dataclass(frozen=True)
class QueryLoad:
    """Current load of untrusted queries; `workers` are the child processes that answer them, 0 for a server."""

    lanes: tuple[LaneLoad, ...]
    waiting: int
    workers: int


class QueryAttempt(Protocol[_T_co]):
    """Single execution of a query. It calls `begun` when the engine starts, and polls `stopped` several times a second."""

    def __call__(self, seconds: float, stopped: Callable[[], bool], begun: Callable[[], None]) -> _T_co: ...


class Lane(enum.Enum):
    QUICK = "quick"
    SLOW = "slow"


_USER = " user:"


def name_client(owner: str, user: str) -> str:
    """Return the client name of a user behind an owner's token. Limits apply to the owner, fairness to both."""
    return f"{owner}{_USER}{user}" if user else owner


def owner_of(client: str) -> str:
    """Return the owner whose limits apply to a client."""
    return client.partition(_USER)[0]


@dataclass(eq=False)
class _QueuedQuery:
    client: str
    lane: Lane
    number: int
    admitted: threading.Event = field(default_factory=threading.Event)
    place: Lane = Lane.QUICK
    """Lane that admitted the query: slow for a quick query whose user overran."""

    @property
    def owner(self) -> str:
        return owner_of(self.client)


class QueryScheduler:
    """Slots of one engine. Thread-safe."""

    def __init__(self, settings: SchedulerSettings) -> None:
        self._settings = settings
        self._places = {Lane.QUICK: settings.quick_places, Lane.SLOW: settings.slow_places}
        self._most_slow = max(1, (settings.slow_places + 1) // 2)
        self._guard = threading.Lock()
        self._running: dict[Lane, Counter[str]] = {lane: Counter() for lane in Lane}
        self._waiting: list[_QueuedQuery] = []
        self._served: OrderedDict[tuple[str, ...], int] = OrderedDict()
        """Number of the last turn of each owner, and of each client of an owner."""
        self._overran: OrderedDict[str, None] = OrderedDict()
        """Clients whose last query overran a quick slot."""
        self._quick_used_at = -_QUIET_SECONDS
        self._turn = 0
        self._slow: OrderedDict[bytes, None] = OrderedDict()

    def run(
        self,
        client: str,
        text: str,
        seconds: float,
        cancelled: Callable[[], bool],
        attempt: QueryAttempt[_T],
        lane: Lane = Lane.QUICK,
    ) -> _T:
        """Run a query when its turn comes; `seconds` is its own limit, 0 for none. It begins in `lane`, or in the slow one.

        Raises: as `attempt`; TooManyQueriesError; QueryCancelledError if the caller cancels while it waits.
        """
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        brief = self._settings.quick_seconds
        stay = _RunningQuery(self, client, cancelled, Lane.SLOW if digest in self._slow else lane)
        is_limited = False
        try:
            with stay:
                is_limited = stay.lane is Lane.QUICK and not 0 < seconds <= brief and not self._has_room(client)
                found = attempt(brief if is_limited else seconds, stay.stopped, stay.begun)
            self._judge(client, digest, quick=stay.lane is Lane.QUICK or stay.seconds() < brief)
            return found
        except QueryCancelledError:
            if not stay.overran:
                raise
        except QueryLimitError as exc:
            if not is_limited or exc.limit != "seconds":
                raise
        self._judge(client, digest, quick=False, is_slow=stay.seconds() >= brief)
        with _RunningQuery(self, client, cancelled, Lane.SLOW, again=True) as stay:
            found = attempt(seconds, cancelled, stay.begun)
        # The same text may be quick with other parameters or less load.
        self._judge(client, digest, quick=stay.seconds() < brief)
        return found

    def query_load(self, workers: int = 0) -> QueryLoad:
        """Return the numbers of running and queued queries."""
        with self._guard:
            lanes = tuple(LaneLoad(lane.value, self._running[lane].total(), self._places[lane]) for lane in Lane)
            return QueryLoad(lanes, len(self._waiting), workers)

    def enter(self, client: str, lane: Lane, cancelled: Callable[[], bool], *, again: bool = False) -> Lane:
        """Wait for a slot; return its lane. A restarted query is never rejected. Raises: TooManyQueriesError, QueryCancelledError."""
        with self._guard:
            self._turn += 1
            place = _QueuedQuery(client, lane, self._turn)
            mine = sum(waiting.owner == place.owner for waiting in self._waiting)
            self._waiting.append(place)
            self._admit()
            if mine >= self._settings.waiting and not again and not place.admitted.is_set():
                self._waiting.remove(place)
                raise TooManyQueriesError(
                    f"this client already has {mine} queued queries; wait until one of them finishes"
                )
        while not place.admitted.wait(_POLL_SECONDS):
            with self._guard:
                if cancelled() and not place.admitted.is_set():
                    self._waiting.remove(place)
                    raise QueryCancelledError("the query was cancelled before it started")
                self._admit()  # With time, a quick slot becomes available to more clients.
        return place.place

    @contextmanager
    def turn(self, client: str, lane: Lane, cancelled: Callable[[], bool]) -> Iterator[None]:
        """Hold a slot for work other than a query that needs CPU time. Raises: as `enter`."""
        place = self.enter(client, lane, cancelled)
        try:
            yield
        finally:
            self.leave(client, place)

    def leave(self, client: str, lane: Lane) -> None:
        """Release the slot."""
        with self._guard:
            self._count(client, lane, -1)
            self._admit()

    def move_to_slow(self, client: str) -> bool:
        """Turn a held quick slot into a slow one, if one is free and nobody waits for it."""
        with self._guard:
            _remember(self._overran, client, None)
            if not self._is_free(owner_of(client)) or any(waiting.lane is Lane.SLOW for waiting in self._waiting):
                return False
            self._count(client, Lane.QUICK, -1)
            self._count(client, Lane.SLOW, 1)
            self._admit()
            return True

    def quick_limit(self, client: str) -> float:
        """Return the seconds that a query may currently hold a quick slot."""
        with self._guard:
            others = any(
                waiting.lane is Lane.QUICK and waiting.client not in self._overran and waiting.client != client
                for waiting in self._waiting
            )
            if others and client in self._overran:
                return 0.0
            share = _CONTESTED if others else _PATIENCE
            return share * self._settings.quick_seconds

    def _has_room(self, client: str) -> bool:
        with self._guard:
            return self._is_free(owner_of(client))

    def _is_free(self, owner: str) -> bool:
        """Return whether an owner may have one more slow slot."""
        slow = self._running[Lane.SLOW]
        return slow.total() < self._places[Lane.SLOW] and _load(slow, owner) < self._most_slow

    def _count(self, client: str, lane: Lane, change: int) -> None:
        running = self._running[lane]
        running[client] += change
        if not running[client]:
            del running[client]

    def _admit(self) -> None:
        """Admit the queries whose turn it is, lane by lane. The caller holds the guard."""
        for lane in Lane:
            while candidates := [waiting for waiting in self._waiting if self._may_enter(waiting, lane)]:
                chosen = min(candidates, key=lambda waiting: self._rank(waiting, lane))
                self._waiting.remove(chosen)
                chosen.place = lane
                self._count(chosen.client, lane, 1)
                self._turn += 1
                for name in _names(chosen.client):
                    _remember(self._served, name, self._turn)
                if lane is Lane.QUICK:
                    self._quick_used_at = time.monotonic()
                chosen.admitted.set()

    def _may_enter(self, waiting: _QueuedQuery, lane: Lane) -> bool:
        """Return whether a lane has a slot for a query."""
        overran = waiting.client in self._overran
        if lane is Lane.SLOW:
            return (waiting.lane is Lane.SLOW or overran) and self._is_free(waiting.owner)
        if waiting.lane is Lane.SLOW or self._running[Lane.QUICK].total() >= self._places[Lane.QUICK]:
            return False
        return not overran or time.monotonic() - self._quick_used_at >= _QUIET_SECONDS

    def _rank(self, waiting: _QueuedQuery, lane: Lane) -> tuple[int, ...]:
        """Return the rank among queries that may enter; the lowest goes first."""
        overran = lane is Lane.QUICK and waiting.client in self._overran
        of_owner, of_client = (self._served.get(name, 0) for name in _names(waiting.client))
        mine = sum(running[waiting.client] for running in self._running.values())
        all_of_owner = sum(_load(running, waiting.owner) for running in self._running.values())
        return (overran, all_of_owner, of_owner, mine, of_client, waiting.number)

    def _judge(self, client: str, digest: bytes, *, quick: bool, is_slow: bool = False) -> None:
        """Remember how a query of a client ended, and whether its text is slow."""
        with self._guard:
            if quick:
                self._overran.pop(client, None)
                self._slow.pop(digest, None)
            else:
                _remember(self._overran, client, None)
            if is_slow:
                _remember(self._slow, digest, None)


def _remember(table: OrderedDict[_K, _V], key: _K, value: _V) -> None:
    """Set the value of a key, and forget the keys that were set the longest ago."""
    table[key] = value
    table.move_to_end(key)
    while len(table) > _REMEMBERED:
        table.popitem(last=False)


def _names(client: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys that count the turns of a client's owner and of the client."""
    owner = owner_of(client)
    return (owner,), (owner, client)


def _load(running: Counter[str], owner: str) -> int:
    return sum(count for client, count in running.items() if owner_of(client) == owner)


class _RunningQuery:
    """Use of a slot by one query from entering to leaving, and whether it overran a quick one."""

    def __init__(
        self, lanes: QueryScheduler, client: str, cancelled: Callable[[], bool], lane: Lane, *, again: bool = False
    ) -> None:
        self._lanes = lanes
        self._client = client
        self._cancelled = cancelled
        self._again = again
        self.lane = lane
        self._began: float | None = None
        self.overran = False

    def __enter__(self) -> _RunningQuery:
        self.lane = self._lanes.enter(self._client, self.lane, self._cancelled, again=self._again)
        return self

    def __exit__(self, *_: object) -> None:
        self._lanes.leave(self._client, self.lane)

    def begun(self) -> None:
        self._began = time.monotonic()

    def seconds(self) -> float:
        """Return the seconds since the engine started."""
        return 0.0 if self._began is None else time.monotonic() - self._began

    def stopped(self) -> bool:
        """Return whether the query must end now: its caller cancelled, or it holds a quick slot for too long."""
        if self._cancelled():
            return True
        if (
            self.lane is Lane.QUICK
            and self._began is not None
            and self.seconds() > self._lanes.quick_limit(self._client)
        ):
            if self._lanes.move_to_slow(self._client):
                self.lane = Lane.SLOW
            else:
                self.overran = True
        return self.overran
