"""How many repositories can be provisioned, against `pip install -r requirements.txt` alone.

    REPOQUARRY_TEST_TREES=DIR [REPOQUARRY_TEST_DATES=dates.json] [REPOQUARRY_TEST_FIND_LINKS=DIR] [REPOQUARRY_TEST_CONSTRAINTS=FILE] \\
        python -m tests.benchmarks.tasks.provisioning [--tests] [--suites] [--kept DIR] [NAME ...]

Every folder of DIR is a repository. `dates.json` maps its name to the day of its commit. Both ways are checked by the same imports: the
repository's own packages, and what these and its scripts import from outside. The way with pip alone uses this process's interpreter,
an environment of its own, and the same isolation; `REPOQUARRY_TEST_CONSTRAINTS` is given to it as pip's constraints, so that it does not
download gigabytes. With `--tests` the repository's tests are collected as well, both ways; pip alone gets pytest in its newest version for
it. A repository counts when some are collected and no module of its tests fails. `--suites` runs the tests as well, without network.
`REPOQUARRY_TEST_SECONDS` bounds one provisioning (600), and pip alone as well: on a machine with other work more is needed. `--kept`
names a folder in which each repository's row and logs are kept: a run that was stopped resumes after its last row, and a row that is
deleted is measured again.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from repoquarry.agent.settings import AgentSettings
from repoquarry.execution.isolation.confinement import base_interpreter
from repoquarry.execution.isolation.registry import choose_isolation
from repoquarry.execution.provision.command_runner import CommandAccess, CommandRunner
from repoquarry.execution.provision.provisioning_run import provision_folder
from repoquarry.execution.provision.python.attempt_runner import failed
from repoquarry.execution.provision.python.code_imports import read_imports
from repoquarry.execution.provision.python.environment_checks import check_imports, collect_tests, read_test_paths
from repoquarry.execution.provision.report import ImportCheck
from repoquarry.execution.settings import EnvironmentSettings
from repoquarry.languages.manifests.python_repository import read_manifests

_ROOT = Path(tempfile.gettempdir()) / "repoquarry-provisioning"


@dataclass
class Row:
    """One repository, both ways."""

    name: str
    state: str = "-"
    interpreter: str = ""
    own: str = ""
    modules: str = ""
    repairs: int = 0
    seconds: float = 0.0
    alone: str = ""
    tests: str = ""
    alone_tests: str = ""
    missing: tuple[str, ...] = ()
    suite: str = ""
    """Last line of pytest; empty if the tests were not run."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--suites", action="store_true")
    parser.add_argument(
        "--kept", type=Path, help="folder of the rows and logs, for going on with a run that was stopped"
    )
    chosen = parser.parse_args()
    trees = os.environ.get("REPOQUARRY_TEST_TREES")
    if not trees:
        sys.exit("set REPOQUARRY_TEST_TREES to a folder with one repository in each of its folders")
    dates = (
        json.loads(Path(os.environ["REPOQUARRY_TEST_DATES"]).read_text())
        if "REPOQUARRY_TEST_DATES" in os.environ
        else {}
    )
    links = tuple(filter(None, [os.environ.get("REPOQUARRY_TEST_FIND_LINKS", "")]))
    root = Path(os.environ.get("REPOQUARRY_TEST_ENVIRONMENTS", _ROOT))
    seconds = float(os.environ.get("REPOQUARRY_TEST_SECONDS", "600"))
    settings = AgentSettings(environment=EnvironmentSettings(root=root, find_links=links, seconds=seconds))
    print(
        "| repository | pip alone | provisioned | Python | own packages | needed modules | repairs | seconds | tests | tests by pip alone | suite |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    rows = []
    for folder in sorted(path for path in Path(trees).iterdir() if path.is_dir()):
        if chosen.names and folder.name not in chosen.names:
            continue
        day = dates.get(folder.name, dates.get("*"))
        date = datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None
        row = _kept(chosen.kept, folder.name)
        if row is None:
            print(f"{folder.name} …", file=sys.stderr, flush=True)
            with _log(chosen.kept, folder.name) as log, contextlib.redirect_stderr(log):
                row = _ours(folder, settings, date, tests=chosen.tests or chosen.suites, suite=chosen.suites)
                row.alone, row.alone_tests = _pip_alone(folder, settings, tests=chosen.tests)
            if chosen.kept:
                (chosen.kept / f"{folder.name}.json").write_text(json.dumps(asdict(row), indent=1))
        rows.append(row)
        print(
            f"| {row.name} | {row.alone} | {row.state} | {row.interpreter} | {row.own} | {row.modules} | {row.repairs} | {row.seconds:.0f} |"
            f" {row.tests} | {row.alone_tests} | {row.suite} |",
            flush=True,
        )
    _total(rows)


def _kept(kept: Path | None, name: str) -> Row | None:
    """The row of an earlier run."""
    if kept is None or not (kept / f"{name}.json").exists():
        return None
    return Row(**json.loads((kept / f"{name}.json").read_text()))


@contextlib.contextmanager
def _log(kept: Path | None, name: str) -> Iterator[TextIO]:
    """Where one repository's log goes."""
    if kept is None:
        yield sys.stderr
        return
    kept.mkdir(parents=True, exist_ok=True)
    with (kept / f"{name}.log").open("w", encoding="utf-8", buffering=1) as log:
        yield log


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr)


