"""Workers may die, hang or run out of memory: that costs one file, and says so."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import WorkerLostError
from repoquarry.ingest.files.packed import decode_facts
from repoquarry.ingest.files.workers import Duty, Job, Parsed, WorkerPool, failed
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.integration.ingest.conftest import write_tree

_LONG_SECONDS = 2.5


def parse(settings: IngestSettings, *jobs: Job) -> dict[str, Parsed]:
    with WorkerPool(settings, Duty(None)) as pool:
        pool.expect(len(jobs))
        return {parsed.path: parsed for parsed in pool.run(jobs)}


def test_every_job_has_one_result_whatever_the_number_of_workers() -> None:
    jobs = [Job(f"m{number}.py", b"def f():\n    return %d\n" % number) for number in range(70)]
    found = parse(IngestSettings(workers=3), *jobs)
    assert sorted(found) == sorted(job.path for job in jobs)
    assert decode_facts(found["m7.py"].facts).definitions[0].name == "f"


def test_results_are_taken_while_there_is_no_job_for_now() -> None:
    taken: list[str] = []

    def jobs() -> Iterator[Job | None]:
        yield Job("first.py", b"x = 1\n")
        end = time.monotonic() + 120
        while not taken and time.monotonic() < end:
            yield None
        taken.append("asked for more")
        yield Job("second.py", b"y = 2\n")

    with WorkerPool(IngestSettings(workers=1), Duty(None)) as pool:
        for parsed in pool.run(jobs()):
            taken += [parsed.path]
    assert taken == ["first.py", "asked for more", "second.py"]


def test_files_whose_facts_are_waited_for_are_read_first(
    shop: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_repository(str(shop), store, IngestSettings())
    for path in ("README.md", "shop/core.py"):
        with (shop / path).open("a") as file:
            file.write("\n\nTOTAL = 1\n")
    given: list[str] = []
    run = WorkerPool.run

    def note(jobs: Iterable[Job | None]) -> Iterator[Job | None]:
        for job in jobs:
            given.extend([job.path] if job is not None else [])
            yield job

    monkeypatch.setattr(WorkerPool, "run", lambda self, jobs: run(self, note(jobs)))
    index_repository(str(shop), store, IngestSettings())
    assert given == ["shop/core.py", "README.md"]


def test_files_in_odd_encodings_are_read() -> None:
    text = "def größe():\n    return 'ä'\n"
    found = parse(
        IngestSettings(workers=1),
        Job("latin.py", b"# -*- coding: latin-1 -*-\n" + text.encode("latin-1")),
        Job("wide.py", text.encode("utf-16")),
        Job("marked.py", text.encode("utf-8-sig")),
    )
    for parsed in found.values():
        facts = decode_facts(parsed.facts)
        assert [definition.name for definition in facts.definitions] == ["größe"], parsed.path
        assert not facts.parse_errors


def test_a_worker_that_dies_costs_its_file_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker of `killer.py` is killed each time it starts on that file; the others are parsed."""
    settings = IngestSettings(workers=1)
    jobs = [Job(f"m{number}.py", b"x = 1\n") for number in range(5)]
    with WorkerPool(settings, Duty(None)) as pool:
        pool.expect(6)

        def killing() -> Iterator[Job]:
            yield from jobs[:2]
            yield Job("killer.py", b"x = (" * 2_000_000)
            yield from jobs[2:]

        done = threading.Event()
        killer = threading.Thread(target=_kill_until, args=(done, pool))
        killer.start()
        try:
            found = {parsed.path: parsed for parsed in pool.run(killing())}
        finally:
            done.set()
            killer.join()
    assert all(found[job.path].facts for job in jobs)
    assert "died (signal 9)" in found["killer.py"].failure


def _kill_until(done: threading.Event, pool: WorkerPool) -> None:
    """Kill workers that have computed for longer than starting and any small file could keep them."""
    while not done.wait(0.02):
        for process in pool.process_ids():
            if _cpu_seconds(process) > _LONG_SECONDS:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)


def _cpu_seconds(process: int) -> float:
    import psutil

    try:
        return float(psutil.Process(process).cpu_times().user)
    except psutil.Error:
        return 0.0


def test_a_file_that_takes_too_long_is_left_out() -> None:
    found = parse(
        IngestSettings(workers=1, file_seconds=1.0), Job("slow.py", b"x = (" * 3_000_000), Job("a.py", b"x = 1\n")
    )
    assert "file_seconds" in found["slow.py"].failure
    assert found["a.py"].facts


def test_a_file_that_needs_too_much_memory_is_left_out() -> None:
    limited = IngestSettings(workers=1, worker_memory_bytes=420 * 1024 * 1024)
    found = parse(limited, Job("large.py", b"f(x, y)\n" * 1_000_000), Job("a.py", b"x = 1\n"))
    assert found["a.py"].facts
    assert found["large.py"].failure


def test_workers_that_cannot_start_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(WorkerLostError, match="keep dying"):
        parse(IngestSettings(workers=1), *(Job(f"{number}.py", b"") for number in range(30)))


def test_no_worker_is_left_behind() -> None:
    with WorkerPool(IngestSettings(workers=2), Duty(None)) as pool:
        pool.expect(40)
        results = pool.run(Job(f"{number}.py", b"x = 1\n") for number in range(40))
        next(results)
        started = pool.process_ids()
        assert started
    for process in started:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_a_file_that_fails_is_left_out_with_its_reason(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_tree(tmp_path / "mixed", {"a.py": "def f():\n    pass\n", "slow.py": "x = (" * 380_000})
    report = index_repository(str(root), store, IngestSettings(workers=1, file_seconds=0.05))
    assert "slow.py" in {entry.path for entry in report.left_out}


def test_a_tree_of_which_no_file_could_be_read_is_stored(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "repoquarry.ingest.files.workers.WorkerPool._parse", lambda _pool, _number, job: failed(job, "lost")
    )
    root = write_tree(tmp_path / "lost", {"a.py": "def f():\n    pass\n", "b.js": "function g() {}\n"})
    report = index_repository(str(root), store, IngestSettings(workers=1))
    assert (report.files, {entry.path for entry in report.left_out}) == (0, {"a.py", "b.js"})
    assert store.repository("lost")["files"] == 0
