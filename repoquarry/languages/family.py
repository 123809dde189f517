"""`LanguageFamily`: how imports and calls are resolved in languages that import each other; module map and attribution result.

Languages whose files import each other (JavaScript, TypeScript, Vue) share one `LanguageFamily`: their files are one program. Files of
different families never see each other, and their results are merged.

A specifier is the text of `Import.module` with its number of leading dots, as the extractor wrote it: `a.b` in Python, `./store` or
`react` in JavaScript, `com.acme.util` in Java. A place is what it leads to inside the repository: the number of a file (its position in
the sorted list of facts), or the path of a folder or the name of a package of several files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntFlag, auto
from pathlib import Path
from typing import Final

import msgspec

from repoquarry.languages.facts import Definition, FileFacts

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
    specifiers: tuple[tuple[str, str], ...] | None = None
    """(package, name) by which other packages import the module; None where they import by `name`."""


class ExternalOrigin(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Origin of an external symbol."""

    package: str
    """Unit that another repository can provide as a whole: top-level name in Python, npm package, Java package."""
    is_standard: bool
    """Flag that the symbol belongs to the language or its standard library."""


FindOrigins = Callable[[Sequence[FileFacts], Sequence[str]], list[ExternalOrigin]]
"""`find(files, externals)`: origin of each external symbol that the files use, by its full name."""


def first_part_origins(_files: Sequence[FileFacts], externals: Sequence[str]) -> list[ExternalOrigin]:
    """Return the first part of each name as its package."""
    return [ExternalOrigin(name.split(".", 1)[0], is_standard=False) for name in externals]


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


UNKNOWN_KEY: Final = "?"
"""Name in `ModuleMap.offered` for keys that are computed; an invalid name in every language."""


@dataclass(frozen=True)
class ModuleMap:
    """The modules of a family's files."""

    infos: Sequence[ModuleInfo]
    """Facts of each file, in the order of the facts."""
    targets: Mapping[tuple[int, str, int], Place | None] = field(default_factory=dict)
    """(importing file, specifier, level) -> what it means; None for something outside the repository. One that is missing here is
    looked for by `search`."""
    members: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Package -> the files whose names at module level together are what it has: where a package is a folder (Java, Go)."""
    search: SearchPath = field(default_factory=SearchPath)
    offered: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """File -> names that other packages may import from the file, in addition to those of `PointsToConfig.offered`. The targets of
    `UNKNOWN_KEY` are values under computed keys, and belong to no name."""


Configuration = Mapping[str, bytes]
"""Path -> content of the repository's files that match `Language.configuration`: what decides how imports are found."""

FindModules = Callable[[Sequence[FileFacts], Configuration, Sequence[str] | None], ModuleMap]
"""`find(files, configuration, roots)`: the modules of the files, which are sorted by path; `roots` are source roots that were asked for
in addition to those that are found. Pure; never raises on a broken manifest, but does without it."""


#: rule -> shares of its edges that are right, at call sites with one target, two, three or four, and more
Rules = Mapping[str, tuple[float, float, float, float]]

#: the same for what dispatch adds, each where instances of the classes in question are made in code, by tests only, or nowhere
Grounds = Sequence[tuple[float, float, float]]

EntryPoints = Callable[[FileFacts, Definition, bool], Iterator[tuple[str, str]]]
"""`find(file, definition, in_test_class)`: (kind, text) of the start of the definition from outside the repository's code by its name,
place or decorators; the last argument is true in a class of which a test runner makes instances."""


def no_entry_points(_facts: FileFacts, _definition: Definition, _in_test_class: bool, /) -> Iterator[tuple[str, str]]:
    """Entry points of a language in which nothing is started by its name."""
    return iter(())


@dataclass(frozen=True)
class ExtraFlows:
    """Flows that no operation states. Variables and definitions are numbered over all files, in the order of the facts."""

    rows: Sequence[int] = ()
    """Three numbers each, as `ExtraFlowRows::Row` in `kernel/semantics/external/extra_flows.h` says."""
    injected: Sequence[int] = ()
    """(definition, definition whose result it is given by something outside), alternating."""


def declared_exports(facts: FileFacts) -> Sequence[str]:
    """Return the names that a file itself lists as offered."""
    return facts.exports or ()


FindExtraFlows = Callable[[Sequence[FileFacts], Sequence[int], Sequence[int]], ExtraFlows]
"""`find(files, variables, definitions)`; the numbers are where those of each file begin.

Raises: IndexError, TypeError, ValueError where a file's records are damaged."""


def no_extra_flows(
    _files: Sequence[FileFacts], _variables: Sequence[int], _definitions: Sequence[int], /
) -> ExtraFlows:
    """Result for a language in which operations state all."""
    return ExtraFlows()


class LanguageFeature(IntFlag):
    """Features of a language in points-to analysis, in the order of `LanguageFeature` in `kernel/program/language_tables.h`."""

    SUPERCLASS_FIRST = auto()
    """The first base and its ancestors precede other bases (classes before interfaces); otherwise bases are linearized by C3."""
    RECEIVER_BY_CALL = auto()
    """Functions receive the object that they are read from at a call (`o.f()`), and construct objects (`new f()`); there are no
    descriptors. The extractor writes the receiver as the first parameter of every function that has one."""
    OBJECT_LITERALS = auto()
    """Attributes of mappings are their elements; stores run setters of declared properties."""
    CALLABLE_INSTANCES = auto()
    """Instances of external classes can be called."""
    MAPPINGS_GIVE_PAIRS = auto()
    """Iteration over a mapping gives pairs of keys and values; otherwise keys."""
    AWAIT_UNWRAPS = auto()
    """Awaiting an awaitable of an awaitable awaits both, and awaiting other values returns them."""
    STAR_IMPORTS_BIND = auto()
    """Star imports bind names in the importing file; otherwise they only export them."""
    DEFAULT_EXPORTS = auto()
    """A module may export a default value, or one value instead of its names."""
    STATIC_TYPES = auto()
    """Declarations name the targets of calls; declarations of unknown types are opened as long as code is reached."""
    STRUCTURAL_TYPES = auto()
    """Values conform to interfaces by their members."""
    TYPES_REPLACE_PARAMETERS = auto()
    """Type parameters are substituted through receivers, aliases and calls."""


