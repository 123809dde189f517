"""Index of commit messages and co-changed files, and a random walk that spreads evidence along graph edges, for localization.

A callee of the code that an issue mentions is often the place to change although the issue shares no word with it.

A commit message describes its files in a user's words, often words that the code does not contain, and files that changed together will
again. Only existing files count, and no commit that touched half of the repository.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.places import EDGES, Places
from repoquarry.graphstore.search.index.postings import (
    Integers,
    Postings,
    Reals,
    TermDictionary,
    WordIds,
    build_postings,
    digests,
    load_array,
)
from repoquarry.graphstore.search.index.term_extraction import extract_terms
from repoquarry.graphstore.storage.git_history import GitHistory

_STEPS: Final[Mapping[str, tuple[float, float]]] = {
    "DEFINES": (0.3, 0.6),
    "CALLS": (1.0, 0.6),
    "INHERITS": (0.7, 0.5),
    "OVERRIDES": (0.5, 0.5),
    "REFERENCES": (0.4, 0.2),
    "IMPORTS": (0.3, 0.1),
}
"""Weight of one relationship when the graph is walked in its direction and against it."""
_DAMPING: Final = 0.5
"""Low, as only the close neighborhood of the evidence matters. Source of the method: Haveliwala, Topic-Sensitive PageRank, 2002."""
_ROUNDS: Final = 8
"""0.5 to the 8th is 0.4 %: the maximum effect of later rounds."""


@dataclass(frozen=True)
class TransitionMatrix:
    """All steps of the random walk between places, with their probabilities."""

    start: Integers
    end: Integers
    probability: Reals


def build_transitions(places: Places) -> TransitionMatrix:
    """Build the steps of all edges in both directions; a step to a place with many incoming edges has a lower weight."""
    kinds = np.array([_STEPS[kind] for kind in EDGES], dtype=np.float32)[places.edge_kind]
    strength = np.log2(1.0 + places.edge_weight)
    popularity = np.sqrt(np.bincount(places.edge_end, minlength=len(places)))[places.edge_end]
    forward, backward = kinds[:, 0] * strength / np.maximum(popularity, 1.0), kinds[:, 1] * strength
    start = np.concatenate([places.edge_start, places.edge_end])
    end = np.concatenate([places.edge_end, places.edge_start])
    weight = np.concatenate([forward, backward])
    total = np.bincount(start, weights=weight, minlength=len(places))
    return TransitionMatrix(start, end, (weight / np.maximum(total[start], 1e-9)).astype(np.float32))


def propagate_evidence(walk: TransitionMatrix, evidence: Reals) -> Reals:
    """Return the share of the evidence at each place after the walk; `evidence` sums to 1."""
    reached = evidence
    for _ in range(_ROUNDS):
        moved = np.bincount(walk.end, weights=walk.probability * reached[walk.start], minlength=len(evidence))
        reached = ((1.0 - _DAMPING) * evidence + _DAMPING * moved).astype(np.float32)
    return reached


_SWEEPING: Final = 30
"""Number of files above which a commit is ignored."""
_SPOKEN: Final = 100
"""Number of best commits whose messages count for their files."""
_FADING: Final = 0.7
"""Weight of a file's next commit relative to the better one before it: many vague messages must not outweigh a clear one."""
_AGE: Final = 1_000.0
"""Number of commits after which a message's weight falls by the factor e, down to a minimum: its code has been rewritten since."""
_MIN_SHARE: Final = 0.3


