"""Migrations of the Neo4j schema: numbered steps that create constraints and indexes, applied when an engine opens for writing.

A released migration never changes: later changes are new migrations. Applied migrations are recorded as indexes named after them on
labels without nodes, because every `MATCH (n)` would find and count record nodes.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import neo4j
from neo4j.exceptions import ClientError, DatabaseError

from repoquarry.graphstore.engines.neo4j.claims import Claims
from repoquarry.graphstore.errors import StoreCorruptError, StoreNewerError

_log = logging.getLogger(__name__)
_RECORD = "repoquarry_migration_"
_SCHEMA = ":schema"
"""Name of the claim of a migration; repository ids contain no colon."""


@dataclass(frozen=True)
class Migration:
    """Step of the schema: a number, a name, and idempotent statements."""

    number: int
    name: str
    statements: tuple[str, ...]


def _unique(*labels: str) -> tuple[str, ...]:
    return tuple(
        f"CREATE CONSTRAINT {label}_id IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE" for label in labels
    )


def _range(key: str, *labels: str) -> tuple[str, ...]:
    return tuple(f"CREATE INDEX {label}_{key} IF NOT EXISTS FOR (n:{label}) ON (n.{key})" for label in labels)


def _staged(*labels: str) -> tuple[str, ...]:
    return tuple(f"CREATE INDEX {label}_staged IF NOT EXISTS FOR (n:_Staged{label}) ON (n.id)" for label in labels)


MIGRATIONS: Sequence[Migration] = (
    Migration(
        1,
        "unique ids",
        _unique(
            "Repository", "Directory", "Module", "Class", "Function", "Document", "Package", "External", "Name"
        ),
    ),
    Migration(
        2, "nodes by repository", _range("repository", "Directory", "Module", "Class", "Function", "Document", "External", "Name")
    ),
    Migration(3, "nodes by name", _range("name", "Module", "Class", "Function", "External", "Name")),
    Migration(
        4,
        "staged copies",
        _staged("Repository", "Directory", "Module", "Class", "Function", "Document", "External", "Name"),
    ),
    Migration(
        5,
        "full text",
        (
            "CREATE FULLTEXT INDEX repoquarry_text IF NOT EXISTS FOR (n:Module|Class|Function|Document) "
            "ON EACH [n.name, n.qualname, n.path, n.heading, n.docstring, n.summary] "
            "OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}}",
        ),
    ),
    Migration(
        6,
        "variables",
        (*_unique("Variable"), *_range("repository", "Variable"), *_range("name", "Variable"), *_staged("Variable")),
    ),
)  # fmt: skip


def require_known(session: neo4j.Session) -> None:
    """Check that this version knows all migrations of the database. Raises: StoreNewerError."""
    newest = max(_applied(session), default=0)
    if newest > MIGRATIONS[-1].number:
        raise StoreNewerError(
            f"the schema of this Neo4j database has number {newest}, and this version knows {MIGRATIONS[-1].number}: "
            "a newer version wrote it; use that one, or another database"
        )


def migrate(session: neo4j.Session, claims: Claims) -> list[int]:
    """Apply the missing migrations in order and return their numbers. Concurrent writers wait for one another.

    Raises: StoreBusyError; StoreCorruptError if the stored data does not allow one, such as two nodes of the same id.
    """
    if not _missing(session):
        return []
    claims.prepare(session)
    with claims.hold(session, _SCHEMA) as claim:
        try:
            missing = _missing(session)
            for migration in missing:
                _apply(session, migration)
        finally:
            claims.drop(session, claim)
    return [migration.number for migration in missing]


def _missing(session: neo4j.Session) -> list[Migration]:
    applied = _applied(session)
    return [migration for migration in MIGRATIONS if migration.number not in applied]


def _applied(session: neo4j.Session) -> set[int]:
    found = session.run("SHOW INDEXES YIELD name WHERE name STARTS WITH $start RETURN name", {"start": _RECORD})
    return {int(str(row[0]).removeprefix(_RECORD)) for row in found}


def _apply(session: neo4j.Session, migration: Migration) -> None:
    record = (
        f"CREATE INDEX {_RECORD}{migration.number:04} IF NOT EXISTS FOR (n:_Migration{migration.number:04}) ON (n.id)"
    )
    try:
        for statement in migration.statements:
            session.run(statement).consume()
        session.run("CALL db.awaitIndexes(3600)").consume()
        session.run(record).consume()
    except (ClientError, DatabaseError) as exc:
        raise StoreCorruptError(
            f"migration {migration.number} ({migration.name}) of this Neo4j database failed: {exc.message}"
        ) from exc
    _log.info("schema_migrated number=%d name=%r", migration.number, migration.name)
