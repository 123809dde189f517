"""Localisation without a language model: which files and functions did the fix of an issue touch?

For each issue the repository is laid out at its base commit, without history, indexed by the real pipeline, and asked. Scored by
the bench's own `score.py`, by repository, with parts of the evidence omitted, and with the git history up to the base commit.
Indexes are kept in the work folder, so that a run resumes where it was stopped, and so are their answers for each issue as
features, so that `fit_localisation` can fit weights.

    `BENCH_MIRROR=~/mirrors python -m tests.benchmarks.retrieval.localisation [--only REPO] [--limit N] [--work DIR]`
"""

import argparse
import importlib.util
import json
import math
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from repoquarry.graphstore.search.index.index_store import SearchBackend
from repoquarry.graphstore.search.index.places import CLASS
from repoquarry.graphstore.search.index.search_index import SearchIndex, semantic_scores
from repoquarry.graphstore.search.localization import LocalizationScores, rank_by
from repoquarry.graphstore.search.localization_features import Evidence, gather
from repoquarry.graphstore.search.mentions import extract_mentions
from repoquarry.graphstore.search.text_analysis import terms
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.retrieval.cached_indexes import CachedSearchBackend, kept_libraries, scale_evidence, with_history
from tests.benchmarks.retrieval.commit_cases import BENCH, read_issues

