"""Cache of the results of compilers and checkers by the digest of their inputs.

The folder is `$QUARRY_BUILD_CACHE`, else `build/cache` of a git checkout; an unpacked distribution has none. Files that were not used
for a month are removed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_UNUSED_SECONDS = 30 * 86_400


class BuildCache:
    """Results of one kind that depend on `common`, and each on its own inputs."""

    def __init__(self, kind: str, common: Iterable[bytes]) -> None:
        folder = cache_folder()
        self._folder = folder / kind if folder else None
        self._common = digest(common)
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            _remove_unused(self._folder)

    def restore(self, inputs: Iterable[bytes], target: Path) -> bool:
        """Copy the result of these inputs to `target`; return whether there is one."""
        if self._folder is None:
            return False
        stored = self._folder / digest((self._common.encode(), *inputs))
        try:
            shutil.copyfile(stored, target)
            os.utime(stored)
        except FileNotFoundError:
            return False
        return True

    def store(self, inputs: Iterable[bytes], result: Path) -> None:
        """Keep the result of these inputs."""
        if self._folder is None:
            return
        handle, name = tempfile.mkstemp(dir=self._folder, prefix="new-")
        os.close(handle)
        shutil.copyfile(result, name)
        os.replace(name, self._folder / digest((self._common.encode(), *inputs)))


def cache_folder() -> Path | None:
    """Return the folder of the cache; None if nothing is cached."""
    named = os.environ.get("QUARRY_BUILD_CACHE")
    if named is not None:
        return Path(named).absolute() if named else None
    return ROOT / "build" / "cache" if (ROOT / ".git").exists() else None


def digest(parts: Iterable[bytes]) -> str:
    """Return the SHA-256 of byte strings and their lengths."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()


def read_files(files: Iterable[Path]) -> list[bytes]:
    """Return paths and contents of files, as inputs."""
    return [part for file in sorted(files) for part in (os.path.relpath(file, ROOT).encode(), file.read_bytes())]


def _remove_unused(folder: Path) -> None:
    oldest = time.time() - _UNUSED_SECONDS
    for file in folder.iterdir():
        if file.stat().st_mtime < oldest:
            file.unlink(missing_ok=True)
