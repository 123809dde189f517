"""Lets pytest collect the repository's own tests in the environment, without running any; isolated and without network.

What an import alone does not show is seen here: options, markers and plugins that the tests' configuration takes for granted, and warnings
that it turns into errors. Each file of tests that cannot be collected is told as an import that failed, so that the same repairs are asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from repoquarry.agent.provision.python.checking.stated_tests import stated_places
from repoquarry.agent.provision.running import Access, Runner
from repoquarry.agent.provision.trial import Need, Tried

START: Final = "pytest"
"""Stands for the file where pytest could not begin: its configuration, a plugin or a `conftest.py`."""

_SECONDS: Final = 900.0
"""Time of collecting all; a file that hangs is given up long before, so that large repositories on busy machines come to their end."""
_PLUGIN: Final = Path(__file__).parent / "collection" / "repoquarry_collection.py"
_WIDER: Final = "test*.py *_test.py *tests.py"
"""Names of files that unittest and others are told to look for, for repositories in which pytest finds none by its own."""
_HANGS: Final = re.compile(r"^repoquarry: (.+) does not let itself be collected$", re.MULTILINE)
_MOST_HANGING: Final = 4
_CLASH: Final = "import file mismatch"
_MOST_CLASHING: Final = 40
_NOTHING_COLLECTED: Final = 5
_SECTION: Final = re.compile(r"^_{2,} ERROR collecting (\S.*?) _{2,}$", re.MULTILINE)
_FOUND: Final = re.compile(r"(\d+)(?:/\d+)? tests? (?:collected|found)|collected (\d+) items?")
_COUNTS: Final = re.compile(r"^\S.*?: (\d+)$", re.MULTILINE)
_RAISED: Final = re.compile(
    r"^(?:E|INTERNALERROR>)?\s*((?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Exit|Skipped)\b.*)", re.MULTILINE
)
_SAID: Final = re.compile(r"^(?:E|INTERNALERROR>)\s+(\S.*)", re.MULTILINE)
_TELLING: Final = re.compile(
    r"^.*(?:\berror:|No module named|Error\b|required plugins|requires pytest).*$", re.MULTILINE
)
_END: Final = re.compile(
    r"^=+ (?:warnings summary|short test summary|slowest|\d+ (?:error|warning|test)).*", re.MULTILINE
)


@dataclass(frozen=True)
class Collected:
    """What pytest found."""

    tests: int
    failing: tuple[Tried, ...]
    """Files that cannot be collected; just `START` where pytest could not begin."""
    output: str


def collect(runner: Runner, python: Path, tree: Path, readable: Sequence[Path]) -> Collected:
    """Collect the tests of a repository."""
    command = [str(python), "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider", "-p", _PLUGIN.stem]
    command += stated_places(tree)
    found = _without_hanging(runner, command, tree, readable)
    if found.tests or found.failing:
        return _one_by_one(runner, command, tree, readable, found)
    wider = _collected(runner, [*command, "-o", f"python_files={_WIDER}"], tree, readable)
    return wider if wider.tests else found


def _without_hanging(runner: Runner, command: Sequence[str], tree: Path, readable: Sequence[Path]) -> Collected:
    """What is collected when files that would keep pytest for ever are left out, each told as failing."""
    hanging: list[Tried] = []
    while True:
        names = [item.module for item in hanging]
        asked = [word for word in command if word not in names]
        found = _collected(runner, [*asked, *(f"--ignore={name}" for name in names)], tree, readable)
        match = _HANGS.search(found.output)
        if not match or len(hanging) >= _MOST_HANGING or match[1] in names:
            return replace(found, failing=(*hanging, *found.failing))
        hanging.append(_failing(match[1], "TimeoutError: it does not let itself be collected", found.output[-4000:]))


def _one_by_one(
    runner: Runner, command: Sequence[str], tree: Path, readable: Sequence[Path], found: Collected
) -> Collected:
    """Files of the same name in folders that are no packages, which older versions of pytest take only one at a time."""
    tests = found.tests
    failing: list[Tried] = []
    clashing = [item for item in found.failing if _CLASH in item.trace][:_MOST_CLASHING]
    for item in found.failing:
        alone = _collected(runner, [*command, item.module], tree, readable) if item in clashing else None
        tests += alone.tests if alone else 0
        failing += [item] if alone is None else alone.failing
    return Collected(tests, tuple(failing), found.output)


def _collected(runner: Runner, command: Sequence[str], tree: Path, readable: Sequence[Path]) -> Collected:
    access = Access(readable=(*readable, _PLUGIN.parent), variables={"PYTHONPATH": str(_PLUGIN.parent)})
    outcome = runner.run(command, access, tree, _SECONDS)
    if outcome.stopped:
        said = f"collecting was stopped: {outcome.stopped}"
        return Collected(0, (_failing(START, said, outcome.output),), outcome.output)
    return read_collection(outcome.output, outcome.exit_code)


def read_collection(output: str, exit_code: int) -> Collected:
    """The tests and the failures in what pytest printed, of any version from 3 on."""
    failing = tuple(_sections(output))
    if not failing and exit_code not in (0, _NOTHING_COLLECTED):
        failing = (_failing(START, _cause(output), output[-4000:]),)
    return Collected(_count(output), failing, output)


def _sections(output: str) -> list[Tried]:
    starts = list(_SECTION.finditer(output))
    ends = [*(match.start() for match in starts[1:]), len(output)]
    found: dict[str, Tried] = {}
    for match, limit in zip(starts, ends[: len(starts)], strict=True):
        body = output[match.end() : limit]
        if end := _END.search(body):
            body = body[: end.start()]
        found.setdefault(match[1], _failing(match[1], _cause(body), body[-4000:]))
    return list(found.values())


def _failing(file: str, error: str, trace: str) -> Tried:
    return Tried(file, own=False, need=Need.BESIDE, error=error, trace=trace, where=file, test=True)


def _cause(text: str) -> str:
    """The line that says what went wrong: the last exception, else what pytest says of its options and plugins."""
    for pattern in (_RAISED, _SAID, _TELLING):
        if found := pattern.findall(text):
            return str(found[-1]).strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "pytest ended without a word"


def _count(output: str) -> int:
    if match := _FOUND.search(output):
        return int(match[1] or match[2])
    if counts := _COUNTS.findall(output):
        return sum(map(int, counts))
    return sum(
        "::" in line for line in output.splitlines()
    )  # listed one by one, where the configuration asks for more words
