"""Files that were sent for tasks to come: checked by size and checksum as they arrive, kept until a task has used them.

An upload appears under its id by one rename when all of it has come, so that a broken connection or a killed process leaves none that
looks whole. It belongs to the caller who sent it: nobody else can give it to a task.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import msgspec

from repoquarry.agent.errors import FileLimitError, UploadNotFoundError, UploadRejectedError
from repoquarry.agent.settings import WorkspaceSettings

_FOLDER = ".uploads"
_DATA, _NOTES = "data", "notes.json"
_ID = re.compile(r"[0-9a-f]{32}")
_UNFINISHED = "unfinished-"
_HOUR_SECONDS = 3_600.0
_LONGEST_NAME = 255


@dataclass(frozen=True)
class Upload:
    """A file that waits for a task."""

    id: str
    name: str
    """File name that its sender gave, without folders."""

    size: int
    sha256: str
    owner: str
    """Whose it is, as the service names its callers; empty where it does not tell them apart."""


class Uploads:
    """The uploads of one service, in a folder beside the workspaces."""

    def __init__(self, root: Path, settings: WorkspaceSettings) -> None:
        self._folder = root / _FOLDER
        self._settings = settings

    def begin(self, name: str, *, owner: str, size: int | None, sha256: str) -> Incoming:
        """Start to receive a file. `size` and `sha256` are what the sender says, None and empty where it does not.

        Raises: UploadRejectedError, FileLimitError.
        """
        if not name or name in (".", "..") or re.search(r"[/\\\x00-\x1f\x7f]", name) or len(name) > _LONGEST_NAME:
            raise UploadRejectedError(f"{name!r} is no file name: one without folders and control characters is needed")
        if sha256 and not re.fullmatch(r"[0-9a-f]{64}", sha256):
            raise UploadRejectedError("sha256 is not 64 hexadecimal digits in small letters")
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        room, named = self._room()
        if size is not None and size > room:
            raise FileLimitError(f"{name!r} has {size} bytes, and {room} more can be taken ({named})")
        return Incoming(self._folder, name, owner, size, sha256, room, named)

    def _room(self) -> tuple[int, str]:
        """Bytes that may still come, and the setting that says so."""
        limits = [(self._settings.input_bytes or _UNBOUNDED, "agent.workspace.input_bytes")]
        if self._settings.uploads_bytes:
            used = sum(path.stat().st_size for path in self._folder.glob(f"*/{_DATA}"))
            limits.append((max(self._settings.uploads_bytes - used, 0), "agent.workspace.uploads_bytes"))
        return min(limits)

    def get(self, id_: str, owner: str) -> Upload:
        """An upload of this owner. Raises: UploadNotFoundError."""
        if _ID.fullmatch(id_):
            with contextlib.suppress(OSError, msgspec.MsgspecError):
                found = msgspec.json.decode((self._folder / id_ / _NOTES).read_bytes(), type=Upload)
                if found.owner == owner:
                    return found
        raise UploadNotFoundError(
            f"there is no upload {id_!r} of yours; it may have been too old: upload the file again"
        )

    def path(self, upload: Upload) -> Path:
        """Where its bytes are."""
        return self._folder / upload.id / _DATA

    def forget_old(self, needed: Collection[str]) -> None:
        """Remove uploads that are older than the settings say, but for those in `needed`, and what was never finished."""
        oldest = time.time() - (self._settings.upload_hours * _HOUR_SECONDS or float("inf"))
        for place in self._folder.glob("*"):
            with contextlib.suppress(OSError):
                if place.name not in needed and place.stat().st_mtime < oldest:
                    shutil.rmtree(place, ignore_errors=True)


_UNBOUNDED = 1 << 62


class Incoming:
    """A file that is being received: `take` its parts, then `finish`; `abandon` when no more come."""

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
        self._place = folder / f"{_UNFINISHED}{self._id}"
        self._place.mkdir(mode=0o700)
        self._file = (self._place / _DATA).open("xb")

    def take(self, data: bytes) -> None:
        """Write the next part. Raises: FileLimitError, UploadRejectedError when more comes than was announced."""
        self._size += len(data)
        if self._expected is not None and self._size > self._expected:
            raise UploadRejectedError(f"{self._name!r} was announced with {self._expected} bytes, and more came")
        if self._size > self._room:
            raise FileLimitError(f"{self._name!r} has more than {self._room} bytes ({self._limit})")
        self._digest.update(data)
        try:
            self._file.write(data)
        except OSError as error:
            raise FileLimitError(f"{self._name!r} cannot be kept: {error.strerror}") from error

    def finish(self) -> Upload:
        """Check the file and keep it. Raises: UploadRejectedError when it is not what was announced."""
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
        except OSError as error:
            raise FileLimitError(f"{self._name!r} cannot be kept: {error.strerror}") from error
        return upload

    def abandon(self) -> None:
        """Remove what has come; nothing once it is finished."""
        self._file.close()
        shutil.rmtree(self._place, ignore_errors=True)
