"""Imports of a repository's code."""

from __future__ import annotations

import ast
import os
import re
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from repoquarry.execution.provision.command_runner import ASIDE, SKIPPED
from repoquarry.execution.provision.report import ImportNeed

_GUARDS: Final = frozenset(
    ("ImportError", "ModuleNotFoundError", "Exception", "BaseException", "OSError", "AttributeError")
)


@dataclass(frozen=True)
class Statement:
    """One import."""

    module: str
    """Dotted name; empty for `from . import x`."""
    names: tuple[str, ...]
    level: int
    """Dots before the name; 0 for an absolute import."""
    needed: bool
    """Whether the file fails without it."""


def read_statements(path: Path) -> tuple[Statement, ...] | None:
    """The imports of a file; None for one that no Python 3 can parse."""
    tree = _parse(path)
    return None if tree is None else tuple(_statements(tree))


def _parse(path: Path) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError):
        return None


def _statements(tree: ast.Module) -> Iterator[Statement]:
    """All imports, those in functions and under conditions included."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, True)]
    while waiting:
        node, needed = waiting.pop()
        match node:
            case ast.Import():
                for alias in node.names:
                    yield Statement(alias.name, (), 0, needed)
                continue
            case ast.ImportFrom():
                if node.module != "__future__":
                    names = tuple(alias.name for alias in node.names if alias.name != "*")
                    yield Statement(node.module or "", names, node.level, needed)
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                needed = False
            case ast.Try():
                guarded = any(_guards(handler) for handler in node.handlers)
                waiting += [(child, needed and not guarded) for child in node.body]
                # what stands in for a failed import is no more needed than the import itself
                waiting += [(child, False) for handler in node.handlers for child in handler.body]
                waiting += [(child, needed) for child in (*node.orelse, *node.finalbody)]
                continue
            case ast.If() if not _is_main_guard(node.test):
                waiting += [(child, False) for child in (*node.body, *node.orelse)]
                continue
            case ast.expr():
                continue
        waiting += [(child, needed) for child in ast.iter_child_nodes(node)]


def _guards(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or ast.unparse(kind).rpartition(".")[2] in _GUARDS for kind in kinds)


def _is_main_guard(test: ast.expr) -> bool:
    return "__name__" in ast.unparse(test)


_TESTS: Final = re.compile(r"(conftest|tests?|test_.*|.*_tests?)\.py")
"""Files of tests, as they are found by those that run them."""

_TEST_DATA: Final = re.compile(r"(.*_)?(data|fixtures?|resources|cases|snippets|samples|examples?|functional|stubs)")
"""Folders among tests whose files are read, not imported."""

_OLDER: Final = """
    asynchat asyncore binhex distutils formatter imp macpath parser smtpd symbol dummy_threading aifc audioop cgi cgitb chunk crypt imghdr
    mailcap msilib nis nntplib ossaudiodev pipes sndhdr spwd sunau telnetlib uu xdrlib lib2to3 tomllib zoneinfo dataclasses contextvars
    __builtin__ ConfigParser Queue StringIO cStringIO urllib2 urlparse cPickle httplib HTMLParser SocketServer thread Tkinter tkMessageBox
    tkFileDialog cookielib Cookie BaseHTTPServer xmlrpclib commands exceptions copy_reg htmlentitydefs itertools md5 sets sha UserDict
    anydbm dbhash _winreg SimpleHTTPServer CGIHTTPServer robotparser repr dummy_thread future_builtins popen2 compiler
"""
"""Modules that a standard library once had, or has since a newer version than this process's."""

_STANDARD: Final = frozenset(sys.stdlib_module_names) | frozenset(_OLDER.split())
_FILE_BYTES: Final = 4 * 1024 * 1024
_FILES: Final = 20_000


@dataclass(frozen=True)
class ExternalImport:
    """A module from outside that the code imports, and the names it takes from it."""

    module: str
    """Full dotted name."""
    names: tuple[str, ...] = ()
    where: str = ""
    """Path of the first file that imports it."""
    need: ImportNeed = ImportNeed.NEEDED


