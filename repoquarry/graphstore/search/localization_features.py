"""Features by which localization scores files and definitions for a task (words, names, graph, git history), and their fitted weights.

The random walk of `propagate_evidence` mixes all relationships. Two relationships are features of their own because they directly
indicate the place to change: a report names the code that it calls, and blames a method on the class that inherits it.

Words, names and structure are separate features, so that every reason can be reported and every weight fitted. A score is the sum of
weight times feature. Features are between 0 and 1: word scores relative to the best place, names by their rarity. The fit is a softmax
over each issue's candidates, so the difference of two scores is the logarithm of the odds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index import name_lookup, term_extraction
from repoquarry.graphstore.search.index.commit_index import propagate_evidence
from repoquarry.graphstore.search.index.places import CLASS, EDGES, FUNCTION, Mask, Places
from repoquarry.graphstore.search.index.postings import Integers, Postings, Reals, inverse_frequency
from repoquarry.graphstore.search.index.search_index import SearchIndex
from repoquarry.graphstore.search.index.term_extraction import expand_query_terms
from repoquarry.graphstore.search.mentions import TaskMentions


def _read_weights(text: str, section: str) -> tuple[Mapping[str, float], Mapping[str, str]]:
    """Read the weights and the reasons by feature of a section of localization.tsv."""
    lines = text.partition(f"[{section}]\n")[2].partition("[")[0].splitlines()
    rows = [line.split("\t") for line in lines]
    return {name: float(weight) for name, weight, _ in rows}, {name: reason for name, _, reason in rows if reason}


_TABLES = Path(__file__).with_name("localization.tsv").read_text("utf-8")
FILE_WEIGHTS, FILE_REASONS = _read_weights(_TABLES, "files")
"""Weights of files. DEMOTIONS lowers tests, prose and generated files."""

DEFINITION_WEIGHTS, DEFINITION_REASONS = _read_weights(_TABLES, "definitions")
"""Weights of classes and functions; `file` is the relative score of the enclosing file."""

DEMOTIONS: Final[Mapping[str, float]] = {
    "test": -6.0,
    "prose": -6.0,
    "generated": -3.0,
    "sample": -2.0,
    "bundled": -4.0,
}
"""Added to the score of files that are rarely the place to change. Not fitted: the development issues never name such places."""

ZONES: Final[Mapping[str, float]] = {"title": 2.0, "prose": 1.0, "code": 0.6}
"""Weight of a word by the part of the task that contains it."""

QUOTING: Final[Mapping[str, float]] = {"title": 1.0, "prose": 1.0, "trace": 1.0, "code": 0.5}
"""Weight of a pair of words as a quoted message by the part of the task that contains it."""

_MAX_RARITY: Final = 9.0
"""Maximum rarity of a term for coverage: one unusual word must not decide."""


@dataclass(frozen=True)
class WeightedTerms:
    numbers: Integers
    weights: Reals
    rarity: Reals

    def score(self, field: Postings) -> Reals:
        return field.score(self.numbers, self.weights)


@dataclass(frozen=True)
class TaskTerms:
    """Words of a task by the terms of an index."""

    said: Mapping[str, float]
    """Every term with its weight, without rarity."""
    everything: WeightedTerms
    title: WeightedTerms
    prose: WeightedTerms
    messages: Mapping[str, float]
    """Pairs of words as in string literals."""
    pairs: Mapping[str, float]
    """Pairs of words as in code."""


def extract_task_terms(index: SearchIndex, mentions: TaskMentions) -> TaskTerms:
    """Look up the words of a task, weighted by the parts of the task that contain them."""
    zones = {
        "title": _counted(mentions.title),
        "prose": _counted(mentions.prose),
        "code": _counted(f"{mentions.code}\n{mentions.trace}"),
    }
    said: dict[str, float] = {}
    for zone, terms in zones.items():
        for term, weight in terms.items():
            said[term] = said.get(term, 0.0) + ZONES[zone] * weight
    return TaskTerms(
        said=said,
        everything=_weighted(index, said),
        title=_weighted(index, zones["title"]),
        prose=_weighted(index, zones["prose"]),
        messages=_said_in_a_row(mentions, term_extraction.pairs),
        pairs=_said_in_a_row(mentions, term_extraction.adjacent_pairs),
    )


def coverage(index: SearchIndex, terms: WeightedTerms) -> Reals:
    """Return for each place the share of the terms, by rarity, that its text or names contain."""
    covered = np.zeros(len(index.places), dtype=np.float32)
    rarity = np.minimum(terms.rarity, _MAX_RARITY)
    for number, weight in zip(terms.numbers.tolist(), rarity.tolist(), strict=True):
        if number < 0:
            continue
        in_text, in_names = index.body.documents_with(number), index.names.documents_with(number)
        covered[in_text] += weight
        covered[np.setdiff1d(in_names, in_text, assume_unique=True)] += weight
    share: Reals = covered / np.float32(float(rarity.sum()) or 1.0)
    return share


def _counted(text: str) -> dict[str, float]:
    """Return the terms of a text; a repeated term counts slightly more."""
    return {term: 1.0 + float(np.log(count)) for term, count in Counter(expand_query_terms(text)).items()}


def _weighted(index: SearchIndex, weights: Mapping[str, float]) -> WeightedTerms:
    numbers = index.vocabulary.numbers(list(weights))
    held = np.maximum(index.body.frequencies(numbers), index.names.frequencies(numbers))
    rarity = inverse_frequency(held, len(index.places))
    return WeightedTerms(
        numbers, (rarity * np.array(list(weights.values()), dtype=np.float32)).astype(np.float32), rarity
    )


def _said_in_a_row(mentions: TaskMentions, pairs: Callable[[str], Iterable[str]]) -> dict[str, float]:
    """Return pairs of words of a task, each with the weight of the best part that contains it."""
    said: dict[str, float] = {}
    for zone, weight in QUOTING.items():
        for pair in pairs(getattr(mentions, zone)):
            said[pair] = max(said.get(pair, 0.0), weight)
    return said


def calls_named(places: Places, named: Reals) -> Reals:
    """Return for each place the maximum of `named` over its callees."""
    found = np.zeros(len(places), dtype=np.float32)
    calls = places.edge_kind == EDGES.index("CALLS")
    np.maximum.at(found, places.edge_start[calls], named[places.edge_end[calls]])
    return found


def called_by_named(places: Places, named: Reals) -> Reals:
    """Return for each place the maximum over its callers of `named`, which the callees of a caller share."""
    found = np.zeros(len(places), dtype=np.float32)
    calls = places.edge_kind == EDGES.index("CALLS")
    starts, ends = places.edge_start[calls], places.edge_end[calls]
    shared = named / np.sqrt(np.maximum(np.bincount(starts, minlength=len(places)), 1))
    np.maximum.at(found, ends, shared[starts].astype(np.float32))
    return found


def in_base_of_named(places: Places, named: Reals) -> Reals:
    """Return for each member of a class the maximum of `named` over the subclasses of its class."""
    of_base = np.zeros(len(places), dtype=np.float32)
    inherits = places.edge_kind == EDGES.index("INHERITS")
    np.maximum.at(of_base, places.edge_end[inherits], named[places.edge_start[inherits]])
    return _of_class_around(places, of_base)


def _of_class_around(places: Places, values: Reals) -> Reals:
    """Return for each member of a class the value of the class, 0 for all others."""
    around = np.maximum(places.parent, 0)
    inside = (places.parent >= 0) & (places.label[around] == CLASS)
    return np.where(inside, values[around], 0.0).astype(np.float32)


def called_constructors(places: Places, called: Reals) -> Reals:
    """Return for each constructor the value of its class in `called`."""
    around = _of_class_around(places, called)
    for place in np.flatnonzero(around).tolist():
        if not name_lookup.is_constructor(places, place):
            around[place] = 0.0
    return around


_TOP: Final = 3
"""Number of definitions of a file whose words count for the file."""
_SEEDS: Final = 150
"""Number of places from which evidence spreads."""
_TEST_SEED: Final = 0.5
"""Weight of evidence at a test relative to code: tests use the language of issues, and call the code under test."""
_CODE_NAME_SEED: Final = 0.5
"""Weight of a name in quoted code relative to one in prose: quoted code contains many names on the way to the cause."""
_FAINT: Final = 8.0
"""BM25 score that the best place must reach to count in full: one common word in an otherwise empty trace is not evidence."""
_LIKEWISE: Final = ("bigrams", "phrase", "meaning", "frame", "dotted", "quoted_definition")
"""Features that a file inherits from its best place."""
_TEMPLATE: Final = re.compile(r"\b(?:def|class|function|func|fn|interface|void)\s+(\w+)")

Features = Mapping[str, Reals]


@dataclass(frozen=True)
class Evidence:
    """Features of the files (files,) and of all places (places,) of one index."""

    files: Features
    places: Features


def gather(index: SearchIndex, mentions: TaskMentions, meaning: Reals | None) -> Evidence:
    """Collect the evidence of the task for each place; `meaning` is the cosine of each place with it."""
    wording = extract_task_terms(index, mentions)
    names, places = index.names_lookup, index.places
    live = names.live
    title_name = name_lookup.named(names, mentions.title_words)
    code_name = name_lookup.named(names, mentions.code_words)
    raw = wording.everything.score(index.code) + wording.everything.score(index.names)
    of_places: dict[str, Reals] = {
        "words": _share(raw, live, _FAINT),
        "title_words_of_names": _share(wording.title.score(index.names), live, _FAINT),
        "title_coverage": coverage(index, wording.title),
        "bigrams": _share(index.bigrams.score(wording.pairs), live, _FAINT),
        "phrase": _share(index.phrases.score(wording.messages), live, _FAINT),
        "meaning": _meaning(meaning, live),
        "marked_name": name_lookup.named(names, mentions.marked_words),
        "frame": name_lookup.match_frames(names, mentions),
        "dotted": name_lookup.match_dotted_names(names, mentions),
        "quoted_definition": name_lookup.named(names, _TEMPLATE.findall(mentions.code)),
        "constructor": called_constructors(places, name_lookup.named(names, mentions.called_words)),
        "class": (places.label == CLASS).astype(np.float32),
        "bare_class": _bare_classes(places),
        "nested": _nested(places),
        "size": (np.log1p(index.code.lengths) / 8.0).astype(np.float32),
    }
    named = np.maximum.reduce([title_name, of_places["marked_name"], of_places["dotted"]])
    of_places["calls_named"] = calls_named(places, named)
    of_places["called_by_named"] = called_by_named(places, named)
    of_places["named_class"] = np.where(places.label == CLASS, named, 0.0).astype(np.float32)
    of_places["in_base_of_named"] = in_base_of_named(places, named)
    of_files = _of_files(index, wording, mentions, of_places, raw)
    seeds = sum((of_places[name] for name in ("marked_name", "frame", "dotted")), title_name)
    _add_graph(index, of_places, of_files, seeds + _CODE_NAME_SEED * code_name)
    _add_past(index, wording, of_places, of_files)
    _add_twins(index, of_files)
    return Evidence(of_files, of_places)


def _of_files(
    index: SearchIndex, wording: TaskTerms, mentions: TaskMentions, of_places: Features, raw: Reals
) -> dict[str, Reals]:
    """Return features of files from their own text and name, and from their definitions; `raw` is BM25 of each place."""
    names, places, files = index.names_lookup, index.places, index.places.file_count
    live = names.live[:files]

    def words(scores: Reals) -> Reals:
        return _share(scores, live, _FAINT)

    return {
        "words_of_definitions": words(_best_of_file(places, raw, _TOP)),
        "words_of_best_definition": words(_best_of_file(places, raw, 1)),
        "words_of_file": words(wording.everything.score(index.whole)),
        "title_words_of_file": words(wording.title.score(index.whole)),
        "prose_words_of_file": words(wording.prose.score(index.whole)),
        "title_words_of_names": of_places["title_words_of_names"][:files],
        "path": name_lookup.match_paths(names, mentions),
        "stem": name_lookup.match_stems(names, mentions.title_words + mentions.prose_words),
        **{name: _best_of_file(places, of_places[name], 1) for name in _LIKEWISE},
    }


def _share(scores: Reals, live: Mask, least: float = 0.0) -> Reals:
    """Return scores relative to the best live place, or to `least` if that is larger; others are limited to 1."""
    best = max(float(np.max(scores, where=live, initial=0.0)), least)
    return np.minimum(scores / best, 1.0).astype(np.float32) if best > 0 else np.zeros_like(scores, dtype=np.float32)


def _best_of_file(places: Places, scores: Reals, count: int) -> Reals:
    rows = np.flatnonzero(scores > 0)
    order = rows[np.lexsort((-scores[rows], places.file[rows]))]
    files = places.file[order]
    rank = np.arange(len(order)) - np.searchsorted(files, files)
    kept = rank < count
    return np.bincount(files[kept], weights=scores[order][kept], minlength=places.file_count).astype(np.float32)


def _nested(places: Places) -> Reals:
    around = np.maximum(places.parent, 0)
    nested: Reals = ((places.parent >= 0) & (places.label[around] == FUNCTION)).astype(np.float32)
    return nested


def _bare_classes(places: Places) -> Reals:
    """Return the classes without functions: interfaces, structures, enumerations, whose changes have no other place."""
    bare = places.label == CLASS
    inside = (places.label == FUNCTION) & (places.parent >= 0)
    bare[places.parent[inside]] = False
    found: Reals = bare.astype(np.float32)
    return found


def _meaning(meaning: Reals | None, live: Mask) -> Reals:
    """Scale the cosines of the near places to the range between the farthest of them and the best live one."""
    near = meaning[meaning > 0] if meaning is not None else np.zeros(0, dtype=np.float32)
    if meaning is None or not len(near):
        return np.zeros(len(live), dtype=np.float32)
    return _share(np.maximum(meaning - near.min(), 0.0), live)


def _add_graph(index: SearchIndex, of_places: dict[str, Reals], of_files: dict[str, Reals], named: Reals) -> None:
    """Spread the evidence so far, words and `named`, and add the result as the feature `graph` of both."""
    places, live = index.places, index.names_lookup.live
    seeds = of_places["words"] * np.where(live, 1.0, np.where(places.is_test, _TEST_SEED, 0.0)) + named
    seeds[: places.file_count] += np.where(live[: places.file_count], of_files["path"] + of_files["stem"], 0.0)
    if len(seeds) > _SEEDS:
        seeds = np.where(seeds >= np.partition(seeds, -_SEEDS)[-_SEEDS], seeds, 0.0)
    evidence = seeds**2
    total = float(evidence.sum())
    reached = propagate_evidence(index.steps, (evidence / total).astype(np.float32)) if total else seeds
    reached = np.where(live, reached, 0.0).astype(np.float32)
    of_places["graph"] = _share(np.sqrt(reached), live)
    of_file = np.bincount(places.file, weights=reached, minlength=places.file_count).astype(np.float32)
    of_files["graph"] = _share(np.sqrt(of_file), live[: places.file_count])


def _add_past(index: SearchIndex, wording: TaskTerms, of_places: dict[str, Reals], of_files: dict[str, Reals]) -> None:
    """Add features of the git history: messages of commits that match the task, and co-changes with likely files."""
    live = index.names_lookup.live[: index.places.file_count]
    spoken = np.where(live, index.past.spoken_of(wording.said), 0.0).astype(np.float32)
    likely: Reals = np.sum([FILE_WEIGHTS[name] * values for name, values in of_files.items()], axis=0, dtype=np.float32)
    odds = np.where(live, np.exp(likely - likely.max(initial=0.0)), 0.0)
    changed = index.past.changed_with((odds / max(float(odds.sum()), 1e-9)).astype(np.float32))
    of_files["spoken_of"] = _share(spoken, live, _FAINT)
    of_files["changed_with"] = _share(np.sqrt(np.where(live, changed, 0.0)), live)
    of_places["spoken_of"] = of_files["spoken_of"][index.places.file]


def _add_twins(index: SearchIndex, of_files: dict[str, Reals]) -> None:
    """Add the score of the best counterpart of each file: `store.c` for `store.h`, `Select.js` for `Select.d.ts`."""
    live = index.names_lookup.live[: index.places.file_count]
    likely: Reals = np.sum(
        [FILE_WEIGHTS[name] * values for name, values in of_files.items() if name in FILE_WEIGHTS],
        axis=0,
        dtype=np.float32,
    )
    odds = np.where(live, np.exp(likely - np.max(likely, where=live, initial=0.0)), 0.0)
    found = np.zeros(len(odds), dtype=np.float32)
    for twins in index.names_lookup.twins:
        for file in twins:
            found[file] = max(float(odds[other]) for other in twins if other != file)
    of_files["twin"] = np.sqrt(found)
