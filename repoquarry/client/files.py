"""Upload and download of a task's files in parts; a SHA-256 checksum verifies the complete file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from repoquarry.client.errors import RequestError, RequestFailure
from repoquarry.v1.task_service_pb2 import TaskFile, UploadHeader, UploadTaskInputRequest

OUTPUTS: Final = "outputs"
"""Folder of a task's workspace that contains its outputs."""
_PART_BYTES: Final = 48 * 1024
"""Less than the smallest message limit that a server accepts in its settings."""


def upload_parts(path: Path, file_name: str = "") -> Iterator[UploadTaskInputRequest]:
    """Yield the requests that send a file: the header with size and checksum, then the bytes. Raises: RequestError."""
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
    """Writer of one task file below a folder. The file gets its name when it is complete and its checksum matches."""

    def __init__(self, folder: Path, file: TaskFile, within: str = "") -> None:
        """`within` is the part of the file's path that corresponds to `folder`. Raises: RequestError."""
        inner = file.path.removeprefix(f"{within}/") if within else file.path
        if os.path.isabs(inner) or ".." in inner.split("/") or "\\" in inner:
            raise _failed(f"the server sent a file name outside the folder: {file.path!r}")
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
        """Append the next bytes. Raises: RequestError."""
        self._digest.update(data)
        try:
            self._out.write(data)
        except OSError as error:
            raise _failed(f"{self.path} cannot be written: {error.strerror}") from error

    def finish(self) -> Path:
        """Move the file to its final path. Raises: RequestError if size or checksum differ from the header."""
        if self._digest.hexdigest() != self._file.sha256:
            raise _failed(f"{self._file.path} changed during the download; retry after the task has finished")
        try:
            self._out.close()
            self._partial.chmod(0o755 if self._file.executable else 0o644)
            self._partial.replace(self.path)
        except OSError as error:
            raise _failed(f"{self.path} cannot be written: {error.strerror}") from error
        return self.path

    def close(self) -> None:
        self._out.close()
        self._partial.unlink(missing_ok=True)


def _failed(message: str) -> RequestError:
    return RequestError(RequestFailure("OUTPUT_FAILED", message, {}, "FAILED_PRECONDITION"))
