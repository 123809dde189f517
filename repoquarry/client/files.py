"""Upload and download of task files in checksummed parts."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from repoquarry.client.errors import RequestError, RequestFailure
from repoquarry.v1.task_service_pb2 import TaskFile, UploadHeader, UploadTaskInputRequest

OUTPUTS: Final = "outputs"
"""Folder of a task's workspace with what it delivers."""

_PART_BYTES: Final = 48 * 1024
"""Below the smallest message that a server may be set to take."""


def upload_parts(path: Path, file_name: str = "") -> Iterator[UploadTaskInputRequest]:
    """The requests that send a file: the header with its size and checksum, then its bytes. Raises: RequestError."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
            file.seek(0)
            header = UploadHeader(file_name=file_name or path.name, size=size, sha256=digest)
            yield UploadTaskInputRequest(header=header)
            while data := file.read(_PART_BYTES):
                yield UploadTaskInputRequest(data=data)
    except OSError as error:
        raise _failed(f"{path} cannot be read: {error.strerror}") from error


class FileSink:
    """Writes one file of a task below a folder; it appears under its name when all of it has come and its checksum is right."""

    def __init__(self, folder: Path, file: TaskFile, within: str = "") -> None:
        """`within` is the part of the file's path that stands for `folder`. Raises: RequestError."""
        inner = file.path.removeprefix(f"{within}/") if within else file.path
        if os.path.isabs(inner) or ".." in inner.split("/") or "\\" in inner:
            raise _failed(f"the server names a file {file.path!r}, which leaves the folder")
        self.path = folder / inner
        self._file = file
        self._digest = hashlib.sha256()
        self._partial = self.path.with_name(f".{self.path.name}.part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._out = self._partial.open("wb")
        except OSError as error:
            raise _failed(f"{self.path} cannot be written: {error.strerror}") from error

    def take(self, data: bytes) -> None:
        """The next bytes. Raises: RequestError."""
        self._digest.update(data)
        try:
            self._out.write(data)
        except OSError as error:
            raise _failed(f"{self.path} cannot be written: {error.strerror}") from error

    def finish(self) -> Path:
        """Put the file in its place. Raises: RequestError when it is not the one that was announced."""
        if self._digest.hexdigest() != self._file.sha256:
            raise _failed(f"{self._file.path} changed while it was sent; read it again when the task has ended")
        try:
            self._out.close()
            self._partial.chmod(0o755 if self._file.executable else 0o644)
            self._partial.replace(self.path)
        except OSError as error:
            raise _failed(f"{self.path} cannot be written: {error.strerror}") from error
        return self.path

    def close(self) -> None:
        """Remove what was not finished."""
        self._out.close()
        self._partial.unlink(missing_ok=True)


def _failed(message: str) -> RequestError:
    return RequestError(RequestFailure("OUTPUT_FAILED", message, {}, "FAILED_PRECONDITION"))
