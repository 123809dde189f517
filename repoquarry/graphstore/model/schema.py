"""Schema of the graph: labels, relationship types, properties and their meaning.

All other modules use these names: the writer, the engines' constraints, the semantic checks of Cypher, the service's GetSchema and the
generated schema page. Line numbers are 1-based and inclusive. Paths are relative to the repository's root, with forward slashes. Required
properties are set on every node or relationship of their kind; the others are absent (null) if unknown, never an empty placeholder.

`id` is a node's only MERGE key and unique within its label. `title`, `type` and `label` are not property names because embedded engines
reserve them.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field


class PropertyKind(enum.Enum):
    """Type of a property's values; every engine supports all of them."""

    STRING = "string"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    STRINGS = "list of strings"
    INTEGERS = "list of integers"


@dataclass(frozen=True)
class Property:
    """Property: its name, type, meaning, and whether it is always set."""

    name: str
    kind: PropertyKind
    meaning: str
    required: bool = False


@dataclass(frozen=True)
class NodeLabel:
    """Node label with its properties; `properties` includes the three that every node has."""

    name: str
    meaning: str
    properties: tuple[Property, ...]

    @property
    def by_name(self) -> Mapping[str, Property]:
        return {prop.name: prop for prop in self.properties}


@dataclass(frozen=True)
class RelationshipType:
    """Relationship type: the labels that it connects, and its properties."""

    name: str
    meaning: str
    start: tuple[str, ...]
    end: tuple[str, ...]
    properties: tuple[Property, ...] = field(default=())

    @property
    def by_name(self) -> Mapping[str, Property]:
        return {prop.name: prop for prop in self.properties}


def _text(name: str, meaning: str, *, required: bool = False) -> Property:
    return Property(name, PropertyKind.STRING, meaning, required)


def _whole(name: str, meaning: str, *, required: bool = False) -> Property:
    return Property(name, PropertyKind.INTEGER, meaning, required)


def _real(name: str, meaning: str, *, required: bool = False) -> Property:
    return Property(name, PropertyKind.FLOAT, meaning, required)


def _flag(name: str, meaning: str, *, required: bool = False) -> Property:
    return Property(name, PropertyKind.BOOLEAN, meaning, required)


def _texts(name: str, meaning: str) -> Property:
    return Property(name, PropertyKind.STRINGS, meaning)


COMMON = (
    _text("id", "unique within the label; the only MERGE key", required=True),
    _text("repository", "id of the repository that the node belongs to; empty for nodes shared by all", required=True),
    _text("name", "short name for people", required=True),
)

_SPAN = (
    _text("path", "file, relative to the repository's root, forward slashes", required=True),
    _whole("start_line", "first line, 1-based", required=True),
    _whole("end_line", "last line, 1-based, inclusive", required=True),
)

_CODE = (
    _text("language", "name of the language, such as `python`", required=True),
    _text("docstring", "first paragraph of the documentation, at most 1,000 characters"),
    _text("summary", "purpose in one line, computed without a model"),
    _flag(
        "is_test",
        "whether its file holds tests: by name, folder or what it defines; not where code imports it from the folder",
        required=True,
    ),
)

REPOSITORY = NodeLabel(
    "Repository",
    "one indexed repository",
    (
        *COMMON,
        _text("source", "the folder, git address (without credentials) or archive that was indexed", required=True),
        _text("source_kind", "`folder`, `git`, `archive` or `package`", required=True),
        _text("commit", "full hash of the indexed commit; absent outside git"),
        _text("commit_date", "day of the indexed commit in UTC, `2026-01-31`; absent outside git"),
        _text(
            "indexed_at",
            "second in UTC when this revision was indexed, `2026-01-31T09:30:00Z`; the revision does not depend on it",
        ),
        _text("branch", "branch that was checked out; absent outside git or when detached"),
        _text("ref", "requested branch, tag or commit; absent if none was requested"),
        _flag("dirty", "whether the working tree differed from the commit when it was indexed", required=True),
        _text(
            "revision",
            "digest of the whole graph of this repository: the same input gives the same digest",
            required=True,
        ),
        _texts("languages", "languages with at least one indexed file, most files first"),
        _whole("files", "indexed source files", required=True),
        _whole("lines", "physical lines of the indexed source files", required=True),
        _whole("left_out", "skipped files and folders", required=True),
        _texts("left_out_paths", "paths of skipped files and folders, at most 1,000"),
        _texts("left_out_reasons", "reason of each entry in left_out_paths"),
        _texts("parse_error_paths", "files with syntax errors; their readable parts are indexed"),
        _whole("unresolved_calls", "call sites that could not be resolved", required=True),
        _text("readme", "path of the README; absent if there is none"),
        _text("summary", "one line on what the repository is, taken from its README or package metadata"),
        _text(
            "score_profile",
            "how features of modules are computed and added to importance: `paper`, the sum of the first six, at most 10 (RepoMaster, "
            "appendix F), or `degrees`, the sum of all eight, half of it for tests; there the shares of a class are multiplied by the best I(m)",
            required=True,
        ),
        _text("indexer", "version of the indexer that wrote the graph", required=True),
        _text(
            "data_folder",
            "host and path of the data folder with its texts; on Neo4j alone, which several folders share",
        ),
    ),
)

