"""Disk cache of provisioned environments by the digest of a request or lock file, with eviction by age and size.

`<root>/<name>/env` is an environment, `files.txt` next to it the list of its files, `record.json` its record. The record is written last
and has a digest, so a folder without a valid record is unfinished or damaged. An environment whose files changed is built again. Users of an
environment hold a shared lock on `<root>/<name>.lock`; removal takes the lock exclusively.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import logging
import os
import shutil
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from repoquarry.execution.isolation.commands import folder_bytes
from repoquarry.processes.scratch import remove_abandoned

_log = logging.getLogger(__name__)
_FILES = "files.txt"


def _lines(path: Path) -> list[str]:
    with contextlib.suppress(OSError):
        return path.read_text(encoding="utf-8").splitlines()
    return []


@dataclass(frozen=True)
class CachedEnvironment:
    """Finished environment in the cache."""

    name: str
    folder: Path
    record: Mapping[str, Any]

    @property
    def path(self) -> Path:
        return self.folder / "env"

    @property
    def size_bytes(self) -> int:
        return int(self.record["size_bytes"])

    @property
    def used(self) -> float:
        """Time of the last use in seconds since the epoch."""
        with contextlib.suppress(OSError):
            return (self.folder / "record.json").stat().st_mtime
        return 0.0

    @property
    def language(self) -> str:
        return str(self.record.get("language", "python"))

    @property
    def created(self) -> float:
        """Seconds since the epoch."""
        return float(self.record.get("created", 0.0))

    @property
    def repository(self) -> str:
        """Name of the first repository with this environment; repositories with equal requirements share it."""
        return str(self.record.get("repository", ""))

    @property
    def owner(self) -> str:
        """Owner by the service's token; empty for tasks and for commands on this machine."""
        return str(self.record.get("owner", ""))


