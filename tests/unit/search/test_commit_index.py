"""The commit index: messages of commits about files, and files that change together."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from repoquarry.graphstore.search.index.commit_index import CommitIndex, build_commit_index
from repoquarry.graphstore.search.localization import locate
from repoquarry.graphstore.search.requests import LocateRequest
from repoquarry.graphstore.storage.git_history import Commit, GitHistory

PATHS = ["cart.py", "gone.py", "mail.py", "tax.py"]
HERE = {"cart.py": 0, "mail.py": 1, "tax.py": 2}


def history(*commits: tuple[str, list[int]]) -> GitHistory:
    newest = len(commits)
    return GitHistory(
        PATHS, [Commit(f"c{n}", newest - n, subject, tuple(files)) for n, (subject, files) in enumerate(commits)]
    )


def test_messages_speak_of_the_files_that_their_commits_touched(tmp_path: Path) -> None:
    past = build_commit_index(history(("Round invoices to cents", [3]), ("Send greetings", [2]), ("Round", [1])), HERE)
    past.save(tmp_path)
    for read in (past, CommitIndex.load(tmp_path, 3)):
        said = read.spoken_of({"round": 1.0, "invoic": 1.0, "unheard": 1.0})
        assert said[2] > 0
        assert said[0] == said[1] == 0
        assert len(read) == 2  # the third commit touched only a deleted file


def test_a_plain_message_beats_many_vague_ones() -> None:
    vague = [(f"Fix invoices, part {n} of the great cleaning of everything", [0, 2, 3]) for n in range(8)]
    past = build_commit_index(history(("Round invoices", [2]), *vague), HERE)
    said = past.spoken_of({"round": 1.0, "invoic": 1.0})
    assert said.argmax() == 1


def test_messages_of_older_commits_count_less() -> None:
    between = [(f"Something else {n}", [2]) for n in range(1_000)]
    past = build_commit_index(history(("Round invoices", [0]), *between, ("Round invoices", [3])), HERE)
    said = past.spoken_of({"round": 1.0})
    assert said[2] == pytest.approx(said[0] * (0.3 + 0.7 * np.exp(-1.001)), rel=1e-3)


def test_files_change_with_those_that_they_changed_with() -> None:
    past = build_commit_index(history(("a", [0, 3]), ("b", [0, 3]), ("c", [0, 2]), ("d", [2])), HERE)
    changed = past.changed_with(np.array([1, 0, 0], dtype=np.float32))
    assert changed[2] == pytest.approx(2 * changed[1])
    assert changed[0] == 0
    assert (
        build_commit_index(history(("all", list(range(4)) * 20)), HERE).changed_with(np.ones(3, dtype=np.float32)).sum()
        == 0
    )


def test_no_history_says_nothing() -> None:
    past = build_commit_index(GitHistory([], []), HERE)
    assert past.spoken_of({"round": 1.0}).tolist() == [0, 0, 0]
    assert past.changed_with(np.ones(3, dtype=np.float32)).tolist() == [0, 0, 0]


def test_locate_uses_messages_of_commits(make_library: Callable[..., Any]) -> None:
    body = "def {}(value):\n    return value\n"
    texts = {"cart.py": body.format("cart"), "mail.py": body.format("mail"), "tax.py": body.format("tax")}
    library = make_library({"shop": texts})
    library.histories["shop"] = history(("Round the invoices to cents", [3]), ("Send greetings", [2]))
    answer = locate(library, LocateRequest("Invoices show fractions of cents"))
    assert answer.files[0].path == "tax.py"
    assert "commit messages match the task" in answer.files[0].reasons