DIRECTORY = NodeLabel(
    "Directory",
    "a folder with at least one indexed file below it",
    (
        *COMMON,
        _text("path", "folder, relative to the root; `.` for the root itself", required=True),
        _whole("files", "indexed files below it, at any depth", required=True),
        _whole("lines", "physical lines below it, at any depth", required=True),
    ),
)

MODULE = NodeLabel(
    "Module",
    "one source file; `name` is its importable dotted name if the language has one, otherwise its path",
    (
        *COMMON,
        *_SPAN,
        *_CODE,
        _whole("lines", "physical lines", required=True),
        _flag(
            "calls_resolved",
            "whether calls of its language are resolved; where not, it has definitions, imports and names, and no calls yet",
            required=True,
        ),
        _text("hash", "SHA-256 of the file's bytes, hexadecimal", required=True),
        _text(
            "purpose", "one sentence by a chat model on what the module is for; absent unless the settings ask for it"
        ),
        _flag("is_generated", "whether the file says that it is generated", required=True),
        _texts("exports", "names that the module offers to others by declaration (`__all__`)"),
        _texts(
            "entry_points", "entry points of the file: `main: …`, `console_script: name`, `script: name` of a manifest"
        ),
        _whole("parse_errors", "syntax errors found in the file", required=True),
        _flag("parses", "whether the file has no syntax error", required=True),
        _whole("import_count", "names in import statements directly at module level", required=True),
        _whole("class_count", "distinct class names, nested ones by their outer class", required=True),
        _whole("function_count", "distinct functions that are not asynchronous, by class and name", required=True),
        _whole("call_count", "call expressions on a name or an attribute inside those functions", required=True),
        _whole(
            "branches",
            "branches: `if`, `for`, `while`, `except`, and their equivalents in other languages",
            required=True,
        ),
        _real("importance", "I(m): computed from the features below by the repository's score profile", required=True),
        _real(
            "dependency",
            "feature: personalized PageRank on the module graph, times 10; profile `paper`: on its imports, weighted",
            required=True,
        ),
        _real("complexity", "feature: branches and depth; profile `paper`: branch words of the text", required=True),
        _real("usage", "feature: how much other modules import and call it", required=True),
        _real("semantic", "feature: known file names and keywords in names", required=True),
        _real("documentation", "feature: docstring length and parts", required=True),
        _real("history", "feature: commits and recency; 0.0 outside git", required=True),
        _real(
            "inward",
            "degree: half of ln(1 + call sites of other files that reach its definitions), without those of tests",
            required=True,
        ),
        _real("outward", "degree: half of ln(1 + its call sites that reach other files)", required=True),
        _whole("commits", "commits that touched the file, as far back as was read; absent outside git"),
        _text(
            "last_changed",
            "day in UTC of the newest of these commits, `2026-01-31`, for `date(m.last_changed)`; absent without commits",
        ),
        _text(
            "owner",
            "author of most work in these commits, newer ones counting more, as `show` lists owners; absent without commits",
        ),
    ),
)

CLASS = NodeLabel(
    "Class",
    "a class, interface, enumeration or the like",
    (
        *COMMON,
        *_SPAN,
        _text("qualname", "dotted name inside its module: `Outer.Inner`", required=True),
        *_CODE,
        _text(
            "kind",
            "`class`, or what the language calls it: `interface`, `struct`, `enum`, `trait`, `namespace`, `dataclass`, `protocol` …",
            required=True,
        ),
        _texts("bases", "base classes as written"),
        _texts("decorators", "decorators as written, without `@`"),
        _whole("methods", "methods that its body defines", required=True),
        _whole(
            "calls_in",
            "resolved call sites of its methods and constructor, from anywhere, of a confidence of 0.5 or more",
            required=True,
        ),
        _real(
            "importance",
            "J(c): I(m) of its module and its shares of methods and calls (RepoMaster, equation 3), as the score profile weighs them",
            required=True,
        ),
        _flag("is_core", "whether it is among the core classes, the setting `ingest.core_classes`", required=True),
        _texts("entry_points", "entry points, such as `route: /users` or `signal: receiver(post_save)`"),
    ),
)

