"""All scores of one revision: what tests are, how files depend on each other, and what matters by the profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from repoquarry.graphstore.folder.history import History
from repoquarry.graphstore.model.score_profiles import profile_named
from repoquarry.ingest.resolution import Resolution
from repoquarry.ingest.scores.importance import ClassScore, Coupling, ModuleScore, score_classes, score_modules
from repoquarry.ingest.scores.kept_ranks import KeptRanks
from repoquarry.ingest.scores.own_features import OwnFeatures
from repoquarry.ingest.scores.sites import Sites
from repoquarry.languages.facts import FileFacts


@dataclass(frozen=True)
class Scores:
    """What the graph says of importance, and the sums of call sites that it follows from."""

    profile: str
    """Name of the score profile that the scores follow."""
    tests: frozenset[str]
    """Paths of the files that hold tests."""
    modules: Mapping[str, ModuleScore]
    classes: Mapping[tuple[str, str], ClassScore]
    coupling: Coupling
    sites: Sites


def score(
    files: Sequence[FileFacts],
    own: OwnFeatures,
    resolution: Resolution,
    history: History,
    profile_name: str,
    ranks: KeptRanks,
) -> Scores:
    """Score modules and classes; `own` is of the same files, `ranks` are those of the last revision, and become those of this one."""
    sites = Sites.of(resolution)
    coupling = Coupling.of(resolution, sites)
    tests = own.tests.files((facts.path for facts in files), resolution)
    profile = profile_named(profile_name)
    modules = score_modules(files, own, resolution, sites, coupling, history, tests, profile, ranks)
    classes = score_classes(own, sites, modules, tests, profile)
    return Scores(profile.name, tests, modules, classes, coupling, sites)
