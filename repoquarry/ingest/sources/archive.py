"""Safe unpacking of untrusted tar and zip archives, within limits on size and entries.

Entries of a hostile archive may point outside, be devices, or unpack to terabytes, whether they declare that or not. So no
library's `extractall` is used: every entry is checked first, and bytes are counted as they are written. Indexing omits links
and files that are too large for it. A complete tree includes symbolic links, which are created after all files, so that nothing
is written through a link. A single top folder, as in source archives, is stripped.
"""

from __future__ import annotations

import gzip
import io
import re
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from repoquarry.ingest.errors import IngestCancelledError, SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.settings import MIB, IngestSettings
from repoquarry.ingest.sources.source import (
    ARCHIVE,
    COMMIT,
    Cancelled,
    Checkout,
    RepositorySource,
    SkippedPath,
    archive_suffix,
)
from repoquarry.processes.scratch import ScratchFolder

_CHUNK = MIB
_MAX_HEADER_BYTES = 4 * MIB
"""Maximum size of entries in which tar stores long names and attributes, which the library reads completely."""
_RATIO_FREE = 64 * MIB
_MAX_LINK_CHARACTERS = 4_096
_END_BYTES = 22 + (1 << 16)
"""Maximum size of a zip's end record with comment."""
_IN_ZIP64 = (1 << 32) - 1


class _Budget:
    """Entries and bytes of one archive, counted against the limits."""

    def __init__(self, settings: IngestSettings, archive_size: int) -> None:
        self._settings = settings
        by_ratio = max(_RATIO_FREE, archive_size * settings.archive_ratio) if settings.archive_ratio else 0
        limits = [(settings.archive_bytes, "archive_bytes"), (by_ratio, "archive_ratio")]
        self.bytes_limit, self._named = min((limit for limit in limits if limit[0]), default=(0, ""))
        self.bytes = 0
        self.entries = 0

    def entry(self, name: str, declared: int) -> None:
        """Count one entry with its declared size."""
        self.entries += 1
        self.check_entries(self.entries, name)
        self.take(name, declared)

    def check_entries(self, count: int, name: str = "") -> None:
        """Reject more entries than the limit. Raises: SourceRejectedError."""
        limit = self._settings.archive_entries
        if limit and count > limit:
            raise SourceRejectedError(
                f"the archive has more than {limit:,} entries (archive_entries); raise the limit or index a checkout",
                entry=name,
                limit="archive_entries",
            )

    def take(self, name: str, count: int) -> None:
        """Count unpacked or declared bytes."""
        self.bytes += count
        if self.bytes_limit and self.bytes > self.bytes_limit:
            raise SourceRejectedError(
                f"the archive unpacks to more than {self.bytes_limit:,} bytes ({self._named}); reached at entry {name!r}",
                entry=name,
                limit=self._named,
            )


class _BoundedReader:
    """Unpacked stream of a tar archive that rejects reads beyond the limit and in huge pieces."""

    def __init__(self, inner: IO[bytes], limit: int) -> None:
        self._inner = inner
        self._limit = limit

    def tell(self) -> int:
        return self._inner.tell()

    def seek(self, offset: int) -> int:
        self._check(offset)
        return self._inner.seek(offset)

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > _MAX_HEADER_BYTES:
            raise SourceRejectedError(f"an archive header of {size:,} bytes is too large", limit="header")
        self._check(self._inner.tell() + size)
        return self._inner.read(size)

    def _check(self, position: int) -> None:
        if self._limit and position > self._limit:
            raise SourceRejectedError(f"the archive unpacks to more than {self._limit:,} bytes", limit="archive_bytes")


