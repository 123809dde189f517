"""The prose lint finds the constructions that it bans, and no plain sentence."""

from __future__ import annotations

from pathlib import Path

import check_prose
import pytest

BANNED = [
    "What is asked of resolvers in one run.",
    "Rows of a file. Whether it is stored is seen at once.",
    "The graph is made anew.",
    "`8 GB` is no size",
    "A write stays whole.",
    "The newest version, else the highest.",
    "Which of them a query\n    is told about.",
]
PLAIN = [
    "What is a revision? A stored graph.",
    "There is no index, and no more than 3 rows.",
    "Return whether a retry may succeed.",
    "Regardless of what the caller does, in other words, the pool continues.",
    "The most important classes apart from tests.",
    "Write `made anew` as code.\n\n```\nmade anew\n```\n",
]


@pytest.mark.parametrize("text", BANNED)
def test_banned_construction_is_found(text: str) -> None:
    assert list(check_prose.find_in_text(text))


@pytest.mark.parametrize("text", PLAIN)
def test_plain_sentence_is_not_found(text: str) -> None:
    assert list(check_prose.find_in_text(text)) == []


@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        (
            "a.py",
            '"""Say it.\n\nWhat it is."""\n# Of a comment\n# on two lines.\nTEXT = f"{1} is no size, {2}"\n',
            [3, 4, 6],
        ),
        ("a.h", "int a;  // Whether it is.\n// A file\n// is gone.\n", [1, 3]),
        ("a.proto", "// One row.\n\n// Of the\n// file, made anew.\n", [3, 4]),
        ("CHANGELOG.md", f"- {'a' * 99}\n- short\n- begun\n", [1, 3]),
    ],
)
def test_findings_have_the_line_of_their_file(tmp_path: Path, name: str, content: str, lines: list[int]) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert [finding.line for finding in check_prose.find_in_file(path)] == lines


def test_subject_of_a_commit_is_checked() -> None:
    assert check_prose.check_subject("Fix lost entry points\n\nBecause they were queued late.\n") == []
    assert len(check_prose.check_subject("a" * 73 + ".")) == 2
