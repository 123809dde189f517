"""Lists of repositories, the ledger of a batch, its memory budget, and failures worth another attempt."""

import json
from pathlib import Path

import pytest

from repoquarry.server.bulk.bulk_indexer import MemoryBudget, is_retryable
from repoquarry.server.bulk.repository_list import (
    BatchLedger,
    ListEntry,
    RepositoryOutcome,
    compute_list_id,
    read_list,
)
from repoquarry.server.errors import RequestError
from repoquarry.server.jobs.database import StateDatabase


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_text_toml_and_json_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    text = "# ours\nhttps://example.org/a/tool.git v1\n\nshop\nhttps://example.org/b/lib.git  main  library\n"
    toml = (
        'repositories = [{location = "https://example.org/a/tool.git", ref = "v1"}, {path = "shop"}, '
        '{url = "https://example.org/b/lib.git", ref = "main", name = "library"}]'
    )
    entries = [
        {"clone_url": "https://example.org/a/tool.git", "default_branch": "v1"},
        "shop",
        {"clone_url": "https://example.org/b/lib.git", "default_branch": "main", "name": "library"},
    ]
    found = read_list(_file(tmp_path, "list.txt", text))
    assert found == [
        ListEntry("https://example.org/a/tool.git", "v1"),
        ListEntry(str(tmp_path / "shop")),
        ListEntry("https://example.org/b/lib.git", "main", "library"),
    ]
    assert read_list(_file(tmp_path, "list.toml", toml)) == found
    assert read_list(_file(tmp_path, "list.json", json.dumps(entries))) == found
    assert read_list(_file(tmp_path, "more.json", json.dumps({"items": entries}))) == found


def test_a_folder_names_what_lies_in_it(tmp_path: Path) -> None:
    for name in ("b", "a", ".hidden"):
        (tmp_path / name).mkdir()
    _file(tmp_path, "c.tar.gz", "")
    _file(tmp_path, "notes.txt", "")
    assert [Path(entry.location).name for entry in read_list(tmp_path)] == ["a", "b", "c.tar.gz"]


def test_revisions_of_one_repository_get_their_refs_as_names(tmp_path: Path) -> None:
    text = "https://example.org/a/tool.git v1\nhttps://example.org/a/tool.git v2\nhttps://example.org/a/tool.git v2\n"
    assert [entry.name for entry in read_list(_file(tmp_path, "list.txt", text))] == ["tool@v1", "tool@v2"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("list.txt", "", "names 0 repositories"),
        ("list.txt", "a b c d", "line 1: 4 words"),
        ("list.txt", "https://example.org/a/x.git\nhttps://example.org/b/x.git", "would all be stored as 'x'"),
        ("list.toml", "a = [", "list.toml"),
        ("list.toml", "a = 1", "none of the keys"),
        ("list.json", "[1]", "entry 1"),
        ("list.json", '{"items": "x"}', "a list of repositories is expected"),
        ("list.json", "[" * 100_000, "list.json"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(RequestError, match=said) as caught:
        read_list(_file(tmp_path, name, text))
    assert caught.value.failure.reason == "LIST_REJECTED"


def test_ledger_returns_what_an_interrupted_run_stored_and_forgets_a_completed_list(tmp_path: Path) -> None:
    wanted = [ListEntry("a"), ListEntry("b"), ListEntry("c")]
    work = compute_list_id(wanted, "")
    state = StateDatabase(tmp_path / "state.db")
    ledger = BatchLedger(state, work, wanted)
    ledger.add(wanted[0], RepositoryOutcome("a", repository="a"))
    ledger.add(wanted[1], RepositoryOutcome("b", reason="SOURCE_NOT_FOUND", message="gone"))
    state.close()
    state = StateDatabase(tmp_path / "state.db")
    again = BatchLedger(state, work, wanted)
    assert [outcome.repository for outcome in again.stored().values()] == ["a"]
    again.add(wanted[2], RepositoryOutcome("c", repository="c"))
    assert len(BatchLedger(state, work, wanted).stored()) == 2
    assert BatchLedger(state, compute_list_id(wanted, "other settings"), wanted).stored() == {}
    again.close()
    assert again.stored() == {}
    state.close()


MIB = 1024 * 1024


def test_another_repository_is_expected_to_take_what_the_largest_took() -> None:
    room = MemoryBudget(1_000 * MIB)
    assert room.can_start_another([], {})
    assert room.can_start_another([1], {})  # 400 MiB each, as long as none was measured
    assert not room.can_start_another([1, 2], {})
    room.note(600 * MIB)
    assert room.can_start_another([], {})
    assert not room.can_start_another([1], {})


def test_one_that_takes_more_than_expected_leaves_no_room() -> None:
    room = MemoryBudget(1_000 * MIB)
    assert not room.can_start_another([7], {7: 700 * MIB})


def test_the_peak_counts_this_process_and_the_limit_does_not() -> None:
    room = MemoryBudget(1_000 * MIB)
    assert not room.is_exceeded({1: 500 * MIB, 2: 500 * MIB})
    assert room.is_exceeded({1: 500 * MIB, 2: 501 * MIB})
    assert room.peak > 1_001 * MIB
    peak = room.peak
    assert not room.is_exceeded({})
    assert room.peak == peak


@pytest.mark.parametrize(
    ("reason", "message", "passes"),
    [
        ("WORKER_LOST", "killed", True),
        ("SOURCE_REJECTED", "git: Could not resolve host: example.org", True),
        ("SOURCE_REJECTED", "early EOF; unable to read 0123456789012345678901234567890123456789", False),
        ("SOURCE_NOT_FOUND", "repository not found", False),
    ],
)
def test_which_failures_may_pass(reason: str, message: str, passes: bool) -> None:
    assert is_retryable(reason, message) is passes
