"""Readers of SWE-PolyBench files: issues (instances), predictions and test results; parser of their patches.

The published rules name a file by the old path in its diff header, which is `/dev/null` for an added file. The corrected rules use
the new path of an added file.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from repoquarry.agent.errors import EvaluationError
from repoquarry.code.patches import FilePatch, read_patch
from repoquarry.processes.programs import run_program
from repoquarry.processes.scratch import ScratchFolder

_APPLY_SECONDS = 60


@dataclass(frozen=True)
class Patch:
    """Parsed patch."""

    text: str
    files: tuple[FilePatch, ...]
    header_paths: frozenset[str] = field(default=frozenset())
    """Old paths that the benchmark's reader finds in the diff headers, including `/dev/null`."""

    @property
    def touched(self) -> frozenset[str]:
        """Return every file that exists before or after, by the name that `path_of` gives it."""
        return frozenset(path_of(file) for file in self.files)


def path_of(file: FilePatch) -> str:
    """Return the name of a patched file: the old one if it is renamed, as in the benchmark's diff headers."""
    return file.old_path or file.new_path


def parse(text: str) -> Patch:
    """Parse a unified diff. Raises: EvaluationError if it is malformed or the parser is not installed."""
    try:
        import whatthepatch
    except ImportError as error:
        raise EvaluationError(f"{error.name} is not installed: pip install 'repoquarry[evaluation]'") from error

    try:
        header_paths = frozenset(
            str(Path(diff.header.old_path.removeprefix("a/"))) for diff in whatthepatch.parse_patch(text) if diff.header
        )
        return Patch(text, tuple(read_patch(text)), header_paths)
    except (whatthepatch.exceptions.WhatThePatchException, ValueError) as error:
        raise EvaluationError(f"the patch cannot be read: {error}") from error


