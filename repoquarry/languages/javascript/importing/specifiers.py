"""What an import specifier means: a file of the repository, or something outside it.

Paths are tried as Node and TypeScript try them: the file itself, with a suffix, the folder's manifest, its `index`. A package of the
repository leads to its sources although its manifest names what is built of them.
Source: https://nodejs.org/api/esm.html#resolution-algorithm, https://www.typescriptlang.org/docs/handbook/modules/reference.html
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping

from repoquarry.languages.javascript.importing.packages import Package, read_package
from repoquarry.languages.javascript.importing.tsconfig import Configurations

#: in the order in which they are tried: sources before the declarations of what is built of them
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
#: suffix of what is built -> suffixes of what it may be built of
_BUILT = {
    ".js": (".ts", ".tsx", ".jsx", ".js", ".d.ts"),
    ".jsx": (".tsx", ".jsx"),
    ".mjs": (".mts", ".ts", ".mjs", ".d.mts"),
    ".cjs": (".cts", ".ts", ".cjs", ".d.cts"),
    ".d.ts": (".ts", ".tsx", ".js", ".jsx", ".d.ts"),
    ".d.mts": (".mts", ".ts", ".mjs", ".d.mts"),
    ".d.cts": (".cts", ".ts", ".cjs", ".d.cts"),
}
#: folders with what is built, which a repository does not hold
_OUTPUTS = frozenset(("dist", "lib", "build", "out", "esm", "cjs", "es", "types", "umd", "output"))
#: where the sources of a package begin when its manifest does not lead there
_SOURCES = ("src/index", "index", "lib/index", "src/main", "source/index", "src")
#: beginnings of specifiers that bundlers are told to find from the root of the sources
_ALIASES = ("@/", "~/", "@@/", "~~/")


class Specifiers:
    """Finds what specifiers mean in one repository."""

    def __init__(self, paths: Collection[str], configuration: Mapping[str, bytes]) -> None:
        self._files = frozenset(paths)
        manifests = {path: text for path, text in configuration.items() if path.rpartition("/")[2] == "package.json"}
        self._packages: dict[str, Package] = {}
        for path, text in sorted(manifests.items()):
            package = read_package(posixpath.dirname(path), text)
            if package is not None:
                self._packages[package.folder] = package
        self._by_name = {package.name: package for package in self._packages.values() if package.name}
        others = {path: text for path, text in configuration.items() if path not in manifests}
        self._configurations = Configurations(others)
        self._known: dict[tuple[str, str], str | None] = {}

    def find(self, importer: str, specifier: str) -> str | None:
        """The file that a specifier means in a file, None where it is outside the repository."""
        folder = posixpath.dirname(importer)
        key = (folder, specifier)
        if key not in self._known:
            found = (self.file(candidate) for candidate in self._candidates(folder, _plain(specifier)))
            self._known[key] = next((one for one in found if one is not None), None)
        return self._known[key]

    def _candidates(self, folder: str, specifier: str) -> Iterator[str]:
        """Paths, with or without suffix, that a specifier may mean."""
        if specifier.startswith("."):
            yield posixpath.normpath(posixpath.join(folder, specifier))
            return
        for paths in self._configurations.of_folder(folder):
            yield from paths.candidates(specifier)
        home = self._home(folder)
        if specifier.startswith("#") and home is not None:
            for target in home.imported(specifier):
                yield from self._of_package(home, target)
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
        """Paths of `name` or `name/part` where the repository itself has the package."""
        parts = specifier.split("/")
        count = 2 if specifier.startswith("@") else 1
        package = self._by_name.get("/".join(parts[:count]))
        if package is None:
            return
        part = "/".join(parts[count:])
        for target in package.exported(part):
            yield from self._of_package(package, target)
        for start in (part, f"src/{part}") if part else _SOURCES:
            yield posixpath.join(package.folder, start)

    @staticmethod
    def _of_package(package: Package, target: str) -> Iterator[str]:
        """Paths of a file that a manifest names: itself, or the source that it is built of."""
        path = posixpath.normpath(posixpath.join(package.folder, target))
        yield path
        inside = posixpath.normpath(target).split("/")
        while len(inside) > 1 and inside[0] in _OUTPUTS:
            inside = inside[1:]
            yield posixpath.join(package.folder, "src", *inside)
            yield posixpath.join(package.folder, *inside)

    def _home(self, folder: str) -> Package | None:
        """The package that a folder belongs to."""
        while True:
            if folder in self._packages:
                return self._packages[folder]
            if not folder:
                return None
            folder = posixpath.dirname(folder)

    def file(self, path: str, *, follow: bool = True) -> str | None:
        """The file at a path with or without suffix, or that stands for the folder at it."""
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
            for target in package.entries:
                for candidate in self._of_package(package, target):
                    found = self.file(candidate, follow=False)
                    if found is not None:
                        return found
        index = posixpath.join(path, "index")
        return next((index + one for one in SUFFIXES if index + one in self._files), None)


def _plain(specifier: str) -> str:
    """Without what bundlers read behind a question mark and before an exclamation mark."""
    return specifier.rpartition("!")[2].partition("?")[0]
