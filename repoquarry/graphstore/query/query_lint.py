"""Static check of a named query: names that the schema lacks, unbounded paths, and constructs that an engine refuses. Runs no query."""

from __future__ import annotations

import json
from collections.abc import Iterator

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.dialect import DIALECT_NAMES
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.query_library import LibraryQuery

_SAMPLES: dict[str, Value] = {"string": "a", "integer": 1, "float": 1.0, "boolean": True, "list": ["a"]}
"""Values of required parameters, by their kind."""


def lint_query(query: LibraryQuery) -> list[str]:
    """Return the findings on a query, each once, with their lines in the text below the header."""
    parameters = {
        one.name: json.loads(one.default) if one.default is not None else _SAMPLES[one.kind] for one in query.parameters
    }
    return list(dict.fromkeys(_findings(query.text, parameters)))


def _findings(text: str, parameters: dict[str, Value]) -> Iterator[str]:
    for dialect in DIALECT_NAMES:
        try:
            gated = admit(text, parameters, dialect)
        except QueryRefusedError as exc:
            yield str(exc)
            continue
        yield from gated.warnings
        if gated.cut_path_bound is not None:
            yield "a path has no upper bound; the limit of the reader cuts it: write one, such as *1..5"
