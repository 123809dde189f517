"""Scopes of the product's own queries (`repoquarry/graphstore/query/shipped_scopes.json`); `--check` compares only."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
from proto_descriptors import report_stale_files

from repoquarry.graphstore.model.schema import RELATIONSHIP_TYPES
from repoquarry.graphstore.query.cypher.scope_analysis import analyze_text_scope
from repoquarry.graphstore.query.query_library import (
    INTERNAL_QUERIES,
    QueryLibrary,
    load_internal_query,
    read_query_folder,
    relation_query,
)
from repoquarry.graphstore.query.shipped_scopes import SCOPES, digest_query


def generated() -> dict[Path, str]:
    """Build the table, a line for each query."""
    relations = [relation_query(kind, outgoing=outgoing) for kind in RELATIONSHIP_TYPES for outgoing in (True, False)]
    queries = [
        *map(load_internal_query, relations),
        *read_query_folder(INTERNAL_QUERIES),
        *QueryLibrary().queries.values(),
    ]
    analyses = {digest_query(query.text): analyze_text_scope(query.text) for query in queries}
    encode = msgspec.json.Encoder(order="deterministic").encode
    lines = [f'"{digest}":{encode(analysis).decode()}' for digest, analysis in sorted(analyses.items())]
    return {SCOPES: "{\n" + ",\n".join(lines) + "\n}\n"}


def main() -> int:
    return report_stale_files(generated(), check="--check" in sys.argv)


if __name__ == "__main__":
    raise SystemExit(main())
