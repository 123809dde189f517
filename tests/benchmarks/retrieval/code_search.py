"""Code search: the first line of a docstring must find its function among 3,000 of django and scrapy.

Setting: every function and method under `django/` and `scrapy/` with a docstring whose first line no other function
shares, without tests; 3,000 of them by a fixed seed. The query is that line. The document is path, qualified name and
source without the docstring; the plainest BM25 sees the source alone. The measures are the mean reciprocal rank (ties
count as the middle of their ranks) and the recall. Fusion adds z-scores over all documents of a query.

    BENCH_SOURCES=~/trees python -m tests.benchmarks.retrieval.code_search [--sentence-transformers MODEL]

`BENCH_SOURCES` holds unpacked source distributions, `[Dd]jango-5.2*` and `scrapy*`.
"""

import argparse
import os
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.search.embeddings.embedder import Embedder, create, document_text
from repoquarry.graphstore.search.text_analysis import terms
from repoquarry.graphstore.settings import EmbeddingSettings
from scripts.static_model.corpus import documented, first_line
from tests.benchmarks.__main__ import SKIPPED

CASES: Final = 3_000
_TREES: Final = (("[Dd]jango-*", "django"), ("[Ss]crapy*", "scrapy"))

Scores = NDArray[np.float32]


@dataclass(frozen=True)
class Case:
    """One function to find."""

    query: str
    path: str
    qualname: str
    code: str

    @property
    def document(self) -> str:
        return document_text(self.path, self.qualname, self.code)


def cases_of(functions: Sequence[tuple[str, str, str, str]], count: int = CASES, seed: int = 0) -> list[Case]:
    """Return `count` cases of (path, qualname, docstring, code) rows, those with a first line of their own."""
    by_line: defaultdict[str, list[Case]] = defaultdict(list)
    for path, qualname, prose, code in functions:
        line = first_line(prose)
        by_line[line].append(Case(line, path, qualname, code))
    single = [cases[0] for line, cases in sorted(by_line.items()) if len(cases) == 1]
    return random.Random(seed).sample(single, min(count, len(single)))


def functions_in(tree: Path, package: str) -> list[tuple[str, str, str, str]]:
    """Return (path, qualname, docstring, code) of the documented functions of a source tree, without tests."""
    found = []
    for file in sorted((tree / package).rglob("*.py")):
        path = file.relative_to(tree).as_posix()
        if "tests" in path.split("/"):
            continue
        try:
            rows = list(documented(file.read_text(encoding="utf-8")))
        except (SyntaxError, UnicodeDecodeError):
            continue
        found += [(path, row.qualname, row.prose, row.code) for row in rows if not row.is_class]
    return sorted(found)


def bm25(
    queries: Sequence[Sequence[str]], documents: Sequence[Sequence[str]], k1: float = 1.5, b: float = 0.75
) -> Scores:
    """Return the (queries, documents) BM25 scores, in Lucene's form."""
    lengths = np.array([len(document) for document in documents], np.float32)
    held: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, document in enumerate(documents):
        for term, count in Counter(document).items():
            held[term].append((number, count))
    damping = k1 * (1 - b + b * lengths / lengths.mean())
    scores = np.zeros((len(queries), len(documents)), np.float32)
    for row, query in zip(scores, queries, strict=True):
        for term, repeats in Counter(query).items():
            if term in held:
                at, counts = np.array(held[term]).T
                rarity = np.log(1 + (len(documents) - len(at) + 0.5) / (len(at) + 0.5))
                row[at] += repeats * rarity * counts / (counts + damping[at])
    return scores


def _ranks(scores: Scores) -> NDArray[np.float64]:
    """Return the rank of document `i` for query `i`."""
    right = np.diag(scores)[:, None]
    return np.asarray(1 + (scores > right).sum(axis=1) + ((scores == right).sum(axis=1) - 1) / 2)


def mean_reciprocal_rank(scores: Scores) -> float:
    """Return the MRR where query `i` is answered by document `i`."""
    return float((1 / _ranks(scores)).mean())


def fused(keyword: Scores, semantic: Scores, keyword_share: float) -> Scores:
    """Add the z-scores of both."""
    return keyword_share * _standard(keyword) + (1 - keyword_share) * _standard(semantic)


def _standard(scores: Scores) -> Scores:
    spread = scores.std(axis=1, keepdims=True)
    return (scores - scores.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1)


def keyword_scores(cases: Sequence[Case]) -> Scores:
    """Return BM25 over split and stemmed terms, with path and qualified name."""
    return bm25([terms(case.query) for case in cases], [terms(case.document) for case in cases])


def semantic_scores(cases: Sequence[Case], embedder: Embedder) -> Scores:
    documents = embedder.embed([case.document for case in cases])
    return embedder.embed_queries([case.query for case in cases]) @ documents.T


def report(name: str, semantic: Scores, keyword: Scores, keyword_share: float) -> None:
    _print_measures(name, semantic)
    _print_measures(f"BM25 {keyword_share:.1f} + {name}", fused(keyword, semantic, keyword_share))


def _print_measures(name: str, scores: Scores) -> None:
    first, tenth = ((_ranks(scores) <= count).mean() for count in (1, 10))
    print(f"{name:<60} {mean_reciprocal_rank(scores):.3f} {first:8.3f} {tenth:9.3f}", flush=True)


def _timed_scores(cases: Sequence[Case], embedder: Embedder) -> Scores:
    started = time.process_time()
    scores = semantic_scores(cases, embedder)
    print(f"  ({embedder.name}: {len(cases) / (time.process_time() - started):,.0f} functions per CPU second)")
    return scores


def _read_functions(sources: str | None) -> list[tuple[str, str, str, str]]:
    functions = []
    for pattern, package in _TREES:
        trees = [tree for tree in sorted(Path(sources).glob(pattern)) if (tree / package).is_dir()] if sources else []
        if not trees:
            print(
                f"no tree {pattern} in BENCH_SOURCES={sources or ''}: unpack the source distribution of {package} there"
            )
            sys.exit(SKIPPED)
        functions += functions_in(trees[0], package)
    return functions


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sources", default=os.environ.get("BENCH_SOURCES"))
    options.add_argument("--sentence-transformers", metavar="MODEL", help="measure this model as well")
    options.add_argument("--query-prefix", default="")
    given = options.parse_args()
    functions = _read_functions(given.sources)
    cases = cases_of(functions)
    print(f"{f'{len(cases)} of {len(functions)} documented functions':<60}   MRR recall@1 recall@10")
    plain = bm25(
        [re.findall(r"\w+", case.query.lower()) for case in cases],
        [re.findall(r"\w+", case.code.lower()) for case in cases],
    )
    _print_measures("BM25, words as written", plain)
    keyword = keyword_scores(cases)
    _print_measures("BM25, split and stemmed, with path and name", keyword)
    static = _timed_scores(cases, create(EmbeddingSettings()))
    report("static", static, keyword, 0.3)
    if given.sentence_transformers:
        settings = EmbeddingSettings(
            embedder="sentence_transformers",
            model=given.sentence_transformers,
            query_prefix=given.query_prefix,
            static_share=0,
        )
        large = _timed_scores(cases, create(settings))
        report(Path(given.sentence_transformers).name, large, keyword, 0.3)
        share = EmbeddingSettings().static_share  # what `create` joins: the similarity is the weighted sum
        joined = (1 - share) * large + share * static
        report(f"{Path(given.sentence_transformers).name} joined with static", joined, keyword, 0.2)


if __name__ == "__main__":
    main()
