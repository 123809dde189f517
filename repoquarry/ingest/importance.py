"""Importance scores of modules and classes, from calls, imports, complexity, names and git history, weighted by a score profile.

Scores are computed once per revision from facts, resolution and git history, and stored feature by feature, so that
they can be explained; the profile combines the features (`graphstore.model.score_profiles`). Features use language-
independent facts only: branches, nesting, names, documentation, imports, calls and commits. Sums over calls are
computed on arrays.

Source: RepoMaster (arXiv 2505.21577), appendix F; where the text leaves a constant open, the published
implementation's value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.model.score_profiles import Profile, profile_named
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.ingest.file_features import FileFeatures, has_keyword, has_keyword_as_word, printed_complexity
from repoquarry.ingest.pagerank import own_pagerank
from repoquarry.ingest.resolution import Resolution
from repoquarry.ingest.resolution.model import Symbol
from repoquarry.ingest.settings import IngestSettings
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import load

Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class CallSiteArrays:
    """Calls inside the repository with a confidence of at least `LIKELY`; `callers` and `callees` are symbol numbers.

    A construction is one call site with two edges, to class and constructor; sums over several callees count it once.
    """

    symbols: Sequence[Symbol]
    """Symbols of the resolution."""
    paths: Sequence[str]
    """Paths of all files, sorted."""
    file_of: Numbers
    """Position in `paths` by symbol."""
    owner_of: Numbers
    """Class by class or method; other symbols own themselves."""
    callers: Numbers
    callees: Numbers
    counts: Numbers
    """Number of call sites by edge."""
    constructions: tuple[int, Numbers, Numbers]  # number of sites of classes, then edge and line of all sites

    @classmethod
    def of(cls, resolution: Resolution, own: FileFeatures) -> CallSiteArrays:
        places = [(symbol.path, symbol.key) for symbol in resolution.symbols]
        number, paths = {place: at for at, place in enumerate(places)}, sorted({path for path, _ in places})
        position = {path: at for at, path in enumerate(paths)}
        file_of = np.array([position[path] for path, _ in places], dtype=np.int64)
        owner_of = np.array([number[own.owner.get(place, place)] for place in places], dtype=np.int64)
        calls = resolution.calls
        sure = np.flatnonzero((calls.callees >= 0) & calls.is_likely)
        callers, callees, counts = (
            column[sure].astype(np.int64) for column in (calls.callers, calls.callees, calls.counts)
        )
        is_class = np.array([place in own.methods for place in places], dtype=bool)[callees]
        # A constructor function of JavaScript has no class, and its construction one edge.
        builds = np.array([how == "constructor" for how, *_ in calls.rules], dtype=bool)[calls.rule_of[sure]]
        edges = [np.flatnonzero(is_class), np.flatnonzero(~is_class & builds & (owner_of[callees] != callees))]
        sites = [np.repeat(part, counts[part]) for part in edges]
        _, lines = calls.lines_of(sure[np.concatenate(edges)])
        constructions = len(sites[0]), np.concatenate(sites), lines.astype(np.int64)
        return cls(resolution.symbols, paths, file_of, owner_of, callers, callees, counts, constructions)

    @cached_property
    def by_files(self) -> Sequence[tuple[tuple[str, str], int]]:
        """((calling path, called path), number of call sites) of each pair of files."""
        pairs = self.file_of[self.callers] * len(self.paths) + self.file_of[self.callees]
        distinct, number = np.unique(pairs, return_inverse=True)
        weights = self._counts_within(self.file_of)
        counts = np.bincount(number, weights=weights, minlength=len(distinct)).astype(np.int64).tolist()
        ends = zip(*divmod(distinct, max(1, len(self.paths))), counts, strict=True)
        return [((self.paths[one], self.paths[two]), count) for one, two, count in ends if count]

    def incoming(self) -> Numbers:
        """Return the number of sites that call each symbol."""
        return self._summed(self.callees, self.counts)

    def outgoing(self) -> Numbers:
        """Return the number of each symbol's sites that call inside the repository."""
        return self._summed(self.callers, self._counts_within(np.zeros_like(self.file_of)))

    def incoming_of_classes(self) -> Numbers:
        """Return the number of sites that call each class or its methods, by the class's symbol."""
        return self._summed(self.owner_of[self.callees], self._counts_within(self.owner_of))

    def incoming_between_files(self) -> Numbers:
        """Return the number of sites in other files that call each symbol, and of constructions for the class."""
        across = self.file_of[self.callers] != self.file_of[self.callees]
        return self._summed(self.callees[across], self._counts_within(self.file_of)[across])

    def places(self, counts: Numbers) -> Iterator[tuple[tuple[str, str], int]]:
        """Yield ((path, key), count) of symbols with a count other than 0."""
        for number in np.flatnonzero(counts).tolist():
            yield (self.symbols[number].path, self.symbols[number].key), int(counts[number])

    def _counts_within(self, group_of: Numbers) -> Numbers:
        """Return the counts without sites of constructors whose class is called by the same site in the same group."""
        of_classes, edges, lines = self.constructions
        pairs = self.callers * len(group_of) + group_of[self.callees]
        place = np.unique(pairs, return_inverse=True)[1][edges] * (1 + lines.max(initial=0)) + lines
        number = np.unique(place, return_inverse=True)[1]
        classes = np.bincount(number[:of_classes], minlength=len(number))
        joined = edges[of_classes:] * len(number) + number[of_classes:]
        distinct, sites = np.unique(joined, return_counts=True)
        edge, at = divmod(distinct, max(1, len(number)))
        repeated = np.bincount(edge, np.minimum(sites, classes[at]), minlength=len(self.counts))
        return self.counts - repeated.astype(np.int64)

    def _summed(self, symbols: Numbers, counts: Numbers) -> Numbers:
        # Float sums of integers are exact.
        return np.bincount(symbols, weights=counts, minlength=len(self.file_of)).astype(np.int64)


