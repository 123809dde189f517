"""Localization on issues in SWE-bench's form: is the first file one of the fix, are all its definitions among the first ten?

    BENCH_MIRROR=~/mirrors python -m tests.benchmarks.retrieval.issue_locations ISSUES.json WORK [--exclude IDS.json]

ISSUES is a JSON list or JSON lines with `instance_id`, `repo`, `base_commit`, `patch` and `problem_statement`; issues that a file of
`--exclude` lists (development sets, `ids`) are left out, and a mirror that is missing is reported. The trees have no history, and Python
files only where a mirror lacks others. Definitions of the fix are the innermost classes and functions of changed lines that exist before
it; a constructor counts as its class. Intervals are Wilson's of 95 %.
"""

import argparse
import json
import math
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any, Final

from repoquarry.evaluation.polybench_instances import apply, parse
from repoquarry.evaluation.polybench_nodes import corrected_nodes_of_lines
from repoquarry.graphstore.search.localization import locate
from repoquarry.graphstore.search.requests import LocateRequest
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.retrieval.commit_cases import Issue, Mirror

_Z: Final = 1.96


def read(file: Path) -> list[Issue]:
    text = file.read_text(encoding="utf-8")
    found: list[Issue] = (
        json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in text.splitlines()]
    )
    return found


def list_definitions(issue: Issue, tree: Path) -> set[str]:
    """Return `path:Qualified.name` of the classes and functions that the fix changes and that exist before it."""

    def read_file(path: str) -> bytes | None:
        return (tree / path).read_bytes() if (tree / path).is_file() else None

    patch = parse(str(issue["patch"]))
    after, found = apply(patch, read_file), set[str]()
    for file in patch.files:
        if not (before := read_file(file.old_path) if file.old_path else None):
            continue
        path = file.old_path or ""
        existing = corrected_nodes_of_lines(path, before, range(1, before.count(b"\n") + 2))
        changed = corrected_nodes_of_lines(path, before, file.removed_lines)
        if file.new_path in after:
            changed |= corrected_nodes_of_lines(path, after[file.new_path], file.added_lines)
        found |= changed & existing
    return {as_class(name) for name in found}


def as_class(name: str) -> str:
    return name.removesuffix(".__init__")


def ask(issues: Iterable[Issue], work: Path) -> list[dict[str, Any]]:
    """Index the tree of each issue of one repository, each based on the one before, and compare the answers with the fixes."""
    rows = []
    for issue in issues:
        mirror, tree = Mirror.of(issue["repo"]), work / "tree"
        assert mirror is not None
        try:
            mirror.lay_out(issue["base_commit"], tree)
        except CalledProcessError:  # Large files are absent.
            mirror.lay_out(issue["base_commit"], tree, only=("*.py",))
        with Store.open(StoreSettings(folder=work / "store"), writable=True) as store:
            index_repository(str(tree), store, IngestSettings())
            answer = locate(store, LocateRequest(issue["problem_statement"]))
        files = [place.path for place in answer.files]
        places = list(dict.fromkeys(as_class(f"{one.path}:{one.qualname}") for one in answer.definitions))
        wanted, fixed = parse(str(issue["patch"])).touched, list_definitions(issue, tree)
        rows.append(
            {
                "issue": issue["instance_id"],
                "first file": files[:1] and files[0] in wanted,
                "file among three": not set(files[:3]).isdisjoint(wanted),
                "all definitions among ten": fixed <= set(places[:10]) if fixed else None,
                "all definitions among twenty": fixed <= set(places[:20]) if fixed else None,
            }
        )
        print(json.dumps(rows[-1]), flush=True)
    return rows


def describe(name: str, values: list[bool]) -> str:
    """Format a share with its interval."""
    count, share = len(values), sum(values) / max(len(values), 1)
    center = (share + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
    reach = _Z * math.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2)) / (1 + _Z**2 / count)
    return f"{name}: {share:.3f} ({center - reach:.3f} to {center + reach:.3f}), n = {count}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("issues", type=Path, nargs="?")
    parser.add_argument("work", type=Path, nargs="?")
    parser.add_argument("--exclude", type=Path, action="append", default=[])
    given = parser.parse_args()
    if given.work is None:
        print("needs a file of issues, a folder, and mirrors in BENCH_MIRROR")
        return SKIPPED
    excluded = {name for file in given.exclude for name in json.loads(file.read_text(encoding="utf-8"))["ids"]}
    known = [issue for issue in read(given.issues) if issue["instance_id"] not in excluded]
    missing = Counter(issue["repo"] for issue in known if Mirror.of(issue["repo"]) is None)
    rows = []
    for repository in sorted({issue["repo"] for issue in known} - set(missing)):
        work = given.work / repository.replace("/", "+")
        rows += ask((issue for issue in known if issue["repo"] == repository), work)
        shutil.rmtree(work)
    for name in [key for key in rows[0] if key != "issue"] if rows else []:
        print(describe(name, [bool(row[name]) for row in rows if row[name] is not None]))
    print(f"without a mirror: {dict(missing)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
