"""What a worker made becomes part of the store, whole or not at all.

The order is that of a single indexing run: texts and search index wait in a `PendingRevision`, then the graph is replaced, and from
then on readers find all of it. A process that is killed in between leaves what `reconcile` finishes.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

from repoquarry.graphstore.engine import AdoptingEngine, Capability
from repoquarry.graphstore.pending import PendingRevision
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.linking import links_of, move_links


def adopt(store: Store, result: Path, repository: str) -> None:
    """Take a repository from the store in the folder `result`, which is of no more use.

    Raises: StoreFullError, StoreUnwritableError, EngineUnavailableError. Then what was stored is as it was.
    """
    with Store.open(replace(store.settings, folder=result, engine="kglite")) as made:
        pending = PendingRevision.taken(store, made, repository)
        links = links_of(pending)
        if Capability.ADOPTION in store.engine.info.capabilities:
            cast(AdoptingEngine, store.engine).adopt_repository(result, repository, links)
        else:
            graph = made.graph(repository)
            whole = replace(graph, relationships=[*graph.relationships, *links])
            store.engine.replace_repository(whole)
    move_links(pending)
    pending.publish()
