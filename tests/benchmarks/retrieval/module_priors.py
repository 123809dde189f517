"""Benchmark of module scores that are known before any task: how high they rank the files that fixes touch.

Importance by each score profile and each of its features, next to plain lines and importers, over the live modules of one index for each
profile: share of modules that rank above the gold file, its median, and how often the file is in the upper tenth.

    BENCH_MIRROR=~/mirrors python -m tests.benchmarks.retrieval.module_priors [--only REPO] [--kept] [--work DIR]
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.model.score_profiles import DEGREES_APART, PROFILES
from repoquarry.graphstore.search.index.places import EDGES, MODULE
from repoquarry.graphstore.search.index.search_index import SearchIndex
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.retrieval.cached_indexes import kept_libraries
from tests.benchmarks.retrieval.commit_cases import BENCH, read_issues
from tests.benchmarks.retrieval.localisation import add_options, has_data, load_scorer

Reals = NDArray[np.float64]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    options = parser.parse_args()
    if not has_data():
        return SKIPPED
    issue_file = BENCH / "data" / f"{options.set}.issues.jsonl"
    gold = {row["instance_id"]: row for row in load_scorer().load(BENCH / "data" / f"{options.set}.gold.jsonl")}
    above: dict[str, list[float]] = defaultdict(list)
    issues = read_issues(issue_file, options.only, options.limit)
    for profile in PROFILES:
        for issue, library in kept_libraries(issues, issue_file, options.work, make=not options.kept, profile=profile):
            index = library.indexes.open(library.repository)
            count = index.places.file_count
            live = index.names_lookup.live[:count] & (index.places.label[:count] == MODULE)
            found = by_profile(index, profile, library.scores())
            if profile == DEGREES_APART.name:
                found |= priors(index)
            for name, values in found.items():
                for path in gold[issue["instance_id"]]["gold_files"]:
                    if (file := index.places.by_path.get(path)) is not None:
                        above[name].append(_above(values[live], values[file]))
    print(f"{'':36s}  n   mean above  median  in the upper tenth")
    for name, shares in above.items():
        tenth = np.mean([share < 0.1 for share in shares])
        print(f"{name:36s} {len(shares):3d}  {np.mean(shares):.3f}       {np.median(shares):.3f}   {tenth:.3f}")
    return 0


def _above(values: Reals, own: float) -> float:
    """Share of the modules that score more, ties counted half."""
    return float(((values > own).sum() + ((values == own).sum() - 1) / 2) / len(values))


def by_profile(index: SearchIndex, profile: str, scores: Mapping[str, Mapping[str, float]]) -> dict[str, Reals]:
    """Return importance and features of all files as stored by the profile."""
    paths = index.places.columns.paths
    return {
        f"{profile}: {name}": np.array([scores.get(path, {}).get(name, 0.0) for path in paths])
        for name in ("importance", *PROFILES[profile].features)
    }


def priors(index: SearchIndex) -> Mapping[str, Reals]:
    """Scores of all files; importers are counted without tests."""
    places = index.places
    count = places.file_count
    start, end = places.file[places.edge_start], places.file[places.edge_end]
    imports = ~places.is_test[places.edge_start] & (start != end) & (places.edge_kind == EDGES.index("IMPORTS"))
    return {
        "lines": places.end_line[:count].astype(np.float64),
        "importers": np.log1p(np.bincount(end[imports], minlength=count)),
    }


if __name__ == "__main__":
    sys.exit(main())
