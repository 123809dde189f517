"""Indexes of the repositories that issues are about, made by the real pipeline once for each issue and kept in a folder.

Indexing all of them takes an hour and more and asking them minutes, so a run can be stopped at any moment and resumes where it
was, and what only reads indexes can be measured again and again. Issues of one project are laid out in the same folder, one
after the other, so that the pipeline parses only changed files again, as it does for everybody.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
import zstandard

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.model.score_profiles import DEGREES_APART, FEATURES
from repoquarry.graphstore.search.embeddings.embedder import Embedder, Vectors, create
from repoquarry.graphstore.search.index.commit_index import build_commit_index
from repoquarry.graphstore.search.index.index_store import SearchIndexStore
from repoquarry.graphstore.search.index.search_index import SearchIndex
from repoquarry.graphstore.search.localization_features import Evidence
from repoquarry.graphstore.settings import EmbeddingSettings, StoreSettings
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.benchmarks.retrieval.commit_cases import Issue, history_before, lay_out
from tests.source_trees import read_texts

_INDEX, _TEXTS, _COSTS, _HISTORY, _SCORES = "index", "texts.zst", "costs.json", "history.zst", "scores.json"


@dataclass(frozen=True)
class CachedSearchBackend:
    """One kept index with the texts that it was made from, as search and context read them."""

    folder: Path
    embedder: Embedder | None

    @property
    def repository(self) -> str:
        return self.folder.name

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Nothing is embedded any more: the index has the vectors."""
        raise NotFoundError("a kept index is not embedded again", kind="embedder", value="")

    def text_repositories(self) -> Sequence[str]:
        return [self.repository]

    def text_revisions(self) -> Mapping[str, str]:
        return {self.repository: _INDEX}

    def revision(self, repository: str) -> str:
        """Names the folder that the index is kept in."""
        return _INDEX

    @cached_property
    def indexes(self) -> SearchIndexStore:
        """The kept index alone."""
        return SearchIndexStore(self.folder.parent, self)

    def graph(self, repository: str) -> RepositoryGraph:
        """The graph is not kept. Raises: NotFoundError, always."""
        raise NotFoundError(f"{self.folder} holds an older format: delete it", kind="repository", value=repository)

    def history(self, repository: str) -> GitHistory:
        """Trees are laid out without history."""
        return GitHistory([], [])

    def warn(self, text: str, seconds: float = 0.0) -> None:
        raise AssertionError(text)

    def source_text(self, repository: str, path: str) -> str:
        try:
            return self._texts[path]
        except KeyError:
            raise NotFoundError(f"no indexed file {path!r}", kind="file", value=path) from None

    def scores(self) -> dict[str, dict[str, float]]:
        """Features and importance of modules by path; empty for indexes that were kept before these were."""
        kept = self.folder / _SCORES
        return msgspec.json.decode(kept.read_bytes(), type=dict[str, dict[str, float]]) if kept.exists() else {}

    @cached_property
    def _texts(self) -> dict[str, str]:
        raw = zstandard.ZstdDecompressor().decompress((self.folder / _TEXTS).read_bytes())
        return msgspec.msgpack.decode(raw, type=dict[str, str])


def scale_evidence(evidence: Evidence, factors: Mapping[str, float]) -> Evidence:
    """Multiply features by these factors; 0 omits a feature."""
    sides = (evidence.files, evidence.places)
    return Evidence(*({name: side[name] * np.float32(factors.get(name, 1.0)) for name in side} for side in sides))


def with_history(index: SearchIndex, library: CachedSearchBackend, issue: Issue) -> SearchIndex:
    """The index as it would be had the tree been a clone that ends with the base commit."""
    kept = library.folder / _HISTORY
    if not kept.exists():
        kept.write_bytes(history_before(issue, IngestSettings().history_commits).encode())
    return replace(index, past=build_commit_index(GitHistory.decode(kept.read_bytes()), index.places.by_path))


def kept_libraries(
    issues: Sequence[Issue], issue_file: Path, work: Path, *, make: bool = True, profile: str = DEGREES_APART.name
) -> Iterator[tuple[Issue, CachedSearchBackend]]:
    """Yield each issue with its index, made first where it is missing; issues without a tree are named and skipped.

    Without `make` the issues whose index is missing are skipped too, and another process may be making them.
    """
    folder = work / ("kept" if profile == DEGREES_APART.name else f"kept-{profile}")
    folder.mkdir(parents=True, exist_ok=True)
    embedder = create(EmbeddingSettings())
    with ExitStack() as stack:
        store: Store | None = None
        for issue in issues:
            kept = folder / issue["instance_id"]
            if not kept.is_dir():
                if not make:
                    continue
                store = store or stack.enter_context(Store.open(StoreSettings(work / "store"), writable=True))
                tree = lay_out(issue, issue_file, work / "trees")
                if tree is None:
                    continue
                keep(store, tree, kept, profile)
            yield issue, CachedSearchBackend(kept, embedder)


def keep(store: Store, tree: Path, kept: Path, profile: str) -> None:
    """Index a tree and keep what it gave; the finished folder appears by one rename."""
    report = index_repository(str(tree), store, IngestSettings(score_profile=profile))
    part = kept.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(store.indexes.index_folder(report.repository), part / _INDEX)
    texts = msgspec.msgpack.encode(read_texts(store.sources, report.repository))
    (part / _TEXTS).write_bytes(zstandard.ZstdCompressor().compress(texts))
    (part / _COSTS).write_bytes(msgspec.json.encode(report.costs))
    (part / _SCORES).write_bytes(msgspec.json.encode(_scores(store, report.repository)))
    part.rename(kept)
    print(f"{kept.name}: indexed in {report.seconds:.0f} s, {report.reused} files known", file=sys.stderr)


def _scores(store: Store, repository: str) -> dict[str, dict[str, float]]:
    """The stored features and importance of every module by path."""
    wanted = (*FEATURES, "importance")
    tables = [table for table in store.graph(repository).nodes if table.label == "Module"]
    return {
        str(table.columns["path"][row]): {name: float(str(table.columns[name][row])) for name in wanted}
        for table in tables
        for row in range(len(table))
    }
