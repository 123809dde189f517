"""Checks of a finished Python environment: imports the modules that the code needs, and collects its tests with pytest.

pytest collects the configured test paths only: other scripts and examples may have effects when they are imported.

Collection finds what imports do not show: options, markers and plugins that the tests' configuration requires, and warnings as errors.
Each test file that cannot be collected is a failed import check, so that the same repairs apply.
"""

from __future__ import annotations

import configparser
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from repoquarry.execution.provision.command_runner import CommandAccess, CommandRunner, run_probe
from repoquarry.execution.provision.python.code_imports import CodeImports
from repoquarry.execution.provision.report import ImportCheck, ImportNeed
from repoquarry.languages.manifests.python_projects import read_head

_CONFIGURATION: Final = ("pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml")
_TESTPATHS: Final = re.compile(r"^\s*testpaths\s*=", re.MULTILINE)
_PYTEST: Final = re.compile(r"(?:^|[\s/])(?:py\.test|pytest)(?=\s|$)(.*)")
_GIVEN: Final = re.compile(r"\{posargs:?([^{}]*)\}|\[\]")
_SUBSTITUTED: Final = re.compile(r"\{(?:toxinidir|tox_root)\}/?")
_WITH_VALUE: Final = re.compile(
    r"-[kmnpcorW]|--(?:cov|cov-config|cov-report|ignore|deselect|rootdir|durations|tb|maxfail|junit-?xml|basetemp|confcutdir|color|log-level)"
)


def read_test_paths(tree: Path) -> tuple[str, ...]:
    """Read the paths that `tox.ini` passes to pytest, relative to the tree; empty if there are none or one is missing."""
    if any(_TESTPATHS.search(read_head(tree / name)) for name in _CONFIGURATION):
        return ()
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(read_head(tree / "tox.ini"))
    except configparser.Error:
        return ()
    lines = str(parser.get("testenv", "commands", fallback="")).replace("\\\n", " ").splitlines()
    found = tuple(dict.fromkeys(place for line in lines for place in _places(line)))
    return found if all(_is_inside(tree, place) for place in found) else ()


def _places(line: str) -> Iterator[str]:
    """Yield the positional arguments of pytest in one command."""
    match = _PYTEST.search(line)
    text = _SUBSTITUTED.sub("", _GIVEN.sub(r" \1 ", match[1])) if match else ""
    try:
        words = shlex.split(text)
    except ValueError:  # An unterminated quote.
        words = []
    before = ""
    for word in words:
        if not word.startswith("-") and not _WITH_VALUE.fullmatch(before) and "{" not in word:
            yield word
        before = word


def _is_inside(tree: Path, place: str) -> bool:
    path = (tree / place.partition("::")[0]).resolve()
    return path.exists() and path.is_relative_to(tree.resolve())


_PROBE = Path(__file__).with_name("import_probe.py")
_MAX_SINGLE_IMPORTS = 6
_OF_ITSELF = re.compile(
    r"(?:ModuleNotFound|Import|Syntax|Tab|Indentation|Timeout|OS|FileNotFound)Error\b|not tried|.* while it was imported$"
)
"""Errors that modules imported earlier cannot have caused."""


def check_imports(
    runner: CommandRunner, python: Path, code: CodeImports, own: Sequence[str], readable: Sequence[Path]
) -> tuple[ImportCheck, ...]:
    """Import the repository's own packages and all its external imports."""
    wanted = [ImportCheck(name, own=True, need=ImportNeed.NEEDED) for name in own]
    wanted += [ImportCheck(item.module, own=False, need=item.need, where=item.where) for item in code.imported]
    names = dict.fromkeys(own, ()) | {item.module: item.names for item in code.imported}
    # The processes share a bytecode cache in the workspace, because environments are read-only here.
    cache = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(runner.workspace / ".home" / "compiled")}
    access = CommandAccess(readable=(*readable, _PROBE), variables=cache)
    probe = partial(run_probe, runner, [str(python), str(_PROBE)], access=access)
    found = probe(asked=names)
    # Earlier imports in the same process may have caused other errors: these modules are imported alone.
    doubtful = [module for module, row in found.items() if row["error"] and not _OF_ITSELF.match(row["error"])]
    for module in doubtful[:_MAX_SINGLE_IMPORTS]:
        alone = probe(asked={module: names[module]})
        if not alone[module]["error"]:
            found |= alone
    untried = {"error": "not tried: too many modules end the process"}
    return tuple(_answered(item, found.get(item.module, untried)) for item in wanted)


def _answered(item: ImportCheck, row: Mapping[str, str]) -> ImportCheck:
    return replace(item, error=row["error"], trace=row.get("trace", ""))


