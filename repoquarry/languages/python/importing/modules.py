"""Dotted names -> files: source roots, packages, namespace packages and relative imports of one repository.

A file has one canonical name, relative to the root its package lies in, and can be imported under the names that other roots give it:
which root an import means depends on who imports, so look-ups take the importing file.
"""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.modules import Configuration, ModuleInfo, Modules, SearchPath
from repoquarry.languages.python.importing.scripts import Scripts, is_standard

#: folders that conventionally hold packages without being one
CONVENTIONAL_ROOTS = ("src", "lib", "python")


class ModuleSearch:
    """The importable modules of a repository. Files are numbers: indices into the sorted list of facts."""

    def __init__(self, files: Sequence[FileFacts], roots: Sequence[str] | None = None) -> None:
        self.files = files
        self.by_path = {facts.path: index for index, facts in enumerate(files)}
        self.importable: dict[str, int] = {}
        self.folders: set[str] = {""}
        self.packages: set[str] = set()
        for index, facts in enumerate(files):
            self._register(index, facts)
        self._file_roots = [self._climb(facts.path) for facts in files]
        self.roots = self._find_roots(roots)
        self._cache: dict[tuple[str, str], int | str | None] = {}
        self.infos = [self._info(index) for index in range(len(files))]
        self.script_folders: list[str] = []
        scripts = Scripts(files, self.packages, self.importable, lambda name, by: self.find(name, by) is not None)
        self.script_folders = scripts.folders()
        self._cache.clear()

    def _register(self, index: int, facts: FileFacts) -> None:
        folder = facts.path.rpartition("/")[0]
        target = folder if facts.is_package else f"{folder}/{facts.module_name}".lstrip("/")
        present = self.importable.get(target)
        # a package shadows a module of its name, a source shadows its stub
        if present is None or (self.files[present].is_stub, not self.files[present].is_package) > (
            facts.is_stub,
            not facts.is_package,
        ):
            self.importable[target] = index
        if facts.is_package:
            self.packages.add(folder)
        while folder not in self.folders:
            self.folders.add(folder)
            folder = folder.rpartition("/")[0]

    def _climb(self, path: str) -> str:
        folder = path.rpartition("/")[0]
        while folder in self.packages and folder:
            folder = folder.rpartition("/")[0]
        return folder

    def _find_roots(self, given: Sequence[str] | None) -> list[str]:
        found = {root.strip("/") for root in given or ()}
        found |= {
            root
            for root, facts in zip(self._file_roots, self.files, strict=True)
            if facts.path.rpartition("/")[0] != root
        }
        found |= {
            folder
            for folder in self.folders
            if folder.rpartition("/")[2] in CONVENTIONAL_ROOTS and folder not in self.packages
        }
        return sorted(found | {""}, key=lambda root: (root.count("/") + bool(root), root))

    def _info(self, index: int) -> ModuleInfo:
        facts = self.files[index]
        root = self._file_roots[index]
        if root not in self.roots:
            # a script, or part of a namespace package: the deepest root around it
            root = max((r for r in self.roots if r == "" or root == r or root.startswith(r + "/")), key=len)
        stem = facts.path.rpartition("/")[0] if facts.is_package else facts.path.rpartition(".")[0]
        name = stem[len(root) :].strip("/").replace("/", ".")
        return ModuleInfo(path=facts.path, name=name, root=root, is_package=facts.is_package)

    def find(self, dotted: str, importer: int) -> int | str | None:
        """What an absolute dotted name means in the importing file.

        A file's number, the folder of a namespace package, or None when it is outside the repository.
        """
        folder = self.files[importer].path.rpartition("/")[0]
        key = (dotted, folder)
        if key not in self._cache:
            self._cache[key] = self._find(dotted, folder, self.infos[importer].root)
        return self._cache[key]

    def _find(self, dotted: str, folder: str, own_root: str) -> int | str | None:
        relative = dotted.replace(".", "/")
        scripts = [folder] if folder not in self.packages else []
        around = [] if is_standard(dotted) else self.scripts_around(folder)
        namespace: str | None = None
        for root in dict.fromkeys([own_root, *scripts, *self.roots, *around]):
            place = f"{root}/{relative}" if root else relative
            if place in self.importable:
                return self.importable[place]
            if namespace is None and place in self.folders:
                namespace = place
        return namespace

    def find_anywhere(self, dotted: str) -> int | str | None:
        """What an absolute dotted name in a text means, wherever it is written; as `find`."""
        key = (dotted, "")
        if key not in self._cache:
            self._cache[key] = self._find(dotted, "", "")
        return self._cache[key]

    def scripts_around(self, folder: str) -> list[str]:
        """Folders from which a script may have started that imports in a folder, deepest first; a source folder is open to all."""
        around = [one for one in self.script_folders if folder == one or folder.startswith(one + "/")]
        sources = [one for one in self.script_folders if one.rpartition("/")[2] in CONVENTIONAL_ROOTS]
        return [*sorted(around, key=len, reverse=True), *sources]

    def relative(self, module: str, level: int, importer: int) -> int | str | None:
        """What `from <level dots>module` means in the importing file; as `find`."""
        folder = self.files[importer].path.rpartition("/")[0]
        for _ in range(level - 1):
            if not folder:
                return None
            folder = folder.rpartition("/")[0]
        place = f"{folder}/{module.replace('.', '/')}".strip("/") if module else folder
        return self.at(place)

    def at(self, place: str) -> int | str | None:
        """The module or namespace package at a path without suffix."""
        if place in self.importable:
            return self.importable[place]
        return place if place in self.folders else None

    def child(self, package: int | str, name: str) -> int | str | None:
        """The submodule `name` of a package."""
        if isinstance(package, int):
            facts = self.files[package]
            if not facts.is_package:
                return None
            package = facts.path.rpartition("/")[0]
        return self.at(f"{package}/{name}" if package else name)

    def absolute_name(self, module: str, level: int, importer: int) -> str:
        """The dotted name that a relative import of something outside the repository would have."""
        if level == 0:
            return module
        parts = self.infos[importer].name.split(".")
        if not self.files[importer].is_package:
            parts = parts[:-1]
        parts = parts[: len(parts) - (level - 1)] if level > 1 else parts
        return ".".join(part for part in (*parts, module) if part)


def find_modules(files: Sequence[FileFacts], _configuration: Configuration, roots: Sequence[str] | None) -> Modules:
    """The modules of Python files: imports are looked for by their dotted names, some of which are only known at run time."""
    found = ModuleSearch(files, roots)
    folders = (*(facts.path.rpartition("/")[0] for facts in files), "")
    last_roots = [found.scripts_around(folder) for folder in folders] if found.script_folders else []
    search = SearchPath(found.roots, found.importable, frozenset(found.folders), frozenset(found.packages), last_roots)
    return Modules(found.infos, search=search)
