"""Unified diffs: which files a patch touches, and which lines of them before and after.

Files are read as the benchmark reads them in its parity mode, where a file that the patch adds is called `/dev/null`, and by the
name that it has afterwards in the corrected one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from repoquarry.agent.errors import EvaluationError
from repoquarry.processes.program import run_program

_NOWHERE = "/dev/null"
_APPLY_SECONDS = 60


@dataclass(frozen=True)
class ChangedFile:
    """One file of a patch; paths are empty where the file does not exist on that side."""

    old_path: str
    new_path: str
    removed: frozenset[int] = frozenset()
    """1-based lines of the old file."""
    added: frozenset[int] = frozenset()
    """1-based lines of the new file."""

    @property
    def path(self) -> str:
        return self.new_path or self.old_path


@dataclass(frozen=True)
class Patch:
    """A parsed patch."""

    text: str
    files: tuple[ChangedFile, ...]
    header_paths: frozenset[str] = field(default=frozenset())
    """Old paths as the benchmark's reader finds them in the headers of the diffs, `/dev/null` among them."""

    @property
    def touched(self) -> frozenset[str]:
        """Every file that exists before or after, a renamed one under its old name."""
        return frozenset(file.old_path or file.new_path for file in self.files)


def parse(text: str) -> Patch:
    """Parse a unified diff. Raises: EvaluationError when it is none, or the libraries for it are not installed."""
    try:
        import whatthepatch
        from unidiff import PatchSet, UnidiffParseError
    except ImportError as error:
        raise EvaluationError(f"{error.name} is not installed: pip install 'repoquarry[evaluation]'") from error

    try:
        header_paths = frozenset(
            str(Path(diff.header.old_path.removeprefix("a/"))) for diff in whatthepatch.parse_patch(text) if diff.header
        )
        patched = list(PatchSet(text))
    except (UnidiffParseError, whatthepatch.exceptions.WhatThePatchException, ValueError) as error:
        raise EvaluationError(f"the patch cannot be read: {error}") from error
    files = tuple(
        ChangedFile(
            _path(file.source_file, "a/"),
            _path(file.target_file, "b/"),
            frozenset(line.source_line_no for hunk in file for line in hunk if line.is_removed and line.source_line_no),
            frozenset(line.target_line_no for hunk in file for line in hunk if line.is_added and line.target_line_no),
        )
        for file in patched
    )
    return Patch(text, files, header_paths)


def _path(name: str, prefix: str) -> str:
    return "" if name == _NOWHERE else name.removeprefix(prefix).strip()


def apply(patch: Patch, read: Callable[[str], bytes | None]) -> dict[str, bytes]:
    """The files of a patch after it, by path; `read` gives the files before it, None for one that is not there.

    Raises: EvaluationError when git cannot apply it.
    """
    with tempfile.TemporaryDirectory(prefix="repoquarry-patch-") as folder:
        root = Path(folder)
        for file in patch.files:
            content = read(file.old_path) if file.old_path else None
            if content is not None:
                target = _inside(root, file.old_path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        _git_apply(root, patch.text)
        after = {}
        for file in patch.files:
            if file.new_path and (target := _inside(root, file.new_path)).is_file() and not target.is_symlink():
                after[file.new_path] = target.read_bytes()
        return after


def _inside(root: Path, path: str) -> Path:
    target = Path(root, path)
    if ".." in Path(path).parts or not target.is_relative_to(root):
        raise EvaluationError(f"the patch names {path!r}, which leads out of the repository")
    return target


def _git_apply(root: Path, text: str) -> None:
    command = ["git", "apply", "--whitespace=nowarn", "-"]
    environment = {
        "GIT_CEILING_DIRECTORIES": str(root.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "HOME": str(root),
        "PATH": os.environ.get("PATH", os.defpath),
    }
    try:
        done = run_program(command, cwd=root, environment=environment, given=text.encode(), seconds=_APPLY_SECONDS)
    except OSError as error:
        raise EvaluationError(f"git could not apply the patch: {error}") from error
    if done.code != 0:
        raise EvaluationError(f"the patch does not apply: {done.errors.decode('utf-8', 'replace').strip()[:300]}")
