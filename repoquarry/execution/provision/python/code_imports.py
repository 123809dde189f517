"""Reader of the imports in a repository's Python code: external modules, imported names, and how much of the code needs each."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

from repoquarry.execution.provision.command_runner import ASIDE, list_sources
from repoquarry.execution.provision.report import ImportNeed
from repoquarry.languages.facts import Import
from repoquarry.languages.python import extract

_TESTS: Final = re.compile(r"(conftest|tests?|test_.*|.*_tests?)\.py")
"""Names of test files, as test runners find them."""
_TEST_DATA: Final = re.compile(r"(.*_)?(data|fixtures?|resources|cases|snippets|samples|examples?|functional|stubs)")
"""Folders among tests whose files are data that tests read, not modules that tests import."""
_OLDER: Final = """
    asynchat asyncore binhex distutils formatter imp macpath parser smtpd symbol dummy_threading aifc audioop cgi cgitb chunk crypt imghdr
    mailcap msilib nis nntplib ossaudiodev pipes sndhdr spwd sunau telnetlib uu xdrlib lib2to3 tomllib zoneinfo dataclasses contextvars
    __builtin__ ConfigParser Queue StringIO cStringIO urllib2 urlparse cPickle httplib HTMLParser SocketServer thread Tkinter tkMessageBox
    tkFileDialog cookielib Cookie BaseHTTPServer xmlrpclib commands exceptions copy_reg htmlentitydefs itertools md5 sets sha UserDict
    anydbm dbhash _winreg SimpleHTTPServer CGIHTTPServer robotparser repr dummy_thread future_builtins popen2 compiler
"""
"""Modules of the standard library of other Python versions than the one that runs this process."""
_STANDARD: Final = frozenset(sys.stdlib_module_names) | frozenset(_OLDER.split())
_FILE_BYTES: Final = 4 * 1024 * 1024
_FILES: Final = 20_000


@dataclass(frozen=True)
class ImportStatement:
    """Import of one name of a module, and whether the file fails without it."""

    item: Import
    needed: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Imported name; empty for `import x` and `from x import *`."""
        return (self.item.name,) if self.item.name not in ("", "*") else ()


@dataclass(frozen=True)
class ExternalImport:
    """Imported external module, and the names that the code imports from it."""

    module: str
    """Full dotted name."""
    names: tuple[str, ...] = ()
    where: str = ""
    """Path of the first file that imports the module."""
    need: ImportNeed = ImportNeed.NEEDED


@dataclass(frozen=True)
class CodeImports:
    """Imports of one repository's Python code."""

    imported: tuple[ExternalImport, ...]
    own: tuple[str, ...]
    """Modules of the repository that can be imported by name from its roots."""
    roots: tuple[str, ...]
    """Folders, relative to the repository, from which its own modules are imported."""
    files: int
    dated: frozenset[str] = frozenset()
    """Modules of older standard libraries that are imported without a guard."""


def read_imports(root: Path, *, packaged: bool, tests: bool = False) -> CodeImports:
    """Read the imports of all Python files below a folder; nothing is imported.

    `packaged`: a manifest makes the folder a package. `tests`: the repository's tests are going to run, so their imports count.
    """
    files = list(islice(list_sources(root, (".py",), max_bytes=_FILE_BYTES), _FILES))
    roots = _roots(root, files)
    own = tuple(_own_modules(files, roots))
    parsed = {path: statements for path in files if (statements := _read_statements(root, path)) is not None}
    needs = _needs(parsed, own, roots, packaged=packaged)
    if tests:
        needs |= {path: ImportNeed.BESIDE for path, need in needs.items() if not need and _is_test(path)}
    own_names, modules_by_folder = _own_names(files), _modules_by_folder(files)
    found: dict[str, ExternalImport] = {}
    dated: set[str] = set()
    for path, statements in parsed.items():
        local = _siblings(path, modules_by_folder) | own_names
        for statement in statements:
            module = statement.item.module
            if statement.item.level:
                continue
            top, need = module.partition(".")[0], needs[path] if statement.needed else ImportNeed.OPTIONAL
            if top in _STANDARD:
                dated.update({top} if need is ImportNeed.NEEDED else ())
            elif top not in local:
                _add(found, ExternalImport(module, statement.names, path, need))
    return CodeImports(tuple(found[module] for module in sorted(found)), own, roots, len(files), frozenset(dated))


def _read_statements(root: Path, path: str) -> tuple[ImportStatement, ...] | None:
    """Return the imports of a file; None if no Python 3 can parse the file.

    An import is needed at module level and in the block that runs when the file is started as a script.
    """
    try:
        content = (root / path).read_bytes()
    except OSError:
        return None
    if b"import" not in content:
        return ()
    facts = extract(path, content)
    if facts.parse_errors:
        return None
    script_line = next((line for kind, name, line in facts.entry_points if kind == "main" and name != "__main__"), 0)
    return tuple(
        ImportStatement(item, item.at_module_level or (0 < script_line < item.line and item.how != "typing"))
        for item in facts.imports
        if item.how != "dynamic"
    )


def _add(found: dict[str, ExternalImport], item: ExternalImport) -> None:
    """Record an import with the strongest need of its module, and the names that imports of that need bind."""
    before = found.get(item.module)
    if before is None or before.need < item.need:
        found[item.module] = item if item.need else replace(item, names=())
    elif before.need == item.need and item.need:
        found[item.module] = replace(before, names=tuple(dict.fromkeys((*before.names, *item.names))))


