"""Removal of the scratch folders and results of killed processes."""

from __future__ import annotations

import logging
import shutil

from repoquarry.graphstore.store import Store
from repoquarry.processes.scratch import remove_abandoned
from repoquarry.server.application.context import ApplicationContext
from repoquarry.server.bulk import INCOMING

_log = logging.getLogger(__name__)


def remove_incoming(store: Store) -> None:
    """Remove batch results that no process will adopt; only for the process that writes the store."""
    shutil.rmtree(store.folder / INCOMING, ignore_errors=True)


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