FUNCTION = NodeLabel(
    "Function",
    "a function, method or lambda",
    (
        *COMMON,
        *_SPAN,
        _text(
            "qualname",
            "dotted name inside its module: `Outer.method`, `f.<lambda1>`, whose `name` states the parameter: `<lambda1: key>`",
            required=True,
        ),
        *_CODE,
        _text("kind", "`function`, `method`, `constructor`, `property`, `lambda`, `macro` …", required=True),
        _text("signature", "parameters and return annotation on one line, without comments and layout", required=True),
        _text(
            "body_hash",
            "hash of the code after its name, without comments, documentation and layout: equal for equal code; 20 hexadecimal "
            "digits; null for lambdas and code shorter than 120 characters",
        ),
        _texts("overloads", "signatures of its `@overload` stubs, which have no nodes of their own"),
        _texts("decorators", "decorators as written, without `@`"),
        _flag("is_async", "whether it is a coroutine function", required=True),
        _flag("is_generator", "whether it yields", required=True),
        _flag("is_abstract", "whether it is declared without a body of its own", required=True),
        _whole(
            "branches",
            "branches: `if`, `for`, `while`, `except`, and their equivalents in other languages",
            required=True,
        ),
        _whole(
            "calls_in",
            "resolved call sites that reach it with a confidence of 0.5 or more: possible ones below are CALLS, and do not count",
            required=True,
        ),
        _whole(
            "calls_out",
            "call sites in its body that are resolved inside the repository with a confidence of 0.5 or more",
            required=True,
        ),
        _texts("entry_points", "entry points: `console_script: name`, `route: /x`, `test`, …"),
    ),
)

VARIABLE = NodeLabel(
    "Variable",
    "a constant, field or other name that a module or class holds; in Python and JavaScript an attribute that only methods assign "
    "counts if it is used",
    (
        *COMMON,
        *_SPAN,
        _text("qualname", "dotted name inside its module: `Class.field`", required=True),
        _text("language", "name of the language, such as `python`", required=True),
        _text("kind", "`constant` (its name is in capitals), `field` (of a class) or `variable`", required=True),
    ),
)

DOCUMENT = NodeLabel(
    "Document",
    "a prose file: README, guide, change log",
    (
        *COMMON,
        *_SPAN,
        _text("format", "`markdown`, `rst` or `text`", required=True),
        _text("heading", "first heading"),
        _whole("lines", "physical lines", required=True),
        _text("hash", "SHA-256 of the file's bytes, hexadecimal", required=True),
    ),
)

PACKAGE = NodeLabel(
    "Package",
    "an installable package, shared by all repositories: the one that provides it and those that depend on it",
    (*COMMON, _text("ecosystem", "`pypi`, `npm`, `maven` …", required=True)),
)

EXTERNAL = NodeLabel(
    "External",
    "an external definition that the code imports, calls or inherits from",
    (
        *COMMON,
        _text("qualname", "full dotted name; built-ins as `builtins.len`", required=True),
        _text(
            "package", "importable package: top-level name such as `numpy`, npm package, Java package", required=True
        ),
        _flag("is_standard", "whether it belongs to the language or its standard library"),
    ),
)

NAME = NodeLabel(
    "Name",
    "a name that is called where the call could not be resolved; `name` is the name itself",
    (*COMMON,),
)

SEARCH_INDEXES: Mapping[str, tuple[str, ...]] = {
    **{f"{label}_embedding": (label,) for label in ("Function", "Class", "Module", "Document")},
    "repoquarry_text": ("Function", "Class", "Module", "Document"),
}
"""Labels of the nodes in each index of the search procedures; an index of vectors has one label."""

NODE_LABELS: Mapping[str, NodeLabel] = {
    label.name: label
    for label in (REPOSITORY, DIRECTORY, MODULE, CLASS, FUNCTION, VARIABLE, DOCUMENT, PACKAGE, EXTERNAL, NAME)
}

