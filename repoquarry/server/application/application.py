"""Composition root: builds the implementation of each RPC service over one store, and recovers unfinished work.

An attribute imports its implementation on first use: a command uses one or two, and loading all takes longer than most commands.
"""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from repoquarry.graphstore.errors import StoreBusyError
from repoquarry.processes.scratch import remove_abandoned
from repoquarry.server.application.basis import BasisBuilder
from repoquarry.server.application.context import ApplicationContext
from repoquarry.server.application.working_folder import WorkingFolder
from repoquarry.server.bulk import INCOMING
from repoquarry.server.jobs.database import BATCH, INDEX, PROVISION, TASK
from repoquarry.server.jobs.runner import WorkKind, WorkRunner, recover
from repoquarry.server.observer import Observer
from repoquarry.server.settings.sections import Settings

if TYPE_CHECKING:
    from repoquarry.server.application.code import CodeApplication
    from repoquarry.server.application.environments import EnvironmentApplication
    from repoquarry.server.application.index_jobs import BatchApplication, IndexApplication
    from repoquarry.server.application.queries import QueryApplication
    from repoquarry.server.application.repositories import RepositoryApplication, RepositoryTrees
    from repoquarry.server.application.tasks import TaskApplication
    from repoquarry.server.application.tools import ToolApplication
    from repoquarry.server.application.views import ViewApplication

_log = logging.getLogger(__name__)
_HOUSEKEEPING_SECONDS = 600.0
_WORKING = ("index", "batches", "tasks", "environments")
_PARTS = {
    "index": ("index_jobs", "IndexApplication", ()),
    "batches": ("index_jobs", "BatchApplication", ()),
    "trees": ("repositories", "RepositoryTrees", ()),
    "tasks": ("tasks", "TaskApplication", ("_bases", "trees")),
    "environments": ("environments", "EnvironmentApplication", ("trees",)),
    **{
        name: (name, f"{kind}Application", ("_bases",))
        for name, kind in {"queries": "Query", "code": "Code", "tools": "Tool", "views": "View"}.items()
    },
    "repositories": ("repositories", "RepositoryApplication", ("_bases",)),
}
"""Attribute -> module, class and further arguments of an application."""


class Application:
    """All services over a store in this process; implements `Api`.

    `writable` opens the store for indexing and deleting, and recovers unfinished work of processes that have exited; with `brief` only
    during each write, and at the start where no other process writes it. `serving` says
    that remote callers send the requests: the server's settings limit sources, and unfinished work is queued again instead of
    failed. `observers` are notified of work. Raises: as `Store.open`.
    """

    index: IndexApplication
    batches: BatchApplication
    repositories: RepositoryApplication
    queries: QueryApplication
    code: CodeApplication
    trees: RepositoryTrees
    """File trees of indexed revisions."""
    tasks: TaskApplication
    environments: EnvironmentApplication
    tools: ToolApplication
    views: ViewApplication

    def __init__(
        self,
        settings: Settings,
        *,
        writable: bool,
        brief: bool = False,
        serving: bool = False,
        observers: Sequence[Observer] = (),
    ) -> None:
        self.settings = settings
        if brief:
            with suppress(StoreBusyError):
                Application(settings, writable=writable).close()
        self.host = ApplicationContext(settings, writable=writable, brief=brief, serving=serving, observers=observers)
        self._bases = BasisBuilder(self.host, None if serving else WorkingFolder.current())
        self._building = threading.RLock()
        if writable and not brief:
            self._recover(resume=serving)
        self._ended = threading.Event()
        if serving:
            threading.Thread(target=self._run_housekeeping, name="housekeeping", daemon=True).start()

    def __getattr__(self, name: str) -> Any:
        """Build the application of a service on its first use."""
        if name not in _PARTS:
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        with self._building:
            if name not in self.__dict__:
                module, kind, needed = _PARTS[name]
                build = getattr(import_module(f"{__package__}.{module}"), kind)
                self.__dict__[name] = build(self.host, *(getattr(self, one) for one in needed))
            return self.__dict__[name]

    def _recover(self, *, resume: bool) -> None:
        server = self.settings.server
        # No process will adopt results of earlier batches: this one writes the store.
        # "batches" held the outcomes of lists until version 0.1.
        for name in (INCOMING, "batches"):
            shutil.rmtree(self.host.store.folder / name, ignore_errors=True)
        kinds: dict[str, Callable[[], WorkKind]] = {
            INDEX: lambda: self.index.operations.kind,
            BATCH: lambda: self.batches.operations.kind,
            TASK: lambda: self.tasks.operations.kind,
            PROVISION: lambda: self.environments.operations.kind,
        }
        recover(self.host.state, kinds, self.host.owner, resume=resume, max_attempts=server.max_attempts)
        if resume or self.host.has_workspaces:
            self._load("tasks", "environments")  # They delete the files of expired work.
        self.host.delete_expired_work()
        if resume:
            self._load(*_PARTS)  # Otherwise the first requests would wait for the imports.
            for runner in self._runners():
                runner.wake()

    def _load(self, *names: str) -> None:
        for name in names:
            getattr(self, name)

    def _runners(self) -> list[WorkRunner]:
        made = [getattr(self, name).operations.runner for name in _WORKING if name in self.__dict__]
        return [runner for runner in made if runner is not None]

    def _run_housekeeping(self) -> None:
        """Remove files of killed processes, and delete expired work while no work is created."""
        remove_leftovers(self.host)
        while not self._ended.wait(_HOUSEKEEPING_SECONDS):
            self.host.delete_expired_work()
            remove_leftovers(self.host)

    def stop_work(self) -> None:
        """Request all running work to stop, without waiting; the work resumes at the next start."""
        self._ended.set()
        for runner in self._runners():
            runner.stop(0)

    def close(self) -> None:
        """Stop running work and close the store."""
        self.stop_work()
        stop_by = time.monotonic() + self.settings.server.shutdown_seconds
        for runner in self._runners():
            runner.stop(max(0.0, stop_by - time.monotonic()))
        self._bases.close()
        self.host.close()


def remove_leftovers(host: ApplicationContext) -> None:
    """Remove the scratch folders of exited processes from every parent folder that the service uses."""
    from repoquarry.execution.provision.provisioning_run import environments_root, open_cache

    agent, workspaces = host.settings.agent, host.settings.agent.workspace.root
    try:
        for parent in (None, host.settings.ingest.scratch):
            remove_abandoned(parent)
        host.store.indexes.remove_abandoned()
        for folder in workspaces.glob(".*/") if workspaces is not None else ():
            remove_abandoned(folder)
        if environments_root(agent).is_dir():
            open_cache(agent).remove_abandoned()
    except Exception as exc:
        _log.warning("leftovers_not_removed error=%s", exc)
