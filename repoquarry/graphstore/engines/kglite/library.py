"""Loader of kglite files, and translation of the errors of kglite."""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import kglite

from repoquarry.graphstore.errors import (
    GraphStoreError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    UnreadQueryError,
)
from repoquarry.graphstore.query.cypher import runtime_failures

_TOO_MANY_ITEMS = re.compile(r"materializ\w+ (\d+)[\w ]* items|safety (?:limit|ceiling)")
_TOO_LARGE_PATTERN = re.compile(r"Compiled regex exceeds size limit of (\d+) bytes")
_ENGINE_PREFIX = "Cypher execution error: "


def _evaluation_error(message: str) -> GraphStoreError:
    failure = runtime_failures.parse_failures(message)
    if failure is not None and failure.is_neo4js:
        return QueryFailedError(failure.message)
    if failure is not None or "overflow in sum" in message:
        overflow = "Neo4j continues with floats where a sum exceeds 64 bits: sum toFloat(x)"
        return QueryRefusedError(
            f"A value that this engine cannot answer as Neo4j does: {failure.message if failure else overflow}",
            reason="value_not_portable",
        )
    large = _TOO_LARGE_PATTERN.search(message)
    if large is not None:
        return QueryRefusedError(
            f"A regular expression that takes more than {int(large[1]):,} bytes when it is compiled is refused on this "
            "engine. Repeat less of it: {n,m} counts every repetition, and \\p{...} is large",
            reason="regular_expression",
        )
    many = _TOO_MANY_ITEMS.search(message)  # kglite's own limit on lists made by expressions.
    if many is not None:
        count = f"{int(many[1]):,}" if many[1] else "too many"
        return QueryLimitError(
            f"the query makes lists of {count} items, more than the embedded engine holds at once: "
            "shorten range() or the list, or filter before collecting",
            limit="memory_bytes",
        )
    return QueryFailedError(f"the query cannot be evaluated: {message.removeprefix(_ENGINE_PREFIX)}")


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate every error of kglite into one of `repoquarry.graphstore.errors`."""
    try:
        yield
    except GraphStoreError:
        raise
    except kglite.CypherTimeoutError as exc:
        raise QueryLimitError("the query exceeded its time limit", limit="seconds") from exc
    except kglite.ReadOnlyError as exc:
        raise QueryRefusedError("only read-only queries are allowed", reason="writes") from exc
    except (kglite.CypherSyntaxError, kglite.SchemaError) as exc:
        # The engine's message is about the rewritten text, which the user does not know.
        raise UnreadQueryError(
            "this engine does not read the query as rewritten for it", reason="not_portable"
        ) from exc
    except kglite.CypherError as exc:
        raise _evaluation_error(str(exc)) from exc
    except kglite.KgError as exc:
        raise QueryFailedError(f"{type(exc).__name__}: {exc}") from exc
    except MemoryError as exc:
        raise QueryLimitError("the query ran out of memory", limit="memory_bytes") from exc


_UNPACKED = "kglite_portable_{pid}_*"
"""Pattern of the folders into which the engine unpacks the columns of a large graph, which it then maps."""

_guard = threading.Lock()


def load_file(path: Path) -> Any:
    """Load a private graph. The unpacked files are removed at once: the memory maps retain them, and a killed process cannot clean up.

    Raises: kglite.KgError, OSError, ValueError.
    """
    with _guard:  # Protects the folder of a concurrent load from removal.
        graph = kglite.load(str(path))
        temporary = Path(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108 - where the engine looks, too
        for folder in temporary.glob(_UNPACKED.format(pid=os.getpid())):
            shutil.rmtree(folder, ignore_errors=True)
        return graph


def remove_unpacked() -> None:
    """Remove files that the engine unpacked for processes that were killed while loading."""
    temporary = Path(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108 - where the engine looks, too
    for folder in temporary.glob(_UNPACKED.format(pid="*")):
        try:
            os.kill(int(folder.name.split("_")[2]), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (ValueError, PermissionError):
            continue