def _total(rows: list[Row]) -> None:
    ready = sum(row.state == "ready" for row in rows)
    alone = sum(row.alone == "ready" for row in rows)
    print(f"\nready: {ready} of {len(rows)} provisioned; {alone} of {len(rows)} by pip alone")
    if any(row.tests or row.alone_tests for row in rows):
        ours, theirs = (
            sum(_whole(text) for text in texts)
            for texts in zip(*((row.tests, row.alone_tests) for row in rows), strict=True)
        )
        print(f"all tests collected: {ours} of {len(rows)} provisioned; {theirs} of {len(rows)} by pip alone")


def _whole(collected: str) -> bool:
    """Return whether some tests were collected and no module of tests failed."""
    return collected.endswith(", 0 errors") and not collected.startswith("0 ")


def _ours(folder: Path, settings: AgentSettings, date: datetime | None, *, tests: bool, suite: bool) -> Row:
    row = Row(folder.name)
    with provision_folder(
        folder,
        settings,
        date=date,
        tests=tests,
        report=lambda step: _say(f"{step.stage}: {step.text}"),
        cancelled=lambda: False,
    ) as (found, workspace):
        row.state, row.interpreter, row.repairs, row.seconds = (
            str(found.state),
            found.interpreter,
            len(found.repairs),
            found.seconds,
        )
        row.own = _share([item for item in found.tried if item.own])
        row.modules = _share([item for item in found.tried if item.needed and not item.own])
        row.missing = found.missing
        for line in (*found.missing, *found.notes, *found.lock, *(str(repair) for repair in found.repairs)):
            _say(line)
        if tests and found.layer and found.environment:
            runner = _runner(workspace, settings)
            readable = (found.environment.path, Path(base_interpreter()).parents[1], *_interpreters(found.layer))
            tree, python = workspace / folder.name, found.layer / "bin" / "python"
            row.tests = _collected(runner, tree, python, readable)
            if suite:
                command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *read_test_paths(tree)]
                ended = runner.run(command, CommandAccess(readable=readable), tree, settings.environment.seconds)
                _say(f"pytest: {ended.exit_code} {ended.stopped}\n{ended.output[-8000:]}")
                row.suite = ended.stopped or (ended.output.strip().splitlines() or ["no output"])[-1]
    return row


def _interpreters(layer: Path) -> tuple[Path, ...]:
    return ((layer / "bin" / "python").resolve().parents[1],)


def _collected(runner: CommandRunner, tree: Path, python: Path, readable: tuple[Path, ...]) -> str:
    """`N collected, M errors`; an error is a file of tests, or that pytest cannot begin."""
    found = collect_tests(runner, python, tree, readable)
    _say(f"pytest --collect-only:\n{found.output[-8000:]}")
    return f"{found.tests} collected, {len(found.failing)} errors"


def _pip_alone(folder: Path, settings: AgentSettings, *, tests: bool) -> tuple[str, str]:
    """`ready` when all imports succeed after pip alone, and how many tests can be collected then."""
    with tempfile.TemporaryDirectory(dir=settings.environment.root) as scratch:
        workspace = Path(scratch).resolve()
        tree = workspace / folder.name
        shutil.copytree(
            folder, tree, symlinks=True, ignore=shutil.ignore_patterns(".git"), ignore_dangling_symlinks=True
        )
        runner = _runner(workspace, settings)
        readable = (Path(base_interpreter()).parents[1],)
        python = workspace / "env" / "bin" / "python"
        base = base_interpreter()
        runner.run([base, "-m", "venv", "--without-pip", str(workspace / "env")], CommandAccess(readable=readable))
        pip = [base, "-m", "pip", "--python", str(python), "install", "--no-input", "--disable-pip-version-check"]
        wanted = ["-r", "requirements.txt"] if (tree / "requirements.txt").exists() else ["."]
        constraints = os.environ.get("REPOQUARRY_TEST_CONSTRAINTS")
        if constraints:
            shutil.copy(constraints, workspace / "constraints.txt")
            wanted += ["-c", str(workspace / "constraints.txt")]
        command = [*pip, "--no-cache-dir", *wanted]
        command += [part for path in settings.environment.find_links for part in ("--find-links", path)]
        outcome = runner.run(
            command, CommandAccess(readable=readable, network=True), tree, settings.environment.seconds
        )
        _say(f"pip alone: {outcome.exit_code} {outcome.stopped}\n{outcome.output[-3000:]}")
        manifests = read_manifests(tree)
        code = read_imports(tree, packaged=manifests.installable)
        (workspace / "env").joinpath(
            "lib", f"python{sys.version_info[0]}.{sys.version_info[1]}", "site-packages", "here.pth"
        ).write_text(f"{tree}\n{tree / 'src'}\n")
        tried = check_imports(runner, python, code, code.own, readable)
        collected = ""
        if tests:
            network = CommandAccess(readable=readable, network=True)
            runner.run([*pip, "--no-cache-dir", "pytest"], network, tree, settings.environment.seconds)
            collected = _collected(runner, tree, python, readable)
    bad = [item for item in tried if item.needed and not item.works]
    state = "ready" if not bad else f"{'not installed' if failed(outcome) else 'installed'}, {len(bad)} imports fail"
    return state, collected


def _runner(workspace: Path, settings: AgentSettings) -> CommandRunner:
    isolation = choose_isolation(settings.workspace.isolation)
    return CommandRunner(workspace, settings.workspace, settings.environment, isolation, lambda: False)


def _share(tried: list[ImportCheck]) -> str:
    return f"{sum(item.works for item in tried)} of {len(tried)}"


if __name__ == "__main__":
    started = time.monotonic()
    main()
    print(f"{time.monotonic() - started:.0f} s")
