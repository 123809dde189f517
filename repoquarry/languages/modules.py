"""What a language says about modules: where each file stands, and what its import specifiers mean.

A specifier is the text of `Import.module` with its number of leading dots, as the extractor wrote it: `a.b` in Python, `./store` or
`react` in JavaScript, `com.acme.util` in Java. A place is what it leads to inside the repository: the number of a file (its position in
the sorted list of facts), or the path of a folder or the name of a package that is no single file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from repoquarry.languages.facts import FileFacts

Place = int | str
"""Number of a file, or name of a folder or package."""


class ModuleInfo(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a file stands among importable modules."""

    path: str
    name: str
    """Full name of the module as the language writes it (`click.core`, `com.acme.util.Texts`, `src/store`), unique where the language
    demands it; empty for an `__init__` that is itself a root."""
    root: str
    """The source root it is imported from, relative to the repository; empty is the repository's top, `src` a src layout."""
    is_package: bool


@dataclass(frozen=True)
class SearchPath:
    """For languages whose imports are dotted names found below source roots, also by names that are only known at run time."""

    roots: Sequence[str] = ()
    """All source roots, in the order in which they are tried after the importing file's own."""
    importable: Mapping[str, int] = field(default_factory=dict)
    """Path without suffix -> file."""
    folders: frozenset[str] = frozenset({""})
    """Folders that hold a file: namespace packages where no file stands for them."""
    packages: frozenset[str] = frozenset()
    """Folders that a file stands for."""
    last_roots: Sequence[Sequence[str]] = ()
    """For each file, and then for a name in any text: source roots that are tried last, and not for modules of the language's own
    library. Empty where there are none."""


@dataclass(frozen=True)
class Modules:
    """The modules of a family's files."""

    infos: Sequence[ModuleInfo]
    """Of each file, in the order of the facts."""
    targets: Mapping[tuple[int, str, int], Place | None] = field(default_factory=dict)
    """(importing file, specifier, level) -> what it means; None for something outside the repository. One that is missing here is
    looked for by `search`."""
    members: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Package -> the files whose names at module level together are what it has: where a package is a folder (Java, Go)."""
    search: SearchPath = field(default_factory=SearchPath)


Configuration = Mapping[str, bytes]
"""Path -> content of the repository's files that match `Language.configuration`: what decides how imports are found."""

FindModules = Callable[[Sequence[FileFacts], Configuration, Sequence[str] | None], Modules]
"""`find(files, configuration, roots)`: the modules of the files, which are sorted by path; `roots` are source roots that were asked for
beside those that are found. Pure; never raises on a broken manifest, but does without it."""
