"""Resolution of JavaScript import specifiers to files, by package.json, tsconfig.json and paths.

Source: https://nodejs.org/api/packages.html

Source: https://www.typescriptlang.org/tsconfig

Paths are tried as Node and TypeScript try them: the file itself, with a suffix, the folder's manifest, its `index`. A package of the
repository leads to its sources although its manifest names what is built of them.
Source: https://nodejs.org/api/esm.html#resolution-algorithm, https://www.typescriptlang.org/docs/handbook/modules/reference.html
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

#: conditions of `exports` and `imports` that are followed, before any other: what the sources are rather than what is built of them
_CONDITIONS = ("source", "development", "types", "typings", "import", "module", "node", "default", "require", "browser")
#: fields with the entry file, in the order in which they are tried
_ENTRIES = ("source", "types", "typings", "module", "main", "browser")
#: nested conditions are followed so deep
_MAX_DEPTH = 10


@dataclass(frozen=True, slots=True)
class NpmPackage:
    """One `package.json`."""

    folder: str
    name: str
    entries: tuple[str, ...]
    """Entry files as written, the likeliest first."""
    exports: Any
    imports: Mapping[str, Any]

    def exported(self, part: str) -> Iterator[str]:
        """Files that `name/part` may lead to, relative to the folder; `part` is empty for the package itself."""
        key = f"./{part}" if part else "."
        if self.exports is not None:
            yield from matching(self.exports if is_entry_table(self.exports) else {".": self.exports}, key)
        if not part:
            yield from self.entries

    def targets(self) -> Iterator[str]:
        """Files that the package itself may lead to, those of the manifest first."""
        yield from self.exported("")
        yield from _SOURCES

    def imported(self, specifier: str) -> Iterator[str]:
        """Files that `#name` may lead to."""
        yield from matching(self.imports, specifier)


def is_entry_table(exports: Any) -> bool:
    """Return whether `exports` is a table of entries, not the entry or the conditions of the package itself."""
    return isinstance(exports, dict) and any(one.startswith(".") for one in exports)


def matching(table: Mapping[str, Any], key: str) -> Iterator[str]:
    """Return the files of an entry of `exports` or `imports`; `*` in its name stands for what it does in its files."""
    if key in table:
        yield from target_files(table[key], "")
        return
    patterns = [one for one in table if one.count("*") == 1]
    for pattern in sorted(patterns, key=len, reverse=True):
        before, _, after = pattern.partition("*")
        if key.startswith(before) and key.endswith(after) and len(key) >= len(pattern) - 1:
            yield from target_files(table[pattern], key[len(before) : len(key) - len(after)])
            return


def target_files(target: Any, middle: str, depth: int = 0) -> Iterator[str]:
    """Files of a target of `exports` or `imports`, under all conditions."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(target, str):
        yield target.replace("*", middle)
    elif isinstance(target, list):
        for one in target:
            yield from target_files(one, middle, depth + 1)
    elif isinstance(target, dict):
        known = [one for one in _CONDITIONS if one in target]
        for condition in (*known, *(one for one in target if one not in known)):
            yield from target_files(target[condition], middle, depth + 1)


def read_package(folder: str, text: bytes) -> NpmPackage | None:
    """Return the package of a manifest, None where it cannot be understood."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    name, imports = data.get("name"), data.get("imports")
    entries = tuple(one for one in map(data.get, _ENTRIES) if isinstance(one, str) and one)
    return NpmPackage(
        folder=folder,
        name=name if isinstance(name, str) else "",
        entries=entries,
        exports=data.get("exports"),
        imports=imports if isinstance(imports, dict) else {},
    )


#: strings, comments, and commas before a closing bracket: the dialect of JSON that these files are written in
_TOKENS = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=\s*(?:(?://[^\n]*|/\*.*?\*/)\s*)*[}\]])', re.DOTALL)
#: longer chains of `extends` are damaged input


@dataclass(frozen=True, slots=True)
class PathMapping:
    """Rules of one configuration for specifiers."""

    base: str | None = None
    """Folder from which bare specifiers are looked for, None where it names none."""
    patterns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Specifier with at most one `*` -> paths without suffix, relative to the repository."""

    def candidates(self, specifier: str) -> Iterator[str]:
        """Paths without suffix that a specifier may mean."""
        best: tuple[int, str, str] | None = None
        for pattern in self.patterns:
            before, star, after = pattern.partition("*")
            if not star:
                if pattern == specifier:
                    best = (len(pattern) + 1, pattern, "")
                    break
            elif specifier.startswith(before) and specifier.endswith(after) and len(specifier) >= len(pattern) - 1:
                found = (len(before), pattern, specifier[len(before) : len(specifier) - len(after)])
                best = max(best, found) if best is not None else found
        if best is not None:
            for target in self.patterns[best[1]]:
                yield posixpath.normpath(target.replace("*", best[2]))
        if self.base is not None:
            yield posixpath.normpath(posixpath.join(self.base, specifier))