class _Unpacking:
    """Writer of the entries of one archive below `tree`. `whole` keeps files of any size, modes and symbolic
    links."""

    def __init__(self, tree: Path, settings: IngestSettings, *, whole: bool) -> None:
        self.left_out: list[SkippedPath] = []
        self._tree = tree
        self._settings = settings
        self._whole = whole
        self._links: list[tuple[str, str, bool]] = []

    def link(self, name: str, target: str, *, symbolic: bool) -> None:
        if self._whole:
            self._links.append((name, target, symbolic))
        else:
            self.left_out.append(SkippedPath(name, "link"))

    def unwanted(self, name: str, size: int) -> bool:
        """Return whether a file is too large to be indexed, and record it."""
        limit = max(self._settings.max_file_bytes, self._settings.max_document_bytes)
        bounded = self._settings.max_file_bytes and self._settings.max_document_bytes and not self._whole
        if not bounded or size <= limit:
            return False
        self.left_out.append(SkippedPath(name, f"too large: {size:,} bytes"))
        return True

    def write(self, name: str, content: IO[bytes], *, executable: bool) -> None:
        """Write one file, at most its declared and counted size."""
        target = self._tree / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as out:
                while chunk := content.read(_CHUNK):
                    out.write(chunk)
            if executable:
                target.chmod(0o755)
        except FileExistsError:
            self.left_out.append(SkippedPath(name, "the archive holds this path more than once; the first is kept"))
        except OSError as exc:
            if exc.errno is None:
                # The archive is damaged; the disk is not the cause.
                raise
            self.left_out.append(SkippedPath(name, f"cannot be written: {exc.strerror}"))

    def make_links(self) -> None:
        """Create links, hard links first, as copies: their targets are files of the archive."""
        for name, target, symbolic in sorted(self._links, key=lambda link: link[2]):
            path = self._tree / name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                if symbolic:
                    path.symlink_to(target)
                else:
                    shutil.copy(self._tree / _safe_name(target), path, follow_symlinks=False)
            except (OSError, ValueError, shutil.Error) as exc:
                self.left_out.append(SkippedPath(name, f"a link that cannot be made: {exc}"))


@contextmanager
def acquire(
    source: RepositorySource,
    settings: IngestSettings,
    cancelled: Cancelled,
    *,
    whole: bool = False,
    is_wrapped: bool = True,
) -> Iterator[Checkout]:
    """Unpack an archive in a context; `whole` includes links and files of any size, whose links are still to be checked.

    `is_wrapped` takes off a single folder around everything.

    Raises: SourceNotFoundError, SourceRejectedError, IngestCancelledError.
    """
    try:
        path = Path(source.location).resolve(strict=True)
        size = path.stat().st_size
    except OSError as exc:
        raise SourceNotFoundError(f"no such archive: {source.shown!r}", source=source.shown) from exc
    with ScratchFolder("archive", settings.scratch) as scratch:
        tree = scratch / "tree"
        tree.mkdir()
        try:
            unpack = _unpack_zip if archive_suffix(path.name) == ".zip" else _unpack_tar
            unpacking = _Unpacking(tree, settings, whole=whole)
            commit = unpack(path, unpacking, lambda: _Budget(settings, size), settings, cancelled)
            unpacking.make_links()
        except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, OSError, NotImplementedError) as exc:
            raise SourceRejectedError(f"{path.name} cannot be unpacked: {exc}", source=str(path)) from exc
        root, left_out = _without_wrapper(tree, unpacking.left_out) if is_wrapped else (tree, unpacking.left_out)
        yield Checkout(
            root=root,
            source=str(path),
            kind=ARCHIVE,
            name=source.id,
            commit=commit,
            branch=None,
            history=False,
            left_out=tuple(left_out),
        )


NewBudget = Callable[[], _Budget]


def _unpack_tar(
    path: Path, unpacking: _Unpacking, new_budget: NewBudget, settings: IngestSettings, cancelled: Cancelled
) -> str | None:
    opener = open if path.name.lower().endswith(".tar") else gzip.open
    bytes_limit = new_budget().bytes_limit
    limit = bytes_limit + settings.archive_entries * 4096 if bytes_limit else 0
    with opener(path, "rb") as inner:
        stream = cast("IO[bytes]", _BoundedReader(cast("IO[bytes]", inner), limit))
        for _ in _tar_members(_open_tar(stream), new_budget(), cancelled):
            pass  # Everything is counted before the first file is written.
        stream.seek(0)
        archive = _open_tar(stream)
        for name, member in _tar_members(archive, new_budget(), cancelled):
            if member.issym() or member.islnk():
                unpacking.link(name, member.linkname, symbolic=member.issym())
            elif member.isreg():
                content = archive.extractfile(member)
                if not unpacking.unwanted(name, member.size) and content is not None and name != ".":
                    unpacking.write(name, content, executable=bool(member.mode & stat.S_IXUSR))
        comment = archive.pax_headers.get("comment", "")
    return comment if COMMIT.fullmatch(comment) else None


def _open_tar(stream: IO[bytes]) -> tarfile.TarFile:
    # The wrapper owns only the stream.
    return tarfile.open(fileobj=stream, mode="r:")