@dataclass(frozen=True)
class CommitIndex:
    """Commits, newest first, by number; `files[first[c]:first[c + 1]]` are the files of commit c."""

    vocabulary: TermDictionary
    messages: Postings
    first: Integers
    files: Integers
    file_count: int

    def __len__(self) -> int:
        return len(self.first) - 1

    @cached_property
    def commit_of(self) -> Integers:
        """Return the commit of each row of `files`."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.first))

    @cached_property
    def _share(self) -> Reals:
        """Return the weight of each row: a commit of many files says less about each."""
        sizes = np.diff(self.first)
        return (1.0 / np.sqrt(np.maximum(sizes, 1))).astype(np.float32)[self.commit_of]

    @cached_property
    def _freshness(self) -> Reals:
        """Return the weight of each commit's message by the number of later commits."""
        ages = np.arange(len(self), dtype=np.float32)
        worth: Reals = (_MIN_SHARE + (1.0 - _MIN_SHARE) * np.exp(-ages / _AGE)).astype(np.float32)
        return worth

    def spoken_of(self, weights: Mapping[str, float]) -> Reals:
        """Return (files,) how well messages of commits that touched a file match the weighted terms of a task."""
        found = np.zeros(self.file_count, dtype=np.float32)
        numbers = self.vocabulary.numbers(list(weights))
        rarity = self.messages.rarity(numbers)
        scores = self.messages.score(numbers, (rarity * np.array(list(weights.values()))).astype(np.float32))
        scores = scores * self._freshness
        if np.count_nonzero(scores) > _SPOKEN:
            scores = np.where(scores >= np.partition(scores, -_SPOKEN)[-_SPOKEN], scores, 0.0)
        worth = scores[self.commit_of] * self._share
        order = np.argsort(-worth, kind="stable")
        order = order[worth[order] > 0]
        said: Counter[int] = Counter()
        for row, file in zip(order.tolist(), self.files[order].tolist(), strict=True):
            found[file] += worth[row] * _FADING ** said[file]
            said[file] += 1
        return found

    def changed_with(self, evidence: Reals) -> Reals:
        """Return (files,) how much of the evidence at other files reaches a file through common commits."""
        sizes = np.diff(self.first)
        commits_of = np.bincount(self.files, minlength=self.file_count)
        given = (evidence / np.maximum(commits_of, 1))[self.files]
        in_commit = np.bincount(self.commit_of, weights=given, minlength=len(self))
        others = np.maximum(sizes - 1, 1)[self.commit_of]
        rows = (in_commit[self.commit_of] - given) / others
        return np.bincount(self.files, weights=rows, minlength=self.file_count).astype(np.float32)

    def save(self, folder: Path) -> None:
        np.save(folder / "past.vocabulary.npy", self.vocabulary.sorted_digests)
        np.save(folder / "past.first.npy", self.first)
        np.save(folder / "past.files.npy", self.files)
        self.messages.save(folder, "past.messages")

    @classmethod
    def load(cls, folder: Path, file_count: int) -> CommitIndex:
        """Map the files written by `save`. Raises: OSError or ValueError if they are missing or damaged."""
        vocabulary, first, files = (
            load_array(folder / f"past.{part}.npy") for part in ("vocabulary", "first", "files")
        )
        return cls(TermDictionary(vocabulary), Postings.load(folder, "past.messages"), first, files, file_count)


def build_commit_index(history: GitHistory, file_numbers: Mapping[str, int]) -> CommitIndex:
    """Convert the part of a history about the files of an index."""
    touched = [
        (commit.subject, sorted({file_numbers[path] for path in paths if path in file_numbers}))
        for commit in history.commits
        if len(paths := [history.paths[file] for file in commit.files]) <= _SWEEPING
    ]
    touched = [(subject, files) for subject, files in touched if files]
    words, documents, terms = WordIds(), array("i"), array("i")
    for number, (subject, _) in enumerate(touched):
        said = [words[term] for term in extract_terms(subject)]
        documents.extend([number] * len(said))
        terms.extend(said)
    vocabulary, renumbered = np.unique(digests(words), return_inverse=True)
    held, written = np.array(documents, dtype=np.int32), renumbered.astype(np.int32)[np.array(terms, dtype=np.int32)]
    messages = build_postings(held, written, np.ones(len(held), dtype=np.int32), (len(touched), len(vocabulary)))
    first = np.cumsum([0, *(len(files) for _, files in touched)]).astype(np.int32)
    files = np.array([file for _, files in touched for file in files], dtype=np.int32)
    return CommitIndex(TermDictionary(vocabulary), messages, first, files, len(file_numbers))
