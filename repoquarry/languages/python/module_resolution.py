"""Resolution of dotted Python module names to files: source roots, namespace packages, script folders.

A file has one canonical name, relative to the root of its package, and can be imported under the names that other roots give it:
which root an import means depends on who imports, so look-ups take the importing file.

A folder with an `__init__.py` is imported as a package, unless its files say otherwise: by a main guard and imports of files next to them,
or by absolute imports of names that only a file next to them defines. Such a folder is a root, the last one, for all files in and below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from repoquarry.languages.facts import FileFacts, Import
from repoquarry.languages.family import Configuration, ModuleInfo, ModuleMap, SearchPath


class ImportedNames:
    """Gives dotted names in a file their full form."""

    def __init__(self) -> None:
        self._known = 0
        self._full: dict[str, str] = {}
        """Name in the file -> dotted name that is imported under it."""

    def full_name(self, dotted: str, imports: Sequence[Import]) -> str:
        """`dotted` with its first part replaced by its target in `imports`, those read so far.

        Leading dots stand for a relative import. A name that nothing imports stays as it is.
        """
        for entry in imports[self._known :]:
            self._add(entry)
        self._known = len(imports)
        first, dot, rest = dotted.partition(".")
        return self._full.get(first, first) + dot + rest

    def _add(self, entry: Import) -> None:
        module = "." * entry.level + entry.module
        if entry.how == "star" or entry.name == "*":
            return
        if entry.name:
            between = "" if not entry.module else "."
            self._full[entry.alias or entry.name] = module + between + entry.name
        elif entry.alias:
            self._full[entry.alias] = module


_STANDARD = (
    "__future__ abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 cProfile calendar "
    "cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars "
    "copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis doctest email encodings enum errno "
    "faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext "
    "glob graphlib grp gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json "
    "keyword linecache locale logging lzma mailbox marshal math mimetypes mmap modulefinder msvcrt multiprocessing "
    "netrc ntpath nturl2path numbers opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform "
    "plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pyexpat queue quopri "
    "random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil "
    "signal site smtplib socket socketserver sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string "
    "stringprep struct subprocess symtable sys sysconfig syslog tabnanny tarfile tempfile termios textwrap "
    "threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing "
    "unicodedata unittest urllib uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xml xmlrpc "
    "zipapp zipfile zipimport zlib zoneinfo"
)
#: Modules of the standard library in all supported versions: a package may have a file of such a name, and imports the library's.
STANDARD_MODULES = frozenset(_STANDARD.split())


def is_standard(dotted: str) -> bool:
    """Return whether a module is the standard library's."""
    return dotted.partition(".")[0] in STANDARD_MODULES


class ScriptFolderFinder:
    """Finder of the folders. Files are numbers, as in `ModuleMap`."""

    def __init__(
        self,
        files: Sequence[FileFacts],
        packages: Set[str],
        importable: Mapping[str, int],
        provided: Callable[[str, int], bool],
    ) -> None:
        """`importable`: path without suffix -> file; `provided` tells whether a root has an importing file's module."""
        self._files = files
        self._packages = packages
        self._importable = importable
        self._provided = provided
        self._bound: dict[int, frozenset[str]] = {}

    def folders(self) -> list[str]:
        """Return the folders, sorted."""
        found: set[str] = set()
        doubtful: set[str] = set()
        in_package: set[str] = set()
        for index, facts in enumerate(self._files):
            folder = facts.path.rpartition("/")[0]
            if folder not in self._packages or not folder:
                continue
            imports = list(self._beside(index, folder))
            if any(entry.level and entry.at_module_level for entry in facts.imports):
                in_package.add(folder)
            elif imports and _starts(facts):
                found.add(folder)
            elif self._names_its_package(facts, folder):
                in_package.add(folder)
            elif any(self._takes_what_is_there(entry, folder) for entry in imports):
                found.add(folder)
            elif imports:
                doubtful.add(folder)
        return sorted(found | (doubtful - in_package))

    def _beside(self, index: int, folder: str) -> Iterator[Import]:
        """Absolute imports of a file that mean a file next to it, or nothing in the repository."""
        for entry in self._files[index].imports:
            if entry.level or not entry.module or is_standard(entry.module):
                continue
            place = f"{folder}/{entry.module.replace('.', '/')}"
            target = self._importable.get(place, self._importable.get(f"{place}/{entry.name}" if entry.name else place))
            if target is not None and target != index and not self._provided(entry.module, index):
                yield entry

    def _names_its_package(self, facts: FileFacts, folder: str) -> bool:
        """Return whether a file imports from a package that contains it, by the package's name."""
        names = set()
        while folder and folder in self._packages:
            folder, _, name = folder.rpartition("/")
            names.add(name)
        return any(not entry.level and entry.module.partition(".")[0] in names for entry in facts.imports)

    def _takes_what_is_there(self, entry: Import, folder: str) -> bool:
        """Return whether the file in the same folder, or the folder, has the very name of an import."""
        place = f"{folder}/{entry.module.replace('.', '/')}"
        if not entry.name or entry.name == "*":
            return False
        target = self._importable.get(place)
        return f"{place}/{entry.name}" in self._importable or (
            target is not None and entry.name in self._names_of(target)
        )

    def _names_of(self, index: int) -> frozenset[str]:
        found = self._bound.get(index)
        if found is None:
            found = self._bound[index] = bound_names(self._files[index])
        return found


