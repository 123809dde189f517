"""Report of one indexing run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from repoquarry.ingest.files.hashing import HashedTree
from repoquarry.ingest.previous_state import IndexInputs
from repoquarry.ingest.run_monitor import StageCost
from repoquarry.ingest.sources.source import SkippedPath

if TYPE_CHECKING:
    from repoquarry.ingest.graph.code_graph import GraphInputs


@dataclass(frozen=True)
class IndexReport:
    """What an indexing run did."""

    repository: str
    source: str
    commit: str | None
    revision: str
    unchanged: bool
    """The stored graph was already equal to what would have been written."""
    files: int
    """Source files that were indexed."""
    reused: int
    """Of these, files that had not to be parsed."""
    left_out: tuple[SkippedPath, ...]
    left_out_count: int
    counts: dict[str, int]
    """Nodes by label and relationships by type; empty when the run ended before a graph was made."""
    parse_errors: tuple[str, ...]
    """Paths of files with syntax errors."""
    unresolved: dict[str, int]
    """Unresolved call sites by reason."""
    history_missing: str
    """What of the git history was not read, and why; empty when all was."""
    costs: tuple[StageCost, ...] = ()

    @property
    def seconds(self) -> float:
        return sum(cost.seconds for cost in self.costs)

    @property
    def peak_memory_bytes(self) -> int:
        return max((cost.peak_memory_bytes for cost in self.costs), default=0)

    @classmethod
    def of_nothing_new(cls, inputs: IndexInputs, hashed: HashedTree, revision: str) -> IndexReport:
        """Of a run that ended once its files were hashed, as their graph is stored already."""
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
            history_missing="",
        )

    @classmethod
    def of_graph(cls, parts: GraphInputs, counts: dict[str, int], revision: str, reused: int) -> IndexReport:
        """Of a run that made a graph, whether or not it has to be written; `counts` and `reused` as the fields."""
        unresolved: Counter[str] = Counter()
        for call in parts.resolution.unresolved:
            unresolved[call.reason] += call.count
        return cls(
            repository=parts.origin.repository,
            source=parts.origin.source,
            commit=parts.origin.commit,
            revision=revision,
            unchanged=False,
            files=len(parts.files),
            reused=reused,
            left_out=tuple(parts.left_out),
            left_out_count=parts.left_out_count,
            counts=counts,
            parse_errors=tuple(facts.path for facts in parts.files if facts.parse_errors),
            unresolved=dict(unresolved),
            history_missing=parts.history.missing,
        )
