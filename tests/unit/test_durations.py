"""Order of the suite by recorded durations."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import durations


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def test_longest_file_runs_first_and_keeps_the_order_of_its_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durations, "FILE", tmp_path / "durations.json")
    durations.FILE.write_text(json.dumps({"b.py::z": 3.0, "b.py::a": 4.0, "c.py::a": 5.0}))
    items: list[Any] = [
        SimpleNamespace(nodeid=test) for test in ("a.py::a", "c.py::a", "b.py::z", "a.py::b", "b.py::a")
    ]
    durations.sort_longest_first(items, _file_of)
    assert [item.nodeid for item in items] == ["b.py::z", "b.py::a", "c.py::a", "a.py::a", "a.py::b"]


def test_recorder_replaces_tests_that_ran_and_drops_files_that_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durations, "FILE", tmp_path / "durations.json")
    before = {"a.py::kept": 2.0, "a.py::now_short": 2.0, "missing.py::a": 2.0}
    durations.FILE.write_text(json.dumps(before))
    (tmp_path / "a.py").touch()
    recorder = durations.DurationRecorder(tmp_path)
    for test, seconds in (("a.py::now_short", 0.1), ("a.py::long", 1.0), ("a.py::long", 0.52)):
        recorder.pytest_runtest_logreport(SimpleNamespace(nodeid=test, duration=seconds))  # type: ignore[arg-type]
    recorder.pytest_sessionfinish()
    assert durations.load_durations() == {"a.py::kept": 2.0, "a.py::long": 1.5}
