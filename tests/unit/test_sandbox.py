"""The query sandbox: what a child may not do, and that no child outlives the process that asked."""

import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    QueryCancelledError,
    QueryFailedError,
    QueryLimitError,
    StoreCorruptError,
)
from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query import sandbox as pool
from repoquarry.graphstore.query.query_scheduler import QueryScheduler, SchedulerSettings
from repoquarry.graphstore.query.result_buffer import decode_row, encode_row
from repoquarry.graphstore.query.sandbox import QuerySandbox
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import sample_graph
from repoquarry.graphstore.testing.untrusted_queries import ENDLESS, ask_outside
from tests.descriptors import many_descriptors
from tests.process_checks import is_gone

_ASK = f"""
import sys
from pathlib import Path
from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.query.query_scheduler import QueryScheduler, SchedulerSettings
from repoquarry.graphstore.query.sandbox import QuerySandbox
from repoquarry.graphstore.testing.untrusted_queries import ask_outside
sandbox = QuerySandbox(("repoquarry.graphstore.engines.kglite", sys.argv[1]), QueryScheduler(SchedulerSettings()))
print(ask_outside(sandbox, "RETURN 1", {{}}, QueryLimits()).rows, flush=True)
ask_outside(sandbox, {ENDLESS!r}, {{}}, QueryLimits(seconds=600))
"""


@pytest.fixture
def sandbox(tmp_path: Path) -> QuerySandbox:
    with Store.open(StoreSettings(tmp_path), writable=True) as store:
        store.engine.replace_repository(sample_graph())
    return QuerySandbox(
        ("repoquarry.graphstore.engines.kglite", str(tmp_path / "graphs")), QueryScheduler(SchedulerSettings())
    )


def _ask(sandbox: QuerySandbox, text: str, limits: QueryLimits | None = None) -> object:
    return ask_outside(sandbox, text, {}, limits or QueryLimits()).rows


def test_a_query_can_open_no_file(sandbox: QuerySandbox, tmp_path: Path) -> None:
    """Behind the gate, which refuses LOAD CSV: the child has no descriptor left to open anything with."""
    (tmp_path / "secret.csv").write_text("secret\n", encoding="utf-8")
    with pytest.raises(QueryFailedError, match="cannot open") as caught:
        _ask(sandbox, f"LOAD CSV FROM 'file://{tmp_path}/secret.csv' AS line RETURN line")
    assert "os error 24" in str(caught.value)
    assert _ask(sandbox, "MATCH (m:Module) RETURN count(m)") == [(5,)]
    sandbox.close()


def test_a_child_that_had_to_be_ended_is_replaced(sandbox: QuerySandbox) -> None:
    with pytest.raises(QueryLimitError) as caught:
        _ask(sandbox, "RETURN size(reduce(s = 'a', x IN range(1, 40) | s + s))", QueryLimits(memory_bytes=2**28))
    assert caught.value.limit == "memory_bytes"
    with pytest.raises(QueryLimitError) as caught:
        _ask(sandbox, ENDLESS, QueryLimits(seconds=0.5))
    assert caught.value.limit == "seconds"
    assert _ask(sandbox, "RETURN 1") == [(1,)]
    sandbox.close()
    with pytest.raises(EngineUnavailableError, match="closed"):
        _ask(sandbox, "RETURN 1")


def test_memory_of_a_query_is_limited(sandbox: QuerySandbox) -> None:
    """Beside the loaded graph, and whatever the engine's allocator has reserved or kept from the query before."""
    others = set(psutil.Process().children())
    _ask(sandbox, "RETURN 1")
    (child,) = set(psutil.Process().children()) - others
    resting, peak = child.memory_info().rss, 0
    query = "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b RETURN size(collect(a * b))"

    def watch() -> None:
        nonlocal peak
        with suppress(psutil.Error):
            while True:
                peak = max(peak, child.memory_info().rss)
                time.sleep(0.001)

    watching = threading.Thread(target=watch)
    watching.start()
    with pytest.raises(QueryLimitError, match=r"more than the 256 MiB .* or raise store\.limits\.memory_bytes"):
        _ask(sandbox, query, QueryLimits(memory_bytes=2**28))
    sandbox.close()
    watching.join()
    assert peak < resting + 2**28


def test_no_child_outlives_its_parent(sandbox: QuerySandbox, tmp_path: Path) -> None:
    sandbox.close()
    parent = subprocess.Popen([sys.executable, "-c", _ASK, str(tmp_path / "graphs")], stdout=subprocess.PIPE, text=True)
    try:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "[(1,)]\n"
        children = psutil.Process(parent.pid).children()
        assert len(children) == 1
        time.sleep(0.3)  # the endless query has started
    finally:
        parent.kill()
        parent.communicate()
    assert is_gone(children[0].pid)


def test_a_graph_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with Store.open(StoreSettings(tmp_path), writable=True) as store:
        store.engine.replace_repository(sample_graph())
    (file,) = (tmp_path / "graphs").glob("shop-*.kgl")
    file.write_bytes(b"not a graph")
    with Store.open(StoreSettings(tmp_path)) as store:
        assert store.repositories() == ["shop"]
        with pytest.raises(StoreCorruptError, match=r"shop-\w+\.kgl .*re-index the repository"):
            store.query("MATCH (m:Module) RETURN m")


def test_a_graph_that_is_not_loaded_in_time_is_no_slow_query(
    sandbox: QuerySandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "LOAD_SECONDS", 0.0)
    with pytest.raises(EngineUnavailableError, match="took more than 0 seconds; retry"):
        _ask(sandbox, "RETURN 1")


def test_rows_travel_unchanged() -> None:
    row: tuple[Value, ...] = (1, -(2**63), 2**63 - 1, 0.5, True, None, "\x00é🐍", ["a", []], {"k": [1, {"x": None}]})
    assert decode_row(encode_row(row)) == row


def test_a_process_with_many_descriptors_can_ask(sandbox: QuerySandbox) -> None:
    with many_descriptors():
        assert _ask(sandbox, "RETURN 1") == [(1,)]
        sandbox.close()


def test_a_child_that_keeps_much_memory_is_replaced(sandbox: QuerySandbox) -> None:
    assert _ask(sandbox, "RETURN 1") == [(1,)]
    before = {child.pid for child in psutil.Process().children()}
    large = (
        "UNWIND range(1, 3000000) AS x WITH collect(toString(x) + ' and some more text') AS found RETURN size(found)"
    )
    assert _ask(sandbox, large) == [(3_000_000,)]
    assert _ask(sandbox, "RETURN 1") == [(1,)]
    held = [child.memory_info().rss for child in psutil.Process().children() if child.pid in before]
    sandbox.close()
    assert all(size < 600 * 2**20 for size in held)


@pytest.mark.parametrize(("characters", "lane"), [(10, "quick"), (100_000, "slow")])
def test_large_parameters_hold_no_quick_place(sandbox: QuerySandbox, characters: int, lane: str) -> None:
    def busy_lanes() -> list[str]:
        return [load.name for load in sandbox.query_load().lanes if load.running]

    seen: list[str] = []

    def cancelled() -> bool:
        seen.extend(busy_lanes())
        return bool(seen)

    with pytest.raises(QueryCancelledError):
        ask_outside(sandbox, f"{ENDLESS} // $text", {"text": "x" * characters}, QueryLimits(), cancelled=cancelled)
    assert set(seen) == {lane}
    sandbox.close()
