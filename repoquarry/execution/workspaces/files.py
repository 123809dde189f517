"""Opening, listing, copying and deletion of files that untrusted code wrote, without following links; store of uploads for tasks.

`open_regular` walks a path folder by folder from a descriptor of the workspace, so that a symbolic link that replaces a folder meanwhile
cannot redirect it, and opens regular files only.

A complete upload appears under its id by one rename, so that a broken connection or a killed process leaves no partial upload. Only the
caller who sent an upload can pass it to a task.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Final

import msgspec

from repoquarry.execution.errors import (
    FileLimitError,
    OutsideWorkspaceError,
    ToolError,
    UploadNotFoundError,
    UploadRejectedError,
)
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.processes.confined_files import open_beneath
from repoquarry.processes.scratch import ScratchFolder

CHUNK_BYTES: Final = 1024 * 1024
INPUTS: Final = "inputs"
"""Folder of a workspace for the input files of the task."""
OUTPUTS: Final = "outputs"
"""Folder of a workspace for the results of the task."""
LOGS: Final = "logs"
"""Folder of a workspace for the output of commands, one file each."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_PRIVILEGED: Final = stat.S_ISUID | stat.S_ISGID
_MAX_SKIPPED: Final = 100
PRIVATE: Final = (".home", ".venv")
"""Folders of a workspace that are hidden from its owner."""


@dataclass(frozen=True)
class FileRecord:
    """Regular file of a workspace. `path` is relative to the workspace, with forward slashes."""

    path: str
    size: int
    """Bytes."""
    sha256: str
    """Hexadecimal; empty if it was not requested."""
    executable: bool
    modified: float
    """Seconds since 1970."""


@dataclass(frozen=True)
class SkippedFile:
    """Entry of a workspace that is never opened. `path` has control characters escaped."""

    path: str
    reason: str


@dataclass(frozen=True)
class Listing:
    """Files in order, those of a folder before its subfolders; `truncated` if there are more than requested."""

    files: tuple[FileRecord, ...]
    truncated: bool = False
    skipped: tuple[SkippedFile, ...] = ()
    """Entries that are not sent: links, special files and names with control characters; at most 100."""


def checked_path(path: str) -> str:
    """Normalize a relative path. Raises: OutsideWorkspaceError for an absolute or invalid path, or one with `..`."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts or "\0" in path or "\\" in path:
        raise OutsideWorkspaceError(f"{path!r} is not a path inside the workspace; name a path relative to its root")
    return "/".join(parts)


@contextlib.contextmanager
def open_regular(root: Path, path: str) -> Iterator[tuple[BufferedReader, os.stat_result]]:
    """Open a regular file below `root`. Raises: OutsideWorkspaceError; ToolError if there is none."""
    name = checked_path(path)
    try:
        descriptor = open_beneath(root, name)
    except OSError as error:
        raise ToolError(f"{path!r} is not a file of the workspace: {error.strerror}") from error
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise ToolError(f"{path!r} is not a regular file")
    with os.fdopen(descriptor, "rb") as file:
        yield file, status


def describe_file(root: Path, path: str, *, checksum: bool = True) -> FileRecord:
    """Describe one file. Raises: as `open_regular`."""
    with open_regular(root, path) as (file, status):
        digest = hashlib.file_digest(file, "sha256").hexdigest() if checksum else ""
        executable = bool(status.st_mode & stat.S_IXUSR)
        return FileRecord(checked_path(path), status.st_size, digest, executable, status.st_mtime)


def list_files(root: Path, folder: str = "", *, most: int, checksums: bool = True) -> Listing:
    """List regular files below a folder, without private folders. Raises: OutsideWorkspaceError."""
    found: list[FileRecord] = []
    skipped: list[SkippedFile] = []
    for entry in _walk(root, checked_path(folder)):
        if isinstance(entry, SkippedFile):
            skipped += [entry] if len(skipped) < _MAX_SKIPPED else []
            continue
        if len(found) >= most:
            return Listing(tuple(found), truncated=True, skipped=tuple(skipped))
        with contextlib.suppress(ToolError):  # The file was removed or replaced by a link since the listing.
            found.append(describe_file(root, entry, checksum=checksums))
    return Listing(tuple(found), skipped=tuple(skipped))


def _walk(root: Path, folder: str) -> Iterator[str | SkippedFile]:
    """Yield regular files by their paths, and other entries, below a folder; those of a folder before its subfolders."""
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
            if path in PRIVATE:
                continue
            if _CONTROL.search(entry.name) or not _is_text(path):
                yield SkippedFile(repr(path)[1:-1], "control characters in the name")
            elif entry.is_dir(follow_symlinks=False):
                below.append(path)
            elif entry.is_file(follow_symlinks=False):
                yield path
            else:
                yield SkippedFile(path, "link" if entry.is_symlink() else "special file")
        waiting += reversed(below)


def clear_privileged_bits(root: Path) -> None:
    """Clear set-user-id and set-group-id bits of files below a folder; links are not followed."""
    waiting = [os.fspath(root)]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    mode = entry.stat(follow_symlinks=False).st_mode
                    if stat.S_ISDIR(mode):
                        waiting.append(entry.path)
                    elif stat.S_ISREG(mode) and mode & _PRIVILEGED:
                        _clear_bits(entry.path)


def _clear_bits(path: str) -> None:
    """Clear the bits of a file by its descriptor, because a path may be replaced by a link. Raises: OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        os.fchmod(descriptor, stat.S_IMODE(os.fstat(descriptor).st_mode) & ~_PRIVILEGED)
    finally:
        os.close(descriptor)


