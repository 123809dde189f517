"""What all parts of the application share: the settings, the open store, the stored jobs, and the bell that announces news."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import SourceRejectedError
from repoquarry.server.application.indexing.admission import Admission
from repoquarry.server.bulk.held import Held
from repoquarry.server.errors import SettingsError, refuse
from repoquarry.server.jobs.bell import Bell
from repoquarry.server.jobs.processes import this_process
from repoquarry.server.settings.sections import Settings
from repoquarry.server.state.database import StateDatabase
from repoquarry.server.telemetry.observer import Observer

STATE_FILE = "state.db"
_FORGET_SECONDS = 3_600.0


def _with_workspaces(settings: Settings) -> Settings:
    """Whoever works on the store in this process gets workspaces beside it; a server gives them where its operator says so."""
    workspace = settings.agent.workspace
    if workspace.root is not None:
        return settings
    own = replace(workspace, root=settings.store.folder / "workspaces")
    return replace(settings, agent=replace(settings.agent, workspace=own))


def _admit_search(settings: Settings, admission: Admission) -> None:
    """Raises: SettingsError unless the hosting service to be searched is a host that this process may fetch from."""
    search = settings.agent.search
    if not search.token:
        return
    from repoquarry.ingest.sources.address import parse

    try:
        address, _ = parse(search.address)
        if address.transport not in ("https", "http"):
            raise SettingsError(f"agent.search.address is {search.address!r}, not https:// or http://")
        admission.reach.admit(address)
    except SourceRejectedError as exc:
        raise SettingsError(f"agent.search.address: {exc}") from exc


class Host:
    """An open store with what belongs to it. `writable` opens it for indexing and deleting; `serving` says that others send the
    requests. Raises: as `Store.open`."""

    def __init__(
        self, settings: Settings, *, writable: bool, serving: bool = False, observers: Sequence[Observer] = ()
    ) -> None:
        self.settings = settings if serving else _with_workspaces(settings)
        self.observers = observers
        self.admission = Admission(settings.server, serving=serving)
        _admit_search(settings, self.admission)
        self.store = Store.open(settings.store, writable=writable)
        self.bell = Bell()
        self.writing = threading.Lock()
        """Held by who makes a repository part of the store: index jobs and batches take turns."""
        self.held = Held()
        """What batches work on, or a deletion does."""
        self.on_forgetting: list[Callable[[], None]] = []
        """Called after old work was forgotten, to remove what belongs to it."""

        self._forgetting = threading.Lock()
        self._counted_to = 0.0

    @cached_property
    def owner(self) -> str:
        """The name of this process, for the work that it queues."""
        return this_process()

    @property
    def has_workspaces(self) -> bool:
        """Whether tasks or environments may have left files here."""
        agent = self.settings.agent
        return any(root is not None and root.is_dir() for root in (agent.workspace.root, agent.environment.root))

    @cached_property
    def state(self) -> StateDatabase:
        """Opened when first used: reading commands have no need of it."""
        state = StateDatabase(self.settings.store.folder / STATE_FILE, self.store.notices.add)
        if not state.kept:
            self.store.notices.add(
                f"{self.store.folder} cannot be written: jobs and tasks of this process are not kept"
            )
        return state

    def forget_old_work(self) -> None:
        """Forget ended jobs and tasks that were kept for as long as the settings say; looks at most once an hour."""
        with self._forgetting:
            self._forget_old_work()

    def _forget_old_work(self) -> None:
        days, now = self.settings.server.keep_days, time.monotonic()
        counted = now - self._counted_to if self._counted_to else 0.0
        if self._counted_to and counted < _FORGET_SECONDS:
            return
        if days:
            self.state.purge(int(days * 86_400e6), time.time_ns() // 1000, int(counted * 1e6))
        else:
            self.state.age(time.time_ns() // 1000, int(counted * 1e6))
        self._counted_to = now
        for forget in self.on_forgetting:
            forget()

    def need_writer(self) -> None:
        """Raises: RequestError when the store was opened for reading."""
        if not self.store.writable:
            raise refuse("STORE_BUSY", f"the store {self.store.folder} was opened for reading only")

    def close(self) -> None:
        if "state" in self.__dict__:
            self.state.close()
        self.store.close()