def _needs(
    parsed: Mapping[str, Sequence[ImportStatement]], own: Sequence[str], roots: Sequence[str], *, packaged: bool
) -> dict[str, ImportNeed]:
    """Return how much of the repository depends on each file."""
    prefixes = tuple("" if root == "." else f"{root}/" for root in roots)
    packages = tuple(f"{prefix}{name}/" for prefix in prefixes for name in own)
    scripts = [path for path in parsed if "/" not in path and not _aside(path)] if not packaged or not own else []
    starts = [path for path in parsed if path in {f"{package}__init__.py" for package in packages}]
    reached = _reached(parsed, [*starts, *scripts], prefixes)
    found = dict.fromkeys(parsed, ImportNeed.OPTIONAL) | dict.fromkeys(reached, ImportNeed.NEEDED)
    for path in parsed.keys() - reached:
        inside = path.startswith(packages)
        if not _aside(path.partition("/")[2] if inside else path) and (inside or not (packaged and own)):
            found[path] = ImportNeed.BESIDE
    return found


def _reached(
    parsed: Mapping[str, Sequence[ImportStatement]], starts: Sequence[str], prefixes: Sequence[str]
) -> set[str]:
    """Return the files that are imported, directly or indirectly, when the start files are imported."""
    reached: set[str] = set()
    waiting = list(starts)
    while waiting:
        path = waiting.pop()
        if path in reached or path not in parsed:
            continue
        reached.add(path)
        for statement in parsed[path]:
            if statement.needed:
                waiting += [found for found in _targets(path, statement, prefixes) if found in parsed]
    return reached


def _targets(path: str, statement: ImportStatement, prefixes: Sequence[str]) -> Iterator[str]:
    """Yield the files that an import may refer to: next to the file, in the folders above it and below the roots."""
    parts = path.split("/")[:-1]
    inner = statement.item.module.replace(".", "/")
    if statement.item.level:
        keep = len(parts) - statement.item.level + 1
        bases = ["/".join(parts[:keep])] if keep >= 0 else []
    else:
        bases = ["/".join(parts[:length]) for length in range(len(parts), -1, -1)]
        bases += [prefix.rstrip("/") for prefix in prefixes]
    for base in dict.fromkeys(bases):
        steps = inner.split("/") if inner else []
        for length in range(len(steps) + 1):
            stem = "/".join(part for part in (base, *steps[:length]) if part)
            yield f"{stem}/__init__.py"
            if length:
                yield f"{stem}.py"
        for name in statement.names:
            module = "/".join(part for part in (base, inner, name) if part)
            yield f"{module}.py"
            yield f"{module}/__init__.py"


def _aside(path: str) -> bool:
    """Return whether a file is not part of the product, by its name or a folder."""
    return any(ASIDE.match(part) for part in path.split("/"))


def _is_test(path: str) -> bool:
    """Return whether a file is a test file or shared by tests, by its name."""
    *folders, name = path.split("/")
    return bool(_TESTS.fullmatch(name)) and not any(_TEST_DATA.fullmatch(folder) for folder in folders)


def _own_names(files: list[str]) -> set[str]:
    """Return the names by which files of the repository may import each other: packages, root modules, folders."""
    names: set[str] = set()
    for path in files:
        parts = path.split("/")
        names.update(parts[: 2 if parts[0] in ("src", "lib", "python") else 1])
        if parts[-1] == "__init__.py" and len(parts) > 1:
            names.add(parts[-2])
    named = ("utils", "tools", "scripts", "tests", "test")
    return {name.removesuffix(".py") for name in names if not ASIDE.match(name) or name in named}


def _modules_by_folder(files: Sequence[str]) -> Mapping[str, set[str]]:
    """Map each folder to the modules and packages that a script in it can import by name."""
    found: dict[str, set[str]] = {}
    for path in files:
        folder, _, name = path.rpartition("/")
        found.setdefault(folder, set()).add(name.removesuffix(".py"))
        if folder:
            parent, _, package = folder.rpartition("/")
            found.setdefault(parent, set()).add(package)
    return found


def _siblings(path: str, modules_by_folder: Mapping[str, set[str]]) -> set[str]:
    """Return the modules next to a file and in the folders above it."""
    parts = path.split("/")[:-1]
    folders = ("/".join(parts[:length]) for length in range(len(parts) + 1))
    return set().union(*(modules_by_folder.get(folder, ()) for folder in folders))


def _roots(root: Path, files: list[str]) -> tuple[str, ...]:
    """Return the folder itself, and `src`, `lib` or `python` if packages are located below them."""
    tops = {path.split("/")[0] for path in files if path.count("/") >= 1}
    folders = [name for name in ("src", "lib", "python") if name in tops]
    return (*(name for name in folders if not (root / name / "__init__.py").exists()), ".")


def _own_modules(files: list[str], roots: tuple[str, ...]) -> Iterator[str]:
    """Yield the top-level packages of the first root that has any."""
    for folder in roots:
        prefix = "" if folder == "." else f"{folder}/"
        inside = [path.removeprefix(prefix) for path in files if path.startswith(prefix)]
        packages = sorted({p.split("/")[0] for p in inside if p.count("/") == 1 and p.endswith("/__init__.py")})
        chosen = [name for name in packages if not ASIDE.match(name) and name.isidentifier()]
        if chosen:
            yield from chosen
            return
