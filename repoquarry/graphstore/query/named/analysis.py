"""Named analysis queries: sizes, reach, dependencies.

Every row order is total, so that two engines, or two runs, print the same table. `repository` may be empty for all of them. Reach is
limited in the text because Cypher has no parameter for a limit: callers that need more use the batched queries.
"""

from __future__ import annotations

from repoquarry.graphstore.model.schema import NODE_LABELS
from repoquarry.graphstore.model.score_profiles import FEATURES
from repoquarry.graphstore.query.named.code import NamedQuery, arms

_HOPS = 3
"""Maximum relationships of a reach query; `hops` may lower it."""

_PATH_HOPS = 8
_IN = "($repository = '' OR n.repository = $repository)"
_NODE = "labels(n)[0] AS label, n.id AS id, n.path AS path, n.qualname AS qualname, n.start_line AS line"
_FEATURES = ", ".join(f"n.{name} AS {name}" for name in FEATURES)
_REPOSITORY: dict[str, type] = {"repository": str}
_ANY = {"repository": ""}


def _reach(name: str, answers: str, pattern: str, returns: str) -> NamedQuery:
    text = f"""
        MATCH p = {pattern}
        WHERE length(p) <= $hops
        RETURN labels(n)[0] AS label, n.id AS id, n.path AS path, n.start_line AS line, {returns}min(length(p)) AS hops
        ORDER BY hops, id
    """
    return NamedQuery(name, f"{answers}, at most {_HOPS} away", text, {"id": str, "hops": int}, {"hops": _HOPS})


def _found(name: str, answers: str, condition: str) -> NamedQuery:
    """Select definitions by a condition on `n`: all definitions of a name, never one silently."""
    definitions = arms(f"MATCH (n:LABEL) WHERE {_IN} AND ({condition}) RETURN {_NODE}", ("Class", "Function"))
    module = condition.replace("n.qualname", "n.path")
    text = f"""{definitions}
UNION ALL
MATCH (n:Module) WHERE {_IN} AND ({module}) RETURN {_NODE.replace("n.qualname", "n.name")}"""
    return NamedQuery(name, answers, text, {"name": str, "repository": str}, _ANY)


_SIZES = (
    NamedQuery(
        "node_counts",
        "nodes by label",
        arms(f"MATCH (n:LABEL) WHERE {_IN} RETURN 'LABEL' AS label, count(n) AS nodes", NODE_LABELS),
        _REPOSITORY,
        _ANY,
    ),
    NamedQuery(
        "relationship_counts",
        "relationships by type",
        f"MATCH (n)-[r]->() WHERE {_IN} RETURN type(r) AS type, count(r) AS relationships ORDER BY type",
        _REPOSITORY,
        _ANY,
    ),
    NamedQuery(
        "statistics",
        "the sizes that GitTaskBench tabulates by repository; files with syntax errors are counted in `files` only",
        """
        MATCH (r:Repository) WHERE $repository = '' OR r.id = $repository
        MATCH (m:Module) WHERE m.repository = r.id
        WITH r.id AS repository, count(m) AS files, collect(m) AS modules
        UNWIND modules AS m
        WITH repository, files, m WHERE m.parses
        RETURN repository, files, count(m) AS parsed, sum(m.lines) AS lines, sum(m.import_count) AS imports,
               sum(m.class_count) AS classes, sum(m.function_count) AS functions, sum(m.call_count) AS calls
        ORDER BY repository
        """,
        _REPOSITORY,
        _ANY,
    ),
)

_TREES = (
    NamedQuery(
        "tree",
        "folders, source files and documents of a repository with their lines",
        arms(
            "MATCH (n:LABEL) WHERE n.repository = $repository AND n.path STARTS WITH $below "
            "RETURN n.path AS path, 'LABEL' AS label, n.lines AS lines",
            ("Directory", "Module", "Document"),
        ),
        {"repository": str, "below": str},
        {"below": ""},
    ),
    NamedQuery(
        "outline",
        "classes and functions of one source file by line",
        """
        MATCH (n) WHERE (n:Class OR n:Function) AND n.repository = $repository AND n.path = $path
        RETURN labels(n)[0] AS label, n.qualname AS qualname, n.kind AS kind, n.start_line AS line, n.end_line AS end_line,
               n.signature AS signature, n.id AS id
        ORDER BY line, id
        """,
        {"repository": str, "path": str},
    ),
    NamedQuery(
        "left_out",
        "skipped files and folders, with the reasons",
        """
        MATCH (n:Repository) WHERE $repository = '' OR n.id = $repository
        UNWIND range(0, size(coalesce(n.left_out_paths, [])) - 1) AS place
        RETURN n.id AS repository, n.left_out_paths[place] AS path, n.left_out_reasons[place] AS reason
        ORDER BY repository, path
        """,
        _REPOSITORY,
        _ANY,
    ),
)