_IMPORTERS, _CALLS, _CALLS_WEIGHT = 5.0, 10.0, 0.5
_PRINTED_FILES = frozenset({"__init__", "app", "settings", "config", "utils", "constants"})
_KNOWN_FILES = _PRINTED_FILES | {"index", "mod", "lib"}
_KNOWN_FILE, _KEY_WORD, _ENTRY, _ELSEWHERE = 0.5, 0.3, 0.7, 0.5
_COMMITS, _COMMITS_WEIGHT, _RECENT_DAYS, _RECENT_WEIGHT = 20.0, 0.7, 365.0, 0.3
_DAY = 86_400.0
_DEGREE = 0.5


@dataclass(frozen=True)
class ModuleScore:
    """Importance I(m) by a profile, the six features of the paper, and the two degrees of calls between files."""

    dependency: float
    complexity: float
    usage: float
    semantic: float
    documentation: float
    history: float
    inward: float
    outward: float
    importance: float


@dataclass(frozen=True)
class ClassScore:
    """Importance J(c) and its components."""

    importance: float
    methods: int
    calls_in: int
    is_core: bool


@dataclass(frozen=True)
class Coupling:
    """Module dependency graph: coupling weight (w_m of the paper) by (importing, imported) file."""

    weights: Mapping[tuple[str, str], float]
    imports: frozenset[tuple[str, str]]
    """Pairs of which the first file has an import statement for the second."""

    @classmethod
    def of(cls, resolution: Resolution, sites: CallSiteArrays) -> Coupling:
        """Compute the weights: one per import statement, call site and base class between two files."""
        weights = {pair: float(count) for pair, count in sites.by_files if pair[0] != pair[1]}
        imports = [(edge.source, edge.target, max(1, len(edge.lines))) for edge in resolution.imports]
        bases = [(edge.cls, edge.base, 1) for edge in resolution.inherits]
        imported: set[tuple[str, str]] = set()
        for number, (source, target, amount) in enumerate(imports + bases):
            pair = resolution.symbols[source].path, resolution.symbols[target].path if target >= 0 else ""
            if pair[1] and pair[0] != pair[1]:
                weights[pair] = weights.get(pair, 0.0) + amount
                imported |= {pair} if number < len(imports) else set()
        return cls(dict(sorted(weights.items())), frozenset(imported))

    def ranked_edges(self, *, is_as_printed: bool) -> Mapping[tuple[str, str], float]:
        """Return the weighted edges for PageRank: w_m of imports as printed, otherwise every pair with weight 1."""
        if is_as_printed:
            return {pair: weight for pair, weight in self.weights.items() if pair in self.imports}
        return dict.fromkeys(self.weights, 1.0)


