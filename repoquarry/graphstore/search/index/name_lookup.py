"""Exact lookup of the paths, stack frames, dotted names and identifiers that a task mentions, in the names of a search index."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.places import DOCUMENT, FUNCTION, Mask, Places
from repoquarry.graphstore.search.index.postings import Integers, Reals
from repoquarry.graphstore.search.mentions import StackFrame, TaskMentions

SAMPLE_FOLDERS: Final = frozenset(
    (
        *("example", "examples", "sample", "samples", "demo", "demos", "tutorial", "tutorials", "gallery", "galleries"),
        *(
            "doc",
            "docs",
            "documentation",
            "bench",
            "benchmark",
            "benchmarks",
            "asv_bench",
            "jmh",
            "fixture",
            "fixtures",
        ),
        *("testdata", "test_data"),
    )
)
BUNDLED_FOLDERS: Final = frozenset(
    (
        *(
            "vendor",
            "vendored",
            "_vendor",
            "vendors",
            "third_party",
            "thirdparty",
            "third-party",
            "3rdparty",
            "externals",
        ),
        *("extern", "cextern", "bundled", "_bundled", "node_modules", "bower_components", "site-packages"),
    )
)
"""Folders with copies of other projects."""
_PACKAGES_FOLDER: Final = "packages"
"""Folder with copies of other projects where it is a Python package; elsewhere it holds the parts of a repository."""
_BUNDLED_FILE: Final = re.compile(r"[a-z.]+-\d+(?:\.\d+)+(?:[.-](?:min|slim|pack|pre|all))*\.(?:js|css)")
"""Name of a copied library with its version: `jquery-3.5.1.js`."""
_COPIED_LIBRARIES: Final = frozenset(
    (
        *("jquery", "underscore", "lodash", "backbone", "bootstrap", "angular", "d3", "moment", "handlebars"),
        *("mustache", "prototype", "modernizr", "raphael", "html5shiv", "require", "knockout", "select2", "highlight"),
    )
)
"""Libraries that are copied into folders of static files without their version."""
_STATIC_FOLDERS: Final = frozenset(("static", "assets", "public", "js", "javascripts", "themes", "lib", "libs"))
_BUILT_FOLDER: Final = "dist"
"""Folder with what a build has written, where scripts and styles are committed in it."""
_MIN_WRAPPER_LINES: Final = 100
_MIN_WRAPPER_SHARE: Final = 0.8
"""Minimum share of a file's lines in a function that only wraps the file."""
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
    def bundled(self) -> Mask:
        """Return the files that are copies of other projects."""
        paths = self.places.columns.paths
        packages = {path.rpartition("/")[0] for path in paths if path.endswith(f"/{_PACKAGES_FOLDER}/__init__.py")}
        return np.array([_is_bundled(path.lower(), path, packages) for path in paths], dtype=np.bool_)

    @cached_property
    def wrappers(self) -> Mask:
        """Return the nameless functions that only wrap a file: their text is that of all definitions in them."""
        places = self.places
        lines = np.zeros(places.file_count, dtype=np.int64)
        np.maximum.at(lines, places.file, places.end_line)
        size = places.end_line - places.start_line + 1
        is_long = (size >= _MIN_WRAPPER_LINES) & (size >= _MIN_WRAPPER_SHARE * lines[places.file])
        is_long[: places.file_count] = False
        wrappers: Mask = is_long & np.array([key.rsplit(".", 1)[-1].startswith("<") for key in places.columns.keys])
        return wrappers

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


_CONSTRUCTORS: Final = frozenset(("__init__", "__new__", "constructor", "new", "initialize", "__construct", "<init>"))


def is_constructor(places: Places, place: int) -> bool:
    """Return whether a member of a class is its constructor: by its name, or by that of the class."""
    name = places.name(place)
    return name in _CONSTRUCTORS or name == places.name(int(places.parent[place]))


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
            for place in (file, *_with_enclosing(names.places, _framed(names.places, file, frame))):
                found[place] = max(found[place], worth / len(files))
        worth *= _FRAME_DECAY
    return found


def _is_bundled(path: str, cased: str, packages: Collection[str]) -> bool:
    *folders, name = path.split("/")
    if not BUNDLED_FOLDERS.isdisjoint(folders) or _BUNDLED_FILE.fullmatch(name):
        return True
    if _BUILT_FOLDER in folders and name.endswith((".js", ".mjs", ".cjs", ".css", ".d.ts")):
        return True
    if name.endswith((".js", ".css")) and name.split(".", 1)[0] in _COPIED_LIBRARIES:
        return not _STATIC_FOLDERS.isdisjoint(folders)
    return any(cased.startswith(f"{folder}/") and cased.count("/") > folder.count("/") + 1 for folder in packages)


def _with_enclosing(places: Places, place: int | None) -> Iterator[int]:
    """Yield a function and the functions around it: the change may be in any of them."""
    while place is not None:
        yield place
        parent = int(places.parent[place])
        place = parent if parent >= 0 and places.label[parent] == FUNCTION else None


def _framed(places: Places, file: int, frame: StackFrame) -> int | None:
    """Return the definition of a frame, by name first, since lines drift between versions."""
    inside = [int(place) for place in places.definitions.get(file, ())]
    function = frame.function.rsplit(".", 1)[-1]
    alike = [place for place in inside if places.name(place) == function]
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
