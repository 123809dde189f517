"""Cost of writing and reading one repository while a store grows: time, memory and disk, of the first ten and of the last ten.

Setting: repositories of the same size by a fixed seed (two thousand functions, ten thousand calls unless given), written one after
the other, each by a process of its own, as bulk indexing does. Times are wall seconds of the process, memory its peak. Then,
by processes of their own: a query about one repository, one about packages, and one across all, first and again.

    python -m tests.benchmarks.stores.store_growth [repositories functions calls]
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_PROGRAM = """
import json, resource, sys, time
from pathlib import Path
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import random_graph
folder, task, *rest = sys.argv[1:]
if task == "write":
    name, functions, calls = rest
    graph = random_graph(name, int(functions), int(calls))
started = time.perf_counter()
if task == "write":
    with Store.open(StoreSettings(Path(folder)), writable=True) as store:
        store.engine.replace_repository(graph)
    seconds = [time.perf_counter() - started]
else:
    seconds = []
    with Store.open(StoreSettings(Path(folder))) as store:
        for _ in range(2):
            started = time.perf_counter()
            store.query(rest[0])
            seconds.append(time.perf_counter() - started)
memory = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(json.dumps({"seconds": seconds, "mib": memory / 1024}))
"""

_QUERIES = {
    "about one": "MATCH (f:Function {repository: 'r0001'})-[:CALLS]->(g) RETURN g.name AS name, count(*) AS n ORDER BY n DESC, name LIMIT 5",
    "list of repositories": "MATCH (r:Repository) RETURN count(r) AS repositories",
    "across all": "MATCH (f:Function)-[c:CALLS]->(g) RETURN g.name AS name, sum(c.count) AS n ORDER BY n DESC, name LIMIT 5",
}


def main() -> int:
    repositories, functions, calls = map(int, sys.argv[1:4]) if len(sys.argv) > 3 else (100, 2_000, 10_000)
    print(f"{repositories} repositories of {functions} functions and {calls} calls; {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as name:
        costs = [_run(name, "write", f"r{number:04}", str(functions), str(calls)) for number in range(repositories)]
        for title, part in (("first ten", costs[:10]), ("last ten", costs[-10:])):
            seconds = statistics.median(cost["seconds"][0] for cost in part)
            print(f"  write, {title}: {seconds:.2f} s, {max(cost['mib'] for cost in part):.0f} MiB")
        size = sum(file.stat().st_size for file in Path(name).rglob("*") if file.is_file())
        print(f"  on disk: {size / repositories / 1024:.0f} KiB a repository")
        for title, query in _QUERIES.items():
            for turn in ("first", "next process"):
                cost = _run(name, "query", query)
                first, again = cost["seconds"]
                print(
                    f"  {title}, {turn}: {first:.2f} s, again {again:.3f} s, {cost['mib']:.0f} MiB in the largest process"
                )
    return 0


def _run(*arguments: str) -> Any:
    done = subprocess.run([sys.executable, "-c", _PROGRAM, *arguments], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
