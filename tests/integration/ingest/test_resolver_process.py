"""Resolution runs in a process of its own: the same result, and a failure or a cancellation harms nothing."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from repoquarry.graphstore.errors import StoreFullError
from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import IngestCancelledError, ResolutionFailedError
from repoquarry.ingest.files.worker_pool import ParseJob, ParseResult, WorkerPool, failed_result
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.previous_state import PreviousState, digest_inputs, encode_facts
from repoquarry.ingest.resolution import resolve
from repoquarry.ingest.resolver_client import PrestartedResolver, resolve_in_subprocess
from repoquarry.ingest.resolver_main import ResolveResponse
from repoquarry.ingest.run_monitor import IndexProgress, RunMonitor
from repoquarry.ingest.settings import IngestSettings
from repoquarry.languages.registry import is_source, language_for
from tests.integration.ingest.conftest import FILES
from tests.source_trees import write_tree


def silent(progress: IndexProgress) -> None:
    """Nobody listens."""


def facts() -> list[bytes]:
    paths = sorted(path for path in FILES if path.endswith(".py"))
    return [encode_facts(language_for(path).extract(path, FILES[path].encode())) for path in paths]


def test_it_gives_what_resolution_in_this_process_gives() -> None:
    paths = sorted(path for path in FILES if path.endswith(".py"))
    here = resolve([language_for(path).extract(path, FILES[path].encode()) for path in paths])
    assert (
        resolve_in_subprocess(facts(), PrestartedResolver(IngestSettings(), {}), RunMonitor(silent, lambda: False))[0]
        == here
    )


def test_a_resolver_that_dies_is_told() -> None:
    meter = RunMonitor(silent, lambda: False)
    killer = threading.Thread(target=_kill_resolver, args=(meter,))
    killer.start()
    with pytest.raises(ResolutionFailedError, match=r"the resolver was killed from outside \(SIGKILL\); try again"):
        resolve_in_subprocess(facts() * 2_000, PrestartedResolver(IngestSettings(), {}), meter)
    killer.join()


def _kill_resolver(meter: RunMonitor) -> None:
    for _ in range(1_000):
        if processes := meter.watched():
            os.kill(processes[0], signal.SIGKILL)
            return
        time.sleep(0.01)


def test_too_little_memory_is_told() -> None:
    limited = IngestSettings(resolver_memory_bytes=48 * 1024 * 1024)
    with pytest.raises(
        ResolutionFailedError, match=r"reached its memory limit of 48 MiB .*raise ingest\.resolver_memory"
    ):
        resolve_in_subprocess(facts() * 20_000, PrestartedResolver(limited, {}), RunMonitor(silent, lambda: False))


def test_it_can_be_cancelled(shop: Path, store: Store, settings: IngestSettings) -> None:
    stages: list[str] = []
    with pytest.raises(IngestCancelledError):
        index_repository(
            str(shop), store, settings, report=lambda p: stages.append(p.stage), cancelled=lambda: "resolve" in stages
        )
    assert store.repositories() == []


@pytest.mark.parametrize(("changed", "early"), [("shop/core.py", True), ("README.md", False)])
def test_it_is_started_before_a_change_of_code_is_read(
    shop: Path, store: Store, settings: IngestSettings, monkeypatch: pytest.MonkeyPatch, changed: str, early: bool
) -> None:
    index_repository(str(shop), store, settings)
    with (shop / changed).open("a") as file:
        file.write("\n\nTOTAL = 1\n")
    stages: list[str] = []
    begun: list[str] = []
    begin = PrestartedResolver.prestart

    def begin_and_note(self: PrestartedResolver) -> None:
        begun.append(stages[-1])
        begin(self)

    monkeypatch.setattr(PrestartedResolver, "prestart", begin_and_note)
    index_repository(str(shop), store, settings, report=lambda progress: stages.append(progress.stage))
    assert (begun[:1] == ["select"]) is early


def numbered(packed: Iterable[bytes]) -> dict[str, bytes]:
    """Facts by a key of each, in order."""
    return {str(number): one for number, one in enumerate(packed)}


def test_one_that_was_begun_answers_from_what_it_was_given_in_any_order() -> None:
    meter, packed = RunMonitor(silent, lambda: False), facts()
    alone = resolve_in_subprocess([*packed], PrestartedResolver(IngestSettings(), {}), meter)
    with PrestartedResolver(IngestSettings(), {}) as resolver:
        resolver.prestart()
        for one in reversed(packed):
            resolver.send_facts({"": one})
        assert resolve_in_subprocess(packed, resolver, meter) == alone


def test_facts_are_released_unless_an_earlier_resolution_may_be_damaged() -> None:
    meter, packed = RunMonitor(silent, lambda: False), facts()
    _, kept = resolve_in_subprocess(packed, PrestartedResolver(IngestSettings(), {}), meter)
    assert not packed
    packed = facts()[1:]
    resolve_in_subprocess(packed, PrestartedResolver(IngestSettings(), {}, kept), meter)
    assert packed, "what is kept may turn out to be damaged"


def test_an_answer_to_other_facts_is_not_taken() -> None:
    meter, packed = RunMonitor(silent, lambda: False), facts()
    with PrestartedResolver(IngestSettings(), {}) as resolver:
        resolver.prestart()
        for one in packed[1:]:
            resolver.send_facts({"": one})
        assert resolve_in_subprocess(packed, resolver, meter) == resolve_in_subprocess(
            packed, PrestartedResolver(IngestSettings(), {}), meter
        )


def test_repeated_facts_replace_earlier_ones() -> None:
    meter, packed = RunMonitor(silent, lambda: False), facts()
    before = language_for("shop/core.py").extract("shop/core.py", b"def gone():\n    pass\n")
    assert "shop/core.py" in FILES
    with PrestartedResolver(IngestSettings(), {}) as resolver:
        resolver.prestart()
        resolver.send_facts(numbered([encode_facts(before), *packed]))
        (begun,) = resolver.process_ids()
        asked = resolver.take(packed)
        assert asked.child.pid == begun
        try:
            answer = asked.answer(meter.cancelled)
        finally:
            asked.end()
    given = msgspec.msgpack.decode(answer[1:], type=ResolveResponse).digest
    assert given == digest_inputs(resolver.rules, [hashlib.sha256(one).digest() for one in packed])


def test_facts_of_a_file_that_is_gone_by_now_are_not_resolved() -> None:
    meter, packed = RunMonitor(silent, lambda: False), facts()
    gone = language_for("shop/gone.py").extract("shop/gone.py", b"from shop.core import *\n")
    with PrestartedResolver(IngestSettings(), {}) as resolver:
        resolver.prestart()
        resolver.send_facts(numbered([*packed, encode_facts(gone)]))
        assert resolve_in_subprocess(packed, resolver, meter) == resolve_in_subprocess(
            packed, PrestartedResolver(IngestSettings(), {}), meter
        )


def test_it_is_given_each_file_once_and_all_before_what_is_known_of_others_is_gathered(
    shop: Path, store: Store, settings: IngestSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_repository(str(shop), store, settings)
    with (shop / "shop/core.py").open("a") as file:
        file.write("\n\nTOTAL = 1\n")
    happened: list[list[str] | str] = []
    give, drop, index = PrestartedResolver.send_facts, PreviousState.delete_damaged_texts, PreviousState.index

    def give_and_note(self: PrestartedResolver, facts: Mapping[str, bytes]) -> None:
        happened.append(list(facts))
        give(self, facts)

    def note(what: str, call: Callable[[PreviousState], Any]) -> Callable[[PreviousState], Any]:
        def noted(self: PreviousState) -> Any:
            happened.append(what)
            return call(self)

        return noted

    monkeypatch.setattr(PrestartedResolver, "send_facts", give_and_note)
    monkeypatch.setattr(PrestartedResolver, "finish_facts", lambda self: happened.append("that was all"))
    monkeypatch.setattr(PreviousState, "delete_damaged_texts", note("texts are checked", drop))
    monkeypatch.setattr(PreviousState, "index", note("the index is opened", index))
    index_repository(str(shop), store, settings)
    kept, *others = happened
    assert others == ["texts are checked", ["shop/core.py"], "that was all", "the index is opened"]
    assert sorted([*kept, "shop/core.py"]) == sorted(path for path in FILES if is_source(path))


def test_a_file_that_cannot_be_read_keeps_no_other_from_it(
    shop: Path, store: Store, settings: IngestSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_repository(str(shop), store, settings)
    for path in ("shop/core.py", "shop/late.py"):
        with (shop / path).open("a") as file:
            file.write("\n\nTOTAL = 1\n")
    read = WorkerPool._read

    def fail(self: WorkerPool, number: int, jobs: list[ParseJob]) -> list[ParseResult]:
        cursed = {job.path: failed_result(job, "it is cursed") for job in jobs if job.path == "shop/core.py"}
        return [cursed.get(job.path) or read(self, number, [job])[0] for job in jobs]

    monkeypatch.setattr(WorkerPool, "_read", fail)
    monkeypatch.setattr(PrestartedResolver, "restart", _refuse)  # the started resolver received all input
    report = index_repository(str(shop), store, settings)
    assert [entry.path for entry in report.left_out if "cursed" in entry.reason] == ["shop/core.py"]


def _refuse(*_: object) -> None:
    raise AssertionError("another resolver was started")


def test_its_start_takes_no_more_than_it_needs() -> None:
    with PrestartedResolver(IngestSettings(), {}) as resolver:
        resolver.prestart()
        (begun,) = resolver.process_ids()
        assert psutil.Process(begun).environ()["OPENBLAS_NUM_THREADS"] == "1"


def test_it_loads_nothing_of_the_store() -> None:
    program = "import sys; from repoquarry.ingest import resolver_main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300)
    others = {
        "sqlite3",
        "logging",
        "importlib.metadata",
        "repoquarry.graphstore.pending_revision",
        "repoquarry.ingest.files.hashing",
    }
    assert all(map(find_spec, others)), "a renamed module would be looked for in vain"
    assert not others & set(loaded.stdout.split())


def test_resolver_that_dies_while_receiving_facts_is_reported() -> None:
    with PrestartedResolver(IngestSettings(), {}) as resolver:
        others = set(psutil.Process().children())
        resolver.prestart()
        (child,) = set(psutil.Process().children()) - others
        child.kill()
        for one in facts() * 2_000:
            resolver.send_facts({"": one})
        with pytest.raises(ResolutionFailedError, match=r"the resolver was killed from outside \(SIGKILL\); try again"):
            resolve_in_subprocess(facts() * 2_000, resolver, RunMonitor(silent, lambda: False))


def test_one_that_nobody_took_is_ended() -> None:
    others = set(psutil.Process().children())
    with PrestartedResolver(IngestSettings(), {}) as waiting:
        waiting.prestart()
        waiting.send_facts(numbered(facts()[:1]))
        (child,) = set(psutil.Process().children()) - others
    assert not child.is_running()


def test_texts_are_indexed_while_it_runs_and_not_again(shop: Path, store: Store, settings: IngestSettings) -> None:
    said: list[tuple[str, str]] = []
    index_repository(str(shop), store, settings, report=lambda p: said.append((p.stage, p.message)))
    assert ("resolve", "indexing texts") in said
    assert ("search-index", "indexing texts") not in said


def test_run_ends_when_background_work_fails(store: Store, settings: IngestSettings, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "many", {f"m{number}.py": f"def f{number}():\n    pass\n" for number in range(400)})
    others = {process.pid for process in psutil.Process().children()}  # of tests before this one
    children: set[int] = set()

    def fail(progress: IndexProgress) -> None:
        children.update({process.pid for process in psutil.Process().children()} - others)
        if progress.message == "indexing texts":
            raise OSError(28, "No space left on device")

    with pytest.raises(StoreFullError, match="no space is left"):
        index_repository(str(root), store, settings, report=fail)
    assert children
    assert not any(psutil.pid_exists(process) for process in children)
    assert store.repositories() == []
