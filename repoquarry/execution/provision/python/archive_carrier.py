"""Script that downloads a source archive or repacks it under another folder name; runs in the sandbox.

    carrier.py get ADDRESS FILE         writes the content of an address
    carrier.py pack ARCHIVE STEM FILE   writes the archive's files below the folder STEM as a gzipped tar file

Entries are copied one by one, and no file is unpacked.
"""

import io
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator

MAX_BYTES = 1024 * 1024 * 1024
ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.5, */*;q=0.1"
SECONDS = 120


def get(address: str, file: str) -> None:
    request = urllib.request.Request(address, headers={"Accept": ACCEPT})  # noqa: S310  the index of the settings
    with urllib.request.urlopen(request, timeout=SECONDS) as answer, open(file, "wb") as out:  # noqa: S310
        left = MAX_BYTES
        while left > 0 and (part := answer.read(min(left, 1 << 20))):
            out.write(part)
            left -= len(part)
    if not left:
        sys.exit("it is too large")


def pack(archive: str, stem: str, file: str) -> None:
    entries = from_zip(archive) if archive.endswith(".zip") else from_tar(archive)
    with tarfile.open(file, "w:gz") as out:
        for path, mode, content in entries:
            inside = path.partition("/")[2]
            if inside and ".." not in inside.split("/"):
                entry = tarfile.TarInfo(stem + "/" + inside)
                entry.size, entry.mode = len(content), mode or 0o644
                out.addfile(entry, io.BytesIO(content))


def from_tar(archive: str) -> Iterator[tuple[str, int, bytes]]:
    with tarfile.open(archive) as source:
        for entry in source:
            if entry.isfile() and (content := source.extractfile(entry)):
                yield entry.name.removeprefix("./"), entry.mode & 0o777, content.read()


def from_zip(archive: str) -> Iterator[tuple[str, int, bytes]]:
    with zipfile.ZipFile(archive) as source:
        for entry in source.infolist():
            if not entry.is_dir():
                yield entry.filename, entry.external_attr >> 16 & 0o777, source.read(entry)


if __name__ == "__main__":
    if sys.argv[1] == "get":
        get(*sys.argv[2:])
    else:
        pack(*sys.argv[2:])
