"""Settings of ingestion: worker processes, limits on files, git and archives, score profile, and budgets of the resolver."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.model.score_profiles import DEGREES_APART

MIB = 1024 * 1024
GIB = 1024 * MIB


@dataclass(frozen=True)
class IngestSettings:
    """Limits and choices of one indexing run."""

    workers: int = 0
    """Processes that extract files; 0 means one for each core that this process may use, at most eight."""
    worker_memory_bytes: int = 2 * GIB
    """Private memory of one worker, which mapped files do not count for; 0 means no limit."""
    file_seconds: float = 60.0
    """Time that one file may take to extract before its worker is ended; 0 means no limit."""
    max_file_bytes: int = 2 * MIB
    """Larger source files are skipped; 0 means no limit."""
    max_document_bytes: int = MIB
    """Larger prose files are skipped; 0 means no limit."""
    max_files: int = 100_000
    """Files beyond this number are skipped, in path order; 0 means no limit."""
    index_generated: bool = False
    """True if all files that say that they are generated are indexed; otherwise only those that an indexed file imports."""
    index_vendored: bool = False
    """True if third-party code kept inside the repository (`node_modules`, `vendor`, ...) is indexed."""
    git_depth: int = 1_000
    """Commits that are fetched of a git address; 0 means the whole history."""
    git_seconds: float = 900.0
    """Time that fetching a git address may take; 0 means no limit."""
    git_bytes: int = 8 * GIB
    """Disk space that a clone may take; 0 means no limit."""
    history_commits: int = 10_000
    """Newest commits that are read for scores and co-change; 0 means no git history."""
    archive_bytes: int = 2 * GIB
    """Total size to which an archive may unpack; 0 means no limit."""
    archive_entries: int = 200_000
    """Number of entries that an archive may have; 0 means no limit."""
    archive_ratio: int = 200
    """How many times its own size an archive may unpack to, beyond its first 64 MiB; 0 means no limit."""
    score_profile: str = DEGREES_APART.name
    """How importance follows from the features of modules: `paper` (RepoMaster) or `degrees` (ours), see `score_profiles`."""
    core_classes: int = 10
    """Number of classes that are core components: those with the highest J(c) (RepoMaster, 4.2). 0 means none."""
    resolver_steps: int = 0
    """Propagated facts in the resolver's fixpoint; 0 lets the resolver derive it from the repository's size."""
    resolver_memory_bytes: int = 0
    """Private memory of the resolver's process, which mapped files do not count for; 0 means no limit."""
    scratch: Path | None = None
    """Folder for clones and unpacked archives; None means the system's temporary folder."""

    @property
    def worker_count(self) -> int:
        """The number of worker processes that `workers` stands for."""
        return self.workers or min(8, usable_cores())


def usable_cores() -> int:
    """Cores that this process may run on (its affinity where the system tells it)."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
