"""Does git history help to find what a commit will touch? Subjects of real commits against the tree before all of them.

For each repository the newest commits that touch one to eight source files are the cases; the tree is that of a commit before all of
them, indexed once by the real pipeline without git, and asked with the history up to that commit and without. The answer is
the touched files that the tree has, without tests.

    BENCH_MIRROR=~/mirrors python -m tests.benchmarks.retrieval.history_commits [--only REPO] [--count N] [--work DIR]
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from repoquarry.graphstore.model.score_profiles import DEGREES_APART
from repoquarry.graphstore.search.embeddings.embedder import create
from repoquarry.graphstore.search.index.commit_index import build_commit_index
from repoquarry.graphstore.search.index.search_index import SearchIndex, semantic_scores
from repoquarry.graphstore.search.localization import rank_by
from repoquarry.graphstore.search.localization_features import FILE_WEIGHTS, gather
from repoquarry.graphstore.search.mentions import extract_mentions
from repoquarry.graphstore.settings import EmbeddingSettings, StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.settings import IngestSettings
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.retrieval.cached_indexes import CachedSearchBackend, keep, scale_evidence
from tests.benchmarks.retrieval.commit_cases import CommitCase, Mirror

REPOSITORIES: Final = ("scrapy/scrapy", "pallets/flask", "psf/requests", "pytest-dev/pytest")
VARIANTS: Final[Mapping[str, Mapping[str, float]]] = {
    "without history": {"spoken_of": 0.0, "changed_with": 0.0},
    "with history": {},
    "messages at weight 3": {"spoken_of": 3.0 / FILE_WEIGHTS["spoken_of"]},
}


@dataclass(frozen=True)
class Question:
    """A task in natural language, and the files that answer it."""

    text: str
    gold: frozenset[int]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="part of a repository's name")
    parser.add_argument("--count", type=int, default=200, help="commits of each repository")
    parser.add_argument("--work", type=Path, default=Path(os.environ.get("TMPDIR", "/tmp")) / "history_commits")
    options = parser.parse_args()
    if "BENCH_MIRROR" not in os.environ:
        print("needs BENCH_MIRROR, a folder of bare clones OWNER+NAME/repo")
        return SKIPPED
    mirrors = [mirror for name in REPOSITORIES if options.only in name and (mirror := Mirror.of(name))]
    if not mirrors:
        print(f"needs a clone of one of {', '.join(REPOSITORIES)} in BENCH_MIRROR")
        return SKIPPED
    ranks: dict[tuple[str, str], list[int]] = {}
    for mirror in mirrors:
        library, index, cases = prepare(mirror, options.count, options.work)
        for question in questions(index, cases):
            for name, rank in ranks_of(library, index, question).items():
                ranks.setdefault((mirror.repository, name), []).append(rank)
                ranks.setdefault(("all", name), []).append(rank)
    _report(ranks)
    return 0


def prepare(mirror: Mirror, count: int, work: Path) -> tuple[CachedSearchBackend, SearchIndex, list[CommitCase]]:
    """The index of the base tree, which is made where it is missing and kept, with the past up to the base; and the cases."""
    base, cases = mirror.cases(count)
    kept = work / "kept" / f"{mirror.repository.replace('/', '__')}-{base[:12]}"
    if not kept.is_dir():
        kept.parent.mkdir(parents=True, exist_ok=True)
        tree = work / "trees" / mirror.repository.replace("/", "__")
        mirror.lay_out(base, tree)
        with Store.open(StoreSettings(work / "store"), writable=True) as store:
            keep(store, tree, kept, DEGREES_APART.name)
    library = CachedSearchBackend(kept, create(EmbeddingSettings()))
    index = library.indexes.open(library.repository)
    history = mirror.history(base, IngestSettings().history_commits)
    return library, replace(index, past=build_commit_index(history, index.places.by_path)), cases


def questions(index: SearchIndex, cases: Sequence[CommitCase]) -> Iterator[Question]:
    """The cases that can be answered: those with a live file."""
    live = index.names_lookup.live
    for case in cases:
        files = [index.places.by_path[path] for path in case.paths if path in index.places.by_path]
        if gold := frozenset(file for file in files if live[file]):
            yield Question(case.subject, gold)


def ranks_of(library: CachedSearchBackend, index: SearchIndex, question: Question) -> dict[str, int]:
    """Rank of the first right file by each variant."""
    mentions = extract_mentions(question.text)
    evidence = gather(index, mentions, semantic_scores(index, mentions.title, library.embedder))
    found = {}
    for name, factors in VARIANTS.items():
        files = rank_by(index, scale_evidence(evidence, factors)).files
        order = np.argsort(-files, kind="stable").tolist()
        found[name] = 1 + next(place for place, file in enumerate(order) if file in question.gold)
    return found


def _report(ranks: Mapping[tuple[str, str], Sequence[int]]) -> None:
    print(f"{'':44s}   n  hit@1   @3    @5    MRR")
    for (repository, variant), places in sorted(ranks.items(), key=lambda item: item[0][0] == "all"):
        found = np.array(places)
        hits = "  ".join(f"{np.mean(found <= k):.3f}" for k in (1, 3, 5))
        print(f"{repository + ', ' + variant:44s} {len(found):3d}  {hits}  {np.mean(1 / found):.3f}")


if __name__ == "__main__":
    sys.exit(main())