def write_regular(path: Path, data: bytes) -> None:
    """Write a regular file; links are not followed and pipes not waited for. Raises: OSError, ToolError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ToolError(f"{path.name!r} is not a regular file")
    with os.fdopen(descriptor, "wb") as file:
        file.truncate()
        file.write(data)


def _is_folder(root: Path, folder: str) -> bool:
    """Return whether every part of the path is a folder and none is a link."""
    try:
        os.close(open_beneath(root, folder, os.O_DIRECTORY))
    except OSError:
        return False
    return True


def _is_text(path: str) -> bool:
    with contextlib.suppress(UnicodeEncodeError):
        return bool(path.encode())
    return False


def remove_tree(root: Path) -> None:
    """Remove a folder whatever it contains: nesting beyond the maximum path length, closed folders, links.

    Each inner folder is moved to the top before it is emptied, so that no path grows. Raises: OSError.
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
    """Copy a checked tree, links as links; return False if cancelled."""
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


_FOLDER = ".uploads"
_DATA, _NOTES = "data", "notes.json"
_ID = re.compile(r"[0-9a-f]{32}")
_HOUR_SECONDS = 3_600.0
_MAX_NAME_BYTES = 255


@dataclass(frozen=True)
class Upload:
    """Uploaded file that waits for a task."""

    id: str
    name: str
    """File name that its sender gave, without folders."""
    size: int
    sha256: str
    owner: str
    """Owner by the service's name of the caller; empty if callers are not distinguished."""