def score_modules(
    files: Sequence[FileFacts],
    own: FileFeatures,
    resolution: Resolution,
    sites: CallSiteArrays,
    coupling: Coupling,
    history: GitHistory,
    tests: Collection[str],
    profile: Profile,
    text: Callable[[str], str],
) -> dict[str, ModuleScore]:
    """Score every file by path; `tests` are the test files, `text` returns a file's text and is called by the profile `paper` only."""
    number = {facts.path: position for position, facts in enumerate(files)}
    edges = coupling.ranked_edges(is_as_printed=profile.is_as_printed)
    ranks = own_pagerank(
        len(files), {(number[source], number[target]): weight for (source, target), weight in edges.items()}
    )
    usage = _usage(files, own, resolution, sites)
    inward, outward = _degrees(files, sites, tests)
    names = {module.path: module.name for module in resolution.modules}
    semantic = _printed_semantic if profile.is_as_printed else _semantic
    scores: dict[str, ModuleScore] = {}
    for position, facts in enumerate(files):
        path = facts.path
        features = {
            "dependency": _rounded(10.0 * float(ranks[position])),
            "complexity": _rounded(
                printed_complexity(facts, text(path)) if profile.is_as_printed else own.complexity[path]
            ),
            "usage": _rounded(usage[path]),
            "semantic": _rounded(semantic(facts, names.get(path, ""), own)),
            "documentation": _rounded(own.documentation[path]),
            "history": _rounded(_history(path, history)),
            "inward": _rounded(inward[path]),
            "outward": _rounded(outward[path]),
        }
        scores[path] = ModuleScore(**features, importance=profile.importance(features, is_test=path in tests))
    return scores


def score_classes(
    own: FileFeatures,
    sites: CallSiteArrays,
    modules: Mapping[str, ModuleScore],
    tests: Collection[str],
    profile: Profile,
    core_count: int,
) -> dict[tuple[str, str], ClassScore]:
    """Compute J(c) by (path, key): module importance, share of methods, share of calls of its methods."""
    methods, found = own.methods, dict(sites.places(sites.incoming_of_classes()))
    calls = {place: found.get(place, 0) for place in methods}
    most_methods, most_calls = max(methods.values(), default=0) or 1, max(calls.values(), default=0) or 1
    best = max((score.importance for score in modules.values()), default=0.0)
    scores: dict[tuple[str, str], float] = {}
    for place in methods:
        module, shares = modules[place[0]].importance, methods[place] / most_methods + calls[place] / most_calls
        scores[place] = _rounded(profile.class_importance(module, shares, best, is_test=place[0] in tests))
    core = set(sorted(scores.keys() - own.never_core, key=lambda place: (-scores[place], place))[:core_count])
    return {place: ClassScore(scores[place], methods[place], calls[place], place in core) for place in methods}


def _usage(
    files: Sequence[FileFacts], own: FileFeatures, resolution: Resolution, sites: CallSiteArrays
) -> dict[str, float]:
    """Score the number of importers, and calls of functions and of classes (methods included) from other files."""
    importers: dict[str, set[str]] = {facts.path: set() for facts in files}
    calls = {facts.path: [0, 0] for facts in files}
    for imported in resolution.imports:
        source, target = resolution.path_key(imported.source), resolution.path_key(imported.target)
        if source and target and source[0] != target[0]:
            importers[target[0]].add(source[0])
    for place, count in sites.places(sites.incoming_between_files()):
        calls[place[0]][place in own.members] += count
    return {
        path: min(len(importers[path]) / _IMPORTERS, 1.0)
        + min(functions / _CALLS, 1.0) * _CALLS_WEIGHT
        + min(classes / _CALLS, 1.0) * _CALLS_WEIGHT
        for path, (functions, classes) in calls.items()
    }


