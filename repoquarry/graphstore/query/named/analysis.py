"""Named analysis queries: sizes, findings, packages.

Every row order is total, so that two engines, or two runs, print the same table. `repository` may be empty for all of them.
"""

from __future__ import annotations

from repoquarry.graphstore.query.named.code import NamedQuery

_IN = "($repository = '' OR n.repository = $repository)"
_REPOSITORY: dict[str, type] = {"repository": str}
_ANY = {"repository": ""}

ANALYSIS_QUERIES: tuple[NamedQuery, ...] = (
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
        "dead_code",
        "functions that nothing is known to reach: no call, use, override, entry point or unresolved call of the same name",
        f"""
        MATCH (n:Function)
        WHERE {_IN} AND NOT n.is_test AND n.entry_points IS NULL AND n.decorators IS NULL
          AND NOT n.name STARTS WITH '__' AND n.kind <> 'lambda'
          AND NOT EXISTS {{ MATCH (n)<-[:CALLS]-() }}
          AND NOT EXISTS {{ MATCH (n)<-[r:REFERENCES]-() WHERE r.kind <> 'import' }}
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
)
