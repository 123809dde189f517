"""Folders of a package whose files are run as scripts: `python src/main.py` imports what lies beside it as top-level modules.

A folder with an `__init__.py` is imported as a package, unless its files say otherwise: by a main guard and imports of files beside them,
or by absolute imports of what only a file beside them defines. Such a folder is a root, the last one, for all files in and below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from repoquarry.languages.facts import FileFacts, Import

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
    """Whether a module is the standard library's."""
    return dotted.partition(".")[0] in STANDARD_MODULES


class Scripts:
    """Finds the folders. Files are numbers, as in `Modules`."""

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
        """The folders, sorted."""
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
        """Absolute imports of a file that mean what lies beside it, or nothing in the repository."""
        for entry in self._files[index].imports:
            if entry.level or not entry.module or is_standard(entry.module):
                continue
            place = f"{folder}/{entry.module.replace('.', '/')}"
            target = self._importable.get(place, self._importable.get(f"{place}/{entry.name}" if entry.name else place))
            if target is not None and target != index and not self._provided(entry.module, index):
                yield entry

    def _names_its_package(self, facts: FileFacts, folder: str) -> bool:
        """Whether a file imports from a package that it lies in, by the package's name."""
        names = set()
        while folder and folder in self._packages:
            folder, _, name = folder.rpartition("/")
            names.add(name)
        return any(not entry.level and entry.module.partition(".")[0] in names for entry in facts.imports)

    def _takes_what_is_there(self, entry: Import, folder: str) -> bool:
        """Whether the file beside, or the folder, has the very name that an import takes."""
        place = f"{folder}/{entry.module.replace('.', '/')}"
        if not entry.name or entry.name == "*":
            return False
        target = self._importable.get(place)
        return f"{place}/{entry.name}" in self._importable or (
            target is not None and entry.name in self._names_of(target)
        )

    def _names_of(self, index: int) -> frozenset[str]:
        """The names that a module binds."""
        found = self._bound.get(index)
        if found is None:
            graph = self._files[index].graph
            scopes = memoryview(graph.scopes).cast("i") if graph.scopes else ()
            # facts come from a cache on disk; the kernel refuses damaged ones
            numbers = [scopes[at + 1] for at in range(0, len(scopes) - 2, 3) if scopes[at] < 0]
            symbols = graph.symbols.texts()
            found = frozenset(symbols[number] for number in numbers if 0 <= number < len(symbols))
            self._bound[index] = found
        return found


def _starts(facts: FileFacts) -> bool:
    """Whether a file is run by itself."""
    return facts.module_name == "__main__" or any(kind == "main" for kind, _, _ in facts.entry_points)
