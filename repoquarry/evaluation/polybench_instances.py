"""Instances, predictions and patches of SWE-PolyBench.

Files are read as the benchmark reads them in its parity mode, where a file that the patch adds is called `/dev/null`, and by the
name that it has afterwards in the corrected one.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from repoquarry.agent.errors import EvaluationError
from repoquarry.graphstore.reading.patches import FilePatch, read_patch
from repoquarry.processes.programs import run_program
from repoquarry.processes.scratch import ScratchFolder

_APPLY_SECONDS = 60


@dataclass(frozen=True)
class Patch:
    """A parsed patch."""

    text: str
    files: tuple[FilePatch, ...]
    header_paths: frozenset[str] = field(default=frozenset())
    """Old paths as the benchmark's reader finds them in the headers of the diffs, `/dev/null` among them."""

    @property
    def touched(self) -> frozenset[str]:
        """Every file that exists before or after, a renamed one under its old name."""
        return frozenset(file.old_path or file.new_path for file in self.files)


def parse(text: str) -> Patch:
    """Parse a unified diff. Raises: EvaluationError when it is none, or the benchmark's reader is not installed."""
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
    """The files of a patch after it, by path; `read` gives the files before it, None for one that is not there.

    Raises: EvaluationError when git cannot apply it.
    """
    with ScratchFolder("patch") as root:
        for file in patch.files:
            content = read(file.old_path) if file.old_path else None
            if content is not None:
                target = _inside(root, file.old_path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        _git_apply(root, patch.text)
        after = {}
        for file in patch.files:
            if file.new_path and (target := _inside(root, file.new_path)).is_file() and not target.is_symlink():
                after[file.new_path] = target.read_bytes()
        return after


def _inside(root: Path, path: str) -> Path:
    target = Path(root, path)
    if ".." in Path(path).parts or not target.is_relative_to(root):
        raise EvaluationError(f"the patch names {path!r}, which leads out of the repository")
    return target


def _git_apply(root: Path, text: str) -> None:
    command = ["git", "apply", "--whitespace=nowarn", "-"]
    environment = {
        "GIT_CEILING_DIRECTORIES": str(root.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "HOME": str(root),
        "PATH": os.environ.get("PATH", os.defpath),
    }
    try:
        done = run_program(command, cwd=root, environment=environment, given=text.encode(), seconds=_APPLY_SECONDS)
    except OSError as error:
        raise EvaluationError(f"git could not apply the patch: {error}") from error
    if done.code != 0:
        raise EvaluationError(f"the patch does not apply: {done.errors.decode('utf-8', 'replace').strip()[:300]}")


T = TypeVar("T")


class Instance(msgspec.Struct, frozen=True, kw_only=True):
    """One issue: what was asked, on which commit, and what the accepted fix touched."""

    instance_id: str
    repo: str
    """`owner/name`"""
    base_commit: str
    language: str = ""
    problem_statement: str = ""
    task_category: str = ""
    """`Bug Fix`, `Feature` or `Refactoring`; empty where the data do not say."""
    patch: str = ""
    """The accepted fix; empty where only `files` is known."""
    files: tuple[str, ...] = ()
    """Paths that the fix touches; read from `patch` where it is there."""
    modified_nodes: tuple[str, ...] = ()
    """`path->module->class_definition:C->function_definition:f`, as the benchmark writes them."""
    failing_tests: tuple[str, ...] = ()
    """Tests that the fix makes pass (`F2P`)."""
    passing_tests: tuple[str, ...] = ()
    """Tests that pass before and after it (`P2P`)."""

    @property
    def category(self) -> str:
        """`Java`, `JavaScript`, … in one spelling."""
        return self.language.lower()


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """What a system proposes for one issue: a patch, or the places that it would change."""

    instance_id: str
    model_patch: str = ""
    files: tuple[str, ...] = ()
    """Ranked paths, for systems that only locate."""
    nodes: tuple[str, ...] = ()
    """Ranked `path:Qualified.name`, likewise."""


class TestOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an instance's tests, as the benchmark's `*_result.json` has it."""

    instance_id: str
    patch_applied: bool = False
    generation: bool = False
    with_logs: bool = False
    all_f2p_passed: bool = False
    no_p2p_failed: bool = False
    resolved: bool = False
    passed_tests: tuple[str, ...] = ()
    failed_tests: tuple[str, ...] = ()


_RENAMED = {
    "gold_files_all": "files",
    "F2P": "failing_tests",
    "P2P": "passing_tests",
    "f2p": "failing_tests",
    "p2p": "passing_tests",
}
"""Fields by the names that files of the benchmark give them."""
_LISTS = ("files", "modified_nodes", "failing_tests", "passing_tests")


def read_instances(file: Path) -> list[Instance]:
    """The instances of a JSONL file, in its order. Raises: EvaluationError, naming the line."""
    found = [_convert(_with_lists(row), Instance, file, line) for line, row in _rows(file)]
    if not found:
        raise EvaluationError(f"{file} holds no instance; give the benchmark's file")
    return found


def read_predictions(file: Path) -> dict[str, Prediction]:
    """The predictions of a JSONL file by instance; of several for one instance the last. Raises: EvaluationError."""
    found = (_convert(row, Prediction, file, line) for line, row in _rows(file))
    return {prediction.instance_id: prediction for prediction in found}


def read_outcomes(folder: Path) -> dict[str, TestOutcome]:
    """What `*_result.json` below a folder say, by instance. Raises: EvaluationError."""
    found = {}
    for file in sorted(folder.rglob("*_result.json")):
        outcome = _convert(_decode(file.read_bytes(), file, 1), TestOutcome, file, 1)
        found[outcome.instance_id] = outcome
    return found


def _rows(file: Path) -> Iterator[tuple[int, dict[str, object]]]:
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
        raise EvaluationError(f"{file}:{line} is no JSON object: {error}") from error


def _convert(row: dict[str, object], kind: type[T], file: Path, line: int) -> T:
    given = {name: value for name, value in row.items() if value is not None}
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise EvaluationError(f"{file}:{line} is not what is expected there: {error}") from error


def _with_lists(row: dict[str, object]) -> dict[str, object]:
    """Fields under one name; the data set writes lists as text, in Python's form or JSON's."""
    fields = {_RENAMED.get(name, name): value for name, value in row.items()}
    for name in _LISTS:
        if isinstance(text := fields.get(name), str):
            try:
                fields[name] = ast.literal_eval(text) if text.strip() else []
            except (ValueError, SyntaxError) as error:
                raise EvaluationError(f"{row.get('instance_id')}: {name} is no list: {text[:60]!r}") from error
    return fields
