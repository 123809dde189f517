"""Share of the files and functions that a fix touched inside the context that an agent starts from, within its budget of tokens.

For each issue: is the path of the gold file named in the context, and does the whole source of every gold function occur in it?
Compared with the usual retrieval: the best chunks of 40 lines by BM25 over the same words, without tests, as many as
fit into the same budget, counted by the same tokenizer. Uses the indexes that `localisation` keeps, and makes those it lacks.

    BENCH_MIRROR=~/mirrors python -m tests.benchmarks.retrieval.context_coverage [--only REPO] [--kept] [--work DIR] [--budget TOKENS]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from repoquarry.code.excerpts.context import ContextRequest, build_context
from repoquarry.graphstore import token_counting
from repoquarry.graphstore.search.index.postings import WordIds, build_postings
from repoquarry.graphstore.search.index.search_index import SearchIndex
from repoquarry.graphstore.search.index.term_extraction import extract_terms as split_terms
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.retrieval.cached_indexes import CachedSearchBackend, kept_libraries
from tests.benchmarks.retrieval.commit_cases import BENCH, read_issues
from tests.benchmarks.retrieval.localisation import add_options, has_data, load_scorer

CHUNK_LINES: Final = 40
_KINDS: Final = ("file", "function")
_OURS, _CHUNKS = "context", "BM25 chunks"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument("--budget", type=int, default=8_000, help="tokens")
    options = parser.parse_args()
    if not has_data():
        return SKIPPED
    issue_file = BENCH / "data" / f"{options.set}.issues.jsonl"
    scorer = load_scorer()
    gold = {row["instance_id"]: row for row in scorer.load(BENCH / "data" / f"{options.set}.gold.jsonl")}
    issues = read_issues(issue_file, options.only, options.limit)
    chunked = _Chunked()
    held: list[tuple[str, dict[tuple[str, str], bool]]] = []
    for issue, library in kept_libraries(issues, issue_file, options.work, make=not options.kept):
        index = library.indexes.open(library.repository)
        task = issue["problem_statement"]
        texts = {
            _OURS: build_context(library, ContextRequest(library.repository, options.budget, task)).text,
            _CHUNKS: chunked.context(library, index, task, options.budget),
        }
        wanted = _Wanted.of(library, index, gold[issue["instance_id"]], scorer.norm_fn)
        held.append(
            (
                issue["repo"],
                {(name, kind): wanted.inside(text, kind) for name, text in texts.items() for kind in _KINDS},
            )
        )
    _report(held)
    return 0


@dataclass(frozen=True)
class _Wanted:
    """Files and functions that a fix touched, in the form in which a context must contain them."""

    paths: tuple[str, ...]
    sources: tuple[str, ...]
    lost: bool
    """Some gold function is not in the index, so that no context can hold it."""

    @classmethod
    def of(
        cls, library: CachedSearchBackend, index: SearchIndex, gold: dict[str, list[str]], normal: Callable[[str], str]
    ) -> _Wanted:
        places = index.places
        wanted = {normal(name) for name in gold["gold_functions"]}
        found: dict[str, str] = {}
        for place in range(places.file_count, len(places)):
            name = f"{places.path(place)}:{places.qualname(place)}"
            if name in wanted and name not in found:
                lines = library.source_text(library.repository, places.path(place)).split("\n")
                found[name] = "\n".join(lines[places.start_line[place] - 1 : places.end_line[place]])
        return cls(tuple(gold["gold_files"]), tuple(found.values()), len(found) < len(wanted))

    def inside(self, text: str, kind: str) -> bool:
        if kind == "file":
            return all(path in text for path in self.paths)
        return not self.lost and all(source in text for source in self.sources)


@dataclass(frozen=True)
class _Chunk:
    """Lines of one file, 0-based, the end behind the last one; `words` are numbers with their counts."""

    path: str
    start: int
    text: str
    words: Counter[int]


@dataclass
class _Chunked:
    """Chunks of the files of one index after the other; what the words of a text are is remembered between them."""

    numbers: WordIds = field(default_factory=WordIds)
    known: dict[str, list[tuple[str, Counter[int]]]] = field(default_factory=dict)

    def context(self, library: CachedSearchBackend, index: SearchIndex, task: str, budget: int) -> str:
        """The best chunks for a task as text, those that follow each other in a file joined."""
        chunks = self._chunks(library, index)
        chosen: list[_Chunk] = []
        left = budget
        for chunk in (chunks[place] for place in self._best(chunks, task)):
            cost = token_counting.count_tokens(f"{_head(chunk)}\n{chunk.text}\n")
            if cost > left:
                break
            left -= cost
            chosen.append(chunk)
        return "\n".join(_joined(sorted(chosen, key=lambda chunk: (chunk.path, chunk.start))))

    def _chunks(self, library: CachedSearchBackend, index: SearchIndex) -> list[_Chunk]:
        files = np.flatnonzero(index.names_lookup.live[: index.places.file_count]).tolist()
        known, self.known = self.known, {}
        chunks: list[_Chunk] = []
        for path in map(index.places.path, files):
            text = library.source_text(library.repository, path)
            cut = self.known[text] = known.get(text) or [
                (part, Counter(map(self.numbers.__getitem__, split_terms(part)))) for part in _cut(text)
            ]
            chunks += [_Chunk(path, CHUNK_LINES * number, part, words) for number, (part, words) in enumerate(cut)]
        return chunks

    def _best(self, chunks: Sequence[_Chunk], task: str) -> Iterable[int]:
        counted = [
            (document, word, count) for document, chunk in enumerate(chunks) for word, count in chunk.words.items()
        ]
        documents, words, counts = np.array(counted, dtype=np.int32).T
        asked = Counter(map(self.numbers.__getitem__, split_terms(task)))
        postings = build_postings(documents, words, counts, (len(chunks), len(self.numbers)))
        terms = np.array(list(asked), dtype=np.int32)
        scores = postings.score(terms, postings.rarity(terms))
        order: list[int] = np.argsort(-scores, kind="stable").tolist()
        return order


def _cut(text: str) -> list[str]:
    lines = text.split("\n")
    return ["\n".join(lines[start : start + CHUNK_LINES]) for start in range(0, len(lines), CHUNK_LINES)]


def _head(chunk: _Chunk) -> str:
    return f"## {chunk.path}:{chunk.start + 1}"


def _joined(chunks: Sequence[_Chunk]) -> Iterable[str]:
    """The chunks with a head above each that does not follow the one before."""
    before: tuple[str, int] | None = None
    for chunk in chunks:
        if before != (chunk.path, chunk.start):
            yield _head(chunk)
        yield chunk.text
        before = chunk.path, chunk.start + CHUNK_LINES


def _report(held: Sequence[tuple[str, dict[tuple[str, str], bool]]]) -> None:
    print(f"{'':28s}  n   " + "   ".join(f"{name}: {kind}" for name in (_OURS, _CHUNKS) for kind in _KINDS))
    for repo in ("all", *sorted({repo for repo, _ in held})):
        rows = [found for own, found in held if repo in ("all", own)]
        shares = [np.mean([row[name, kind] for row in rows]) for name in (_OURS, _CHUNKS) for kind in _KINDS]
        print(f"{repo:28s} {len(rows):3d}  " + "  ".join(f"{share:.3f}" for share in shares))


if __name__ == "__main__":
    sys.exit(main())