def bound_names(facts: FileFacts) -> frozenset[str]:
    """Return the names that a module binds."""
    graph = facts.graph
    scopes = memoryview(graph.scopes).cast("i") if graph.scopes else ()
    # facts come from a cache on disk; the kernel refuses damaged ones
    numbers = [scopes[at + 1] for at in range(0, len(scopes) - 2, 3) if scopes[at] < 0]
    symbols = graph.symbols.texts()
    return frozenset(symbols[number] for number in numbers if 0 <= number < len(symbols))


def _starts(facts: FileFacts) -> bool:
    """Return whether a file is run by itself."""
    return facts.module_name == "__main__" or any(kind == "main" for kind, _, _ in facts.entry_points)


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
        self.own_name = self._find_own_name() if "" in self.packages else ""
        if self.own_name:
            self._add_own_name()
        self._file_roots = [self._climb(facts.path) for facts in files]
        self.roots = self._find_roots(roots)
        self._cache: dict[tuple[str, str], int | str | None] = {}
        self.infos = [self._info(index) for index in range(len(files))]
        self.script_folders: list[str] = []
        scripts = ScriptFolderFinder(
            files, self.packages, self.importable, lambda name, by: self.find(name, by) is not None
        )
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

    def _find_own_name(self) -> str:
        """Return the name under which files of a root that is a package itself import each other; empty if they do not."""
        resolved, every = Counter[str](), Counter[str]()
        for facts in self.files:
            for entry in facts.imports:
                top, _, rest = entry.module.partition(".")
                if entry.level or is_standard(top) or top in self.importable or not (rest or entry.name):
                    continue
                every[top] += 1
                resolved[top] += self._has(rest.replace(".", "/"), entry.name)
        best = max(resolved, key=lambda top: (resolved[top], top), default="")
        return best if best and 0 < every[best] <= 2 * resolved[best] else ""

    def _has(self, place: str, name: str) -> bool:
        """Return whether a place below the root has a module, and that module a name."""
        index = self.importable.get(place)
        if index is None:
            return False
        is_module = not name or name == "*" or f"{place}/{name}".lstrip("/") in self.importable
        return is_module or name in bound_names(self.files[index])

    def _add_own_name(self) -> None:
        """Make all modules importable below the name of the root."""
        name = self.own_name
        self.importable |= {f"{name}/{place}".rstrip("/"): index for place, index in self.importable.items()}
        self.folders |= {f"{name}/{folder}".rstrip("/") for folder in self.folders}
        self.packages |= {f"{name}/{folder}".rstrip("/") for folder in self.packages}

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
        folder = facts.path.rpartition("/")[0]
        stem = folder if facts.is_package else f"{folder}/{facts.module_name}".lstrip("/")
        name = stem[len(root) :].strip("/").replace("/", ".")
        if self.own_name and not root and (not folder or folder.split("/")[0] in self.packages):
            name = f"{self.own_name}.{name}".rstrip(".")
        return ModuleInfo(path=facts.path, name=name, root=root, is_package=facts.is_package)

    def find(self, dotted: str, importer: int) -> int | str | None:
        """Target of an absolute dotted name in the importing file.

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

    def scripts_around(self, folder: str) -> list[str]:
        """Folders from which a script may have started that imports in a folder, deepest first; a source folder is open to all."""
        around = [one for one in self.script_folders if folder == one or folder.startswith(one + "/")]
        sources = [one for one in self.script_folders if one.rpartition("/")[2] in CONVENTIONAL_ROOTS]
        return [*sorted(around, key=len, reverse=True), *sources]


def find_modules(files: Sequence[FileFacts], _configuration: Configuration, roots: Sequence[str] | None) -> ModuleMap:
    """The modules of Python files: imports are looked for by their dotted names, some of which are only known at run time."""
    found = ModuleSearch(files, roots)
    folders = (*(facts.path.rpartition("/")[0] for facts in files), "")
    last_roots = [found.scripts_around(folder) for folder in folders] if found.script_folders else []
    search = SearchPath(found.roots, found.importable, frozenset(found.folders), frozenset(found.packages), last_roots)
    return ModuleMap(found.infos, search=search)
