"""Patterns of `.gitignore`: every verdict is git's, over random patterns and paths."""

import random
import subprocess
from pathlib import Path

import pytest

from repoquarry.ingest.files.ignore_rules import IgnoreRules, is_ignored, parse_ignore_file
from tests.source_trees import git

_TOKENS = {
    "a": 6, "b": 6, "ab": 4, "*": 6, "**": 2, "?": 3, "/": 6, "/**/": 3, "**/": 3, "/**": 3, "[ab]": 2, "[!a]": 2, "[^b]": 1, "[a-c]": 1,
    "[]a]": 1, "\\*": 1, "\\": 0.3, "[": 0.3, "!": 0.6, "#": 0.3, " ": 0.5, "\\ ": 0.3, ".": 1, "-": 1, "[[:alpha:]]": 1, "[b-a]": 0.4,
    "é": 0.3, "[a": 0.3, "\r": 0.1,
}  # fmt: skip
_PATTERN_SETS = 60


def random_lines(source: random.Random) -> list[str]:
    tokens, weights = list(_TOKENS), list(_TOKENS.values())
    return ["".join(source.choices(tokens, weights, k=source.randint(1, 6))) for _ in range(source.randint(1, 3))]


def random_path(source: random.Random) -> str:
    signs, weights = "ab.-*é ", [5, 5, 1, 1, 0.5, 0.3, 0.3]
    parts = ("".join(source.choices(signs, weights, k=source.randint(1, 3))) for _ in range(source.randint(1, 4)))
    return "/".join(part if set(part) != {"."} else "b" for part in parts)


def ask_git(folder: Path, paths: list[str]) -> dict[str, bool]:
    command = ["git", "-C", str(folder), "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"]
    given = "".join(f"{path}\0" for path in paths).encode()
    fields = subprocess.run(command, input=given, capture_output=True, check=False).stdout.split(b"\0")
    rows = zip(fields[3::4], fields[2::4], strict=False)
    return {path.decode(): bool(pattern) and not pattern.startswith(b"!") for path, pattern in rows}


def ignores(path: str, rules: tuple[IgnoreRules, ...]) -> bool:
    parts = path.split("/")
    above = ("/".join(parts[:count]) + "/" for count in range(1, len(parts)))
    return any(is_ignored(folder, rules) for folder in above) or is_ignored(path, rules)


@pytest.mark.parametrize("seed", range(3))
def test_verdicts_are_those_of_git(tmp_path: Path, seed: int) -> None:
    source = random.Random(seed)
    git(tmp_path, "init", "-q")
    wrong, ignored = [], 0
    for _ in range(_PATTERN_SETS):
        content = "\n".join(random_lines(source)).encode()
        (tmp_path / ".gitignore").write_bytes(content)
        verdicts = ask_git(tmp_path, [random_path(source) for _ in range(40)])
        rules = (IgnoreRules("", parse_ignore_file(content)),)
        ignored += sum(verdicts.values())
        wrong += [(content, path) for path, verdict in verdicts.items() if ignores(path, rules) != verdict]
    assert ignored > 100
    assert wrong == []
