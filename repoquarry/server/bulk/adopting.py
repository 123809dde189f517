"""What a worker made becomes part of the store, whole or not at all.

The order is that of a single indexing run: texts wait in a pending snapshot, the search index lies in the folder of its revision, then the
graph is replaced, and from then on readers find all of it. A process that is killed in between leaves what `reconcile` finishes.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import cast

from repoquarry.graphstore.engine import AdoptingEngine, Capability
from repoquarry.graphstore.folder.sources import FILE_NAME
from repoquarry.graphstore.store import INDEXES, Store
from repoquarry.ingest.graph.linking import links_of, move_links


def adopt(store: Store, result: Path, repository: str) -> None:
    """Take a repository from the store in the folder `result`, which is of no more use.

    Raises: StoreFullError, StoreUnwritableError, EngineUnavailableError. Then what was stored is as it was.
    """
    snapshot = store.sources.take(result / FILE_NAME, repository)
    with Store.open(replace(store.settings, folder=result, engine="kglite")) as made:
        revision = str(made.repository(repository)["revision"])
        links = links_of(repository, snapshot, store)
        _move_index(result / INDEXES / repository / revision, store.folder / INDEXES / repository / revision)
        if Capability.ADOPTION in store.engine.info.capabilities:
            cast(AdoptingEngine, store.engine).adopt_repository(result, repository, links)
        else:
            graph = made.graph(repository)
            whole = replace(graph, relationships=[*graph.relationships, *links])
            store.engine.replace_repository(whole)
    move_links(repository, snapshot, store)
    store.sources.publish(snapshot)
    store.remove_old_indexes(repository, revision)


def _move_index(made: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():  # left by a run that was killed before it replaced the graph
        shutil.rmtree(place)
    shutil.move(made, place)
