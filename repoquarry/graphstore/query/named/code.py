"""Named queries about definitions, calls, imports and inheritance.

They serve callers that already have ids and request many at once: a round trip per node would be slow on a server. Ids are looked up
under each label, because uniqueness and the index are per label; hence the branches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from repoquarry.graphstore.graph_engine import QueryScope
from repoquarry.graphstore.model.values import Value


@dataclass(frozen=True)
class NamedQuery:
    """Named query: its name, what it answers, its Cypher, and its parameters with their types; those with a default may be omitted."""

    name: str
    answers: str
    text: str
    parameters: Mapping[str, type]
    defaults: Mapping[str, Value] = field(default_factory=dict)
    scope: QueryScope | None = None
    """Scope of queries that commands run alone, so that these commands do not load the parser that would compute it."""


def table(*queries: NamedQuery) -> Mapping[str, NamedQuery]:
    """Map queries by name. Raises: ValueError if two have the same name."""
    named = {query.name: query for query in queries}
    if len(named) != len(queries):
        raise ValueError(f"two queries share a name among {sorted(query.name for query in queries)}")
    return named


_SITES = "r.count AS count, r.lines AS lines, r.how AS how, r.confidence AS confidence"
_DEFINITIONS = ("Function", "Class", "Module")


def arms(template: str, labels: Iterable[str]) -> str:
    """Repeat a query for each label, in place of `LABEL`, as one union."""
    return "\nUNION ALL\n".join(template.replace("LABEL", label) for label in labels)


def _outgoing(kind: str, starts: Iterable[str], ends: str, returns: str) -> str:
    pattern = f"(a:LABEL {{id: id}})-[r:{kind}]->(b)"
    return arms(f"UNWIND $ids AS id MATCH {pattern} WHERE {ends} RETURN a.id AS known, {returns}", starts)


def _incoming(kind: str, ends: Iterable[str], returns: str, *, where: str = "") -> str:
    pattern = f"(b)-[r:{kind}]->(a:LABEL {{id: id}}){where}"
    return arms(f"UNWIND $ids AS id MATCH {pattern} RETURN a.id AS known, {returns}", ends)


CODE_QUERIES: tuple[NamedQuery, ...] = (
    NamedQuery(
        "code_named",
        "classes and functions with one of these short names",
        arms(
            "MATCH (n:LABEL) WHERE n.name IN $names AND n.repository IN $repositories RETURN n AS node",
            ("Class", "Function"),
        ),
        {"names": list, "repositories": list},
    ),
    NamedQuery(
        "code_qualified",
        "classes and functions with this short name, outermost or with this end of their qualified name",
        arms(
            "MATCH (n:LABEL) WHERE n.name = $name AND n.repository IN $repositories"
            " AND (n.qualname = $name OR n.qualname ENDS WITH $qualname) RETURN n AS node",
            ("Class", "Function"),
        ),
        {"name": str, "qualname": str, "repositories": list},
    ),
    NamedQuery(
        "code_by_id",
        "modules, classes and functions by id",
        arms("UNWIND $ids AS id MATCH (n:LABEL {id: id}) RETURN n AS node", ("Module", "Class", "Function")),
        {"ids": list},
    ),
    NamedQuery(
        "modules_by_path",
        "source files whose path ends with this text",
        """
        MATCH (n:Module) WHERE n.repository IN $repositories AND n.path ENDS WITH $ending RETURN n AS node ORDER BY n.id
        """,
        {"repositories": list, "ending": str},
    ),
    NamedQuery(
        "modules_named",
        "source files whose importable name ends with this name and one of these ends, or whose path has one of these parts",
        """
        MATCH (n:Module) WHERE n.repository IN $repositories
        AND (toLower(n.name) ENDS WITH $name OR toLower(n.path) CONTAINS $name)
        AND (any(tail IN $ends WHERE '.' + toLower(n.name) ENDS WITH tail)
          OR any(part IN $parts WHERE '/' + toLower(n.path) CONTAINS part))
        RETURN n AS node ORDER BY n.id
        """,
        {"repositories": list, "name": str, "ends": list, "parts": list},
    ),
    NamedQuery(
        "code_paths",
        "paths of the source files that hold no tests",
        """
        MATCH (n:Module) WHERE n.repository IN $repositories AND n.is_test = false
        RETURN n.repository AS repository, n.path AS path ORDER BY repository, path
        """,
        {"repositories": list},
    ),
    NamedQuery(
        "test_paths",
        "paths of the source files that hold tests",
        "MATCH (n:Module) WHERE n.repository IN $repositories AND n.is_test RETURN n.path AS path ORDER BY path",
        {"repositories": list},
    ),
    NamedQuery(
        "code_spelled",
        "classes and functions with one of these names, which are given in small letters",
        arms(
            "MATCH (n:LABEL) WHERE toLower(n.name) IN $names AND n.repository IN $repositories RETURN n AS node",
            ("Class", "Function"),
        ),
        {"names": list, "repositories": list},
    ),
    NamedQuery(
        "modules_below",
        "source files below a folder, the most important first",
        """
        MATCH (n:Module)
        WHERE n.repository IN $repositories AND n.path STARTS WITH $folder
        RETURN n AS node ORDER BY n.importance DESC, n.id LIMIT $limit
        """,
        {"repositories": list, "folder": str, "limit": int},
        {"folder": "", "limit": 200},
    ),
    NamedQuery(
        "code_in_files",
        "classes and functions of some files, in order of their lines",
        arms(
            "MATCH (n:LABEL) WHERE n.repository = $repository AND n.path IN $paths RETURN n AS node",
            ("Class", "Function"),
        ),
        {"repository": str, "paths": list},
    ),
    NamedQuery(
        "core_classes",
        "the core classes of repositories, the most important first",
        """
        MATCH (n:Class) WHERE n.repository IN $repositories AND n.is_core
        RETURN n AS node ORDER BY n.importance DESC, n.id
        """,
        {"repositories": list},
    ),
    NamedQuery(
        "entry_points",
        "entry points: files, functions and classes, with their kind",
        arms(
            "MATCH (n:LABEL) WHERE n.repository IN $repositories AND n.entry_points IS NOT NULL "
            "AND n.is_test = false RETURN n AS node",
            ("Module", "Class", "Function"),
        ),
        {"repositories": list},
    ),
    NamedQuery(
        "documents",
        "prose files of a repository",
        "MATCH (n:Document) WHERE n.repository IN $repositories RETURN n AS node ORDER BY n.id",
        {"repositories": list},
    ),
    NamedQuery(
        "documents_by_path",
        "prose files whose path ends with this text",
        "MATCH (n:Document) WHERE n.repository IN $repositories AND n.path ENDS WITH $ending RETURN n AS node ORDER BY n.id",
        {"repositories": list, "ending": str},
    ),
    NamedQuery(
        "calls_from",
        "what some modules, classes or functions call inside the repository",
        _outgoing("CALLS", _DEFINITIONS, "b:Function OR b:Class", f"b AS other, {_SITES}"),
        {"ids": list},
    ),
    NamedQuery(
        "calls_to",
        "what calls some classes or functions",
        _incoming("CALLS", ("Function", "Class"), f"b AS other, {_SITES}"),
        {"ids": list},
    ),
    NamedQuery(
        "call_sites_to",
        "ids of the callers of some classes or functions, for readers that have the definitions",
        _incoming("CALLS", ("Function", "Class"), f"b.id AS other, {_SITES}"),
        {"ids": list},
    ),
    NamedQuery(
        "outside_calls_from",
        "external definitions that some modules, classes or functions call",
        _outgoing("CALLS", _DEFINITIONS, "b:External", "b.qualname AS name, r.count AS count, r.lines AS lines"),
        {"ids": list},
    ),
    NamedQuery(
        "unresolved_from",
        "unresolved calls in some modules, classes or functions",
        _outgoing(
            "UNRESOLVED",
            _DEFINITIONS,
            "b:Name",
            "a AS other, b.name AS name, r.count AS count, r.lines AS lines, r.reason AS reason",
        ),
        {"ids": list},
    ),
    NamedQuery(
        "unresolved_named",
        "unresolved calls of some names",
        """
        MATCH (a)-[r:UNRESOLVED]->(b:Name)
        WHERE b.name IN $names AND b.repository IN $repositories
        RETURN b.id AS known, a AS other, b.name AS name, r.count AS count, r.lines AS lines, r.reason AS reason
        """,
        {"names": list, "repositories": list},
    ),
    NamedQuery(
        "overrides_from",
        "inherited methods that some methods replace",
        _outgoing("OVERRIDES", ("Function",), "b:Function", "b AS other"),
        {"ids": list},
    ),
    NamedQuery(
        "overrides_to",
        "methods that replace some methods in subclasses",
        _incoming("OVERRIDES", ("Function",), "b AS other"),
        {"ids": list},
    ),
    NamedQuery(
        "bases_of",
        "base classes of some classes, internal and external",
        _outgoing(
            "INHERITS",
            ("Class",),
            "b:Class OR b:External",
            "b AS other, r.position AS position, r.lines AS lines, r.how AS how, r.confidence AS confidence",
        ),
        {"ids": list},
    ),
    NamedQuery(
        "subclasses_of",
        "classes that inherit from some classes directly",
        _incoming("INHERITS", ("Class",), "b AS other, r.lines AS lines, r.how AS how, r.confidence AS confidence"),
        {"ids": list},
    ),
    NamedQuery(
        "subclasses_of_outside",
        "classes that inherit directly from an external class, by the end of its full name",
        """
        MATCH (b:Class)-[r:INHERITS]->(a:External)
        WHERE b.repository IN $repositories AND (a.qualname = $qualname OR a.qualname ENDS WITH $suffix)
        RETURN a.qualname AS known, b AS other, r.how AS how, r.confidence AS confidence
        """,
        {"repositories": list, "qualname": str, "suffix": str},
    ),
    NamedQuery(
        "outside_named",
        "calls of an external definition, by the end of its full name",
        """
        MATCH (b)-[r:CALLS]->(a:External)
        WHERE a.repository IN $repositories AND (a.qualname = $qualname OR a.qualname ENDS WITH $suffix)
        RETURN a.qualname AS known, b AS other, r.count AS count, r.lines AS lines, r.how AS how, r.confidence AS confidence
        """,
        {"repositories": list, "qualname": str, "suffix": str},
    ),
    NamedQuery(
        "references_to",
        "uses of some modules, classes or functions other than calls and imports",
        _incoming(
            "REFERENCES",
            _DEFINITIONS,
            "b AS other, r.kind AS kind, r.lines AS lines, r.confidence AS confidence",
            where=" WHERE r.kind <> 'import'",
        ),
        {"ids": list},
    ),
    NamedQuery(
        "references_from",
        "what some modules, classes or functions use without calling it",
        _outgoing(
            "REFERENCES",
            _DEFINITIONS,
            "b:Function OR b:Class",
            "b AS other, r.kind AS kind, r.lines AS lines, r.confidence AS confidence",
        ),
        {"ids": list},
    ),
    NamedQuery(
        "imports_from",
        "modules that some modules import",
        _outgoing("IMPORTS", ("Module",), "b:Module", "b AS other, r.names AS names, r.lines AS lines"),
        {"ids": list},
    ),
    NamedQuery(
        "outside_imports_from",
        "what some modules import from outside the repository",
        _outgoing("IMPORTS", ("Module",), "b:External", "b.qualname AS name, size(r.lines) AS count, r.lines AS lines"),
        {"ids": list},
    ),
    NamedQuery(
        "imports_to",
        "modules that import some modules",
        _incoming("IMPORTS", ("Module",), "b AS other, r.names AS names, r.lines AS lines"),
        {"ids": list},
    ),
    NamedQuery(
        "definition_columns",
        "all modules, classes and functions of a repository, property by property",
        arms(
            """
            MATCH (n:LABEL) WHERE n.repository = $repository
            RETURN 'LABEL' AS label, n.id AS id, n.path AS path, n.qualname AS qualname, n.name AS name, n.kind AS kind,
            n.start_line AS start_line, n.end_line AS end_line, n.signature AS signature, n.docstring AS docstring,
            coalesce(n.purpose, n.summary) AS summary, n.is_test AS is_test, n.importance AS importance, n.calls_in AS calls_in,
            n.entry_points AS entry_points, n.is_core AS is_core
            """,
            ("Module", "Class", "Function"),
        ),
        {"repository": str},
    ),
    *(
        NamedQuery(
            f"{kind.lower()}_columns",
            f"all {kind} relationships between definitions of a repository, from the dependent to what it depends on",
            f"""
            MATCH (a)-[r:{kind}]->(b)
            WHERE a.repository = $repository AND b.repository = $repository AND NOT b:External AND NOT b:Variable{where}
            RETURN {ends}, {confidence} AS confidence, {annotation} AS annotation
            """,
            {"repository": str},
        )
        for kind, ends, confidence, annotation, where in (
            ("CALLS", "a.id AS start, b.id AS end", "r.confidence", "false", ""),
            ("OVERRIDES", "b.id AS start, a.id AS end", "null", "false", ""),
            ("INHERITS", "a.id AS start, b.id AS end", "r.confidence", "false", ""),
            (
                "REFERENCES",
                "a.id AS start, b.id AS end",
                "r.confidence",
                "r.kind = 'annotation'",
                " AND r.kind <> 'import'",
            ),
            ("IMPORTS", "a.id AS start, b.id AS end", "null", "false", ""),
        )
    ),
    NamedQuery(
        "module_imports",
        "imports between the modules of a repository, by path",
        """
        MATCH (a:Module)-[r:IMPORTS]->(b:Module) WHERE a.repository = $repository
        RETURN a.path AS start, b.path AS end, size(r.lines) AS count
        """,
        {"repository": str},
    ),
    NamedQuery(
        "module_calls",
        "calls between the files of a repository, by path",
        """
        MATCH (a)-[r:CALLS]->(b) WHERE a.repository = $repository AND b.path IS NOT NULL AND a.path <> b.path
        RETURN a.path AS start, b.path AS end, sum(r.count) AS count
        """,
        {"repository": str},
    ),
    NamedQuery(
        "function_calls",
        "calls between the functions of a repository, by id",
        """
        MATCH (a:Function)-[:CALLS]->(b:Function) WHERE a.repository = $repository AND b.repository = $repository
        RETURN a.id AS start, b.id AS end
        """,
        {"repository": str},
    ),
    NamedQuery(
        "function_places",
        "functions of a repository with their file and whether they are tests",
        "MATCH (n:Function) WHERE n.repository = $repository RETURN n.id AS id, n.path AS path, n.is_test AS is_test",
        {"repository": str},
    ),
    NamedQuery(
        "call_certainty",
        "call sites of a repository by tests, rule and confidence",
        """
        MATCH (a)-[r:CALLS]->(b) WHERE a.repository = $repository AND NOT b:External
        RETURN a.is_test AS is_test, r.how = 'possible' AS possible, r.confidence >= 0.9 AS confident, sum(r.count) AS count
        """,
        {"repository": str},
    ),
    NamedQuery(
        "unresolved_by_tests",
        "unresolved call sites of a repository, in tests and outside",
        """
        MATCH (a)-[r:UNRESOLVED]->(b:Name) WHERE a.repository = $repository
        RETURN a.is_test AS is_test, sum(r.count) AS count
        """,
        {"repository": str},
    ),
    NamedQuery(
        "dependents_of",
        "modules that depend on some modules, with the weight of the coupling",
        _incoming("DEPENDS_ON", ("Module",), "b AS other, r.weight AS weight"),
        {"ids": list},
    ),
)
