"""The development issues, and the trees that they were reported against: at the base commit, without history."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from repoquarry.graphstore.storage.git_history import GitHistory
from tests.benchmarks.retrieval.commit_cases import Mirror

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