_FINDING = (
    _found("find", "what has exactly this name, dotted name or path", "n.name = $name OR n.qualname = $name"),
    _found("find_ending", "what has a dotted name or path that ends with this", "n.qualname ENDS WITH $name"),
    _found("find_ignoring_case", "what has this name, dotted name or path in whatever case",
           "toLower(n.name) = toLower($name) OR toLower(n.qualname) = toLower($name)"),
)  # fmt: skip

_REACH = (
    _reach("callers", "what calls a function or class", f"(n)-[:CALLS*1..{_HOPS}]->(:Function {{id: $id}})", ""),
    _reach("callees", "what a function calls", f"(:Function {{id: $id}})-[:CALLS*1..{_HOPS}]->(n)", ""),
    _reach("importers", "modules that import a module", f"(n:Module)-[:IMPORTS*1..{_HOPS}]->(:Module {{id: $id}})", ""),
    _reach("imports", "what a module imports", f"(:Module {{id: $id}})-[:IMPORTS*1..{_HOPS}]->(n)", ""),
    _reach("subclasses", "subclasses of a class", f"(n:Class)-[:INHERITS*1..{_HOPS}]->(:Class {{id: $id}})", ""),
    _reach("superclasses", "base classes of a class", f"(:Class {{id: $id}})-[:INHERITS*1..{_HOPS}]->(n)", ""),
    _reach("tests_reaching", "tests that reach a function",
           f"(n:Function {{is_test: true}})-[:CALLS*1..{_HOPS}]->(:Function {{id: $id}})", "n.name AS name, "),
    NamedQuery(
        "call_paths",
        f"the shortest paths from one function to another, at most {_PATH_HOPS} calls",
        f"""
        MATCH p = allShortestPaths((a:Function {{id: $start}})-[:CALLS*1..{_PATH_HOPS}]->(b:Function {{id: $end}}))
        RETURN length(p) AS calls, [n IN nodes(p) | n.id] AS ids
        """,
        {"start": str, "end": str},
    ),
)  # fmt: skip

_RANKED = (
    NamedQuery(
        "most_called",
        "the functions and classes with the most resolved call sites",
        f"""
        MATCH ()-[r:CALLS]->(n) WHERE (n:Function OR n:Class) AND {_IN}
        RETURN n.id AS id, n.path AS path, n.qualname AS qualname, sum(r.count) AS sites, count(r) AS callers
        ORDER BY sites DESC, id LIMIT $limit
        """,
        {"repository": str, "limit": int},
        {"repository": "", "limit": 10},
    ),
    NamedQuery(
        "hot_modules",
        "the most important source files, with the features of their importance",
        f"""
        MATCH (n:Module) WHERE {_IN} AND n.importance IS NOT NULL
        RETURN n.id AS id, n.importance AS importance, {_FEATURES}
        ORDER BY importance DESC, id LIMIT $limit
        """,
        {"repository": str, "limit": int},
        {"repository": "", "limit": 20},
    ),
    NamedQuery(
        "external_uses",
        "external definitions that a repository calls, the most used first",
        f"""
        MATCH ()-[r:CALLS]->(n:External) WHERE {_IN}
        RETURN n.repository AS repository, n.qualname AS qualname, sum(r.count) AS sites, count(r) AS callers
        ORDER BY sites DESC, repository, qualname LIMIT $limit
        """,
        {"repository": str, "limit": int},
        {"repository": "", "limit": 50},
    ),
)

