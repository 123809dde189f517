"""Paths that import statements name, read by regular expressions before anything is parsed, in a worker with limits.

They decide which generated files are indexed: those that an indexed file imports.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from repoquarry.languages.registry import is_folder_index

_SCRIPT = re.compile(rb"""(?:\bfrom|\bimport|\brequire)\s{0,9}\(?\s{0,9}['"]([^'"\n]{1,300})['"]""")
_SCRIPT_SUFFIX = re.compile(r"(?:\.d)?\.(?:[cm]?[jt]sx?|vue|svelte)$")
_ALIAS = re.compile(r"[@~$#][^/]*/")
_PYTHON = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import\s+(\([^)]{0,20000}\)|[^\n;#]+)|import[ \t]+([\w., \t]+))", re.MULTILINE
)
_DOTTED = re.compile(rb"^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)", re.MULTILINE)
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]+"([^"\n]{1,300})"', re.MULTILINE)
_READERS = {
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"), "script"),
    **dict.fromkeys((".py", ".pyi", ".pyw"), "python"),
    **dict.fromkeys((".java", ".kt", ".kts"), "dotted"),
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"), "include"),
}


def list_imported_paths(path: str, content: bytes) -> list[str]:
    """List what a file's imports name, without suffixes: `/lib/gen` is beneath the root, `lib/gen` ends a path."""
    folder, suffix = posixpath.dirname(path), posixpath.splitext(path)[1].lower()
    match _READERS.get(suffix):
        case "script":
            named = _read_script(folder, content)
        case "python":
            named = _read_python(folder, content)
        case "dotted":
            named = (found.replace(b".", b"/").decode("ascii", "ignore") for found in _DOTTED.findall(content))
        case "include":
            named = (posixpath.splitext(found.decode("utf-8", "replace"))[0] for found in _INCLUDE.findall(content))
        case _:
            named = iter(())
    return sorted(set(named))


def is_imported(path: str, named: set[str]) -> bool:
    """Return whether one of the named paths is that of a file, or of the folder that it stands for."""
    stem = _SCRIPT_SUFFIX.sub("", path)
    stem = posixpath.splitext(path)[0] if stem == path else stem
    for form in (stem, posixpath.dirname(path)) if is_folder_index(path) else (stem,):
        parts = form.split("/")
        if f"/{form}" in named or any("/".join(parts[start:]) in named for start in range(len(parts))):
            return True
    return False


def _read_script(folder: str, content: bytes) -> Iterator[str]:
    for found in _SCRIPT.findall(content):
        name = _SCRIPT_SUFFIX.sub("", found.decode("utf-8", "replace"))
        if name.startswith("."):
            yield _beneath(folder, name)
        elif alias := _ALIAS.match(name):
            yield name[alias.end() :]


def _read_python(folder: str, content: bytes) -> Iterator[str]:
    for module, names, modules in _PYTHON.findall(content):
        if modules:
            yield from (one.split()[0].replace(".", "/") for one in _text(modules).split(",") if one.strip())
            continue
        dotted = _text(module)
        tail = dotted.lstrip(".")
        place = tail.replace(".", "/")
        if level := len(dotted) - len(tail):
            place = _beneath(folder, "/".join([".", *[".."] * (level - 1), place]))
        yield place
        for name in re.findall(r"\w+", re.sub(r"\bas\s+\w+|#[^\n]*", "", _text(names))):
            yield f"{place.rstrip('/')}/{name}"


def _beneath(folder: str, name: str) -> str:
    return "/" + posixpath.normpath(posixpath.join(folder, name)).lstrip("./")


def _text(found: bytes) -> str:
    return found.decode("utf-8", "replace")
