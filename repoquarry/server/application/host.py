"""What all parts of the application share: the settings, the open store, the stored jobs, and the bell that announces news."""

from __future__ import annotations

from functools import cached_property

from repoquarry.graphstore.store import Store
from repoquarry.server.application.admission import Admission
from repoquarry.server.errors import refuse
from repoquarry.server.jobs import Bell, this_process
from repoquarry.server.settings import Settings
from repoquarry.server.state import StateDatabase

STATE_FILE = "state.db"


class Host:
    """An open store with what belongs to it. `writable` opens it for indexing and deleting; `serving` says that others send the
    requests. Raises: as `Store.open`."""

    def __init__(self, settings: Settings, *, writable: bool, serving: bool = False) -> None:
        self.settings = settings
        self.admission = Admission(settings.server, serving=serving)
        self.store = Store.open(settings.store, writable=writable)
        self.bell = Bell()
        self.owner = this_process()

    @cached_property
    def state(self) -> StateDatabase:
        """Opened when first used: reading commands have no need of it."""
        return StateDatabase(self.settings.store.folder / STATE_FILE)

    def need_writer(self) -> None:
        """Raises: RequestError when the store was opened for reading."""
        if not self.store.writable:
            raise refuse("STORE_BUSY", f"the store {self.store.folder} was opened for reading only")

    def close(self) -> None:
        if "state" in self.__dict__:
            self.state.close()
        self.store.close()