def parse(text: bytes) -> dict[str, Any]:
    """Return a configuration with comments and trailing commas; empty where it cannot be understood."""
    try:
        plain = _TOKENS.sub(
            lambda found: found.group() if found.group().startswith('"') else "", text.decode("utf-8-sig")
        )
        data = json.loads(plain)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


class TsConfigs:
    """The configurations of a repository."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._data = {path: parse(text) for path, text in texts.items()}
        self._paths: dict[str, PathMapping] = {}
        self._of_folder: dict[str, tuple[PathMapping, ...]] = {}

    def of_folder(self, folder: str) -> tuple[PathMapping, ...]:
        """Rules of the configurations in a folder and in those around it, the nearest first."""
        known = self._of_folder.get(folder)
        if known is None:
            here = [self.paths(path) for path in sorted(self._data) if posixpath.dirname(path) == folder]
            around = self.of_folder(posixpath.dirname(folder)) if folder else ()
            known = self._of_folder[folder] = (*(one for one in here if one.patterns or one.base is not None), *around)
        return known

    def outputs(self, folder: str) -> Iterator[tuple[str, str]]:
        """Yield (output folder, source folder) of the configurations in a folder."""
        for path in sorted(self._data):
            options = self._data[path].get("compilerOptions")
            if posixpath.dirname(path) != folder or not isinstance(options, dict):
                continue
            output, source = options.get("outDir"), options.get("rootDir")
            if isinstance(output, str):
                sources = (source,) if isinstance(source, str) else ("src", "")
                for one in sources:
                    yield posixpath.normpath(posixpath.join(folder, output)), posixpath.join(folder, one)

    def paths(self, path: str, depth: int = 0) -> PathMapping:
        """Rules of one configuration, with those that it extends."""
        known = self._paths.get(path)
        if known is not None:
            return known
        data, folder = self._data.get(path, {}), posixpath.dirname(path)
        found = PathMapping()
        if depth < _MAX_DEPTH:
            extended = data.get("extends")
            for one in extended if isinstance(extended, list) else [extended]:
                if isinstance(one, str) and (target := self._extended(folder, one)) is not None:
                    found = self.paths(target, depth + 1)
        options = data.get("compilerOptions")
        if isinstance(options, dict):
            found = self._own(folder, options, found)
        self._paths[path] = found
        return found

    @staticmethod
    def _own(folder: str, options: dict[str, Any], extended: PathMapping) -> PathMapping:
        base, paths = options.get("baseUrl"), options.get("paths")
        root = posixpath.normpath(posixpath.join(folder, base)) if isinstance(base, str) else extended.base
        patterns = extended.patterns
        if isinstance(paths, dict):
            start = root if root is not None else folder
            patterns = {
                pattern: tuple(posixpath.join(start, one) for one in targets if isinstance(one, str))
                for pattern, targets in paths.items()
                if isinstance(targets, list)
            }
        return PathMapping(root, patterns)

    def _extended(self, folder: str, specifier: str) -> str | None:
        if not specifier.startswith("."):
            return None
        path = posixpath.normpath(posixpath.join(folder, specifier))
        return next((one for one in (path, f"{path}.json", f"{path}/tsconfig.json") if one in self._data), None)


#: in the order in which they are tried: sources before the declarations of their build output
SUFFIXES = (
    ".ts",
    ".tsx",
    ".mts",
    ".cts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".vue",
    ".svelte",
    ".d.ts",
    ".d.mts",
    ".d.cts",
)
DECLARATION_SUFFIXES = (".d.ts", ".d.mts", ".d.cts")
#: suffix of a build output -> suffixes of its possible sources
_BUILT = {
    ".js": (".ts", ".tsx", ".jsx", ".js", ".d.ts"),
    ".jsx": (".tsx", ".jsx"),
    ".mjs": (".mts", ".ts", ".mjs", ".d.mts"),
    ".cjs": (".cts", ".ts", ".cjs", ".d.cts"),
    ".d.ts": (".ts", ".tsx", ".js", ".jsx", ".d.ts"),
    ".d.mts": (".mts", ".ts", ".mjs", ".d.mts"),
    ".d.cts": (".cts", ".ts", ".cjs", ".d.cts"),
}
#: folders with build output, which a repository does not contain
_OUTPUTS = frozenset(("dist", "lib", "build", "out", "esm", "cjs", "es", "types", "umd", "output"))
#: where the sources of a package begin when its manifest does not lead there
_SOURCES = ("src/index", "index", "lib/index", "src/main", "source/index", "src")
#: prefixes of specifiers that bundlers resolve from the root of the sources
_ALIASES = ("@/", "~/", "@@/", "~~/")


def source_paths(folder: str, target: str) -> Iterator[str]:
    """Yield the paths of a file that a manifest in a folder names: the file itself, or the source that it is built from."""
    yield posixpath.normpath(posixpath.join(folder, target))
    inside = posixpath.normpath(target).split("/")
    while len(inside) > 1 and inside[0] in _OUTPUTS:
        inside = inside[1:]
        yield posixpath.join(folder, "src", *inside)
        yield posixpath.join(folder, *inside)


class SpecifierResolver:
    """Resolver of specifiers in one repository."""

    def __init__(self, paths: Collection[str], configuration: Mapping[str, bytes]) -> None:
        self._files = frozenset(paths)
        manifests = {path: text for path, text in configuration.items() if path.rpartition("/")[2] == "package.json"}
        self._packages: dict[str, NpmPackage] = {}
        for path, text in sorted(manifests.items()):
            package = read_package(posixpath.dirname(path), text)
            if package is not None:
                self._packages[package.folder] = package
        self._by_name = {package.name: package for package in self._packages.values() if package.name}
        others = {path: text for path, text in configuration.items() if path not in manifests}
        self._configurations = TsConfigs(others)
        self._known: dict[tuple[str, str, bool], str | None] = {}

    @property
    def packages(self) -> Collection[NpmPackage]:
        """The packages of the repository."""
        return self._packages.values()

    def files_of(self, package: NpmPackage, target: str) -> Iterator[str]:
        """Files of the repository that a file of a package's manifest may be."""
        found = (self.file(path, follow=False) for path in self._source_paths(package.folder, target))
        return (file for file in found if file is not None)

    def find(self, importer: str, specifier: str) -> str | None:
        """Return the file that a specifier means in a file, None where it is outside the repository."""
        folder, declares = posixpath.dirname(importer), importer.endswith(DECLARATION_SUFFIXES)
        key = (folder, specifier, declares)
        if key not in self._known:
            candidates = self._candidates(folder, _plain(specifier))
            found = ((declares and self._declaration(candidate)) or self.file(candidate) for candidate in candidates)
            self._known[key] = next((one for one in found if one is not None), None)
        return self._known[key]

    def _declaration(self, path: str) -> str | None:
        """Return the declaration file next to a path, which declarations import rather than its implementation."""
        stem = next((path[: -len(suffix)] for suffix in (".js", ".mjs", ".cjs") if path.endswith(suffix)), path)
        starts = (stem, posixpath.join(path, "index"))
        found = (start + suffix for start in starts for suffix in DECLARATION_SUFFIXES)
        return next((one for one in found if one in self._files), None)

    def _candidates(self, folder: str, specifier: str) -> Iterator[str]:
        """Paths, with or without suffix, that a specifier may mean."""
        if specifier.startswith("."):
            path = posixpath.normpath(posixpath.join(folder, specifier))
            yield path
            around = self._home(posixpath.dirname(path))
            if around is not None and not path.startswith("../"):
                yield from self._source_paths(around.folder, posixpath.relpath(path, around.folder or "."))
            return
        for paths in self._configurations.of_folder(folder):
            yield from paths.candidates(specifier)
        home = self._home(folder)
        if specifier.startswith("#") and home is not None:
            for target in home.imported(specifier):
                yield from self._source_paths(home.folder, target)
            return
        yield from self._in_packages(specifier)
        root = home.folder if home is not None else ""
        for alias in _ALIASES:
            if specifier.startswith(alias):
                yield posixpath.join(root, "src", specifier[len(alias) :])
                yield posixpath.join(root, specifier[len(alias) :])
        if specifier.startswith("/"):
            yield posixpath.join(root, specifier[1:])

    def _in_packages(self, specifier: str) -> Iterator[str]:
        """Return the paths of `name` or `name/part` where the repository itself has the package."""
        parts = specifier.split("/")
        count = 2 if specifier.startswith("@") else 1
        package = self._by_name.get("/".join(parts[:count]))
        if package is None:
            return
        part = "/".join(parts[count:])
        for target in package.exported(part):
            yield from self._source_paths(package.folder, target)
        for start in (part, f"src/{part}") if part else _SOURCES:
            yield posixpath.join(package.folder, start)

    def _source_paths(self, folder: str, target: str) -> Iterator[str]:
        """Yield the paths of `source_paths`, and after the file itself its sources by the compiler options of the folder."""
        path, *sources = source_paths(folder, target)
        yield path
        for output, source in self._configurations.outputs(folder):
            if path.startswith(f"{output}/"):
                yield posixpath.normpath(posixpath.join(source, path[len(output) + 1 :]))
        yield from sources

    def _home(self, folder: str) -> NpmPackage | None:
        """Return the package that a folder belongs to."""
        while True:
            if folder in self._packages:
                return self._packages[folder]
            if not folder:
                return None
            folder = posixpath.dirname(folder)

    def file(self, path: str, *, follow: bool = True) -> str | None:
        """Return the file at a path with or without suffix, or that stands for the folder at it."""
        if path.startswith("../"):
            return None
        path = "" if path == "." else path.strip("/")
        if path in self._files:
            return path
        for ending in sorted(_BUILT, key=len, reverse=True):
            if path.endswith(ending):
                stem = path[: -len(ending)]
                found = next((stem + one for one in _BUILT[ending] if stem + one in self._files), None)
                if found is not None:
                    return found
        found = next((path + one for one in SUFFIXES if path + one in self._files), None)
        return found or self._of_folder(path, follow=follow)

    def _of_folder(self, path: str, *, follow: bool) -> str | None:
        package = self._packages.get(path)
        if package is not None and follow:
            candidates = (one for target in package.entries for one in self._source_paths(package.folder, target))
            entries = [found for one in candidates if (found := self.file(one, follow=False)) is not None]
            if entries:  # what runs before what declares it
                return next((one for one in entries if not one.endswith(DECLARATION_SUFFIXES)), entries[0])
        index = posixpath.join(path, "index")
        return next((index + one for one in SUFFIXES if index + one in self._files), None)


PREFIXED_MODULES = frozenset(("node:test", "node:sqlite", "node:sea"))
"""Built-in modules that are imported with their prefix only."""


def without_scheme(specifier: str) -> str:
    """Remove `node:` from a specifier, which then equals the one without."""
    return specifier if specifier.partition("/")[0] in PREFIXED_MODULES else specifier.removeprefix("node:")


def _plain(specifier: str) -> str:
    """Without what bundlers read behind a question mark and before an exclamation mark."""
    return specifier.rpartition("!")[2].partition("?")[0]
