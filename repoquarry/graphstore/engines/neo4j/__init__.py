"""Neo4j engine: entry points."""

from __future__ import annotations

from repoquarry.graphstore.engines.neo4j.engine import Neo4jEngine
from repoquarry.graphstore.settings import StoreSettings


def open_engine(settings: StoreSettings, *, writable: bool) -> Neo4jEngine:
    """Connect; if `writable`, migrate the database's schema and remove data of killed writers.

    Raises: EngineUnavailableError if the server does not respond or rejects the user; StoreNewerError if a newer version wrote the
    database.
    """
    return Neo4jEngine(settings, writable=writable)
