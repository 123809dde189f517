"""Exception classes of the graph store, grouped by the caller's next action: correct the query, retry, repair the data folder."""

from __future__ import annotations


class GraphStoreError(Exception):
    """Base class of all errors of `graphstore`."""


class QueryRefusedError(GraphStoreError):
    """Query that is not allowed or malformed: correct it and send it again.

    `reason` is a stable identifier (see docs/reference/errors.md); `line` and `column` are 1-based if known.
    """

    def __init__(self, message: str, *, reason: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.line = line
        self.column = column


class UnreadQueryError(QueryRefusedError):
    """An admitted query whose text, as it was rewritten for the engine, the engine does not read."""


class QueryLimitError(GraphStoreError):
    """Query that exceeded a limit: narrow it or raise the limit. `limit` names the setting."""

    def __init__(self, message: str, *, limit: str) -> None:
        super().__init__(message)
        self.limit = limit


class TooManyQueriesError(GraphStoreError):
    """Rejection because the client's queue is full: wait until one of its queries finishes, then retry."""


class QueryCancelledError(GraphStoreError):
    """Query cancelled by the caller; it has stopped."""


class QueryFailedError(GraphStoreError):
    """Query that the engine could not evaluate, for example because of a type mismatch at run time: correct it."""


class NotFoundError(GraphStoreError):
    """Missing repository, node, file or index, named by `kind` and `value`.

    `nearest` are names that differ by a typing error.
    """

    def __init__(self, message: str, *, kind: str, value: str, nearest: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.kind = kind
        self.value = value
        self.nearest = nearest


class AmbiguousNameError(GraphStoreError):
    """Several definitions or repositories have the name: use the id of one of `candidates`. `kind` is `name` or `repository`."""

    def __init__(self, message: str, *, name: str, candidates: tuple[str, ...], kind: str = "name") -> None:
        super().__init__(message)
        self.kind = kind
        self.name = name
        self.candidates = candidates


class TextsElsewhereError(GraphStoreError):
    """Repository whose texts are in another data folder: query the service of that folder, or index the repository here."""


class StoreBusyError(GraphStoreError):
    """Store that another process writes: wait, or send the request to that process. The message names it."""


class EngineUnavailableError(GraphStoreError):
    """Engine that is unreachable: retry later."""


class StoreCorruptError(GraphStoreError):
    """Unreadable data on disk: the message has the file and the remedy."""


class StoreNewerError(GraphStoreError):
    """Store written by a newer version: use that version or another store. Nothing was read or changed."""


class StoreFullError(GraphStoreError):
    """Full disk: free disk space and retry; stored data is unchanged."""


class StoreUnwritableError(GraphStoreError):
    """Folder without write access (permissions, a read-only file system): correct that. Reading still works."""


class StoreReadOnlyError(GraphStoreError):
    """Write to a store opened for reading: open it for writing, or send the request to the process that writes it."""


class InvalidGraphError(GraphStoreError):
    """Graph that violates the schema, which is a bug of its builder; nothing was written."""


class MissingEndpointsError(InvalidGraphError):
    """Links point at nodes that are not stored, since another writer of a shared graph may have removed them: compute the links again."""


class ChangesRefusedError(GraphStoreError):
    """Changes that do not apply to the stored graph (another revision, or too many rows for one transaction): replace the repository."""


class EmbedderConfigurationError(GraphStoreError):
    """Invalid configuration of the embedder (package missing, model or key rejected): correct the settings."""


class EmbedderUnavailableError(GraphStoreError):
    """Embedding endpoint that is unreachable or overloaded: retry later. Finished embeddings are cached."""
