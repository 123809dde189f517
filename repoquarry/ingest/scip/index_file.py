"""Reader of SCIP index files, one document in memory at a time; refuses damaged and hostile ones with a reason."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from os import SEEK_CUR, fstat
from pathlib import Path
from typing import BinaryIO

from google.protobuf.message import DecodeError

from repoquarry.ingest.errors import ScipRejectedError
from repoquarry.ingest.scip import scip_pb2 as scip

MAX_BYTES = 1024**3
"""Size of an index file above which it is refused."""
_MAX_DOCUMENT_BYTES = 64 * 1024**2
_METADATA, _DOCUMENT = 1, 2
_LENGTH_DELIMITED = 2
_CHUNK = 1024**2


@dataclass(frozen=True)
class ScipFile:
    """One index file, whose size and digest were read when indexing began."""

    path: Path
    shown: str
    """Name for reports: the path as it was asked for."""
    digest: bytes
    """SHA-256."""

    @classmethod
    def of(cls, path: Path, shown: str) -> ScipFile:
        """Read the digest of a file. Raises: ScipRejectedError if it is missing, no regular file or too large."""
        try:
            if not path.is_file():
                raise ScipRejectedError(f"there is no SCIP index {shown}: give the path of an index.scip")
            if (size := path.stat().st_size) > MAX_BYTES:
                raise ScipRejectedError(f"the SCIP index {shown} has {size:,} bytes, and the limit is {MAX_BYTES:,}")
            digest = hashlib.sha256()
            with path.open("rb") as file:
                while chunk := file.read(_CHUNK):
                    digest.update(chunk)
        except OSError as exc:
            raise ScipRejectedError(f"the SCIP index {shown} cannot be read: {exc.strerror}") from exc
        return cls(path, shown, digest.digest())

    def read(self) -> Iterator[scip.Metadata | scip.Document]:
        """Yield the metadata and then the documents. Raises: ScipRejectedError for a damaged file."""
        try:
            with self.path.open("rb") as file:
                for number, data in self._fields(file):
                    if number == _METADATA:
                        yield scip.Metadata.FromString(data)
                    elif number == _DOCUMENT:
                        yield scip.Document.FromString(data)
        except (DecodeError, OSError, RecursionError) as exc:
            raise self._damaged(str(exc)) from exc

    def _fields(self, file: BinaryIO) -> Iterator[tuple[int, bytes]]:
        """Yield number and content of each field; those that nobody reads are skipped unread."""
        whole = fstat(file.fileno()).st_size
        while True:
            tag = self._varint(file)
            if tag is None:
                return
            number, kind = tag >> 3, tag & 7
            if kind != _LENGTH_DELIMITED or not number:
                raise self._damaged(f"a field of wire type {kind}")
            size = self._varint(file)
            if size is None or size > MAX_BYTES:
                raise self._damaged("a field without length" if size is None else f"a field of {size:,} bytes")
            if number not in (_METADATA, _DOCUMENT):
                if file.seek(size, SEEK_CUR) > whole:
                    raise self._damaged("it ends in the middle of a field")
                continue
            if size > _MAX_DOCUMENT_BYTES:
                raise self._damaged(f"a document of {size:,} bytes, and the limit is {_MAX_DOCUMENT_BYTES:,}")
            data = file.read(size)
            if len(data) < size:
                raise self._damaged("it ends in the middle of a field")
            yield number, data

    def _varint(self, file: BinaryIO) -> int | None:
        """Read a variable-length integer; None at the end of the file."""
        value = 0
        for shift in range(0, 64, 7):
            byte = file.read(1)
            if not byte:
                if shift:
                    raise self._damaged("it ends in the middle of a number")
                return None
            value |= (byte[0] & 0x7F) << shift
            if byte[0] < 0x80:
                return value
        raise self._damaged("a number of more than ten bytes")

    def _damaged(self, why: str) -> ScipRejectedError:
        return ScipRejectedError(f"the SCIP index {self.shown} is damaged ({why}): write it again with its tool")