@dataclass(frozen=True)
class CodeImports:
    """What is imported from where in one repository."""

    imported: tuple[ExternalImport, ...]
    own: tuple[str, ...]
    """Modules of the repository that can be imported by name from its roots."""
    roots: tuple[str, ...]
    """Folders, relative to the repository's, from which its own modules are found."""
    files: int
    unparsed: tuple[str, ...] = ()
    """Files that no Python 3 can parse."""
    dated: frozenset[str] = frozenset()
    """Modules of older standard libraries that are imported without a guard."""


def read_imports(root: Path, *, packaged: bool, tests: bool = False) -> CodeImports:
    """Read all Python files below a folder; nothing is imported.

    `packaged` says that a manifest makes a package of it, `tests` that its tests are to be run: what they import is then no option.
    """
    files = list(_python_files(root))
    read = {path: read_statements(root / path) for path in files}
    roots = _roots(root, files)
    own = tuple(_own_modules(files, roots))
    parsed = {path: statements for path, statements in read.items() if statements is not None}
    needs = _needs(parsed, own, roots, packaged=packaged)
    if tests:
        needs |= {path: ImportNeed.BESIDE for path, need in needs.items() if not need and _is_test(path)}
    own_names = _own_names(files)
    found: dict[str, ExternalImport] = {}
    dated: set[str] = set()
    for path, statements in parsed.items():
        local = _siblings(root, path) | own_names
        for statement in statements:
            if statement.level:
                continue
            top, need = statement.module.partition(".")[0], needs[path] if statement.needed else ImportNeed.OPTIONAL
            if top in _STANDARD:
                dated.update({top} if need is ImportNeed.NEEDED else ())
            elif top not in local:
                _add(found, ExternalImport(statement.module, statement.names, path, need))
    unparsed = tuple(path for path in files if read[path] is None and not _aside(path))
    imported = tuple(found[module] for module in sorted(found))
    return CodeImports(imported, own, roots, len(files), unparsed, frozenset(dated))


def _add(found: dict[str, ExternalImport], item: ExternalImport) -> None:
    """Keep the strongest need of a module, with the names that those in need of it take."""
    before = found.get(item.module)
    if before is None or before.need < item.need:
        found[item.module] = item if item.need else replace(item, names=())
    elif before.need == item.need and item.need:
        found[item.module] = replace(before, names=tuple(dict.fromkeys((*before.names, *item.names))))


def _needs(
    parsed: Mapping[str, Sequence[Statement]], own: Sequence[str], roots: Sequence[str], *, packaged: bool
) -> dict[str, ImportNeed]:
    """How much depends on each file."""
    prefixes = tuple("" if root == "." else f"{root}/" for root in roots)
    packages = tuple(f"{prefix}{name}/" for prefix in prefixes for name in own)
    scripts = [path for path in parsed if "/" not in path and not _aside(path)] if not packaged or not own else []
    starts = [path for path in parsed if path in {f"{package}__init__.py" for package in packages}]
    reached = _reached(parsed, [*starts, *scripts], prefixes)
    found = {}
    for path in parsed:
        beside = path.startswith(packages) or not (packaged and own)
        aside = _aside(path) and not path.startswith(packages)
        found[path] = (
            ImportNeed.NEEDED if path in reached else ImportNeed.BESIDE if beside and not aside else ImportNeed.OPTIONAL
        )
        if path.startswith(packages) and any(ASIDE.match(part) for part in path.split("/")[1:]) and path not in reached:
            found[path] = ImportNeed.OPTIONAL
    return found


def _reached(parsed: Mapping[str, Sequence[Statement]], starts: Sequence[str], prefixes: Sequence[str]) -> set[str]:
    """Files that the first ones import when they are imported, directly or through others."""
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


