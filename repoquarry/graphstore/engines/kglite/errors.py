"""Errors of kglite in the words of this project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import kglite

from repoquarry.graphstore.cypher import failures
from repoquarry.graphstore.errors import (
    GraphStoreError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
)

_POSITION = re.compile(r"at line (\d+), col(?:umn)? (\d+)")
_TOO_MANY_ITEMS = re.compile(r"materializ\w+ (\d+)[\w ]* items|safety (?:limit|ceiling)")
_TOO_LARGE_PATTERN = re.compile(r"Compiled regex exceeds size limit of (\d+) bytes")
_ENGINE_PREFIX = "Cypher execution error: "


def _evaluation_error(message: str) -> GraphStoreError:
    """What kglite says when a query fails while it runs, in the words of this project."""
    failure = failures.found_in(message)
    if failure is not None and failure.is_neo4js:
        return QueryFailedError(failure.message)
    if failure is not None:
        return QueryRefusedError(
            f"A value that this engine cannot answer as Neo4j does: {failure.message}", reason="value_not_portable"
        )
    if "overflow in sum" in message:
        raise_to = "Neo4j goes on with floats where a sum leaves 64 bits: sum toFloat(x)"
        return QueryRefusedError(
            f"A value that this engine cannot answer as Neo4j does: {raise_to}", reason="value_not_portable"
        )
    large = _TOO_LARGE_PATTERN.search(message)
    if large is not None:
        return QueryRefusedError(
            f"A regular expression that takes more than {int(large[1]):,} bytes when it is compiled is refused on this "
            "engine. Repeat less of it: {n,m} counts each time anew, and \\p{...} is large",
            reason="regular_expression",
        )
    many = _TOO_MANY_ITEMS.search(message)  # kglite's own bound on lists that expressions make
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
    """Turn every error of kglite into one of `repoquarry.graphstore.errors`."""
    try:
        yield
    except GraphStoreError:
        raise
    except kglite.CypherTimeoutError as exc:
        raise QueryLimitError("the query ran over its time limit", limit="seconds") from exc
    except kglite.ReadOnlyError as exc:
        raise QueryRefusedError("only reading queries are allowed", reason="writes") from exc
    except (kglite.CypherSyntaxError, kglite.SchemaError) as exc:
        found = _POSITION.search(str(exc))
        line, column = (int(found[1]), int(found[2])) if found else (None, None)
        raise QueryRefusedError(str(exc), reason="syntax", line=line, column=column) from exc
    except kglite.CypherError as exc:
        raise _evaluation_error(str(exc)) from exc
    except kglite.KgError as exc:
        raise QueryFailedError(f"{type(exc).__name__}: {exc}") from exc
    except MemoryError as exc:
        raise QueryLimitError("the query ran out of memory", limit="memory_bytes") from exc
