"""Workers may die, hang or run out of memory: that costs one file, and is reported."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.search.embeddings.embedder import create
from repoquarry.graphstore.settings import EmbeddingSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import WorkerLostError
from repoquarry.ingest.files import worker_main
from repoquarry.ingest.files.worker_pool import (
    ParseJob,
    ParseResult,
    WorkerPool,
    batch_files,
    failed_result,
)
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.previous_state import decode_facts, encode_facts
from repoquarry.ingest.settings import IngestSettings
from repoquarry.languages.facts import FileFacts
from tests.source_trees import write_tree

_LONG_SECONDS = 2.5

#: of how many files those of a test are: among few each is given to a worker alone, among many they are given together
_AMONG = pytest.mark.parametrize("among", [1, 1_000])


def parse(settings: IngestSettings, *jobs: ParseJob, among: int = 0) -> dict[str, ParseResult]:
    with WorkerPool(settings, None) as pool:
        pool.expect(among or len(jobs))
        return {parsed.path: parsed for parsed in pool.run(jobs)}


def test_every_job_has_one_result_whatever_the_number_of_workers() -> None:
    jobs = [ParseJob(f"m{number}.py", b"def f():\n    return %d\n" % number) for number in range(70)]
    found = parse(IngestSettings(workers=3), *jobs)
    assert sorted(found) == sorted(job.path for job in jobs)
    assert decode_facts(found["m7.py"].facts).definitions[0].name == "f"


def test_pool_serves_unexpected_work() -> None:
    with WorkerPool(IngestSettings(workers=1), None) as pool:
        for path in ("first.py", "second.py"):
            assert [parsed.path for parsed in pool.run([ParseJob(path, b"x = 1\n")])] == [path]


def test_files_whose_facts_are_waited_for_are_read_first(
    shop: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_repository(str(shop), store, IngestSettings())
    for path in ("README.md", "shop/core.py"):
        with (shop / path).open("a") as file:
            file.write("\n\nTOTAL = 1\n")
    given: list[str] = []
    run = WorkerPool.run

    def note(jobs: Iterable[ParseJob]) -> Iterator[ParseJob]:
        for job in jobs:
            given.append(job.path)
            yield job

    monkeypatch.setattr(WorkerPool, "run", lambda self, jobs: run(self, note(jobs)))
    index_repository(str(shop), store, IngestSettings())
    assert given == ["shop/core.py", "README.md"]


def test_files_in_odd_encodings_are_read() -> None:
    text = "def größe():\n    return 'ä'\n"
    found = parse(
        IngestSettings(workers=1),
        ParseJob("latin.py", b"# -*- coding: latin-1 -*-\n" + text.encode("latin-1")),
        ParseJob("wide.py", text.encode("utf-16")),
        ParseJob("marked.py", text.encode("utf-8-sig")),
    )
    for parsed in found.values():
        facts = decode_facts(parsed.facts)
        assert [definition.name for definition in facts.definitions] == ["größe"], parsed.path
        assert not facts.parse_errors


@_AMONG
def test_a_worker_that_dies_costs_its_file_only(among: int) -> None:
    """The worker of `killer.py` is killed each time it starts on that file; the others are parsed."""
    settings = IngestSettings(workers=1)
    jobs = [ParseJob(f"m{number}.py", b"x = 1\n") for number in range(5)]
    with WorkerPool(settings, None) as pool:
        pool.expect(among)

        def killing() -> Iterator[ParseJob]:
            yield from jobs[:2]
            yield ParseJob("killer.py", b"x = (" * 2_000_000)
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
    assert "was killed from outside (SIGKILL)" in found["killer.py"].failure


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


@_AMONG
def test_a_file_that_takes_too_long_is_left_out(among: int) -> None:
    jobs = ParseJob("b.py", b"x = 1\n"), ParseJob("slow.py", b"x = (" * 3_000_000), ParseJob("a.py", b"x = 1\n")
    found = parse(IngestSettings(workers=1, file_seconds=1.0), *jobs, among=among)
    assert "file_seconds" in found["slow.py"].failure
    assert found["a.py"].facts
    assert found["b.py"].facts


@_AMONG
def test_a_file_that_needs_too_much_memory_is_left_out(among: int) -> None:
    limited = IngestSettings(workers=1, worker_memory_bytes=420 * 1024 * 1024)
    jobs = ParseJob("b.py", b"x = 1\n"), ParseJob("large.py", b"f(x, y)\n" * 1_000_000), ParseJob("a.py", b"x = 1\n")
    found = parse(limited, *jobs, among=among)
    assert found["a.py"].facts
    assert found["b.py"].facts
    assert "reached its memory limit of 420 MiB (" in found["large.py"].failure
    assert "raise ingest.worker_memory_bytes" in found["large.py"].failure


def test_facts_of_a_file_do_not_depend_on_files_of_its_batch() -> None:
    jobs = [
        ParseJob("a.py", b"class A:\n    def f(self):\n        return self.f()\n"),
        ParseJob("README.md", b"# Title\n\nSome words.\n"),
        ParseJob("empty.py", b""),
        ParseJob("b.js", b"function g(x) {\n  return g(x)\n}\n"),
    ]
    embedder = create(EmbeddingSettings())
    assert worker_main.process_batch(jobs, embedder) == [
        one for job in jobs for one in worker_main.process_batch([job], embedder)
    ]


def test_a_fault_of_the_extractor_costs_its_file_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(facts: FileFacts) -> bytes:
        if facts.path == "b.py":
            raise ValueError("told")
        return encode_facts(facts)

    monkeypatch.setattr(worker_main, "encode_facts", faulty)
    found = worker_main.process_batch([ParseJob(path, b"x = 1\n") for path in ("a.py", "b.py", "c.py")], None)
    assert [answer.path for answer in found] == ["a.py", "b.py", "c.py"]
    assert [answer.failure for answer in found] == ["", "the extractor failed: ValueError: told", ""]
    assert found[0].facts


def test_files_are_given_in_order_and_few_at_once_where_they_are_large() -> None:
    sizes = [300, 300, 300, 1 << 20, 300, 300, 300, 300]
    jobs = [ParseJob(f"{number}.py", b"x" * size) for number, size in enumerate(sizes)]
    given = list(batch_files(jobs, lambda: 3))
    assert [job for portion in given for job in portion] == jobs
    assert [len(portion) for portion in given] == [3, 1, 3, 1]
    assert not list(batch_files([], lambda: 3))


def test_workers_that_cannot_start_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(WorkerLostError, match="keep dying"):
        parse(IngestSettings(workers=1), *(ParseJob(f"{number}.py", b"") for number in range(30)))


def test_no_worker_is_left_behind() -> None:
    with WorkerPool(IngestSettings(workers=2), None) as pool:
        pool.expect(40)
        results = pool.run(ParseJob(f"{number}.py", b"x = 1\n") for number in range(40))
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
        "repoquarry.ingest.files.worker_pool.WorkerPool._read",
        lambda _pool, _number, jobs: [failed_result(job, "lost") for job in jobs],
    )
    root = write_tree(tmp_path / "lost", {"a.py": "def f():\n    pass\n", "b.js": "function g() {}\n"})
    report = index_repository(str(root), store, IngestSettings(workers=1))
    assert (report.files, {entry.path for entry in report.left_out}) == (0, {"a.py", "b.js"})
    assert store.repository("lost")["files"] == 0
