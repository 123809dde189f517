"""Map of the modules of a repository for languages without call resolution: imports resolve by path or by namespace."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from repoquarry.languages.facts import FileFacts, Import
from repoquarry.languages.family import ModuleInfo, ModuleMap, Place

Lead = Callable[[int, Import], Place | None]
"""(number of the importing file, import) -> what it means; None for something outside the repository."""


def build_module_map(
    files: Sequence[FileFacts],
    lead: Lead,
    names: Iterable[str] | None = None,
    members: Mapping[str, Sequence[int]] | None = None,
) -> ModuleMap:
    """Modules with every import led to its place. One specifier means one thing in a file, the first that is found.

    Without `names`, modules are called by their namespace and file.
    """
    names = names or [".".join(part for part in (facts.namespace, facts.module_name) if part) for facts in files]
    targets: dict[tuple[int, str, int], Place | None] = {}
    for number, facts in enumerate(files):
        for entry in facts.imports:
            key = number, entry.module, entry.level
            if targets.get(key) is None:
                targets[key] = lead(number, entry)
    infos = [ModuleInfo(one.path, name, "", False) for one, name in zip(files, names, strict=True)]
    return ModuleMap(infos, targets, members or {})


def stem_of(path: str) -> str:
    """Return a path without its suffix: the name of a module where paths are names."""
    folder, slash, file = path.rpartition("/")
    return f"{folder}{slash}{file.partition('.')[0]}"


class PathResolver:
    """Files by the ends of their paths: a specifier is searched next to the importing file, and then below any folder."""

    def __init__(self, files: Sequence[FileFacts], suffixes: Sequence[str] = ()) -> None:
        self._files = files
        self._suffixes = ("", *suffixes)
        self._by_path = {facts.path: number for number, facts in enumerate(files)}
        self._by_name: dict[str, list[int]] = defaultdict(list)
        for number, facts in enumerate(files):
            self._by_name[facts.path.rpartition("/")[2]].append(number)

    def lead(self, importer: int, specifier: str) -> int | None:
        """The file that a specifier names; of several, the one whose folders are nearest to the importing file's."""
        folder = posixpath.dirname(self._files[importer].path)
        for suffix in self._suffixes:
            wanted = specifier + suffix
            beside = posixpath.normpath(posixpath.join(folder, wanted))
            if beside in self._by_path:
                return self._by_path[beside]
        return None if specifier.startswith("./") else self._below(folder, posixpath.normpath(specifier).lstrip("./"))

    def _below(self, folder: str, specifier: str) -> int | None:
        for suffix in self._suffixes:
            wanted = specifier + suffix
            found = [
                number
                for number in self._by_name.get(wanted.rpartition("/")[2], ())
                if f"/{self._files[number].path}".endswith(f"/{wanted}")
            ]
            if found:
                return min(
                    found, key=lambda number: (-_shared(folder, self._files[number].path), self._files[number].path)
                )
        return None


class NamespaceResolver:
    """Files by the namespaces that they declare and by their definitions in them."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        self.members: dict[str, list[int]] = defaultdict(list)
        self._defining: dict[str, int] = {}
        for number, facts in enumerate(files):
            spaces = {facts.namespace} if facts.namespace else set()
            for definition in facts.definitions:
                if definition.form == "namespace":
                    spaces.add(definition.qualname)
                elif definition.kind == "class" or not definition.parent:
                    name = f"{facts.namespace}.{definition.qualname}".lstrip(".")
                    self._defining.setdefault(name, number)
            for space in spaces:
                self.members[space].append(number)

    def lead(self, name: str) -> Place | None:
        """Return the file that defines a full dotted name, otherwise the namespace of that name."""
        if name in self._defining:
            return self._defining[name]
        return name if name in self.members else None


def _shared(folder: str, path: str) -> int:
    """How many folders two paths have in common, from the top."""
    pairs = zip(folder.split("/"), path.split("/"), strict=False)
    return next(
        (at for at, (one, other) in enumerate(pairs) if one != other), min(folder.count("/") + 1, path.count("/"))
    )