def _tar_members(
    archive: tarfile.TarFile, budget: _Budget, cancelled: Cancelled
) -> Iterator[tuple[str, tarfile.TarInfo]]:
    """Yield the members with their checked names. Raises: SourceRejectedError, IngestCancelledError."""
    for member in archive:
        _stop_if(cancelled)
        name = _safe_name(member.name)
        budget.entry(name, max(member.size, 0) if member.isreg() else 0)
        if member.issym() or member.islnk():
            _check_link(name, member.linkname, member.issym())
        elif not (member.isreg() or member.isdir()):
            raise SourceRejectedError(f"entry {name!r} is a device or pipe", entry=name)
        yield name, member
        archive.members = []  # type: ignore[attr-defined]  # else the library keeps every entry in memory


def _unpack_zip(
    path: Path, unpacking: _Unpacking, new_budget: NewBudget, settings: IngestSettings, cancelled: Cancelled
) -> str | None:
    budget = new_budget()
    with path.open("rb") as file:
        _check_central_directory(file, budget)
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        for entry in entries:
            budget.entry(_safe_name(entry.filename), entry.file_size)
        for entry in entries:
            _stop_if(cancelled)
            name, mode = _safe_name(entry.filename), entry.external_attr >> 16
            if entry.is_dir():
                continue
            if stat.S_ISLNK(mode):
                with archive.open(entry) as content:
                    unpacking.link(name, content.read(_MAX_LINK_CHARACTERS).decode("utf-8", "replace"), symbolic=True)
            elif stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                raise SourceRejectedError(f"entry {name!r} is a device or pipe", entry=name)
            elif entry.flag_bits & 0x1:
                unpacking.left_out.append(SkippedPath(name, "encrypted"))
            elif not unpacking.unwanted(name, entry.file_size):
                with archive.open(entry) as content:
                    unpacking.write(name, content, executable=bool(mode & stat.S_IXUSR))
        comment = archive.comment.decode("ascii", "replace")
    return comment if COMMIT.fullmatch(comment) else None


def _check_central_directory(file: IO[bytes], budget: _Budget) -> None:
    """Count the headers of a zip's central directory, since the library creates an object for each of them.

    Raises: SourceRejectedError.
    """
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _END_BYTES))
    tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or len(tail) - end < 22:
        # The library reports the damage.
        return
    behind = size - len(tail) + end
    length = int.from_bytes(tail[end + 12 : end + 16], "little")
    if length == _IN_ZIP64:  # Record and locator of 64-bit sizes precede the end record.
        behind -= 76
        file.seek(max(0, behind))
        length = int.from_bytes(file.read(56)[40:48], "little")
    file.seek(max(0, behind - length))
    count = 0
    while file.tell() < behind and (header := file.read(46)).startswith(b"PK\x01\x02") and len(header) == 46:
        count += 1
        budget.check_entries(count)
        file.seek(sum(int.from_bytes(header[at : at + 2], "little") for at in (28, 30, 32)), io.SEEK_CUR)


def _safe_name(name: str) -> str:
    """Normalize an entry's name to forward slashes without `.` parts. Raises: SourceRejectedError if it leaves the
    archive."""
    cleaned = name.replace("\\", "/")
    parts = [part for part in cleaned.split("/") if part not in ("", ".")]
    if cleaned.startswith("/") or ".." in parts or "\0" in name or re.match(r"^[A-Za-z]:", cleaned):
        raise SourceRejectedError(f"entry {name!r} leaves the archive", entry=name)
    return "/".join(parts) or "."


def _check_link(name: str, target: str, relative: bool) -> None:
    """Reject a link that leaves the archive."""
    depth = name.count("/") if relative else 0
    for part in target.replace("\\", "/").split("/"):
        depth += -1 if part == ".." else 0 if part in ("", ".") else 1
        if depth < 0:
            break
    if depth < 0 or target.startswith("/"):
        raise SourceRejectedError(f"entry {name!r} is a link to {target!r}, which leaves the archive", entry=name)


def _without_wrapper(tree: Path, left_out: list[SkippedPath]) -> tuple[Path, list[SkippedPath]]:
    """Return the single folder that contains all entries, if there is one."""
    inside = list(tree.iterdir())
    if len(inside) != 1 or not inside[0].is_dir():
        return tree, left_out
    wrapper = inside[0].name + "/"
    return inside[0], [SkippedPath(entry.path.removeprefix(wrapper), entry.reason) for entry in left_out]


def _stop_if(cancelled: Cancelled) -> None:
    if cancelled():
        raise IngestCancelledError("cancelled while unpacking the archive")