def apply(patch: Patch, read: Callable[[str], bytes | None]) -> dict[str, bytes]:
    """Return the content of each patched file by path; `read` returns a file before the patch, None if it does not exist.

    Raises: EvaluationError if the patch cannot be applied.
    """
    with ScratchFolder("patch") as root:
        for file in patch.files:
            content = read(file.old_path) if file.old_path else None
            if content is not None:
                target = _inside(root, file.old_path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        _apply_text(root, patch.text)
        after = {}
        for file in patch.files:
            if file.new_path and (target := _inside(root, file.new_path)).is_file() and not target.is_symlink():
                after[file.new_path] = target.read_bytes()
        return after


def _inside(root: Path, path: str) -> Path:
    target = Path(root, path)
    if ".." in Path(path).parts or not target.is_relative_to(root):
        raise EvaluationError(f"path outside the repository in the patch: {path!r}")
    return target


# As the benchmark applies patches: with git, otherwise with fuzz.
_APPLY_COMMANDS = (
    ("git", "apply", "--whitespace=nowarn", "--ignore-whitespace", "-"),
    ("patch", "--batch", "--forward", "--fuzz=5", "-p1", "--no-backup-if-mismatch"),
)


def _apply_text(root: Path, text: str) -> None:
    environment = {
        "GIT_CEILING_DIRECTORIES": str(root.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "HOME": str(root),
        "PATH": os.environ.get("PATH", os.defpath),
    }
    problems = []
    for command in _APPLY_COMMANDS:
        try:
            done = run_program(
                list(command), cwd=root, environment=environment, given=text.encode(), seconds=_APPLY_SECONDS
            )
        except OSError as error:
            problems.append(f"{command[0]}: {error.strerror}")
            continue
        if done.code == 0:
            return
        problems.append(f"{command[0]}: {(done.errors or done.output).decode('utf-8', 'replace').strip()[:300]}")
    raise EvaluationError(f"the patch does not apply: {'; '.join(problems)}")


T = TypeVar("T")


class Instance(msgspec.Struct, frozen=True, kw_only=True):
    """Issue of the benchmark: description, base commit, and the accepted fix."""

    instance_id: str
    repo: str
    """`owner/name`"""
    base_commit: str
    language: str = ""
    problem_statement: str = ""
    task_category: str = ""
    """`Bug Fix`, `Feature` or `Refactoring`; empty if unknown."""
    patch: str = ""
    """Accepted fix; empty if only `files` is known."""
    files: tuple[str, ...] = ()
    """Paths that the fix touches; read from `patch` if present."""
    modified_nodes: tuple[str, ...] | None = None
    """None if not given; `path->module->class_definition:C->function_definition:f`, in the benchmark's notation."""
    failing_tests: tuple[str, ...] = ()
    """Tests that the fix makes pass (`F2P`)."""
    passing_tests: tuple[str, ...] = ()
    """Tests that pass before and after it (`P2P`)."""
    test_patch: str = ""
    """Tests of the fix, applied after a prediction."""
    test_command: str = ""
    """Shell command that runs the tests in the root of the tree."""
    informativeness: Mapping[str, str] = {}
    """Labels of the problem statement by dimension (table 7): descriptiveness, solution and location."""

    @property
    def category(self) -> str:
        """Return `Java`, `JavaScript`, … in uniform spelling."""
        return self.language.lower()


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """Prediction for one issue: a patch, or ranked locations."""

    instance_id: str
    model_patch: str = ""
    files: tuple[str, ...] = ()
    """Ranked paths, for systems that only localize."""
    nodes: tuple[str, ...] = ()
    """Ranked `path:Qualified.name`, for systems that only localize."""
    input_tokens: int | None = None
    """Tokens that the model read for this instance; None if not recorded."""
    output_tokens: int | None = None


class TestOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """Test result of an instance, from the benchmark's `*_result.json`."""

    instance_id: str
    resolved: bool = False
    passed_tests: tuple[str, ...] = ()
    failed_tests: tuple[str, ...] = ()
    problem: str = ""
    """Reason why no test has a result; empty if the tests ran."""

    def resolves(self, instance: Instance) -> bool:
        """Return whether all tests of the instance pass; the benchmark's own verdict where tests are not listed."""
        wanted = {*instance.failing_tests, *instance.passing_tests}
        if wanted and (self.passed_tests or self.failed_tests):
            return wanted <= set(self.passed_tests) - set(self.failed_tests)
        return self.resolved


_RENAMED = {
    "gold_files_all": "files",
    "F2P": "failing_tests",
    "P2P": "passing_tests",
    "f2p": "failing_tests",
    "p2p": "passing_tests",
}
"""Field names in the benchmark's files."""
_LISTS = ("files", "modified_nodes", "failing_tests", "passing_tests")


def read_instances(file: Path) -> list[Instance]:
    """Read the instances of a JSONL file in order. Raises: EvaluationError with the line."""
    found = [_convert(_with_lists(row), Instance, file, line) for line, row in read_rows(file)]
    if not found:
        raise EvaluationError(f"{file} contains no instance; name the benchmark's file")
    return found


def read_predictions(file: Path) -> dict[str, Prediction]:
    """Map instances to predictions of a JSONL file; the last one of an instance counts. Raises: EvaluationError."""
    found = (_convert(row, Prediction, file, line) for line, row in read_rows(file))
    return {prediction.instance_id: prediction for prediction in found}


def read_outcomes(folder: Path) -> dict[str, TestOutcome]:
    """Map instances to the results in `*_result.json` below a folder. Raises: EvaluationError."""
    found = {}
    for file in sorted(folder.rglob("*_result.json")):
        outcome = _convert(_decode(file.read_bytes(), file, 1), TestOutcome, file, 1)
        found[outcome.instance_id] = outcome
    return found


def read_rows(file: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the number and the object of each line of a JSONL file. Raises: EvaluationError."""
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _decode(line, file, number)
    except OSError as error:
        raise EvaluationError(f"{file} cannot be read: {error.strerror}; name a JSONL file") from error


def _decode(text: bytes, file: Path, line: int) -> dict[str, object]:
    try:
        return msgspec.json.decode(text, type=dict[str, object])
    except msgspec.DecodeError as error:
        raise EvaluationError(f"{file}:{line} is not a JSON object: {error}") from error


def _convert(row: dict[str, object], kind: type[T], file: Path, line: int) -> T:
    given = {name: value for name, value in row.items() if value is not None}
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise EvaluationError(f"{file}:{line} has unexpected content: {error}") from error


def _with_lists(row: dict[str, object]) -> dict[str, object]:
    """Normalize field names; the data set writes lists as strings in Python or JSON notation."""
    fields = {_RENAMED.get(name, name): value for name, value in row.items()}
    for name in _LISTS:
        if isinstance(text := fields.get(name), str):
            try:
                fields[name] = ast.literal_eval(text) if text.strip() else []
            except (ValueError, SyntaxError) as error:
                raise EvaluationError(f"{row.get('instance_id')}: {name} is not a list: {text[:60]!r}") from error
    return fields