class UploadStore:
    """Store of the uploads of one service, in a folder next to the workspaces."""

    def __init__(self, root: Path, settings: WorkspaceSettings) -> None:
        self._folder = root / _FOLDER
        self._settings = settings

    def begin(self, name: str, *, owner: str, size: int | None, sha256: str) -> UploadWriter:
        """Start receiving a file. `size` and `sha256` are announced by the sender; None and empty if not announced.

        Raises: UploadRejectedError, FileLimitError.
        """
        if not name or name in (".", "..") or re.search(r"[/\\\x00-\x1f\x7f]", name) or len(name) > _MAX_NAME_BYTES:
            raise UploadRejectedError(
                f"invalid file name {name!r}; expected a name without folders and control characters"
            )
        if sha256 and not re.fullmatch(r"[0-9a-f]{64}", sha256):
            raise UploadRejectedError("invalid sha256; expected 64 lower-case hexadecimal digits")
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        room, named = self._room()
        if size is not None and size > room:
            raise FileLimitError(f"{name!r} has {size} bytes, and {room} more can be taken ({named})")
        return UploadWriter(self._folder, name, owner, size, sha256, room, named)

    def _room(self) -> tuple[int, str]:
        """Compute the remaining bytes for uploads, and the setting that limits them."""
        limits = [(self._settings.input_bytes or _UNBOUNDED, "agent.workspace.input_bytes")]
        if self._settings.uploads_bytes:
            used = sum(path.stat().st_size for path in self._folder.glob(f"*/{_DATA}"))
            limits.append((max(self._settings.uploads_bytes - used, 0), "agent.workspace.uploads_bytes"))
        return min(limits)

    def get(self, id_: str, owner: str) -> Upload:
        """Load an upload of an owner. Raises: UploadNotFoundError."""
        if _ID.fullmatch(id_):
            with contextlib.suppress(OSError, msgspec.MsgspecError):
                found = msgspec.json.decode((self._folder / id_ / _NOTES).read_bytes(), type=Upload)
                if found.owner == owner:
                    return found
        raise UploadNotFoundError(f"no upload {id_!r} of this caller, or it expired; upload the file again")

    def path(self, upload: Upload) -> Path:
        """Return the path of the uploaded data."""
        return self._folder / upload.id / _DATA

    def delete_expired(self, needed: Collection[str]) -> None:
        """Remove expired uploads, finished or not, except those in `needed`."""
        oldest = time.time() - (self._settings.upload_hours * _HOUR_SECONDS or float("inf"))
        for place in self._folder.glob("*"):
            with contextlib.suppress(OSError):
                if place.name not in needed and place.stat().st_mtime < oldest:
                    shutil.rmtree(place, ignore_errors=True)


_UNBOUNDED = 1 << 62


class UploadWriter:
    """Writer of an upload: `take` its parts, then `finish`; `abandon` an incomplete one."""

    def __init__(
        self, folder: Path, name: str, owner: str, size: int | None, sha256: str, room: int, limit: str
    ) -> None:
        self._folder = folder
        self._name, self._owner = name, owner
        self._expected, self._checksum = size, sha256
        self._room, self._limit = room, limit
        self._size = 0
        self._digest = hashlib.sha256()
        self._id = secrets.token_hex(16)
        self._scratch = ScratchFolder("upload", folder)
        self._place = self._scratch.path
        self._file = (self._place / _DATA).open("xb")

    def take(self, data: bytes) -> None:
        """Write the next part. Raises: FileLimitError; UploadRejectedError for more bytes than announced."""
        self._size += len(data)
        if self._expected is not None and self._size > self._expected:
            raise UploadRejectedError(f"{self._name!r} was announced with {self._expected} bytes, and more came")
        if self._size > self._room:
            raise FileLimitError(f"{self._name!r} has more than {self._room} bytes ({self._limit})")
        self._digest.update(data)
        try:
            self._file.write(data)
        except OSError as error:
            raise FileLimitError(f"{self._name!r} cannot be stored: {error.strerror}") from error

    def finish(self) -> Upload:
        """Check and store the file. Raises: UploadRejectedError if it differs from the announced file."""
        found = self._digest.hexdigest()
        if self._expected is not None and self._size != self._expected:
            raise UploadRejectedError(
                f"{self._name!r} was announced with {self._expected} bytes, and {self._size} came"
            )
        if self._checksum and found != self._checksum:
            raise UploadRejectedError(f"{self._name!r} has the SHA-256 {found}, and {self._checksum} was announced")
        upload = Upload(self._id, self._name, self._size, found, self._owner)
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            (self._place / _NOTES).write_bytes(msgspec.json.encode(upload))
            self._place.rename(self._folder / self._id)
            self._scratch.close()
        except OSError as error:
            raise FileLimitError(f"{self._name!r} cannot be stored: {error.strerror}") from error
        return upload

    def abandon(self) -> None:
        """Remove the received parts; does nothing after `finish`."""
        self._file.close()
        self._scratch.close()
