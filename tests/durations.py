"""Order of the suite by recorded durations: workers take the longest units first, so that none of them ends with a long one.

`durations.json` has the seconds of each test that took a second or more, with its fixtures. `make durations` records the tests
that it runs; the other entries stay while their file exists.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

FILE = Path(__file__).with_suffix(".json")
_MIN_SECONDS = 1.0
_SHORT_SECONDS = 0.05
"""Duration that is assumed for a test without an entry."""


def sort_longest_first(items: list[pytest.Item], unit: Callable[[str], str]) -> None:
    """Sort tests by the duration of their unit of work; the tests of a unit keep their order."""
    seconds = load_durations()
    total = defaultdict[str, float](float)
    for item in items:
        total[unit(item.nodeid)] += seconds.get(item.nodeid, _SHORT_SECONDS)
    items.sort(key=lambda item: (-total[unit(item.nodeid)], unit(item.nodeid)))


def load_durations() -> dict[str, float]:
    """Read the seconds by test id."""
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


class DurationRecorder:
    """Plugin that writes the durations of the tests of this run."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seconds = Counter[str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self) -> None:
        recorded = {test: seconds for test, seconds in load_durations().items() if test not in self._seconds}
        recorded |= {test: round(seconds, 1) for test, seconds in self._seconds.items() if seconds >= _MIN_SECONDS}
        FILE.write_text(
            json.dumps(dict(self._existing(recorded)), indent=0, ensure_ascii=False) + "\n", encoding="utf-8"
        )

    def _existing(self, recorded: dict[str, float]) -> Iterable[tuple[str, float]]:
        """Return the entries whose file exists, in order of the test ids."""
        return sorted(entry for entry in recorded.items() if (self._root / entry[0].partition("::")[0]).is_file())
