"""Removal of what killed processes of a service left behind: scratch folders and results that nobody takes."""

from __future__ import annotations

import logging
import shutil

from repoquarry.graphstore.store import Store
from repoquarry.processes.scratch import remove_abandoned
from repoquarry.server.application.context import ApplicationContext
from repoquarry.server.bulk import INCOMING

_log = logging.getLogger(__name__)


def remove_incoming(store: Store) -> None:
    """Remove results of a batch that no process takes into the store any more; for the process that writes the store."""
    shutil.rmtree(store.folder / INCOMING, ignore_errors=True)


def remove_leftovers(host: ApplicationContext) -> None:
    """Remove what processes that are gone left in every folder that the service makes scratch folders in."""
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
