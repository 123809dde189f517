"""Which language reads which file: the one table that a new language is added to.

The modules are imported when a file of theirs is first met, so that a repository in one language loads one grammar.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from repoquarry.ingest.errors import IngestError
from repoquarry.ingest.facts import FileFacts

#: suffix -> module of `repoquarry.ingest.languages` that exports `LANGUAGE`
SUFFIXES: dict[str, str] = {
    ".py": "python",
    ".pyi": "python",
}


@dataclass(frozen=True)
class Language:
    """How files of one language become facts."""

    name: str
    suffixes: tuple[str, ...]
    extract: Callable[[str, bytes], FileFacts]
    """`extract(path, source)`: pure; never raises on bad input, but records what it could not read in
    `parse_errors`."""
    test_patterns: tuple[str, ...] = ()
    """Glob patterns of paths that hold tests, by the language's conventions."""


class UnknownLanguageError(IngestError):
    """No extractor for this suffix or name: choose one of the known ones, which the message lists."""

    reason = "LANGUAGE_UNKNOWN"


def known_languages() -> list[str]:
    """Names of the languages that can be parsed, sorted."""
    return sorted(set(SUFFIXES.values()))


def is_source(path: str) -> bool:
    """Whether a file of this path is read by some language."""
    return _suffix(path) in SUFFIXES


def language_for(path: str) -> Language:
    """The language of a file by its suffix.

    Raises: UnknownLanguageError when no language claims it.
    """
    suffix = _suffix(path)
    if suffix not in SUFFIXES:
        raise UnknownLanguageError(
            f"no language reads {suffix or path!r}; known suffixes: {', '.join(sorted(SUFFIXES))}"
        )
    return load(SUFFIXES[suffix])


@cache
def load(name: str) -> Language:
    """The language called `name`.

    Raises: UnknownLanguageError when there is none of that name.
    """
    if name not in SUFFIXES.values():
        raise UnknownLanguageError(f"no language called {name!r}; known: {', '.join(known_languages())}")
    language = importlib.import_module(f"repoquarry.ingest.languages.{name}").LANGUAGE
    assert isinstance(language, Language)  # noqa: S101 - a broken plug-in module is a programming error
    return language


def _suffix(path: str) -> str:
    stem, dot, suffix = path.rsplit("/", 1)[-1].rpartition(".")
    return f".{suffix.lower()}" if stem and dot else ""
