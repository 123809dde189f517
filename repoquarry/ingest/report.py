"""Report of one indexing run: numbers of files and graph rows, skipped files, parse errors, unresolved calls, time and memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from repoquarry.ingest.run_monitor import StageCost

if TYPE_CHECKING:
    from repoquarry.ingest.files.hashing import HashedTree
    from repoquarry.ingest.graph.code_graph import GraphInputs
    from repoquarry.ingest.previous_state import IndexInputs
    from repoquarry.ingest.scip.merge import ScipReport
    from repoquarry.ingest.sources.source import SkippedPath


@dataclass(frozen=True)
class IndexReport:
    repository: str
    source: str
    commit: str | None
    revision: str
    unchanged: bool
    """True if the stored graph was equal already."""
    files: int
    """Number of indexed source files."""
    reused: int
    """Number of source files that were not parsed again."""
    left_out: tuple[SkippedPath, ...]
    left_out_count: int
    counts: dict[str, int]
    """Nodes by label and relationships by type; empty if no graph was built."""
    parse_errors: tuple[str, ...]
    unresolved: dict[str, int]
    history_missing: str
    """Unread parts of the git history with the reason; empty if all was read."""
    costs: tuple[StageCost, ...] = ()
    scip: tuple[ScipReport, ...] = ()

    @property
    def seconds(self) -> float:
        return sum(cost.seconds for cost in self.costs)

    @property
    def peak_memory_bytes(self) -> int:
        return max((cost.peak_memory_bytes for cost in self.costs), default=0)

    @classmethod
    def of_nothing_new(cls, inputs: IndexInputs, hashed: HashedTree, revision: str) -> IndexReport:
        """Report a run that found no change."""
        files = sum(file.kind == "source" for file in hashed.files)
        return cls(
            repository=inputs.repository,
            source=inputs.checkout.source,
            commit=inputs.checkout.commit,
            revision=revision,
            unchanged=True,
            files=files,
            reused=files,
            left_out=tuple(hashed.left_out.told()),
            left_out_count=hashed.left_out.count,
            counts={},
            parse_errors=(),
            unresolved={},
            history_missing=inputs.checkout.git_problem,
        )

    @classmethod
    def of_graph(cls, parts: GraphInputs, counts: dict[str, int], revision: str, reused: int) -> IndexReport:
        """Report a run that built a graph; `counts` and `reused` as the fields."""
        unresolved: Counter[str] = Counter()
        for call in parts.resolution.unresolved:
            unresolved[call.reason] += call.count
        return cls(
            repository=parts.repository,
            source=parts.checkout.source,
            commit=parts.checkout.commit,
            revision=revision,
            unchanged=False,
            files=len(parts.files),
            reused=reused,
            left_out=tuple(parts.left_out.told()),
            left_out_count=parts.left_out.count,
            counts=counts,
            parse_errors=tuple(facts.path for facts in parts.files if facts.parse_errors),
            unresolved=dict(unresolved),
            history_missing=parts.history.missing,
            scip=tuple(parts.scip),
        )
