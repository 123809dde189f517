"""List of repositories whose deletion was started, one file of the data folder.

A deletion removes the graph, then the texts. Where the disk is too full to remove the texts, the repository is deleted all the same, and
the next writer removes them.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Final

from repoquarry.graphstore.errors import StoreFullError
from repoquarry.graphstore.storage.sqlite_database import translate_write_errors

_FILE_NAME: Final = "deletions.json"


class UnfinishedDeletions:
    """Names in the file of a data folder; the holder of the writer lock changes them."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE_NAME

    def list_names(self) -> list[str]:
        """List the names; a file that was cut counts as empty, because nothing was deleted before it was whole."""
        with contextlib.suppress(FileNotFoundError, ValueError):
            return [str(name) for name in json.loads(self._path.read_bytes())]
        return []

    def add(self, name: str) -> None:
        """Add a name. Raises: StoreFullError, StoreUnwritableError; then nothing was changed."""
        self._save([*self.list_names(), name])

    def remove(self, name: str) -> None:
        """Remove a name; on a full disk the name stays, which the next writer notices."""
        left = [other for other in self.list_names() if other != name]
        if left:
            with contextlib.suppress(StoreFullError):
                self._save(left)
        else:
            self._path.unlink(missing_ok=True)

    def _save(self, names: list[str]) -> None:
        part = self._path.with_suffix(".part")
        with translate_write_errors(self._path):
            part.write_text(json.dumps(names), encoding="utf-8")
            part.replace(self._path)
