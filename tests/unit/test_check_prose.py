"""The prose lint finds the constructions that it bans, and no plain sentence."""

from pathlib import Path

import check_prose
import pytest

PLAIN = """What is a revision? Return whether there is no index. Regardless of what the caller does, the pool continues.
Write `made anew` for the most important classes, in other words.\n\n```\nmade anew\n```\n"""


@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        ("a.md", PLAIN, []),
        ("a.md", "Rows. Whether it fits.\n`8 GB` is no size,\nelse the highest.\n", [1, 2, 2]),
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
def test_findings_have_the_lines_of_their_file(tmp_path: Path, name: str, content: str, lines: list[int]) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert [finding.line for finding in check_prose.find_in_file(path)] == lines


def test_subject_of_a_commit_is_checked() -> None:
    assert len(check_prose.check_subject("a" * 73 + ".")) == 2
