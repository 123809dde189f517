"""Instances, predictions and published results of SWE-PolyBench, as their JSONL files hold them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from repoquarry.agent.errors import EvaluationError

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
    return [_convert(_with_lists(row), Instance, file, line) for line, row in _rows(file)]


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
