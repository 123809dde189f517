"""Exact lookup of the paths, stack frames, dotted names and identifiers that a task mentions, in the names of a search index."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.places import DOCUMENT, Mask, Places
from repoquarry.graphstore.search.index.postings import Integers, Reals
from repoquarry.graphstore.search.mentions import StackFrame, TaskMentions

SAMPLE_FOLDERS: Final = frozenset(
    (
        *("example", "examples", "sample", "samples", "demo", "demos", "tutorial", "tutorials", "gallery", "galleries"),
        *("doc", "docs", "documentation", "bench", "benchmark", "benchmarks", "asv_bench", "fixture", "fixtures"),
        *("testdata", "test_data", "vendor", "vendored", "third_party"),
    )
)
_MIN_NAME_CHARACTERS: Final = 3
"""Minimum length of a name; shorter ones are meaningless."""
_MAX_NAMESAKES: Final = 200
"""Maximum definitions of one name; more common names are meaningless."""
_MAX_TWINS: Final = 4
"""Maximum number of files that count as counterparts of each other."""
_FRAME_DECAY: Final = 0.75
"""Weight of a stack frame relative to the one closer to the failure."""


@dataclass(frozen=True)
class NameIndex:
    """Names of one index for exact lookups; built once per index."""

    places: Places

    @cached_property
    def live(self) -> Mask:
        """Return the places that are code and not tests: the usual subject of a task."""
        live: Mask = ~(self.places.is_test | (self.places.label == DOCUMENT))
        return live

    @cached_property
    def samples(self) -> Mask:
        """Return the files in folders of examples, documentation, benchmarks and the like, which only use the subject of a task."""
        folders = [path.lower().split("/")[:-1] for path in self.places.columns.paths]
        return np.array([not SAMPLE_FOLDERS.isdisjoint(parts) for parts in folders], dtype=np.bool_)

    @cached_property
    def files_by_base(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for file, path in enumerate(self.places.columns.paths):
            found[path.rsplit("/", 1)[-1]].append(file)
        return found

    @cached_property
    def files_by_stem(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for base, files in self.files_by_base.items():
            found[base.split(".", 1)[0].strip("_").lower()] += [file for file in files if self.live[file]]
        return found

    @cached_property
    def twins(self) -> Sequence[Sequence[int]]:
        """Return groups of live files of one folder that differ in their suffixes only: a header and its source, a script and its types."""
        found: dict[str, list[int]] = defaultdict(list)
        for file in np.flatnonzero(self.live[: self.places.file_count]).tolist():
            folder, _, base = self.places.columns.paths[file].rpartition("/")
            found[f"{folder}/{base.split('.', 1)[0]}"].append(file)
        return [files for files in found.values() if 1 < len(files) <= _MAX_TWINS]

    @cached_property
    def modules_by_suffix(self) -> Mapping[str, list[int]]:
        """Map every suffix of a dotted name to its live modules."""
        found: dict[str, list[int]] = defaultdict(list)
        for file, dotted in enumerate(self.places.columns.dotted):
            parts = dotted.replace("/", ".").split(".") if dotted and self.live[file] else []
            for start in range(len(parts)):
                found[".".join(parts[start:])].append(file)
        return found

    def definitions(self, name: str) -> Integers:
        places = np.array(self.places.by_name.get(name, ()), dtype=np.int32)
        return places[self.live[places]]

    def rarity(self, alike: int) -> float:
        """Return 1 for a unique name, near 0 for a very common one."""
        names = len(self.places.by_name) + 1
        return (math.log(1 + names / max(alike, 1)) / math.log(1 + names)) ** 2

    def files(self, path: str) -> tuple[list[int], int]:
        """Return the live files that share the longest suffix with `path`, and the number of shared parts."""
        parts = path.split("/")
        shared: dict[int, int] = {}
        for file in self.files_by_base.get(parts[-1], ()):
            own = self.places.columns.paths[file].split("/")
            same = (a == b for a, b in zip(reversed(own), reversed(parts), strict=False))
            shared[file] = next((count for count, equal in enumerate(same) if not equal), min(len(own), len(parts)))
        most = max(shared.values(), default=0)
        return [file for file, count in shared.items() if count == most and self.live[file]], most


def named(names: NameIndex, words: Iterable[str]) -> Reals:
    """Return for each definition the rarity of its name if it is among the words."""
    found = np.zeros(len(names.places), dtype=np.float32)
    for word in words:
        alike = names.definitions(word) if len(word) >= _MIN_NAME_CHARACTERS else ()
        if 0 < len(alike) < _MAX_NAMESAKES:
            found[alike] = names.rarity(len(alike))
    return found


def match_stems(names: NameIndex, words: Iterable[str]) -> Reals:
    """Return for each file the rarity of its name without suffix if it is among the words."""
    found = np.zeros(names.places.file_count, dtype=np.float32)
    for word in words:
        stem = word.strip("_").lower()
        alike = names.files_by_stem.get(stem, ()) if len(stem) >= _MIN_NAME_CHARACTERS else ()
        if alike:
            found[list(alike)] = names.rarity(len(alike))
    return found


def match_paths(names: NameIndex, mentions: TaskMentions) -> Reals:
    """Return for each file how certainly a path in the text refers to it."""
    found = np.zeros(names.places.file_count, dtype=np.float32)
    for path in mentions.paths:
        files, shared = names.files(path)
        if files and (shared > 1 or "/" not in path):
            found[files] = np.maximum(found[files], 1.0 / len(files))
    return found


def match_frames(names: NameIndex, mentions: TaskMentions) -> Reals:
    """Return for each file and definition its weight in the stack traces: 1 for the frame closest to the failure."""
    found = np.zeros(len(names.places), dtype=np.float32)
    worth = 1.0
    for frame in mentions.frames:
        files, shared = names.files(frame.path)
        if not files or (shared < 2 and "/" in frame.path and "/" in names.places.columns.paths[files[0]]):
            continue  # The same file name elsewhere: not of this repository.
        for file in files:
            hit = _framed(names.places, file, frame)
            for place in (file, hit) if hit is not None else (file,):
                found[place] = max(found[place], worth / len(files))
        worth *= _FRAME_DECAY
    return found


def _framed(places: Places, file: int, frame: StackFrame) -> int | None:
    """Return the definition of a frame, by name first, since lines drift between versions."""
    inside = [int(place) for place in places.definitions.get(file, ())]
    alike = [place for place in inside if places.name(place) == frame.function]
    if alike:
        return min(alike, key=lambda place: abs(int(places.start_line[place]) - frame.line))
    around = [place for place in inside if places.start_line[place] <= frame.line <= places.end_line[place]]
    return around[-1] if around else None


def match_dotted_names(names: NameIndex, mentions: TaskMentions) -> Reals:
    """Return for each file and definition how certainly a dotted name in the text refers to it."""
    found = np.zeros(len(names.places), dtype=np.float32)
    for name in mentions.dotted:
        parts = name.split(".")
        for place, certainty in _resolve(names, parts) or _by_class(names, parts):
            found[place] = max(found[place], certainty)
    return found


def _resolve(names: NameIndex, parts: Sequence[str]) -> list[tuple[int, float]]:
    """Split a dotted name into the longest existing module and a definition in it or below its folder."""
    for cut in range(len(parts), 0, -1):
        files = names.modules_by_suffix.get(".".join(parts[:cut]), [])
        exact = [file for file in files if names.places.columns.dotted[file] == ".".join(parts[:cut])]
        files = exact or (files if cut > 1 else [])
        if not 0 < len(files) <= 3:
            continue
        if cut == len(parts):
            return [(file, 1.0 / len(files)) for file in files]
        return [hit for file in files for hit in _in_module(names, file, parts[cut:])] or [
            (file, 0.5 / len(files)) for file in files
        ]
    return []


def _in_module(names: NameIndex, file: int, rest: Sequence[str]) -> list[tuple[int, float]]:
    """Resolve `rest` in a module: to its own definition, otherwise to one that it may re-export from its package."""
    columns = names.places.columns
    package = columns.dotted[file]
    for length in range(len(rest), 0, -1):
        wanted = ".".join(rest[:length])
        alike = [int(p) for p in names.definitions(rest[length - 1]) if names.places.qualname(int(p)) == wanted]
        homes = {place: columns.dotted[int(names.places.file[place])] for place in alike}
        for scope in (
            [place for place in alike if names.places.file[place] == file],
            [place for place, home in homes.items() if home.startswith(f"{package}.")],
            [place for place, home in homes.items() if home.split(".")[0] == package.split(".")[0]],
        ):
            if scope:
                certainty = (1.0 if length == len(rest) else 0.7) / len(scope)
                return [(place, certainty) for place in scope]
    return []


def _by_class(names: NameIndex, parts: Sequence[str]) -> list[tuple[int, float]]:
    """Return definitions whose qualname ends with the last two parts, such as `Class.method`."""
    wanted = ".".join(parts[-2:])
    alike = [
        int(place)
        for place in names.definitions(parts[-1])
        if names.places.qualname(int(place)) == wanted or names.places.qualname(int(place)).endswith(f".{wanted}")
    ]
    return [(place, 1.0 / len(alike)) for place in alike] if len(alike) <= 5 else []
