"""The files of the checked-out commit by content, to tell whether the working tree differs from it.

`git status` would run filters and monitors that the repository's own configuration names, so the comparison is made here: the
hash that git gives a file is computed from the bytes that are read for indexing anyway.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.base import Checkout
from repoquarry.ingest.sources.git_command import GitFailedError, run_git
from repoquarry.languages.registry import is_source

_LINK, _SUBMODULE = "120000", "160000"


@dataclass(frozen=True)
class GitTree:
    """Regular files of one commit below the root."""

    blobs: Mapping[str, str]
    """Path -> git's hash of the content."""

    @classmethod
    def of(cls, checkout: Checkout, settings: IngestSettings) -> GitTree | None:
        """The tree of the checked-out commit; None outside git."""
        if not checkout.history:
            return None
        try:
            listed = run_git(["ls-tree", "-r", "-z", "HEAD"], cwd=checkout.root, seconds=settings.git_read_seconds)
        except GitFailedError:
            return None
        blobs: dict[str, str] = {}
        for record in listed.decode("utf-8", "surrogateescape").split("\0"):
            head, tab, path = record.partition("\t")
            if tab and head.split(" ", 1)[0] not in (_LINK, _SUBMODULE):
                blobs[path] = head.rsplit(" ", 1)[-1]
        return cls(blobs)

    def holds(self, path: str, content: bytes) -> bool:
        """Whether the commit holds this content at this path, line breaks aside."""
        expected = self.blobs.get(path)
        if expected is None:
            return False
        return expected in (_blob_hash(content, expected), _blob_hash(content.replace(b"\r\n", b"\n"), expected))

    def lacks(self, present: Collection[str], left_out: Collection[str]) -> bool:
        """Whether a source file of the commit is neither present nor left out: it was deleted from the working tree."""
        folders = tuple(path for path in left_out if path.endswith("/"))
        gone = (path for path in self.blobs if is_source(path) and path not in present and path not in left_out)
        return any(not path.startswith(folders) for path in gone)


def _blob_hash(content: bytes, like: str) -> str:
    algorithm = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return algorithm(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