NO_FEATURES = LanguageFeature(0)


@dataclass(frozen=True)
class PointsToConfig:
    """Calls by points-to analysis in the native kernel: for languages where a value's class is seen where it is made."""

    protocols: Mapping[str, str]
    """Operation -> the language's name for what does it (`iterate` -> `__iter__`); operations are those of `LanguageProtocol` in
    `kernel/program/language_tables.h`. One that is missing here the language does not have."""
    tables: Callable[[], Mapping[str, Sequence[str]]]
    """Name of a table, as in `TableId` there -> its texts: roles of types, models of external functions and types. One that is missing
    is empty. Made when it is first needed."""
    features: LanguageFeature = NO_FEATURES
    extra_flows: FindExtraFlows = no_extra_flows
    offered: Callable[[FileFacts], Sequence[str]] = declared_exports
    """The names that a module offers to others: what it defines and what it passes on."""
    data_classes: frozenset[str] = frozenset()
    """Last names of decorators whose classes take their annotated names as arguments."""
    wrappers: frozenset[str] = frozenset()
    """Last names of decorators that say that a function stands for the one that it wraps."""
    plain_decorators: frozenset[str] = frozenset()
    """Last names of decorators after which reading a method is no more than reading it."""
    test_class_prefix: str = ""
    """Beginning of the names of classes of which a test runner makes instances; empty for none."""


@dataclass(frozen=True)
class AttributionConfig:
    """Calls by attributing static types to expressions: for languages whose declarations say what every receiver is."""

    resolver: str
    """Module of the language's folder with `attribute(files, modules) -> AttributionResult`, imported when it is needed."""
    has_models: bool = False
    """`attribute` takes models of frameworks as a third argument."""
    has_calls: bool = True
    """Its calls are right as often as `docs/explanation/call-resolution.md` asks; where not, bases and overriding methods alone are kept."""


@dataclass(frozen=True)
class LanguageFamily:
    """Languages that are resolved together."""

    name: str
    """Unique: the name of the language that others join."""
    modules: FindModules
    method: PointsToConfig | AttributionConfig | None = None
    """How calls are resolved; None for imports alone."""
    rules: Rules = field(default_factory=dict)
    """Measured on the family's own code: `confidence` of an edge is that of its rule and of the number of targets of its site."""
    possible: Mapping[str, Grounds] = field(default_factory=dict)
    """The same for edges that dispatch adds, where it follows from where instances are made as well."""
    shown: Mapping[str, str] = field(default_factory=dict)
    """Rule -> name by which edges show it in `how`, where that is another."""
    stubs: str = ""
    """Folder or zip archive of sources in the family's languages that declare external code; empty for none. They go through the same
    extractors as files of the repository and count as external."""
    origins: FindOrigins = first_part_origins
    has_global_names: bool = False
    """Other packages name a definition by its namespace or module alone, whatever file declares it."""

    def confidence(self) -> list[float]:
        """All figures in the kernel's order: by rule, by number of targets, and for what was seen and each of the grounds."""
        return [
            figure
            for rule, shares in self.rules.items()
            for share, grounds in zip(shares, self.possible.get(rule, [(one,) * 3 for one in shares]), strict=True)
            for figure in (share, *grounds)
        ]


Target = int | str
"""A symbol, or the full name of something outside the program."""


class RuleTables(msgspec.Struct, frozen=True):
    """Contents of a `rules.toml`, as in `LanguageFamily` and `PointsToConfig`."""

    rules: dict[str, tuple[float, float, float, float]]
    possible: dict[str, list[tuple[float, float, float]]] = {}
    shown: dict[str, str] = {}
    protocols: dict[str, str] = {}


def load_rules(folder: Path) -> RuleTables:
    """Load the `rules.toml` of a folder."""
    return msgspec.toml.decode((folder / "rules.toml").read_bytes(), type=RuleTables)


@dataclass
class AttributionResult:
    """Findings of one program, in any order."""

    calls: list[tuple[int, Target, int, str, int]] = field(default_factory=list)
    """(caller, callee, line, rule, number of targets that the rule gave its site)."""
    unresolved: list[tuple[int, str, int, str]] = field(default_factory=list)
    """(caller, called name, line, reason)."""
    references: list[tuple[int, Target, int, str]] = field(default_factory=list)
    """(source, target, line, how)."""
    uses: list[tuple[int, int, str, int, str, str]] = field(default_factory=list)
    """(source, class, name of its field, line, kind, how), as in `VariableUse`."""
    inherits: list[tuple[int, Target, int]] = field(default_factory=list)
    """(class, base, position)."""
    overrides: list[tuple[int, int]] = field(default_factory=list)
    """(method, the nearest one that it overrides)."""
    imports: list[tuple[int, Target, str, int, str, bool]] = field(default_factory=list)
    """(module, module or outside name, name that is taken or empty, line, how)."""
    entry_points: list[tuple[int, str, str]] = field(default_factory=list)
    """(symbol, kind, text) of definitions that are started from outside for reasons beyond their own file."""
    test_classes: set[int] = field(default_factory=set)
    """Classes of which a test runner makes instances."""
