"""SWE-PolyBench instances from commits of public repositories that change sources and tests together.

    `BENCH_MIRROR=~/mirrors python -m tests.benchmarks.tasks.polybench_commits CASES.jsonl OUT`

A case has `repository`, `commit`, `language`, `tests` (paths of the tests), `install` (a command that puts packages into the tree; it
has the network and is not isolated, so it must run nothing of the tree), and `test_command`. The parent of the commit is the base; the
paths of `tests` are the test patch, the others the gold patch. F2P are the tests that pass with the gold patch only, P2P those that
pass with and without it. OUT receives `instances.jsonl`, `trees`, the patches `gold.jsonl`, `empty.jsonl` and `wrong.jsonl` (the
first file of the fix without content), and the runs. The message of the commit is the problem statement.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from repoquarry.agent.settings import AgentSettings
from repoquarry.evaluation.polybench_instances import Instance, Prediction, parse, read_outcomes
from repoquarry.evaluation.polybench_scoring import run_instances
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.retrieval.commit_cases import Mirror

SUFFIXES: Final = (".py", ".js", ".ts", ".java")
TESTS: Final = re.compile(r"(^|/)(tests?|examples?)/")
_DERIVED: Final = ("gold", "again", "empty")
"""Predictions whose runs decide F2P and P2P; the second run of the fix finds unstable tests and names."""


@dataclass(frozen=True)
class Case:
    """One commit, and how its tests run."""

    repository: str
    commit: str
    language: str
    tests: tuple[str, ...]
    install: str
    test_command: str


def build_instance(case: Case, trees: Path) -> Instance:
    """Lay out the base with its packages, and read patches and message of the commit."""
    mirror = Mirror.of(case.repository)
    assert mirror is not None, f"no mirror of {case.repository}"
    name = f"{case.repository.replace('/', '__')}-{case.commit}"
    base = mirror.git("rev-parse", f"{case.commit}^").strip()
    if not (tree := trees / name).is_dir():
        mirror.lay_out(base, tree)
        subprocess.run(["sh", "-c", case.install], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    diff = ("diff", "--no-renames", "--full-index", base, case.commit, "--")
    return Instance(
        instance_id=name,
        repo=case.repository,
        base_commit=base,
        language=case.language,
        problem_statement=mirror.git("log", "-1", "--format=%B", case.commit).strip(),
        task_category="Bug Fix",
        patch=mirror.git(*diff, ".", *(f":(exclude){path}" for path in case.tests)),
        test_patch=mirror.git(*diff, *case.tests),
        test_command=case.test_command,
    )


def find_sources(instance: Instance) -> list[str]:
    """List the source files of the fix that exist before it."""
    paths = [file.old_path for file in parse(instance.patch).files]
    return [path for path in paths if path and path.endswith(SUFFIXES) and not TESTS.search(path)]


def empty_first_file(instance: Instance, tree: Path) -> str:
    """Return a patch that empties the first source file of the fix."""
    path = find_sources(instance)[0]
    lines = (tree / path).read_text(encoding="utf-8").splitlines()
    return f"--- a/{path}\n+++ b/{path}\n@@ -1,{len(lines)} +0,0 @@\n" + "".join(f"-{line}\n" for line in lines)


def write_lines(path: Path, rows: Iterable[Any]) -> None:
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path, nargs="?")
    parser.add_argument("output", type=Path, nargs="?")
    given = parser.parse_args()
    if given.output is None:
        print("needs a file of cases and an output folder")
        return SKIPPED
    trees = given.output / "trees"
    cases = [msgspec.convert(json.loads(line), Case) for line in given.cases.open(encoding="utf-8")]
    instances = [build_instance(case, trees) for case in cases]
    fixes = [one.patch for one in instances]
    patches = {
        "gold": fixes,
        "again": fixes,
        "empty": ["" for _ in instances],
        "wrong": [empty_first_file(one, trees / one.instance_id) for one in instances],
    }
    passed = {}
    for name, texts in patches.items():
        found = [
            Prediction(instance_id=one.instance_id, model_patch=text)
            for one, text in zip(instances, texts, strict=True)
        ]
        write_lines(given.output / f"{name}.jsonl", found)
        if name in _DERIVED:
            folder = given.output / f"derived_{name}"
            by_id = {one.instance_id: one for one in found}
            run_instances(instances, by_id, trees, folder, AgentSettings(), print)
            passed[name] = {key: set(one.passed_tests) for key, one in read_outcomes(folder).items()}
    rows = []
    for one in instances:
        fixed, again, before = (passed[name][one.instance_id] for name in _DERIVED)
        fixed &= again
        print(f"{one.instance_id}: F2P {len(fixed - before)}, P2P {len(fixed & before)}")
        lists = {"failing_tests": sorted(fixed - before), "passing_tests": sorted(fixed & before)}
        rows.append({**msgspec.to_builtins(one), **lists})
    write_lines(given.output / "instances.jsonl", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
