"""Ranking of indexed repositories by a task's words in name, summary, README, entry points, core classes and code; uses no embeddings."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.code.reader import CodeReader
from repoquarry.code.records import RepositoryRecord
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.search.requests import SearchMode, SearchRequest, WithTests
from repoquarry.graphstore.search.retrieval import search
from repoquarry.graphstore.search.text_analysis import score_texts, terms

_DESCRIPTIVE_WEIGHTS: Final = (("name", 3.0), ("summary", 3.0), ("README", 3.0))
"""Descriptive fields of a repository, and the score of the best match in each."""

_STRUCTURAL_WEIGHTS: Final = (("entry points", 1.5), ("core classes", 1.0))
"""Structural fields, and the score of the best match in each."""

_MAX_RANKED_GRAPHS: Final = 50
"""Maximum number of repositories whose graphs are read, the best by their descriptive fields."""

_CODE: Final = 2.0
_CODE_FLOOR: Final = 1 / 3
"""Share of the task's terms that hits in code must hold, where nothing else of a repository mentions the task."""
_README_CHARACTERS: Final = 20_000
_HITS: Final = 50
_NAMED_WORDS: Final = 6
_NAMED_HITS: Final = 3
_WORD: Final = re.compile(r"[A-Za-z][\w-]*")


@dataclass(frozen=True)
class RankedRepository:
    """A repository that fits; `score` is comparable within one answer only."""

    repository: str
    score: float
    reasons: tuple[str, ...]
    """One phrase each, the weightiest first."""


class _Scores:
    def __init__(self, task: str) -> None:
        self._task = task
        self.totals: dict[str, float] = {}
        self._reasons: dict[str, list[tuple[float, str]]] = {}

    def add(self, repository: str, score: float, reason: str) -> None:
        self.totals[repository] = self.totals.get(repository, 0.0) + score
        self._reasons.setdefault(repository, []).append((score, reason))

    def compare(self, field: str, weight: float, texts: Mapping[str, str]) -> None:
        """Score a field by how well each repository's text in it fits the task, the best with `weight`."""
        found = score_texts(list(texts.values()), self._task)
        best = max(found, default=0.0)
        for repository, value in zip(texts, found, strict=True):
            if value > 0:
                shared = ", ".join(_shared(texts[repository], self._task))
                self.add(repository, weight * value / best, f"{field}: {shared}")

    def ranked(self) -> list[str]:
        return sorted(self.totals, key=lambda repository: (-self.totals[repository], repository))

    def reasons(self, repository: str) -> tuple[str, ...]:
        return tuple(why for _, why in sorted(self._reasons[repository], key=lambda one: -one[0]))


def rank_repositories(reader: CodeReader, repositories: Sequence[str], task: str) -> list[RankedRepository]:
    known = [item for item in reader.repositories() if item.id in repositories]
    scores = _Scores(task)
    descriptions = {item.id: _load_descriptions(reader, item) for item in known}
    for field, weight in _DESCRIPTIVE_WEIGHTS:
        scores.compare(field, weight, {id_: text[field] for id_, text in descriptions.items()})
    others = [item.id for item in known if item.id not in scores.totals]
    read_ids = [*scores.ranked(), *others][:_MAX_RANKED_GRAPHS]
    structures = {id_: _load_structure(reader, id_) for id_ in read_ids}
    for field, weight in _STRUCTURAL_WEIGHTS:
        scores.compare(field, weight, {id_: text[field] for id_, text in structures.items()})
    for repository, share, named, coverage in _code(reader, read_ids, task):
        if repository in scores.totals or coverage >= _CODE_FLOOR:
            scores.add(repository, _CODE * share, f"code: {', '.join(named)}")
    return [RankedRepository(id_, round(scores.totals[id_], 4), scores.reasons(id_)) for id_ in scores.ranked()]


def _load_descriptions(reader: CodeReader, item: RepositoryRecord) -> dict[str, str]:
    readme = ""
    if item.readme:
        with contextlib.suppress(NotFoundError):  # the index knows that it is there, and left its text out
            readme = reader.text(item.id, item.readme)[:_README_CHARACTERS]
    return {"name": item.id, "summary": f"{item.summary} {' '.join(item.languages)}", "README": readme}


def _load_structure(reader: CodeReader, repository: str) -> dict[str, str]:
    starts = reader.entry_points((repository,))
    classes = reader.core_classes((repository,))
    return {
        "entry points": " ".join(f"{start.title} {start.headline} {' '.join(start.entry_points)}" for start in starts),
        "core classes": " ".join(f"{one.name} {one.headline}" for one in classes),
    }


def _shared(text: str, task: str) -> list[str]:
    """Words of the task that a text holds, as the task writes them."""
    held = set(terms(text))
    words = dict.fromkeys(word for word in _WORD.findall(task) if held & set(terms(word)))
    return list(words)[:_NAMED_WORDS]


def _code(reader: CodeReader, repositories: Sequence[str], task: str) -> list[tuple[str, float, list[str], float]]:
    """Repositories of the best hits in code: their share of the hits by rank, the first hits, and the share of terms in all."""
    if not repositories:
        return []
    request = SearchRequest(
        text=task,
        mode=SearchMode.KEYWORD,
        repositories=tuple(repositories),
        labels=("Function", "Class"),
        tests=WithTests.EXCLUDE,
        page_size=_HITS,
    )
    shares: dict[str, float] = {}
    named: dict[str, list[str]] = {}
    held: dict[str, set[str]] = {}
    wanted = set(terms(task))
    for rank, hit in enumerate(search(reader.store, request).hits, 1):
        shares[hit.repository] = shares.get(hit.repository, 0.0) + 1.0 / rank
        text = f"{hit.qualname} {hit.path} {hit.snippet.text if hit.snippet else ''}"
        held.setdefault(hit.repository, set()).update(wanted & set(terms(text)))
        if len(names := named.setdefault(hit.repository, [])) < _NAMED_HITS:
            names.append(f"{hit.qualname or hit.path} ({hit.path}:{hit.start_line})")
    most = max(shares.values(), default=1.0)
    return [
        (repository, share / most, named[repository], len(held[repository]) / max(len(wanted), 1))
        for repository, share in shares.items()
    ]
