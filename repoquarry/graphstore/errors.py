"""Errors of the graph store, by what the caller can do next."""

from __future__ import annotations


class GraphStoreError(Exception):
    """Root of every error that `graphstore` raises."""


class QueryRefusedError(GraphStoreError):
    """The query is not allowed or not understood: correct it and send it again.

    `reason` is a stable machine-readable word (see docs/errors.md); `line` and `column` are 1-based where known.
    """

    def __init__(self, message: str, *, reason: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.line = line
        self.column = column


class QueryLimitError(GraphStoreError):
    """The query ran over a limit: narrow it or raise the limit. `limit` names the setting."""

    def __init__(self, message: str, *, limit: str) -> None:
        super().__init__(message)
        self.limit = limit


class TooManyQueriesError(GraphStoreError):
    """The caller has as many queries waiting as it may: wait for one of them to end, then send it again."""


class QueryCancelledError(GraphStoreError):
    """The caller cancelled the query; it no longer runs."""


class QueryFailedError(GraphStoreError):
    """The engine could not evaluate the query (a type clash at run time, say): correct it."""


class NotFoundError(GraphStoreError):
    """A repository, node, file or index that was named does not exist. `kind` and `value` say which."""

    def __init__(self, message: str, *, kind: str, value: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.value = value


class TextsElsewhereError(GraphStoreError):
    """Another data folder has the texts of the repository: ask the service that has it, or index the repository here."""


class StoreBusyError(GraphStoreError):
    """Another process writes this store: wait, or send the request to that process. The message says who holds it."""


class EngineUnavailableError(GraphStoreError):
    """The engine cannot be reached or has gone away: retry later."""


class StoreCorruptError(GraphStoreError):
    """What is on disk cannot be read: the message says which file and how to rebuild it."""


class StoreNewerError(GraphStoreError):
    """A newer version wrote the store: use that version, or another store. Nothing was read or changed."""


class StoreFullError(GraphStoreError):
    """The disk that holds the store is full: make room and repeat; what was stored before is as it was."""


class StoreUnwritableError(GraphStoreError):
    """The store's folder cannot be written (permissions, a read-only file system): correct that; it can still be read."""


class StoreReadOnlyError(GraphStoreError):
    """The store was opened for reading: open it for writing, or send the request to the process that writes it."""


class InvalidGraphError(GraphStoreError):
    """A graph that breaks the schema was handed over for writing: a mistake in what made it; nothing was written."""


class ChangesRefusedError(GraphStoreError):
    """Changes do not fit what is stored (another revision, or more rows than one transaction holds): write the repository whole."""


class EmbedderConfigurationError(GraphStoreError):
    """The embedder cannot work as it is set up (package missing, model or key refused): correct the settings."""


class EmbedderUnavailableError(GraphStoreError):
    """The embedding endpoint does not answer or is overloaded: retry later. What was embedded so far is kept."""
