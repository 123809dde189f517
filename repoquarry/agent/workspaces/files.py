"""Files of a folder in which untrusted code ran: listed, measured and opened without following a link of any kind.

A path is walked folder by folder from an open descriptor, so that nothing that is swapped in between leads elsewhere; what is no regular
file is never opened.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Final

from repoquarry.agent.errors import OutsideWorkspaceError, ToolError

CHUNK_BYTES: Final = 1024 * 1024
INPUTS: Final = "inputs"
"""Folder of a workspace in which the files lie that came with the task."""

OUTPUTS: Final = "outputs"
"""Folder of a workspace for what the task is to deliver."""

LOGS: Final = "logs"
"""Folder of a workspace with the output of each command, one file a command."""

PRIVATE: Final = (".home", ".venv")
"""Folders of a workspace that hold nothing for its owner."""


@dataclass(frozen=True)
class FileRecord:
    """A regular file of a workspace. `path` is relative to the workspace, with forward slashes."""

    path: str
    size: int
    """Bytes."""

    sha256: str
    """Hexadecimal; empty where it was not asked for."""

    executable: bool
    modified: float
    """Seconds since 1970."""


@dataclass(frozen=True)
class Listing:
    """Files, those of a folder before those of the folders in it; `truncated` when there are more than were asked for."""

    files: tuple[FileRecord, ...]
    truncated: bool = False


def checked_path(path: str) -> str:
    """A relative path without `.` parts. Raises: OutsideWorkspaceError for one that is absolute, has `..` or cannot be a path."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts or "\0" in path or "\\" in path:
        raise OutsideWorkspaceError(f"{path!r} is no path inside the workspace; name one relative to its root")
    return "/".join(parts)


@contextlib.contextmanager
def open_regular(root: Path, path: str) -> Iterator[tuple[BufferedReader, os.stat_result]]:
    """A regular file below `root`. Raises: OutsideWorkspaceError; ToolError when there is none."""
    name = checked_path(path)
    try:
        descriptor = _open_beneath(root, name)
    except OSError as error:
        raise ToolError(f"{path!r} is no file of the workspace: {error.strerror}") from error
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise ToolError(f"{path!r} is no regular file")
    with os.fdopen(descriptor, "rb") as file:
        yield file, status


def record(root: Path, path: str, *, checksum: bool = True) -> FileRecord:
    """What is to be said of one file. Raises: as `open_regular`."""
    with open_regular(root, path) as (file, status):
        digest = hashlib.file_digest(file, "sha256").hexdigest() if checksum else ""
        executable = bool(status.st_mode & stat.S_IXUSR)
        return FileRecord(checked_path(path), status.st_size, digest, executable, status.st_mtime)


def list_files(root: Path, folder: str = "", *, most: int, checksums: bool = True) -> Listing:
    """Regular files below a folder of the workspace, links and private folders left out. Raises: OutsideWorkspaceError."""
    found: list[FileRecord] = []
    for path in _walk(root, checked_path(folder)):
        if len(found) >= most:
            return Listing(tuple(found), truncated=True)
        with contextlib.suppress(ToolError):  # gone, or swapped for a link since it was listed
            found.append(record(root, path, checksum=checksums))
    return Listing(tuple(found))


def _walk(root: Path, folder: str) -> Iterator[str]:
    """Paths of regular files below a folder, those of a folder before those of the folders in it."""
    waiting = [folder] if not folder or _is_folder(root, folder) else []
    while waiting:
        current = waiting.pop()
        try:
            with os.scandir(root / current) as entries:
                named = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        below = []
        for entry in named:
            path = f"{current}/{entry.name}" if current else entry.name
            if entry.is_dir(follow_symlinks=False) and path not in PRIVATE:
                below.append(path)
            elif entry.is_file(follow_symlinks=False) and _is_text(path):
                yield path
        waiting += reversed(below)


def _is_folder(root: Path, folder: str) -> bool:
    """Whether every part of the path is a folder and none a link."""
    try:
        os.close(_open_beneath(root, folder, os.O_DIRECTORY))
    except OSError:
        return False
    return True


def _is_text(path: str) -> bool:
    with contextlib.suppress(UnicodeEncodeError):
        return bool(path.encode())
    return False


def _open_beneath(root: Path, path: str, extra: int = 0) -> int:
    *folders, name = path.split("/")
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
    current = os.open(root, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        for part in folders:
            below = os.open(part, flags | os.O_DIRECTORY, dir_fd=current)
            os.close(current)
            current = below
        return os.open(name or ".", flags | os.O_NONBLOCK | extra, dir_fd=current)
    finally:
        os.close(current)


def remove_tree(root: Path) -> None:
    """Remove a folder whatever was put into it: folders nested deeper than any path is long, closed ones, links.

    Each folder inside is moved to the top before it is emptied, so that no path grows. Raises: OSError.
    """
    root.chmod(0o700)
    waiting = [root]
    number = 0
    while waiting:
        current = waiting.pop()
        with os.scandir(current) as entries:
            inside = list(entries)
        for entry in inside:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.path)
                continue
            os.chmod(entry.path, 0o700)
            number += 1
            moved = root.with_name(f"{root.name}.removed-{number}")
            os.rename(entry.path, moved)
            waiting.append(moved)
        os.rmdir(current)


def copy_tree(source: Path, target: Path, cancelled: Callable[[], bool]) -> bool:
    """Copy a tree that was checked before, links as they are; False when it was cancelled in the middle."""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        (target / folder).mkdir(parents=True, exist_ok=True)
        with os.scandir(source / folder) as entries:
            for entry in entries:
                if cancelled():
                    return False
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(path)
                else:
                    shutil.copy2(entry.path, target / path, follow_symlinks=False)
    return True
