"""Writer of a stored version: `python -m tests.e2e.compatibility.write_store NAME` writes `stores/NAME.tar.xz`."""

import json
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from tests.e2e.compatibility.repositories import ADDRESSES, ServedRepositories, serve_repositories
from tests.e2e.service import end, launch, run_json, succeed

STORES = Path(__file__).parent / "stores"
QUESTION = "who calls clamp?"


def fill_store(store: Path, repositories: ServedRepositories) -> None:
    """Fill a store through a server: an index job, a batch over both repositories, a task, and a query over both."""
    variables = repositories.variables
    batch = store.parent / "batch.txt"
    batch.write_text("\n".join(ADDRESSES.values()), encoding="utf-8")
    commands = (
        ("index", ADDRESSES["inventory"]),
        ("index", "--from", str(batch)),
        ("ask", QUESTION),
        ("query", "MATCH (n:External)-[:PROVIDES]->(m) RETURN n.id, m.id"),
    )
    service = launch(store, store.parent / "serve.log", 0, **variables)
    try:
        for command in commands:
            succeed(store, *command, "--server", service.address, **variables)
        service.stop()  # A server that has stopped leaves no write-ahead log.
    finally:
        end(service)


def read_graph(store: Path) -> list[dict[str, Any]]:
    """Return all nodes and relationships, in an order that follows from their content."""
    rows: list[dict[str, Any]] = []
    for query in ("MATCH (n) RETURN n", "MATCH ()-[r]->() RETURN r"):
        found = [row[0] for row in run_json(store, "query", query)["rows"]]
        rows += sorted(found, key=lambda row: json.dumps(row, sort_keys=True))
    return rows


def main(name: str) -> None:
    """Write a store and its graph as this version reads it; pack both without the times and owners of the files."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with serve_repositories(folder / "repositories") as repositories:
            fill_store(folder / "store", repositories)
        (folder / "graph.json").write_text(json.dumps(read_graph(folder / "store"), indent=1), encoding="utf-8")
        with tarfile.open(STORES / f"{name}.tar.xz", "w:xz", preset=9) as archive:
            for member in ("store", "graph.json"):
                archive.add(folder / member, member, filter=_strip_owner)


def _strip_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


if __name__ == "__main__":
    main(sys.argv[1])
