"""Registry of languages: finds the language of a file by its suffix and imports the language's package on first use.

A repository in one language therefore loads one grammar.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from repoquarry.languages.facts import Definition
from repoquarry.languages.language import Language

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


OWN_MODELS = ".repoquarry/models/"
"""Folder of a repository for models of its own (`model_files.py`)."""
OWN_INTERFACES = ".repoquarry/interfaces/"
"""Folder of a repository for interfaces of its dependencies (`interfaces/tables.py`)."""


class LanguageEntry(NamedTuple):
    """Facts about a language's folder before it is loaded."""

    suffixes: dict[str, tuple[str, ...]]
    """Language -> suffixes of its files, in lower case."""
    configuration: tuple[str, ...] = ()
    """Patterns (as in .gitignore, with a suffix written out) of files anywhere in a tree that decide how imports are found:
    `LanguageFamily.modules` is given their texts."""
    folder_stems: tuple[str, ...] = ()
    """Stems of files that stand for their folder: no part of the names by which people call what is in them."""


#: module that exports `LANGUAGES` -> what it holds
LANGUAGES: dict[str, LanguageEntry] = {
    "repoquarry.languages.java": LanguageEntry({"java": (".java",)}),
    "repoquarry.languages.python": LanguageEntry(
        {"python": (".py", ".pyi", ".pyw", ".ipynb")}, folder_stems=("__init__",)
    ),
    "repoquarry.languages.c": LanguageEntry(
        {
            "c": (".c", ".h"),
            "cpp": (".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".inl"),
        }
    ),
    "repoquarry.languages.csharp": LanguageEntry({"csharp": (".cs",)}),
    "repoquarry.languages.go": LanguageEntry({"go": (".go",)}, configuration=("go.mod",)),
    "repoquarry.languages.kotlin": LanguageEntry({"kotlin": (".kt", ".kts")}),
    "repoquarry.languages.php": LanguageEntry({"php": (".php", ".phtml", ".inc")}, configuration=("composer.json",)),
    "repoquarry.languages.ruby": LanguageEntry({"ruby": (".rb", ".rake", ".gemspec", ".ru")}),
    "repoquarry.languages.rust": LanguageEntry(
        {"rust": (".rs",)}, configuration=("Cargo.toml",), folder_stems=("mod",)
    ),
    "repoquarry.languages.javascript": LanguageEntry(
        {
            "javascript": (".js", ".jsx", ".mjs", ".cjs"),
            "typescript": (".ts", ".tsx", ".mts", ".cts"),
            "vue": (".vue",),
            "svelte": (".svelte",),
        },
        configuration=("package.json", "tsconfig*.json", "jsconfig*.json"),
        folder_stems=("index",),
    ),
}


class UnknownLanguageError(LookupError):
    """No extractor for this suffix or name: choose one of the known ones, which the message lists."""


def known_languages() -> list[str]:
    """Return the names of the languages that can be parsed, sorted."""
    return sorted(name for entry in LANGUAGES.values() for name in entry.suffixes)


def is_source(path: str) -> bool:
    """Return whether a file of this path is read by some language."""
    return _suffix(path) in _by_suffix()


def language_for(path: str) -> Language:
    """Return the language of a file by its suffix.

    Raises: UnknownLanguageError when no language claims it.
    """
    suffix = _suffix(path)
    entry = _by_suffix().get(suffix)
    if entry is None:
        raise UnknownLanguageError(
            f"no language reads {suffix or path!r}; known suffixes: {', '.join(sorted(_by_suffix()))}"
        )
    return load(entry.language)


def extract_definitions(path: str, content: bytes) -> tuple[Definition, ...]:
    """Return the definitions of a source file that is not indexed. Callers run it in a process with limits."""
    return tuple(language_for(path).extract(path, content).definitions)


def family_name(path: str) -> str:
    """Return the name of the family with which a file is resolved, without loading its language; empty for files of no language.

    The languages of one folder are one family that has the name of the folder.
    """
    entry = _by_suffix().get(_suffix(path))
    return entry.family if entry is not None else ""


@cache
def load(name: str) -> Language:
    """Return the language called `name`.

    Raises: UnknownLanguageError when there is none of that name.
    """
    module = next((module for module, entry in LANGUAGES.items() if name in entry.suffixes), None)
    if module is None:
        raise UnknownLanguageError(f"no language called {name!r}; known: {', '.join(known_languages())}")
    found: Language = next(one for one in importlib.import_module(module).LANGUAGES if one.name == name)
    return found


def all_languages() -> list[Language]:
    """All languages, in the order of the table. Loads every grammar: not for where one file is read."""
    return [load(name) for entry in LANGUAGES.values() for name in entry.suffixes]


def languages_without_calls(paths: Iterable[str]) -> list[str]:
    """Return the languages of files in which calls are not resolved, sorted; files of no language say nothing."""
    names = {entry.language for path in paths if (entry := _by_suffix().get(_suffix(path))) is not None}
    return sorted(name for name in names if not load(name).has_calls)


#: end of the note of an answer about code whose calls are unknown
CALLS_UNKNOWN = "are not resolved: callers and callees are not listed"


def unknown_calls(paths: Iterable[str]) -> str:
    """Describe the languages of files in which calls are not resolved; empty where calls are resolved in all of them."""
    names = languages_without_calls(paths)
    return f"calls in {', '.join(names)} {CALLS_UNKNOWN}" if names else ""


def is_folder_index(path: str) -> bool:
    """Return whether a file is known by the name of its folder."""
    entry = _by_suffix().get(_suffix(path))
    return entry is not None and path.rsplit("/", 1)[-1].partition(".")[0] in entry.folder_stems


def folder_stems() -> list[str]:
    """List the names of files that are known by the name of their folder."""
    return sorted({stem for entry in LANGUAGES.values() for stem in entry.folder_stems})


def reload() -> None:
    """Read the table again: a program that adds a line to it calls this."""
    load.cache_clear()
    _by_suffix.cache_clear()
    _configuration.cache_clear()
    _configuration_suffixes.cache_clear()


def is_configuration(path: str) -> bool:
    """Return whether a file decides how imports of some language are found, or is a model of the repository's own."""
    if path.startswith((OWN_MODELS, OWN_INTERFACES)):
        return path.endswith(".toml" if path.startswith(OWN_MODELS) else ".json")
    return _suffix(path) in _configuration_suffixes() and _configuration().match_file(path)


@cache
def _configuration() -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(pattern for entry in LANGUAGES.values() for pattern in entry.configuration)


@cache
def _configuration_suffixes() -> frozenset[str]:
    """Cheaper to ask than the patterns are, of every file of a tree."""
    return frozenset(_suffix(pattern) for entry in LANGUAGES.values() for pattern in entry.configuration)


class _SuffixEntry(NamedTuple):
    """What the table says of files with one suffix."""

    language: str
    family: str
    folder_stems: tuple[str, ...]


@cache
def _by_suffix() -> dict[str, _SuffixEntry]:
    return {
        suffix: _SuffixEntry(name, module.rpartition(".")[2], entry.folder_stems)
        for module, entry in LANGUAGES.items()
        for name, suffixes in entry.suffixes.items()
        for suffix in suffixes
    }


def _suffix(path: str) -> str:
    stem, dot, suffix = path.rsplit("/", 1)[-1].rpartition(".")
    return f".{suffix.lower()}" if stem and dot else ""
