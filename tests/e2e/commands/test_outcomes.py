"""Outcomes that must not be claimed: what did not happen, or only in part, is a failure with a reason and an exit code."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TextIO, cast

import pytest

from repoquarry.server.api import Api
from repoquarry.server.cli.commands.tasks import fetch
from repoquarry.server.errors import RequestError
from repoquarry.server.exports import drawing_formats
from repoquarry.v1.task_service_pb2 import ListTaskFilesRequest, ListTaskFilesResponse
from tests.e2e.service import run_here, write_tree

FILES = {"a.py": "def price():\n    return 1\n"}


@pytest.fixture
def one(tmp_path: Path) -> tuple[Path, Path]:
    """A store with one repository, and its folder."""
    folder = write_tree(tmp_path / "one", FILES)
    assert run_here(tmp_path / "store", "index", str(folder)).returncode == 0
    return tmp_path / "store", folder


def test_nothing_to_index_is_a_failure(tmp_path: Path) -> None:
    folder, empty = write_tree(tmp_path / "list" / "full", FILES), tmp_path / "list" / "empty"
    empty.mkdir()
    for arguments in ((str(folder), str(empty)), ("--from", str(folder.parent))):
        done = run_here(tmp_path / "store", "index", *arguments)
        assert (done.returncode, "REPOSITORY_EMPTY" in done.stderr) == (5, True), done.stderr
    listed = json.loads(run_here(tmp_path / "store", "list", "--json").stdout)
    assert [item["name"] for item in listed["repositories"]] == ["repositories/full"]


def test_a_source_that_cannot_be_compared_is_not_called_current(one: tuple[Path, Path], tmp_path: Path) -> None:
    store, folder = one
    archive = shutil.make_archive(str(tmp_path / "packed"), "gztar", folder)
    assert run_here(store, "index", archive).returncode == 0
    shutil.rmtree(folder)
    listed = json.loads(run_here(store, "list", "--json").stdout)["repositories"]
    assert {item["basis"]["freshness"]["state"] for item in listed} == {"unknown"}
    assert all(item["basis"]["freshness"]["note"] for item in listed)
    for command in (("locate", "price"), ("context", "one"), ("search", "price"), ("show", "price")):
        said = run_here(store, *command)
        assert "freshness unknown" in said.stdout + said.stderr, command
        assert "up to date" not in said.stdout + said.stderr, command


def test_an_index_that_its_source_left_behind_says_so(one: tuple[Path, Path]) -> None:
    store, folder = one
    write_tree(folder, {"a.py": "def price():\n    return 2\n"})
    for command in (
        ("impact", "one", "--symbol", "price"),
        ("diff", "one", "one"),
        ("duplicates",),
        ("search", "price"),
    ):
        assert "out of date by 1 file; re-index" in run_here(store, *command).stdout, command


@pytest.mark.parametrize("change", ["indexed", "deleted"])
def test_a_repository_that_changes_during_its_export_is_a_failure(
    one: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    store, folder = one
    write: Callable[..., None] = drawing_formats.write_callgraph

    def interrupted(api: Api, repository: str, least: float, target: TextIO) -> None:
        write(api, repository, least, target)
        write_tree(folder, {"b.py": "def total():\n    return 2\n"})
        wanted = ("index", str(folder)) if change == "indexed" else ("delete", "one", "--yes")
        assert run_here(store, *wanted).returncode == 0

    monkeypatch.setattr(drawing_formats, "write_callgraph", interrupted)
    done = run_here(store, "export", "one", "--output", str(tmp_path / "calls.json"))
    expected = {"indexed": (5, "REPOSITORY_CHANGED"), "deleted": (3, "REPOSITORY_NOT_FOUND")}[change]
    assert (done.returncode, expected[1] in done.stderr) == (expected[0], True), done.stderr
    assert not (tmp_path / "calls.json").exists()


def test_files_that_were_not_all_fetched_are_a_failure(tmp_path: Path) -> None:
    def listed(request: ListTaskFilesRequest) -> ListTaskFilesResponse:
        return ListTaskFilesResponse(truncated=request.max_files == 10_000)

    api = cast(Any, SimpleNamespace(tasks=SimpleNamespace(list_task_files=listed)))
    with pytest.raises(RequestError) as caught:
        fetch(api, "tasks/1", tmp_path)
    assert caught.value.failure.reason == "FILE_LIMIT"


def test_no_instances_are_no_figures(one: tuple[Path, Path], tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n", encoding="utf-8")
    done = run_here(one[0], "evaluate", "polybench", "--instances", str(empty), "--predictions", str(empty))
    assert (done.returncode, "contains no instance" in done.stderr, done.stdout) == (2, True, "")


def test_deleting_what_is_not_there_is_a_failure(one: tuple[Path, Path]) -> None:
    done = run_here(one[0], "delete", "one", "absent", "--yes")
    assert (done.returncode, "REPOSITORY_NOT_FOUND" in done.stderr) == (3, True)