def _targets(path: str, statement: Statement, prefixes: Sequence[str]) -> Iterator[str]:
    """Files that an import may mean, relative to the importing file, the folders above it and the roots."""
    parts = path.split("/")[:-1]
    inner = statement.module.replace(".", "/")
    if statement.level:
        keep = len(parts) - statement.level + 1
        bases = ["/".join(parts[:keep])] if keep >= 0 else []
    else:
        bases = ["/".join(parts[:length]) for length in range(len(parts), -1, -1)] + [
            prefix.rstrip("/") for prefix in prefixes
        ]
    for base in dict.fromkeys(bases):
        steps = inner.split("/") if inner else []
        for length in range(len(steps) + 1):
            stem = "/".join(part for part in (base, *steps[:length]) if part)
            yield f"{stem}/__init__.py"
            if length:
                yield f"{stem}.py"
        whole = "/".join(part for part in (base, inner) if part)
        for name in statement.names:
            yield f"{whole}/{name}.py" if whole else f"{name}.py"
            yield f"{whole}/{name}/__init__.py" if whole else f"{name}/__init__.py"


def _python_files(root: Path) -> Iterator[str]:
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            n for n in folders if not n.startswith(".") and n not in SKIPPED and not n.endswith(".egg-info")
        )
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(".py") and not os.path.islink(path) and os.path.getsize(path) <= _FILE_BYTES:
                count += 1
                if count > _FILES:
                    return
                yield os.path.relpath(path, root).replace(os.sep, "/")


def _aside(path: str) -> bool:
    return any(ASIDE.match(part) for part in path.split("/"))


def _is_test(path: str) -> bool:
    """Whether a file holds tests, or what they share, by what it is called."""
    *folders, name = path.split("/")
    return bool(_TESTS.fullmatch(name)) and not any(_TEST_DATA.fullmatch(folder) for folder in folders)


def _own_names(files: list[str]) -> set[str]:
    """Names by which files of the repository may import each other: its packages, modules at its roots, and packages of folders."""
    names: set[str] = set()
    for path in files:
        parts = path.split("/")
        names.update(parts[: 2 if parts[0] in ("src", "lib", "python") else 1])
        if parts[-1] == "__init__.py" and len(parts) > 1:
            names.add(parts[-2])
    return {
        name.removesuffix(".py")
        for name in names
        if not ASIDE.match(name) or name in ("utils", "tools", "scripts", "tests", "test")
    }


def _siblings(root: Path, path: str) -> set[str]:
    """Modules beside a file or one of the folders above it, which a script in that place can import."""
    names: set[str] = set()
    folder = (root / path).parent
    while folder.is_relative_to(root):
        names.update(_modules_in(folder))
        if folder == root:
            break
        folder = folder.parent
    return names


_listed: dict[Path, frozenset[str]] = {}


def _modules_in(folder: Path) -> frozenset[str]:
    if folder not in _listed:
        if len(_listed) > _FILES:
            _listed.clear()
        _listed[folder] = frozenset(
            entry.name.removesuffix(".py")
            for entry in os.scandir(folder)
            if entry.name.endswith(".py") or (entry.is_dir() and _holds_python(entry.path))
        )
    return _listed[folder]


def _holds_python(folder: str) -> bool:
    return any(entry.name.endswith(".py") for entry in os.scandir(folder))


def _roots(root: Path, files: list[str]) -> tuple[str, ...]:
    """The folder itself, and `src`, `lib` or `python` where packages lie below it."""
    tops = {path.split("/")[0] for path in files if path.count("/") >= 1}
    return (
        *(name for name in ("src", "lib", "python") if name in tops and not (root / name / "__init__.py").exists()),
        ".",
    )


def _own_modules(files: list[str], roots: tuple[str, ...]) -> Iterator[str]:
    """Top-level packages of the first root that has any."""
    for folder in roots:
        prefix = "" if folder == "." else f"{folder}/"
        inside = [path.removeprefix(prefix) for path in files if path.startswith(prefix)]
        packages = sorted({p.split("/")[0] for p in inside if p.count("/") == 1 and p.endswith("/__init__.py")})
        chosen = [name for name in packages if not ASIDE.match(name) and name.isidentifier()]
        if chosen:
            yield from chosen
            return