_SUSPECT = (
    NamedQuery(
        "most_branches",
        "the functions with the most branches",
        f"""
        MATCH (n:Function) WHERE {_IN}
        RETURN n.id AS id, n.branches AS branches, n.path AS path, n.qualname AS qualname
        ORDER BY branches DESC, id LIMIT $limit
        """,
        {"repository": str, "limit": int},
        {"repository": "", "limit": 20},
    ),
    NamedQuery(
        "unresolved_calls",
        "called names with unresolved calls, the most frequent first",
        f"""
        MATCH ()-[r:UNRESOLVED]->(n:Name) WHERE {_IN}
        RETURN n.repository AS repository, n.name AS name, r.reason AS reason, sum(r.count) AS sites
        ORDER BY sites DESC, repository, name, reason LIMIT $limit
        """,
        {"repository": str, "limit": int},
        {"repository": "", "limit": 50},
    ),
    NamedQuery(
        "possible_callers",
        "unresolved calls that may mean this name",
        f"""
        MATCH (a)-[r:UNRESOLVED]->(n:Name) WHERE n.name = $name AND {_IN}
        RETURN a.id AS id, a.path AS path, r.lines AS lines, r.count AS sites, r.reason AS reason ORDER BY id
        """,
        {"name": str, "repository": str},
        _ANY,
    ),
    NamedQuery(
        "dead_code",
        "functions that nothing is known to reach: no call, use, override, entry point or unresolved call of the same name",
        f"""
        MATCH (n:Function)
        WHERE {_IN} AND NOT n.is_test AND n.entry_points IS NULL AND n.decorators IS NULL
          AND NOT n.name STARTS WITH '__' AND n.kind <> 'lambda'
          AND NOT EXISTS {{ MATCH (n)<-[:CALLS|REFERENCES]-() }}
          AND NOT EXISTS {{ MATCH (n)-[:OVERRIDES]-() }}
        OPTIONAL MATCH (u:Name {{name: n.name}}) WHERE u.repository = n.repository
        WITH n, count(u) AS unresolved WHERE unresolved = 0
        RETURN n.id AS id, n.path AS path, n.qualname AS qualname, n.start_line AS line
        ORDER BY id LIMIT $limit
        """,
        {"repository": str, "limit": int},
        {"repository": "", "limit": 200},
    ),
    NamedQuery(
        "import_cycles",
        "two or three modules that import one another in a ring, each ring once",
        """
        MATCH (a:Module)-[:IMPORTS]->(b:Module)-[:IMPORTS]->(a)
        WHERE ($repository = '' OR a.repository = $repository) AND a.id < b.id
        RETURN [a.path, b.path] AS ring
        UNION ALL
        MATCH (a:Module)-[:IMPORTS]->(b:Module)-[:IMPORTS]->(c:Module)-[:IMPORTS]->(a)
        WHERE ($repository = '' OR a.repository = $repository) AND a.id < b.id AND a.id < c.id AND b.id <> c.id
        RETURN [a.path, b.path, c.path] AS ring
        """,
        _REPOSITORY,
        _ANY,
    ),
)

_DEPENDENCIES = (
    NamedQuery(
        "module_dependencies",
        "which module depends on which, with the weight of the coupling",
        f"""
        MATCH (n:Module)-[r:DEPENDS_ON]->(m:Module) WHERE {_IN}
        RETURN n.path AS module, m.path AS depends_on, r.weight AS weight, n.repository AS repository
        ORDER BY weight DESC, repository, module, depends_on LIMIT $limit
        """,
        {"repository": str, "limit": int},
        {"repository": "", "limit": 1000},
    ),
    NamedQuery(
        "packages",
        "packages that repositories provide and depend on, with the repositories that provide the dependencies",
        """
        MATCH (n:Repository)-[r:PROVIDES|DEPENDS_ON]->(p:Package) WHERE $repository = '' OR n.id = $repository
        OPTIONAL MATCH (other:Repository)-[:PROVIDES]->(p) WHERE other.id <> n.id
        RETURN n.id AS repository, type(r) AS relation, p.id AS package, r.requirement AS requirement, other.id AS provided_by
        ORDER BY repository, relation, package, coalesce(provided_by, '')
        """,
        _REPOSITORY,
        _ANY,
    ),
    NamedQuery(
        "method_overrides",
        "methods that a method replaces, and methods that replace it",
        "MATCH (:Function {id: $id})-[:OVERRIDES]->(n:Function) RETURN 'replaces' AS way, n.id AS id, n.path AS path\nUNION ALL\n"
        "MATCH (:Function {id: $id})<-[:OVERRIDES]-(n:Function) RETURN 'replaced by' AS way, n.id AS id, n.path AS path",
        {"id": str},
    ),
)

ANALYSIS_QUERIES: tuple[NamedQuery, ...] = (*_SIZES, *_TREES, *_FINDING, *_REACH, *_RANKED, *_SUSPECT, *_DEPENDENCIES)