START: Final = "pytest"
"""Placeholder for the file if pytest cannot start: its configuration, a plugin or a `conftest.py`."""
_SECONDS: Final = 900.0
"""Time limit of collecting all tests; a single hanging file is abandoned long before."""
_PLUGIN: Final = Path(__file__).parent / "collection" / "repoquarry_collection.py"
_WIDER: Final = "test*.py *_test.py *tests.py"
"""File patterns of other test runners, for repositories in which pytest finds no tests by its defaults."""
_HANGS: Final = re.compile(r"^repoquarry: (.+) cannot be collected in time$", re.MULTILINE)
_MAX_HANGING_FILES: Final = 4
_CLASH: Final = "import file mismatch"
_MAX_CLASHING_FILES: Final = 40
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
class CollectedTests:
    """Result of a collection by pytest."""

    tests: int
    failing: tuple[ImportCheck, ...]
    """Files that cannot be collected; only `START` if pytest could not start."""
    output: str


_Collector = Callable[[Sequence[str]], CollectedTests]
"""Function that runs a pytest command and reads its collection."""


def collect_tests(runner: CommandRunner, python: Path, tree: Path, readable: Sequence[Path]) -> CollectedTests:
    """Collect the tests of a repository."""
    command = [str(python), "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider", "-p", _PLUGIN.stem]
    command += read_test_paths(tree)
    collect = partial(_collected, runner, tree, readable)
    found = _without_hanging(collect, command)
    if found.tests or found.failing:
        return _one_by_one(collect, command, found)
    wider = collect([*command, "-o", f"python_files={_WIDER}"])
    return wider if wider.tests else found


def _without_hanging(collect: _Collector, command: Sequence[str]) -> CollectedTests:
    """Collect without files that hang; each of them is a failure."""
    hanging: list[ImportCheck] = []
    while True:
        names = [item.module for item in hanging]
        asked = [word for word in command if word not in names]
        found = collect([*asked, *(f"--ignore={name}" for name in names)])
        match = _HANGS.search(found.output)
        if not match or len(hanging) >= _MAX_HANGING_FILES or match[1] in names:
            return replace(found, failing=(*hanging, *found.failing))
        hanging.append(_failing(match[1], "TimeoutError: it cannot be collected in time", found.output[-4000:]))


def _one_by_one(collect: _Collector, command: Sequence[str], found: CollectedTests) -> CollectedTests:
    """Collect files of equal names one at a time: older versions of pytest reject them together outside packages."""
    tests = found.tests
    failing: list[ImportCheck] = []
    clashing = [item for item in found.failing if _CLASH in item.trace][:_MAX_CLASHING_FILES]
    for item in found.failing:
        alone = collect([*command, item.module]) if item in clashing else None
        tests += alone.tests if alone else 0
        failing += [item] if alone is None else alone.failing
    return CollectedTests(tests, tuple(failing), found.output)


def _collected(runner: CommandRunner, tree: Path, readable: Sequence[Path], command: Sequence[str]) -> CollectedTests:
    access = CommandAccess(readable=(*readable, _PLUGIN.parent), variables={"PYTHONPATH": str(_PLUGIN.parent)})
    outcome = runner.run(command, access, tree, _SECONDS)
    if outcome.stopped:
        said = f"the collection was stopped: {outcome.stopped}"
        return CollectedTests(0, (_failing(START, said, outcome.output),), outcome.output)
    return read_collection(outcome.output, outcome.exit_code)


def read_collection(output: str, exit_code: int) -> CollectedTests:
    """Parse tests and failures from the output of pytest 3 or later."""
    failing = tuple(_sections(output))
    if not failing and exit_code not in (0, _NOTHING_COLLECTED):
        failing = (_failing(START, _cause(output), output[-4000:]),)
    return CollectedTests(_count(output), failing, output)


def _sections(output: str) -> list[ImportCheck]:
    _, *parts = _SECTION.split(output)
    found: dict[str, ImportCheck] = {}
    for file, section in zip(parts[::2], parts[1::2], strict=True):
        body = _END.split(section, maxsplit=1)[0]
        found.setdefault(file, _failing(file, _cause(body), body[-4000:]))
    return list(found.values())


def _failing(file: str, error: str, trace: str) -> ImportCheck:
    return ImportCheck(file, own=False, need=ImportNeed.BESIDE, error=error, trace=trace, where=file, test=True)


def _cause(text: str) -> str:
    """Extract the cause: the last exception, otherwise the complaint of pytest about options and plugins."""
    for pattern in (_RAISED, _SAID, _TELLING):
        if found := pattern.findall(text):
            return str(found[-1]).strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "pytest exited without output"


def _count(output: str) -> int:
    if match := _FOUND.search(output):
        return int(match[1] or match[2])
    if counts := _COUNTS.findall(output):
        return sum(map(int, counts))
    return sum("::" in line for line in output.splitlines())  # Verbose configurations list tests one by one.
