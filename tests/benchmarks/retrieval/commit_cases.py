"""Real commits as tasks: a base before all of them, its tree without git, and the history that ends with the base.

Nothing later than the base may leak, so the base is chosen by descent, not by date: a commit of the main line from which none of the
cases can be reached. The index and its history are then those of a user who cloned at that moment. And the development issues, with the
trees that they were reported against: at the base commit, without history.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.ingest.sources.git import LAYOUT, parse_log

_MAX_FILES: Final = 8
_READ: Final = 5_000
"""Newest commits among which the cases are looked for."""
_LAYOUT: Final = (LAYOUT, "--name-only", "-z", "--no-renames", "--no-merges")


@dataclass(frozen=True)
class CommitCase:
    """One commit: its subject is the task, the source files that it touched are the answer."""

    commit: str
    subject: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Mirror:
    """A bare clone."""

    repository: str
    """`owner/name`."""
    folder: Path
    suffixes: tuple[str, ...] = (".py",)
    """Conditions on the source files that make a commit a case."""

    @classmethod
    def of(cls, repository: str, suffixes: tuple[str, ...] = (".py",)) -> Mirror | None:
        """The mirror of a repository below `BENCH_MIRROR`; None where there is none."""
        folder = Path(os.environ["BENCH_MIRROR"], repository.replace("/", "+"), "repo")
        return cls(repository, folder, suffixes) if folder.is_dir() else None

    def cases(self, count: int) -> tuple[str, list[CommitCase]]:
        """A base commit, and the newest `count` cases behind it, or as many as the history has."""
        found = self._cases()
        line = self.git("rev-list", "--first-parent", f"--max-count={_READ}", "HEAD").split()
        low, high = 0, len(line) - 1
        while low < high:  # the nearest commit of the main line with enough cases behind it
            middle = (low + high) // 2
            enough = len(self._behind(line[middle], found)) >= count
            low, high = (low, middle) if enough else (middle + 1, high)
        return line[low], self._behind(line[low], found)[:count]

    def lay_out(self, commit: str, target: Path, without: Sequence[str] = (), only: Sequence[str] = (".",)) -> None:
        """The tree of a commit, without git, and without some paths; `only` selects files: a mirror may lack large ones."""
        shutil.rmtree(target, ignore_errors=True)
        kept = ("--", *only, *(f":(exclude,literal){path}" for path in without))
        with tarfile.open(fileobj=io.BytesIO(self._run(("archive", commit, *kept)))) as tar:
            tar.extractall(target, filter="data")

    def history(self, commit: str, most: int) -> GitHistory:
        """The newest commits up to this one, as the pipeline reads them of a clone."""
        return parse_log(self.git("log", *_LAYOUT, f"--max-count={most}", commit))

    def _cases(self) -> list[CommitCase]:
        """Commits that touch a few source files, newest first."""
        history = self.history("HEAD", _READ)
        cases = []
        for commit in history.commits:
            paths = tuple(path for number in commit.files if (path := history.paths[number]).endswith(self.suffixes))
            if 1 <= len(paths) <= _MAX_FILES:
                cases.append(CommitCase(commit.hash, commit.subject, paths))
        return cases

    def _behind(self, base: str, cases: Sequence[CommitCase]) -> list[CommitCase]:
        later: Collection[str] = set(self.git("rev-list", f"{base}..HEAD").split())
        return [case for case in cases if case.commit in later]

    def git(self, *arguments: str, text: str = "") -> str:
        """Output of git in the clone; `text` is its input."""
        return self._run(arguments, text.encode()).decode("utf-8", "surrogateescape")

    def _run(self, arguments: Sequence[str], given: bytes = b"") -> bytes:
        command = ["git", "--git-dir", str(self.folder), *arguments]
        return subprocess.run(command, input=given, capture_output=True, check=True).stdout


Issue = Mapping[str, Any]


def _bench() -> Path:
    """`shared/` is next to the checkout; a second working tree may be one folder deeper."""
    places = [folder / "shared" / "bench" / "localisation" for folder in Path(__file__).parents[4:6]]
    return next((place for place in places if place.is_dir()), places[0])


BENCH: Final = _bench()


def read_issues(issue_file: Path, part_of_name: str = "", limit: int | None = None) -> list[Issue]:
    """The issues of a file, or those whose id holds a text."""
    issues = [json.loads(line) for line in issue_file.open(encoding="utf-8")]
    return [issue for issue in issues if part_of_name in issue["instance_id"]][:limit]


def lay_out(issue: Issue, issue_file: Path, trees: Path) -> Path | None:
    """The project's folder with the tree of the issue's base commit in it; None where no mirror holds it."""
    name, project = issue["instance_id"], trees / issue["repo"].replace("/", "__")
    shutil.rmtree(trees / name, ignore_errors=True)
    checkout = [sys.executable, str(BENCH / "checkout.py"), str(issue_file), str(trees), "--only", name]
    done = subprocess.run(checkout, capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(trees / name, ignore_errors=True)
        _lay_out_the_rest(issue, trees / name)
    if not (trees / name).is_dir():
        print(f"{name}: no tree: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    shutil.rmtree(project, ignore_errors=True)
    (trees / name).rename(project)
    return project


def history_before(issue: Issue, commits: int) -> GitHistory:
    """The newest commits up to the base commit, which are all older than the fix; empty where no mirror holds it."""
    base = issue["base_commit"]
    for mirror in sorted(Path(os.environ["BENCH_MIRROR"]).glob(f"*+{issue['repo'].partition('/')[2]}/repo")):
        if not subprocess.run(["git", "--git-dir", mirror, "cat-file", "-e", base], capture_output=True).returncode:
            return Mirror(issue["repo"], mirror).history(base, commits)
    return GitHistory([], [])


def _lay_out_the_rest(issue: Issue, target: Path) -> None:
    """Lay out a tree of which the mirror lacks some files, which are named and are not code in any case so far."""
    mirror = Mirror.of(issue["repo"])
    if mirror is None:
        return
    commit = issue["base_commit"]
    entries = [line.split(None, 3) for line in mirror.git("ls-tree", "-r", commit).splitlines()]
    asked = "".join(f"{blob}\n" for _, _, blob, _ in entries)
    said = mirror.git("cat-file", "--batch-check", text=asked).splitlines()
    lost = [entry[3] for entry, answer in zip(entries, said, strict=True) if answer.endswith("missing")]
    print(f"{issue['instance_id']}: the mirror lacks {', '.join(lost)}", file=sys.stderr)
    mirror.lay_out(commit, target, lost)