def _degrees(
    files: Sequence[FileFacts], sites: CallSiteArrays, tests: Collection[str]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return half the logarithm of incoming and outgoing call sites between files; incoming ones without tests.

    The logarithm limits the weight of hubs.
    """
    inward, outward = ({facts.path: 0 for facts in files} for _ in range(2))
    for (caller, callee), count in sites.by_files:
        if caller != callee:
            outward[caller] += count
            inward[callee] += count * (caller not in tests)
    first, second = (
        {path: _DEGREE * math.log1p(count) for path, count in found.items()} for found in (inward, outward)
    )
    return first, second


def _printed_semantic(facts: FileFacts, dotted: str, own: FileFeatures) -> float:
    """Score a file name of the printed list, and a keyword as a word of the module's or of a function's name."""
    known = facts.path.rsplit("/", 1)[-1].rsplit(".", 1)[0] in _PRINTED_FILES
    return _KNOWN_FILE * known + _KEY_WORD * (has_keyword_as_word(dotted) or facts.path in own.printed_telling)


def _semantic(facts: FileFacts, dotted: str, own: FileFeatures) -> float:
    """Score the file's own name in full, the other parts of its dotted name and its functions' names at half
    weight."""
    stem, known = facts.path.rsplit("/", 1)[-1].rsplit(".", 1)[0], load(facts.language).known_files
    above = [part for part in dotted.split(".")[:-1] if part]
    score = _name_score(stem, known) + _ELSEWHERE * sum(_name_score(part, known) for part in above)
    return min(score + _ELSEWHERE * _KEY_WORD * (facts.path in own.telling), 1.0)


@lru_cache(maxsize=4_096)
def _name_score(name: str, known: frozenset[str]) -> float:
    """Score one part of a name; `known` are stems of important files of the language."""
    lowered = name.lower()
    score = _KEY_WORD * has_keyword(name) + _KNOWN_FILE * (lowered in _KNOWN_FILES or name in known)
    return min(score + _ENTRY * (lowered.strip("_") == "main"), 1.0)


def _history(path: str, history: GitHistory) -> float:
    """Score the number of commits, and with 30 % the recency of the last commit, relative to the newest commit."""
    commits = history.commits_of(path)
    if not commits:
        return 0.0
    days = (history.newest_time - max(commit.time for commit in commits)) / _DAY
    recency = max(0.0, 1.0 - days / _RECENT_DAYS)
    return min(len(commits) / _COMMITS, 1.0) * _COMMITS_WEIGHT + recency * _RECENT_WEIGHT


def _rounded(value: float) -> float:
    """Round to nine decimals, so that scores do not depend on the order of additions."""
    return round(value, 9)


@dataclass(frozen=True)
class RepositoryScores:
    """Scores of a repository, and the call arrays behind them."""

    profile: str
    """Name of the score profile."""
    tests: frozenset[str]
    """Paths of test files."""
    modules: Mapping[str, ModuleScore]
    classes: Mapping[tuple[str, str], ClassScore]
    coupling: Coupling
    sites: CallSiteArrays


def score_repository(
    files: Sequence[FileFacts],
    own: FileFeatures,
    resolution: Resolution,
    history: GitHistory,
    settings: IngestSettings,
    text: Callable[[str], str],
) -> RepositoryScores:
    """Score modules and classes; `text` returns a file's text."""
    sites = CallSiteArrays.of(resolution, own)
    coupling = Coupling.of(resolution, sites)
    tests = own.tests.files((facts.path for facts in files), resolution)
    profile = profile_named(settings.score_profile)
    modules = score_modules(files, own, resolution, sites, coupling, history, tests, profile, text)
    classes = score_classes(own, sites, modules, tests, profile, settings.core_classes)
    return RepositoryScores(profile.name, tests, modules, classes, coupling, sites)
