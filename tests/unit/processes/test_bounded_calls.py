"""Calls in a subprocess end at their limits, and give back data."""

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from repoquarry.processes.bounded_calls import BoundedCallError, call_bounded
from repoquarry.processes.workers import StoppedError


@dataclass(frozen=True)
class Found:
    root: Path
    names: tuple[str, ...]
    sizes: frozenset[int]


def find_files(root: Path, *, hidden: bool = False) -> Found | None:
    names = sorted(path.name for path in root.iterdir() if hidden or not path.name.startswith("."))
    return Found(root, tuple(names), frozenset({len(names)})) if names else None


def fill_memory(root: Path) -> int:
    return len([str(number) * 100 for number in range(10_000_000)])


def wait_forever(root: Path) -> None:
    while True:
        time.sleep(1)


def nest(root: Path) -> int:
    return nest(root)


def test_results_are_data_with_folders(tmp_path: Path) -> None:
    assert call_bounded(find_files, {"root": tmp_path}) is None
    (tmp_path / ".a").touch()
    (tmp_path / "b").touch()
    assert call_bounded(find_files, {"root": tmp_path}) == Found(tmp_path, ("b",), frozenset({1}))
    assert call_bounded(find_files, {"root": tmp_path, "hidden": True}) == Found(tmp_path, (".a", "b"), frozenset({2}))


def test_limits_of_memory_and_time_end_a_call(tmp_path: Path) -> None:
    with pytest.raises(BoundedCallError, match=r"MemoryError|memory limit"):
        call_bounded(fill_memory, {"root": tmp_path}, memory_bytes=100 << 20)
    began = time.monotonic()
    with pytest.raises(BoundedCallError, match=r"more than 0\.5 seconds"):
        call_bounded(wait_forever, {"root": tmp_path}, seconds=0.5)
    with pytest.raises(StoppedError):
        call_bounded(wait_forever, {"root": tmp_path}, stopped=lambda: True)
    assert time.monotonic() - began < 20
    with pytest.raises(BoundedCallError, match="RecursionError"):
        call_bounded(nest, {"root": tmp_path})
