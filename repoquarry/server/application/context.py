"""Shared state of the RPC implementations: settings, store, state database, permission of callers and sources, expiry of ended work."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import SourceRejectedError
from repoquarry.ingest.sources import EVERYWHERE, NetworkPolicy, RepositorySource
from repoquarry.ingest.sources.network_policy import parse_network_policy
from repoquarry.ingest.sources.source import PACKAGE
from repoquarry.server.bulk import RepositoryLocks
from repoquarry.server.errors import SettingsError, request_error
from repoquarry.server.jobs.database import StateDatabase, Work
from repoquarry.server.jobs.runner import WorkNotifier, this_process, this_service
from repoquarry.server.observer import Observer
from repoquarry.server.settings.sections import ServerSettings, Settings


@dataclass(frozen=True)
class Caller:
    """Sender of a request. `owner` is empty if the service needs no token: all senders are then the same."""

    owner: str = ""
    admin: bool = True

    def check(self, work: Work, name: str) -> None:
        """Require that this caller created the work, or is an administrator. Raises: RequestError."""
        if not self.admin and work.creator != self.owner:
            raise request_error(
                "NOT_OWNER", f"{name} and what belongs to it are those of the token that created it", name=name
            )


LOCAL = Caller()
"""Caller in this process."""


def never() -> bool:
    """Return False: this caller never cancels."""
    return False


class SourcePolicy:
    """Permission to read a source. Without `serving`, a local user sends the requests and may fetch from any host."""

    def __init__(self, settings: ServerSettings, *, serving: bool) -> None:
        self._roots = tuple(root.resolve() for root in settings.source_roots)
        self._is_limited = bool(self._roots) or (serving and bool(settings.tokens))
        self.reach: NetworkPolicy = parse_network_policy(settings.source_hosts) if serving else EVERYWHERE

    def check(self, source: RepositorySource) -> None:
        """Require that the source may be read. Raises: SourceRejectedError."""
        if source.path is not None:
            self.check_path(source.path, source.shown)
        address = source.address
        if address is not None:
            self.reach.admit(address)
        if source.kind == PACKAGE:
            from repoquarry.ingest.sources import packages

            packages.admit(source, self.reach)

    def check_path(self, path: Path, shown: str) -> None:
        """Require that a file or folder may be read. Raises: SourceRejectedError."""
        if self._is_limited and not any(path.resolve().is_relative_to(root) for root in self._roots):
            permitted = "" if self._roots else "; with tokens none is, unless the setting names it"
            raise SourceRejectedError(
                f"{shown!r} is not in a folder that this server may read (server.source_roots){permitted}",
                source=shown,
            )


_log = logging.getLogger(__name__)

STATE_FILE = "state.db"
_FORGET_SECONDS = 3_600.0


def _with_workspaces(settings: Settings) -> Settings:
    """Put workspaces next to the store, for local users; a server has workspaces only if its settings name a folder."""
    workspace = settings.agent.workspace
    if workspace.root is not None:
        return settings
    own = replace(workspace, root=settings.store.folder / "workspaces")
    return replace(settings, agent=replace(settings.agent, workspace=own))


def _admit_search(settings: Settings, admission: SourcePolicy) -> None:
    """Require that this process may fetch from the hosting service to search. Raises: SettingsError."""
    search = settings.agent.search
    if not search.token:
        return
    from repoquarry.ingest.sources.source import parse_address

    try:
        address, _ = parse_address(search.address)
        if address.transport not in ("https", "http"):
            raise SettingsError(f"agent.search.address is {search.address!r}, not https:// or http://")
        admission.reach.admit(address)
    except SourceRejectedError as exc:
        raise SettingsError(f"agent.search.address: {exc}") from exc


def _check_roots(settings: ServerSettings) -> None:
    """Require that the folders of index jobs exist, and log if there is none. Raises: SettingsError."""
    for root in settings.source_roots:
        if not root.is_dir():
            raise SettingsError(f"server.source_roots names {str(root)!r}, which is not an existing folder")
    if settings.tokens and not settings.source_roots:
        _log.warning("folders_refused setting=server.source_roots reason=tokens_without_roots")


class ApplicationContext:
    """Open store with the state of its applications.

    `writable` opens the store for indexing and deleting; with `brief` it is open for writing only during each write, so that other
    processes can write it meanwhile. `serving` says that remote callers send the requests.
    Raises: as `Store.open`.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        writable: bool,
        brief: bool = False,
        serving: bool = False,
        observers: Sequence[Observer] = (),
    ) -> None:
        self._is_service = serving
        self.can_write = writable
        self.settings = settings if serving else _with_workspaces(settings)
        self.observers = observers
        self.admission = SourcePolicy(settings.server, serving=serving)
        _admit_search(settings, self.admission)
        if serving:
            _check_roots(settings.server)
        self.store = Store.open(settings.store, writable=writable and not brief)
        self.bell = WorkNotifier()
        self.writing = threading.Lock()
        """Lock for writing a repository to the store: index jobs and batches take turns."""
        self.held = RepositoryLocks()
        """Locks of the repositories that a batch indexes or a deletion removes."""
        self.on_forgetting: list[Callable[[], None]] = []
        """Callbacks after the deletion of expired work, to remove its files."""

        self._forgetting = threading.Lock()
        self._counted_to = 0.0

    @cached_property
    def owner(self) -> str:
        """Name of this process, for the work that it queues."""
        return this_service() if self._is_service else this_process()

    @property
    def has_workspaces(self) -> bool:
        """Return whether tasks or environments may have left files here."""
        agent = self.settings.agent
        return any(root is not None and root.is_dir() for root in (agent.workspace.root, agent.environment.root))

    @cached_property
    def state(self) -> StateDatabase:
        """State database, opened on first use: reading commands do not need it."""
        state = StateDatabase(self.settings.store.folder / STATE_FILE, self.store.notices.add)
        if not state.kept:
            self.store.notices.add(
                f"{self.store.folder} cannot be written: jobs and tasks of this process are not stored"
            )
        return state

    def delete_expired_work(self) -> None:
        """Delete ended work after the retention time of the settings; checks at most once an hour."""
        with self._forgetting:
            days, now = self.settings.server.retention_days, time.monotonic()
            counted = now - self._counted_to if self._counted_to else 0.0
            if self._counted_to and counted < _FORGET_SECONDS:
                return
            keep = int(days * 86_400e6) if days else None
            self.state.purge(keep, time.time_ns() // 1000, int(counted * 1e6))
            self._counted_to = now
            for forget in self.on_forgetting:
                forget()

    @contextmanager
    def open_for_writing(self, *, in_turn: bool = True) -> Iterator[Store]:
        """Yield the store for one write; a store that is open for reading is opened again for as long as the write takes.

        `in_turn` waits for other writes of this process. Raises: as `Store.open`.
        """
        with self.writing if in_turn or not self.store.writable else nullcontext():
            if self.store.writable:
                yield self.store
                return
            with Store.open(self.settings.store, writable=True) as store:
                yield store

    def require_writer(self) -> None:
        """Require that this process may write the store. Raises: RequestError."""
        if not self.can_write:
            raise request_error("STORE_BUSY", f"the store {self.store.folder} was opened for reading only")

    def close(self) -> None:
        if "state" in self.__dict__:
            self.state.close()
        self.store.close()
