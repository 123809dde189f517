"""Collection of SWE-PolyBench instances from the history of an indexed repository. Source: sections 3.1 and 3.2.

A change is a candidate if it names an issue that it closes, and changes code and tests. A change whose tests name a file that its
code adds is left out: other right fixes would fail them. The tests before and after the fix decide about the rest; see `derive_tests`.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec
from pathspec import GitIgnoreSpec

from repoquarry.agent.errors import EvaluationError
from repoquarry.code.patches import extract_words
from repoquarry.evaluation.polybench_instances import Instance, read_rows
from repoquarry.evaluation.polybench_scoring import find_modified_nodes
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import RepositorySource
from repoquarry.ingest.sources.checkout import clone_repository
from repoquarry.ingest.sources.git import run_git
from repoquarry.ingest.sources.network_policy import EVERYWHERE
from repoquarry.ingest.sources.revision_trees import copy_tree
from repoquarry.ingest.sources.source import FOLDER, GIT
from repoquarry.languages.registry import all_languages, is_source, language_for

_CLOSES: Final = re.compile(
    r"\b(?:clos(?:e|es|ed)|fix(?:es|ed)?|resolv(?:e|es|ed))\b:?\s+(?:issues?\s+)?(?:\S*/issues/|[\w./-]*#)(\d+)",
    re.IGNORECASE,
)
"""Keywords by which hosts close an issue when a change is merged."""
_FIELD, _RECORD = "\x1f", "\x1e"
_PLACE: Final = "{tests}"


@dataclass(frozen=True)
class Change:
    """Change of the main line: a commit, or a merge with the messages of the commits that it merged."""

    commit: str
    base: str
    message: str


@contextmanager
def open_history(source: RepositorySource, settings: IngestSettings) -> Iterator[Path]:
    """Open a git working tree with the history of an indexed repository; an address is cloned. Raises: EvaluationError, IngestError."""
    if source.kind == FOLDER and (Path(source.location) / ".git").exists():
        yield Path(source.location)
    elif source.kind == GIT:
        with clone_repository(source, settings, lambda: False, EVERYWHERE) as checkout:
            yield checkout.root
    else:
        raise EvaluationError(f"{source.shown} has no history of git; index a clone or an address")


def read_changes(root: Path, commits: int) -> Iterator[Change]:
    """Yield the newest changes of the main line, newest first; the first commit has no base and is omitted."""
    layout = f"--format=%H{_FIELD}%P{_FIELD}%B{_RECORD}"
    for commit, parents, message in _log(root, [layout, "--first-parent", f"--max-count={commits}", "HEAD"]):
        base, *merged = parents.split()[:2] or [""]
        if not base:
            continue
        if merged:
            inner = _log(root, [layout, f"{base}..{merged[0]}"])
            message = "\n\n".join((message, *(text for *_, text in inner)))
        yield Change(commit, base, message)


def _log(root: Path, arguments: list[str]) -> Iterator[tuple[str, str, str]]:
    text = run_git(["log", *arguments], cwd=root).decode("utf-8", "replace")
    for record in text.split(_RECORD)[:-1]:
        commit, parents, message = record.lstrip("\n").split(_FIELD, 2)
        yield commit, parents, message.strip()


def read_issues(file: Path) -> dict[int, str]:
    """Map issues to their texts, from the objects with `number`, `title` and `body` of a JSONL file. Raises: EvaluationError."""
    found = {}
    for line, row in read_rows(file):
        number = row.get("number")
        if not isinstance(number, int):
            raise EvaluationError(f"{file}:{line} has no number; lines are issues with number, title and body")
        found[number] = f"{row.get('title') or ''}\n\n{row.get('body') or ''}".strip()
    return found


def collect_candidates(
    root: Path,
    repository: str,
    changes: Iterable[Change],
    issues: Mapping[int, str] | None,
    test_command: str,
    dropped: Counter[str],
) -> Iterator[Instance]:
    """Yield the changes that may be instances; `dropped` counts the others by their reason.

    `{tests}` in the command stands for the changed test files. Without `issues` the message of a change is the text of its issue.
    """
    for change in changes:
        found = _read_candidate(root, repository, change, issues, test_command)
        if isinstance(found, str):
            dropped[found] += 1
        else:
            yield found


def _read_candidate(
    root: Path, repository: str, change: Change, issues: Mapping[int, str] | None, test_command: str
) -> Instance | str:
    """Return the instance, or the reason why the change is none."""
    numbers = dict.fromkeys(map(int, _CLOSES.findall(change.message)))
    if not numbers:
        return "no issue"
    statement = change.message if issues is None else "\n\n".join(filter(None, map(issues.get, numbers)))
    if not statement:
        return "no text of the issue"
    status = _list_paths(root, change)
    tests = [path for path in status if is_test_path(path)]
    code = [path for path in status if path not in tests]
    runnable = [path for path in tests if is_source(path) and status[path] != "D"]
    if not runnable:
        return "no tests"
    sources = [path for path in code if is_source(path)]
    if not sources:
        return "no code"
    test_patch = _diff(root, change, tests)
    added = {PurePosixPath(path).stem for path in sources if status[path] == "A"}
    if added & extract_words(line for line in test_patch.splitlines() if line.startswith("+")):
        return "tests of a new file"
    language = Counter(language_for(path).name for path in sources).most_common(1)[0][0]
    return Instance(
        instance_id=f"{repository}-{change.commit[:12]}",
        repo=repository,
        base_commit=change.base,
        language=language,
        problem_statement=statement,
        patch=_diff(root, change, code),
        test_patch=test_patch,
        test_command=test_command.replace(_PLACE, shlex.join(runnable)),
    )


def is_test_path(path: str) -> bool:
    """Return whether a file belongs to the tests, data of tests included, by the conventions of any language."""
    return _test_paths().match_file(path)


@cache
def _test_paths() -> GitIgnoreSpec:
    rules = (language.tests for language in all_languages())
    return GitIgnoreSpec.from_lines(glob for rule in rules for glob in (*rule.files, *rule.folders))


_DIFF: Final = ("--no-renames", "--no-ext-diff", "--no-textconv")


def _list_paths(root: Path, change: Change) -> dict[str, str]:
    """Map the changed files to `A`, `D`, `M` or `T`."""
    raw = run_git(["diff", *_DIFF, "--name-status", "-z", change.base, change.commit], cwd=root)
    fields = raw.decode("utf-8", "replace").split("\0")
    return dict(zip(fields[1::2], fields[::2], strict=False))


def _diff(root: Path, change: Change, paths: Iterable[str]) -> str:
    literal = [f":(literal){path}" for path in paths]
    return run_git(["diff", *_DIFF, "--binary", change.base, change.commit, "--", *literal], cwd=root).decode(
        "utf-8", "replace"
    )


def check_out(candidates: Iterable[Instance], root: Path, trees: Path, settings: IngestSettings) -> Iterator[Instance]:
    """Write the base commit of each candidate to `trees/<instance_id>`, unless it is there, and pass it on with its modified nodes.

    The trees are those of clones: filters that the repository's own configuration names do not run.
    """
    trees.mkdir(parents=True, exist_ok=True)
    for candidate in candidates:
        target = trees / candidate.instance_id
        if not target.exists():
            source = RepositorySource(GIT, root.resolve().as_uri(), candidate.base_commit)
            with clone_repository(source, replace(settings, git_depth=1), lambda: False, EVERYWHERE) as checkout:
                copy_tree(checkout, target, settings, lambda: False)
        yield msgspec.structs.replace(candidate, modified_nodes=find_modified_nodes(candidate, trees))