def content_key(*parts: object) -> str:
    """Compute the digest of JSON values."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:40]


def _list_files(environment: Path) -> list[str]:
    """List size, modification time and path of each file; compiled modules are omitted, since commands may add them."""
    found = []
    for folder, folders, names in os.walk(environment):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for path in (os.path.join(folder, name) for name in names):
            with contextlib.suppress(FileNotFoundError):
                status = os.lstat(path)
                found.append(f"{status.st_size} {status.st_mtime_ns} {os.path.relpath(path, environment)!r}")
    return sorted(found)


class EnvironmentCache:
    """Cache of the environments below one folder."""

    def __init__(self, root: Path, limit_bytes: int, keep_hours: float = 0.0) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root.resolve()
        self._limit_bytes = limit_bytes
        self._keep_hours = keep_hours
        self._building: dict[str, TextIO] = {}

    @property
    def wheels(self) -> Path:
        """Cache of downloaded wheels."""
        return self.root / ".wheels"

    def all(self) -> list[CachedEnvironment]:
        """List all finished environments, least recently used first."""
        found = [stored for path in self.root.glob("*/record.json") if (stored := self._read(path.parent))]
        return sorted(found, key=lambda item: item.used)

    @staticmethod
    def _read(folder: Path) -> CachedEnvironment | None:
        with contextlib.suppress(OSError, ValueError):
            record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
            if isinstance(record, dict) and record.pop("digest", "") == content_key(record):
                return CachedEnvironment(folder.name, folder, record)
        return None

    def find(self, key: str) -> CachedEnvironment | None:
        """Find an environment by the key of its request or of its lock; a damaged one is removed, or if in use never found again."""
        for item in self.all():
            if key in item.record["keys"]:
                listed = _lines(item.folder / _FILES)
                if content_key(listed) == item.record["files"] and set(listed) <= set(_list_files(item.path)):
                    return item
                _log.warning("environment_damaged name=%s", item.name)
                if not self.remove(item.name):
                    self._with(item, keys=[])
        return None

    def start(self) -> Path:
        """Create a folder for an environment; only `finish` makes it permanent."""
        self.remove_abandoned()
        folder = self.root / f"e{uuid.uuid4().hex[:12]}"
        lock = (self.root / f"{folder.name}.lock").open("a")
        fcntl.flock(lock, fcntl.LOCK_SH)  # The lock is released when this process exits, however it exits.
        self._building[folder.name] = lock
        folder.mkdir()
        return folder

    def remove_abandoned(self) -> None:
        """Remove unfinished environments, those with a damaged record, and scratch folders of killed processes."""
        for folder in self.root.glob("e*"):
            is_used = folder.name in self._building or self._holders(folder)
            if folder.is_dir() and self._read(folder) is None and not is_used:
                self._remove_alone(folder)
        remove_abandoned(self.root)

    def _remove_alone(self, folder: Path) -> bool:
        """Remove a folder; return False if a process builds or uses it."""
        lock = self.root / f"{folder.name}.lock"
        with lock.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            (folder / "record.json").unlink(missing_ok=True)
            shutil.rmtree(folder, ignore_errors=True)
            lock.unlink(missing_ok=True)
        return True

    def finish(self, folder: Path, record: Mapping[str, Any]) -> CachedEnvironment:
        """Publish an environment, and evict others over the limits."""
        listed = _list_files(folder / "env")
        (folder / _FILES).write_text("".join(f"{line}\n" for line in listed), encoding="utf-8")
        full = {**record, "files": content_key(listed), "size_bytes": folder_bytes(folder), "created": time.time()}
        self._write(folder, full)
        self._release(folder)
        stored = CachedEnvironment(folder.name, folder, full)
        self.evict(keep=stored.name)
        _log.info("environment_made name=%s bytes=%d", stored.name, stored.size_bytes)
        return stored

    def add_key(self, stored: CachedEnvironment, key: str) -> CachedEnvironment:
        """Add a key by which `find` returns an environment."""
        return self._with(stored, keys=list(dict.fromkeys((*stored.record["keys"], key))))

    def own(self, stored: CachedEnvironment, owner: str) -> CachedEnvironment:
        return self._with(stored, owner=owner)

    def _with(self, stored: CachedEnvironment, **values: object) -> CachedEnvironment:
        record = {**stored.record, **values}
        self._write(stored.folder, record)
        return CachedEnvironment(stored.name, stored.folder, record)

    @contextlib.contextmanager
    def using(self, stored: CachedEnvironment) -> Iterator[CachedEnvironment]:
        """Prevent the removal of an environment by any process while the block runs."""
        with (self.root / f"{stored.name}.lock").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            with contextlib.suppress(OSError):
                os.utime(stored.folder / "record.json")
            yield stored

    def hold(self, stored: CachedEnvironment, holder: Path) -> None:
        """Prevent the removal of an environment while a folder exists: the workspace of the task that uses it."""
        holders = stored.folder / "holders"
        kept = {line for line in _lines(holders) if Path(line).exists()} | {str(holder)}
        holders.write_text("".join(f"{line}\n" for line in sorted(kept)), encoding="utf-8")

    def remove(self, name: str) -> bool:
        """Remove an environment; return False if the name is unknown or the environment is in use."""
        stored = self.find_by_name(name)
        return stored is not None and not self._holders(stored.folder) and self._remove_alone(stored.folder)

    def find_by_name(self, name: str) -> CachedEnvironment | None:
        return self._read(self.root / name) if name not in ("", "..") and Path(name).name == name else None

    def in_use(self, stored: CachedEnvironment) -> bool:
        """Return whether a stored task or a running command uses the environment."""
        if self._holders(stored.folder):
            return True
        with contextlib.suppress(OSError), (self.root / f"{stored.name}.lock").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return False
        return True

    @staticmethod
    def _holders(folder: Path) -> int:
        return sum(Path(line).exists() for line in _lines(folder / "holders"))

    def discard(self, folder: Path) -> None:
        """Remove an unfinished environment."""
        shutil.rmtree(folder, ignore_errors=True)
        self._release(folder)

    def _release(self, folder: Path) -> None:
        if lock := self._building.pop(folder.name, None):
            lock.close()

    def evict(self, keep: str = "") -> list[str]:
        """Remove expired environments, then the least recently used until the size limit holds. Returns the removed names."""
        stored = self.all()
        total = sum(item.size_bytes for item in stored)
        oldest = time.time() - self._keep_hours * 3_600 if self._keep_hours else 0.0
        removed = []
        for item in stored:
            if item.used >= oldest and (not self._limit_bytes or total <= self._limit_bytes):
                break
            if item.name != keep and self.remove(item.name):
                total -= item.size_bytes
                removed.append(item.name)
        return removed

    @staticmethod
    def _write(folder: Path, record: Mapping[str, Any]) -> None:
        partial = folder / f"record-{uuid.uuid4().hex[:8]}.partial"
        sealed = {**record, "digest": content_key(record)}
        partial.write_text(json.dumps(sealed, indent=1, default=str), encoding="utf-8")
        partial.replace(folder / "record.json")
