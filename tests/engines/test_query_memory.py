"""The memory of a query's process: whatever a query builds, the process holds no more than the graph and the query's limit."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from repoquarry.graphstore.errors import QueryLimitError
from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import random_graph

_LIMIT = 2**28
_SLACK = 2**26
"""What the process may hold beyond graph and limit: buffers of its answer, and pages between two looks."""
_ROWS = "UNWIND range(1, 9000) AS x UNWIND range(1, 9000) AS y "
_HUNGRY = {
    "collected rows": _ROWS + "RETURN size(collect(toString(x) + 'text' + toString(y))) AS n",
    "distinct rows": _ROWS + "WITH DISTINCT toString(x) + 'text' + toString(y) AS t RETURN count(t) AS n",
    "sorted rows": _ROWS + "WITH toString(x) + 'text' + toString(y) AS t ORDER BY t SKIP 80000000 RETURN t",
    "percentiles": _ROWS + "RETURN percentileCont(x * y, 0.5) AS p, percentileDisc(x + y, 0.9) AS d",
    "texts": "UNWIND range(1, 9000) AS x RETURN size(collect(reduce(s = 'a' + toString(x), y IN range(1, 16) | s + s))) AS n",
    "pairs of nodes": "MATCH (a), (b), (c) RETURN size(collect([a, b, c])) AS n",
}


class _Peak:
    """Largest resident memory of the query processes, as the kernel counts it, in bytes."""

    def __init__(self) -> None:
        self.bytes = 0
        self._ended = threading.Event()

    def _look(self) -> None:
        for child in psutil.Process().children(recursive=True):
            with suppress(OSError, IndexError, ValueError):
                if b"sandbox" not in Path(f"/proc/{child.pid}/cmdline").read_bytes():
                    continue  # also a copy of this process before it becomes another
                status = Path(f"/proc/{child.pid}/status").read_text(encoding="utf-8")
                self.bytes = max(self.bytes, int(status.partition("VmHWM:")[2].split()[0]) * 1024)

    def _run(self) -> None:
        while not self._ended.wait(0.01):
            self._look()

    @contextmanager
    def watched(self) -> Iterator[None]:
        thread = threading.Thread(target=self._run)
        thread.start()
        try:
            yield
            self._look()
        finally:
            self._ended.set()
            thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["kglite", "duckdb"])
@pytest.mark.parametrize("query", _HUNGRY.values(), ids=_HUNGRY)
def test_a_query_process_holds_no_more_than_its_limit(tmp_path: Path, engine: str, query: str) -> None:
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    limits = QueryLimits(seconds=60, memory_bytes=_LIMIT, rows=1_000)
    with Store.open(StoreSettings(tmp_path, engine, embedding=None), writable=True) as store:
        store.engine.replace_repository(random_graph("hungry", 400, 800))
        resting, peak = _Peak(), _Peak()
        with resting.watched():
            store.query("MATCH (n) RETURN count(n) AS n", limits=limits)
        with peak.watched(), suppress(QueryLimitError):
            store.query(query, limits=limits)
        assert resting.bytes
        assert peak.bytes - resting.bytes > (2**26 if engine == "kglite" else 2**22)  # it was hungry
        assert peak.bytes <= resting.bytes + _LIMIT + _SLACK
        assert store.query("RETURN 1 AS one").rows == [(1,)]