_SITES = (
    _whole("count", "call sites (RepoMaster's w_f)", required=True),
    Property(
        "lines", PropertyKind.INTEGERS, "lines of the call sites in the caller's file, ascending, at most 100", True
    ),
)
_RULE = (
    _text(
        "how",
        "the rule that resolved it: `name`, `self`, `receiver`, ...; `possible` where it overrides another callee of the same call, "
        "or no object was seen to lead there",
        required=True,
    ),
    _real("confidence", "estimated probability that the edge is correct, 0 to 1", required=True),
)

RELATIONSHIP_TYPES: Mapping[str, RelationshipType] = {
    kind.name: kind
    for kind in (
        RelationshipType(
            "CONTAINS",
            "the code tree above files",
            ("Repository", "Directory"),
            ("Directory", "Module", "Document"),
        ),
        RelationshipType(
            "DEFINES", "the code tree inside files", ("Module", "Class", "Function"), ("Class", "Function")
        ),
        RelationshipType(
            "IMPORTS",
            "an import statement",
            ("Module",),
            ("Module", "External"),
            (
                Property("lines", PropertyKind.INTEGERS, "lines of the statements, ascending", True),
                _texts("names", "imported names, as written; `*` for all"),
                *_RULE,
            ),
        ),
        RelationshipType(
            "CALLS",
            "a call that was resolved; code at module level calls from the Module",
            ("Function", "Class", "Module"),
            ("Function", "Class", "External"),
            (*_SITES, *_RULE),
        ),
        RelationshipType(
            "UNRESOLVED",
            "an unresolved call, or an import of an excluded file, with its reason",
            ("Function", "Class", "Module"),
            ("Name",),
            (*_SITES, _text("reason", "reason why it is unresolved", required=True)),
        ),
        RelationshipType(
            "INHERITS",
            "a base class",
            ("Class",),
            ("Class", "External"),
            (
                _whole("position", "0-based position among the bases", required=True),
                Property("lines", PropertyKind.INTEGERS, "lines that name the base, ascending", True),
                *_RULE,
            ),
        ),
        RelationshipType(
            "OVERRIDES",
            "a method that replaces an inherited one, or implements a member of an interface that its class names or (TypeScript) fits",
            ("Function",),
            ("Function",),
        ),
        RelationshipType(
            "REFERENCES",
            "a use that is not a call: type annotations, imports by name, constants and fields, registered handlers",
            ("Function", "Class", "Module"),
            ("Function", "Class", "Module", "External", "Variable"),
            (
                _text(
                    "kind",
                    "the most informative of its kinds: `decorator` (applied to the start), `raises`, `handler` (passed, stored in a table or "
                    "registered), `value`, `annotation` or `import` (by name); of variables `write`, `read` or `import`",
                    required=True,
                ),
                _texts("kinds", "all kinds of its mentions, sorted"),
                Property("lines", PropertyKind.INTEGERS, "lines of the uses, ascending, at most 100", True),
                *_RULE,
            ),
        ),
        RelationshipType(
            "DEPENDS_ON",
            "module to module with a coupling weight; repository to package",
            ("Module", "Repository"),
            ("Module", "Package"),
            (
                _real(
                    "weight",
                    "coupling (RepoMaster's w_m): imports, calls and inheritance between the two; 1.0 for packages",
                    required=True,
                ),
                _text("requirement", "version requirement as declared (packages only)"),
                _text(
                    "locked",
                    "exact version by the repository's lock file (uv, Poetry, PDM, Pipenv, npm, Cargo) or by a pin in a file of requirements "
                    "(packages only)",
                ),
            ),
        ),
        RelationshipType(
            "PROVIDES",
            "what links one repository to another: the package it provides, and for a name outside one repository its definition in another",
            ("Repository", "External"),
            ("Package", "Function", "Class", "Module"),
        ),
    )
}


DAY_PROPERTIES = frozenset({"commit_date", "last_changed"})
"""Properties whose strings are days, such as `2026-01-31`."""

TIME_PROPERTIES = frozenset({"indexed_at"})
"""Properties whose strings are times, such as `2026-01-31T09:30:00Z`; they differ between graphs of equal inputs."""


def properties_of_relationship(name: str) -> Mapping[str, Property]:
    """The properties of a relationship type by name. Raises: KeyError for an unknown type."""
    return RELATIONSHIP_TYPES[name].by_name


def properties_of_node(name: str) -> Mapping[str, Property]:
    """The properties of a node label by name. Raises: KeyError for an unknown label."""
    return NODE_LABELS[name].by_name
