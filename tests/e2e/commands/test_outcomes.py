"""Outcomes that must not be claimed: bad input and partial work are failures with a reason, one line and an exit code."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from repoquarry.server.cli.commands import export
from repoquarry.server.cli.commands.tasks import fetch
from repoquarry.server.errors import RequestError
from repoquarry.v1.task_service_pb2 import ListTaskFilesRequest, ListTaskFilesResponse
from tests.e2e.service import CommandResult, repoquarry, run_here, run_json
from tests.source_trees import write_tree


def assert_error(done: CommandResult | subprocess.CompletedProcess[str], code: int, reason: str) -> None:
    assert done.returncode == code, done
    last = done.stderr.strip().split("\n")[-1]
    assert last.startswith("error: ")
    assert last.endswith(f"({reason})")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_sources_that_cannot_be_indexed(tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert_error(run_here(store, "index", f"file://{tmp_path}/no.git"), 3, "SOURCE_NOT_FOUND")
    (tmp_path / "not.zip").write_bytes(b"not a zip")
    assert_error(run_here(store, "index", str(tmp_path / "not.zip")), 2, "SOURCE_REJECTED")


def test_failed_job_prints_one_line_next_to_its_progress(tmp_path: Path) -> None:
    """In a process of its own, where Python would print the log's warnings if nothing took them."""
    (tmp_path / "empty").mkdir()
    done = repoquarry(tmp_path / "store", "index", str(tmp_path / "empty"))
    assert_error(done, 5, "REPOSITORY_EMPTY")
    assert "work_failed" not in done.stderr


def test_impact_of_an_unknown_name_inside_an_indexed_folder_is_not_an_unchanged_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tree(tmp_path / "tree", {"code/a.py": "def a():\n    return 1\n"})
    assert run_here(tmp_path / "store", "index", str(tmp_path / "tree")).returncode == 0
    monkeypatch.chdir(tmp_path / "tree")
    assert_error(run_here(tmp_path / "store", "impact", "nosuch", "--symbol", "a"), 3, "REPOSITORY_NOT_FOUND")
    assert "a" in run_here(tmp_path / "store", "impact", "code", "--symbol", "a").stdout


def test_a_misspelled_repository_is_answered_with_the_nearest(shop_store: Path) -> None:
    done = run_here(shop_store, "context", "shoop")
    assert_error(done, 3, "REPOSITORY_NOT_FOUND")
    assert "shop" in done.stderr


def test_a_task_that_cannot_run_is_refused_when_it_is_created(own_store: Path) -> None:
    """Nothing is queued: a caller that creates a task and leaves would otherwise never learn of it."""
    for arguments, reason, said in (
        (("--policy", "oracle"), "TASK_INVALID", "known: chat, deterministic"),
        (("--policy", "chat"), "MODEL_REJECTED", "no chat model is configured"),
        (("--repository", "absent"), "REPOSITORY_NOT_FOUND", "absent"),
    ):
        done = run_here(own_store, "ask", "who calls price?", *arguments)
        assert said in done.stderr
        assert done.stderr.endswith(f"({reason})\n")
        assert done.stderr.count("\n") == 1  # no step of it was shown
    unknown = {"REPOQUARRY_AGENT_MODEL_NAME": "nobody:model"}
    assert "cannot be opened" in run_here(own_store, "ask", "q", "--policy", "chat", **unknown).stderr
    assert run_json(own_store, "list", "--tasks")["tasks"] == []


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
    listed = run_json(tmp_path / "store", "list")
    assert [item["name"] for item in listed["repositories"]] == ["repositories/full"]


def test_a_source_that_cannot_be_compared_is_not_called_current(one: tuple[Path, Path], tmp_path: Path) -> None:
    store, folder = one
    archive = shutil.make_archive(str(tmp_path / "packed"), "gztar", folder)
    assert run_here(store, "index", archive).returncode == 0
    shutil.rmtree(folder)
    listed = run_json(store, "list")["repositories"]
    assert {item["basis"]["freshness"]["state"] for item in listed} == {"unknown"}
    assert all(item["basis"]["freshness"]["note"] for item in listed)
    for command in (("locate", "price"), ("context", "one"), ("search", "price"), ("show", "one:a.py::price")):
        said = run_here(store, *command)
        text = " ".join((said.stdout + said.stderr).split())
        assert "not checked" in text or "(archive)" in text or "is missing" in text, command
        assert "current" not in text, command


def test_outdated_index_is_reported(one: tuple[Path, Path]) -> None:
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
    write: Callable[..., None] = export.write_callgraph

    def interrupted(*arguments: object) -> None:
        write(*arguments)
        write_tree(folder, {"b.py": "def total():\n    return 2\n"})
        wanted = ("index", str(folder)) if change == "indexed" else ("delete", "one", "--yes")
        assert run_here(store, *wanted).returncode == 0

    monkeypatch.setattr(export, "write_callgraph", interrupted)
    done = run_here(store, "export", "one", "--output", str(tmp_path / "calls.json"))
    expected = {"indexed": (5, "REPOSITORY_CHANGED"), "deleted": (3, "REPOSITORY_NOT_FOUND")}[change]
    assert (done.returncode, expected[1] in done.stderr) == (expected[0], True), done.stderr
    assert not (tmp_path / "calls.json").exists()
    monkeypatch.undo()
    run_here(store, "index", str(folder))
    assert run_here(store, "export", "one", "--output", str(tmp_path / "calls.json")).returncode == 0


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