WHOLE: Final = "whole, no git history"
ABLATIONS: Final[Mapping[str, Sequence[str]]] = {
    WHOLE: (),
    "no graph": ("graph", "calls_named", "in_base_of_named"),
    "no embeddings": ("meaning",),
    "no exact names": (
        *("path", "frame", "dotted", "stem", "quoted_definition", "marked_name", "calls_named", "in_base_of_named"),
    ),
    "no words in a row": ("phrase", "bigrams"),
}
"""Features without evidence, on trees without history."""
WITH_HISTORY: Final = "with git history"
CHUNKS: Final = "BM25 over split chunks"
_FILES, _FUNCTIONS = 20, 40
_CHUNK: Final = 40


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    options = parser.parse_args()
    if not has_data():
        return SKIPPED
    issue_file = BENCH / "data" / f"{options.set}.issues.jsonl"
    issues = read_issues(issue_file, options.only, options.limit)
    predictions: dict[str, list[dict[str, Any]]] = {name: [] for name in (*ABLATIONS, WITH_HISTORY, CHUNKS)}
    seconds: dict[str, list[float]] = {}
    asked = []
    for issue, library in kept_libraries(issues, issue_file, options.work, make=not options.kept):
        index = library.indexes.open(library.repository)
        spent, evidence = _ask(library, index, issue["problem_statement"])
        asked.append(issue)
        seconds.setdefault(issue["repo"], []).append(spent)
        for name, absent in ABLATIONS.items():
            rest = scale_evidence(evidence, dict.fromkeys(absent, 0.0))
            predictions[name].append(_prediction(issue["instance_id"], rank_by(index, rest)))
        predictions[CHUNKS].append({"instance_id": issue["instance_id"], "files": _by_chunks(library, index, issue)})
        remembering = with_history(index, library, issue)
        _, evidence = _ask(library, remembering, issue["problem_statement"])
        _save_features(options.work / "features", issue["instance_id"], remembering, evidence)
        predictions[WITH_HISTORY].append(_prediction(issue["instance_id"], rank_by(remembering, evidence)))
    _report(options, asked if options.kept else issues, predictions, seconds)
    return 0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of every benchmark that reads the kept indexes."""
    parser.add_argument("--set", default="dev_py", help="name of the issues file")
    parser.add_argument("--only", default="", help="part of the instance id")
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--work", type=Path, default=Path(os.environ.get("TMPDIR", "/tmp")) / "localisation")
    parser.add_argument("--kept", action="store_true", help="only the issues that are indexed already")


def has_data() -> bool:
    """Return whether the issues and the mirrors exist; report missing ones."""
    needed = (("BENCH_MIRROR", "BENCH_MIRROR" in os.environ), (BENCH, BENCH.is_dir()))
    missing = [str(what) for what, there in needed if not there]
    if missing:
        print(f"needs {' and '.join(missing)}")
    return not missing


def _ask(library: SearchBackend, index: SearchIndex, text: str) -> tuple[float, Evidence]:
    """Answer once to warm up and once for the clock."""
    for _ in range(2):
        began = time.perf_counter()
        mentions = extract_mentions(text)
        evidence = gather(index, mentions, semantic_scores(index, mentions.title, library.embedder))
        rank_by(index, evidence)
        spent = time.perf_counter() - began
    return spent, evidence


def _prediction(name: str, ranking: LocalizationScores) -> dict[str, Any]:
    places = ranking.index.places
    files = [places.path(place) for place in np.argsort(-ranking.files, kind="stable")[:_FILES].tolist()]
    first = places.file_count
    order = first + np.argsort(-ranking.places[first:], kind="stable")[:_FUNCTIONS]
    functions = [f"{places.path(place)}:{places.qualname(place)}" for place in order.tolist()]
    classes = float((places.label[order[:10]] == CLASS).mean()) if len(order) else 0.0
    return {"instance_id": name, "files": files, "functions": functions, "classes": classes}


def _by_chunks(library: CachedSearchBackend, index: SearchIndex, issue: Mapping[str, Any]) -> list[str]:
    """Files by their best chunk of 40 lines: BM25 over split and stemmed words, the path in every chunk."""
    places, live = index.places, index.names_lookup.live
    chunks: list[list[str]] = []
    owners: list[str] = []
    for path in (places.path(file) for file in np.flatnonzero(live[: places.file_count]).tolist()):
        lines = library.source_text(library.repository, path).split("\n")
        for start in range(0, max(1, len(lines)), _CHUNK):
            chunks.append(terms(f"{path}\n" + "\n".join(lines[start : start + _CHUNK])))
            owners.append(path)
    wanted = set(terms(issue["problem_statement"]))
    counts = [Counter(term for term in chunk if term in wanted) for chunk in chunks]
    frequency = Counter(term for count in counts for term in count)
    mean = statistics.mean(map(len, chunks)) or 1.0
    best: dict[str, float] = {}
    for owner, chunk, count in zip(owners, chunks, counts, strict=True):
        norm = 1.2 * (0.25 + 0.75 * len(chunk) / mean)
        score = sum(
            math.log(1 + (len(chunks) - frequency[term] + 0.5) / (frequency[term] + 0.5)) * times * 2.2 / (times + norm)
            for term, times in count.items()
        )
        best[owner] = max(best.get(owner, 0.0), score)
    return sorted(best, key=lambda path: -best[path])[:_FILES]


def _save_features(folder: Path, name: str, index: SearchIndex, evidence: Evidence) -> None:
    """Keep the features of live files and definitions."""
    folder.mkdir(parents=True, exist_ok=True)
    places, live = index.places, index.names_lookup.live
    count = places.file_count
    files, definitions = np.flatnonzero(live[:count]), count + np.flatnonzero(live[count:])
    np.savez_compressed(
        folder / f"{name}.npz",
        file_names=np.array(list(evidence.files)),
        definition_names=np.array(list(evidence.places)),
        files=np.stack([values[files] for values in evidence.files.values()], axis=1),
        definitions=np.stack([values[definitions] for values in evidence.places.values()], axis=1),
        home=np.searchsorted(files, places.file[definitions]),
        paths=np.array([places.path(place) for place in files.tolist()]),
        functions=np.array([f"{places.path(place)}:{places.qualname(place)}" for place in definitions.tolist()]),
    )


def load_scorer() -> Any:
    """The bench's `score.py` as a module."""
    spec = importlib.util.spec_from_file_location("localisation_score", BENCH / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _report(
    options: argparse.Namespace,
    issues: Sequence[Mapping[str, Any]],
    predictions: Mapping[str, list[dict[str, Any]]],
    seconds: Mapping[str, list[float]],
) -> None:
    scorer = load_scorer()
    asked = {issue["instance_id"] for issue in issues}
    gold = [row for row in scorer.load(BENCH / "data" / f"{options.set}.gold.jsonl") if row["instance_id"] in asked]
    print(f"{'':28s}  n   all@1    @5    @10  recall@5  function@5  @10  classes@10  median seconds")
    for name, rows in predictions.items():
        shares = [row["classes"] for row in rows if "classes" in row]
        every = [spent for some in seconds.values() for spent in some]
        _line(name, scorer.score(gold, rows), every, statistics.mean(shares or [0.0]))
    for repo in sorted(seconds):
        own = [row for row in gold if row["repo"] == repo]
        _line(repo, scorer.score(own, predictions[WHOLE]), seconds[repo])
    (options.work / "predictions.jsonl").write_text("\n".join(map(json.dumps, predictions[WHOLE])) + "\n")


def _line(name: str, result: Mapping[str, Mapping[str, float]], seconds: Sequence[float], classes: float = 0.0) -> None:
    """Print a row; `classes` is the share of classes among the first ten definitions."""
    file, function = result["file"], result["function"]
    values = [file.get(name, 0.0) for name in ("all@1", "all@5", "all@10", "recall@5")]
    values += [*(function.get(f"acc@{k}", 0.0) for k in (5, 10)), classes]
    shown = "  ".join(f"{value:.3f}" for value in values)
    print(f"{name:28s} {file.get('n', 0):3.0f}  {shown}   {statistics.median(seconds or [0.0]):.3f}")


if __name__ == "__main__":
    sys.exit(main())
